#include "room/sweeps.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/refusal.h"
#include "room/apply.h"
#include "room/changes.h"
#include "room/state.h"
#include "scene/passing.h"

#define SAMPLE_RATE 5u /* samples of the measures a second, at most */

_Static_assert(PROTO_SWEEP_STEPS_MAX == SWEEP_STEPS_MAX && PROTO_SWEEP_MEASURES == SWEEP_MEASURES,
               "a message holds a sweep");

static const char *const state_names[] = {
    [SWEEP_RUNNING] = "running", [SWEEP_DONE] = "done",     [SWEEP_STOPPED] = "stopped",
    [SWEEP_PARAM] = "param",     [SWEEP_PRESET] = "preset", [SWEEP_PAST] = "past",
    [SWEEP_REFUSED] = "refused",
};

bool sweeps_runs(const struct room *room)
{
    return room->sweep != NULL && room->sweep->state == SWEEP_RUNNING;
}

/* ---- values ---- */

static struct proto_client_message message_of(const struct room_sweep *run, float value)
{
    struct proto_client_message message = {.type = PROTO_PARAM, .param.value = value};

    snprintf(message.param.name, sizeof message.param.name, "%s", run->order.name);
    return message;
}

/* Gives the parameter the value in the message, as the person who has started the sweep. */
static bool apply_value(struct room *room, const struct proto_client_message *message,
                        enum input_passing passing, uint64_t time, struct change *change,
                        struct proto_error *error)
{
    const struct input input = {.type = INPUT_MESSAGE,
                                .time = time,
                                .message = message,
                                .by = room->sweep->by,
                                .passing = passing};

    return apply_input(room, &input, change, error);
}

/* Gives the parameter a value, and announces that if the person who has started the sweep is here.
 */
static bool set_value(struct room *room, float value, enum input_passing passing, uint64_t time,
                      struct proto_error *error)
{
    const struct room_sweep *run = room->sweep;
    const uint32_t slot = run->by > 0 ? people_find_id(room_people(room), run->by) : PEOPLE_NONE;
    const struct proto_client_message message = message_of(run, value);
    struct change change;

    if (!apply_value(room, &message, passing, time, &change, error)) {
        return false;
    }
    if (slot != PEOPLE_NONE || run->by == 0) {
        changes_tell(room, slot, &message, &change, time);
    }
    return true;
}

static bool set_next(struct room *room, uint64_t time, struct proto_error *error)
{
    const struct sweep *sweep = &room->sweep->sweep;

    return set_value(room, sweep_value(&sweep->plan, sweep->count), INPUT_PASSES, time, error);
}

/* The value before the sweep may have become too expensive: then the present one stays. */
static void put_back(struct room *room, uint64_t time)
{
    struct proto_error unread;

    if (!scene_is_passing(room->present) ||
        !set_value(room, scene_lasting(room->present), INPUT_BACK, time, &unread)) {
        scene_keep_passing(room->present);
    }
}

/* ---- beginning and end ---- */

static bool allows_value(const struct room *room, const char *field,
                         const struct proto_sweep *order, float value, struct proto_error *error)
{
    if (scene_allows_param(room->present, order->name, value, error)) {
        return true;
    }
    if (strcmp(error->field, "value") == 0) {
        snprintf(error->field, sizeof error->field, "%s", field);
    }
    return false;
}

static bool may_start(const struct room *room, const struct proto_sweep *order,
                      struct proto_error *error)
{
    if (sweeps_runs(room)) {
        return refuse_message(error, PROTO_E_STATE, "",
                              "sweep: the room makes a sweep already; stop it first");
    }
    if (order->from == order->to) {
        return refuse_message(error, PROTO_E_RANGE, "to", "to: expected another value than from");
    }
    return allows_value(room, "from", order, order->from, error) &&
           allows_value(room, "to", order, order->to, error);
}

static struct sweep_plan plan_of(const struct room *room, const struct proto_sweep *order)
{
    const uint32_t rate = scene_definition_of(room->present)->tick_rate;

    return (struct sweep_plan){.from = order->from,
                               .to = order->to,
                               .steps = order->steps,
                               .warm_up = order->warm_up * rate,
                               .ticks = order->seconds * rate,
                               .every = (rate + SAMPLE_RATE - 1) / SAMPLE_RATE};
}

bool sweeps_start(struct room *room, uint32_t slot, const struct proto_sweep *order, uint64_t time,
                  struct proto_error *error)
{
    const struct sweep_plan plan = plan_of(room, order);
    struct room_sweep *run;

    if (!may_start(room, order, error)) {
        return false;
    }
    run = room->sweep != NULL ? room->sweep : calloc(1, sizeof *run);
    if (run == NULL) {
        return refuse_message(error, PROTO_E_FULL, "", "sweep: out of memory");
    }
    run->state = SWEEP_RUNNING;
    run->by = slot != PEOPLE_NONE ? room_person_at(room, slot)->id : 0;
    snprintf(run->who, sizeof run->who, "%s",
             slot != PEOPLE_NONE ? room->identities[slot].name : "");
    run->order = *order;
    run->tick = scene_ticks(room->present);
    run->due = false;
    sweep_begin(&run->sweep, &plan);
    room->sweep = run;
    room->versions[VIEW_ROOM]++; /* it can be undone */
    if (!set_next(room, time, error)) {
        run->state = SWEEP_REFUSED;
        return false;
    }
    return true;
}

