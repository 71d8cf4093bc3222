#include "net/gate/overload.h"

#include <string.h>

#define BUSY_TIME      2u /* s */
#define SETTLE_TIME    3u
#define TRY_TIME       10u
#define PATIENCE_FIRST 5u
#define PATIENCE_LAST  60u
#define SKIPPED_MIN    4u   /* snapshots a second: fewer are chance */
#define SPARE_MIN      550u /* 1/1000: twice the work leaves 1/10 of the time */

void overload_init(struct overload *overload)
{
    memset(overload, 0, sizeof *overload);
    overload->patience = PATIENCE_FIRST;
}

void overload_count(struct overload *overload, uint32_t sent, uint32_t skipped)
{
    overload->sent += sent;
    overload->skipped += skipped;
}

static uint8_t raised_by(uint8_t level, uint32_t steps)
{
    return (uint8_t)(level + steps < OVERLOAD_MAX ? level + steps : OVERLOAD_MAX);
}

/* Returns the last class whose level is raised: those before it have the highest level or no
 * clients, or together less than an eighth of its clients. */
static uint32_t find_last(const struct overload *overload, const uint32_t clients[OVERLOAD_CLASSES])
{
    uint32_t last = 0, earlier = 0;
    bool highest = true;

    for (uint32_t i = 0; i < OVERLOAD_CLASSES; i++) {
        if (highest || earlier < clients[i] / 8) {
            last = i;
        }
        highest = highest && (overload->levels[i] == OVERLOAD_MAX || clients[i] == 0);
        earlier += clients[i];
    }
    return last;
}

/* Takes two steps only if the shard would skip half of the snapshots after one step: joining
 * clients take time, too, for a moment. */
static bool raise_levels(struct overload *overload, const uint32_t clients[OVERLOAD_CLASSES])
{
    const uint32_t last = find_last(overload, clients);
    uint8_t before[OVERLOAD_CLASSES];
    uint32_t steps = 1;

    while (steps < OVERLOAD_MAX &&
           overload->sent << (steps + 1) < overload->sent + overload->skipped) {
        steps++;
    }
    memcpy(before, overload->levels, sizeof before);
    for (uint32_t i = 0; i <= last; i++) {
        overload->levels[i] = raised_by(before[i], steps);
    }
    if (overload->trying > 0) {
        bool more = overload->patience < PATIENCE_LAST / 2;
        overload->patience = (uint8_t)(more ? overload->patience * 2u : PATIENCE_LAST);
    }
    overload->trying = 0;
    return memcmp(before, overload->levels, sizeof before) != 0;
}

/* Lowers the level of the last class that has one. */
static bool lower_level(struct overload *overload)
{
    for (uint32_t i = OVERLOAD_CLASSES; i-- > 0;) {
        if (overload->levels[i] > 0) {
            overload->levels[i]--;
            overload->trying = TRY_TIME;
            return true;
        }
    }
    return false;
}

static void count_second(struct overload *overload, uint32_t spare)
{
    uint32_t all = overload->sent + overload->skipped;
    bool busy = overload->skipped >= SKIPPED_MIN && overload->skipped >= all / 8;
    bool calm = overload->skipped <= all / 32 && spare >= SPARE_MIN;

    overload->busy = (uint8_t)(busy ? overload->busy + 1 : 0);
    overload->calm = (uint8_t)(calm ? overload->calm + 1 : 0);
}

bool overload_turn(struct overload *overload, const uint32_t clients[OVERLOAD_CLASSES],
                   uint32_t spare)
{
    bool changed = false;

    if (overload->settling > 0) {
        overload->settling--;
    } else {
        count_second(overload, spare);
        if (overload->busy >= BUSY_TIME) {
            changed = raise_levels(overload, clients);
        } else if (overload->calm >= overload->patience) {
            changed = lower_level(overload);
        } else if (overload->trying > 0 && --overload->trying == 0) {
            overload->patience = PATIENCE_FIRST;
        }
        if (changed || overload->busy >= BUSY_TIME || overload->calm >= overload->patience) {
            overload->busy = overload->calm = 0;
        }
        overload->settling = changed ? SETTLE_TIME : 0;
    }
    overload->sent = overload->skipped = 0;
    return changed;
}
