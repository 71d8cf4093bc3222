/* The broker on NATS: the only file that uses libnats, built as a plugin. Written for libnats 3.4.1
 * and newer. Keys are messages of a JetStream stream for each bucket, as in NATS' key-value store,
 * so that its tools can read them; reads ask the stream's leader, because other replicas may lag.
 */
#include <assert.h>
#include <nats/nats.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cluster/broker.h"
#include "cluster/broker_probe.h"

#define CONNECT_TIMEOUT  500   /* ms */
#define CONNECT_PATIENCE 10000 /* ms until a start without NATS is given up */
#define BUCKET_PATIENCE  20000 /* ms until a start without buckets is given up */
#define TRY_AGAIN        250   /* ms */
#define PING_INTERVAL    500   /* ms; a server that does not answer two is left */
#define RECONNECT_WAIT   100   /* ms */
#define RECONNECT_JITTER 50    /* ms */
#define WRITE_DEADLINE   250   /* ms */
#define CLOSE_PATIENCE   5000  /* ms */
#define BULK_PATIENCE    5000  /* ms that a call on a key of BROKER_BULK waits */
#define WATCH_TURN       200   /* ms; how long the end of a watch may take */
#define WATCH_SILENCE    5000  /* ms until a silent watch asks whether it stands still */
#define PENDING_BYTES    (64 * 1024 * 1024) /* of one subscription that wait for their delivery */
#define REPLICAS         3
#define URLS_MAX         16u
#define NAME_MAX_BYTES   192u /* of subjects and streams with their prefix */

struct line {
    struct broker_nats *broker;
    enum broker_line which;
    natsConnection *connection;
    jsCtx *jetstream;
    _Atomic uint32_t returns; /* how often it has come back */
    bool closed;              /* with the broker's lock: no more callbacks come */
};

struct broker_subscription {
    struct broker_nats *broker;
    struct broker_subscription *next; /* in broker->subscriptions */
    natsSubscription *subscription;
    broker_deliver *deliver;
    void *argument;
    bool ending;
};

struct broker_watch {
    struct broker_nats *broker;
    enum broker_bucket bucket;
    broker_take *take;
    void *argument;
    pthread_t thread;
    _Atomic bool ending;
    uint64_t newest; /* revision that it has taken */
};

struct broker_nats {
    struct broker broker; /* must be first */
    struct broker_definition definition;
    struct line lines[BROKER_LINES];
    pthread_mutex_t lock;
    pthread_cond_t ended;
    struct broker_subscription *subscriptions; /* with lock */
};

static const char *const line_names[BROKER_LINES] = {"data", "control", "bulk"};
static const char *const bucket_names[BROKER_BUCKETS] = {"nodes", "rooms", "checks"};

static struct broker_nats *nats_of(struct broker *broker)
{
    return (struct broker_nats *)(void *)broker;
}

static void add(_Atomic uint64_t *counter, uint64_t amount)
{
    atomic_fetch_add_explicit(counter, amount, memory_order_relaxed);
}

static void log_line(const struct broker_nats *nats, bool is_error, const char *text)
{
    nats->definition.log(nats->definition.argument, is_error, text);
}

/* ---- lines ---- */

static void set_connected(struct line *line, bool connected)
{
    struct broker_nats *nats = line->broker;

    if (atomic_exchange(&nats->broker.connected[line->which], connected) != connected) {
        add(&nats->broker.stats.lost, connected ? 0 : 1);
        nats->definition.changed(nats->definition.argument, line->which, connected);
    }
}

static void on_lost(natsConnection *connection, void *closure)
{
    (void)connection;
    set_connected(closure, false);
}

static void on_back(natsConnection *connection, void *closure)
{
    struct line *line = closure;

    (void)connection;
    atomic_fetch_add(&line->returns, 1);
    set_connected(line, true);
}

/* The last callback of a connection. */
static void on_closed(natsConnection *connection, void *closure)
{
    struct line *line = closure;
    struct broker_nats *nats = line->broker;

    (void)connection;
    set_connected(line, false);
    pthread_mutex_lock(&nats->lock);
    line->closed = true;
    pthread_cond_signal(&nats->ended);
    pthread_mutex_unlock(&nats->lock);
}

