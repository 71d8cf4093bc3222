#include "term/draw/economy.h"

enum { LEVELS = 8 };

#define SMOOTHED     400000.0 /* µs over which the rate is measured */
#define SETTLED      800000   /* µs after a change before the rate is believed */
#define PATIENCE     3000000
#define PATIENCE_MAX 60000000
#define AGAIN        30000000
#define EXPECTED     0.75 /* of the budget, until the rate of another level is known */
#define SPARE        0.5  /* of the budget: with less, more may be drawn */

/* What the levels draw: how many fades a trail has, and every how many rows a frame has. */
static const struct {
    int fades;
    bool steady, runs;
    uint32_t rows;
} levels[LEVELS] = {
    {3, false, false, 1}, {1, true, false, 1}, {1, true, true, 1}, {0, true, true, 1},
    {0, true, true, 2},   {0, true, true, 3},  {0, true, true, 4}, {0, true, true, 6},
};

/* Changes the level and begins another measurement. */
static void change_level(struct economy *economy, int by, int64_t now, double budget)
{
    economy->level += by;
    economy->changed = now;
    economy->raised = by < 0;
    economy->rate = EXPECTED * budget;
}

/* Draws less. If more was drawn a short time ago, that was too much: it takes longer to come back.
 */
static void save_bytes(struct economy *economy, int64_t now, double budget)
{
    bool again = economy->raised && now - economy->changed < AGAIN;
    if (!again) {
        economy->patience = PATIENCE;
    } else if (economy->patience < PATIENCE_MAX) {
        economy->patience *= 2;
    }
    change_level(economy, 1, now, budget);
}

void economy_follow(struct economy *economy, uint64_t sent, int64_t now, double budget)
{
    double passed = (double)(now - economy->at);
    economy->frame++;
    if (economy->at == 0 || passed <= 0) {
        economy->patience = PATIENCE;
    } else {
        double weight = passed < SMOOTHED ? passed / SMOOTHED : 1;
        double rate = (double)(sent - economy->sent) * 1e6 / passed;
        economy->rate += weight * (rate - economy->rate);
    }
    economy->sent = sent;
    economy->at = now;
    int64_t settled = now - economy->changed;
    if (settled < SETTLED) {
        return;
    }
    if (economy->rate > budget && economy->level + 1 < LEVELS) {
        save_bytes(economy, now, budget);
    } else if (economy->rate < budget * SPARE && economy->level > 0 &&
               settled > economy->patience) {
        change_level(economy, -1, now, budget);
    }
}

struct shade_detail economy_detail(const struct economy *economy, int fades)
{
    int most = levels[economy->level].fades;
    return (struct shade_detail){
        .fades = fades < most ? fades : most,
        .steady = levels[economy->level].steady,
        .runs = levels[economy->level].runs,
    };
}

bool economy_has_row(const struct economy *economy, int row)
{
    return ((uint32_t)row + economy->frame) % levels[economy->level].rows == 0;
}
