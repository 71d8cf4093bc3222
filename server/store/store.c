#include "store/store.h"

#include <assert.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <uv.h>

#include "base/hash.h"
#include "base/list.h"
#include "base/log.h"
#include "store/database.h"

#define BUCKETS    1024u
#define RETRY_TIME UINT64_C(2000000000) /* ns until a failed write is tried again */

enum job_type {
    JOB_KEEP,      /* store the room */
    JOB_END,       /* the room has ended, and its code is reserved until then */
    JOB_RECORDING, /* store the recording that the room plays */
};

/* A queued write. */
struct job {
    struct list_item item;
    struct list_item kept; /* of JOB_KEEP while it is queued: in its bucket */
    enum job_type type;
    uint64_t until; /* s */
    struct store_room room;
    struct store_recording recording;
};

struct store {
    struct database database; /* used by the thread only while it runs */
    uv_thread_t thread;
    bool started;
    void (*seal)(uint8_t *state, size_t size);

    uv_mutex_t lock; /* guards the fields below */
    uv_cond_t changed;
    struct list queue;
    struct list kept[BUCKETS]; /* by code: the queued jobs that store a room, one for each code */
    bool closing;
    bool ended; /* the thread has ended */
    struct store_status status;

    atomic_bool failing; /* as in the status, for any thread */
};

/* ---- the queue ---- */

static void free_job(struct job *job)
{
    if (job->type == JOB_RECORDING) {
        job->recording.release(job->recording.memory);
    }
    free(job->room.state);
    free(job);
}

/* Returns the job after that one, or the first if it is NULL; NULL: none. */
static struct job *next_job(const struct list *queue, const struct job *job)
{
    return list_entry(job != NULL ? job->item.next : queue->first, struct job, item);
}

static struct job *take_job(struct list *queue)
{
    return list_entry(list_take(queue), struct job, item);
}

static void free_queue(struct list *queue)
{
    struct job *job;

    while ((job = take_job(queue)) != NULL) {
        free_job(job);
    }
}

static struct list *bucket_of(struct store *store, const char *code)
{
    return &store->kept[hash_text(code) % BUCKETS];
}

/* Returns the queued job that stores the room of that code, or NULL. Needs the lock. */
static struct job *find_kept(struct store *store, const char *code)
{
    struct list_item *item = bucket_of(store, code)->first;

    while (item != NULL && strcmp(list_entry(item, struct job, kept)->room.code, code) != 0) {
        item = item->next;
    }
    return list_entry(item, struct job, kept);
}

static void add_kept(struct store *store, struct job *job)
{
    assert(find_kept(store, job->room.code) == NULL);
    list_append(bucket_of(store, job->room.code), &job->kept);
}

static void remove_kept(struct store *store, struct job *job)
{
    list_remove(bucket_of(store, job->room.code), &job->kept);
}

/* Removes queued recordings of that code: its room has ended. Needs the lock. */
static void drop_recording(struct store *store, struct list *queue, const char *code)
{
    struct job *next = next_job(queue, NULL);

    while (next != NULL) {
        struct job *job = next;
        next = next_job(queue, job);
        if (job->type == JOB_RECORDING && strcmp(job->room.code, code) == 0) {
            list_remove(queue, &job->item);
            free_job(job);
            assert(store->status.waiting > 0);
            store->status.waiting--;
        }
    }
}

/* Puts jobs of a failed write back in front of the queue, except rooms with newer queued bytes and
 * recordings of ended rooms. Needs the lock. */
static void put_back(struct store *store, struct list *taken)
{
    struct list rest = store->queue;
    struct job *job = NULL;

    while ((job = next_job(&rest, job)) != NULL) {
        if (job->type == JOB_END) {
            drop_recording(store, taken, job->room.code);
        }
    }
    store->queue = (struct list){0};
    while ((job = take_job(taken)) != NULL) {
        if (job->type == JOB_KEEP && find_kept(store, job->room.code) != NULL) {
            free_job(job);
            assert(store->status.waiting > 0);
            store->status.waiting--;
            continue;
        }
        if (job->type == JOB_KEEP) {
            add_kept(store, job);
        }
        list_append(&store->queue, &job->item);
    }
    list_join(&store->queue, &rest);
}

/* Needs the lock. */
static struct list take_all(struct store *store)
{
    struct list taken = store->queue;
    struct job *job = NULL;