/* Asynchronous errors: a slow subscription, whose newest messages are dropped, or a permission. */
static void on_error(natsConnection *connection, natsSubscription *subscription, natsStatus status,
                     void *closure)
{
    struct line *line = closure;
    char text[BROKER_TEXT_MAX];

    (void)connection;
    (void)subscription;
    if (status != NATS_SLOW_CONSUMER) { /* gaps are seen and counted by those who miss messages */
        snprintf(text, sizeof text, "NATS, %s line: %s", line_names[line->which],
                 natsStatus_GetText(status));
        log_line(line->broker, true, text);
    }
}

/* Splits the list of URLs in `copy`. Returns their number. */
static int split_urls(char *copy, const char *urls[URLS_MAX])
{
    char *rest = NULL;
    int count = 0;

    for (char *url = strtok_r(copy, ",", &rest); url != NULL && count < (int)URLS_MAX;
         url = strtok_r(NULL, ",", &rest)) {
        urls[count++] = url;
    }
    return count;
}

static natsStatus set_servers(natsOptions *options, const struct broker_definition *definition)
{
    const char *urls[URLS_MAX];
    char *copy = strdup(definition->urls);
    natsStatus status = NATS_NO_MEMORY;

    if (copy != NULL) {
        status = natsOptions_SetServers(options, urls, split_urls(copy, urls));
        free(copy);
    }
    return status;
}

static natsStatus set_user(natsOptions *options, const char *user)
{
    char name[BROKER_TEXT_MAX];
    const char *colon = user != NULL ? strchr(user, ':') : NULL;

    if (colon == NULL) {
        return NATS_OK;
    }
    snprintf(name, sizeof name, "%.*s", (int)(colon - user), user);
    return natsOptions_SetUserInfo(options, name, colon + 1);
}

static natsStatus set_trust(natsOptions *options, const struct broker_definition *definition)
{
    natsStatus status = set_user(options, definition->user);

    if (status == NATS_OK && definition->credentials != NULL) {
        status = natsOptions_SetUserCredentialsFromFiles(options, definition->credentials, NULL);
    }
    if (status == NATS_OK &&
        (definition->authority != NULL || strstr(definition->urls, "tls://") != NULL)) {
        status = natsOptions_SetSecure(options, true);
    }
    if (status == NATS_OK && definition->authority != NULL) {
        status = natsOptions_LoadCATrustedCertificates(options, definition->authority);
    }
    return status;
}

/* A node leaves a server that does not answer for 1 s, and tries for ever to come back. What is
 * sent meanwhile is refused: kept frames would come late. */
static natsStatus set_patience(natsOptions *options)
{
    natsStatus status = natsOptions_SetTimeout(options, CONNECT_TIMEOUT);

    status = status != NATS_OK ? status : natsOptions_SetPingInterval(options, PING_INTERVAL);
    status = status != NATS_OK ? status : natsOptions_SetMaxPingsOut(options, 2);
    status = status != NATS_OK ? status : natsOptions_SetMaxReconnect(options, -1);
    status = status != NATS_OK ? status : natsOptions_SetReconnectWait(options, RECONNECT_WAIT);
    status = status != NATS_OK
                 ? status
                 : natsOptions_SetReconnectJitter(options, RECONNECT_JITTER, RECONNECT_JITTER);
    status = status != NATS_OK ? status : natsOptions_SetReconnectBufSize(options, 0);
    status = status != NATS_OK ? status : natsOptions_SetWriteDeadline(options, WRITE_DEADLINE);
    return status != NATS_OK ? status : natsOptions_SetFailRequestsOnDisconnect(options, true);
}

static natsStatus set_handlers(natsOptions *options, struct line *line)
{
    natsStatus status = natsOptions_SetDisconnectedCB(options, on_lost, line);

    status = status != NATS_OK ? status : natsOptions_SetReconnectedCB(options, on_back, line);
    status = status != NATS_OK ? status : natsOptions_SetClosedCB(options, on_closed, line);
    status = status != NATS_OK ? status : natsOptions_SetErrorHandler(options, on_error, line);
    status = status != NATS_OK ? status : natsOptions_SetSendAsap(options, true);
    return status != NATS_OK ? status : natsOptions_UseGlobalMessageDelivery(options, true);
}

