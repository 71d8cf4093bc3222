#include "net/gate/meter.h"

#include <string.h>
#include <time.h>

void meter_init(struct meter *meter, uint64_t (*clock)(void), uint64_t (*ran)(void))
{
    memset(meter, 0, sizeof *meter);
    meter->clock = clock;
    meter->ran = ran;
    meter->taken_at = clock();
    meter->ran_at = ran();
}

static uint64_t beyond(uint64_t time, uint64_t then)
{
    return time > then ? time - then : 0;
}

struct meter_part meter_take(struct meter *meter)
{
    const uint64_t now = meter->clock();
    const uint64_t time = beyond(now, meter->taken_at);
    uint64_t ran, most;

    meter->taken_at = now;
    if (time <= METER_LONG) {
        meter->since += time;
        return (struct meter_part){time, time};
    }
    ran = meter->ran();
    most = beyond(ran - meter->ran_at, meter->since);
    meter->ran_at = ran;
    meter->since = 0;
    return (struct meter_part){time, time < most ? time : most};
}

uint64_t meter_thread(void)
{
    struct timespec time = {0};

    (void)clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return (uint64_t)time.tv_sec * UINT64_C(1000000000) + (uint64_t)time.tv_nsec;
}
