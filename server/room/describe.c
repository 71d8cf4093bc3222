#include "room/describe.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "past/past_people.h"
#include "room/state.h"
#include "room/sweeps.h"
#include "scene/control.h"

_Static_assert(PROTO_WALLS_MAX >= FLOCK_WALLS_MAX && PROTO_PARAMS_MAX >= FLOCK_PARAMS_MAX,
               "a room message holds what a flock has");

struct room_scale describe_scale(const struct scene *scene)
{
    const struct flock_settings *settings = flock_settings_of(scene_flock(scene));
    const bool torus = settings->boundary == FLOCK_WRAP;
    const float quantum = scene_quantum(scene);

    return (struct room_scale){
        .width = settings->width,
        .height = settings->height,
        .quantum = quantum,
        .period_x = torus ? (uint16_t)lrintf(settings->width / quantum) : 0,
        .period_y = torus ? (uint16_t)lrintf(settings->height / quantum) : 0,
    };
}

static void fill_params(const struct scene *scene, struct proto_room *out)
{
    const struct flock_settings *settings = flock_settings_of(scene_flock(scene));
    const struct flock_model *model = settings->model;
    struct flock_settings initial;

    out->param_count = (uint32_t)model->param_count;
    if (scene_origin(scene) != NULL) {
        initial = scene_preset_settings(scene, scene_origin(scene));
    } else {
        flock_settings_choose(&initial, model);
    }
    for (size_t i = 0; i < model->param_count; i++) {
        struct proto_room_param *param = &out->params[i];
        const struct flock_param *row = &model->params[i];
        snprintf(param->name, sizeof param->name, "%s", row->name);
        snprintf(param->unit, sizeof param->unit, "%s", row->unit);
        snprintf(param->text, sizeof param->text, "%s", row->text);
        param->min = row->min;
        param->max = row->max;
        param->initial = initial.params[i];
        param->base = row->initial;
        param->value = settings->params[i];
    }
}

static void fill_walls(const struct scene *scene, struct proto_room *out)
{
    const struct flock_settings *settings = flock_settings_of(scene_flock(scene));

    out->wall_count = settings->boundary == FLOCK_WALLS ? settings->wall_count : 0;
    for (uint32_t i = 0; i < out->wall_count; i++) {
        const struct flock_wall *wall = &settings->walls[i];
        out->walls[i] = (struct proto_wall){wall->x1, wall->y1, wall->x2, wall->y2};
    }
}

/* Stores the preset's look while its parameters are the initial ones. */
static void fill_look(const struct scene *scene, struct proto_room *out)
{
    const struct flock_box *pen = scene_pen(scene);

    if (scene_origin(scene) != NULL && scene_origin(scene)->ground != NULL) {
        snprintf(out->ground, sizeof out->ground, "%s", scene_origin(scene)->ground);
    }
    out->has_pen = pen != NULL;
    if (pen != NULL) {
        out->pen = (struct proto_wall){pen->left, pen->top, pen->right, pen->bottom};
    }
    if (scene_origin(scene) == NULL || scene_origin(scene)->look.shape == NULL) {
        return;
    }
    snprintf(out->look, sizeof out->look, "%s", scene_origin(scene)->look.shape);
    out->look_size = scene_origin(scene)->look.size;
    out->click = scene_origin(scene)->click;
}

/* The most boids, in the order in which they move now. */
static uint32_t boids_max(const struct room *room)
{
    uint32_t most = scene_definition_of(room->present)->boids_max;
    bool sequential = flock_settings_of(scene_flock(room->present))->update == FLOCK_SEQUENTIAL;

    return sequential && most > SCENE_SEQUENTIAL_MAX ? SCENE_SEQUENTIAL_MAX : most;
}

