#include "past/replay.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "past/history.h"
#include "past/keyframes.h"
#include "room/members.h"
#include "room/room_state.h"
#include "room/state.h"
#include "room/workspace.h"
#include "scene/inputs.h"
#include "scene/saved.h"

#define NEAR     16u                 /* rounds that are made rather than a keyframe loaded */
#define TIME_MAX ((uint64_t)1 << 53) /* µs: PROTOCOL.md promises clients less */
#define HERE_MAX 131072u             /* people at a time: more than --max-clients may be */
#define IDS_MAX  (UINT32_MAX / 2)

/* What a step takes, in the time that a boid takes for a tick: some 0.1 µs. */
#define WORK_INPUT   20u
#define WORK_MESSAGE 100u   /* and the flock's boids */
#define WORK_STEP    20000u /* beside the tick, at most */
#define WORK_BYTES   10u    /* of a checkpoint that are loaded in that time */

struct replay {
    const struct recording *recording;
    struct room_definition definition;
    struct proto_decoder *decoder;
    struct room *room; /* NULL: no checkpoint is loaded */
    size_t part;       /* that the room is in */
    struct input_reader reader;
    bool between;    /* some of the inputs before the next round are done */
    uint64_t wanted; /* rounds */
    uint64_t work;   /* see replay_work() */
    char problem[REPLAY_PROBLEM_MAX];
};

/* ---- what the room says: nobody listens ---- */

static void on_tell(void *argument, room_member member, struct frame *frame,
                    const struct room_grant *grant)
{
    (void)argument;
    (void)member;
    (void)grant;
    frame_release(frame);
}

static void on_close(void *argument, room_member member, const struct room_end *end)
{
    (void)argument;
    (void)member;
    frame_release(end->frame);
}

static const struct room_sink nobody = {.tell = on_tell, .close = on_close};

/* ---- life ---- */

struct replay *replay_create(const struct recording *recording, uint32_t lanes)
{
    struct replay *replay = calloc(1, sizeof *replay);

    if (replay == NULL) {
        return NULL;
    }
    replay->recording = recording;
    replay->definition = room_definition_default();
    replay->definition.tick_rate = recording->tick_rate;
    replay->definition.snapshot_rate = recording->tick_rate;
    replay->definition.boids_max = recording->boids_max;
    replay->definition.flock.lanes = lanes;
    replay->definition.flock.boids = 1;
    replay->decoder = proto_decoder_create();
    replay->wanted = recording->parts[0].round;
    if (replay->decoder == NULL) {
        free(replay);
        return NULL;
    }
    return replay;
}

void replay_destroy(struct replay *replay)
{
    if (replay != NULL) {
        room_destroy(replay->room);
        proto_decoder_destroy(replay->decoder);
        free(replay);
    }
}

const struct room *replay_room(const struct replay *replay)
{
    return replay->room;
}

const struct flock *replay_flock(const struct replay *replay)
{
    return replay->room->flock;
}

uint64_t replay_tick(const struct replay *replay)
{
    return replay->room->ticks;
}

uint64_t replay_clock(const struct replay *replay)
{
    return replay->reader.clock.tick;
}

void replay_give(struct replay *replay, struct room *room)
{
    struct room *from = replay->room;
    struct flock *flock = room->flock;

    room->flock = from->flock;
    from->flock = flock; /* goes with the replay */
    presets_follow(room, from);
    room->boids = from->boids;
    room->quantum = from->quantum;
    room->definition.policy = from->definition.policy;
    room->definition.idle = from->definition.idle;
    room->paused = from->paused;
    room->steps = 0;
    room->cursors_scare = from->cursors_scare;
    room->viewers_watch = from->viewers_watch;
    room->has_target = from->has_target;
    room->target = from->target;
}

uint64_t replay_work(const struct replay *replay)
{
    return replay->work;
}

uint64_t replay_round(const struct replay *replay)
{
    return replay->room != NULL ? replay->room->rounds : replay->wanted;
}

size_t replay_part(const struct replay *replay)
{
    return replay->part;
}

const char *replay_problem(const struct replay *replay)
{
    return replay->problem;
}

__attribute__((format(printf, 2, 3))) static bool fail(struct replay *replay, const char *format,
                                                       ...)
{
    size_t length =
        (size_t)snprintf(replay->problem, sizeof replay->problem, "part %zu: ", replay->part + 1);
    va_list list;

    va_start(list, format);
    vsnprintf(replay->problem + length, sizeof replay->problem - length, format, list);
    va_end(list);
    return false;
}

