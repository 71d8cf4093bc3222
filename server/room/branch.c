#include "room/branch.h"

#include "room/room_state.h"
#include "room/state.h"
#include "room/tell.h"
#include "scene/saved.h"

uint8_t *room_branch(const struct room *room, uint64_t now, uint32_t boids_max, size_t *size,
                     uint32_t *boids, const char **model, struct proto_error *error)
{
    const struct room *shown = room_shown(room);
    uint8_t *state;

    *boids = flock_count(shown->flock);
    *model = flock_definition_of(shown->flock)->model->name;
    if (room->shown.seeks) {
        tell_refuse(error, PROTO_E_STATE, "",
                    "the moment is still being made; try again in a moment");
        return NULL;
    }
    if (*boids > boids_max) {
        tell_refuse(error, PROTO_E_RANGE, "",
                    "the room has %u boids, a new one may have %u (--room-boids)", *boids,
                    boids_max);
        return NULL;
    }
    state = room_save_bare(shown, shown == room ? now : room->shown.clock, size);
    if (state == NULL) {
        tell_refuse(error, PROTO_E_FULL, "", "out of memory");
        return NULL;
    }
    saved_seal(state, *size);
    return state;
}
