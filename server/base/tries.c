#include "base/tries.h"

#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "base/counter.h"
#include "base/key.h"
#include "base/network.h"
#include "base/waiting.h"

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
    struct waiting waiting;
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
        for (size_t i = 0; i < (size_t)SETS * WAYS; i++) {
            waiting_finish(&tries->origins[i / WAYS][i % WAYS].waiting);
        }
        pthread_mutex_destroy(&tries->lock);
        free(tries);
    }
}

static uint64_t hash_text(const struct tries *tries, uint64_t x, const char *text)
{
    for (const char *c = text; *c != '\0'; c++) {
        x = (x ^ (uint8_t)*c) * 0x9E3779B97F4A7C15u;
        x = (x ^ x >> 29) + tries->seed[1];
    }
    return x;
}

uint64_t tries_origin(const struct tries *tries, const char *address)
{
    char network[NETWORK_ADDRESS_MAX];

    if (tries == NULL) {
        return 0;
    }
    network_of(address, network);
    return hash_text(tries, tries->seed[0], network) | 1;
}

uint64_t tries_origin_of_requests(const struct tries *tries, const char *address)
{
    return tries != NULL ? hash_text(tries, tries_origin(tries, address), "requests") | 1 : 0;
}

uint64_t tries_keys(const struct tries *tries, const char *room, const char *key, const char *join)
{
    const char *const texts[] = {room, "\n", key, "\n", join};
    uint64_t x = tries->seed[0];

    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        x = hash_text(tries, x, texts[i]);
    }
    return x;
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

/* Returns the entry that counts that origin's tries. */
static struct origin *origin_of(struct tries *tries, uint64_t number)
{
    struct origin *set = tries->origins[(number >> 1) % SETS];
    struct origin *quietest = set;

    for (uint32_t i = 0; i < WAYS; i++) {
        if (set[i].number == number) {
            return &set[i];
        }
        quietest = set[i].limiter.end < quietest->limiter.end ? &set[i] : quietest;
    }
    waiting_finish(&quietest->waiting);
    *quietest = (struct origin){.number = number};
    return quietest;
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

/* Returns how long a try waits for the limits alone. */
static struct taken wait_of(const struct tries *tries, const struct origin *origin, uint64_t now)
{
    const uint64_t interval = interval_of(tries->limits.address);
    struct taken taken = {.wait = wait_for(&origin->limiter, now, tries->limits.address, interval),
                          .limit = TRIES_ADDRESS};

    if (taken.wait == 0 && wait_for(&origin->limiter, now, TRIES_QUIET, interval) > 0) {
        taken.wait = wait_for(&tries->all, now, tries->limits.all, interval_of(tries->limits.all));
        taken.limit = TRIES_ALL;
    }
    return taken;
}

/* in_line: the try is of the first group in line, for which all other tries wait. */
static struct taken take(struct tries *tries, uint64_t number, uint64_t now, bool in_line)
{
    const uint64_t interval = interval_of(tries->limits.address);
    const uint64_t interval_all = interval_of(tries->limits.all);
    struct origin *origin = origin_of(tries, number);
    struct taken taken = wait_of(tries, origin, now);

