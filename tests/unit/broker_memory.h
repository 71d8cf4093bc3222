/* For tests: the broker in memory. Nodes share a world, which delivers when the test says so, in
 * one order, on the test's thread. The test can cut a node off, lose and repeat messages, freeze a
 * bucket, and lose answers. Brokers may be called on any thread. */
#ifndef BROKER_MEMORY_H
#define BROKER_MEMORY_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "cluster/broker.h"
#include "subject_fits.h"

struct memory_entry {
    struct memory_entry *next;
    char key[BROKER_SUBJECT_MAX];
    uint8_t *bytes;
    size_t size;
    uint64_t revision;
    bool deleted;
};

struct memory_message {
    struct memory_message *next;
    struct broker_subscription *to;
    struct broker_message message;
};

struct broker_subscription {
    struct broker_subscription *next;
    struct memory_broker *broker;
    enum broker_line line;
    char subject[BROKER_SUBJECT_MAX];
    broker_deliver *deliver;
    void *argument;
    bool ended;
};

struct broker_watch {
    struct broker_watch *next;
    struct memory_broker *broker;
    enum broker_bucket bucket;
    broker_take *take;
    void *argument;
    uint64_t newest; /* revision that it has taken */
    bool complete;   /* it has told so */
    bool ended;
};

struct memory_broker {
    struct broker broker; /* must be first */
    struct broker_world *world;
    struct broker_definition definition;
    struct memory_broker *next;
};

struct broker_world {
    pthread_mutex_t lock;
    struct memory_broker *brokers;
    struct broker_subscription *subscriptions;
    struct broker_watch *watches;
    struct memory_entry *entries[BROKER_BUCKETS];
    uint64_t revisions[BROKER_BUCKETS];
    struct memory_message *first, **last;

    /* Faults, which the test sets. */
    bool frozen[BROKER_BUCKETS]; /* changes of the bucket's keys are not answered, and not done */
    bool still;                  /* watches stand still */
    uint32_t lose_answers;       /* number of changes to do without an answer */
    uint32_t lose;               /* number of deliveries to lose: see broker_memory_set() */
    uint32_t repeat;             /* number of deliveries to repeat */
};

static inline void broker_world_init(struct broker_world *world)
{
    *world = (struct broker_world){0};
    pthread_mutex_init(&world->lock, NULL);
    world->last = &world->first;
}

static inline struct memory_broker *memory_of(struct broker *broker)
{
    return (struct memory_broker *)(void *)broker;
}

/* ---- messages ---- */

static inline void memory_queue(struct broker_world *world, struct broker_subscription *to,
                                const struct broker_message *message)
{
    struct memory_message *queued = calloc(1, sizeof *queued);
    uint8_t *bytes = malloc(message->size + 1);

    if (queued == NULL || bytes == NULL) {
        abort();
    }
    if (message->size > 0) {
        memcpy(bytes, message->bytes, message->size);
    }
    queued->to = to;
    queued->message = *message;
    queued->message.bytes = bytes;
    queued->message.subject = strdup(message->subject);
    queued->message.reply = message->reply != NULL ? strdup(message->reply) : NULL;
    *world->last = queued;
    world->last = &queued->next;
}

/* Queues a message for each subscription to its subject. Returns their number. */
static inline uint32_t memory_send(struct broker_world *world, const struct broker_message *message)
{
    uint32_t count = 0;

    for (struct broker_subscription *to = world->subscriptions; to != NULL; to = to->next) {
        if (to->ended || !to->broker->broker.connected[to->line] ||
            !subject_fits(to->subject, message->subject)) {
            continue;
        }
        count++;
        if (world->lose > 0) {
            world->lose--;
            continue;
        }
        memory_queue(world, to, message);
        if (world->repeat > 0) {
            world->repeat--;
            memory_queue(world, to, message);
        }
    }
    return count;
}

static inline bool memory_publish(struct broker *broker, enum broker_line line, const char *subject,
                                  const char *reply, const uint8_t *bytes, size_t size)
{
    struct broker_world *world = memory_of(broker)->world;
    const struct broker_message message = {
        .subject = subject, .reply = reply, .bytes = bytes, .size = size};
    const struct broker_message nobody = {
        .subject = reply != NULL ? reply : "", .bytes = bytes, .nobody = true};
    bool sent = broker->connected[line];

    pthread_mutex_lock(&world->lock);
    if (sent && memory_send(world, &message) == 0 && reply != NULL) {
        memory_send(world, &nobody);
    }
    pthread_mutex_unlock(&world->lock);
    atomic_fetch_add(sent ? &broker->stats.published : &broker->stats.failed, 1);
    return sent;
}

