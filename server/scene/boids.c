#include "scene/boids.h"

#include "room/state.h"
#include "room/tell.h"
#include "scene/budget.h"
#include "scene/cost.h"
#include "scene/world.h"

#define STEPS_MAX 1000u /* asked for and not yet made */

/* Takes that many boids more from the budget of all rooms. field: of the message that asks for
 * them; what: how its error begins. */
static bool take(struct room *room, uint32_t more, const char *field, const char *what,
                 struct proto_error *error)
{
    uint32_t left = 0;

    if (budget_take(room->definition.budget, more, &left)) {
        return true;
    }
    budget_count_refusal(room->definition.budget);
    return tell_refuse(error, PROTO_E_FULL, field,
                       "%s: all rooms together have %u boids left, this needs %u", what, left,
                       more);
}

bool boids_add(struct room *room, const struct proto_add *message, struct proto_error *error)
{
    uint32_t left = room->definition.boids_max - flock_count(room->flock);

    if (!world_reaches(room, message->x, message->y, error)) {
        return false;
    }
    if (message->count > left) {
        budget_count_refusal(room->definition.budget);
        return tell_refuse(error, PROTO_E_FULL, "count",
                           "count: the room may have %u boids more, got %u", left, message->count);
    }
    if (!cost_allows_count(room, flock_count(room->flock) + message->count, "count", "count",
                           error) ||
        !cost_allows_add(room, message, error) ||
        !take(room, message->count, "count", "count", error)) {
        return false;
    }
    if (!flock_add(room->flock, message->x, message->y, message->count)) {
        budget_give(room->definition.budget, message->count);
        return tell_refuse(error, PROTO_E_FULL, "", "add: out of memory");
    }
    return true;
}

void boids_remove(struct room *room, const struct proto_remove *message)
{
    budget_give(room->definition.budget, flock_remove(room->flock, message->count));
}

static bool fill_up(struct room *room, uint32_t more, struct proto_error *error)
{
    const struct flock_definition *flock = flock_definition_of(room->flock);

    if (!take(room, more, "", "reset", error)) {
        return false;
    }
    if (!flock_add(room->flock, flock->width / 2.0F, flock->height / 2.0F, more)) {
        budget_give(room->definition.budget, more);
        return tell_refuse(error, PROTO_E_FULL, "", "reset: out of memory");
    }
    return true;
}

bool boids_reset(struct room *room, struct proto_error *error)
{
    uint32_t count = flock_count(room->flock);

    if (!cost_allows_count(room, room->boids, "", "reset", error) ||
        !cost_allows_reset(room, room->boids, error)) {
        return false;
    }
    if (count < room->boids && !fill_up(room, room->boids - count, error)) {
        return false;
    }
    if (count > room->boids) {
        budget_give(room->definition.budget, flock_remove(room->flock, count - room->boids));
    }
    flock_reset(room->flock);
    return true;
}

bool boids_preset(struct room *room, const struct flock_preset *preset, struct proto_error *error)
{
    struct flock_preset fitting = *preset;
    uint32_t count = flock_count(room->flock);
    uint32_t more;

    if (fitting.boids > room->definition.boids_max) {
        fitting.boids = room->definition.boids_max;
    }
    more = fitting.boids > count ? fitting.boids - count : 0;
    if (!cost_allows_preset(room, &fitting, error) || !take(room, more, "value", "preset", error)) {
        return false;
    }
    if (!flock_set_preset(room->flock, &fitting)) {
        budget_give(room->definition.budget, more);
        return tell_refuse(error, PROTO_E_FULL, "", "preset: out of memory");
    }
    budget_give(room->definition.budget, count > fitting.boids ? count - fitting.boids : 0);
    flock_reset(room->flock); /* to the beginning that the preset is made for */
    room->boids = fitting.boids;
    room->quantum = proto_quantum(preset->width, preset->height);
    return true;
}

bool boids_step(struct room *room, struct proto_error *error)
{
    if (!room->paused) {
        return tell_refuse(error, PROTO_E_STATE, "",
                           "step: the flock is running; it steps while it is paused");
    }
    if (room->steps == STEPS_MAX) {
        return tell_refuse(error, PROTO_E_FULL, "", "step: %u steps are still to be made",
                           STEPS_MAX);
    }
    if (!cost_allows_ticks(room, "", "step", error)) {
        return false;
    }
    room->steps++;
    return true;
}
