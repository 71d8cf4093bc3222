#include "net/gate/place.h"

#include <assert.h>

#include "net/gate/crowd.h"

static bool take_slot(atomic_uint *count, uint32_t max)
{
    if (atomic_fetch_add(count, 1) < max) {
        return true;
    }
    atomic_fetch_sub(count, 1);
    return false;
}

static void give_slot(atomic_uint *count)
{
    const unsigned before = atomic_fetch_sub(count, 1);

    assert(before > 0);
    (void)before;
}

/* Returns the counter of presenters' slots of that kind; clients have another counter. */
static atomic_uint *presenters_of(struct service *service, enum place place)
{
    return &service->presenters[place == PLACE_TRUSTED];
}

/* Takes a slot reserved for presenters. Trusted presenters may also use the other presenters'
 * slots. */
static enum place take_presenters(struct service *service, const struct place_claim *claim)
{
    if (claim->has_key && claim->trusted &&
        take_slot(presenters_of(service, PLACE_TRUSTED), PLACES_PRESENTERS)) {
        return PLACE_TRUSTED;
    }
    return claim->has_key && take_slot(presenters_of(service, PLACE_PRESENTER), PLACES_PRESENTERS)
               ? PLACE_PRESENTER
               : PLACE_NONE;
}

enum place place_take(struct service *service, const struct place_claim *claim)
{
    bool displaces = false;

    if (!take_slot(&service->clients, service->clients_max)) {
        displaces = crowd_displace(service->crowd, &claim->network);
        if (!displaces) {
            return take_presenters(service, claim);
        }
        atomic_fetch_add(&service->clients, 1);
    }
    crowd_enter(service->crowd, &claim->network);
    for (uint32_t i = 0; i < service->shard_count && displaces; i++) {
        service->wake(service->waker, i);
    }
    return PLACE_CLIENT;
}

void place_give(struct service *service, enum place place, const struct ip *network)
{
    if (place == PLACE_CLIENT) {
        crowd_leave(service->crowd, network);
        give_slot(&service->clients);
    } else if (place != PLACE_NONE) {
        give_slot(presenters_of(service, place));
    }
}

enum place place_trust(struct service *service, enum place place, const struct ip *network)
{
    if (place != PLACE_CLIENT ||
        !take_slot(presenters_of(service, PLACE_TRUSTED), PLACES_PRESENTERS)) {
        return place;
    }
    place_give(service, place, network);
    return PLACE_TRUSTED;
}

bool place_yield(struct service *service, enum place place, const struct ip *network)
{
    if (place != PLACE_CLIENT || !crowd_collect(service->crowd, network)) {
        return false;
    }
    give_slot(&service->clients);
    return true;
}

uint32_t place_count(const struct service *service)
{
    return atomic_load(&service->clients) + atomic_load(&service->presenters[0]) +
           atomic_load(&service->presenters[1]);
}
