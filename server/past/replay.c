#include "past/replay.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "past/history.h"
#include "past/keyframes.h"
#include "scene/scene_state.h"

#define NEAR     16u                 /* rounds that are made rather than a keyframe loaded */
#define TIME_MAX ((uint64_t)1 << 53) /* µs: PROTOCOL.md promises clients less */
#define IDS_MAX  (UINT32_MAX / 2)

/* The cost of a step, in units of a boid's tick: about 0.1 µs. */
#define WORK_INPUT   20u
#define WORK_MESSAGE 100u   /* and the flock's boids */
#define WORK_STEP    20000u /* beside the tick, at most */
#define WORK_BYTES   10u    /* of a checkpoint that are loaded in that time */

#define TIME_STEP 500000u /* ns: of a step's inputs, if ticks have a limit */

struct replay {
    const struct recording *recording;
    struct scene_definition definition;
    struct proto_decoder *decoder;
    struct scene *scene; /* NULL: no checkpoint is loaded */
    size_t part;         /* that the scene is in */
    struct input_reader reader;
    bool between; /* some of the inputs before the next round are done */
    bool aimed;   /* all of that round is done but the flock's move, to these targets */
    size_t target_count;
    struct flock_target targets[FLOCK_TARGETS_MAX];
    uint64_t wanted; /* rounds */
    uint64_t work;   /* see replay_work() */
    char problem[REPLAY_PROBLEM_MAX];
};

/* ---- life ---- */

struct replay *replay_create(const struct recording *recording, uint32_t lanes)
{
    struct replay *replay = calloc(1, sizeof *replay);

    assert(recording->count > 0);
    if (replay == NULL) {
        return NULL;
    }
    replay->recording = recording;
    replay->definition = (struct scene_definition){.lanes = lanes,
                                                   .tick_rate = recording->tick_rate,
                                                   .boids_max = recording->boids_max,
                                                   .people_max = recording->people_max};
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
        scene_destroy(replay->scene);
        proto_decoder_destroy(replay->decoder);
        free(replay);
    }
}

const struct scene *replay_scene(const struct replay *replay)
{
    return replay->scene;
}

struct scene *replay_give(struct replay *replay)
{
    return replay->scene;
}

uint64_t replay_clock(const struct replay *replay)
{
    return replay->reader.clock.tick;
}

uint64_t replay_work(const struct replay *replay)
{
    return replay->work;
}

