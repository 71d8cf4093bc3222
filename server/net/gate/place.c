#include "net/gate/place.h"

#include <assert.h>
#include <search.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <uv.h>

/* A network with clients. It is freed with the last of them. */
struct place_network {
    struct ip ip;               /* must be first: a key of the tree is a struct ip */
    struct list_item item;      /* in the list of all networks */
    struct list clients;        /* in slots for everyone; the newest is the last */
    uint32_t client_count;      /* of these */
    uint32_t presenters, slots; /* trusted presenters; slots of any type */
};

struct places {
    uv_mutex_t lock; /* guards the fields below */
    uint32_t clients_max, displaced_max;
    struct list displaced; /* displaced clients that their shards have not closed yet */
    struct list networks;  /* the newest is the last */
    void *tree;            /* the same networks by address, for tsearch() */
    /* Slots in use, displaced clients, and trusted presenters in slots of any type. Written with
     * the lock held, read by any thread. */
    atomic_uint clients, presenters, displaced_count, presenting;
};

struct places *places_create(uint32_t clients_max, uint32_t displaced_max)
{
    struct places *places = calloc(1, sizeof *places);

    assert(clients_max > 0 && displaced_max > 0 && displaced_max <= PLACE_DISPLACED_MAX);
    if (places == NULL || uv_mutex_init(&places->lock) != 0) {
        free(places);
        return NULL;
    }
    places->clients_max = clients_max;
    places->displaced_max = displaced_max;
    return places;
}

void places_destroy(struct places *places)
{
    if (places != NULL) {
        assert(places_count(places) == 0 && places->networks.first == NULL);
        uv_mutex_destroy(&places->lock);
        free(places);
    }
}

bool places_full(const struct places *places)
{
    return atomic_load(&places->clients) >= places->clients_max;
}

uint32_t places_count(const struct places *places)
{
    return atomic_load(&places->clients) + atomic_load(&places->presenters);
}

/* ---- networks ---- */

static int compare_networks(const void *a, const void *b)
{
    return memcmp(a, b, sizeof(struct ip));
}

static struct place_network *find_network(const struct places *places, const struct ip *ip)
{
    struct place_network *const *found = tfind(ip, &places->tree, compare_networks);

    return found != NULL ? *found : NULL;
}

/* Returns the slots of a network with a trusted presenter, or 0. */
static uint32_t count_trusted(struct places *places, const struct ip *network)
{
    const struct place_network *found;
    uint32_t slots = 0;

    if (atomic_load(&places->presenting) == 0) {
        return 0;
    }
    uv_mutex_lock(&places->lock);
    found = find_network(places, network);
    if (found != NULL && found->presenters > 0) {
        slots = found->slots;
    }
    uv_mutex_unlock(&places->lock);
    return slots;
}

bool places_trust(struct places *places, const struct ip *network)
{
    return count_trusted(places, network) > 0;
}

bool places_teach(struct places *places, const struct ip *network)
{
    const uint32_t slots = count_trusted(places, network);

    return slots > 0 && slots <= PLACE_CLASS;
}

static struct place_network *find_or_add_network(struct places *places, const struct ip *ip)
{
    struct place_network *network = find_network(places, ip);

    if (network != NULL) {
        return network;
    }
    network = calloc(1, sizeof *network);
    if (network == NULL) {
        return NULL;
    }
    network->ip = *ip;
    if (tsearch(network, &places->tree, compare_networks) == NULL) {
        free(network);
        return NULL;
    }
    list_append(&places->networks, &network->item);
    return network;
}

/* Frees a network without slots. */
static void free_if_empty(struct places *places, struct place_network *network)
{
    if (network->slots > 0) {
        return;
    }
    assert(network->client_count == 0 && network->presenters == 0);
    tdelete(network, &places->tree, compare_networks);
    list_remove(&places->networks, &network->item);
    free(network);
}

/* ---- slots ---- */

static void enter(struct places *places, struct place *place, enum place_type type)
{
    struct place_network *network = place->network;

    assert(place->type == PLACE_NONE);
    place->type = (uint8_t)type;
    network->slots++;
    if (type == PLACE_PRESENTER) {
        atomic_fetch_add(&places->presenters, 1);
    } else {
        list_append(&network->clients, &place->item);
        network->client_count++;
        atomic_fetch_add(&places->clients, 1);
    }
    assert(places->presenters <= PLACE_PRESENTERS && places->clients <= places->clients_max);
}

/* Notes that the client is a trusted presenter, or no longer one. */
static void set_presents(struct places *places, struct place *place, bool presents)
{
    if (place->presents != presents) {
        assert(presents || place->network->presenters > 0);
        place->presents = presents;
        place->network->presenters += presents ? 1 : UINT32_MAX;
        atomic_fetch_add(&places->presenting, presents ? 1 : UINT32_MAX);
    }
}

