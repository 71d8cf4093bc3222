#include "past/history.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "past/earlier_past.h"
#include "past/film.h"
#include "past/history_budget.h"
#include "past/history_parts.h"
#include "past/keyframes.h"
#include "scene/scene_state.h"

/* Of a part of the history. */
#define PART_INPUTS_FIRST  256u        /* bytes reserved for the inputs of a new part */
#define PART_INPUTS        (64u << 10) /* bytes of inputs after which the next part may begin, … */
#define PART_INPUTS_MAX    (1u << 20)  /* … and must begin */
#define PART_SECONDS_MIN   2u
#define PART_SECONDS_MAX   30u /* unless checkpoints would take too many bytes */
#define PART_KEYFRAMES_MAX 256u

/* Where parts are longer, because checkpoints would take too many bytes, keyframes are kept between
 * them. No file has them, so they may take more: see history_budget_keyframes(). */

/* ---- parts ---- */

/* There must be one. */
static struct part *last_part(const struct history *history)
{
    struct part *part = part_of(history->parts.last);

    assert(part != NULL);
    return part;
}

static size_t part_bytes(const struct part *part)
{
    return sizeof *part + (part->state != NULL ? part->part.state_size : 0) + part->capacity;
}

void history_part_release(struct part *part)
{
    while (part != NULL && atomic_fetch_sub(&part->holders, 1) == 1) {
        struct part *state_of = part->state_of;
        if (part->lent) {
            history_budget_return(part->budget, part_bytes(part));
        } else {
            history_budget_give(part->budget, part_bytes(part));
        }
        keyframes_release(part->keyframes);
        history_budget_release(part->budget);
        free(part->state);
        free(part->inputs);
        free(part);
        part = state_of;
    }
}

void history_part_lend(struct part *part)
{
    assert(!part->lent);
    part->lent = true;
    history_budget_lend(part->budget, part_bytes(part));
}

/* The film is older than all parts, and goes as a whole. */
static void drop_first(struct history *history)
{
    struct part *part = part_of(history->parts.first);

    if (history->film != NULL) {
        film_release(history->film);
        history->film = NULL;
        return;
    }
    assert(part != NULL && history->bytes >= part_bytes(part));
    list_remove(&history->parts, &part->item);
    history->open = history->open && history->parts.first != NULL;
    history->bytes -= part_bytes(part);
    history_part_release(part);
    assert(history->parts.first != &part->item);
}

/* Whether there is something before the last part. */
static bool has_older(const struct history *history)
{
    return history->film != NULL || history->parts.first != history->parts.last;
}

/* Whether dropping the oldest part gives memory back: a download may still read it. */
static bool can_give_up(const struct history *history)
{
    const struct part *part = part_of(history->parts.first);

    return has_older(history) && (history->film != NULL || atomic_load(&part->holders) == 1);
}

/* Takes bytes from the budget; drops the oldest parts of this history until they fit. Returns false
 * if they do not fit: while a download reads the oldest part, the past does not grow then. */
static bool reserve(struct history *history, size_t bytes)
{
    while (!history_budget_take(history->budget, bytes)) {
        if (!can_give_up(history)) {
            return false;
        }
        drop_first(history);
    }
    history->bytes += bytes;
    return true;
}

static void unreserve(struct history *history, size_t bytes)
{
    assert(history->bytes >= bytes);
    history_budget_give(history->budget, bytes);
    history->bytes -= bytes;
}

/* Returns the rounds that the history reaches back, at most. */
static uint64_t rounds_max(const struct history *history, const struct scene *scene)
{
    return history->length * scene_definition_of(scene)->tick_rate / 1000000;
}

/* The parts that are not needed to go back for as long as it may, or take more bytes than it may
 * have. */
static void drop_old(struct history *history, const struct scene *scene)
{
    while (has_older(history)) {
        const struct list_item *oldest = history->parts.first;
        assert(oldest != NULL);
        const struct part *second = part_of(history->film != NULL ? oldest : oldest->next);
        if (second->part.round + rounds_max(history, scene) > scene_rounds(scene) &&
            history->bytes <= HISTORY_BYTES_MAX) {
            return;
        }
        drop_first(history);
    }
}

/* Memory for that many bytes of inputs of the last part. */
static bool resize_inputs(struct history *history, size_t capacity)
{
    struct part *part = last_part(history);
    const size_t before = part->capacity;
    const size_t most = capacity > before ? capacity : before;
    uint8_t *inputs;

    if (capacity > before && !reserve(history, capacity - before)) {
        return false;
    }
    inputs = realloc(part->inputs, capacity > 0 ? capacity : 1);
    if (inputs != NULL) {
        part->inputs = inputs;
        part->part.inputs = inputs;
        part->capacity = capacity;
    }
    unreserve(history, most - part->capacity);
    return inputs != NULL;
}