/* ---- checkpoints ---- */

/* Whether this build moves a flock of that model as the one that recorded it. */
static bool same_model(struct replay *replay)
{
    const struct flock_model *model = flock_definition_of(replay->room->flock)->model;
    size_t i = 0;

    while (flock_models[i] != model) {
        i++;
    }
    if (replay->recording->models[i] == model->version) {
        return true;
    }
    return fail(
        replay, "recorded with version %u of the model %s, by flockd %s; this is version %u of it",
        replay->recording->models[i], model->name, replay->recording->version, model->version);
}

static bool load_state(struct replay *replay, const uint8_t *state, size_t size, uint64_t clock)
{
    char what[REPLAY_PROBLEM_MAX - 32];

    room_destroy(replay->room);
    replay->between = false;
    replay->work += size / WORK_BYTES;
    replay->room = room_load(&replay->definition, &nobody, state, size, clock, what, sizeof what);
    if (replay->room == NULL) {
        return fail(replay, "%s", what);
    }
    replay->room->people.here_max = HERE_MAX;
    return true;
}

static bool load(struct replay *replay, size_t index)
{
    const struct recording_part *part = &replay->recording->parts[index];

    replay->part = index;
    if (!load_state(replay, part->state, part->state_size, part->clock)) {
        return false;
    }
    if (replay->room->clock_shift != 0 || replay->room->rounds != part->round ||
        replay->room->ticks != part->tick ||
        replay->room->definition.tick_rate != replay->recording->tick_rate) {
        return fail(replay, "its checkpoint is not of the moment that the index says");
    }
    replay->reader = (struct input_reader){
        .clock = input_clock_at(part->clock, replay->recording->tick_rate),
        .at = part->inputs,
        .end = part->inputs + part->input_size,
    };
    return same_model(replay);
}

/* It is of that part. */
static bool load_keyframe(struct replay *replay, size_t index, const struct keyframe *keyframe)
{
    const struct recording_part *part = &replay->recording->parts[index];

    replay->part = index;
    if (!load_state(replay, keyframe->state, keyframe->size, keyframe->clock.tick)) {
        return false;
    }
    replay->room->versions[VIEW_ROOM] = keyframe->room_version;
    replay->room->versions[VIEW_PARAMS] = keyframe->params_version;
    replay->reader = (struct input_reader){.clock = keyframe->clock,
                                           .at = part->inputs + keyframe->at,
                                           .end = part->inputs + part->input_size};
    return true;
}

bool replay_note(const struct replay *replay, struct keyframes *keyframes)
{
    const struct recording_part *part = &replay->recording->parts[replay->part];
    struct keyframe keyframe = {.round = replay->room->rounds,
                                .at = (size_t)(replay->reader.at - part->inputs),
                                .clock = replay->reader.clock,
                                .room_version = replay->room->versions[VIEW_ROOM],
                                .params_version = replay->room->versions[VIEW_PARAMS]};

    return keyframe.round == part->round || /* there is a checkpoint */
           keyframes_add_room(keyframes, &keyframe, replay->room, keyframe.clock.tick);
}

/* ---- inputs ---- */

/* Whoever is in that slot and is here, or NULL. */
static struct person *who(struct replay *replay, const struct input *input)
{
    struct people *people = &replay->room->people;

    if (input->slot >= people->used || people->slots[input->slot].member == 0) {
        return NULL;
    }
    return &people->slots[input->slot];
}

static bool moves(struct replay *replay, const struct input *input)
{
    struct room *room = replay->room;
    struct person *person = who(replay, input);
    float x;
    float y;

    if (person == NULL) {
        return fail(replay, "a cursor of nobody");
    }
    x = input_changed(person->cursor.present ? person->cursor.x : 0.0F, input->dx);
    y = input_changed(person->cursor.present ? person->cursor.y : 0.0F, input->dy);
    if (!(fabsf(x) <= FLOCK_FAR) || !(fabsf(y) <= FLOCK_FAR)) {
        return fail(replay, "a cursor beyond the world");
    }
    if (input->type == INPUT_MOVE) {
        people_move(&room->people, input->slot, x, y, input->time, room->definition.cursor_timeout);
    } else {
        person->cursor = (struct cursor){.present = true, .x = x, .y = y, .moved_at = input->time};
    }
    return true;
}

