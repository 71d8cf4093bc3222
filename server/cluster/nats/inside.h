/* The inside of the broker on NATS, for the files of this folder. They are built as a plugin, and
 * are the only ones that use libnats: version 3.4.1 or newer.
 *
 * libnats has threads of its own: two for each line, and one that makes the deliveries of all
 * lines. Keys are messages of a JetStream stream for each bucket, as in NATS' key-value store, so
 * that its tools can read them. */
#ifndef NATS_INSIDE_H
#define NATS_INSIDE_H

#include <nats/nats.h>
#include <pthread.h>
#include <stdatomic.h>

#include "cluster/broker.h"

#define NAME_MAX_BYTES 192u /* of subjects and streams with their prefix */

struct broker_nats;

struct line {
    struct broker_nats *broker;
    enum broker_line which;
    natsConnection *_Atomic connection;
    jsCtx *_Atomic jetstream;
    _Atomic uint32_t returns; /* how often it has come back */
    bool closed;              /* with the broker's lock: no more callbacks come */
};

/* A connection that libnats has closed. Other threads may still use it. */
struct closed_line {
    natsConnection *connection;
    jsCtx *jetstream;
    struct closed_line *next;
};

struct broker_nats {
    struct broker broker; /* must be first */
    struct broker_definition definition;
    struct line lines[BROKER_LINES];
    pthread_mutex_t lock;
    pthread_cond_t ended; /* a line has been closed, or a subscription has ended */

    /* With lock. */
    struct broker_subscription *subscriptions;
    struct closed_line *closed_lines;
    bool closing;

    bool revives;
    pthread_t reviver;
};

extern const char *const broker_bucket_names[BROKER_BUCKETS];

static inline struct broker_nats *broker_as_nats(struct broker *broker)
{
    return (struct broker_nats *)(void *)broker;
}

static inline void broker_add(_Atomic uint64_t *counter, uint64_t amount)
{
    atomic_fetch_add_explicit(counter, amount, memory_order_relaxed);
}

/* Connects a line, whose broker and number are filled in. It counts as connected when
 * broker_set_connected() has said so. */
natsStatus broker_connect(struct line *line);
void broker_set_connected(struct line *line, bool connected);

/* Returns whether subscriptions of the line's closed connection still end. Needs the lock. */
bool broker_subscriptions_end(const struct line *line);

/* Makes the ended subscriptions of the line on its new connection. Returns false
 * if a subscription fails. */
bool broker_subscribe_again(struct line *line);

/* Frees subscriptions that have ended. Must be called when the broker closes. */
void broker_free_subscriptions(struct broker_nats *nats);

/* Begin and end the thread that connects closed lines again. */
bool broker_begin_reviving(struct broker_nats *nats);
void broker_end_reviving(struct broker_nats *nats);

/* Writes LEAD PREFIX SEPARATOR NAME without blanks. Returns false if that is too long. */
bool broker_write_name(const struct broker_nats *nats, char *out, const char *lead, char separator,
                       const char *name);

/* Write the name of a bucket's stream, and the subject of a key. Return false as above. */
bool broker_write_stream(const struct broker_nats *nats, enum broker_bucket bucket, char *out);
bool broker_write_key(const struct broker_nats *nats, enum broker_bucket bucket, const char *key,
                      char *out);

/* Counts the result of a change, and returns it. */
enum broker_result broker_count_change(struct broker_stats *stats, enum broker_result result);

/* The calls: see broker.h. */
bool broker_nats_publish(struct broker *broker, enum broker_line which, const char *subject,
                         const char *reply, const uint8_t *bytes, size_t size);
struct broker_subscription *broker_nats_subscribe(struct broker *broker, enum broker_line which,
                                                  const char *subject, broker_deliver *deliver,
                                                  void *argument);
void broker_nats_unsubscribe(struct broker *broker, struct broker_subscription *subscription);
enum broker_result broker_nats_get(struct broker *broker, enum broker_line which,
                                   enum broker_bucket bucket, const char *key, uint8_t **bytes,
                                   size_t *size, uint64_t *revision);
enum broker_result broker_nats_set(struct broker *broker, enum broker_line which,
                                   enum broker_bucket bucket, const char *key, const uint8_t *bytes,
                                   size_t size, uint64_t *revision);
void broker_nats_set_all(struct broker *broker, enum broker_line which, enum broker_bucket bucket,
                         struct broker_change *changes, size_t count);
enum broker_result broker_nats_put(struct broker *broker, enum broker_line which,
                                   enum broker_bucket bucket, const char *key, const uint8_t *bytes,
                                   size_t size, uint64_t *revision);
enum broker_result broker_nats_drop(struct broker *broker, enum broker_line which,
                                    enum broker_bucket bucket, const char *key, uint64_t *revision);
struct broker_watch *broker_nats_watch(struct broker *broker, enum broker_bucket bucket,
                                       broker_take *take, void *argument);
void broker_nats_unwatch(struct broker *broker, struct broker_watch *watch);

#endif
