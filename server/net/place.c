#include "net/place.h"

static bool take(atomic_uint *count, uint32_t max)
{
    if (atomic_fetch_add(count, 1) < max) {
        return true;
    }
    atomic_fetch_sub(count, 1);
    return false;
}

enum place place_take(struct service *service, bool has_key)
{
    if (take(&service->clients, service->clients_max)) {
        return PLACE_CLIENT;
    }
    return has_key && take(&service->presenters, PLACES_PRESENTERS) ? PLACE_PRESENTER : PLACE_NONE;
}

void place_give(struct service *service, enum place place)
{
    if (place != PLACE_NONE) {
        atomic_fetch_sub(place == PLACE_CLIENT ? &service->clients : &service->presenters, 1);
    }
}
