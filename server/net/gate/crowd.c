#include "net/gate/crowd.h"

#include <assert.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/random.h>
#include <uv.h>

#define NONE UINT32_MAX

/* A network with clients or presenters, or a free entry. */
struct network {
    struct ip ip;
    uint64_t since; /* number of its first client in the order of all clients */
    uint32_t clients, presenters, owed;
    uint32_t next; /* entry with the same hash, or free entry; NONE ends the list */
};

struct crowd {
    uv_mutex_t lock;
    uint64_t seed, number;
    uint32_t keeps, owed_max;
    atomic_uint owed; /* sum of all networks; written with the lock held */
    uint32_t max, used, free;
    uint32_t mask;   /* number of heads - 1 */
    uint32_t *heads; /* first entry for each hash, or NONE */
    struct network networks[];
};

struct crowd *crowd_create(uint32_t max, uint32_t owed_max, uint32_t keeps)
{
    struct crowd *crowd = calloc(1, sizeof *crowd + (size_t)max * sizeof crowd->networks[0]);

    if (crowd == NULL) {
        return NULL;
    }
    crowd->max = max;
    crowd->owed_max = owed_max;
    crowd->keeps = keeps;
    crowd->free = NONE;
    while (crowd->mask < max) {
        crowd->mask = 2 * crowd->mask + 1;
    }
    crowd->heads = malloc(((size_t)crowd->mask + 1) * sizeof crowd->heads[0]);
    if (crowd->heads == NULL ||
        getrandom(&crowd->seed, sizeof crowd->seed, 0) != sizeof crowd->seed ||
        uv_mutex_init(&crowd->lock) != 0) {
        free(crowd->heads);
        free(crowd);
        return NULL;
    }
    for (uint32_t i = 0; i <= crowd->mask; i++) {
        crowd->heads[i] = NONE;
    }
    return crowd;
}

void crowd_destroy(struct crowd *crowd)
{
    if (crowd != NULL) {
        uv_mutex_destroy(&crowd->lock);
        free(crowd->heads);
        free(crowd);
    }
}

/* ---- networks ---- */

static uint32_t *head_of(struct crowd *crowd, const struct ip *ip)
{
    return &crowd->heads[ip_hash(ip, crowd->seed) & crowd->mask];
}

static struct network *find_network(struct crowd *crowd, const struct ip *ip)
{
    for (uint32_t i = *head_of(crowd, ip); i != NONE; i = crowd->networks[i].next) {
        if (ip_same(&crowd->networks[i].ip, ip)) {
            return &crowd->networks[i];
        }
    }
    return NULL;
}

/* Returns NULL if all entries are in use. */
static struct network *add_network(struct crowd *crowd, const struct ip *ip)
{
    uint32_t *head = head_of(crowd, ip);
    uint32_t index = crowd->free;

    if (index != NONE) {
        crowd->free = crowd->networks[index].next;
    } else if (crowd->used < crowd->max) {
        index = crowd->used++;
    } else {
        return NULL;
    }
    crowd->networks[index] = (struct network){.ip = *ip, .since = crowd->number++, .next = *head};
    *head = index;
    return &crowd->networks[index];
}

static struct network *find_or_add_network(struct crowd *crowd, const struct ip *ip)
{
    struct network *network = find_network(crowd, ip);

    return network != NULL ? network : add_network(crowd, ip);
}

/* Frees the entry of a network without clients and presenters. */
static void free_if_empty(struct crowd *crowd, const struct network *network)
{
    const uint32_t index = (uint32_t)(network - crowd->networks);
    uint32_t *link = head_of(crowd, &network->ip);

    if (network->clients > 0 || network->presenters > 0) {
        return;
    }
    while (*link != index) {
        link = &crowd->networks[*link].next;
    }
    *link = network->next;
    crowd->networks[index].next = crowd->free;
    crowd->free = index;
}

/* ---- clients ---- */

void crowd_enter(struct crowd *crowd, const struct ip *ip)
{
    struct network *network;

    uv_mutex_lock(&crowd->lock);
    network = find_or_add_network(crowd, ip);
    if (network != NULL) {
        network->clients++;
    }
    uv_mutex_unlock(&crowd->lock);
}

/* Removes a client of the network. is_owed: it was displaced. */
static void remove_client(struct crowd *crowd, struct network *network, bool is_owed)
{
    assert(network->clients > 0 && network->owed <= network->clients);
    if (is_owed) {
        network->owed--;
        atomic_fetch_sub(&crowd->owed, 1);
    }
    network->clients--;
    free_if_empty(crowd, network);
}

void crowd_leave(struct crowd *crowd, const struct ip *ip)
{
    struct network *network;

    uv_mutex_lock(&crowd->lock);
    network = find_network(crowd, ip);
    if (network != NULL && network->clients > 0) {
        remove_client(crowd, network, network->owed > 0);
    }
    uv_mutex_unlock(&crowd->lock);
}

void crowd_present(struct crowd *crowd, const struct ip *ip, bool presents)
{
    struct network *network;

    uv_mutex_lock(&crowd->lock);
    network = presents ? find_or_add_network(crowd, ip) : find_network(crowd, ip);
    if (network != NULL && presents) {
        network->presenters++;
    } else if (network != NULL && network->presenters > 0) {
        network->presenters--;
        free_if_empty(crowd, network);
    }
    uv_mutex_unlock(&crowd->lock);
}

/* ---- displacing clients ---- */

static uint32_t left_of(const struct network *network)
{
    return network->clients - network->owed;
}

/* Returns the network without presenters that has the most clients, or of several the newest.
 * Returns NULL if no network has more than `keeps`. */
static struct network *find_most(struct crowd *crowd)
{
    struct network *most = NULL;

    for (uint32_t i = 0; i < crowd->used; i++) {
        struct network *network = &crowd->networks[i];
        if (network->clients == 0 || network->presenters > 0 || left_of(network) <= crowd->keeps) {
            continue;
        }
        if (most == NULL || left_of(network) > left_of(most) ||
            (left_of(network) == left_of(most) && network->since > most->since)) {
            most = network;
        }
    }
    return most;
}

bool crowd_displace(struct crowd *crowd, const struct ip *ip)
{
    const struct network *own;
    struct network *most = NULL;

    uv_mutex_lock(&crowd->lock);
    own = find_network(crowd, ip);
    if (own != NULL && own->presenters > 0 && atomic_load(&crowd->owed) < crowd->owed_max) {
        most = find_most(crowd);
    }
    if (most != NULL) {
        most->owed++;
        atomic_fetch_add(&crowd->owed, 1);
        assert(most->owed <= most->clients);
    }
    uv_mutex_unlock(&crowd->lock);
    return most != NULL;
}

bool crowd_next_owed(struct crowd *crowd, uint32_t *next, struct ip *ip)
{
    bool found = false;

    if (atomic_load(&crowd->owed) == 0) {
        return false;
    }
    uv_mutex_lock(&crowd->lock);
    for (; *next < crowd->used && !found; (*next)++) {
        const struct network *network = &crowd->networks[*next];
        found = network->clients > 0 && network->owed > 0;
        if (found) {
            *ip = network->ip;
        }
    }
    uv_mutex_unlock(&crowd->lock);
    return found;
}

bool crowd_collect(struct crowd *crowd, const struct ip *ip)
{
    struct network *network;
    bool owed;

    uv_mutex_lock(&crowd->lock);
    network = find_network(crowd, ip);
    owed = network != NULL && network->owed > 0;
    if (owed) {
        remove_client(crowd, network, true);
    }
    uv_mutex_unlock(&crowd->lock);
    return owed;
}