static inline struct broker_subscription *memory_subscribe(struct broker *broker,
                                                           enum broker_line line,
                                                           const char *subject,
                                                           broker_deliver *deliver, void *argument)
{
    struct broker_world *world = memory_of(broker)->world;
    struct broker_subscription *made = calloc(1, sizeof *made);

    if (made == NULL || strlen(subject) >= sizeof made->subject) {
        free(made);
        return NULL;
    }
    made->broker = memory_of(broker);
    made->line = line;
    made->deliver = deliver;
    made->argument = argument;
    strcpy(made->subject, subject);
    pthread_mutex_lock(&world->lock);
    made->next = world->subscriptions;
    world->subscriptions = made;
    pthread_mutex_unlock(&world->lock);
    return made;
}

static inline void memory_unsubscribe(struct broker *broker,
                                      struct broker_subscription *subscription)
{
    struct broker_world *world = memory_of(broker)->world;

    pthread_mutex_lock(&world->lock);
    subscription->ended = true; /* freed with the world: messages may be on their way */
    pthread_mutex_unlock(&world->lock);
}

/* ---- keys ---- */

static inline struct memory_entry *memory_find(struct broker_world *world,
                                               enum broker_bucket bucket, const char *key)
{
    struct memory_entry *entry = world->entries[bucket];

    while (entry != NULL && strcmp(entry->key, key) != 0) {
        entry = entry->next;
    }
    return entry;
}

/* expected: NULL: any. bytes NULL: deletes. */
static inline enum broker_result memory_change(struct broker *broker, enum broker_line line,
                                               enum broker_bucket bucket, const char *key,
                                               const uint8_t *bytes, size_t size,
                                               const uint64_t *expected, uint64_t *revision)
{
    struct broker_world *world = memory_of(broker)->world;
    struct memory_entry *entry = memory_find(world, bucket, key);

    if (!broker->connected[line] || strlen(key) >= sizeof entry->key) {
        return BROKER_AWAY;
    }
    if (world->frozen[bucket]) {
        return BROKER_UNKNOWN;
    }
    if (expected != NULL && *expected != (entry != NULL ? entry->revision : 0)) {
        return BROKER_CONFLICT;
    }
    if (entry == NULL) {
        entry = calloc(1, sizeof *entry);
        if (entry == NULL) {
            return BROKER_NO_MEMORY;
        }
        strcpy(entry->key, key);
        entry->next = world->entries[bucket];
        world->entries[bucket] = entry;
    }
    free(entry->bytes);
    entry->bytes = malloc(size + 1);
    if (entry->bytes == NULL) {
        abort();
    }
    if (size > 0) {
        memcpy(entry->bytes, bytes, size);
    }
    entry->size = size;
    entry->deleted = bytes == NULL;
    entry->revision = ++world->revisions[bucket];
    if (world->lose_answers > 0) {
        world->lose_answers--;
        return BROKER_UNKNOWN;
    }
    if (revision != NULL) {
        *revision = entry->revision;
    }
    return BROKER_OK;
}

static inline enum broker_result memory_write(struct broker *broker, enum broker_line line,
                                              enum broker_bucket bucket, const char *key,
                                              const uint8_t *bytes, size_t size,
                                              const uint64_t *expected, uint64_t *revision)
{
    struct broker_world *world = memory_of(broker)->world;
    enum broker_result result;

    pthread_mutex_lock(&world->lock);
    result = memory_change(broker, line, bucket, key, bytes, size, expected, revision);
    pthread_mutex_unlock(&world->lock);
    return result;
}

static inline enum broker_result memory_set(struct broker *broker, enum broker_line line,
                                            enum broker_bucket bucket, const char *key,
                                            const uint8_t *bytes, size_t size, uint64_t *revision)
{
    return memory_write(broker, line, bucket, key, bytes != NULL ? bytes : (const uint8_t *)"",
                        size, revision, revision);
}

static inline enum broker_result memory_put(struct broker *broker, enum broker_line line,
                                            enum broker_bucket bucket, const char *key,
                                            const uint8_t *bytes, size_t size, uint64_t *revision)
{
    return memory_write(broker, line, bucket, key, bytes != NULL ? bytes : (const uint8_t *)"",
                        size, NULL, revision);
}

static inline enum broker_result memory_drop(struct broker *broker, enum broker_line line,
                                             enum broker_bucket bucket, const char *key,
                                             uint64_t *revision)
{
    return memory_write(broker, line, bucket, key, NULL, 0, revision, revision);
}

