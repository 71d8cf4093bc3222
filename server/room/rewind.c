#include "room/rewind.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "base/refusal.h"
#include "past/film.h"
#include "past/history.h"
#include "past/past_people.h"
#include "past/replay.h"
#include "room/apply.h"
#include "room/grants.h"
#include "room/state.h"
#include "room/tell.h"
#include "room/workspace.h"
#include "scene/budget.h"

#define WORK_TURN  100000u   /* of replay_work() in a turn: some 10 ms */
#define WORK_SEEK  25000u    /* and at a time between turns */
#define TIME_TURN  10000000u /* ns: the same, as measured, if ticks have a limit */
#define TIME_SEEK  1000000u
#define EPOCH_STEP 0x10000u /* more than a flock's epoch moves on between two moments shown */
#define REST_TIME  2u       /* s that a film without a presenter stands at its end, … */
#define FAIL_TIME  10u      /* … and at its beginning after a replay failed */
#define STOPS_MAX  8u       /* times in a row that a tick is stopped until the replay fails */

struct rewind {
    struct recording *recording;
    struct replay *replay;
    double at; /* the moment that is to be shown: rounds made before it */
    float speed;
    bool begun;     /* some moment is there */
    bool seeks;     /* the one that is wanted is not */
    bool jumps;     /* it has nothing to do with the one before */
    bool goes_live; /* the room continues from the end of its film, once that is computed */
    uint32_t stops; /* times that the present tick was stopped because it took too long */
    uint32_t rests; /* turns for which a film without a presenter still stands still */
    /* Of the shown moment. When one differs, the descriptions that members have may be out of date.
     */
    struct past_people people;
    size_t part;
    struct scene_versions versions;
    uint32_t boids;
    struct boid_budget *budget; /* of the room; NULL: none */
    uint32_t counted;           /* boids taken from it: see count_boids() */
};

static double first(const struct rewind *rewind)
{
    return (double)rewind->recording->parts[0].round;
}

static double last(const struct rewind *rewind)
{
    return (double)recording_end(rewind->recording);
}

/* ---- what is shown ---- */

/* After each change of the rewind: lets members see where it is. */
static void show(struct room *room)
{
    const struct rewind *rewind = room->rewind;
    float rate = (float)scene_definition_of(room->present)->tick_rate;

    room->shown = (struct room_shown){.scene = NULL};
    if (rewind == NULL) {
        assert(!room->replays); /* a film has no present */
        return;
    }
    room->shown.past = (struct proto_past){.shown = true,
                                           .span = (float)(last(rewind) - first(rewind)) / rate,
                                           .back = (float)(last(rewind) - rewind->at) / rate,
                                           .speed = rewind->speed};
    room->shown.recording = rewind->recording;
    if (rewind->begun) {
        room->shown.scene = replay_scene(rewind->replay);
        room->shown.clock = replay_clock(rewind->replay);
        room->shown.seeks = rewind->seeks;
        room->shown.people = &rewind->people;
    }
}

/* Everything that members know of the room may be out of date. */
static void renew(struct room *room)
{
    room->versions[VIEW_ROOM]++;
    room->versions[VIEW_PARAMS]++;
    room->epoch_shift += EPOCH_STEP;
    grants_renew(room);
}

/* ---- beginning and ending ---- */

void rewind_destroy(struct rewind *rewind)
{
    if (rewind == NULL) {
        return;
    }
    budget_give(rewind->budget, rewind->counted);
    replay_destroy(rewind->replay);
    recording_destroy(rewind->recording);
    free(rewind);
}

/* NULL, and *error is filled, if there is no past. */
static struct rewind *begin(struct room *room, struct proto_error *error)
{
    struct rewind *rewind = calloc(1, sizeof *rewind);

    if (rewind == NULL) {
        refuse_message(error, PROTO_E_FULL, "", "rewind: out of memory");
        return NULL;
    }
    rewind->budget = room->definition.budget;
    rewind->recording = room_hold_past(room);
    if (rewind->recording == NULL) {
        free(rewind);
        refuse_message(error, PROTO_E_STATE, "",
                       "rewind: the room has no past yet, or flockd records none (--rewind 0)");
        return NULL;
    }
    rewind->replay = replay_create(rewind->recording, room->definition.lanes);
    if (rewind->replay == NULL) {
        rewind_destroy(rewind);
        refuse_message(error, PROTO_E_FULL, "", "rewind: out of memory");
        return NULL;
    }
    history_cut(room->history, room->present);
    return rewind;
}