static natsStatus set_names(natsOptions *options, const struct line *line)
{
    const struct broker_definition *definition = &line->broker->definition;
    char name[NAME_MAX_BYTES];
    natsStatus status;

    snprintf(name, sizeof name, "flockd %s %s", definition->node, line_names[line->which]);
    status = natsOptions_SetName(options, name);
    snprintf(name, sizeof name, "_INBOX.%s", definition->node);
    return status != NATS_OK ? status : natsOptions_SetCustomInboxPrefix(options, name);
}

static natsStatus connect_line(struct line *line)
{
    natsOptions *options = NULL;
    natsStatus status = natsOptions_Create(&options);

    status = status != NATS_OK ? status : set_servers(options, &line->broker->definition);
    status = status != NATS_OK ? status : set_trust(options, &line->broker->definition);
    status = status != NATS_OK ? status : set_patience(options);
    status = status != NATS_OK ? status : set_handlers(options, line);
    status = status != NATS_OK ? status : set_names(options, line);
    status = status != NATS_OK ? status : natsConnection_Connect(&line->connection, options);
    natsOptions_Destroy(options);
    if (status == NATS_OK) {
        jsOptions jetstream;
        jsOptions_Init(&jetstream);
        jetstream.Wait = line->which == BROKER_CONTROL ? (int64_t)line->broker->definition.patience
                                                       : BULK_PATIENCE;
        status = natsConnection_JetStream(&line->jetstream, line->connection, &jetstream);
    }
    if (status == NATS_OK) {
        set_connected(line, true);
    }
    return status;
}

/* ---- messages ---- */

/* Writes LEAD PREFIX SEPARATOR NAME without blanks. Returns false if that is too long. */
static bool write_name(const struct broker_nats *nats, char *out, const char *lead, char separator,
                       const char *name)
{
    int size =
        snprintf(out, NAME_MAX_BYTES, "%s%s%c%s", lead, nats->definition.prefix, separator, name);

    return size > 0 && size < (int)NAME_MAX_BYTES;
}

/* Returns the subject without the prefix. */
static const char *plain_subject(const struct broker_nats *nats, const char *subject)
{
    size_t size = strlen(nats->definition.prefix);

    return strncmp(subject, nats->definition.prefix, size) == 0 && subject[size] == '.'
               ? subject + size + 1
               : subject;
}

static bool publish(struct broker *broker, enum broker_line which, const char *subject,
                    const char *reply, const uint8_t *bytes, size_t size)
{
    struct broker_nats *nats = nats_of(broker);
    char to[NAME_MAX_BYTES];
    char back[NAME_MAX_BYTES];
    natsStatus status = NATS_ERR;

    if (broker->connected[which] && size <= INT32_MAX && write_name(nats, to, "", '.', subject) &&
        (reply == NULL || write_name(nats, back, "", '.', reply))) {
        natsConnection *connection = nats->lines[which].connection;
        status = reply == NULL
                     ? natsConnection_Publish(connection, to, bytes, (int)size)
                     : natsConnection_PublishRequest(connection, to, back, bytes, (int)size);
    }
    add(status == NATS_OK ? &broker->stats.published : &broker->stats.failed, 1);
    add(&broker->stats.bytes_out, status == NATS_OK ? size : 0);
    return status == NATS_OK;
}

static void on_message(natsConnection *connection, natsSubscription *from, natsMsg *message,
                       void *closure)
{
    struct broker_subscription *subscription = closure;
    struct broker_nats *nats = subscription->broker;
    const char *reply = natsMsg_GetReply(message);
    const struct broker_message delivered = {
        .subject = plain_subject(nats, natsMsg_GetSubject(message)),
        .reply = reply != NULL ? plain_subject(nats, reply) : NULL,
        .bytes = (const uint8_t *)natsMsg_GetData(message),
        .size = (size_t)natsMsg_GetDataLength(message),
        .nobody = natsMsg_IsNoResponders(message),
    };

    (void)connection;
    (void)from;
    add(&nats->broker.stats.delivered, 1);
    add(&nats->broker.stats.bytes_in, delivered.size);
    subscription->deliver(subscription->argument, &delivered);
    natsMsg_Destroy(message);
}

