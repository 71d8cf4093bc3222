/* Watches of buckets, each with a thread. */
#include <stdlib.h>

#include "cluster/nats/inside.h"

#define WATCH_TURN    200  /* ms; how long the end of a watch may take */
#define WATCH_SILENCE 5000 /* ms until a silent watch asks whether it stands still */
#define SETTLE_TURN   500  /* ms */
#define SETTLE_MOST   5000 /* ms */

struct broker_watch {
    struct broker_nats *broker;
    enum broker_bucket bucket;
    broker_take *take;
    void *argument;
    pthread_t thread;
    _Atomic bool ending;
    uint64_t newest; /* revision that it has taken */
};

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

/* Stores the bucket's newest revision. Returns false without an answer. */
static bool read_newest(const struct broker_watch *watch, uint64_t *newest)
{
    struct broker_nats *nats = watch->broker;
    jsStreamInfo *info = NULL;
    char stream[NAME_MAX_BYTES];

    if (!broker_write_stream(nats, watch->bucket, stream) ||
        js_GetStreamInfo(&info, nats->lines[BROKER_BULK].jetstream, stream, NULL, NULL) !=
            NATS_OK) {
        return false;
    }
    *newest = info->State.LastSeq;
    jsStreamInfo_Destroy(info);
    return true;
}

/* Returns whether the bucket has had changes that the watch has not taken. */
static bool is_behind(const struct broker_watch *watch)
{
    uint64_t newest;

    return read_newest(watch, &newest) && newest > watch->newest;
}

/* When the line has come back, libnats makes the watch's consumer again, on a thread of its own. It
 * then frees the consumer's name, which kvWatcher_Stop() of libnats 3.4.1 reads without a lock. An
 * answer of the bucket tells that libnats has had its answer, too. */
static void let_settle(const struct broker_watch *watch)
{
    uint64_t newest;

    for (int waited = 0; !watch->ending && waited < SETTLE_MOST; waited += SETTLE_TURN) {
        nats_Sleep(SETTLE_TURN);
        if (read_newest(watch, &newest)) {
            break;
        }
    }
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

    broker_write_name(nats, bucket, "", '_', broker_bucket_names[watch->bucket]);
    while (!watch->ending) {
        kvStore *store = NULL;
        kvWatcher *watcher = NULL;
        if (nats->broker.connected[BROKER_BULK] &&
            js_KeyValue(&store, nats->lines[BROKER_BULK].jetstream, bucket) == NATS_OK &&
            kvStore_WatchAll(&watcher, store, NULL) == NATS_OK) {
            const uint32_t returns = nats->lines[BROKER_BULK].returns;
            follow(watch, watcher);
            if (nats->lines[BROKER_BULK].returns != returns) {
                let_settle(watch);
            }
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