uint64_t replay_round(const struct replay *replay)
{
    return replay->scene != NULL ? scene_rounds(replay->scene) : replay->wanted;
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
    const struct flock_model *model = flock_settings_of(scene_flock(replay->scene))->model;
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

/* Whether the scene is at the moment that the index says of the part's own checkpoint. */
static bool is_as_indexed(const struct replay *replay, uint64_t clock)
{
    const struct recording_part *part = &replay->recording->parts[replay->part];

    return clock == part->clock && scene_rounds(replay->scene) == part->round &&
           scene_ticks(replay->scene) == part->tick &&
           scene_definition_of(replay->scene)->tick_rate == replay->recording->tick_rate;
}

/* Loads a checkpoint of that part. */
static bool load(struct replay *replay, size_t index, const struct checkpoint *from)
{
    const struct recording_part *part = &replay->recording->parts[index];
    char what[REPLAY_PROBLEM_MAX - 32];
    uint64_t clock;

    replay->part = index;
    scene_destroy(replay->scene);
    replay->between = replay->aimed = false;
    replay->work += from->size / WORK_BYTES;
    replay->scene =
        scene_load(&replay->definition, from->state, from->size, &clock, what, sizeof what);
    if (replay->scene == NULL) {
        return fail(replay, "%s", what);
    }
    if (from->state == part->state && !is_as_indexed(replay, clock)) {
        return fail(replay, "its checkpoint is of another moment than its index entry");
    }
    scene_set_versions(replay->scene,
                       (struct scene_versions){.controls = from->controls, .params = from->params});
    replay->reader = (struct input_reader){.clock = from->clock,
                                           .at = part->inputs + from->at,
                                           .end = part->inputs + part->input_size};
    return same_model(replay);
}

/* Loads the part's own checkpoint. */
static bool load_part(struct replay *replay, size_t index)
{
    const struct checkpoint first =
        recording_checkpoint(replay->recording, index, replay->recording->parts[index].round);

    return load(replay, index, &first);
}

bool replay_note(const struct replay *replay, struct keyframes *keyframes)
{
    const struct recording_part *part = &replay->recording->parts[replay->part];
    struct checkpoint keyframe = {.round = scene_rounds(replay->scene),
                                  .at = (size_t)(replay->reader.at - part->inputs),
                                  .clock = replay->reader.clock,
                                  .controls = scene_versions(replay->scene).controls,
                                  .params = scene_versions(replay->scene).params};

    return keyframe.round == part->round || /* there is a checkpoint */
           keyframes_add_scene(keyframes, &keyframe, replay->scene, keyframe.clock.tick);
}

/* ---- inputs ---- */

/* Reads the message of an input that has one. */
static bool read_message(struct replay *replay, struct input *input,
                         struct proto_client_message *message)
{
    struct proto_error error;

    if (input->type != INPUT_MESSAGE) {
        return true;
    }
    if (proto_decode_client(replay->decoder, input->bytes, input->bytes_size, message, &error) !=
        PROTO_OK) {
        return fail(replay, "a presenter's message failed: %s", error.message);
    }
    input->message = message;
    return proto_has(message->type, PROTO_REPEATABLE) ||
           fail(replay, "a presenter's message of a type that no recording contains");
}

/* Fills in the position of an input that moves a cursor. */
static void locate(const struct replay *replay, struct input *input)
{
    const struct people *people = scene_people(replay->scene);
    struct cursor from = {.present = false};

    if (input->slot < people->used && people->slots[input->slot].cursor.present) {
        from = people->slots[input->slot].cursor;
    }
    input->x = input_changed(from.x, input->dx);
    input->y = input_changed(from.y, input->dy);
}

/* Applies an input that is no tick. *message: for the input's message. */
static bool apply_with(struct replay *replay, struct input *input,
                       struct proto_client_message *message)
{
    struct proto_error error;
    struct change change;

    if (!read_message(replay, input, message)) {
        return false;
    }
    if (input->type == INPUT_CURSOR || input->type == INPUT_MOVE) {
        locate(replay, input);
    }
    if (!scene_apply(replay->scene, input, &change, &error)) {
        return input->type == INPUT_MESSAGE
                   ? fail(replay, "a presenter's message failed: %s", error.message)
                   : fail(replay, "%s", error.message);
    }
    return input->type != INPUT_MESSAGE || same_model(replay);
}

static bool apply(struct replay *replay, struct input *input)
{
    struct proto_client_message message;
    bool applied = apply_with(replay, input, &message);

    input->message = NULL;
    return applied;
}

static enum replay_result move(struct replay *replay, struct flock_workspace *workspace)
{
    switch (scene_move(replay->scene, workspace, replay->targets, replay->target_count)) {
    case SCENE_TICK_NO_MEMORY:
        (void)fail(replay, "out of memory");
        return REPLAY_FAILED;
    case SCENE_TICK_GIVEN_UP:
        (void)fail(replay, "a tick took too long and was stopped");
        return REPLAY_STOPPED;
    default:
        replay->aimed = false;
        return REPLAY_MORE;
    }
}

static enum replay_result tick(struct replay *replay, const struct input *input,
                               struct flock_workspace *workspace)
{
    if (input->type == INPUT_STILL) {
        scene_tick_still(replay->scene, input->time);
        return REPLAY_MORE;
    }
    replay->target_count = scene_aim(replay->scene, input->time, replay->targets);
    replay->aimed = true;
    return move(replay, workspace);
}

static uint32_t work_of(const struct replay *replay, const struct input *input)
{
    return input->type == INPUT_MESSAGE ? WORK_MESSAGE + flock_count(scene_flock(replay->scene))
                                        : WORK_INPUT;
}

/* Applies inputs up to the next round and makes the round, or moves the flock of a round that was
 * stopped. Stops earlier after WORK_STEP of work, or TIME_STEP. */
static enum replay_result advance(struct replay *replay, struct flock_workspace *workspace)
{
    struct input input;
    uint32_t work = 0;

    if (replay->aimed) {
        replay->work += flock_count(scene_flock(replay->scene));
        return move(replay, workspace);
    }
    do {
        switch (input_next(&replay->reader, &input)) {
        case INPUT_READ:
            break;
        case INPUT_END:
            (void)fail(replay, "it has fewer rounds than the index says");
            return REPLAY_FAILED;
        case INPUT_MALFORMED:
            (void)fail(replay, "an input is malformed");
            return REPLAY_FAILED;
        }
        if (input.type == INPUT_TICK || input.type == INPUT_STILL) {
            replay->between = false;
            replay->work += work + flock_count(scene_flock(replay->scene));
            return tick(replay, &input, workspace);
        }
        work += work_of(replay, &input);
        replay->between = true;
        if (!apply(replay, &input)) {
            return REPLAY_FAILED;
        }
    } while (work < WORK_STEP && flock_workspace_spent(workspace) < TIME_STEP);
    replay->work += work;
    return REPLAY_MORE;
}

/* Handles the inputs after the last round of the part. */
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
    scene_destroy(replay->scene);
    replay->scene = NULL;
    return REPLAY_FAILED;
}

