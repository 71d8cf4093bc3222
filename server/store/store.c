#include "store/store.h"

#include <assert.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <uv.h>

#include "base/log.h"
#include "store/database.h"
#include "store/endings.h"
#include "store/jobs.h"

#define RETRY_TIME UINT64_C(2000000000) /* ns until a failed write is tried again */

struct disk_store {
    struct store store;       /* must be first */
    struct database database; /* used by the thread only while it runs, and the next three */
    struct endings endings;
    uint32_t rooms_max; /* an upper bound of the rooms in the database */
    bool unfinished;    /* the database may have recordings or pasts that are not complete */
    uv_thread_t thread;
    bool started;
    void (*seal)(uint8_t *state, size_t size);

    uv_mutex_t lock; /* guards the fields below */
    uv_cond_t changed;
    struct jobs jobs; /* with the endings of an earlier process */
    uint64_t
        taken_since;     /* ns: when the oldest job was queued that the thread writes; 0: none is */
    uint64_t well_since; /* ns: when the thread began, or when a write last failed */
    bool writes;         /* the thread does, without the lock */
    bool writes_past;    /* it writes a past */
    bool closing;
    bool late;                  /* report_lateness() has said so */
    bool past_failing;          /* the last attempt to write a past failed */
    bool ended;                 /* the thread has ended */
    struct store_status status; /* except `waiting` */

    atomic_bool failing; /* as in the status, for any thread */
};

static struct disk_store *disk_of(struct store *store)
{
    return (struct disk_store *)(void *)store;
}

/* ---- the thread ---- */

static bool write_job(struct database *database, const struct job *job)
{
    const char *code = job->room.code;
    const struct piece piece = jobs_piece(job);

    switch (job->type) {
    case JOB_END:
        return database_end(database, code, job->until);
    case JOB_RECORDING:
        return database_put_piece(database, DATABASE_RECORDINGS, code, &piece);
    case JOB_PAST:
        return job->packed == NULL || database_put_piece(database, DATABASE_PASTS, code, &piece);
    default:
        return database_put(database, &job->room);
    }
}

/* Does what takes long and needs no lock. */
static void prepare_all(const struct disk_store *store, const struct list *queue)
{
    struct job *job = NULL;

    while ((job = jobs_next(queue, job)) != NULL) {
        if (job->type == JOB_KEEP && store->seal != NULL) {
            store->seal(job->room.state, job->room.size);
        } else if (job->type == JOB_PAST && job->packed == NULL) {
            job->packed = job->past.pack(job->past.memory, &job->packed_size);
        }
    }
}

static bool write_all(struct disk_store *store, const struct list *queue, char *reason)
{
    struct database *database = &store->database;
    bool done = database_run(database, "BEGIN IMMEDIATE");
    bool more = false;
    const struct job *job = NULL;

    while (done && (job = jobs_next(queue, job)) != NULL) {
        done = write_job(database, job);
        more |= jobs_piece(job).begin > 0;
    }
    store->unfinished |= more;
    /* If the file has no space for a piece, the next pieces would fill the disk with the log. */
    done = done && database_run(database, "COMMIT") && (!more || database->log_result == SQLITE_OK);
    if (!done) {
        database_explain(database, reason);
        database_run(database, "ROLLBACK");
    }
    return done;
}

/* Notes the rooms that end in the list of endings, which needs no space on the disk. */
static void note_ends(struct disk_store *store, const struct list *taken)
{
    struct job *job = NULL;
    bool added = false;

    while ((job = jobs_next(taken, job)) != NULL) {
        struct ending ending = {.until = job->until};
        memcpy(ending.code, job->room.code, sizeof ending.code);
        if (job->type == JOB_END && !job->noted &&
            database_saved_at(&store->database, ending.code, &ending.saved_at)) {
            added |= job->noted = endings_add(&store->endings, &ending);
        }
    }
    if (added) {
        endings_sync(&store->endings);
    }
}