static bool joins(struct replay *replay, const struct input *input)
{
    struct people *people = &replay->room->people;
    uint32_t slot = input->slot;

    if (people_admit(people, input->time, &slot) != PEOPLE_OK) {
        return fail(replay, "somebody could not join");
    }
    people_appoint(people, slot, input->role);
    return true;
}

static bool leaves(struct replay *replay, const struct input *input)
{
    if (who(replay, input) == NULL) {
        return fail(replay, "somebody leaves who is not there");
    }
    people_leave(&replay->room->people, input->slot, input->expelled, input->time);
    return true;
}

static bool is_appointed(struct replay *replay, const struct input *input)
{
    struct people *people = &replay->room->people;

    if (input->slot >= people->used || people->slots[input->slot].id == 0) {
        return fail(replay, "a role of nobody");
    }
    people_appoint(people, input->slot, input->role);
    return true;
}

static bool says(struct replay *replay, const struct input *input)
{
    struct proto_client_message message;
    struct proto_error error;

    if (proto_decode_client(replay->decoder, input->message, input->message_size, &message,
                            &error) != PROTO_OK ||
        !room_repeat(replay->room, &message, input->time, &error)) {
        return fail(replay, "a presenter's message could not be done: %s", error.message);
    }
    return same_model(replay);
}

/* Does what is no tick. */
static bool apply(struct replay *replay, const struct input *input)
{
    switch (input->type) {
    case INPUT_CURSOR:
    case INPUT_MOVE:
        return moves(replay, input);
    case INPUT_AWAY:
        if (who(replay, input) != NULL) {
            people_withdraw(&replay->room->people, input->slot);
        }
        return true;
    case INPUT_JOIN:
        return joins(replay, input);
    case INPUT_LEAVE:
        return leaves(replay, input);
    case INPUT_ROLE:
        return is_appointed(replay, input);
    case INPUT_DEMOTE:
        people_demote_away(&replay->room->people);
        return true;
    case INPUT_PAUSE:
        replay->room->paused = true;
        replay->room->steps = 0;
        return true;
    case INPUT_MESSAGE:
        return says(replay, input);
    default:
        return fail(replay, "an input that there is not");
    }
}

static bool tick(struct replay *replay, const struct input *input, struct room_workspace *workspace)
{
    struct room *room = replay->room;

    if (!flock_workspace_reserve(workspace->engine, flock_count(room->flock))) {
        return fail(replay, "out of memory");
    }
    if (input->type == INPUT_STILL) {
        room_tick_still(room, input->time);
        return true;
    }
    return room_tick(room, workspace, input->time) || fail(replay, "a tick was given up");
}

static uint32_t work_of(const struct replay *replay, const struct input *input)
{
    return input->type == INPUT_MESSAGE ? WORK_MESSAGE + flock_count(replay->room->flock)
                                        : WORK_INPUT;
}

/* Makes the next round, with what came before it; or so much of that as is done at a time. */
static bool advance(struct replay *replay, struct room_workspace *workspace)
{
    struct input input;
    uint32_t work = 0;

    while (work < WORK_STEP) {
        switch (input_next(&replay->reader, &input)) {
        case INPUT_READ:
            break;
        case INPUT_END:
            return fail(replay, "it has fewer rounds than the index says");
        case INPUT_MALFORMED:
            return fail(replay, "an input is malformed");
        }
        if (input.type == INPUT_TICK || input.type == INPUT_STILL) {
            replay->between = false;
            replay->work += work + flock_count(replay->room->flock);
            return tick(replay, &input, workspace);
        }
        work += work_of(replay, &input);
        replay->between = true;
        if (!apply(replay, &input)) {
            return false;
        }
    }
    replay->work += work;
    return true;
}

/* What came after the last round of the part. */
static bool finish_part(struct replay *replay)
{
    struct input input;

    for (;;) {
        switch (input_next(&replay->reader, &input)) {
        case INPUT_READ:
            break;
        case INPUT_END:
            return true;
        case INPUT_MALFORMED:
            return fail(replay, "an input is malformed");
        }
        if (input.type == INPUT_TICK || input.type == INPUT_STILL) {
            return fail(replay, "it has more rounds than the index says");
        }
        if (!apply(replay, &input)) {
            return false;
        }
    }
}

/* ---- seeking ---- */

static uint64_t end_of(const struct recording_part *part)
{
    return part->round + part->rounds;
}