/* Called when the last message of an ended subscription has been delivered. Only now it may be
 * destroyed: libnats 3.4.1 crashes if a message arrives meanwhile. */
static void on_ended(void *closure)
{
    struct broker_subscription *subscription = closure;
    struct broker_nats *nats = subscription->broker;

    pthread_mutex_lock(&nats->lock);
    for (struct broker_subscription **at = &nats->subscriptions; *at != NULL; at = &(*at)->next) {
        if (*at == subscription) {
            *at = subscription->next;
            break;
        }
    }
    natsSubscription_Destroy(subscription->subscription);
    free(subscription);
    pthread_cond_signal(&nats->ended);
    pthread_mutex_unlock(&nats->lock);
}

/* With the lock, so that on_ended() finds all of it filled in. */
static natsStatus begin_subscription(struct broker_subscription *subscription, struct line *line,
                                     const char *subject)
{
    natsStatus status = natsConnection_Subscribe(&subscription->subscription, line->connection,
                                                 subject, on_message, subscription);

    if (status != NATS_OK) {
        return status;
    }
    status = natsSubscription_SetPendingLimits(subscription->subscription, -1, PENDING_BYTES);
    if (status == NATS_OK) {
        status =
            natsSubscription_SetOnCompleteCB(subscription->subscription, on_ended, subscription);
    }
    if (status != NATS_OK) {
        natsSubscription_Destroy(subscription->subscription);
    }
    return status;
}

static struct broker_subscription *subscribe(struct broker *broker, enum broker_line which,
                                             const char *subject, broker_deliver *deliver,
                                             void *argument)
{
    struct broker_nats *nats = nats_of(broker);
    struct broker_subscription *subscription = calloc(1, sizeof *subscription);
    char full[NAME_MAX_BYTES];

    if (subscription == NULL || !write_name(nats, full, "", '.', subject)) {
        free(subscription);
        return NULL;
    }
    subscription->broker = nats;
    subscription->deliver = deliver;
    subscription->argument = argument;
    pthread_mutex_lock(&nats->lock);
    if (begin_subscription(subscription, &nats->lines[which], full) == NATS_OK) {
        subscription->next = nats->subscriptions;
        nats->subscriptions = subscription;
    } else {
        free(subscription);
        subscription = NULL;
    }
    pthread_mutex_unlock(&nats->lock);
    return subscription;
}

static void unsubscribe(struct broker *broker, struct broker_subscription *subscription)
{
    assert(!subscription->ending);
    (void)broker;
    subscription->ending = true;
    natsSubscription_Unsubscribe(subscription->subscription);
}

/* ---- keys ---- */

static bool write_stream(const struct broker_nats *nats, enum broker_bucket bucket, char *out)
{
    return write_name(nats, out, "KV_", '_', bucket_names[bucket]);
}

/* Writes the subject of a key: $KV.PREFIX_BUCKET.KEY. */
static bool write_key(const struct broker_nats *nats, enum broker_bucket bucket, const char *key,
                      char *out)
{
    int size = snprintf(out, NAME_MAX_BYTES, "$KV.%s_%s.%s", nats->definition.prefix,
                        bucket_names[bucket], key);

    return size > 0 && size < (int)NAME_MAX_BYTES;
}

/* Returns what a failed request for a change or a value means. */
static enum broker_result result_of(natsStatus status, jsErrCode code)
{
    if (code == JSStreamWrongLastSequenceErr) {
        return BROKER_CONFLICT;
    }
    if (code == JSNoMessageFoundErr || status == NATS_NOT_FOUND) {
        return BROKER_NONE;
    }
    if (status == NATS_NO_MEMORY) {
        return BROKER_NO_MEMORY;
    }
    /* With these, the server has refused the request, or has never had it. */
    if (code != 0 || status == NATS_NO_RESPONDERS || status == NATS_INSUFFICIENT_BUFFER ||
        status == NATS_CONNECTION_CLOSED || status == NATS_MAX_PAYLOAD) {
        return BROKER_AWAY;
    }
    return BROKER_UNKNOWN;
}

