#include "scene/world.h"

#include "past/history.h"
#include "room/state.h"
#include "room/tell.h"

static bool side_reaches(float value, float side, float quantum, const char *field,
                         struct proto_error *error)
{
    float min = proto_dequantise(INT16_MIN, side, quantum);
    float max = proto_dequantise(INT16_MAX, side, quantum);

    if (value >= min && value <= max) {
        return true;
    }
    return tell_refuse(error, PROTO_E_RANGE, field, "%s: expected %g to %g, got %g", field,
                       (double)min, (double)max, (double)value);
}

bool world_reaches(const struct room *room, float x, float y, struct proto_error *error)
{
    const struct flock_definition *flock = flock_definition_of(room->flock);

    return side_reaches(x, flock->width, room->quantum, "x", error) &&
           side_reaches(y, flock->height, room->quantum, "y", error);
}

static float within(float value, float side)
{
    return value < 0.0F ? 0.0F : value > side ? side : value;
}

void world_keep(const struct room *room, float *x, float *y)
{
    const struct flock_definition *flock = flock_definition_of(room->flock);

    *x = within(*x, flock->width);
    *y = within(*y, flock->height);
}

void world_withdraw_beyond(struct room *room)
{
    const struct flock_definition *flock = flock_definition_of(room->flock);
    const struct person *person;
    uint32_t next = 0;

    while ((person = people_each(&room->people, &next)) != NULL) {
        const uint32_t slot = (uint32_t)(person - room->people.slots);
        const struct cursor *cursor = &person->cursor;
        if (cursor->present && (cursor->x > flock->width || cursor->y > flock->height)) {
            people_withdraw(&room->people, slot);
            history_input(room, &(struct input){.type = INPUT_AWAY, .slot = slot});
        }
    }
}