/* Reserves space for the endings of all rooms of the database. */
static void reserve_endings(struct disk_store *store)
{
    if (database_count(&store->database, &store->rooms_max)) {
        endings_reserve(&store->endings, store->rooms_max);
    }
}

/* Clears the list of endings if all of them are written, and keeps it long enough. */
static void forget_ends(struct disk_store *store, const struct list *written, bool all)
{
    const struct job *job = NULL;

    if (all) {
        endings_clear(&store->endings);
    }
    while ((job = jobs_next(written, job)) != NULL) {
        store->rooms_max += job->type == JOB_KEEP;
    }
    if (store->rooms_max >= store->endings.slots) {
        reserve_endings(store);
    }
}

/* After a failed write: ends rooms alone, because that needs little space, and gives theirs back.
 * Otherwise a full disk would stay full. all: no other ends wait. Returns how many jobs moved to
 * `ended`. */
static uint64_t write_ends(struct disk_store *store, struct list *taken, struct list *ended,
                           bool all)
{
    struct database *database = &store->database;
    uint64_t count = jobs_take_endings(taken, ended);
    const struct job *job = NULL;
    bool done;

    if (count == 0) {
        return 0;
    }
    note_ends(store, ended);
    database_spend_reserve(database);
    done = database_run(database, "BEGIN IMMEDIATE");
    while (done && (job = jobs_next(ended, job)) != NULL) {
        done = job->type != JOB_END || write_job(database, job);
    }
    done = done && database_run(database, "COMMIT");
    if (!done) {
        database_run(database, "ROLLBACK");
        list_join(ended, taken); /* in front */
        *taken = *ended;
        *ended = (struct list){0};
        return 0;
    }
    while (database_shrink(database)) {
    }
    database_reserve(database);
    forget_ends(store, ended, all);
    return count;
}

/* Returns the longest wait of a queued or taken room, in s, since writing last failed. Needs the
 * lock. */
static double lateness(const struct disk_store *store)
{
    uint64_t queued = jobs_oldest(&store->jobs.queue);
    uint64_t now = uv_hrtime();
    uint64_t since = queued == 0 || (store->taken_since != 0 && store->taken_since < queued)
                         ? store->taken_since
                         : queued;

    if (since == 0) {
        return 0;
    }
    since = since > store->well_since ? since : store->well_since;
    return now > since ? (double)(now - since) / 1e9 : 0;
}

/* Says once that rooms wait for too long, and once that they no longer do. Needs the lock. */
static void report_lateness(struct disk_store *store)
{
    double late = lateness(store);

    if (!store->late && late > STORE_LATE) {
        store->late = true;
        log_warn("%s: the disk is too slow for so many rooms: a crash would lose the last %.0f s "
                 "of some; trusted rooms are written first",
                 store->database.path, late);
    } else if (store->late && late < STORE_LATE / 2) {
        store->late = false;
        log_info("%s: all rooms are written in time again", store->database.path);
    }
}

/* After a failed write: gives back the space of recordings and pasts that are not complete. */
static void drop_unfinished(struct disk_store *store)
{
    if (!store->unfinished) {
        return;
    }
    database_spend_reserve(&store->database);
    store->unfinished = !database_drop_unfinished(&store->database);
    while (database_shrink(&store->database)) {
    }
    database_reserve(&store->database);
}

/* Says once that pasts cannot be written, and once that they can. A past needs more space than a
 * room. Needs the lock. */
static void note_past(struct disk_store *store, bool done, const char *reason)
{
    if (!done && !store->past_failing && !store->status.failing) {
        log_error("the last minutes of rooms' pasts are not stored: %s", reason);
    } else if (done && store->past_failing) {
        log_info("%s: the last minutes of rooms' pasts are stored again", store->database.path);
    }
    store->past_failing = !done;
}