static enum broker_result count_change(struct broker *broker, enum broker_result result)
{
    if (result == BROKER_OK) {
        add(&broker->stats.puts, 1);
    } else if (result == BROKER_CONFLICT) {
        add(&broker->stats.conflicts, 1);
    } else if (result == BROKER_UNKNOWN) {
        add(&broker->stats.unknown, 1);
    }
    return result;
}

/* Writes a message of the key's subject. expected: see broker_set(); NULL: any. */
static enum broker_result change_key(struct broker *broker, enum broker_line which,
                                     natsMsg *message, const uint64_t *expected, uint64_t *revision)
{
    jsPubOptions options;
    jsPubAck *done = NULL;
    jsErrCode code = 0;
    natsStatus status;

    jsPubOptions_Init(&options);
    if (expected != NULL) {
        options.ExpectLastSubjectSeq = *expected;
        options.ExpectNoMessage = *expected == 0;
    }
    status =
        js_PublishMsg(&done, nats_of(broker)->lines[which].jetstream, message, &options, &code);
    if (status != NATS_OK) {
        return count_change(broker, result_of(status, code));
    }
    if (revision != NULL) {
        *revision = done->Sequence;
    }
    jsPubAck_Destroy(done);
    return count_change(broker, BROKER_OK);
}

static enum broker_result write_value(struct broker *broker, enum broker_line which,
                                      enum broker_bucket bucket, const char *key,
                                      const uint8_t *bytes, size_t size, const uint64_t *expected,
                                      uint64_t *revision)
{
    char subject[NAME_MAX_BYTES];
    natsMsg *message = NULL;
    enum broker_result result;

    if (!broker->connected[which] || size > BROKER_PAYLOAD_MIN ||
        !write_key(nats_of(broker), bucket, key, subject)) {
        return BROKER_AWAY;
    }
    if (natsMsg_Create(&message, subject, NULL, (const char *)bytes, (int)size) != NATS_OK) {
        return BROKER_NO_MEMORY;
    }
    result = change_key(broker, which, message, expected, revision);
    natsMsg_Destroy(message);
    return result;
}

static enum broker_result set(struct broker *broker, enum broker_line which,
                              enum broker_bucket bucket, const char *key, const uint8_t *bytes,
                              size_t size, uint64_t *revision)
{
    return write_value(broker, which, bucket, key, bytes, size, revision, revision);
}

static enum broker_result put(struct broker *broker, enum broker_line which,
                              enum broker_bucket bucket, const char *key, const uint8_t *bytes,
                              size_t size, uint64_t *revision)
{
    return write_value(broker, which, bucket, key, bytes, size, NULL, revision);
}

static enum broker_result drop(struct broker *broker, enum broker_line which,
                               enum broker_bucket bucket, const char *key, uint64_t *revision)
{
    char subject[NAME_MAX_BYTES];
    natsMsg *message = NULL;
    enum broker_result result = BROKER_NO_MEMORY;

    if (!broker->connected[which] || !write_key(nats_of(broker), bucket, key, subject)) {
        return BROKER_AWAY;
    }
    if (natsMsg_Create(&message, subject, NULL, NULL, 0) == NATS_OK &&
        natsMsgHeader_Set(message, "KV-Operation", "DEL") == NATS_OK) {
        result = change_key(broker, which, message, revision, revision);
    }
    natsMsg_Destroy(message);
    return result;
}

/* Stores a copy of the message's value. */
static enum broker_result read_value(natsMsg *message, uint8_t **bytes, size_t *size,
                                     uint64_t *revision)
{
    const char *operation = NULL;

    *revision = natsMsg_GetSequence(message);
    if (natsMsgHeader_Get(message, "KV-Operation", &operation) == NATS_OK) {
        return BROKER_NONE;
    }
    *size = (size_t)natsMsg_GetDataLength(message);
    *bytes = malloc(*size + 1);
    if (*bytes == NULL) {
        return BROKER_NO_MEMORY;
    }
    memcpy(*bytes, natsMsg_GetData(message), *size);
    return BROKER_OK;
}