/* Takes the slot from its client. Does not free the network. */
static void leave(struct places *places, struct place *place)
{
    struct place_network *network = place->network;

    assert(place->type == PLACE_CLIENT || place->type == PLACE_PRESENTER);
    assert(network->slots > 0);
    network->slots--;
    if (place->type == PLACE_PRESENTER) {
        atomic_fetch_sub(&places->presenters, 1);
    } else {
        list_remove(&network->clients, &place->item);
        network->client_count--;
        atomic_fetch_sub(&places->clients, 1);
    }
    place->type = PLACE_NONE;
}

/* Returns the network without trusted presenters that has the most clients, of several the newest.
 * Returns NULL if there is none. */
static struct place_network *find_most(const struct places *places)
{
    struct place_network *most = NULL;

    for (const struct list_item *item = places->networks.first; item != NULL; item = item->next) {
        struct place_network *network = list_entry(item, struct place_network, item);
        if (network->presenters == 0 && network->client_count > 0 &&
            (most == NULL || network->client_count >= most->client_count)) {
            most = network;
        }
    }
    return most;
}

/* Returns true if the network must give a slot to the newcomer's, which has fewer also with it. */
static bool has_too_many(const struct place_network *network, const struct place_network *newcomer)
{
    return network->client_count > PLACE_CLASS &&
           network->client_count > newcomer->client_count + 1;
}

/* Displaces a client for one of that network. Returns its shard, or PLACE_NO_SHARD. */
static uint32_t displace_client(struct places *places, const struct place_network *newcomer)
{
    struct place_network *most = NULL;
    struct place *place;

    if (places->displaced_count < places->displaced_max) {
        most = find_most(places);
    }
    if (most == NULL || most == newcomer ||
        (newcomer->presenters == 0 && !has_too_many(most, newcomer))) {
        return PLACE_NO_SHARD;
    }
    place = list_entry(most->clients.last, struct place, item);
    assert(!place->presents);
    leave(places, place);
    place->type = PLACE_DISPLACED;
    place->network = NULL;
    list_append(&places->displaced, &place->item);
    atomic_fetch_add(&places->displaced_count, 1);
    free_if_empty(places, most);
    return place->shard;
}

static void forget_displaced(struct places *places, struct place *place)
{
    list_remove(&places->displaced, &place->item);
    atomic_fetch_sub(&places->displaced_count, 1);
    place->type = PLACE_NONE;
}

/* Returns true if the claim may have a reserved slot. */
static bool has_reserved(const struct places *places, const struct place_claim *claim)
{
    return claim->has_key &&
           places->presenters < (claim->trusted ? PLACE_PRESENTERS : PLACE_PRESENTERS / 2);
}

enum place_type place_take(struct places *places, struct place *place,
                           const struct place_claim *claim, uint32_t *displaced)
{
    enum place_type type;

    assert(place->type == PLACE_NONE);
    *displaced = PLACE_NO_SHARD;
    uv_mutex_lock(&places->lock);
    *place = (struct place){.network = find_or_add_network(places, &claim->network),
                            .shard = claim->shard};
    if (place->network != NULL) {
        if (places_full(places)) {
            *displaced = displace_client(places, place->network);
        }
        if (!places_full(places)) {
            enter(places, place, PLACE_CLIENT);
        } else if (has_reserved(places, claim)) {
            enter(places, place, PLACE_PRESENTER);
        }
        free_if_empty(places, place->network);
    }
    type = (enum place_type)place->type;
    uv_mutex_unlock(&places->lock);
    return type;
}

void place_give(struct places *places, struct place *place)
{
    struct place_network *network;

    uv_mutex_lock(&places->lock);
    network = place->network;
    if (place->type == PLACE_DISPLACED) {
        forget_displaced(places, place);
    } else if (place->type != PLACE_NONE) {
        set_presents(places, place, false);
        leave(places, place);
        free_if_empty(places, network);
    }
    place->network = NULL;
    uv_mutex_unlock(&places->lock);
}

void place_present(struct places *places, struct place *place, bool presents)
{
    uv_mutex_lock(&places->lock);
    if ((place->type == PLACE_CLIENT || place->type == PLACE_PRESENTER) &&
        place->presents != presents) {
        set_presents(places, place, presents);
        if (presents && place->type == PLACE_CLIENT && places->presenters < PLACE_PRESENTERS) {
            leave(places, place);
            enter(places, place, PLACE_PRESENTER);
        }
    }
    uv_mutex_unlock(&places->lock);
}

struct place *place_displaced(struct places *places, uint32_t shard)
{
    struct place *place = NULL;

    if (atomic_load(&places->displaced_count) == 0) {
        return NULL;
    }
    uv_mutex_lock(&places->lock);
    for (struct list_item *item = places->displaced.first; item != NULL && place == NULL;
         item = item->next) {
        struct place *at = list_entry(item, struct place, item);
        place = at->shard == shard ? at : NULL;
    }
    if (place != NULL) {
        forget_displaced(places, place);
    }
    uv_mutex_unlock(&places->lock);
    return place;
}