    store->queue = (struct list){0};
    while ((job = next_job(&taken, job)) != NULL) {
        if (job->type == JOB_KEEP) {
            remove_kept(store, job);
        }
    }
    return taken;
}

/* ---- the thread ---- */

static bool write_job(struct database *database, const struct job *job)
{
    switch (job->type) {
    case JOB_END:
        return database_end(database, job->room.code, job->until);
    case JOB_RECORDING:
        return database_put_recording(database, job->room.code, &job->recording);
    default:
        return database_put(database, &job->room);
    }
}

static void seal_all(const struct store *store, const struct list *queue)
{
    const struct job *job = NULL;

    while (store->seal != NULL && (job = next_job(queue, job)) != NULL) {
        if (job->type == JOB_KEEP) {
            store->seal(job->room.state, job->room.size);
        }
    }
}

static bool write_all(struct database *database, const struct list *queue, char *reason)
{
    bool done = database_run(database, "BEGIN IMMEDIATE");
    const struct job *job = NULL;

    while (done && (job = next_job(queue, job)) != NULL) {
        done = write_job(database, job);
    }
    done = done && database_run(database, "COMMIT");
    if (!done) {
        database_explain(database, reason);
        database_run(database, "ROLLBACK");
    }
    return done;
}

/* Records the result of a write. Needs the lock. */
static void note_result(struct store *store, struct list *taken, bool done, const char *reason,
                        double seconds)
{
    struct store_status *status = &store->status;
    const struct job *job = NULL;

    status->slowest = seconds > status->slowest ? seconds : status->slowest;
    if (done && status->failing) {
        log_info("%s can be written again: rooms are stored", store->database.path);
    } else if (!done && !status->failing) {
        log_error("rooms are not stored, and continue in memory: %s", reason);
    }
    status->failing = !done;
    atomic_store(&store->failing, !done);
    if (!done) {
        status->failures++;
        snprintf(status->reason, sizeof status->reason, "%s", reason);
        put_back(store, taken);
        return;
    }
    status->writes++;
    while ((job = next_job(taken, job)) != NULL) {
        assert(status->waiting > 0);
        status->bytes += job->room.size + job->recording.size;
        status->waiting--;
    }
}

static void run_thread(void *argument)
{
    struct store *store = argument;
    bool well = true;

    uv_mutex_lock(&store->lock);
    while (!store->closing || (store->queue.first != NULL && well)) {
        if (store->queue.first == NULL) {
            uv_cond_wait(&store->changed, &store->lock);
            continue;
        }
        if (!well && !store->closing) {
            /* New jobs do not shorten the wait. */
            uint64_t again = uv_hrtime() + RETRY_TIME;
            while (!store->closing && uv_hrtime() < again) {
                uv_cond_timedwait(&store->changed, &store->lock, again - uv_hrtime());
            }
        }
        struct list taken = take_all(store);
        uv_mutex_unlock(&store->lock);
        char reason[STORE_REASON_MAX] = "";
        seal_all(store, &taken);
        uint64_t begin = uv_hrtime();
        well = write_all(&store->database, &taken, reason);
        uv_mutex_lock(&store->lock);
        note_result(store, &taken, well, reason, (double)(uv_hrtime() - begin) / 1e9);
        uv_mutex_unlock(&store->lock);
        if (well) {
            free_queue(&taken);
        }
        uv_mutex_lock(&store->lock);
    }
    store->ended = true;
    uv_cond_broadcast(&store->changed);
    uv_mutex_unlock(&store->lock);
}

/* ---- from other threads ---- */

static struct job *job_of(enum job_type type, const char *code)
{
    struct job *job = calloc(1, sizeof *job);

    if (job != NULL) {
        job->type = type;
        snprintf(job->room.code, sizeof job->room.code, "%s", code);
    }
    return job;
}

static void push_job(struct store *store, struct job *job)
{
    list_append(&store->queue, &job->item);
    store->status.waiting++;
    uv_cond_broadcast(&store->changed);
}

bool store_put(struct store *store, const struct store_room *room)
{
    struct job *job;
    bool kept = true;

    assert(room->code[0] != '\0' && room->state != NULL && !store->closing);
    uv_mutex_lock(&store->lock);
    job = find_kept(store, room->code);
    if (job != NULL) {
        free(job->room.state);
        job->room = *room;
    } else if ((job = job_of(JOB_KEEP, room->code)) != NULL) {
        job->room = *room;
        add_kept(store, job);
        push_job(store, job);
    } else {
        kept = false;
    }
    uv_mutex_unlock(&store->lock);
    if (!kept) {
        free(room->state);
    }
    return kept;
}

