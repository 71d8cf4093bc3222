#include "room/room.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "room/people.h"

/* µs between presence messages, so that a crowd that comes in at once is told of in a few, not in
 * thousands. */
#define PRESENCE_INTERVAL 100000u

struct room {
    char name[PROTO_ROOM_MAX + 1];
    struct room_definition definition;
    struct flock *flock;
    struct people people;
    float quantum;
    uint64_t ticks;
    uint64_t presence_at; /* µs: when the last presence was made */
    bool has_target;
    struct flock_point target;
    float *x, *y;   /* scratch: positions, flock_count() each */
    uint8_t *boids; /* scratch: the same, as they travel */
    uint8_t cursors[PROTO_PEOPLE_MAX * PROTO_CURSOR_SIZE];
};

struct room *room_create(const struct room_definition *definition)
{
    struct room *room = calloc(1, sizeof *room);
    uint32_t boids = definition->flock.boids;

    if (room == NULL) {
        return NULL;
    }
    snprintf(room->name, sizeof room->name, "%s", definition->name);
    room->definition = *definition;
    room->definition.name = room->name;
    room->quantum = proto_quantum(definition->flock.width, definition->flock.height);
    room->flock = flock_create(&definition->flock);
    room->x = calloc(boids, sizeof *room->x);
    room->y = calloc(boids, sizeof *room->y);
    room->boids = calloc(boids, PROTO_BOID_SIZE);
    if (room->flock == NULL || room->x == NULL || room->y == NULL || room->boids == NULL ||
        !people_create(&room->people, definition->people_max)) {
        room_destroy(room);
        return NULL;
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
    free(room->x);
    free(room->y);
    free(room->boids);
    free(room);
}

uint32_t room_join(struct room *room, const struct proto_hello *hello, uint64_t session,
                   uint64_t now, uint64_t *replaced)
{
    return people_join(&room->people, hello, session, now, replaced);
}

uint64_t room_session(const struct room *room, uint32_t slot)
{
    return room->people.slots[slot].session;
}

static void describe(const struct room *room, struct proto_room *out)
{
    static const char *const boundaries[] = {
        [FLOCK_OPEN] = "open", [FLOCK_WRAP] = "wrap", [FLOCK_WALLS] = "walls"};
    const struct flock_definition *flock = flock_definition_of(room->flock);
    const struct flock_model *model = flock->model;

    memset(out, 0, sizeof *out);
    snprintf(out->name, sizeof out->name, "%s", room->name);
    snprintf(out->model, sizeof out->model, "%s", model->name);
    snprintf(out->boundary, sizeof out->boundary, "%s", boundaries[flock->boundary]);
    snprintf(out->policy, sizeof out->policy, "%s", cursor_policy_names[room->definition.policy]);
    snprintf(out->idle, sizeof out->idle, "%s", cursor_idle_names[room->definition.idle]);
    out->width = flock->width;
    out->height = flock->height;
    out->quantum = room->quantum;
    out->tick_rate = room->definition.tick_rate;
    out->snapshot_rate = room->definition.snapshot_rate;
    out->param_count = (uint32_t)model->param_count;
    for (size_t i = 0; i < model->param_count; i++) {
        struct proto_param *param = &out->params[i];
        const struct flock_param *row = &model->params[i];
        snprintf(param->name, sizeof param->name, "%s", row->name);
        snprintf(param->unit, sizeof param->unit, "%s", row->unit);
        snprintf(param->text, sizeof param->text, "%s", row->text);
        param->min = row->min;
        param->max = row->max;
        param->initial = row->initial;
        param->value = flock_param_get(room->flock, i);
    }
}

void room_welcome(const struct room *room, uint32_t slot, struct proto_welcome *welcome)
{
    const struct person *person = &room->people.slots[slot];

    welcome->id = person->id;
    welcome->color = person->color;
    memcpy(welcome->token, person->token, sizeof welcome->token);
    memcpy(welcome->name, person->name, sizeof welcome->name);
    describe(room, &welcome->room);
}

void room_leave(struct room *room, uint32_t slot, uint64_t now)
{
    people_leave(&room->people, slot, now);
}

void room_rename(struct room *room, uint32_t slot, const char *name)
{
    people_rename(&room->people, slot, name);
}

/* Whether a coordinate lies in the range of positions (PROTOCOL.md) of a side of that length. */
static bool in_range(float value, float side, float quantum, const char *field,
                     struct proto_error *error)
{
    float min = proto_dequantise(INT16_MIN, side, quantum);
    float max = proto_dequantise(INT16_MAX, side, quantum);