static enum broker_result get(struct broker *broker, enum broker_line which,
                              enum broker_bucket bucket, const char *key, uint8_t **bytes,
                              size_t *size, uint64_t *revision)
{
    struct broker_nats *nats = nats_of(broker);
    char stream[NAME_MAX_BYTES];
    char subject[NAME_MAX_BYTES];
    natsMsg *message = NULL;
    jsErrCode code = 0;
    enum broker_result result;
    natsStatus status;

    *bytes = NULL;
    *size = 0;
    *revision = 0;
    if (!broker->connected[which] || !write_stream(nats, bucket, stream) ||
        !write_key(nats, bucket, key, subject)) {
        return BROKER_AWAY;
    }
    status = js_GetLastMsg(&message, nats->lines[which].jetstream, stream, subject, NULL, &code);
    if (status != NATS_OK) {
        return result_of(status, code);
    }
    result = read_value(message, bytes, size, revision);
    natsMsg_Destroy(message);
    return result;
}

/* ---- watches ---- */

static void take_entry(struct broker_watch *watch, kvEntry *entry)
{
    const struct broker_entry taken = {
        .key = kvEntry_Key(entry),
        .bytes = kvEntry_Value(entry),
        .size = (size_t)kvEntry_ValueLen(entry),
        .revision = kvEntry_Revision(entry),
        .deleted = kvEntry_Operation(entry) != kvOp_Put,
    };

    if (taken.revision > watch->newest) {
        watch->newest = taken.revision;
    }
    watch->take(watch->argument, &taken);
}

/* Returns whether the bucket has had changes that the watch has not taken. */
static bool is_behind(const struct broker_watch *watch)
{
    struct broker_nats *nats = watch->broker;
    jsStreamInfo *info = NULL;
    char stream[NAME_MAX_BYTES];
    bool behind = false;

    if (write_stream(nats, watch->bucket, stream) &&
        js_GetStreamInfo(&info, nats->lines[BROKER_BULK].jetstream, stream, NULL, NULL) ==
            NATS_OK) {
        behind = info->State.LastSeq > watch->newest;
        jsStreamInfo_Destroy(info);
    }
    return behind;
}

/* Takes entries until the watch ends, the line has come back, or the watch stands still: the server
 * that served it has died, which libnats may not notice. */
static void follow(struct broker_watch *watch, kvWatcher *watcher)
{
    const struct line *line = &watch->broker->lines[BROKER_BULK];
    const uint32_t returns = line->returns;
    int silent = 0; /* ms */
    int behind = 0; /* times in a row that it was found behind */

    while (!watch->ending && line->returns == returns && behind < 2) {
        kvEntry *entry = NULL;
        natsStatus status = kvWatcher_Next(&entry, watcher, WATCH_TURN);
        if (status == NATS_OK) {
            silent = 0;
            behind = 0;
            if (entry != NULL) {
                take_entry(watch, entry);
                kvEntry_Destroy(entry);
            } else {
                watch->take(watch->argument, NULL);
            }
        } else if (status != NATS_TIMEOUT) {
            break;
        } else if ((silent += WATCH_TURN) >= WATCH_SILENCE) {
            behind = is_behind(watch) ? behind + 1 : 0;
            silent = behind > 0 ? WATCH_SILENCE - 1000 : 0;
        }
    }
}

static void *run_watch(void *argument)
{
    struct broker_watch *watch = argument;
    struct broker_nats *nats = watch->broker;
    char bucket[NAME_MAX_BYTES];

    write_name(nats, bucket, "", '_', bucket_names[watch->bucket]);
    while (!watch->ending) {
        kvStore *store = NULL;
        kvWatcher *watcher = NULL;
        if (nats->broker.connected[BROKER_BULK] &&
            js_KeyValue(&store, nats->lines[BROKER_BULK].jetstream, bucket) == NATS_OK &&
            kvStore_WatchAll(&watcher, store, NULL) == NATS_OK) {
            follow(watch, watcher);
            kvWatcher_Stop(watcher);
        }
        kvWatcher_Destroy(watcher);
        kvStore_Destroy(store);
        if (!watch->ending) {
            nats_Sleep(WATCH_TURN);
        }
    }
    nats_ReleaseThreadMemory();
    return NULL;
}