/* Whether the room is in that part, and at the moment that is wanted or before it. */
static bool is_behind(const struct replay *replay, size_t part)
{
    return replay->scene != NULL && replay->part == part &&
           (scene_rounds(replay->scene) < replay->wanted ||
            (scene_rounds(replay->scene) == replay->wanted && !replay->between));
}

/* The same, and not far before it. */
static bool is_near(const struct replay *replay, size_t part)
{
    return is_behind(replay, part) && replay->wanted - scene_rounds(replay->scene) <= NEAR;
}

/* Loads the last checkpoint before the wanted moment, which is in that part. Loads nothing, and
 * *loaded is false, if the scene is on its way from there, or near. */
static bool approach(struct replay *replay, size_t index, bool *loaded)
{
    const struct checkpoint from = recording_checkpoint(replay->recording, index, replay->wanted);

    *loaded = !is_behind(replay, index) ||
              (!is_near(replay, index) && scene_rounds(replay->scene) < from.round);
    return !*loaded || load(replay, index, &from);
}

enum replay_result replay_step(struct replay *replay, struct flock_workspace *workspace)
{
    size_t index = recording_find(replay->recording, replay->wanted);
    enum replay_result result;
    bool loaded;

    if (index > 0 && replay->recording->parts[index].round == replay->wanted &&
        replay->recording->parts[index].follows && is_near(replay, index - 1)) {
        index--; /* on the way, the end of a part is as good as the beginning of the next */
    }
    if (!approach(replay, index, &loaded)) {
        return failed(replay);
    }
    if (!loaded && (replay->aimed || scene_rounds(replay->scene) < replay->wanted)) {
        result = advance(replay, workspace);
        if (result != REPLAY_MORE) {
            return result == REPLAY_FAILED ? failed(replay) : result;
        }
    }
    return scene_rounds(replay->scene) == replay->wanted ? REPLAY_THERE : REPLAY_MORE;
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
    if (!load_part(replay, index)) {
        return false;
    }
    while (replay->reader.clock.time < TIME_MAX &&
           (result = input_next(&replay->reader, &input)) == INPUT_READ) {
        rounds += input.type == INPUT_TICK || input.type == INPUT_STILL;
        scan->ticks += input.type == INPUT_TICK;
        scan->joins += input.type == INPUT_JOIN;
        if (input.group > PEOPLE_GROUP_MAX) {
            return fail(replay, "a person joined with group %u, expected 0 to %u", input.group,
                        PEOPLE_GROUP_MAX);
        }
    }
    scan->clock = replay->reader.clock.time;
    if (scan->clock >= TIME_MAX) {
        return fail(replay, "its clock is out of range");
    }
    if (result == INPUT_MALFORMED) {
        return fail(replay, "an input is malformed");
    }
    if (scan->joins > IDS_MAX || scene_people(replay->scene)->last_id > IDS_MAX - scan->joins) {
        return fail(replay, "it has more people than a room can have");
    }
    return rounds == part->rounds ||
           fail(replay, "it has %" PRIu64 " rounds, the index says %u", rounds, part->rounds);
}

bool replay_verify(struct replay *replay, struct flock_workspace *workspace, size_t index)
{
    const struct recording *recording = replay->recording;
    const struct recording_part *part = &recording->parts[index];
    uint64_t hash;

    if (!load_part(replay, index)) {
        return false;
    }
    while (scene_rounds(replay->scene) < end_of(part)) {
        if (advance(replay, workspace) != REPLAY_MORE) {
            return false;
        }
    }
    if (!finish_part(replay)) {
        return false;
    }
    hash = scene_hash(replay->scene);
    if (index + 1 == recording->count || !part[1].follows) {
        return true;
    }
    return load_part(replay, index + 1) &&
           (scene_hash(replay->scene) == hash ||
            fail(replay, "its first checkpoint differs from the end of the part before it"));
}
