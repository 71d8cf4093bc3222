#include "room/cursor.h"

#include <math.h>

const char *const cursor_policy_names[] = {"mean", "latest", NULL};
const char *const cursor_idle_names[] = {"wander", "hold", NULL};

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
    target->sum_x += (double)cursor->x;
    target->sum_y += (double)cursor->y;
    target->count++;
}

bool cursor_resolve(const struct cursor_target *target, float *x, float *y)
{
    if (target->count == 0) {
        return false;
    }
    if (target->policy == CURSOR_LATEST) {
        *x = target->latest.x;
        *y = target->latest.y;
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
