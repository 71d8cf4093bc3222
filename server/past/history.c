#include "past/history.h"

#include <stdlib.h>
#include <string.h>

#include "past/film.h"
#include "past/history_budget.h"
#include "past/history_parts.h"
#include "past/keyframes.h"
#include "room/room_state.h"
#include "room/state.h"
#include "scene/saved.h"

/* Of a part of the history. */
#define PART_INPUTS_FIRST  256u        /* bytes of inputs that there is memory for at first */
#define PART_INPUTS_MAX    (64u << 10) /* bytes of inputs after which the next part begins */
#define PART_SECONDS_MIN   2u
#define PART_SECONDS_MAX   30u /* unless checkpoints would take too many bytes */
#define PART_KEYFRAMES_MAX 256u

/* Where parts are longer, because checkpoints would take too many bytes, keyframes are kept between
 * them. No file has them, so they may take more: of all rooms' bytes the KEYFRAME_SHAREth. */
#define KEYFRAME_SHARE 4u

/* ---- parts ---- */

static size_t part_bytes(const struct part *part)
{
    return sizeof *part + part->part.state_size + part->capacity;
}

void history_part_release(struct part *part)
{
    if (atomic_fetch_sub(&part->holders, 1) == 1) {
        history_budget_give(part->budget, part_bytes(part));
        keyframes_release(part->keyframes);
        free(part->state);
        free(part->inputs);
        free(part);
    }
}

/* The film is older than all parts, and goes as a whole. */
static void drop_first(struct history *history)
{
    struct part *part = history->first;

    if (history->film != NULL) {
        film_release(history->film);
        history->film = NULL;
        return;
    }
    history->first = part->next;
    history->last = part->next != NULL ? history->last : NULL;
    history->open = history->open && part->next != NULL;
    history->bytes -= part_bytes(part);
    history_part_release(part);
}

/* Whether there is something before the last part. */
static bool has_older(const struct history *history)
{
    return history->film != NULL || history->first != history->last;
}

/* Takes so many bytes from what all rooms may have, and what of its own past goes for it. */
static bool reserve(struct history *history, size_t bytes)
{
    while (!history_budget_take(history->budget, bytes)) {
        if (!has_older(history)) {
            return false;
        }
        drop_first(history);
    }
    history->bytes += bytes;
    return true;
}

static void unreserve(struct history *history, size_t bytes)
{
    history_budget_give(history->budget, bytes);
    history->bytes -= bytes;
}

/* Rounds that the history reaches back, at most. */
static uint64_t rounds_max(const struct room *room)
{
    return room->definition.rewind * room->definition.tick_rate / 1000000;
}

/* The parts that are not needed to go back for as long as it may, or take more bytes than it may
 * have. */
static void drop_old(const struct room *room)
{
    struct history *history = room->history;

    while (has_older(history)) {
        const struct part *second = history->film != NULL ? history->first : history->first->next;
        if (second->part.round + rounds_max(room) > room->rounds &&
            history->bytes <= HISTORY_BYTES_MAX) {
            return;
        }
        drop_first(history);
    }
}

/* Memory for that many bytes of inputs of the last part. */
static bool resize_inputs(struct history *history, size_t capacity)
{
    struct part *part = history->last;
    size_t before = part->capacity;
    uint8_t *inputs;

    if (capacity > before && !reserve(history, capacity - before)) {
        return false;
    }
    inputs = realloc(part->inputs, capacity > 0 ? capacity : 1);
    if (inputs == NULL) {
        unreserve(history, capacity > before ? capacity - before : 0);
        return false;
    }
    unreserve(history, capacity < before ? before - capacity : 0);
    part->inputs = inputs;
    part->part.inputs = inputs;
    part->capacity = capacity;
    return true;
}

/* What a cursor's movement is counted from: nothing is known of one that was not there. */
static struct moved moved_from(uint32_t slot, const struct cursor *before)
{
    return (struct moved){slot, before->present ? before->x : 0.0F,
                          before->present ? before->y : 0.0F};
}

/* Nothing is added to the last part any more. */
static void close_part(struct history *history)
{
    if (history->open) {
        history->open = false;
        (void)resize_inputs(history, history->last->part.input_size); /* it may stay bigger */
    }
}

/* Rounds from one checkpoint to the next: as many as are made again soon, but so that checkpoints
 * take no more than half of the bytes. */
