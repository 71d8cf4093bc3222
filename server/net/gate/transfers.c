#include "net/gate/transfers.h"

#include <assert.h>
#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <uv.h>

#include "config/config.h"
#include "net/gate/pace.h"

#define NETWORKS 256u /* remembered; more than transfers can be of */

#define LAG (TRANSFERS_LAG / 0.6931472f) /* s; ln 2 */

/* A network that has or had transfers. */
struct network {
    struct ip ip;
    float past;      /* s: costs of its earlier transfers, which it forgets */
    float costs;     /* s: with its transfers that run */
    uint32_t places; /* of its transfers */
    bool known;
};

struct place {
    uint32_t transfer; /* its number; 0: free */
    uint32_t shard;
    struct network *network;
    uint64_t since; /* µs */
    uint64_t at;    /* µs: time of the cost and the rate */
    float cost;     /* s */
    float rate;     /* times PACE_RATE, now */
    bool trusted;
};

struct transfers {
    uv_mutex_t lock; /* guards the fields below */
    uint32_t most;
    uint32_t begun;    /* transfers so far; wraps */
    uint64_t at;       /* µs: time of the costs */
    atomic_uint ended; /* and not given back yet */
    struct place places[CONFIG_TRANSFERS_MAX];
    struct network networks[NETWORKS];
};

struct transfers *transfers_create(uint32_t most)
{
    struct transfers *transfers = calloc(1, sizeof *transfers);

    static_assert(NETWORKS > CONFIG_TRANSFERS_MAX, "one is always without a place");
    assert(most >= 1 && most <= CONFIG_TRANSFERS_MAX);
    if (transfers == NULL || uv_mutex_init(&transfers->lock) != 0) {
        free(transfers);
        return NULL;
    }
    transfers->most = most;
    return transfers;
}

void transfers_destroy(struct transfers *transfers)
{
    if (transfers != NULL) {
        for (uint32_t i = 0; i < transfers->most; i++) {
            assert(transfers->places[i].transfer == 0);
        }
        assert(!transfers_any_lost(transfers));
        uv_mutex_destroy(&transfers->lock);
        free(transfers);
    }
}

/* ---- networks, under the lock ---- */

/* Adds the cost since the last call. The rate falls as r * exp(-t / LAG), and the cost is the
 * integral of 1 / (1 + rate). */
static void count_cost(struct place *place, uint64_t now)
{
    const float passed = now > place->at ? (float)(now - place->at) / 1e6f : 0.0f;
    const float rate = place->rate * expf(-passed / LAG);

    place->cost += passed + LAG * logf((1.0f + rate) / (1.0f + place->rate));
    place->rate = rate;
    place->at = now > place->at ? now : place->at;
}

/* Threads read the clock before they take the lock, so `now` can be a little before. */
static void count_costs(struct transfers *transfers, uint64_t now)
{
    const float passed = now > transfers->at ? (float)(now - transfers->at) / 1e6f : 0.0f;
    const float kept = exp2f(-passed / TRANSFERS_HALF);

    transfers->at = now > transfers->at ? now : transfers->at;
    for (uint32_t i = 0; i < NETWORKS; i++) {
        struct network *network = &transfers->networks[i];
        network->past *= kept;
        network->costs = network->past;
    }
    for (uint32_t i = 0; i < transfers->most; i++) {
        struct place *place = &transfers->places[i];
        if (place->transfer != 0) {
            count_cost(place, transfers->at);
            place->network->costs += place->cost;
        }
    }
}

/* Returns the network's entry. A new one replaces the entry with the lowest costs. */
static struct network *find_network(struct transfers *transfers, const struct ip *ip)
{
    struct network *least = NULL;

    for (uint32_t i = 0; i < NETWORKS; i++) {
        struct network *network = &transfers->networks[i];
        if (network->known && ip_same(&network->ip, ip)) {
            return network;
        }
        if (network->places == 0 && (least == NULL || network->costs < least->costs)) {
            least = network;
        }
    }
    assert(least != NULL); /* there are more networks than places */
    *least = (struct network){.ip = *ip, .known = true};
    return least;
}

/* ---- places, under the lock ---- */

/* Returns a free one of the places from `first` on, before `end`, if the network may have it. */
static struct place *find_free(struct transfers *transfers, const struct network *network,
                               uint32_t first, uint32_t end)
{
    struct place *free = NULL;
    uint32_t same = 0, left = 0;

    for (uint32_t i = first; i < end; i++) {
        struct place *place = &transfers->places[i];
        if (place->transfer == 0) {
            left++;
            free = free != NULL ? free : place;
        } else {
            same += place->network == network;
        }
    }
    return same == 0 || same + 1 <= left / 2 ? free : NULL;
}

/* Returns true if that place is to be freed before the other one, which may be NULL. */
static bool is_before(const struct place *place, const struct place *other)
{
    if (other == NULL || place->trusted != other->trusted) {
        return other == NULL || other->trusted;
    }
    if (place->network != other->network) {
        return place->network->costs > other->network->costs;
    }
    return (int32_t)(place->transfer - other->transfer) > 0;
}

