#include "term/ui/attract.h"

#include <math.h>

/* The cursor's way, as shares of the world: it crosses the middle and keeps away from the edges.
 * The two speeds have no common period within minutes. */
#define REACH_X 0.36
#define REACH_Y 0.32
#define SPEED_X 0.43 /* radians a second */
#define SPEED_Y 0.71

void term_attract_init(struct term_attract *attract, uint32_t seconds, int64_t now)
{
    *attract = (struct term_attract){
        .every = seconds > 0 ? (int64_t)seconds * 1000000 : TERM_ATTRACT_EVERY,
        .touched_at = now,
    };
    if (seconds > 0) {
        attract->on = true; /* with the room's first preset */
        attract->next_at = now + attract->every;
    }
}

bool term_attract_touch(struct term_attract *attract, int64_t now)
{
    bool ended = attract->on;
    attract->on = false;
    attract->touched_at = now;
    return ended;
}

enum term_attract_step term_attract_tick(struct term_attract *attract, int64_t now)
{
    if (!attract->on && now - attract->touched_at < TERM_ATTRACT_IDLE) {
        return TERM_ATTRACT_REST;
    }
    if (attract->on && now < attract->next_at) {
        return TERM_ATTRACT_SHOW;
    }
    bool begins = !attract->on;
    attract->on = true;
    attract->next_at = now + attract->every;
    return begins ? TERM_ATTRACT_BEGIN : TERM_ATTRACT_NEXT;
}

void term_attract_wander(int64_t now, float *x, float *y)
{
    double seconds = (double)now / 1e6;
    *x = (float)(0.5 + REACH_X * sin(SPEED_X * seconds));
    *y = (float)(0.5 + REACH_Y * sin(SPEED_Y * seconds));
}