/* Closes the open part: nothing is appended to it afterwards. */
static void close_part(struct history *history)
{
    if (history->open) {
        history->open = false;
        (void)resize_inputs(history, last_part(history)->part.input_size); /* it may stay bigger */
    }
}

/* Returns the least number of rounds from one checkpoint to the next, so that all checkpoints take
 * no more than their bytes. */
static uint64_t spread_rounds(const struct history *history, const struct scene *scene,
                              size_t state_size)
{
    return state_size * rounds_max(history, scene) / HISTORY_STATES_MAX;
}

/* Rounds from one checkpoint to the next: as many as are made again soon, but no fewer than that.
 */
static uint64_t part_rounds(const struct history *history, const struct scene *scene,
                            size_t state_size)
{
    uint64_t most = PART_SECONDS_MAX * (uint64_t)scene_definition_of(scene)->tick_rate;
    uint64_t least = PART_SECONDS_MIN * (uint64_t)scene_definition_of(scene)->tick_rate;
    uint64_t work = KEYFRAME_WORK / flock_count(scene_flock(scene));
    uint64_t spread = spread_rounds(history, scene, state_size);
    uint64_t rounds = work < most ? work : most;

    rounds = rounds > least ? rounds : least;
    return rounds > spread ? rounds : spread;
}

/* Returns the least number of rounds between keyframes, so that the keyframes of the whole past
 * stay within the room's share of the budget. */
static uint64_t keyframe_rounds(const struct history *history, const struct scene *scene)
{
    return history->budget == NULL
               ? 0
               : last_part(history)->part.state_size * rounds_max(history, scene) /
                     history_budget_keyframes(history->budget);
}

/* Whether the open part gets a keyframe after this tick. */
static bool keyframe_is_due(struct history *history, const struct scene *scene)
{
    history->work += (scene_ticks(scene) - history->tick) * flock_count(scene_flock(scene));
    history->tick = scene_ticks(scene);
    return history->work >= KEYFRAME_WORK && scene_rounds(scene) + 1 < history->due &&
           scene_rounds(scene) >= history->keyframe_round + keyframe_rounds(history, scene);
}

/* Keeps what the room is like after a tick of the open part. */
static void add_keyframe(struct history *history, const struct scene *scene, uint64_t time)
{
    struct part *part = last_part(history);
    struct checkpoint keyframe = {
        .round = scene_rounds(scene),
        .at = part->part.input_size,
        .clock = history->clock,
        .controls = 1 + scene_versions(scene).controls - history->versions.controls,
        .params = 1 + scene_versions(scene).params - history->versions.params,
    };

    history->work = 0;
    history->keyframe_round = scene_rounds(scene);
    if (part->keyframes == NULL) {
        part->keyframes = keyframes_create(history->budget, PART_KEYFRAMES_MAX);
        part->part.keyframes = part->keyframes;
    }
    if (part->keyframes != NULL) { /* else moments after this one take longer to be made again */
        (void)keyframes_add_scene(part->keyframes, &keyframe, scene, time);
    }
}

/* Makes a part of that state, with memory for that many bytes of inputs, 1 or more. Returns NULL
 * when memory runs out; the state is still the caller's then. */
static struct part *make_part(struct history *history, uint8_t *state, size_t size, size_t capacity)
{
    struct part *part = calloc(1, sizeof *part);
    uint8_t *inputs = malloc(capacity);

    if (part == NULL || inputs == NULL || !reserve(history, sizeof *part + size + capacity)) {
        free(part);
        free(inputs);
        return NULL;
    }
    atomic_init(&part->holders, 1);
    part->budget = history_budget_hold(history->budget);
    part->capacity = capacity;
    part->state = state;
    part->inputs = inputs;
    part->part.state = state;
    part->part.state_size = size;
    part->part.inputs = inputs;
    return part;
}

