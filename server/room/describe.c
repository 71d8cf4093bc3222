/* A room's messages: what it is, who is in it, and where everything is. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "room/people.h"
#include "room/room.h"
#include "room/state.h"

/* µs between presence messages, so that a crowd that comes in at once is told of in a few, not in
 * thousands. */
#define PRESENCE_INTERVAL 100000u

_Static_assert(PROTO_WALLS_MAX >= FLOCK_WALLS_MAX && PROTO_PARAMS_MAX >= FLOCK_PARAMS_MAX,
               "a room message holds what a flock has");

static void fill(const struct room *room, struct proto_room *out)
{
    const struct flock_definition *flock = flock_definition_of(room->flock);
    const struct flock_model *model = flock->model;
    size_t wall_count;

    memset(out, 0, sizeof *out);
    snprintf(out->name, sizeof out->name, "%s", room->name);
    snprintf(out->model, sizeof out->model, "%s", model->name);
    snprintf(out->boundary, sizeof out->boundary, "%s", flock_boundaries[flock->boundary].name);
    snprintf(out->policy, sizeof out->policy, "%s", cursor_policies[room->definition.policy].word);
    snprintf(out->idle, sizeof out->idle, "%s", cursor_idles[room->definition.idle].word);
    out->width = flock->width;
    out->height = flock->height;
    out->quantum = room->quantum;
    out->tick_rate = room->definition.tick_rate;
    out->snapshot_rate = room->definition.snapshot_rate;
    out->boids_max = ROOM_BOIDS_MAX;
    out->control_count = control_describe(room, out->controls);
    const struct flock_wall *walls = flock_walls(room->flock, &wall_count);
    out->wall_count = flock->boundary == FLOCK_WALLS ? (uint32_t)wall_count : 0;
    for (uint32_t i = 0; i < out->wall_count; i++) {
        out->walls[i] = (struct proto_wall){walls[i].x1, walls[i].y1, walls[i].x2, walls[i].y2};
    }
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
    welcome->role = person->role;
    memcpy(welcome->token, person->token, sizeof welcome->token);
    memcpy(welcome->name, person->name, sizeof welcome->name);
    fill(room, &welcome->room);
}

struct frame *room_describe(const struct room *room)
{
    struct frame *frame = frame_create(PROTO_STATE_MAX);
    struct proto_room message;

    if (frame != NULL) {
        fill(room, &message);
        frame->size = proto_encode_room(frame_data(frame), frame->capacity, &message);
    }
    return frame;
}

struct frame *room_params(const struct room *room)
{
    struct frame *frame = frame_create(PROTO_STATE_MAX);
    struct proto_params message = {0};

    if (frame != NULL) {
        message.count = (uint32_t)flock_definition_of(room->flock)->model->param_count;
        for (uint32_t i = 0; i < message.count; i++) {
            message.values[i] = flock_param_get(room->flock, i);
        }
        frame->size = proto_encode_params(frame_data(frame), frame->capacity, &message);
    }
    return frame;
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

/* The positions of all boids, as they travel. */
static void gather_positions(const struct room *room, uint32_t count)
{
    const struct flock_definition *flock = flock_definition_of(room->flock);
    struct room_scratch *scratch = room->scratch;

    flock_positions(room->flock, scratch->x, scratch->y);
    for (uint32_t i = 0; i < count; i++) {
        proto_put_position(scratch->positions + (size_t)PROTO_BOID_SIZE * i,
                           proto_quantise(scratch->x[i], flock->width, room->quantum),
                           proto_quantise(scratch->y[i], flock->height, room->quantum));
    }
}

/* Where all boids head, as it travels. */
static void gather_headings(const struct room *room, uint32_t count)
{
    struct room_scratch *scratch = room->scratch;

    flock_velocities(room->flock, scratch->x, scratch->y);
    for (uint32_t i = 0; i < count; i++) {
        scratch->headings[i] = proto_heading(scratch->x[i], scratch->y[i]);
    }
}

static void measure(const struct room *room, struct proto_snapshot *snapshot)
{
    struct flock_measures measures = flock_measure(room->flock);

    snapshot->has_measures = true;
    snapshot->measures = (struct proto_measures){
        .polarization = measures.polarization,
        .milling = measures.milling,
        .centroid_x = measures.centroid_x,
        .centroid_y = measures.centroid_y,
        .gyration = measures.gyration,
        .speed = measures.speed,
        .nearest = measures.nearest,
    };
}

/* Steps after which a torus' coordinate comes around; 0: it is none. */
static uint16_t period_of(const struct room *room, float side)
{
    bool torus = flock_definition_of(room->flock)->boundary == FLOCK_WRAP;

    return torus ? (uint16_t)lrintf(side / room->quantum) : 0;
}

static void describe_scene(struct room *room, uint64_t now, struct stream_scene *scene)
{
    const struct flock_definition *flock = flock_definition_of(room->flock);
    uint32_t count = flock_count(room->flock);

    *scene = (struct stream_scene){
        .snapshot = {.epoch = flock_epoch(room->flock),
                     .tick = room->ticks,
                     .time = now,
                     .people = room->people.connected,
                     .has_target = room->has_target,
                     .target_x = room->target.x,
                     .target_y = room->target.y,
                     .cursor_count = gather_cursors(room, now),
                     .cursors = room->cursors,
                     .flock = count},
        .boids = {.positions = room->scratch->positions,
                  .headings = room->scratch->headings,
                  .count = count,
                  .period_x = period_of(room, flock->width),
                  .period_y = period_of(room, flock->height)},
        .positions = room->scratch->some_positions,
        .headings = room->scratch->some_headings,
        .bytes = room->scratch->bytes,
    };
    gather_positions(room, count);
    measure(room, &scene->snapshot);
}

void room_snapshot(struct room *room, uint64_t now)
{
    uint64_t number = room->snapshots++;
    bool described = false;
    bool headed = false;
    struct stream_scene scene;

    for (uint32_t i = 0; i < room->streams.count; i++) {
        struct stream *stream = &room->streams.list[i];
        if (!stream_due(stream, number)) {
            continue;
        }
        if (!described) {
            describe_scene(room, now, &scene);
            described = true;
        }
        if (!headed && stream_key_due(stream, scene.snapshot.epoch, scene.boids.count)) {
            gather_headings(room, scene.boids.count);
            headed = true;
        }
        stream_next(stream, &scene);
    }
}

uint32_t room_streams(const struct room *room, const struct stream **streams)
{
    *streams = room->streams.list;
    return room->streams.count;
}

void room_want_key(struct room *room, uint32_t place)
{
    room->streams.list[place].key_wanted = true;
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
