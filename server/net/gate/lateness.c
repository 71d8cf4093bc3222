#include "net/gate/lateness.h"

static void raise_to(uint64_t *time, uint64_t least)
{
    if (*time < least) {
        *time = least;
    }
}

void lateness_look(struct lateness *lateness, uint64_t idle)
{
    lateness->idle = idle;
    lateness->looked = true;
}

void lateness_find(struct lateness *lateness, uint64_t found, uint64_t idle)
{
    if (lateness->looked && idle > lateness->idle) {
        raise_to(&lateness->finished, found);
    }
    lateness->looked = false;
}

void lateness_finish(struct lateness *lateness, uint64_t found)
{
    raise_to(&lateness->finished, found);
    lateness->looked = false;
}