static inline enum broker_result memory_get(struct broker *broker, enum broker_line line,
                                            enum broker_bucket bucket, const char *key,
                                            uint8_t **bytes, size_t *size, uint64_t *revision)
{
    struct broker_world *world = memory_of(broker)->world;
    enum broker_result result = BROKER_NONE;

    *bytes = NULL;
    *size = 0;
    *revision = 0;
    if (!broker->connected[line]) {
        return BROKER_AWAY;
    }
    pthread_mutex_lock(&world->lock);
    const struct memory_entry *entry = memory_find(world, bucket, key);
    if (world->frozen[bucket]) {
        result = BROKER_UNKNOWN;
    } else if (entry != NULL) {
        *revision = entry->revision;
    }
    if (result == BROKER_NONE && entry != NULL && !entry->deleted) {
        *bytes = malloc(entry->size + 1);
        *size = entry->size;
        result = *bytes != NULL ? BROKER_OK : BROKER_NO_MEMORY;
        if (*bytes != NULL && entry->size > 0) {
            memcpy(*bytes, entry->bytes, entry->size);
        }
    }
    pthread_mutex_unlock(&world->lock);
    return result;
}

static inline struct broker_watch *memory_watch(struct broker *broker, enum broker_bucket bucket,
                                                broker_take *take, void *argument)
{
    struct broker_world *world = memory_of(broker)->world;
    struct broker_watch *made = calloc(1, sizeof *made);

    if (made == NULL) {
        return NULL;
    }
    made->broker = memory_of(broker);
    made->bucket = bucket;
    made->take = take;
    made->argument = argument;
    pthread_mutex_lock(&world->lock);
    made->next = world->watches;
    world->watches = made;
    pthread_mutex_unlock(&world->lock);
    return made;
}

static inline void memory_unwatch(struct broker *broker, struct broker_watch *watch)
{
    struct broker_world *world = memory_of(broker)->world;

    pthread_mutex_lock(&world->lock);
    watch->ended = true; /* freed with the world */
    pthread_mutex_unlock(&world->lock);
}

/* ---- the test's side ---- */

/* Delivers the first message that waits. Returns false if there is none. */
static inline bool memory_deliver_one(struct broker_world *world)
{
    struct memory_message *queued;

    pthread_mutex_lock(&world->lock);
    queued = world->first;
    if (queued != NULL) {
        world->first = queued->next;
        world->last = queued->next != NULL ? world->last : &world->first;
    }
    pthread_mutex_unlock(&world->lock);
    if (queued == NULL) {
        return false;
    }
    if (queued->to->broker->broker.connected[queued->to->line]) {
        queued->to->deliver(queued->to->argument, &queued->message);
    }
    free((void *)(uintptr_t)queued->message.bytes);
    free((void *)(uintptr_t)queued->message.subject);
    free((void *)(uintptr_t)queued->message.reply);
    free(queued);
    return true;
}

/* Returns the oldest entry that the watch has not taken. With the lock. */
static inline struct memory_entry *memory_unseen(const struct broker_watch *watch)
{
    struct memory_entry *oldest = NULL;

    for (struct memory_entry *at = watch->broker->world->entries[watch->bucket]; at != NULL;
         at = at->next) {
        if (at->revision > watch->newest && (oldest == NULL || at->revision < oldest->revision)) {
            oldest = at;
        }
    }
    return oldest;
}

/* Whether the watch can take an entry now. With the lock. */
static inline bool memory_is_awake(const struct broker_watch *watch)
{
    return !watch->ended && !watch->broker->world->still &&
           watch->broker->broker.connected[BROKER_BULK];
}

/* Gives a watch its next entry. Returns false if there is none. */
static inline bool memory_take_one(struct broker_watch *watch)
{
    struct broker_world *world = watch->broker->world;
    struct broker_entry entry = {0};
    char key[BROKER_SUBJECT_MAX] = "";
    uint8_t *bytes = NULL;
    bool ends;

    pthread_mutex_lock(&world->lock);
    if (!memory_is_awake(watch)) {
        pthread_mutex_unlock(&world->lock);
        return false;
    }
    const struct memory_entry *next = memory_unseen(watch);
    if (next != NULL) {
        bytes = malloc(next->size + 1);
        if (bytes == NULL) {
            abort();
        }
        memcpy(bytes, next->bytes, next->size);
        strcpy(key, next->key);
        watch->newest = next->revision;
        entry = (struct broker_entry){.key = key,
                                      .bytes = bytes,
                                      .size = next->size,
                                      .revision = next->revision,
                                      .deleted = next->deleted};
    }
    ends = bytes == NULL && watch->complete;
    watch->complete = watch->complete || bytes == NULL;
    pthread_mutex_unlock(&world->lock);
    if (ends) {
        return false;
    }
    watch->take(watch->argument, bytes != NULL ? &entry : NULL);
    free(bytes);
    return true;
}

