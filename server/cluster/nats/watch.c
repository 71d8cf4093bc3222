/* Watches of buckets, each with a thread. */
#include <stdlib.h>
#include <string.h>

#include "cluster/nats/inside.h"

#define WATCH_TURN    200                /* ms; how long the end of a watch may take */
#define WATCH_SILENCE 2000               /* ms until a silent watch asks whether it stands still */
#define WATCH_AGAIN   1000               /* ms until a watch that is behind asks again */
#define PENDING_BYTES (64 * 1024 * 1024) /* that wait to be taken */

struct broker_watch {
    struct broker_nats *broker;
    enum broker_bucket bucket;
    broker_take *take;
    void *argument;
    pthread_t thread;
    _Atomic bool ending;
    uint64_t newest; /* revision that it has taken */

    /* Since it was begun, or begun again. */
    uint64_t taken; /* messages */
    bool complete;  /* all keys have been taken */
    size_t lead;    /* bytes of subjects before their keys */
};

/* Takes the message of a key. Returns false if messages before it are missing. */
static bool take_message(struct broker_watch *watch, natsMsg *message, const jsMsgMetaData *about)
{
    const char *operation = NULL;
    const struct broker_entry taken = {
        .key = natsMsg_GetSubject(message) + watch->lead,
        .bytes = (const uint8_t *)natsMsg_GetData(message),
        .size = (size_t)natsMsg_GetDataLength(message),
        .revision = about->Sequence.Stream,
        .deleted = natsMsgHeader_Get(message, "KV-Operation", &operation) == NATS_OK,
    };

    if (about->Sequence.Consumer != watch->taken + 1) {
        return false;
    }
    watch->taken++;
    if (taken.revision > watch->newest) {
        watch->newest = taken.revision;
    }
    watch->take(watch->argument, &taken);
    if (about->NumPending == 0 && !watch->complete) {
        watch->complete = true;
        watch->take(watch->argument, NULL);
    }
    return true;
}

static bool take_next(struct broker_watch *watch, natsMsg *message)
{
    jsMsgMetaData *about = NULL;
    bool taken =
        natsMsg_GetMetaData(&about, message) == NATS_OK && take_message(watch, message, about);

    jsMsgMetaData_Destroy(about);
    natsMsg_Destroy(message);
    return taken;
}

/* Stores the state of the bucket's stream. Returns false if NATS does not tell it. */
static bool get_state(const struct broker_watch *watch, jsStreamState *state)
{
    struct broker_nats *nats = watch->broker;
    jsStreamInfo *info = NULL;
    char stream[NAME_MAX_BYTES];

    if (!broker_write_stream(nats, watch->bucket, stream) ||
        js_GetStreamInfo(&info, nats->lines[BROKER_BULK].jetstream, stream, NULL, NULL) !=
            NATS_OK) {
        return false;
    }
    *state = info->State;
    jsStreamInfo_Destroy(info);
    return true;
}

/* Returns whether the bucket has had changes that the watch has not taken. */
static bool is_behind(const struct broker_watch *watch)
{
    jsStreamState state;

    return get_state(watch, &state) && state.LastSeq > watch->newest;
}

/* Takes entries until the watch ends, the line has come back, messages are missing, or the watch
 * stands still: the server that served it has died, which libnats may not notice. */
static void follow(struct broker_watch *watch, natsSubscription *subscription, uint32_t returns)
{
    const struct line *line = &watch->broker->lines[BROKER_BULK];
    int silent = 0; /* ms */
    int behind = 0; /* times in a row that it was found behind */

    while (!watch->ending && line->returns == returns && behind < 2) {
        natsMsg *message = NULL;
        natsStatus status = natsSubscription_NextMsg(&message, subscription, WATCH_TURN);
        if (status == NATS_OK) {
            silent = 0;
            behind = 0;
            if (!take_next(watch, message)) {
                break;
            }
        } else if (status != NATS_TIMEOUT) {
            break;
        } else if ((silent += WATCH_TURN) >= WATCH_SILENCE) {
            behind = is_behind(watch) ? behind + 1 : 0;
            silent = behind > 0 ? WATCH_SILENCE - WATCH_AGAIN : 0;
        }
    }
}

/* Subscribes to the newest value of each key. An ordered consumer of libnats, as its key-value
 * store uses them, would replace itself on a thread of its own when the line is back, and
 * libnats 3.4.1 crashes if the consumer ends at that time. */
static natsStatus subscribe_keys(struct broker_watch *watch, natsSubscription **subscription)
{
    struct broker_nats *nats = watch->broker;
    char stream[NAME_MAX_BYTES];
    char keys[NAME_MAX_BYTES];
    jsSubOptions options;
    natsStatus status;

    if (!broker_write_stream(nats, watch->bucket, stream) ||
        !broker_write_key(nats, watch->bucket, ">", keys)) {
        return NATS_INVALID_ARG;
    }
    watch->lead = strlen(keys) - 1;
    jsSubOptions_Init(&options);
    options.Stream = stream;
    options.Config.DeliverPolicy = js_DeliverLastPerSubject;
    options.Config.AckPolicy = js_AckNone;
    status = js_SubscribeSync(subscription, nats->lines[BROKER_BULK].jetstream, keys, NULL,
                              &options, NULL);
    if (status == NATS_OK) {
        status = natsSubscription_SetPendingLimits(*subscription, -1, PENDING_BYTES);
    }
    return status;
}

/* Begins again with the first message. Tells that an empty bucket is complete: no message will.
 * A bucket never becomes empty, because deleted keys stay as such. Returns false if NATS does not
 * answer. */
static bool begin_watch(struct broker_watch *watch)
{
    jsStreamState state;

    if (!get_state(watch, &state)) {
        return false;
    }
    watch->taken = 0;
    watch->complete = state.Msgs == 0;
    if (watch->complete) {
        watch->take(watch->argument, NULL);
    }
    return true;
}

static void *run_watch(void *argument)
{
    struct broker_watch *watch = argument;
    struct broker_nats *nats = watch->broker;

    while (!watch->ending) {
        const uint32_t returns = nats->lines[BROKER_BULK].returns;
        natsSubscription *subscription = NULL;
        if (nats->broker.connected[BROKER_BULK] && begin_watch(watch) &&
            subscribe_keys(watch, &subscription) == NATS_OK) {
            follow(watch, subscription, returns);
        }
        natsSubscription_Unsubscribe(subscription);
        natsSubscription_Destroy(subscription);
        if (!watch->ending) {
            nats_Sleep(WATCH_TURN);
        }
    }
    nats_ReleaseThreadMemory();
    return NULL;
}

struct broker_watch *broker_nats_watch(struct broker *broker, enum broker_bucket bucket,
                                       broker_take *take, void *argument)
{
    struct broker_watch *made = calloc(1, sizeof *made);

    if (made == NULL) {
        return NULL;
    }
    made->broker = broker_as_nats(broker);
    made->bucket = bucket;
    made->take = take;
    made->argument = argument;
    if (pthread_create(&made->thread, NULL, run_watch, made) != 0) {
        free(made);
        return NULL;
    }
    return made;
}

void broker_nats_unwatch(struct broker *broker, struct broker_watch *watch)
{
    (void)broker;
    watch->ending = true;
    pthread_join(watch->thread, NULL);
    free(watch);
}
