#include "scene/cursor.h"

#include <math.h>

#include "base/refusal.h"

const struct flock_word cursor_policies[] = {
    {"mean", "the mean of everyone's cursors"},
    {"latest", "the cursor that moved last"},
    {"nearest", "each boid follows the cursor nearest to it"},
    {"presenter", "only the presenter's cursor"},
    {"teams", "each boid follows the nearest team"},
    {"relay", "one person leads at a time"},
    {0},
};

const struct flock_word cursor_idles[] = {
    {"wander", "the target wanders slowly over the world"},
    {"hold", "there is no target"},
    {0},
};

const char *cursor_policy_name(size_t index)
{
    return cursor_policies[index].name;
}

const char *cursor_idle_name(size_t index)
{
    return cursor_idles[index].name;
}

#define TWO_PI 6.283185307179586

bool cursor_active(const struct cursor *cursor, uint64_t now, uint64_t timeout)
{
    return cursor->present && now < cursor->moved_at + timeout;
}

void cursor_gather(struct cursor_target *target, const struct cursor *cursor)
{
    if (target->count == 0 || cursor->moved_at >= target->latest.moved_at) {
        target->latest = *cursor;
    }
    target->count++;
    if (target->width > 0.0F) {
        double x = TWO_PI * (double)cursor->x / (double)target->width;
        double y = TWO_PI * (double)cursor->y / (double)target->height;
        target->sin_x += sin(x);
        target->cos_x += cos(x);
        target->sin_y += sin(y);
        target->cos_y += cos(y);
    } else {
        target->sum_x += (double)cursor->x;
        target->sum_y += (double)cursor->y;
    }
}

/* The coordinate in [0, size) of a direction on the circle. */
static float around(double sine, double cosine, float size)
{
    double turns = atan2(sine, cosine) / TWO_PI;

    return (float)((turns - floor(turns)) * (double)size);
}

/* From `last` toward `next` on a circle of that size, by at most CURSOR_GLIDE of it; in [0, size).
 */
static float glide(float last, float next, float size)
{
    float way = next - last - size * roundf((next - last) / size);
    float most = CURSOR_GLIDE * size;
    float there = last + (way > most ? most : way < -most ? -most : way);

    return there - size * floorf(there / size);
}

bool cursor_resolve(const struct cursor_target *target, float *x, float *y)
{
    if (target->count == 0) {
        return false;
    }
    if (target->policy == CURSOR_LATEST || target->count == 1) {
        *x = target->latest.x;
        *y = target->latest.y;
    } else if (target->width > 0.0F) {
        *x = around(target->sin_x, target->cos_x, target->width);
        *y = around(target->sin_y, target->cos_y, target->height);
        if (target->has_last) {
            *x = glide(target->last_x, *x, target->width);
            *y = glide(target->last_y, *y, target->height);
        }
    } else {
        *x = (float)(target->sum_x / target->count);
        *y = (float)(target->sum_y / target->count);
    }
    return true;
}

void cursor_wander(uint64_t now, float width, float height, float *x, float *y)
{
    double t = (double)now / 1e6;

    *x = (float)((double)width * (0.5 + 0.3 * sin(TWO_PI * t / 23.0)));
    *y = (float)((double)height * (0.5 + 0.3 * sin(TWO_PI * t / 31.0 + 1.0)));
}

/* ---- the world ---- */

static bool side_reaches(float value, float side, float quantum, const char *field,
                         struct proto_error *error)
{
    float min = proto_dequantise(INT16_MIN, side, quantum);
    float max = proto_dequantise(INT16_MAX, side, quantum);

    if (value >= min && value <= max) {
        return true;
    }
    return refuse_message(error, PROTO_E_RANGE, field, "%s: expected %.8g to %.8g, got %.8g", field,
                          (double)min, (double)max, (double)value);
}

bool cursor_reaches(const struct flock_settings *world, float x, float y, struct proto_error *error)
{
    const float quantum = proto_quantum(world->width, world->height);

    return side_reaches(x, world->width, quantum, "x", error) &&
           side_reaches(y, world->height, quantum, "y", error);
}

static float within(float value, float side)
{
    return value < 0.0F ? 0.0F : value > side ? side : value;
}

void cursor_keep(const struct flock_settings *world, float *x, float *y)
{
    *x = within(*x, world->width);
    *y = within(*y, world->height);
}

bool cursor_is_beyond(const struct flock_settings *world, const struct cursor *cursor)
{
    return cursor->present && (cursor->x > world->width || cursor->y > world->height);
}