/* Begins the next part, right before a tick. */
static void begin_part(struct history *history, const struct scene *scene, uint64_t time,
                       bool follows)
{
    size_t size = 0;
    uint8_t *state = scene_save(scene, time, &size);
    struct part *part = NULL;

    history->due = scene_rounds(scene) + part_rounds(history, scene, size);
    if (state != NULL && size <= HISTORY_STATE_MAX) {
        saved_seal(state, size);
        part = make_part(history, state, size, PART_INPUTS_FIRST);
    }
    if (part == NULL) { /* too big, or no memory: the next try is when the next part is due */
        free(state);
        return;
    }
    part->part.round = scene_rounds(scene);
    part->part.tick = scene_ticks(scene);
    part->part.clock = time;
    part->part.follows = follows;
    if (history->parts.first == NULL) {
        part->part.follows = false;
    }
    list_append(&history->parts, &part->item);
    history->open = true;
    history->clock = input_clock_at(part->part.clock, scene_definition_of(scene)->tick_rate);
    history->tick = scene_ticks(scene);
    history->work = 0;
    history->keyframe_round = scene_rounds(scene);
    history->versions = scene_versions(scene);
    drop_old(history, scene);
}

/* ---- inputs ---- */

static void append(struct history *history, const struct input *input)
{
    struct part *part;
    uint8_t bytes[INPUT_MAX];
    size_t size;

    if (!history->open) {
        return;
    }
    part = last_part(history);
    assert(part->part.input_size <= part->capacity);
    size = input_encode(&history->clock, input, bytes);
    if (part->part.input_size + size > part->capacity &&
        !resize_inputs(history, 2 * part->capacity + size)) {
        close_part(history); /* the next part begins here */
        return;
    }
    memcpy(part->inputs + part->part.input_size, bytes, size);
    part->part.input_size += size;
}

static bool is_open(const struct history *history)
{
    return history != NULL && history->open;
}

static void record_message(struct history *history, const struct scene *scene,
                           const struct input *input)
{
    uint8_t bytes[PROTO_MESSAGE_MAX];
    struct input recorded = *input;

    if (!proto_has(input->message->type, PROTO_IN_HISTORY)) {
        return;
    }
    recorded.bytes = bytes;
    recorded.bytes_size = proto_has(input->message->type, PROTO_REPEATABLE)
                              ? proto_encode_client(bytes, sizeof bytes, input->message)
                              : 0;
    if (recorded.bytes_size > 0) {
        append(history, &recorded);
    } else {
        history_cut(history, scene);
    }
}

/* Records an input that was applied. */
static void record(struct history *history, const struct scene *scene, const struct input *input)
{
    if (input->type == INPUT_MESSAGE) {
        record_message(history, scene, input);
    } else {
        append(history, input);
    }
}

/* As recorded, after the scene's present position. */
static void fill_differences(const struct scene *scene, struct input *input)
{
    const struct people *people = scene_people(scene);

    if ((input->type == INPUT_CURSOR || input->type == INPUT_MOVE) && input->slot < people->used) {
        const struct cursor *from = &people->slots[input->slot].cursor;
        input->dx = input_difference(from->present ? from->x : 0.0F, input->x);
        input->dy = input_difference(from->present ? from->y : 0.0F, input->y);
    }
}

bool history_apply(struct history *history, struct scene *scene, const struct input *input,
                   struct change *change, struct proto_error *error)
{
    struct input recorded = *input;

    if (!is_open(history)) {
        return scene_apply(scene, input, change, error);
    }
    fill_differences(scene, &recorded);
    if (!scene_apply(scene, input, change, error)) {
        return false;
    }
    record(history, scene, &recorded);
    return true;
}

void history_cut(struct history *history, const struct scene *scene)
{
    if (is_open(history)) {
        close_part(history);
        history->due = scene_rounds(scene);
    }
}

/* Whether the next part begins because of the bytes of inputs in the open one. */
static bool has_many_inputs(const struct history *history, const struct scene *scene)
{
    const struct recording_part *part = &last_part(history)->part;

    return part->input_size >= PART_INPUTS_MAX ||
           (part->input_size >= PART_INPUTS &&
            part->rounds >= spread_rounds(history, scene, part->state_size));
}

/* Begins a part before a tick if the history is due for one. */
static void begin_due_part(struct history *history, const struct scene *scene, uint64_t time)
{
    const bool follows = history->open;

    if (scene_rounds(scene) >= history->due || (follows && has_many_inputs(history, scene))) {
        close_part(history);
        begin_part(history, scene, time, follows);
    }
}

enum scene_tick_result history_tick(struct history *history, struct scene *scene,
                                    struct flock_workspace *workspace, uint64_t time)
{
    enum scene_tick_result result;

