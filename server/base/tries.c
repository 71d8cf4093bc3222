#include "base/tries.h"

#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "base/counter.h"
#include "base/key.h"
#include "base/network.h"

/* An address has an entry in its set. A new address replaces the entry that has been quiet for
 * longest. */
#define SETS 1024u
#define WAYS 4u

#define MINUTE UINT64_C(60000000) /* µs */

/* A rate limit by the generic cell rate algorithm: each try moves `end` on by an interval. `end`
 * may be ahead of the time by as many intervals as tries are allowed at once. */
struct limiter {
    uint64_t end; /* µs */
};

struct origin {
    uint64_t number; /* 0: the entry is free */
    struct limiter limiter;
};

struct tries {
    struct tries_limits limits;
    pthread_mutex_t lock; /* guards the limiters; held only briefly */
    uint64_t seed[2];
    struct limiter all;
    struct origin origins[SETS][WAYS];
    _Atomic uint64_t wrong[TRIES_KINDS], refused[TRIES_LIMITS];
};

const char *tries_word(enum tries_kind kind)
{
    static const char *const words[TRIES_KINDS] = {
        [TRIES_PRESENTER] = "presenter", [TRIES_JOIN] = "join", [TRIES_METRICS] = "metrics"};

    return words[kind];
}

static bool is_limit(uint32_t limit)
{
    return limit >= 1 && limit <= TRIES_LIMIT_MAX;
}

struct tries *tries_create(const struct tries_limits *limits)
{
    struct tries *tries = calloc(1, sizeof *tries);

    assert(is_limit(limits->connection) && is_limit(limits->address) && is_limit(limits->all));
    if (tries == NULL) {
        return NULL;
    }
    tries->limits = *limits;
    if (getrandom(tries->seed, sizeof tries->seed, 0) != sizeof tries->seed ||
        pthread_mutex_init(&tries->lock, NULL) != 0) {
        free(tries);
        return NULL;
    }
    return tries;
}

void tries_destroy(struct tries *tries)
{
    if (tries != NULL) {
        pthread_mutex_destroy(&tries->lock);
        free(tries);
    }
}

uint64_t tries_origin(const struct tries *tries, const char *address)
{
    char network[NETWORK_ADDRESS_MAX];
    uint64_t x;

    if (tries == NULL) {
        return 0;
    }
    network_of(address, network);
    x = tries->seed[0];
    for (const char *c = network; *c != '\0'; c++) {
        x = (x ^ (uint8_t)*c) * 0x9E3779B97F4A7C15u;
        x = (x ^ x >> 29) + tries->seed[1];
    }
    return x | 1;
}

/* ---- limiters ---- */

/* Returns how far it is ahead of the time, in µs. */
static uint64_t ahead(const struct limiter *limiter, uint64_t now)
{
    return limiter->end > now ? limiter->end - now : 0;
}

/* Returns the µs until one more try is allowed; 0: now. */
static uint64_t wait_for(const struct limiter *limiter, uint64_t now, uint32_t burst,
                         uint64_t interval)
{
    uint64_t most = (burst - 1) * interval;

    return ahead(limiter, now) > most ? ahead(limiter, now) - most : 0;
}

static void count_try(struct limiter *limiter, uint64_t now, uint64_t interval)
{
    limiter->end = now + ahead(limiter, now) + interval;
}

static void uncount_try(struct limiter *limiter, uint64_t interval)
{
    limiter->end -= limiter->end > interval ? interval : limiter->end;
}

/* Returns the limiter that counts that origin's tries. */
static struct limiter *limiter_of(struct tries *tries, uint64_t number)
{
    struct origin *set = tries->origins[(number >> 1) % SETS];
    struct origin *quietest = set;

    for (uint32_t i = 0; i < WAYS; i++) {
        if (set[i].number == number) {
            return &set[i].limiter;
        }
        quietest = set[i].limiter.end < quietest->limiter.end ? &set[i] : quietest;
    }
    *quietest = (struct origin){.number = number};
    return &quietest->limiter;
}

static uint64_t interval_of(uint32_t limit)
{
    return MINUTE / limit;
}

/* The result of a try: whether it was allowed, or which limit was reached and the µs to wait. */
struct taken {
    uint64_t wait; /* 0: the try was allowed */
    enum tries_limit limit;
    bool of_all; /* the try counts for all addresses, too */
};

static struct taken take(struct tries *tries, uint64_t number, uint64_t now)
{
    const uint64_t interval = interval_of(tries->limits.address);
    const uint64_t interval_all = interval_of(tries->limits.all);
    struct limiter *own = limiter_of(tries, number);
    struct taken taken = {.wait = wait_for(own, now, tries->limits.address, interval),
                          .limit = TRIES_ADDRESS};
    uint64_t wait_all = wait_for(&tries->all, now, tries->limits.all, interval_all);
    bool quiet = wait_for(own, now, TRIES_QUIET, interval) == 0;

    if (taken.wait == 0 && !quiet) {
        taken.wait = wait_all;
        taken.limit = TRIES_ALL;
    }
    if (taken.wait == 0) {
        count_try(own, now, interval);
        taken.of_all = wait_all == 0;
    }
    if (taken.of_all) {
        count_try(&tries->all, now, interval_all);
    }
    return taken;
}

static void give_back(struct tries *tries, uint64_t number, const struct taken *taken)
{
    uncount_try(limiter_of(tries, number), interval_of(tries->limits.address));
    if (taken->of_all) {
        uncount_try(&tries->all, interval_of(tries->limits.all));
    }
}

/* ---- keys ---- */

static bool opens(const struct tries_try *try)
{
    return try->key[0] != '\0' && key_same(try->key, try->tried);
}

/* Needs the lock. */
static enum tries_result compare(struct tries *tries, const struct tries_try *try, uint64_t *wait)
{
    const struct taken taken = take(tries, try->origin, try->now);

    *wait = taken.wait;
    if ((taken.wait == 0 || try->made) && opens(try)) {
        if (taken.wait == 0) {
            give_back(tries, try->origin, &taken);
        }
        return TRIES_RIGHT;
    }
    if (taken.wait == 0) {
        counter_add(&tries->wrong[try->kind], 1);
        return TRIES_WRONG;
    }
    counter_add(&tries->refused[taken.limit], 1);
    return TRIES_TOO_MANY;
}

enum tries_result tries_compare(struct tries *tries, const struct tries_try *try, uint32_t *wait)
{
    enum tries_result result;
    uint64_t wait_us;

    *wait = 0;
    if (tries == NULL) {
        return opens(try) ? TRIES_RIGHT : TRIES_WRONG;
    }
    pthread_mutex_lock(&tries->lock);
    result = compare(tries, try, &wait_us);
    pthread_mutex_unlock(&tries->lock);
    *wait = (uint32_t)((wait_us + 999999) / 1000000);
    return result;
}

uint64_t tries_wrong(const struct tries *tries, enum tries_kind kind)
{
    return counter_read(&tries->wrong[kind]);
}

uint64_t tries_refused(const struct tries *tries, enum tries_limit limit)
{
    return counter_read(&tries->refused[limit]);
}

uint32_t tries_of_connection(const struct tries *tries)
{
    return tries != NULL ? tries->limits.connection : UINT32_MAX;
}

void tries_end_connection(struct tries *tries)
{
    if (tries != NULL) {
        counter_add(&tries->refused[TRIES_CONNECTION], 1);
    }
}