static struct broker_watch *watch(struct broker *broker, enum broker_bucket bucket,
                                  broker_take *take, void *argument)
{
    struct broker_watch *made = calloc(1, sizeof *made);

    if (made == NULL) {
        return NULL;
    }
    made->broker = nats_of(broker);
    made->bucket = bucket;
    made->take = take;
    made->argument = argument;
    if (pthread_create(&made->thread, NULL, run_watch, made) != 0) {
        free(made);
        return NULL;
    }
    return made;
}

static void unwatch(struct broker *broker, struct broker_watch *watch)
{
    (void)broker;
    watch->ending = true;
    pthread_join(watch->thread, NULL);
    free(watch);
}

/* ---- life ---- */

static pthread_mutex_t library_lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned library_users; /* with library_lock: open brokers */

/* Starts libnats' threads with the first broker: one of them delivers for all subscriptions. */
static bool begin_library(void)
{
    bool begun;

    pthread_mutex_lock(&library_lock);
    begun = library_users > 0 ||
            (nats_Open(-1) == NATS_OK && nats_SetMessageDeliveryPoolSize(1) == NATS_OK);
    library_users += begun;
    pthread_mutex_unlock(&library_lock);
    return begun;
}

/* Ends libnats' threads, and waits for them, with the last broker. */
static void end_library(void)
{
    pthread_mutex_lock(&library_lock);
    assert(library_users > 0);
    if (--library_users == 0) {
        nats_CloseAndWait(CLOSE_PATIENCE);
    } else {
        nats_ReleaseThreadMemory();
    }
    pthread_mutex_unlock(&library_lock);
}

/* Returns whether callbacks may still come. With the lock. */
static bool is_called(const struct broker_nats *nats)
{
    bool called = nats->subscriptions != NULL;

    for (size_t i = 0; i < BROKER_LINES; i++) {
        called = called || (nats->lines[i].connection != NULL && !nats->lines[i].closed);
    }
    return called;
}

/* Waits until connections that have been closed, and their subscriptions, make no more calls. */
static void wait_for_silence(struct broker_nats *nats)
{
    pthread_mutex_lock(&nats->lock);
    while (is_called(nats)) {
        pthread_cond_wait(&nats->ended, &nats->lock);
    }
    pthread_mutex_unlock(&nats->lock);
}

static void close_broker(struct broker *broker)
{
    struct broker_nats *nats = nats_of(broker);

    for (size_t i = 0; i < BROKER_LINES; i++) {
        natsConnection_Close(nats->lines[i].connection);
    }
    wait_for_silence(nats);
    for (size_t i = 0; i < BROKER_LINES; i++) {
        jsCtx_Destroy(nats->lines[i].jetstream);
        natsConnection_Destroy(nats->lines[i].connection);
    }
    end_library();
    pthread_mutex_destroy(&nats->lock);
    pthread_cond_destroy(&nats->ended);
    free(nats);
}

static const struct broker_calls calls = {
    .close = close_broker,
    .publish = publish,
    .subscribe = subscribe,
    .unsubscribe = unsubscribe,
    .get = get,
    .set = set,
    .put = put,
    .drop = drop,
    .watch = watch,
    .unwatch = unwatch,
};

/* Makes the stream of a bucket as NATS' key-value store does, or finds it. */
static natsStatus make_bucket(struct broker_nats *nats, enum broker_bucket bucket, int replicas,
                              jsErrCode *code)
{
    char stream[NAME_MAX_BYTES];
    char subject[NAME_MAX_BYTES];
    const char *subjects[] = {subject};
    jsStreamInfo *info = NULL;
    jsStreamConfig config;
    natsStatus status;

    jsStreamConfig_Init(&config);
    if (!write_stream(nats, bucket, stream) || !write_key(nats, bucket, ">", subject)) {
        return NATS_INVALID_ARG;
    }
    config.Name = stream;
    config.Subjects = subjects;
    config.SubjectsLen = 1;
    config.MaxMsgsPerSubject = 1;
    config.Discard = js_DiscardNew;
    config.Storage = js_FileStorage;
    config.Replicas = replicas;
    config.AllowRollup = true;
    config.AllowDirect = true;
    config.DenyDelete = true;
    status = js_AddStream(&info, nats->lines[BROKER_BULK].jetstream, &config, NULL, code);
    jsStreamInfo_Destroy(info);
    return status;
}

