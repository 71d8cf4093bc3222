#include "room/branch.h"

#include <string.h>

#include "base/refusal.h"
#include "room/state.h"
#include "scene/passing.h"
#include "scene/scene_state.h"

uint8_t *room_branch(struct room *room, uint64_t now, uint32_t boids_max, size_t *size,
                     uint32_t *boids, uint32_t *model, struct proto_error *error)
{
    const struct scene *shown = room_shown(room);
    uint8_t *state;

    *boids = flock_count(scene_flock(shown));
    *model = flock_model_index(flock_settings_of(scene_flock(shown))->model);
    if (room->shown.seeks) {
        refuse_message(error, PROTO_E_STATE, "",
                       "the moment is still loading; try again in a moment");
        return NULL;
    }
    if (*boids > boids_max) {
        refuse_message(error, PROTO_E_RANGE, "",
                       "the room has %u boids, a new one may have %u (--room-boids)", *boids,
                       boids_max);
        return NULL;
    }
    scene_swap_passing(room->present); /* a branch has no sweep */
    state =
        scene_save(shown, shown == room->present ? room_time(room, now) : room->shown.clock, size);
    scene_swap_passing(room->present);
    if (state == NULL) {
        refuse_message(error, PROTO_E_FULL, "", "out of memory");
        return NULL;
    }
    saved_seal(state, *size);
    return state;
}

char *room_branch_join_key(const struct room *room)
{
    return strdup(room->definition.join_key);
}