static uint64_t part_rounds(const struct room *room, size_t state_size)
{
    uint64_t most = PART_SECONDS_MAX * (uint64_t)room->definition.tick_rate;
    uint64_t least = PART_SECONDS_MIN * (uint64_t)room->definition.tick_rate;
    uint64_t work = KEYFRAME_WORK / flock_count(room->flock);
    uint64_t spread = state_size * rounds_max(room) / (HISTORY_BYTES_MAX / 2);
    uint64_t rounds = work < most ? work : most;

    rounds = rounds > least ? rounds : least;
    return rounds > spread ? rounds : spread;
}

/* Rounds from one keyframe to the next, at least, so that those of all its past take no more than
 * the room's share. */
static uint64_t keyframe_rounds(const struct room *room)
{
    const struct history *history = room->history;

    return history->budget == NULL ? 0
                                   : history->last->part.state_size * rounds_max(room) /
                                         (history->budget->bytes_max / KEYFRAME_SHARE);
}

/* Whether the open part gets a keyframe after this tick. */
static bool keyframe_is_due(struct room *room)
{
    struct history *history = room->history;

    history->work += (room->ticks - history->tick) * flock_count(room->flock);
    history->tick = room->ticks;
    return history->work >= KEYFRAME_WORK && room->rounds + 1 < history->due &&
           room->rounds >= history->keyframe_round + keyframe_rounds(room);
}

/* Keeps what the room is like after a tick of the open part. */
static void add_keyframe(struct room *room, uint64_t now)
{
    struct history *history = room->history;
    struct part *part = history->last;
    struct keyframe keyframe = {
        .round = room->rounds,
        .at = part->part.input_size,
        .clock = history->clock,
        .room_version = 1 + room->versions[VIEW_ROOM] - history->room_version,
        .params_version = 1 + room->versions[VIEW_PARAMS] - history->params_version,
    };

    history->work = 0;
    history->keyframe_round = room->rounds;
    if (part->keyframes == NULL) {
        part->keyframes = keyframes_create(history->budget, PART_KEYFRAMES_MAX);
        part->part.keyframes = part->keyframes;
    }
    if (part->keyframes != NULL) { /* else moments after this one take longer to be made again */
        (void)keyframes_add_room(part->keyframes, &keyframe, room, now);
    }
}

/* A part of that state, and memory for its first inputs; NULL when there is none. */
static struct part *make_part(struct history *history, uint8_t *state, size_t size)
{
    struct part *part = calloc(1, sizeof *part);
    uint8_t *inputs = malloc(PART_INPUTS_FIRST);

    if (part == NULL || inputs == NULL ||
        !reserve(history, sizeof *part + size + PART_INPUTS_FIRST)) {
        free(part);
        free(inputs);
        return NULL;
    }
    atomic_init(&part->holders, 1);
    part->budget = history->budget;
    part->capacity = PART_INPUTS_FIRST;
    part->state = state;
    part->inputs = inputs;
    part->part.state = state;
    part->part.state_size = size;
    part->part.inputs = inputs;
    return part;
}

/* Begins the next part, right before a tick. */
static void begin_part(struct room *room, uint64_t now, bool follows)
{
    struct history *history = room->history;
    size_t size = 0;
    uint8_t *state = room_save_bare(room, now, &size);
    struct part *part = NULL;

    history->due = room->rounds + part_rounds(room, size);
    if (state != NULL && size <= HISTORY_STATE_MAX) {
        saved_seal(state, size);
        part = make_part(history, state, size);
    }
    if (part == NULL) { /* too big, or no memory: the next try is when the next part is due */
        free(state);
        return;
    }
    part->part.round = room->rounds;
    part->part.tick = room->ticks;
    part->part.clock = room_clock(room, now);
    part->part.follows = follows;
    if (history->last != NULL) {
        history->last->next = part;
    } else {
        history->first = part;
        part->part.follows = false;
    }
    history->last = part;
    history->open = true;
    history->clock = input_clock_at(part->part.clock, room->definition.tick_rate);
    history->tick = room->ticks;
    history->work = 0;
    history->keyframe_round = room->rounds;
    history->room_version = room->versions[VIEW_ROOM];
    history->params_version = room->versions[VIEW_PARAMS];
    drop_old(room);
}

/* ---- inputs ---- */

static void append(struct history *history, const struct input *input)
{
    struct part *part = history->last;
    uint8_t bytes[INPUT_MAX];
    size_t size;

    if (!history->open) {
        return;
    }
    size = input_encode(&history->clock, input, bytes);
    if (part->part.input_size + size > part->capacity &&
        !resize_inputs(history, 2 * part->capacity + size)) {
        close_part(history); /* what comes from here on is in the next part */
        return;
    }
    memcpy(part->inputs + part->part.input_size, bytes, size);
    part->part.input_size += size;
}