void replay_seek(struct replay *replay, uint64_t round)
{
    const struct recording *recording = replay->recording;
    const struct recording_part *part = &recording->parts[recording_find(recording, round)];
    uint64_t end = end_of(part);

    round = round < part->round ? part->round : round;
    replay->wanted = round < end ? round : end;
}

static enum replay_result failed(struct replay *replay)
{
    room_destroy(replay->room);
    replay->room = NULL;
    return REPLAY_FAILED;
}

/* Whether the room is in that part, and at the moment that is wanted or before it. */
static bool is_behind(const struct replay *replay, size_t part)
{
    return replay->room != NULL && replay->part == part &&
           (replay->room->rounds < replay->wanted ||
            (replay->room->rounds == replay->wanted && !replay->between));
}

/* The same, and not far before it. */
static bool is_near(const struct replay *replay, size_t part)
{
    return is_behind(replay, part) && replay->wanted - replay->room->rounds <= NEAR;
}

/* Loads what is nearest before the moment that is wanted, which is in that part, unless the room is
 * as near: then *loaded is false. */
static bool approach(struct replay *replay, size_t index, bool *loaded)
{
    const struct recording_part *part = &replay->recording->parts[index];
    const struct keyframe *keyframe =
        part->keyframes != NULL ? keyframes_find(part->keyframes, part->round, replay->wanted)
                                : NULL;
    bool behind = is_behind(replay, index);

    *loaded = true;
    if (keyframe != NULL && !is_near(replay, index) &&
        !(behind && replay->room->rounds >= keyframe->round)) {
        return load_keyframe(replay, index, keyframe);
    }
    if (!behind) {
        return load(replay, index);
    }
    *loaded = false;
    return true;
}

enum replay_result replay_step(struct replay *replay, struct room_workspace *workspace)
{
    size_t index = recording_find(replay->recording, replay->wanted);
    bool loaded;

    if (index > 0 && replay->recording->parts[index].round == replay->wanted &&
        replay->recording->parts[index].follows && is_near(replay, index - 1)) {
        index--; /* on the way, the end of a part is as good as the beginning of the next */
    }
    if (!approach(replay, index, &loaded)) {
        return failed(replay);
    }
    if (!loaded && replay->room->rounds < replay->wanted && !advance(replay, workspace)) {
        return failed(replay);
    }
    return replay->room->rounds == replay->wanted ? REPLAY_THERE : REPLAY_MORE;
}

bool replay_check(struct replay *replay, size_t index, struct replay_scan *scan)
{
    const struct recording_part *part = &replay->recording->parts[index];
    enum input_result result = INPUT_END;
    struct input input;
    uint64_t rounds = 0;

    *scan = (struct replay_scan){0};
    replay->part = index;
    if (part->state_size > HISTORY_STATE_MAX) {
        return fail(replay, "its checkpoint has more than %u bytes", HISTORY_STATE_MAX);
    }
    if (!load(replay, index)) {
        return false;
    }
    while (replay->reader.clock.time < TIME_MAX &&
           (result = input_next(&replay->reader, &input)) == INPUT_READ) {
        rounds += input.type == INPUT_TICK || input.type == INPUT_STILL;
        scan->ticks += input.type == INPUT_TICK;
        scan->joins += input.type == INPUT_JOIN;
    }
    scan->clock = replay->reader.clock.time;
    if (scan->clock >= TIME_MAX) {
        return fail(replay, "its clock is out of range");
    }
    if (result == INPUT_MALFORMED) {
        return fail(replay, "an input is malformed");
    }
    if (scan->joins > IDS_MAX || replay->room->people.last_id > IDS_MAX - scan->joins) {
        return fail(replay, "more people were in it than there can be");
    }
    return rounds == part->rounds ||
           fail(replay, "it has %" PRIu64 " rounds, the index says %u", rounds, part->rounds);
}

bool replay_verify(struct replay *replay, struct room_workspace *workspace, size_t index)
{
    const struct recording *recording = replay->recording;
    const struct recording_part *part = &recording->parts[index];
    uint64_t hash;

    if (!load(replay, index)) {
        return false;
    }
    while (replay->room->rounds < end_of(part)) {
        if (!advance(replay, workspace)) {
            return false;
        }
    }
    if (!finish_part(replay)) {
        return false;
    }
    hash = room_hash(replay->room);
    if (index + 1 == recording->count || !part[1].follows) {
        return true;
    }
    return load(replay, index + 1) &&
           (room_hash(replay->room) == hash ||
            fail(replay, "it does not begin with what the part before it ends with"));
}