    if (value >= min && value <= max) {
        return true;
    }
    memset(error, 0, sizeof *error);
    snprintf(error->code, sizeof error->code, "%s", proto_code_name(PROTO_E_RANGE));
    snprintf(error->field, sizeof error->field, "%s", field);
    snprintf(error->message, sizeof error->message, "%s: %g is not in %g to %g", field,
             (double)value, (double)min, (double)max);
    return false;
}

bool room_move(struct room *room, uint32_t slot, const struct proto_cursor *cursor, uint64_t now,
               struct proto_error *error)
{
    const struct flock_definition *flock = flock_definition_of(room->flock);

    if (!in_range(cursor->x, flock->width, room->quantum, "x", error) ||
        !in_range(cursor->y, flock->height, room->quantum, "y", error)) {
        return false;
    }
    people_move(&room->people, slot, cursor->x, cursor->y, now, room->definition.cursor_timeout);
    return true;
}

void room_away(struct room *room, uint32_t slot)
{
    room->people.slots[slot].cursor.present = false;
}

static void choose_target(struct room *room, uint64_t now)
{
    const struct flock_definition *flock = flock_definition_of(room->flock);
    struct cursor_target target = {.policy = room->definition.policy};

    for (uint32_t slot = 0; slot < room->people.used; slot++) {
        const struct person *person = &room->people.slots[slot];
        if (person->session != 0 &&
            cursor_active(&person->cursor, now, room->definition.cursor_timeout)) {
            cursor_gather(&target, &person->cursor);
        }
    }
    room->has_target = cursor_resolve(&target, &room->target.x, &room->target.y);
    if (!room->has_target && room->definition.idle == CURSOR_WANDER) {
        cursor_wander(now, flock->width, flock->height, &room->target.x, &room->target.y);
        room->has_target = true;
    }
}

void room_tick(struct room *room, uint64_t now)
{
    choose_target(room, now);
    flock_tick(room->flock, room->has_target ? &room->target : NULL);
    room->ticks++;
}

uint64_t room_ticks(const struct room *room)
{
    return room->ticks;
}

bool room_snapshot_due(const struct room *room)
{
    uint64_t snapshots = room->definition.snapshot_rate;
    uint64_t ticks = room->definition.tick_rate;

    return room->ticks * snapshots / ticks != (room->ticks - 1) * snapshots / ticks;
}

/* The shown people's active cursors, as they travel. Returns how many. */
static uint32_t gather_cursors(struct room *room, uint64_t now)
{
    const struct flock_definition *flock = flock_definition_of(room->flock);
    uint32_t count = 0;

    for (uint32_t i = 0; i < room->people.shown_count; i++) {
        const struct person *person = &room->people.slots[room->people.shown[i]];
        const struct cursor *cursor = &person->cursor;
        if (cursor_active(cursor, now, room->definition.cursor_timeout)) {
            proto_put_cursor(room->cursors + (size_t)PROTO_CURSOR_SIZE * count++, person->id,
                             proto_quantise(cursor->x, flock->width, room->quantum),
                             proto_quantise(cursor->y, flock->height, room->quantum));
        }
    }
    return count;
}

struct frame *room_snapshot(struct room *room, uint64_t now)
{
    const struct flock_definition *flock = flock_definition_of(room->flock);
    struct proto_snapshot snapshot = {
        .epoch = 1,
        .tick = room->ticks,
        .time = now,
        .people = room->people.connected,
        .has_target = room->has_target,
        .target_x = room->target.x,
        .target_y = room->target.y,
        .boid_count = flock_count(room->flock),
        .boids = room->boids,
        .cursor_count = gather_cursors(room, now),
        .cursors = room->cursors,
    };
    size_t bound = proto_snapshot_bound(snapshot.boid_count, snapshot.cursor_count);
    struct frame *frame = frame_create(bound);

    if (frame == NULL) {
        return NULL;
    }
    flock_positions(room->flock, room->x, room->y);
    for (uint32_t i = 0; i < snapshot.boid_count; i++) {
        proto_put_position(room->boids + (size_t)PROTO_BOID_SIZE * i,
                           proto_quantise(room->x[i], flock->width, room->quantum),
                           proto_quantise(room->y[i], flock->height, room->quantum));
    }
    frame->size = proto_encode_snapshot(frame_data(frame), bound, &snapshot);
    return frame;
}

struct frame *room_presence(struct room *room, uint64_t now)
{
    struct proto_presence presence;
    struct frame *frame;

    if (!room->people.changed ||
        (room->presence_at != 0 && now < room->presence_at + PRESENCE_INTERVAL)) {
        return NULL;
    }
    frame = frame_create(PROTO_STATE_MAX);
    if (frame == NULL) {
        return NULL;
    }
    people_presence(&room->people, &presence);
    frame->size = proto_encode_presence(frame_data(frame), PROTO_STATE_MAX, &presence);
    room->presence_at = now;
    return frame;
}