/* Records the result of a write. Needs the lock. */
static void note_result(struct disk_store *store, struct list *taken, bool done, const char *reason,
                        double seconds)
{
    struct store_status *status = &store->status;
    const struct job *job = NULL;
    bool more;

    status->slowest = seconds > status->slowest ? seconds : status->slowest;
    if (store->writes_past) {
        note_past(store, done, reason);
    } else if (done && status->failing && !jobs_has_failed(&store->jobs)) {
        log_info("%s can be written again: rooms are stored", store->database.path);
        status->failing = false;
    } else if (!done && !status->failing) {
        log_error("rooms are not stored, and continue in memory: %s", reason);
        status->failing = true;
    }
    atomic_store(&store->failing, status->failing);
    if (!done) {
        store->well_since = uv_hrtime();
        status->failures++;
        snprintf(status->reason, sizeof status->reason, "%s", reason);
        jobs_put_back(&store->jobs, taken, store->writes_past);
        return;
    }
    while ((job = jobs_next(taken, job)) != NULL) {
        const struct piece piece = jobs_piece(job);
        status->bytes += job->room.size + piece.end - piece.begin;
    }
    more = jobs_put_remaining(&store->jobs, taken, store->writes_past);
    status->writes += !store->writes_past;
    status->pasts += store->writes_past && !more;
    while ((job = jobs_next(taken, job)) != NULL) {
        jobs_done(&store->jobs, 1);
    }
}

