#include "net/gate/rates.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <uv.h>

#define SETS         512u  /* a power of two */
#define WAYS         8u    /* entries for addresses that share a hash */
#define ARRIVALS     10.0  /* arrivals for each connection */
#define GUEST_RATE   0.5   /* guests per second */
#define CROWDED_RATE 0.5   /* joins per second */
#define FRESH_TIME   600.0 /* s */
#define MICROSECONDS 1e6

struct bucket {
    struct ip network;
    uint64_t used; /* µs: latest use + 1; 0: never */
    uint64_t at;   /* µs: time of the tokens */
    double tokens[RATES_KINDS];
};

struct rates {
    uv_mutex_t lock;
    uint64_t seed;
    double per_second[RATES_KINDS];
    struct bucket sets[SETS][WAYS];
};

/* Seconds of its rate that a bucket holds. */
static const double bursts[RATES_KINDS] = {
    [RATES_ARRIVAL] = 4, [RATES_CONNECTION] = 4, [RATES_UPGRADE] = 4, [RATES_REFUSAL] = 4,
    [RATES_GUEST] = 64,  [RATES_CROWDED] = 80,   [RATES_BYTES] = 60,  [RATES_FRESH] = FRESH_TIME,
};

struct rates *rates_create(uint32_t per_second, uint64_t bytes, uint64_t little)
{
    struct rates *rates = calloc(1, sizeof *rates);

    if (rates == NULL || getrandom(&rates->seed, sizeof rates->seed, 0) != sizeof rates->seed ||
        uv_mutex_init(&rates->lock) != 0) {
        free(rates);
        return NULL;
    }
    rates->per_second[RATES_ARRIVAL] = per_second * ARRIVALS;
    rates->per_second[RATES_CONNECTION] = per_second;
    rates->per_second[RATES_UPGRADE] = per_second;
    rates->per_second[RATES_REFUSAL] = per_second;
    rates->per_second[RATES_GUEST] = GUEST_RATE;
    rates->per_second[RATES_CROWDED] = CROWDED_RATE;
    rates->per_second[RATES_BYTES] = (double)bytes;
    rates->per_second[RATES_FRESH] = (double)little / FRESH_TIME;
    return rates;
}

void rates_destroy(struct rates *rates)
{
    if (rates != NULL) {
        uv_mutex_destroy(&rates->lock);
        free(rates);
    }
}

static double bucket_limit(const struct rates *rates, uint32_t kind)
{
    double tokens = rates->per_second[kind] * bursts[kind];

    return tokens < 1.0 ? 1.0 : tokens;
}

/* Returns the bucket of that network; a new one replaces the bucket unused for longest. */
static struct bucket *find_bucket(struct rates *rates, const struct ip *network, uint64_t now)
{
    struct bucket *set = rates->sets[ip_hash(network, rates->seed) % SETS];
    struct bucket *oldest = set;

    for (uint32_t i = 0; i < WAYS; i++) {
        if (set[i].used != 0 && ip_same(&set[i].network, network)) {
            return &set[i];
        }
        if (set[i].used < oldest->used) {
            oldest = &set[i];
        }
    }
    *oldest = (struct bucket){.network = *network, .at = now};
    for (uint32_t kind = 0; kind < RATES_KINDS; kind++) {
        oldest->tokens[kind] = bucket_limit(rates, kind);
    }
    return oldest;
}

/* Threads read the clock before they take the lock, so `now` can be a little before bucket->at. */
static void refill_bucket(const struct rates *rates, struct bucket *bucket, uint64_t now)
{
    double passed = now > bucket->at ? (double)(now - bucket->at) / MICROSECONDS : 0;

    for (uint32_t kind = 0; kind < RATES_KINDS; kind++) {
        double tokens = bucket->tokens[kind] + passed * rates->per_second[kind];
        bucket->tokens[kind] =
            tokens < bucket_limit(rates, kind) ? tokens : bucket_limit(rates, kind);
    }
    bucket->at = now > bucket->at ? now : bucket->at;
    bucket->used = bucket->at + 1;
}

/* Returns the network's bucket, refilled. Needs the lock. */
static struct bucket *current_bucket(struct rates *rates, const struct ip *network, uint64_t now)
{
    struct bucket *bucket = find_bucket(rates, network, now);

    refill_bucket(rates, bucket, now);
    return bucket;
}

/* Takes `amount` tokens if the bucket has at least 1, or `always`. Returns true if it had. */
static bool take_tokens(struct rates *rates, enum rates_kind kind, const struct ip *network,
                        double amount, bool always, uint64_t now)
{
    struct bucket *bucket;
    bool there;

    assert(kind < RATES_KINDS);
    if (rates->per_second[kind] <= 0.0) {
        return true;
    }
    uv_mutex_lock(&rates->lock);
    bucket = current_bucket(rates, network, now);
    there = bucket->tokens[kind] >= 1.0;
    bucket->tokens[kind] -= there || always ? amount : 0.0;
    uv_mutex_unlock(&rates->lock);
    return there;
}

bool rates_take(struct rates *rates, enum rates_kind kind, const struct ip *network, uint64_t now)
{
    return take_tokens(rates, kind, network, 1.0, false, now);
}

uint64_t rates_reserve(struct rates *rates, enum rates_kind kind, const struct ip *network,
                       uint64_t most, uint64_t now)
{
    struct bucket *bucket;
    double wait;

    assert(kind < RATES_KINDS);
    if (rates->per_second[kind] <= 0.0) {
        return 0;
    }
    uv_mutex_lock(&rates->lock);
    bucket = current_bucket(rates, network, now);
    wait = (1.0 - bucket->tokens[kind]) / rates->per_second[kind] * MICROSECONDS;
    bucket->tokens[kind] -= wait <= (double)most ? 1.0 : 0.0;
    uv_mutex_unlock(&rates->lock);
    if (wait > (double)most) {
        return RATES_NEVER;
    }
    return wait > 0.0 ? (uint64_t)wait : 0;
}

void rates_return(struct rates *rates, enum rates_kind kind, const struct ip *network, uint64_t now)
{
    take_tokens(rates, kind, network, -1.0, true, now);
}

double rates_left(struct rates *rates, enum rates_kind kind, const struct ip *network, uint64_t now)
{
    double left;

    assert(kind < RATES_KINDS);
    if (rates->per_second[kind] <= 0.0) {
        return 1;
    }
    uv_mutex_lock(&rates->lock);
    left = current_bucket(rates, network, now)->tokens[kind] / bucket_limit(rates, kind);
    uv_mutex_unlock(&rates->lock);
    return left;
}

bool rates_has(struct rates *rates, enum rates_kind kind, const struct ip *network, uint64_t now)
{
    return take_tokens(rates, kind, network, 0.0, false, now);
}

void rates_spend(struct rates *rates, enum rates_kind kind, const struct ip *network,
                 uint64_t amount, uint64_t now)
{
    take_tokens(rates, kind, network, (double)amount, true, now);
}
