#include "term/flock/headings.h"

#include "base/grow.h"
#include "protocol.h"
#include "term/flock/steps.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { DIRECTIONS = 256, UNIT = 256 /* the length of a heading from a snapshot */ };

#define TURN 6.283185307F

void headings_finish(struct headings *headings)
{
    free(headings->last);
    *headings = (struct headings){0};
}

void headings_forget(struct headings *headings)
{
    headings->count = 0;
}

/* Makes room for `count` headings; new ones are not known. Forgets all if memory runs out. */
static void resize_headings(struct headings *headings, uint32_t count)
{
    if (count > headings->count) {
        void *last = grow_array(headings->last, &headings->capacity, count, PROTO_BOIDS_MAX,
                                sizeof *headings->last);
        if (last == NULL) {
            headings_finish(headings);
            return;
        }
        headings->last = last;
        memset(headings->last + headings->count, 0,
               (size_t)(count - headings->count) * sizeof *headings->last);
    }
    headings->count = count;
}

static int16_t limit_step(int32_t way)
{
    way = way > INT16_MAX ? INT16_MAX : way;
    return (int16_t)(way < -INT16_MAX ? -INT16_MAX : way);
}

int32_t headings_follow(struct headings *headings, const uint8_t *from, const uint8_t *to,
                        uint32_t common, uint32_t count, const int32_t period[2])
{
    int32_t farthest = 0;
    resize_headings(headings, count);
    uint32_t known = common < headings->count ? common : headings->count;
    for (uint32_t i = 0; i < common; i++) {
        struct steps a = steps_at(from, i);
        struct steps b = steps_at(to, i);
        int32_t x = steps_between(a.x, b.x, period[0]);
        int32_t y = steps_between(a.y, b.y, period[1]);
        if (i < known && (x != 0 || y != 0)) {
            headings->last[i][0] = limit_step(x);
            headings->last[i][1] = limit_step(y);
        }
        x = x < 0 ? -x : x;
        y = y < 0 ? -y : y;
        farthest = x > farthest ? x : farthest;
        farthest = y > farthest ? y : farthest;
    }
    return farthest;
}

void headings_learn(struct headings *headings, const uint8_t *received, uint32_t count)
{
    int16_t directions[DIRECTIONS][2];
    for (int i = 0; i < DIRECTIONS; i++) {
        float angle = (float)i * TURN / DIRECTIONS;
        directions[i][0] = (int16_t)lroundf(UNIT * cosf(angle));
        directions[i][1] = (int16_t)lroundf(UNIT * sinf(angle));
    }
    resize_headings(headings, count);
    for (uint32_t i = 0; i < headings->count; i++) {
        memcpy(headings->last[i], directions[received[i]], sizeof directions[0]);
    }
}