static void fill(const struct room *room, struct proto_room *out)
{
    const struct room_terms *definition = &room->definition;
    const struct scene *shown = room_shown(room);
    const struct flock_settings *flock = flock_settings_of(scene_flock(shown));
    const struct room_scale scale = describe_scale(shown);

    memset(out, 0, sizeof *out);
    snprintf(out->code, sizeof out->code, "%s", definition->code);
    snprintf(out->title, sizeof out->title, "%s", scene_title(room->present));
    snprintf(out->model, sizeof out->model, "%s", flock->model->name);
    snprintf(out->boundary, sizeof out->boundary, "%s", flock_boundaries[flock->boundary].name);
    snprintf(out->update, sizeof out->update, "%s", flock_updates[flock->update].name);
    snprintf(out->policy, sizeof out->policy, "%s", control_value(shown, "policy"));
    snprintf(out->idle, sizeof out->idle, "%s", control_value(shown, "idle"));
    out->instance = definition->instance;
    out->width = scale.width;
    out->height = scale.height;
    out->quantum = scale.quantum;
    out->tick_rate = scene_definition_of(room->present)->tick_rate;
    out->snapshot_rate = definition->snapshot_rate;
    out->cursor_timeout = (float)scene_definition_of(room->present)->cursor_timeout / 1e6F;
    out->period_x = scale.period_x;
    out->period_y = scale.period_y;
    out->people_max = definition->people_max;
    out->boids_max = boids_max(room);
    out->can_undo = scene_can_undo(room->present) || sweeps_runs(room);
    out->has_attention = room->has_attention;
    memcpy(out->attention, room->attention, sizeof out->attention);
    out->spotlight = room_people(room)->spotlight;
    out->store_failing = room->store_failing;
    out->door_closed = definition->door_closed;
    out->locked = definition->join_key[0] != '\0';
    out->unnamed = room->unnamed;
    memcpy(out->beside, room->beside, sizeof out->beside);
    out->recording = room->replays;
    out->control_count = control_describe(shown, out->controls);
    fill_params(shown, out);
    fill_look(shown, out);
    fill_walls(shown, out);
}

struct frame *describe_welcome(const struct room *room, uint32_t slot,
                               const struct proto_stream *stream, uint64_t now, struct frame *frame)
{
    const struct room_terms *definition = &room->definition;
    const struct person *person = room_person_at(room, slot);
    const struct member *member = &room->members[slot];
    struct proto_welcome message = {.version = PROTO_VERSION,
                                    .server = "flockd " FLOCKD_VERSION,
                                    .id = person->id,
                                    .color = person->color,
                                    .role = person->role,
                                    .stream = *stream,
                                    .time = now,
                                    .capability_count = definition->capability_count};

    memcpy(message.token, member->token, sizeof message.token);
    memcpy(message.name, room->identities[slot].name, sizeof message.name);
    snprintf(message.encoding, sizeof message.encoding, "%s",
             stream_encoding_name((enum stream_encoding)member->encoding));
    memcpy(message.capabilities, definition->capabilities, sizeof message.capabilities);
    fill(room, &message.room);
    if (frame == NULL) {
        return NULL;
    }
    frame = frame_end(frame, proto_encode_welcome(frame_data(frame), frame->capacity, &message));
    return frame != NULL ? frame_shrink(frame) : NULL;
}

struct frame *describe_room(const struct room *room)
{
    struct proto_room message;
    uint8_t bytes[PROTO_STATE_MAX];

    fill(room, &message);
    return frame_of(bytes, proto_encode_room(bytes, sizeof bytes, &message));
}

struct frame *describe_params(const struct room *room)
{
    const struct flock_settings *settings = flock_settings_of(scene_flock(room_shown(room)));
    struct proto_params message = {0};
    uint8_t bytes[PROTO_STATE_MAX];

    message.count = (uint32_t)settings->model->param_count;
    memcpy(message.values, settings->params, message.count * sizeof message.values[0]);
    return frame_of(bytes, proto_encode_params(bytes, sizeof bytes, &message));
}

struct frame *describe_past(const struct room *room)
{
    uint8_t bytes[PROTO_STATE_MAX];

    const struct past_people *people = room->shown.people;

    return frame_of(bytes, proto_encode_past(bytes, sizeof bytes, &room->shown.past,
                                             people != NULL ? people->list : NULL,
                                             people != NULL ? people->count : 0));
}
