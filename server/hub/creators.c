#include "hub/creators.h"

#include <stdlib.h>
#include <string.h>
#include <uv.h>

#include "base/digest.h"
#include "base/network.h"

struct creators {
    uv_mutex_t lock;
    struct boid_budget *boids;
    struct history_budget *pasts;
    struct creator *first;
    uint8_t secret[CREATORS_SECRET];
};

struct creators *creators_create(struct boid_budget *boids, struct history_budget *pasts,
                                 const uint8_t *secret)
{
    struct creators *creators = calloc(1, sizeof *creators);

    if (creators == NULL || uv_mutex_init(&creators->lock) != 0) {
        free(creators);
        return NULL;
    }
    creators->boids = boids;
    memcpy(creators->secret, secret, sizeof creators->secret);
    creators->pasts = history_budget_hold(pasts);
    return creators;
}

static void free_creator(struct creator *creator)
{
    history_budget_release(creator->pasts);
    free(creator);
}

void creators_destroy(struct creators *creators)
{
    if (creators == NULL) {
        return;
    }
    while (creators->first != NULL) {
        struct creator *creator = creators->first;
        creators->first = creator->next;
        free_creator(creator);
    }
    history_budget_release(creators->pasts);
    uv_mutex_destroy(&creators->lock);
    free(creators);
}

/* Whether no room holds the creator, and no boid or byte is charged to it. */
static bool is_unused(const struct creator *creator)
{
    return creator->holders == 0 && atomic_load(&creator->boids.boids) == 0 &&
           atomic_load(&creator->boids.kept) == 0 && atomic_load(&creator->pasts->bytes) == 0 &&
           atomic_load(&creator->pasts->holders) == 1;
}

/* Returns the creator, or NULL. Frees unused ones on the way. */
static struct creator *find_creator(struct creators *creators, uint64_t number, bool trusted)
{
    struct creator **link = &creators->first;

    while (*link != NULL) {
        struct creator *creator = *link;
        if (creator->number == number && creator->boids.trusted == trusted) {
            return creator;
        }
        if (is_unused(creator)) {
            *link = creator->next;
            free_creator(creator);
        } else {
            link = &creator->next;
        }
    }
    return NULL;
}

static struct creator *make_creator(struct creators *creators, uint64_t number, bool trusted)
{
    struct creator *creator = calloc(1, sizeof *creator);

    if (creator == NULL ||
        (creator->pasts = history_budget_below(creators->pasts, 0, trusted)) == NULL) {
        free(creator);
        return NULL;
    }
    creator->creators = creators;
    creator->number = number;
    creator->boids = (struct boid_budget){.all = creators->boids, .trusted = trusted};
    creator->next = creators->first;
    creators->first = creator;
    return creator;
}

uint64_t creators_number(const struct creators *creators, const char *address)
{
    uint8_t bytes[CREATORS_SECRET + NETWORK_ADDRESS_MAX] = {0};
    char network[NETWORK_ADDRESS_MAX];
    uint8_t digest[DIGEST_SIZE];
    uint64_t number;

    if (address == NULL) {
        return 0;
    }
    network_of(address, network);
    memcpy(bytes, creators->secret, CREATORS_SECRET);
    memcpy(bytes + CREATORS_SECRET, network, strlen(network));
    if (!digest_of(bytes, sizeof bytes, digest)) {
        return 0;
    }
    memcpy(&number, digest, sizeof number);
    return number >> 1 | 1;
}

struct creator *creators_hold(struct creators *creators, uint64_t number, bool trusted)
{
    const uint64_t counted = trusted ? 0 : number;
    struct creator *creator;

    uv_mutex_lock(&creators->lock);
    creator = find_creator(creators, counted, trusted);
    if (creator == NULL) {
        creator = make_creator(creators, counted, trusted);
    }
    if (creator != NULL) {
        creator->holders++;
    }
    uv_mutex_unlock(&creators->lock);
    return creator;
}

struct creator *creators_again(struct creator *creator)
{
    uv_mutex_lock(&creator->creators->lock);
    creator->holders++;
    uv_mutex_unlock(&creator->creators->lock);
    return creator;
}

void creator_release(struct creator *creator)
{
    if (creator != NULL) {
        struct creators *creators = creator->creators;
        uv_mutex_lock(&creators->lock);
        creator->holders--;
        uv_mutex_unlock(&creators->lock);
    }
}