bool store_put_recording(struct store *store, const char *code,
                         const struct store_recording *recording)
{
    struct job *job = job_of(JOB_RECORDING, code);

    if (job == NULL) {
        recording->release(recording->memory);
        return false;
    }
    job->recording = *recording;
    uv_mutex_lock(&store->lock);
    assert(find_kept(store, code) == NULL);
    push_job(store, job);
    uv_mutex_unlock(&store->lock);
    return true;
}

bool store_end(struct store *store, const char *code, uint64_t until)
{
    struct job *job;

    uv_mutex_lock(&store->lock);
    drop_recording(store, &store->queue, code);
    job = find_kept(store, code);
    if (job != NULL) {
        remove_kept(store, job);
        free(job->room.state); /* the queued job becomes the end */
        job->room.state = NULL;
        job->room.size = 0;
    } else if ((job = job_of(JOB_END, code)) != NULL) {
        push_job(store, job);
    }
    if (job != NULL) {
        job->type = JOB_END;
        job->until = until;
    }
    uv_mutex_unlock(&store->lock);
    return job != NULL;
}

bool store_failing(struct store *store)
{
    return atomic_load(&store->failing);
}

void store_status(struct store *store, struct store_status *status)
{
    uv_mutex_lock(&store->lock);
    *status = store->status;
    uv_mutex_unlock(&store->lock);
}

/* ---- life ---- */

enum store_result store_open(const char *folder, struct store **opened, char *text)
{
    struct store *store = calloc(1, sizeof *store);
    enum store_result result;

    *opened = NULL;
    if (store == NULL) {
        snprintf(text, STORE_REASON_MAX, "out of memory");
        return STORE_FAILED;
    }
    result = database_open(&store->database, folder, text);
    if (result == STORE_FAILED || uv_mutex_init(&store->lock) != 0) {
        database_close(&store->database);
        free(store);
        return STORE_FAILED;
    }
    uv_cond_init(&store->changed);
    *opened = store;
    return result;
}

bool store_read(struct store *store, void (*take)(void *argument, const struct store_room *room),
                void (*rest)(void *argument, const char *code, uint64_t until), void *argument,
                char *text)
{
    assert(!store->started);
    if (database_codes(&store->database, rest, argument) &&
        database_rooms(&store->database, take, argument)) {
        return true;
    }
    database_explain(&store->database, text);
    return false;
}

uint8_t *store_recording(struct store *store, const char *code, size_t *size)
{
    assert(!store->started);
    return database_recording(&store->database, code, size);
}

void store_set_aside(struct store *store, const char *code)
{
    char reason[STORE_REASON_MAX];

    assert(!store->started);
    if (!database_set_aside(&store->database, code)) {
        database_explain(&store->database, reason);
        log_error("the data of room %s could not be moved to the table aside: %s", code, reason);
    }
}

bool store_start(struct store *store, void (*seal)(uint8_t *state, size_t size))
{
    assert(!store->started);
    store->seal = seal;
    store->started = uv_thread_create(&store->thread, run_thread, store) == 0;
    return store->started;
}

/* Returns true if the thread ended in time. */
static bool join_thread(struct store *store, double patience)
{
    uint64_t end = uv_hrtime() + (uint64_t)(patience * 1e9);
    bool ended;

    uv_mutex_lock(&store->lock);
    store->closing = true;
    uv_cond_broadcast(&store->changed);
    while (store->started && !store->ended && uv_hrtime() < end) {
        uv_cond_timedwait(&store->changed, &store->lock, end - uv_hrtime());
    }
    ended = store->ended || !store->started;
    uv_mutex_unlock(&store->lock);
    if (ended && store->started) {
        uv_thread_join(&store->thread);
    }
    return ended;
}

bool store_close(struct store *store, double patience)
{
    bool written;

    if (store == NULL) {
        return true;
    }
    if (!join_thread(store, patience)) {
        log_error("%s: the disk is too slow: the latest changes are lost", store->database.path);
        return false; /* the thread uses the store until the process ends */
    }
    written = store->queue.first == NULL;
    free_queue(&store->queue);
    database_close(&store->database);
    uv_cond_destroy(&store->changed);
    uv_mutex_destroy(&store->lock);
    free(store);
    return written;
}