static void finish(struct room *room)
{
    rewind_destroy(room->rewind);
    room->rewind = NULL;
    room->replays = false;
    show(room);
    room->versions[VIEW_PAST]++;
    renew(room);
}

void rewind_end(struct room *room)
{
    if (room->rewind != NULL && !room->replays) {
        finish(room);
    }
}

/* Wants that moment, which has nothing to do with the one before. */
static void jump(struct room *room, double at)
{
    struct rewind *rewind = room->rewind;

    rewind->at = at;
    rewind->jumps = rewind->seeks = true;
    rewind->goes_live = false;
    rewind->rests = 0;
    rewind->stops = 0;
    replay_seek(rewind->replay, (uint64_t)at);
    show(room);
    room->versions[VIEW_PAST]++;
}

/* The room's past is the film. */
static bool take_film(struct room *room, struct film *film)
{
    struct proto_error error;

    if (room->history == NULL &&
        (room->history =
             history_create(room->definition.rewind, room->definition.history_budget)) == NULL) {
        return false;
    }
    history_begin_with(room->history, film);
    if (!marks_add_all(&room->marks, &film->recording->marks, 0)) {
        return false;
    }
    room->rewind = begin(room, &error);
    room->replays = room->rewind != NULL;
    return room->replays;
}

/* Returns the moment `back` s before the end, or the earliest one. */
static double moment(const struct room *room, float back)
{
    const struct rewind *rewind = room->rewind;

    return fmax(first(rewind),
                last(rewind) -
                    round((double)back * (double)scene_definition_of(room->present)->tick_rate));
}

bool rewind_replay(struct room *room, struct film *film, uint64_t now)
{
    scene_start_at(room->present, film->ticks, recording_end(film->recording), film->last_id);
    room->time = film->clock;
    room->clock_shift = film->clock - now;
    if (!take_film(room, film)) {
        return false;
    }
    room->rewind->speed = 1.0F;
    jump(room, first(room->rewind));
    return true;
}

bool rewind_replay_on(struct room *room, struct film *film)
{
    assert(room_people(room)->here == 0);
    if (!room->replayed || !(fabsf(room->at.speed) <= REWIND_SPEED_MAX) ||
        scene_rounds(room->present) != recording_end(film->recording) || !take_film(room, film)) {
        return false;
    }
    room->rewind->speed = room->at.speed;
    jump(room, moment(room, room->at.back));
    return true;
}

void rewind_live(struct room *room)
{
    struct rewind *rewind = room->rewind;

    assert(rewind != NULL);
    if (!room->replays) {
        finish(room);
        return;
    }
    rewind->speed = 0.0F;
    jump(room, last(rewind));
    rewind->goes_live = true;
}

bool rewind_to(struct room *room, float back, struct proto_error *error)
{
    struct rewind *rewind;

    if (!(back >= 0.0F)) {
        return refuse_message(error, PROTO_E_RANGE, "back",
                              "back: expected 0 or more seconds, got %g", (double)back);
    }
    rewind = room->rewind != NULL ? room->rewind : begin(room, error);
    if (rewind == NULL) {
        return false;
    }
    room->rewind = rewind;
    jump(room, moment(room, back));
    return true;
}

bool rewind_can_play(float speed, struct proto_error *error)
{
    return fabsf(speed) <= REWIND_SPEED_MAX ||
           refuse_message(error, PROTO_E_RANGE, "speed", "speed: expected -%g to %g, got %g",
                          (double)REWIND_SPEED_MAX, (double)REWIND_SPEED_MAX, (double)speed);
}

void rewind_play(struct room *room, float speed)
{
    assert(room->rewind != NULL);
    room->rewind->speed = speed;
    room->rewind->goes_live = false;
    show(room);
    room->versions[VIEW_PAST]++;
}

/* Counts the boids that a film's flock has beyond the present one. Returns false if all rooms
 * together have too few left. Boids of a room's own past were counted when they were made. */
