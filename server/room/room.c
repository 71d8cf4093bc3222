#include "room/room.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "room/people.h"
#include "room/state.h"

_Static_assert(FLOCK_TARGETS_MAX >= PROTO_PEOPLE_MAX, "every cursor that is shown is a target");

struct room_definition room_definition_default(void)
{
    struct room_definition definition = {
        .name = ROOM_LOBBY,
        .flock = flock_definition_default(),
        .tick_rate = 30,
        .snapshot_rate = 30,
        .policy = CURSOR_MEAN,
        .idle = CURSOR_WANDER,
        .cursor_timeout = 10000000,
        .people_max = 1,
        .key = "",
    };
    const struct flock_model *model = definition.flock.model;

    for (size_t i = 0; i < model->param_count; i++) {
        definition.params[i] = model->params[i].initial;
    }
    return definition;
}

struct room *room_create(const struct room_definition *definition)
{
    struct room *room = calloc(1, sizeof *room);
    const struct flock_model *model = definition->flock.model;

    if (room == NULL) {
        return NULL;
    }
    snprintf(room->name, sizeof room->name, "%s", definition->name);
    snprintf(room->key, sizeof room->key, "%s", definition->key);
    room->definition = *definition;
    room->definition.name = room->name;
    room->definition.key = room->key;
    room->preset = definition->preset;
    room->boids = definition->flock.boids;
    room->quantum = proto_quantum(definition->flock.width, definition->flock.height);
    room->flock = flock_create(&definition->flock);
    room->scratch = malloc(sizeof *room->scratch + packed_bound(ROOM_BOIDS_MAX));
    if (room->flock == NULL || room->scratch == NULL ||
        !people_create(&room->people, definition->people_max)) {
        room_destroy(room);
        return NULL;
    }
    for (size_t i = 0; i < model->param_count; i++) {
        flock_param_set(room->flock, i, definition->params[i]);
    }
    if (definition->preset != NULL) {
        flock_set_walls(room->flock, definition->preset->walls, definition->preset->wall_count);
    }
    return room;
}

void room_destroy(struct room *room)
{
    if (room == NULL) {
        return;
    }
    people_destroy(&room->people);
    flock_destroy(room->flock);
    streams_destroy(&room->streams);
    free(room->scratch);
    free(room);
}

static bool enter_stream(struct room *room, struct person *person, const struct proto_want *want)
{
    person->stream =
        stream_enter(&room->streams, person->encoding, want, room->definition.snapshot_rate);
    return person->stream != STREAM_NONE;
}

static void leave_stream(struct room *room, struct person *person)
{
    stream_leave(&room->streams, person->stream);
}

uint32_t room_join(struct room *room, const struct proto_hello *hello, uint64_t session,
                   uint64_t now, uint64_t *replaced)
{
    uint32_t slot = people_join(&room->people, hello, session, now, replaced);
    struct person *person;

    if (slot == PEOPLE_NONE) {
        return PEOPLE_NONE;
    }
    person = &room->people.slots[slot];
    if (room->definition.open_controls) {
        person->role = PROTO_PRESENTER;
    }
    if (*replaced != 0) {
        leave_stream(room, person);
    }
    if (!stream_encoding(hello, &person->encoding) ||
        !enter_stream(room, person, &(struct proto_want){.rate = hello->rate})) {
        people_leave(&room->people, slot, now);
        return PEOPLE_NONE;
    }
    return slot;
}

void room_subscription(const struct room *room, uint32_t slot,
                       struct room_subscription *subscription)
{
    const struct person *person = &room->people.slots[slot];
    const struct stream *stream = &room->streams.list[person->stream];

    *subscription = (struct room_subscription){
        .stream = person->stream,
        .sequence = stream->sequence,
        .encoding = stream_encoding_name(stream->encoding),
        .granted = {.rate = (float)room->definition.snapshot_rate / (float)stream->divisor,
                    .boids = stream->limit},
    };
}

uint64_t room_session(const struct room *room, uint32_t slot)
{
    return room->people.slots[slot].session;
}

enum proto_role room_role(const struct room *room, uint32_t slot)
{
    return room->people.slots[slot].role;
}

void room_leave(struct room *room, uint32_t slot, uint64_t now)
{
    leave_stream(room, &room->people.slots[slot]);
    people_leave(&room->people, slot, now);
}

bool room_refuse(struct proto_error *error, enum proto_code code, const char *field,
                 const char *format, ...)
{
    va_list arguments;

    memset(error, 0, sizeof *error);
    snprintf(error->code, sizeof error->code, "%s", proto_code_name(code));
    snprintf(error->field, sizeof error->field, "%s", field);
    va_start(arguments, format);
    vsnprintf(error->message, sizeof error->message, format, arguments);
    va_end(arguments);
    return false;
}

static bool side_reaches(float value, float side, float quantum, const char *field,
                         struct proto_error *error)
{
    float min = proto_dequantise(INT16_MIN, side, quantum);
    float max = proto_dequantise(INT16_MAX, side, quantum);

