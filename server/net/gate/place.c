#include "net/gate/place.h"

#include "net/gate/crowd.h"

static bool take(atomic_uint *count, uint32_t max)
{
    if (atomic_fetch_add(count, 1) < max) {
        return true;
    }
    atomic_fetch_sub(count, 1);
    return false;
}

/* Where places of that kind are counted; of clients' not. */
static atomic_uint *presenters_of(struct service *service, enum place place)
{
    return &service->presenters[place == PLACE_TRUSTED];
}

/* One that is kept for presenters: whom the server trusts may have one of the others', too. */
static enum place take_presenters(struct service *service, const struct place_claim *claim)
{
    if (claim->has_key && claim->trusted &&
        take(presenters_of(service, PLACE_TRUSTED), PLACES_PRESENTERS)) {
        return PLACE_TRUSTED;
    }
    return claim->has_key && take(presenters_of(service, PLACE_PRESENTER), PLACES_PRESENTERS)
               ? PLACE_PRESENTER
               : PLACE_NONE;
}

enum place place_take(struct service *service, const struct place_claim *claim)
{
    bool displaces = false;

    if (!take(&service->clients, service->clients_max)) {
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
        atomic_fetch_sub(&service->clients, 1);
    } else if (place != PLACE_NONE) {
        atomic_fetch_sub(presenters_of(service, place), 1);
    }
}

enum place place_trust(struct service *service, enum place place, const struct ip *network)
{
    if (place != PLACE_CLIENT || !take(presenters_of(service, PLACE_TRUSTED), PLACES_PRESENTERS)) {
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
    atomic_fetch_sub(&service->clients, 1);
    return true;
}

uint32_t place_count(const struct service *service)
{
    return atomic_load(&service->clients) + atomic_load(&service->presenters[0]) +
           atomic_load(&service->presenters[1]);
}