    if (!in_line) {
        taken.wait += origin->waiting.group_count * interval;
    }
    if (taken.wait == 0) {
        count_try(&origin->limiter, now, interval);
        taken.of_all = wait_for(&tries->all, now, tries->limits.all, interval_all) == 0;
    }
    if (taken.of_all) {
        count_try(&tries->all, now, interval_all);
    }
    return taken;
}

static void give_back(struct tries *tries, uint64_t number, bool of_all)
{
    uncount_try(&origin_of(tries, number)->limiter, interval_of(tries->limits.address));
    if (of_all) {
        uncount_try(&tries->all, interval_of(tries->limits.all));
    }
}

/* Counts a try toward another limit, unless it is used up. */
static void count_also(struct tries *tries, uint64_t number, uint64_t now)
{
    const uint64_t interval = interval_of(tries->limits.address);
    struct limiter *limiter = &origin_of(tries, number)->limiter;

    if (wait_for(limiter, now, tries->limits.address, interval) == 0) {
        count_try(limiter, now, interval);
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
    struct taken taken = {.of_all = try->pass.of_all};

    if (try->pass.kind != TRIES_WAITED) {
        taken = take(tries, try->origin, try->now, false);
    } else if (!try->pass.known) {
        waiting_answer(&origin_of(tries, try->origin)->waiting, try->pass.keys, try->now);
    }
    *wait = taken.wait;
    if ((taken.wait == 0 || try->made) && opens(try)) {
        if (taken.wait == 0 && !try->pass.spent && !try->pass.known && !try->pass.paid) {
            give_back(tries, try->origin, taken.of_all);
        }
        return TRIES_RIGHT;
    }
    if (taken.wait == 0) {
        counter_add(&tries->wrong[try->kind], try->pass.kind != TRIES_EARLY);
        if (try->also != 0 && !try->pass.known && !try->pass.paid) {
            count_also(tries, try->also, try->now);
        }
        return TRIES_WRONG;
    }
    if (try->pass.kind != TRIES_OR_LINE && try->pass.kind != TRIES_EARLY) {
        counter_add(&tries->refused[taken.limit], 1);
    }
    return TRIES_TOO_MANY;
}

static uint32_t seconds_of(uint64_t time)
{
    return (uint32_t)((time + 999999) / 1000000);
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
    *wait = seconds_of(wait_us);
    return result;
}

/* ---- waiting in line ---- */

/* Returns the credit that pays for a group's try, in µs. */
static uint64_t price_of(const struct tries *tries)
{
    return TRIES_PRICE * interval_of(tries->limits.address);
}

uint64_t tries_longest(const struct tries *tries)
{
    return price_of(tries);
}

bool tries_line_up(struct tries *tries, uint64_t origin, uint64_t keys, uint64_t now)
{
    const struct waiting_group *group = NULL;
    struct origin *found;

    pthread_mutex_lock(&tries->lock);
    found = origin_of(tries, origin);
    if (wait_of(tries, found, now).wait <= TRIES_FIRST_WAIT) {
        group = waiting_enter(&found->waiting, keys, now);
    }
    pthread_mutex_unlock(&tries->lock);
    return group != NULL;
}

/* Stores how the group's next hello may try its keys. Returns false: not yet. Needs the lock. */
static bool pass_group(struct tries *tries, struct origin *origin,
                       const struct waiting_group *group, uint64_t now, struct tries_pass *pass)
{
    struct taken taken;

    *pass = (struct tries_pass){.kind = TRIES_WAITED, .keys = group->keys};
    if (group->known > 0) {
        pass->known = true;
        return true;
    }
    taken = wait_of(tries, origin, now);
    if (taken.wait == 0 && waiting_is_first(&origin->waiting, group, now)) {
        taken = take(tries, origin->number, now, true);
        pass->of_all = taken.of_all;
        return true;
    }
    pass->paid = waiting_credit(group, now) >= price_of(tries);
    return pass->paid;
}

/* Returns about how long the group waits, in µs. Needs the lock. */
static uint64_t wait_of_group(const struct tries *tries, const struct origin *origin,
                              const struct waiting_group *group, uint64_t now)
{
    const uint64_t before = waiting_before(&origin->waiting, group, now);
    const uint64_t turn =
        wait_of(tries, origin, now).wait + before * interval_of(tries->limits.address);
    const uint64_t credit = waiting_credit(group, now);
    const uint64_t left = credit < price_of(tries) ? price_of(tries) - credit : 0;
    const uint64_t paid = left / (group->count - group->known);

    return turn < paid ? turn : paid;
}

bool tries_pass_line(struct tries *tries, uint64_t number, uint64_t keys, uint64_t now,
                     struct tries_pass *pass, uint32_t *wait)
{
    struct origin *origin;
    struct waiting_group *group;
    bool passes = false;

    pthread_mutex_lock(&tries->lock);
    origin = origin_of(tries, number);
    group = waiting_find(&origin->waiting, keys);
    if (group == NULL) { /* the entry was replaced: the hello lines up again */
        group = waiting_enter(&origin->waiting, keys, now);
    }
    if (group != NULL && pass_group(tries, origin, group, now, pass)) {
        group->known -= pass->known;
        waiting_leave(&origin->waiting, group, now);
        passes = true;
    } else if (wait != NULL) {
        *wait = group != NULL ? seconds_of(wait_of_group(tries, origin, group, now)) : 1;
    }
    pthread_mutex_unlock(&tries->lock);
    return passes;
}

void tries_leave_line(struct tries *tries, uint64_t origin, uint64_t keys, uint64_t now)
{
    struct waiting *waiting;
    struct waiting_group *group;

    pthread_mutex_lock(&tries->lock);
    waiting = &origin_of(tries, origin)->waiting;
    group = waiting_find(waiting, keys);
    if (group != NULL) {
        waiting_leave(waiting, group, now);
    }
    pthread_mutex_unlock(&tries->lock);
}

void tries_note_wrong(struct tries *tries, enum tries_kind kind)
{
    counter_add(&tries->wrong[kind], 1);
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
