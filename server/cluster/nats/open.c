/* Opens a broker: checks the servers, connects the lines, finds or makes the buckets. */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cluster/broker_probe.h"
#include "cluster/nats/inside.h"

#define CONNECT_PATIENCE 10000 /* ms until a start without NATS is given up */
#define BUCKET_PATIENCE  20000 /* ms until a start without buckets is given up */
#define TRY_AGAIN        250   /* ms */
#define CLOSE_PATIENCE   5000  /* ms */
#define LAST_PATIENCE    200   /* ms until the last messages are given up */
#define REPLICAS         3

static pthread_mutex_t library_lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned library_users; /* with library_lock: open brokers */

/* Starts libnats' threads with the first broker. One thread delivers for all subscriptions. */
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

static void free_closed_lines(struct broker_nats *nats)
{
    struct closed_line *next;

    for (struct closed_line *at = nats->closed_lines; at != NULL; at = next) {
        next = at->next;
        jsCtx_Destroy(at->jetstream);
        natsConnection_Destroy(at->connection);
        free(at);
    }
}

/* Closes the line. Messages of the last millisecond wait in the library, and go first. */
static void close_line(struct broker_nats *nats, enum broker_line which)
{
    natsConnection *connection = nats->lines[which].connection;

    if (nats->broker.connected[which]) {
        (void)natsConnection_FlushTimeout(connection, LAST_PATIENCE);
    }
    natsConnection_Close(connection);
}

static void close_broker(struct broker *broker)
{
    struct broker_nats *nats = broker_as_nats(broker);

    broker_end_reviving(nats);
    broker_free_subscriptions(nats);
    for (size_t i = 0; i < BROKER_LINES; i++) {
        close_line(nats, (enum broker_line)i);
    }
    wait_for_silence(nats);
    for (size_t i = 0; i < BROKER_LINES; i++) {
        jsCtx_Destroy(nats->lines[i].jetstream);
        natsConnection_Destroy(nats->lines[i].connection);
    }
    free_closed_lines(nats);
    end_library();
    pthread_mutex_destroy(&nats->lock);
    pthread_cond_destroy(&nats->ended);
    free(nats);
}

static const struct broker_calls calls = {
    .close = close_broker,
    .publish = broker_nats_publish,
    .subscribe = broker_nats_subscribe,
    .unsubscribe = broker_nats_unsubscribe,
    .get = broker_nats_get,
    .set = broker_nats_set,
    .set_all = broker_nats_set_all,
    .put = broker_nats_put,
    .drop = broker_nats_drop,
    .watch = broker_nats_watch,
    .unwatch = broker_nats_unwatch,
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
    if (!broker_write_stream(nats, bucket, stream) ||
        !broker_write_key(nats, bucket, ">", subject)) {
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
    if (broker_write_stream(nats, bucket, stream)) {
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

/* Says once that no node has made the buckets yet. */
static void say_waiting(const struct broker_nats *nats, bool *said)
{
    if (!*said) {
        nats->definition.log(nats->definition.argument, false,
                             "waiting for the first node with rooms: NATS has no buckets yet");
        *said = true;
    }
}

/* Servers that start together need seconds until they have a leader. A node that makes no buckets
 * waits for another one without end. */
static bool open_buckets(struct broker_nats *nats, char *text)
{
    int64_t until = nats_Now() + BUCKET_PATIENCE;
    bool said = false;

    for (int i = 0; i < BROKER_BUCKETS;) {
        jsErrCode code = 0;
        natsStatus status = open_bucket(nats, (enum broker_bucket)i, &code);
        if (status == NATS_OK) {
            i++;
        } else if (code == JSStreamNotFoundErr && !nats->definition.makes_buckets) {
            say_waiting(nats, &said);
            nats_Sleep(TRY_AGAIN);
        } else if (nats_Now() > until) {
            snprintf(text, BROKER_TEXT_MAX,
                     "NATS has no bucket %s_%s for this node and makes none: %s (%d); a bucket "
                     "needs JetStream on one server, or on three, and the node a user with the "
                     "rights of its role",
                     nats->definition.prefix, broker_bucket_names[i], natsStatus_GetText(status),
                     (int)code);
            return false;
        } else {
            nats_Sleep(TRY_AGAIN);
        }
    }
    return true;
}

/* Returns whether another try may connect, because the line or the server was at fault, and not
 * the options. */
static bool may_connect_later(natsStatus status)
{
    return status == NATS_NO_SERVER || status == NATS_TIMEOUT || status == NATS_IO_ERROR ||
           status == NATS_PROTOCOL_ERROR || status == NATS_CONNECTION_CLOSED ||
           status == NATS_STALE_CONNECTION;
}

static natsStatus connect_until(struct line *line, int64_t until)
{
    natsStatus status = broker_connect(line);

    while (may_connect_later(status) && nats_Now() < until) {
        nats_Sleep(TRY_AGAIN);
        status = broker_connect(line);
    }
    return status;
}

static bool connect_lines(struct broker_nats *nats, char *text)
{
    const int64_t until = nats_Now() + CONNECT_PATIENCE;

    for (size_t i = 0; i < BROKER_LINES; i++) {
        struct line *line = &nats->lines[i];
        natsStatus status;
        line->broker = nats;
        line->which = (enum broker_line)i;
        status = connect_until(line, until);
        if (status != NATS_OK) {
            const char *detail = nats_GetLastError(NULL);
            snprintf(text, BROKER_TEXT_MAX, "cannot connect to NATS: %s%s%s",
                     natsStatus_GetText(status), detail != NULL && detail[0] != '\0' ? ", " : "",
                     detail != NULL ? detail : "");
            return false;
        }
        broker_set_connected(line, true);
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
    if (!broker_begin_reviving(nats)) {
        snprintf(text, BROKER_TEXT_MAX, "out of threads");
        close_broker(&nats->broker);
        return NULL;
    }
    return &nats->broker;
}