static natsStatus open_bucket(struct broker_nats *nats, enum broker_bucket bucket, jsErrCode *code)
{
    char stream[NAME_MAX_BYTES];
    jsStreamInfo *info = NULL;
    natsStatus status = NATS_INVALID_ARG;

    *code = 0;
    if (write_stream(nats, bucket, stream)) {
        status = js_GetStreamInfo(&info, nats->lines[BROKER_BULK].jetstream, stream, NULL, code);
        jsStreamInfo_Destroy(info);
    }
    if (status == NATS_OK || !nats->definition.makes_buckets) {
        return status;
    }
    *code = 0;
    status = make_bucket(nats, bucket, REPLICAS, code);
    if (*code == JSStreamReplicasNotSupportedErr) { /* a single server */
        *code = 0;
        status = make_bucket(nats, bucket, 1, code);
    }
    return *code == JSStreamNameExistErr ? NATS_OK : status;
}

/* Servers that start together need seconds until they have a leader. */
static bool open_buckets(struct broker_nats *nats, char *text)
{
    int64_t until = nats_Now() + BUCKET_PATIENCE;

    for (int i = 0; i < BROKER_BUCKETS;) {
        jsErrCode code = 0;
        natsStatus status = open_bucket(nats, (enum broker_bucket)i, &code);
        if (status == NATS_OK) {
            i++;
        } else if (nats_Now() > until) {
            snprintf(text, BROKER_TEXT_MAX,
                     "NATS has no bucket %s_%s and makes none: %s (%d); a bucket needs JetStream "
                     "on one server, or on three",
                     nats->definition.prefix, bucket_names[i], natsStatus_GetText(status),
                     (int)code);
            return false;
        } else {
            nats_Sleep(TRY_AGAIN);
        }
    }
    return true;
}

static bool connect_lines(struct broker_nats *nats, char *text)
{
    for (size_t i = 0; i < BROKER_LINES; i++) {
        struct line *line = &nats->lines[i];
        natsStatus status;
        line->broker = nats;
        line->which = (enum broker_line)i;
        status = connect_line(line);
        if (status != NATS_OK) {
            const char *detail = nats_GetLastError(NULL);
            snprintf(text, BROKER_TEXT_MAX, "cannot connect to NATS: %s%s%s",
                     natsStatus_GetText(status), detail != NULL && detail[0] != '\0' ? ", " : "",
                     detail != NULL ? detail : "");
            return false;
        }
    }
    return true;
}

/* Asks each server for its version and its configuration. */
static bool check_servers(const struct broker_definition *definition, char *text)
{
    int64_t until = nats_Now() + CONNECT_PATIENCE;
    bool said = false;

    for (;;) {
        switch (broker_probe(definition->urls, text)) {
        case BROKER_PROBE_GOOD:
            return true;
        case BROKER_PROBE_BAD:
            return false;
        case BROKER_PROBE_SILENT:
            break;
        }
        if (nats_Now() > until) {
            return false;
        }
        if (!said) {
            definition->log(definition->argument, false, text);
            said = true;
        }
        nats_Sleep(TRY_AGAIN);
    }
}

struct broker *broker_nats_open(const struct broker_definition *definition, char *text);

__attribute__((visibility("default"))) struct broker *
broker_nats_open(const struct broker_definition *definition, char *text)
{
    struct broker_nats *nats = calloc(1, sizeof *nats);

    if (nats == NULL || !begin_library()) {
        snprintf(text, BROKER_TEXT_MAX, "out of memory or threads");
        free(nats);
        return NULL;
    }
    nats->broker.calls = &calls;
    nats->definition = *definition;
    pthread_mutex_init(&nats->lock, NULL);
    pthread_cond_init(&nats->ended, NULL);
    if (!check_servers(definition, text) || !connect_lines(nats, text) ||
        !open_buckets(nats, text)) {
        close_broker(&nats->broker);
        return NULL;
    }
    return &nats->broker;
}
