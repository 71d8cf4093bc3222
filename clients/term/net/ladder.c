#include "term/net/ladder.h"

#include <assert.h>

enum {
    STRAIN = 2,     /* added for a period that was too slow; each other period subtracts 1 */
    STRAIN_MAX = 4, /* at this strain it takes a step down */
    BOIDS_LEAST = 1024,
};

#define RATE_LEAST 5.0F /* Hz */
#define ENOUGH     1.3F /* times too slow that the next period may still be */

/* µs */
#define SETTLE       3000000 /* after a step: until the stream has changed */
#define PATIENCE     8000000 /* of calm before a step up */
#define PATIENCE_MAX 240000000
#define HOLD         30000000 /* µs that a step up must last */
#define NEVER        (INT64_MAX / 2)

/* Returns the number after one of 1, 2, 3, 4, 6, 8, 12 … */
static uint32_t next_stride(uint32_t stride)
{
    uint32_t power = 1;
    while (power <= stride / 2) {
        power *= 2;
    }
    if (stride < 2) {
        return 2;
    }
    return stride == power ? stride + stride / 2 : 2 * power;
}

static uint32_t divide_up(uint32_t number, uint32_t by)
{
    return number / by + (number % by != 0 ? 1 : 0);
}

/* Returns the smallest stride with which a snapshot has at most `boids` boids; 0: no limit. */
static uint32_t stride_for(uint32_t flock, uint32_t boids)
{
    uint32_t stride = 1;
    while (boids > 0 && divide_up(flock, stride) > boids) {
        stride = next_stride(stride);
    }
    return stride;
}

/* Returns the value of the last of the first `count` steps of that kind, or `none`. */
static uint32_t value_after(const struct ladder *ladder, uint32_t count, bool of_rate,
                            uint32_t none)
{
    for (uint32_t i = count; i > 0; i--) {
        if (ladder->steps[i - 1].of_rate == of_rate) {
            return ladder->steps[i - 1].value;
        }
    }
    return none;
}

uint32_t ladder_divisor(const struct ladder *ladder)
{
    return value_after(ladder, ladder->count, true, 1);
}

uint32_t ladder_boids(const struct ladder *ladder)
{
    return value_after(ladder, ladder->count, false, 0);
}

float ladder_rate_above(const struct ladder *ladder)
{
    if (ladder->count == 0 || !ladder->steps[ladder->count - 1].of_rate) {
        return 1;
    }
    return (float)ladder_divisor(ladder) / (float)value_after(ladder, ladder->count - 1, true, 1);
}

static void settle_ladder(struct ladder *ladder)
{
    ladder->settling = SETTLE;
    ladder->strain = 0;
    ladder->calm = 0;
}

void ladder_init(struct ladder *ladder)
{
    *ladder = (struct ladder){.undone = NEVER, .patience = PATIENCE};
    settle_ladder(ladder);
}

void ladder_restart(struct ladder *ladder, float rate)
{
    ladder->rate = rate;
    settle_ladder(ladder);
}

/* Takes the best step down; returns how many times less comes, or 0 if this is the least. */
static float take_step(struct ladder *ladder, uint32_t flock)
{
    uint32_t divisor = ladder_divisor(ladder);
    uint32_t stride = stride_for(flock, ladder_boids(ladder));
    struct ladder_step step = {.of_rate = true, .value = next_stride(divisor)};
    float ratio = (float)step.value / (float)divisor;
    if (ladder->rate / (float)step.value < RATE_LEAST) {
        uint32_t next = next_stride(stride);
        step = (struct ladder_step){.value = divide_up(flock, next)};
        ratio = (float)next / (float)stride;
        if (step.value < BOIDS_LEAST) {
            return 0;
        }
    }
    if (ladder->count == LADDER_STEPS) {
        return 0;
    }
    ladder->steps[ladder->count++] = step;
    return ratio;
}

static bool step_down(struct ladder *ladder, const struct ladder_period *period)
{
    uint32_t before = ladder->count;
    float over = period->over;
    float ratio;
    do {
        ratio = take_step(ladder, period->flock);
        over = ratio > 0 ? over / ratio : 0;
    } while (over > ENOUGH);
    if (ladder->undone < HOLD) {
        ladder->patience =
            2 * ladder->patience < PATIENCE_MAX ? 2 * ladder->patience : PATIENCE_MAX;
    } else {
        ladder->patience = ladder->patience / 2 > PATIENCE ? ladder->patience / 2 : PATIENCE;
    }
    ladder->undone = NEVER;
    settle_ladder(ladder);
    return ladder->count > before;
}

static bool step_up(struct ladder *ladder)
{
    assert(ladder->count > 0);
    ladder->count--;
    ladder->undone = 0;
    settle_ladder(ladder);
    return true;
}

bool ladder_judge(struct ladder *ladder, const struct ladder_period *period)
{
    bool slow = period->over > 1;
    if (ladder->undone < NEVER) {
        ladder->undone += period->passed;
    }
    ladder->settling -= ladder->settling > 0 ? period->passed : 0;
    if (ladder->settling > 0) {
        return false;
    }
    if (slow) {
        ladder->strain += STRAIN;
        ladder->calm = 0;
    } else {
        ladder->strain -= ladder->strain > 0 ? 1 : 0;
        ladder->calm += period->calm ? period->passed : 0;
    }
    if (slow && ladder->strain >= STRAIN_MAX) {
        return step_down(ladder, period);
    }
    return ladder->calm >= ladder->patience && ladder->count > 0 && step_up(ladder);
}
