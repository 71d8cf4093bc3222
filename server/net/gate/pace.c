#include "net/gate/pace.h"

#define CREDIT_MAX ((float)(PACE_RATE * PACE_TIME))

void pace_begin(struct pace *pace, uint32_t now)
{
    *pace = (struct pace){.credit = CREDIT_MAX, .at = now, .on = true};
}

void pace_end(struct pace *pace)
{
    pace->on = false;
}

void pace_move(struct pace *pace, size_t bytes, uint32_t now)
{
    const float credit =
        pace->credit - (float)(now - pace->at) * (float)PACE_RATE / 1000.0f + (float)bytes;

    pace->credit = credit < CREDIT_MAX ? credit : CREDIT_MAX;
    pace->at = now;
}

bool pace_late(struct pace *pace, uint32_t now)
{
    pace_move(pace, 0, now);
    return pace->on && pace->credit <= 0.0f;
}