/* Returns the place of another network whose transfer ends for the claim; NULL: none. */
static struct place *find_ended(struct transfers *transfers, const struct transfers_claim *claim,
                                const struct network *network)
{
    const float least = TRANSFERS_TIMES * network->costs + TRANSFERS_LEAST;
    struct place *found = NULL;

    for (uint32_t i = 0; i < transfers->most; i++) {
        struct place *place = &transfers->places[i];
        if (place->network == network && place->trusted == claim->trusted) {
            return NULL; /* it has a transfer */
        }
        if (place->transfer != 0 && place->network != network &&
            (claim->trusted || !place->trusted) && is_before(place, found)) {
            found = place;
        }
    }
    return found != NULL && found->trusted == claim->trusted && found->network->costs < least
               ? NULL
               : found;
}

static void free_place(struct place *place)
{
    place->network->past += place->cost;
    place->network->places--;
    *place = (struct place){0};
}

/* Numbers tell their place: they are equal to its index, modulo CONFIG_TRANSFERS_MAX. */
static struct place *place_of(struct transfers *transfers, uint32_t transfer)
{
    return &transfers->places[transfer % CONFIG_TRANSFERS_MAX];
}

static uint32_t fill_place(struct transfers *transfers, struct place *place,
                           struct network *network, const struct transfers_claim *claim)
{
    do {
        transfers->begun += CONFIG_TRANSFERS_MAX;
    } while (transfers->begun == 0);
    *place = (struct place){.transfer = transfers->begun + (uint32_t)(place - transfers->places),
                            .shard = claim->shard,
                            .network = network,
                            .since = transfers->at,
                            .at = transfers->at,
                            .trusted = claim->trusted};
    network->places++;
    return place->transfer;
}

/* ---- transfers ---- */

uint32_t transfers_take(struct transfers *transfers, const struct transfers_claim *claim,
                        uint64_t now, uint32_t *ended)
{
    const uint32_t all = transfers->most - (transfers->most + 2) / 4; /* 1 of 2 to 5, 2 of 6 to 9 */
    struct network *network;
    struct place *place;
    uint32_t transfer = 0;

    *ended = TRANSFERS_NO_SHARD;
    uv_mutex_lock(&transfers->lock);
    count_costs(transfers, now);
    network = find_network(transfers, &claim->network);
    place = find_free(transfers, network, 0, all);
    if (place == NULL && claim->trusted) {
        place = find_free(transfers, network, all, transfers->most);
    }
    if (place == NULL && atomic_load(&transfers->ended) < transfers->most) {
        place = find_ended(transfers, claim, network);
        if (place != NULL) {
            *ended = place->shard;
            atomic_fetch_add(&transfers->ended, 1);
            free_place(place);
        }
    }
    if (place != NULL) {
        transfer = fill_place(transfers, place, network, claim);
    }
    uv_mutex_unlock(&transfers->lock);
    return transfer;
}

void transfers_move(struct transfers *transfers, uint32_t transfer, size_t bytes, uint64_t now)
{
    struct place *place = place_of(transfers, transfer);

    if (transfer == 0) {
        return;
    }
    uv_mutex_lock(&transfers->lock);
    if (place->transfer == transfer) {
        count_cost(place, now);
        place->rate += (float)bytes / (float)PACE_RATE / LAG;
        place->rate = fminf(place->rate, TRANSFERS_FAST);
    }
    uv_mutex_unlock(&transfers->lock);
}

static void give(struct transfers *transfers, uint32_t transfer, bool wasted, uint64_t now)
{
    struct place *place;

    if (transfer == 0) {
        return;
    }
    place = place_of(transfers, transfer);
    uv_mutex_lock(&transfers->lock);
    count_costs(transfers, now);
    if (place->transfer == transfer) {
        if (wasted) {
            place->cost = (float)(place->at - place->since) / 1e6f;
        }
        free_place(place);
    } else {
        assert(transfers_any_lost(transfers));
        atomic_fetch_sub(&transfers->ended, 1);
    }
    uv_mutex_unlock(&transfers->lock);
}

void transfers_give(struct transfers *transfers, uint32_t transfer, uint64_t now)
{
    give(transfers, transfer, false, now);
}

void transfers_waste(struct transfers *transfers, uint32_t transfer, uint64_t now)
{
    give(transfers, transfer, true, now);
}

void transfers_end(struct transfers *transfers, uint32_t transfer, uint64_t now)
{
    struct place *place = place_of(transfers, transfer);

    uv_mutex_lock(&transfers->lock);
    count_costs(transfers, now);
    if (transfer != 0 && place->transfer == transfer) {
        free_place(place);
        atomic_fetch_add(&transfers->ended, 1);
    }
    uv_mutex_unlock(&transfers->lock);
}

bool transfers_lost(struct transfers *transfers, uint32_t transfer)
{
    bool lost;

    uv_mutex_lock(&transfers->lock);
    lost = transfer != 0 && place_of(transfers, transfer)->transfer != transfer;
    uv_mutex_unlock(&transfers->lock);
    return lost;
}

bool transfers_any_lost(const struct transfers *transfers)
{
    return atomic_load(&transfers->ended) > 0;
}