    if (value >= min && value <= max) {
        return true;
    }
    return room_refuse(error, PROTO_E_RANGE, field, "%s: expected %g to %g, got %g", field,
                       (double)min, (double)max, (double)value);
}

bool room_reaches(const struct room *room, float x, float y, struct proto_error *error)
{
    const struct flock_definition *flock = flock_definition_of(room->flock);

    return side_reaches(x, flock->width, room->quantum, "x", error) &&
           side_reaches(y, flock->height, room->quantum, "y", error);
}

static bool change_stream(struct room *room, struct person *person, const struct proto_want *want,
                          struct proto_error *error)
{
    uint32_t before = person->stream;

    if (!enter_stream(room, person, want)) {
        person->stream = before;
        return room_refuse(error, PROTO_E_FULL, "", "out of memory");
    }
    stream_leave(&room->streams, before);
    return true;
}

bool room_receive(struct room *room, uint32_t slot, const struct proto_client_message *message,
                  uint64_t now, struct proto_error *error)
{
    struct people *people = &room->people;

    switch (message->type) {
    case PROTO_CURSOR:
        if (!room_reaches(room, message->cursor.x, message->cursor.y, error)) {
            return false;
        }
        people_move(people, slot, message->cursor.x, message->cursor.y, now,
                    room->definition.cursor_timeout);
        return true;
    case PROTO_AWAY:
        people->slots[slot].cursor.present = false;
        return true;
    case PROTO_NAME:
        people_rename(people, slot, message->name.name);
        return true;
    case PROTO_WANT:
        return change_stream(room, &people->slots[slot], &message->want, error);
    default:
        return control_receive(room, slot, message, error);
    }
}

/* Whether the person's cursor has a say in where the flock goes. */
static bool steers(const struct room *room, const struct person *person, uint64_t now)
{
    if (person->session == 0 ||
        !cursor_active(&person->cursor, now, room->definition.cursor_timeout)) {
        return false;
    }
    return room->definition.policy != CURSOR_PRESENTER || person->role == PROTO_PRESENTER;
}

/* One target for all, or none. */
static void choose_target(struct room *room, uint64_t now)
{
    const struct flock_definition *flock = flock_definition_of(room->flock);
    bool torus = flock->boundary == FLOCK_WRAP;
    struct cursor_target target = {.policy = room->definition.policy,
                                   .width = torus ? flock->width : 0.0F,
                                   .height = torus ? flock->height : 0.0F};

    for (uint32_t slot = 0; slot < room->people.used; slot++) {
        const struct person *person = &room->people.slots[slot];
        if (steers(room, person, now)) {
            cursor_gather(&target, &person->cursor);
        }
    }
    room->has_target = cursor_resolve(&target, &room->target.x, &room->target.y);
    if (!room->has_target && room->definition.idle == CURSOR_WANDER) {
        cursor_wander(now, flock->width, flock->height, &room->target.x, &room->target.y);
        room->has_target = true;
    }
}

/* A target for each of the shown people's active cursors. Returns how many. */
static size_t choose_targets(const struct room *room, uint64_t now,
                             struct flock_target targets[FLOCK_TARGETS_MAX])
{
    size_t count = 0;

    for (uint32_t i = 0; i < room->people.shown_count; i++) {
        const struct person *person = &room->people.slots[room->people.shown[i]];
        if (steers(room, person, now)) {
            targets[count++] = (struct flock_target){
                .x = person->cursor.x, .y = person->cursor.y, .predator = room->cursors_scare};
        }
    }
    return count;
}

void room_tick(struct room *room, uint64_t now)
{
    struct flock_target targets[FLOCK_TARGETS_MAX];
    bool each = room->definition.policy == CURSOR_NEAREST || room->cursors_scare;
    size_t count = each ? choose_targets(room, now, targets) : 0;

    room->has_target = false;
    if (count == 0) {
        choose_target(room, now);
    }
    room->turns++;
    if (room->paused) {
        if (room->steps == 0) {
            return;
        }
        room->steps--;
    }
    if (count > 0) {
        flock_tick_targets(room->flock, targets, count);
    } else {
        flock_tick(room->flock, room->has_target ? &room->target : NULL);
    }
    room->ticks++;
}

uint64_t room_ticks(const struct room *room)
{
    return room->ticks;
}

uint32_t room_people(const struct room *room)
{
    return room->people.connected;
}

uint32_t room_boids(const struct room *room)
{
    return flock_count(room->flock);
}

bool room_snapshot_due(const struct room *room)
{
    uint64_t snapshots = room->definition.snapshot_rate;
    uint64_t ticks = room->definition.tick_rate;

    return room->turns * snapshots / ticks != (room->turns - 1) * snapshots / ticks;
}

uint32_t room_version(const struct room *room)
{
    return room->version;
}

uint32_t room_params_version(const struct room *room)
{
    return room->params_version;
}
