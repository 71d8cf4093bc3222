/* The broker: what a node needs of the engine between nodes. Messages go to subjects and are
 * delivered at most once, in the order of their publisher. Keys of a bucket have values with
 * revisions, and change by compare-and-set.
 *
 * broker_nats.c is the broker on NATS, a plugin; tests/unit/broker_memory.h is one in memory.
 *
 * A broker has three lines, so that big messages never stand before small ones. A subject or a
 * bucket is named without the cluster's prefix, which the broker adds and takes off.
 *
 * Threads: all calls may block while the engine does not answer, for up to 2 s. No runner, no shard
 * and no delivery may call them. Deliveries of all subscriptions come on one thread, in the order
 * of arrival; entries of a watched bucket come on a thread of that watch. Both must be quick. */
#ifndef BROKER_H
#define BROKER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define BROKER_TEXT_MAX    512u
#define BROKER_SUBJECT_MAX 128u /* bytes of a subject or a key, with the 0 at its end */
#define BROKER_PAYLOAD_MIN (UINT64_C(8) << 20) /* bytes that a message must be able to have */

enum broker_line {
    BROKER_DATA,    /* frames, answers, cursors: one line, so that their order holds */
    BROKER_CONTROL, /* leases, owners of rooms, beats */
    BROKER_BULK,    /* checkpoints */
    BROKER_LINES,
};

enum broker_bucket {
    BROKER_NODES,  /* leases of nodes */
    BROKER_ROOMS,  /* owners of rooms */
    BROKER_CHECKS, /* checkpoints */
    BROKER_BUCKETS,
};

enum broker_result {
    BROKER_OK,
    BROKER_NONE,     /* there is no such key */
    BROKER_CONFLICT, /* the key has another revision: nothing was done */
    BROKER_UNKNOWN,  /* no answer: it may have been done */
    BROKER_AWAY,     /* not connected, or refused: nothing was done */
    BROKER_NO_MEMORY,
};

/* A message that has arrived. All of it is the broker's, and valid during the call only. */
struct broker_message {
    const char *subject;
    const char *reply; /* NULL: none */
    const uint8_t *bytes;
    size_t size;
    bool nobody; /* a message with this reply had no subscriber; this answer has no bytes */
};

/* A key with its newest value. */
struct broker_entry {
    const char *key;
    const uint8_t *bytes;
    size_t size;
    uint64_t revision; /* grows with each change of any key of the bucket */
    bool deleted;      /* the key has been deleted; it has no bytes */
};

/* A change of a key, as broker_set() makes it. */
struct broker_change {
    const char *key;
    const uint8_t *bytes;
    size_t size;
    uint64_t revision;
    enum broker_result result;
};

typedef void broker_deliver(void *argument, const struct broker_message *message);

/* entry NULL: the bucket's present keys are complete; only changes follow. After a loss of the
 * connection all keys come again, and then NULL again; keys deleted during the loss come as
 * deleted, or not at all. */
typedef void broker_take(void *argument, const struct broker_entry *entry);

struct broker;
struct broker_subscription;
struct broker_watch;

struct broker_definition {
    const char *urls;        /* nats://HOST:PORT,… */
    const char *prefix;      /* of all subjects and buckets */
    const char *node;        /* name of this node */
    const char *role;        /* such as sim: the engine's answers come to _INBOX.ROLE.NODE, so that
                              * the users of one role can be kept from reading another's */
    const char *user;        /* NAME:PASSWORD; NULL: none, or in the URLs */
    const char *credentials; /* a file; NULL: none */
    const char *authority;   /* a file with the authorities of the engine's certificates, in PEM;
                              * NULL: the system's authorities, if a URL begins with tls:// */
    uint32_t patience;       /* ms that a call on a key of BROKER_CONTROL waits for its answer */
    bool makes_buckets;      /* make them if they are not there; else wait for them, without end */
    /* Called on a thread of the broker when a line is lost or is back. Must be quick. */
    void (*changed)(void *argument, enum broker_line line, bool connected);
    /* Called on any thread with a line for the log. */
    void (*log)(void *argument, bool is_error, const char *text);
    void *argument;
};

/* A broker's counters so far. */
struct broker_stats {
    _Atomic uint64_t published, failed, delivered; /* messages */
    _Atomic uint64_t bytes_out, bytes_in;
    _Atomic uint64_t puts, conflicts, unknown; /* changes of keys: done, refused, without answer */
    _Atomic uint64_t lost;                     /* how often a line was lost */
};

/* The calls of a kind of broker. Use the functions below. */
struct broker_calls {
    void (*close)(struct broker *broker);
    bool (*publish)(struct broker *broker, enum broker_line line, const char *subject,
                    const char *reply, const uint8_t *bytes, size_t size);
    struct broker_subscription *(*subscribe)(struct broker *broker, enum broker_line line,
                                             const char *subject, broker_deliver *deliver,
                                             void *argument);
    void (*unsubscribe)(struct broker *broker, struct broker_subscription *subscription);
    enum broker_result (*get)(struct broker *broker, enum broker_line line,
                              enum broker_bucket bucket, const char *key, uint8_t **bytes,
                              size_t *size, uint64_t *revision);
    enum broker_result (*set)(struct broker *broker, enum broker_line line,
                              enum broker_bucket bucket, const char *key, const uint8_t *bytes,
                              size_t size, uint64_t *revision);
    void (*set_all)(struct broker *broker, enum broker_line line, enum broker_bucket bucket,
                    struct broker_change *changes, size_t count); /* NULL: it sets one by one */
    enum broker_result (*put)(struct broker *broker, enum broker_line line,
                              enum broker_bucket bucket, const char *key, const uint8_t *bytes,
                              size_t size, uint64_t *revision);
    enum broker_result (*drop)(struct broker *broker, enum broker_line line,
                               enum broker_bucket bucket, const char *key, uint64_t *revision);
    struct broker_watch *(*watch)(struct broker *broker, enum broker_bucket bucket,
                                  broker_take *take, void *argument);
    void (*unwatch)(struct broker *broker, struct broker_watch *watch);
};