/* Each cursor counts once a tick, with its last position. The marks are removed also if an input
 * has closed the part: people who keep theirs would not be recorded again. */
void history_append_moved(struct room *room)
{
    struct history *history = room->history;

    for (uint32_t i = 0; i < history->moved_count; i++) {
        const struct moved *moved = &history->moved[i];
        struct person *person = &room->people.slots[moved->slot];
        append(history, &(struct input){.type = INPUT_CURSOR,
                                        .slot = moved->slot,
                                        .time = person->cursor.moved_at,
                                        .dx = input_difference(moved->x, person->cursor.x),
                                        .dy = input_difference(moved->y, person->cursor.y)});
        person->moved = false;
    }
    history->moved_count = 0;
}

void history_cursor(struct room *room, uint32_t slot, const struct cursor *before, bool shown,
                    uint64_t now)
{
    struct history *history = room->history;
    struct person *person = &room->people.slots[slot];

    if (history == NULL || !history->open) {
        return;
    }
    if (!shown) {
        const struct moved from = moved_from(slot, before);
        history_input(room, &(struct input){.type = INPUT_MOVE,
                                            .slot = slot,
                                            .time = now,
                                            .dx = input_difference(from.x, person->cursor.x),
                                            .dy = input_difference(from.y, person->cursor.y)});
    } else if (!person->moved) {
        person->moved = true;
        history->moved[history->moved_count++] = moved_from(slot, before);
    }
}

void history_input(struct room *room, const struct input *input)
{
    struct input on_clock = *input;

    if (room->history != NULL && room->history->open) {
        history_append_moved(room);
        on_clock.time = room_clock(room, input->time);
        append(room->history, &on_clock);
    }
}

void history_message(struct room *room, const struct proto_client_message *message, uint64_t now)
{
    uint8_t bytes[PROTO_MESSAGE_MAX];
    size_t size;

    if (room->history == NULL || !room->history->open) {
        return;
    }
    size = proto_has(message->type, PROTO_REPEATABLE)
               ? proto_encode_client(bytes, sizeof bytes, message)
               : 0;
    if (size > 0) {
        history_input(
            room, &(struct input){
                      .type = INPUT_MESSAGE, .time = now, .message = bytes, .message_size = size});
    } else {
        history_cut(room);
    }
}

void history_cut(struct room *room)
{
    if (room->history != NULL && room->history->open) {
        history_append_moved(room);
        close_part(room->history);
        room->history->due = room->rounds;
    }
}

void history_round(struct room *room, uint64_t now)
{
    struct history *history = room->history;
    bool follows;

    if (history == NULL) {
        return;
    }
    if (history->open) {
        history_append_moved(room);
    }
    follows = history->open;
    if (room->rounds >= history->due ||
        (follows && history->last->part.input_size >= PART_INPUTS_MAX)) {
        close_part(history);
        begin_part(room, now, follows);
    }
}

void history_tick(struct room *room, uint64_t now, bool moved)
{
    if (room->history != NULL && room->history->open) {
        history_input(room, &(struct input){.type = moved ? INPUT_TICK : INPUT_STILL, .time = now});
        room->history->last->part.rounds += room->history->open;
    }
    if (room->history != NULL && room->history->open && keyframe_is_due(room)) {
        add_keyframe(room, now);
    }
}

void history_begin_with(struct room *room, struct film *film)
{
    room->history->film = film_hold(film);
}

/* ---- life ---- */

struct history *history_create(struct history_budget *budget)
{
    struct history *history = calloc(1, sizeof *history);

    if (history != NULL) {
        history->budget = budget;
    }
    return history;
}

void history_destroy(struct history *history)
{
    if (history == NULL) {
        return;
    }
    while (history->film != NULL || history->first != NULL) {
        drop_first(history);
    }
    free(history);
}

size_t history_bytes(const struct history *history)
{
    size_t bytes;

    if (history == NULL) {
        return 0;
    }
    bytes = sizeof *history + history->bytes + (history->film != NULL ? history->film->size : 0);
    for (const struct part *part = history->first; part != NULL; part = part->next) {
        bytes += part->keyframes != NULL ? keyframes_bytes(part->keyframes) : 0;
    }
    return bytes;
}