static void run_thread(void *argument)
{
    struct disk_store *store = argument;
    bool well = true;
    bool shrinks = true; /* the file may have unused space */
    bool last = false;   /* the last write began when the store was closing */

    uv_mutex_lock(&store->lock);
    while (!store->closing || (jobs_has_any(&store->jobs) && (well || !last))) {
        if (!jobs_has_any(&store->jobs) && shrinks) {
            uv_mutex_unlock(&store->lock);
            shrinks = database_shrink(&store->database);
            uv_mutex_lock(&store->lock);
            continue;
        }
        if (!jobs_has_any(&store->jobs)) {
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
        struct list taken = jobs_take(&store->jobs, &store->writes_past);
        bool writes_past = store->writes_past;
        bool all_ends = !jobs_has_end_next(&store->jobs);
        last = store->closing;
        store->writes = true;
        store->taken_since = writes_past ? 0 : jobs_oldest(&taken);
        uv_mutex_unlock(&store->lock);
        char reason[STORE_REASON_MAX] = "";
        prepare_all(store, &taken);
        uint64_t begin = uv_hrtime();
        struct list ended = {0};
        shrinks |= jobs_end_any(&taken);
        well = write_all(store, &taken, reason);
        uint64_t ends = well ? 0 : write_ends(store, &taken, &ended, all_ends);
        if (!well) {
            drop_unfinished(store);
        }
        if (well && !writes_past) {
            forget_ends(store, &taken, all_ends);
        }
        uv_mutex_lock(&store->lock);
        jobs_done(&store->jobs, ends);
        note_result(store, &taken, well, reason, (double)(uv_hrtime() - begin) / 1e9);
        store->writes = store->writes_past = false;
        store->taken_since = 0;
        report_lateness(store);
        uv_mutex_unlock(&store->lock);
        jobs_free(&ended);
        if (well) {
            jobs_free(&taken);
        }
        uv_mutex_lock(&store->lock);
    }
    store->ended = true;
    uv_cond_broadcast(&store->changed);
    uv_mutex_unlock(&store->lock);
}

/* ---- from other threads ---- */

static bool put_room(struct store *base, const struct store_room *room)
{
    struct disk_store *store = disk_of(base);
    bool put;

    assert(room->code[0] != '\0' && room->state != NULL && !store->closing);
    uv_mutex_lock(&store->lock);
    put = jobs_put_room(&store->jobs, room);
    uv_cond_broadcast(&store->changed);
    uv_mutex_unlock(&store->lock);
    if (!put) {
        struct store_room refused = *room;
        store_free_state(&refused);
    }
    return put;
}

static bool put_recording(struct store *base, const char *code,
                          const struct store_recording *recording)
{
    struct disk_store *store = disk_of(base);
    bool put;

    uv_mutex_lock(&store->lock);
    put = jobs_put_recording(&store->jobs, code, recording);
    uv_cond_broadcast(&store->changed);
    uv_mutex_unlock(&store->lock);
    if (!put) {
        recording->release(recording->memory);
    }
    return put;
}

static bool put_past(struct store *base, const char *code, const struct store_past *past)
{
    struct disk_store *store = disk_of(base);
    bool put;

    uv_mutex_lock(&store->lock);
    put = jobs_put_past(&store->jobs, code, past);
    uv_cond_broadcast(&store->changed);
    uv_mutex_unlock(&store->lock);
    if (!put) {
        past->release(past->memory);
    }
    return put;
}

static bool end_room(struct store *base, const char *code, uint64_t until)
{
    struct disk_store *store = disk_of(base);
    bool put;

    uv_mutex_lock(&store->lock);
    put = jobs_end_room(&store->jobs, code, until);
    uv_cond_broadcast(&store->changed);
    uv_mutex_unlock(&store->lock);
    return put;
}

static bool is_failing(struct store *base)
{
    struct disk_store *store = disk_of(base);

    return atomic_load(&store->failing);
}

static void copy_status(struct store *base, struct store_status *status)
{
    struct disk_store *store = disk_of(base);

    uv_mutex_lock(&store->lock);
    *status = store->status;
    status->waiting = store->jobs.waiting;
    status->late = lateness(store);
    uv_mutex_unlock(&store->lock);
}

static const struct store_calls disk_calls = {
    .put = put_room,
    .put_recording = put_recording,
    .put_past = put_past,
    .end = end_room,
    .failing = is_failing,
    .status = copy_status,
};

/* ---- life ---- */

/* Queues the end of a room that an earlier process could not remove from the database. */
static void end_again(void *argument, const struct ending *ending)
{
    struct disk_store *store = argument;
    uint64_t saved_at = 0;

    if (!database_saved_at(&store->database, ending->code, &saved_at) ||
        saved_at != ending->saved_at || jobs_has_end(&store->jobs, ending->code)) {
        return;
    }
    if (!jobs_end_noted(&store->jobs, ending->code, ending->until)) {
        log_error("the room %s is back, though it has ended: out of memory", ending->code);
    }
}

static void open_endings(struct disk_store *store)
{
    char path[1100];

    snprintf(path, sizeof path, "%s-ended", store->database.path);
    endings_open(&store->endings, path, end_again, store);
}

enum store_result store_open(const char *folder, struct store **opened, char *text)
{
    struct disk_store *store = calloc(1, sizeof *store);
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
    store->store.calls = &disk_calls;
    memcpy(store->store.secret, store->database.secret, sizeof store->store.secret);
    open_endings(store);
    *opened = &store->store;
    return result;
}

struct reading {
    struct disk_store *store;
    void (*take)(void *argument, const struct store_room *room);
    void *argument;
};

static void take_living(void *argument, const struct store_room *room)
{
    const struct reading *reading = argument;
    bool ended;

    uv_mutex_lock(&reading->store->lock);
    ended = jobs_has_end(&reading->store->jobs, room->code);
    uv_mutex_unlock(&reading->store->lock);
    if (!ended) {
        reading->take(reading->argument, room);
    }
}

bool store_read(struct store *store, const char *first,
                void (*take)(void *argument, const struct store_room *room),
                void (*rest)(void *argument, const char *code, uint64_t until), void *argument,
                char *text)
{
    struct disk_store *disk = disk_of(store);
    struct reading reading = {.store = disk, .take = take, .argument = argument};
    const struct job *job = NULL;

    assert(!disk->started);
    if (!database_codes(&disk->database, rest, argument)) {
        database_explain(&disk->database, text);
        return false;
    }
    uv_mutex_lock(&disk->lock);
    while ((job = jobs_next(&disk->jobs.queue, job)) != NULL) {
        if (job->type == JOB_END) {
            rest(argument, job->room.code, job->until);
        }
    }
    uv_mutex_unlock(&disk->lock);
    if (!database_rooms(&disk->database, first, take_living, &reading)) {
        database_explain(&disk->database, text);
        return false;
    }
    return true;
}

uint8_t *store_recording(struct store *store, const char *code, size_t *size)
{
    struct disk_store *disk = disk_of(store);

    assert(!disk->started);
    return database_value(&disk->database, DATABASE_RECORDINGS, code, size);
}

uint8_t *store_past(struct store *store, const char *code, size_t *size)
{
    struct disk_store *disk = disk_of(store);

    assert(!disk->started);
    return database_value(&disk->database, DATABASE_PASTS, code, size);
}

void store_drop_past(struct store *store, const char *code)
{
    struct disk_store *disk = disk_of(store);

    assert(!disk->started);
    /* Else it is dropped with its room. */
    (void)database_drop_value(&disk->database, DATABASE_PASTS, code);
}

void store_set_aside(struct store *store, const char *code)
{
    struct disk_store *disk = disk_of(store);
    char reason[STORE_REASON_MAX];

    assert(!disk->started);
    if (!database_set_aside(&disk->database, code)) {
        database_explain(&disk->database, reason);
        log_error("the data of room %s could not be moved to the table aside: %s", code, reason);
    }
}

bool store_start(struct store *store, void (*seal)(uint8_t *state, size_t size))
{
    struct disk_store *disk = disk_of(store);

    assert(!disk->started);
    disk->seal = seal;
    database_reserve(&disk->database);
    reserve_endings(disk);
    disk->well_since = uv_hrtime();
    disk->started = uv_thread_create(&disk->thread, run_thread, disk) == 0;
    return disk->started;
}

/* Whether all rooms are written, though maybe not all pasts. Needs the lock. */
static bool has_written_rooms(const struct disk_store *store)
{
    return store->jobs.queue.first == NULL && (store->writes_past || !store->writes);
}

/* Returns true if the thread ended in time. */
static bool join_thread(struct disk_store *store, double patience)
{
    uint64_t end = uv_hrtime() + (uint64_t)(patience * 1e9);
    bool ended;

    uv_mutex_lock(&store->lock);
    store->closing = true;
    store->jobs.turn = JOBS_PASTS_LAST;
    uv_cond_broadcast(&store->changed);
    while (store->started && !store->ended) {
        uint64_t now = uv_hrtime();
        if (now >= end) {
            break;
        }
        uv_cond_timedwait(&store->changed, &store->lock, end - now);
    }
    ended = store->ended || !store->started;
    uv_mutex_unlock(&store->lock);
    if (ended && store->started) {
        uv_thread_join(&store->thread);
    }
    return ended;
}

void store_hold_pasts(struct store *store)
{
    struct disk_store *disk = disk_of(store);

    if (store != NULL) {
        uv_mutex_lock(&disk->lock);
        disk->jobs.turn = JOBS_NO_PASTS;
        uv_mutex_unlock(&disk->lock);
    }
}

bool store_close(struct store *store, double patience)
{
    struct disk_store *disk = disk_of(store);
    bool written;

    if (store == NULL) {
        return true;
    }
    if (!join_thread(disk, patience)) { /* the thread uses the store until the process ends */
        uv_mutex_lock(&disk->lock);
        written = has_written_rooms(disk);
        uv_mutex_unlock(&disk->lock);
        if (written) {
            log_warn("%s: the disk is too slow: the last seconds of rooms' pasts are lost",
                     disk->database.path);
        } else {
            log_error("%s: the disk is too slow: the latest changes of some rooms are lost",
                      disk->database.path);
        }
        return written;
    }
    /* Endings that no thread has written are in the list of endings. */
    written = disk->jobs.queue.first == NULL || !disk->started;
    jobs_finish(&disk->jobs);
    endings_close(&disk->endings);
    database_close(&disk->database);
    uv_cond_destroy(&disk->changed);
    uv_mutex_destroy(&disk->lock);
    free(disk);
    return written;
}