    if (history != NULL) {
        begin_due_part(history, scene, time);
    }
    result = scene_tick(scene, workspace, time);
    if (!is_open(history)) {
        return result;
    }
    append(history, &(struct input){.type = result == SCENE_TICK_DONE ? INPUT_TICK : INPUT_STILL,
                                    .time = time});
    last_part(history)->part.rounds += history->open;
    if (history->open && keyframe_is_due(history, scene)) {
        add_keyframe(history, scene, time);
    }
    return result;
}

struct film *history_film(const struct history *history)
{
    return history != NULL ? history->film : NULL;
}

uint64_t history_rounds(const struct history *history, const struct scene *scene)
{
    const struct part *first = history != NULL ? part_of(history->parts.first) : NULL;

    return first != NULL ? scene_rounds(scene) - first->part.round : 0;
}

void history_begin_with(struct history *history, struct film *film)
{
    assert(history->parts.first == NULL && history->film == NULL);
    history->film = film_hold(film);
}

/* Appends a copy of the part. Returns false when memory runs out. */
static bool add_copy(struct history *history, const struct recording_part *from)
{
    size_t capacity = from->input_size > 0 ? from->input_size : 1;
    uint8_t *state = malloc(from->state_size);
    struct part *part =
        state != NULL ? make_part(history, state, from->state_size, capacity) : NULL;

    if (part == NULL) {
        free(state);
        return false;
    }
    memcpy(state, from->state, from->state_size);
    memcpy(part->inputs, from->inputs, from->input_size);
    part->part = *from;
    part->part.state = state;
    part->part.inputs = part->inputs;
    part->part.keyframes = NULL;
    part->part.follows = from->follows && history->parts.first != NULL;
    list_append(&history->parts, &part->item);
    return true;
}

bool history_continue(struct history *history, const struct recording *recording,
                      const struct scene *scene)
{
    uint64_t most = rounds_max(history, scene);

    assert(history->parts.first == NULL && history->film == NULL);
    for (size_t i = 0; i < recording->count; i++) {
        const struct recording_part *part = &recording->parts[i];
        if (part->round + part->rounds + most < scene_rounds(scene)) {
            continue;
        }
        while (!add_copy(history, part)) {
            if (history->parts.first == NULL) {
                return false;
            }
            drop_first(history);
        }
    }
    return true;
}

/* Whether all of the past is earlier than what the history has. */
static bool is_earlier(const struct history *history, const struct earlier_past *past,
                       const struct scene *scene)
{
    const struct part *first = part_of(history->parts.first);

    return first == NULL ? past->end <= scene_rounds(scene) && past->tick <= scene_ticks(scene)
                         : past->end <= first->part.round && past->tick <= first->part.tick &&
                               past->clock <= first->part.clock;
}

/* Whether the part may be added to the front: no part of this history gives way to it. */
static bool may_prepend(const struct history *history, const struct part *part,
                        const struct scene *scene)
{
    return part->part.round + part->part.rounds + rounds_max(history, scene) >=
               scene_rounds(scene) &&
           history->bytes + part_bytes(part) <= HISTORY_BYTES_MAX;
}

bool history_prepend(struct history *history, struct earlier_past *past, const struct scene *scene)
{
    struct part *part;
    bool added = false;

    if (history->film != NULL || history->budget != past->budget ||
        !is_earlier(history, past, scene)) {
        return false;
    }
    while ((part = part_of(past->parts.last)) != NULL && may_prepend(history, part, scene)) {
        list_remove(&past->parts, &part->item);
        list_insert(&history->parts, NULL, &part->item);
        history->bytes += part_bytes(part);
        added = true;
    }
    if (added) {
        part_of(history->parts.first)->part.follows = false;
    }
    return added;
}

/* ---- life ---- */

struct history *history_create(uint64_t length, struct history_budget *budget)
{
    struct history *history = calloc(1, sizeof *history);

    if (history != NULL) {
        history->length = length;
        history->budget = history_budget_hold(budget);
    }
    return history;
}

void history_destroy(struct history *history)
{
    if (history == NULL) {
        return;
    }
    while (history->film != NULL || history->parts.first != NULL) {
        drop_first(history);
    }
    history_budget_release(history->budget);
    free(history);
}

size_t history_bytes(const struct history *history)
{
    size_t bytes;

    if (history == NULL) {
        return 0;
    }
    bytes = sizeof *history + history->bytes + (history->film != NULL ? history->film->size : 0);
    for (const struct list_item *item = history->parts.first; item != NULL; item = item->next) {
        const struct part *part = part_of(item);
        bytes += part->keyframes != NULL ? keyframes_bytes(part->keyframes) : 0;
    }
    return bytes;
}