/* Delivers messages and entries until none waits. Returns how many there were. */
static inline uint32_t broker_memory_run(struct broker_world *world)
{
    uint32_t count = 0;
    bool more = true;

    while (more) {
        struct broker_watch *watch;
        more = memory_deliver_one(world);
        pthread_mutex_lock(&world->lock);
        watch = world->watches; /* the links of the list do not change */
        pthread_mutex_unlock(&world->lock);
        for (; watch != NULL; watch = watch->next) {
            more = memory_take_one(watch) || more;
        }
        count += more;
    }
    return count;
}

/* Sets one of the world's numbers while nodes use it. */
static inline void broker_memory_set(struct broker_world *world, uint32_t *number, uint32_t to)
{
    pthread_mutex_lock(&world->lock);
    *number = to;
    pthread_mutex_unlock(&world->lock);
}

/* Cuts a node off from the others, or connects it again. Messages to a node that is cut off are
 * lost. */
static inline void broker_memory_connect(struct broker *broker, bool connected)
{
    struct memory_broker *memory = memory_of(broker);

    for (int line = 0; line < BROKER_LINES; line++) {
        broker->connected[line] = connected;
        if (memory->definition.changed != NULL) {
            memory->definition.changed(memory->definition.argument, (enum broker_line)line,
                                       connected);
        }
    }
    pthread_mutex_lock(&memory->world->lock);
    for (struct broker_watch *watch = memory->world->watches; watch != NULL; watch = watch->next) {
        if (watch->broker == memory && connected) {
            watch->newest = 0;
            watch->complete = false;
        }
    }
    pthread_mutex_unlock(&memory->world->lock);
}

static inline void memory_close(struct broker *broker)
{
    struct memory_broker *memory = memory_of(broker);

    for (int line = 0; line < BROKER_LINES; line++) {
        broker->connected[line] = false;
    }
    pthread_mutex_lock(&memory->world->lock);
    for (struct broker_subscription *at = memory->world->subscriptions; at != NULL; at = at->next) {
        at->ended = at->ended || at->broker == memory;
    }
    for (struct broker_watch *at = memory->world->watches; at != NULL; at = at->next) {
        at->ended = at->ended || at->broker == memory;
    }
    pthread_mutex_unlock(&memory->world->lock);
}

/* Opens a node's broker in the world; broker_close() and broker_world_finish() end it. */
static inline struct broker *broker_memory_open(struct broker_world *world,
                                                const struct broker_definition *definition)
{
    static const struct broker_calls calls = {
        .close = memory_close,
        .publish = memory_publish,
        .subscribe = memory_subscribe,
        .unsubscribe = memory_unsubscribe,
        .get = memory_get,
        .set = memory_set,
        .put = memory_put,
        .drop = memory_drop,
        .watch = memory_watch,
        .unwatch = memory_unwatch,
    };
    struct memory_broker *memory = calloc(1, sizeof *memory);

    if (memory == NULL) {
        abort();
    }
    memory->broker.calls = &calls;
    memory->world = world;
    memory->definition = *definition;
    memory->next = world->brokers;
    world->brokers = memory;
    for (int line = 0; line < BROKER_LINES; line++) {
        memory->broker.connected[line] = true;
    }
    return &memory->broker;
}

/* Frees a list whose items begin with their links. */
static inline void memory_free_list(void *first)
{
    while (first != NULL) {
        void *next;
        memcpy(&next, first, sizeof next);
        free(first);
        first = next;
    }
}

/* All its brokers must be closed. */
static inline void broker_world_finish(struct broker_world *world)
{
    while (memory_deliver_one(world)) {
    }
    memory_free_list(world->subscriptions);
    memory_free_list(world->watches);
    for (int bucket = 0; bucket < BROKER_BUCKETS; bucket++) {
        for (struct memory_entry *at = world->entries[bucket]; at != NULL; at = at->next) {
            free(at->bytes);
        }
        memory_free_list(world->entries[bucket]);
    }
    while (world->brokers != NULL) {
        struct memory_broker *next = world->brokers->next;
        free(world->brokers);
        world->brokers = next;
    }
    pthread_mutex_destroy(&world->lock);
}

#endif