/* A broker begins with this. */
struct broker {
    const struct broker_calls *calls;
    struct broker_stats stats;
    _Atomic bool connected[BROKER_LINES];
};

/* Opens a broker: connects its lines, checks the engine and makes or finds the buckets. Returns
 * NULL with the reason in `text` (BROKER_TEXT_MAX bytes). The strings and the argument must outlive
 * the broker. A plugin has this function by the name of BROKER_OPEN. */
typedef struct broker *broker_open(const struct broker_definition *definition, char *text);
#define BROKER_OPEN "broker_nats_open"

/* Loads the plugin with the broker on NATS, which stays loaded, and opens a broker. As above. */
struct broker *broker_load(const struct broker_definition *definition, char *text);

/* Ends all subscriptions and watches, waits until no delivery runs, and frees all. Takes NULL. */
static inline void broker_close(struct broker *broker)
{
    if (broker != NULL) {
        broker->calls->close(broker);
    }
}

/* Returns whether the line is connected, as far as is known. Never blocks: any thread. */
static inline bool broker_connected(const struct broker *broker, enum broker_line line)
{
    return broker->connected[line];
}

/* Sends a message. reply: the subject for an answer; NULL: none. If the message has no subscriber,
 * a message with `nobody` goes to that subject. Returns false, and sends nothing, while the line is
 * not connected: the broker queues nothing. */
static inline bool broker_publish(struct broker *broker, enum broker_line line, const char *subject,
                                  const char *reply, const uint8_t *bytes, size_t size)
{
    return broker->calls->publish(broker, line, subject, reply, bytes, size);
}

/* Subscribes to a subject; * stands for one part of it, and > for all further parts. It stays
 * subscribed through losses of the connection. `argument` must live until broker_close(). Returns
 * NULL when memory runs out or the line is closed. */
static inline struct broker_subscription *broker_subscribe(struct broker *broker,
                                                           enum broker_line line,
                                                           const char *subject,
                                                           broker_deliver *deliver, void *argument)
{
    return broker->calls->subscribe(broker, line, subject, deliver, argument);
}

/* Ends a subscription. Messages that have already arrived may still be delivered after it. Takes
 * NULL. */
static inline void broker_unsubscribe(struct broker *broker,
                                      struct broker_subscription *subscription)
{
    if (subscription != NULL) {
        broker->calls->unsubscribe(broker, subscription);
    }
}

/* Reads a key's newest value: malloc'ed, to be freed; of an empty one, too. BROKER_NONE: there is
 * none; *revision is then what broker_set() takes to make it. */
static inline enum broker_result broker_get(struct broker *broker, enum broker_line line,
                                            enum broker_bucket bucket, const char *key,
                                            uint8_t **bytes, size_t *size, uint64_t *revision)
{
    return broker->calls->get(broker, line, bucket, key, bytes, size, revision);
}

/* Changes the key if it has *revision, and stores the new one there; 0: if the key was never there.
 * (For a deleted one, see broker_get().) */
static inline enum broker_result broker_set(struct broker *broker, enum broker_line line,
                                            enum broker_bucket bucket, const char *key,
                                            const uint8_t *bytes, size_t size, uint64_t *revision)
{
    return broker->calls->set(broker, line, bucket, key, bytes, size, revision);
}

/* Makes each of the changes as broker_set() does, and stores its revision and its result. Many
 * changes cost less than calls for each. */
static inline void broker_set_all(struct broker *broker, enum broker_line line,
                                  enum broker_bucket bucket, struct broker_change *changes,
                                  size_t count)
{
    if (broker->calls->set_all != NULL) {
        broker->calls->set_all(broker, line, bucket, changes, count);
        return;
    }
    for (size_t i = 0; i < count; i++) {
        struct broker_change *change = &changes[i];
        change->result = broker_set(broker, line, bucket, change->key, change->bytes, change->size,
                                    &change->revision);
    }
}

/* Changes the key at any revision. revision: of the new value; may be NULL. */
static inline enum broker_result broker_put(struct broker *broker, enum broker_line line,
                                            enum broker_bucket bucket, const char *key,
                                            const uint8_t *bytes, size_t size, uint64_t *revision)
{
    return broker->calls->put(broker, line, bucket, key, bytes, size, revision);
}

/* Deletes the key if it has *revision, and stores the revision of the deletion there; NULL: at any
 * revision. */
static inline enum broker_result broker_drop(struct broker *broker, enum broker_line line,
                                             enum broker_bucket bucket, const char *key,
                                             uint64_t *revision)
{
    return broker->calls->drop(broker, line, bucket, key, revision);
}

/* Watches a bucket: takes all its keys, and then each change. A watch may stand still for seconds
 * when a server of the engine dies: nothing with a deadline may depend on it. Returns NULL when
 * memory or threads run out. */
static inline struct broker_watch *broker_watch(struct broker *broker, enum broker_bucket bucket,
                                                broker_take *take, void *argument)
{
    return broker->calls->watch(broker, bucket, take, argument);
}

/* Ends a watch: take() is not called after this. Takes NULL. */
static inline void broker_unwatch(struct broker *broker, struct broker_watch *watch)
{
    if (watch != NULL) {
        broker->calls->unwatch(broker, watch);
    }
}

#endif