static bool count_boids(struct room *room)
{
    struct rewind *rewind = room->rewind;
    const struct scene *scene = replay_scene(rewind->replay);
    const uint32_t shown = scene != NULL ? flock_count(scene_flock(scene)) : 0;
    const uint32_t present = flock_count(scene_flock(room->present));
    const uint32_t more = room->replays && shown > present ? shown - present : 0;
    uint32_t left;

    if (more > rewind->counted && !budget_take(rewind->budget, more - rewind->counted, &left)) {
        budget_count_refusal(rewind->budget);
        return false;
    }
    if (more < rewind->counted) {
        budget_give(rewind->budget, rewind->counted - more);
    }
    rewind->counted = more;
    return true;
}

static void uncount_boids(struct rewind *rewind)
{
    budget_give(rewind->budget, rewind->counted);
    rewind->counted = 0;
}

/* ---- going on from a moment ---- */

bool rewind_resume(struct room *room, struct proto_error *error)
{
    assert(room->rewind != NULL);
    if (!room->rewind->begun || room->rewind->seeks) {
        return refuse_message(error, PROTO_E_STATE, "",
                              "resume: the moment is still loading; try again in a moment");
    }
    uncount_boids(room->rewind); /* the present takes them over */
    if (!scene_take_over(room->present, replay_give(room->rewind->replay), error)) {
        return false;
    }
    room->changes++;
    finish(room);
    return true;
}

/* Continues a room from the end of its film, whose ticks are known now. The room's clock goes on:
 * its people and news have times of it. If the budget has too few boids, the room stays at the end.
 */
static void go_live(struct room *room)
{
    uint64_t ticks = scene_ticks(replay_scene(room->rewind->replay));
    struct proto_error error;

    room->rewind->goes_live = false;
    if (rewind_resume(room, &error)) {
        scene_start_at(room->present, ticks, scene_rounds(room->present),
                       room_people(room)->last_id);
        apply_world(room);
    } else {
        show(room);
    }
}

/* ---- turns ---- */

/* Between parts there may be moments of which nothing is known. */
static double skip_gap(const struct rewind *rewind, double at)
{
    const struct recording *recording = rewind->recording;
    size_t index = at > 0.0 ? recording_find(recording, (uint64_t)at) : 0;
    const struct recording_part *part = &recording->parts[index];
    double end = (double)(part->round + part->rounds);

    if (at <= end || index + 1 == recording->count) {
        return at;
    }
    return rewind->speed > 0.0F ? (double)part[1].round : end;
}

/* Moves the shown moment by one turn's time. It stops at either end. */
static void move_on(struct room *room)
{
    struct rewind *rewind = room->rewind;
    double at = skip_gap(rewind, rewind->at + (double)rewind->speed);

    if (rewind->speed == 0.0F) {
        return;
    }
    if (at <= first(rewind) || at >= last(rewind)) {
        at = fmin(fmax(at, first(rewind)), last(rewind));
        rewind->speed = 0.0F;
        rewind->rests = REST_TIME * scene_definition_of(room->present)->tick_rate;
        room->versions[VIEW_PAST]++;
    }
    rewind->at = at;
    replay_seek(rewind->replay, (uint64_t)at);
    rewind->seeks = true;
}

/* The moment that was wanted is there. */
static void arrive(struct room *room)
{
    struct rewind *rewind = room->rewind;
    const struct scene *shown = replay_scene(rewind->replay);
    const struct scene_versions versions = scene_versions(shown);
    uint32_t boids = flock_count(scene_flock(shown));

    room->changes += rewind->jumps || rewind->versions.controls != versions.controls;
    if (!rewind->begun || rewind->jumps || rewind->part != replay_part(rewind->replay) ||
        rewind->versions.controls != versions.controls ||
        rewind->versions.params != versions.params || rewind->boids != boids) {
        uint32_t epoch = room->epoch_shift;
        bool jumps = !rewind->begun || rewind->jumps;
        rewind->begun = true;
        show(room);
        renew(room);
        room->epoch_shift = jumps ? room->epoch_shift : epoch;
    }
    if (past_people_update(&rewind->people, shown, rewind->recording)) {
        room->versions[VIEW_PAST]++;
    }
    rewind->seeks = rewind->jumps = false;
    rewind->part = replay_part(rewind->replay);
    rewind->versions = versions;
    rewind->boids = boids;
}

