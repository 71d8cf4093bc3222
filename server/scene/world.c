#include "scene/world.h"

#include "base/refusal.h"
#include "scene/inside.h"

static bool side_reaches(float value, float side, float quantum, const char *field,
                         struct proto_error *error)
{
    float min = proto_dequantise(INT16_MIN, side, quantum);
    float max = proto_dequantise(INT16_MAX, side, quantum);

    if (value >= min && value <= max) {
        return true;
    }
    return refuse_message(error, PROTO_E_RANGE, field, "%s: expected %g to %g, got %g", field,
                          (double)min, (double)max, (double)value);
}

bool world_reaches(const struct scene *scene, float x, float y, struct proto_error *error)
{
    const struct flock_settings *flock = flock_settings_of(scene->flock);

    const float quantum = proto_quantum(flock->width, flock->height);

    return side_reaches(x, flock->width, quantum, "x", error) &&
           side_reaches(y, flock->height, quantum, "y", error);
}

static float within(float value, float side)
{
    return value < 0.0F ? 0.0F : value > side ? side : value;
}

void world_keep(const struct scene *scene, float *x, float *y)
{
    const struct flock_settings *flock = flock_settings_of(scene->flock);

    *x = within(*x, flock->width);
    *y = within(*y, flock->height);
}

bool world_has_beyond(const struct scene *scene, const struct person *person)
{
    const struct flock_settings *flock = flock_settings_of(scene->flock);
    const struct cursor *cursor = &person->cursor;

    return cursor->present && (cursor->x > flock->width || cursor->y > flock->height);
}