void sweeps_end(struct room *room, enum sweep_state state, uint64_t time)
{
    assert(state != SWEEP_RUNNING);
    if (sweeps_runs(room)) {
        put_back(room, time);
        room->sweep->state = state;
        room->versions[VIEW_ROOM]++;
    }
}

/* Returns the present value of the parameter. */
static float present_value(const struct room *room)
{
    const struct flock *flock = scene_flock(room->present);
    const int index = flock_param_find(flock_settings_of(flock)->model, room->sweep->order.name);

    assert(index >= 0); /* a new model ends a sweep */
    return flock_param_get(flock, (size_t)index);
}

static void describe_value(const struct room *room, char out[CHANGE_VALUE_MAX])
{
    snprintf(out, CHANGE_VALUE_MAX, "%g", (double)present_value(room));
}

void sweeps_undo(struct room *room, struct change *change, uint64_t time)
{
    assert(sweeps_runs(room));
    snprintf(change->undone, sizeof change->undone, "param %.*s",
             (int)(sizeof change->undone - sizeof "param "), room->sweep->order.name);
    describe_value(room, change->before);
    sweeps_end(room, SWEEP_STOPPED, time);
    describe_value(room, change->after);
    change->changed = true;
}

bool sweeps_save(struct room *room, const struct input *save, struct change *change,
                 struct proto_error *error)
{
    const struct room_sweep *run = room->sweep;
    struct proto_client_message lasting, passing;
    struct proto_error costs;
    struct change unread;
    bool saved;

    assert(sweeps_runs(room) && scene_is_passing(room->present));
    lasting = message_of(run, scene_lasting(room->present));
    passing = message_of(run, present_value(room));
    if (!apply_value(room, &lasting, INPUT_BACK, save->time, &unread, error)) {
        return false;
    }
    saved = apply_input(room, save, change, error);
    if (!apply_value(room, &passing, INPUT_PASSES, save->time, &unread, &costs)) {
        room->sweep->state = SWEEP_REFUSED; /* boids have come too near for the passing value */
        room->versions[VIEW_ROOM]++;
    }
    return saved;
}

void sweeps_follow(struct room *room, const struct proto_client_message *message)
{
    if (sweeps_runs(room) && !scene_is_passing(room->present)) {
        room->sweep->state = message->type == PROTO_SET ? SWEEP_PRESET : SWEEP_PARAM;
        room->versions[VIEW_ROOM]++;
    }
}

void sweeps_advance(struct room *room, uint64_t time)
{
    struct room_sweep *run = room->sweep;
    struct proto_error unread;

    if (!sweeps_runs(room) || !run->due) {
        return;
    }
    run->due = false;
    if (sweep_is_complete(&run->sweep)) {
        sweeps_end(room, SWEEP_DONE, time);
    } else if (!set_next(room, time, &unread)) {
        sweeps_end(room, SWEEP_REFUSED, time);
    }
}

void sweeps_measure(struct room *room, struct flock_workspace *engine)
{
    struct room_sweep *run = room->sweep;

    if (sweeps_runs(room) && !run->due && scene_ticks(room->present) != run->tick) {
        run->tick = scene_ticks(room->present);
        run->due = sweep_tick(&run->sweep, scene_flock(room->present), engine);
    }
}

/* ---- the topic ---- */

static void describe_points(const struct sweep *sweep, struct proto_swept *out)
{
    out->count = sweep->count;
    for (uint32_t i = 0; i < sweep->count; i++) {
        const struct sweep_point *point = &sweep->points[i];
        out->points[i].value = point->value;
        out->points[i].samples = point->samples;
        memcpy(out->points[i].means, point->mean, sizeof point->mean);
        memcpy(out->points[i].errors, point->error, sizeof point->error);
    }
}

static void describe_run(const struct room_sweep *run, struct proto_swept *out)
{
    snprintf(out->state, sizeof out->state, "%s", state_names[run->state]);
    out->by = run->by;
    snprintf(out->who, sizeof out->who, "%s", run->who);
    snprintf(out->name, sizeof out->name, "%s", run->order.name);
    out->from = run->order.from;
    out->to = run->order.to;
    out->steps = run->order.steps;
    out->warm_up = run->order.warm_up;
    out->seconds = run->order.seconds;
    describe_points(&run->sweep, out);
}

struct frame *sweeps_frame(const struct room *room)
{
    struct proto_swept swept = {.state = "none"};
    uint8_t bytes[PROTO_STATE_MAX];

    if (room->sweep != NULL) {
        describe_run(room->sweep, &swept);
    }
    return frame_of(bytes, proto_encode_swept(bytes, sizeof bytes, &swept));
}