static bool has_presenter(const struct room *room)
{
    const struct person *person;
    uint32_t next = 0;

    while (room_people(room)->presenters > 0 &&
           (person = people_each(room_people(room), &next)) != NULL) {
        if (person->role == PROTO_PRESENTER) {
            return true;
        }
    }
    return false;
}

/* Plays a film without a presenter, again and again. */
static void play_alone(struct room *room)
{
    struct rewind *rewind = room->rewind;

    if (rewind->goes_live || first(rewind) == last(rewind)) {
        return;
    }
    if (rewind->rests > 0) {
        rewind->rests--;
        return;
    }
    if (rewind->at >= last(rewind)) {
        jump(room, first(rewind));
    }
    if (rewind->speed != 1.0F) {
        rewind->speed = 1.0F;
        room->versions[VIEW_PAST]++;
    }
}

/* Gives up a moment that the replay cannot reach, and sends presenters an event. A film stops at
 * its beginning, from where presenters may choose another moment. */
static void give_up(struct room *room)
{
    struct rewind *rewind = room->rewind;

    tell_presenters_event(room, "past-failed", "", room->replays ? "beginning" : "present");
    if (!room->replays) {
        finish(room);
        return;
    }
    rewind->begun = false;
    rewind->people.count = 0; /* so that members get them again */
    rewind->speed = 0.0F;
    jump(room, first(rewind));
    rewind->rests = FAIL_TIME * scene_definition_of(room->present)->tick_rate;
}

/* Returns whether the replay has failed. A stopped tick is repeated up to STOPS_MAX times in a row,
 * unless it took the room's whole limit. last: ns that the last step took. */
static bool has_failed(struct room *room, enum replay_result result, uint64_t last)
{
    struct rewind *rewind = room->rewind;

    rewind->stops = result == REPLAY_STOPPED ? rewind->stops + 1 : 0;
    return result == REPLAY_FAILED || rewind->stops == STOPS_MAX ||
           (rewind->stops > 0 && last / 1000 >= room->definition.tick_limit) || !count_boids(room);
}

/* Does up to work_max of the way to the wanted moment, for up to time_max ns. */
static void work_on(struct room *room, struct room_workspace *workspace, uint64_t work_max,
                    uint64_t time_max)
{
    struct rewind *rewind = room->rewind;
    enum replay_result result = REPLAY_MORE;
    uint64_t before = replay_work(rewind->replay);
    uint64_t time = 0;
    uint64_t last = 0;

    while (rewind->seeks && result == REPLAY_MORE && time < time_max &&
           replay_work(rewind->replay) - before < work_max) {
        flock_workspace_limit_again(workspace->engine);
        result = replay_step(rewind->replay, workspace->engine);
        last = flock_workspace_spent(workspace->engine);
        time += last;
    }
    if (has_failed(room, result, last)) {
        give_up(room);
        return;
    }
    if (result == REPLAY_THERE) {
        arrive(room);
    }
    if (result == REPLAY_THERE && rewind->goes_live) {
        go_live(room);
        return;
    }
    show(room);
}

void rewind_turn(struct room *room, struct room_workspace *workspace)
{
    struct rewind *rewind = room->rewind;

    room->rewound++;
    if (!has_presenter(room)) {
        if (!room->replays) {
            finish(room);
            return;
        }
        play_alone(room);
    }
    if (!rewind->seeks) {
        move_on(room);
    }
    if (rewind->speed != 0.0F &&
        room->rewound % scene_definition_of(room->present)->tick_rate == 0) {
        room->versions[VIEW_PAST]++; /* for members who joined after the last `past` message */
    }
    work_on(room, workspace, WORK_TURN, TIME_TURN);
}

bool rewind_seek(struct room *room, struct room_workspace *workspace)
{
    if (room->rewind != NULL && room->rewind->seeks) {
        work_on(room, workspace, WORK_SEEK, TIME_SEEK);
    }
    return room->rewind != NULL && room->rewind->seeks;
}
