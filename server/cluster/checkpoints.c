#include "cluster/checkpoints.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>

#include "base/log.h"
#include "base/thread_name.h"
#include "cluster/checkpoints_parts.h"
#include "scene/saved.h"

#define SECRET_KEY   "_secret"
#define SECRET_TRIES 4u                  /* another node may make it at the same time */
#define RETRY_TIME   UINT64_C(500000000) /* ns until a failed write is tried again */
#define GATHER       UINT64_C(50000000) /* ns in which rooms come together, to be written at once */
#define S            UINT64_C(1000000000) /* ns */

static struct checkpoints *checkpoints_of(struct store *store)
{
    return (struct checkpoints *)(void *)store;
}

/* ---- rooms ---- */

/* All of these need the lock. */
static struct check *find_check(struct checkpoints *checkpoints, const char *code)
{
    return codes_entry(codes_find(&checkpoints->codes, code), struct check);
}

static struct check *need_check(struct checkpoints *checkpoints, const char *code)
{
    struct check *check = find_check(checkpoints, code);

    if (check == NULL && (check = calloc(1, sizeof *check)) != NULL) {
        codes_add(&checkpoints->codes, &check->coded, code);
    }
    return check;
}

static bool has_work(const struct check *check)
{
    return check->epoch != 0 && (check->room.state != NULL || check->ends);
}

static bool is_queued(struct checkpoints *checkpoints, const struct check *check)
{
    return list_has(&checkpoints->queues[check->first], &check->queued);
}

static void queue_check(struct checkpoints *checkpoints, struct check *check)
{
    if (has_work(check) && !is_queued(checkpoints, check)) {
        check->first = check->room.first;
        list_append(&checkpoints->queues[check->first], &check->queued);
        checkpoints->status.waiting++;
    }
    if (!checkpoints->gathers) {
        uv_cond_broadcast(&checkpoints->changed);
    }
}

static void unqueue_check(struct checkpoints *checkpoints, struct check *check)
{
    if (is_queued(checkpoints, check)) {
        list_remove(&checkpoints->queues[check->first], &check->queued);
        checkpoints->status.waiting--;
    }
}

static void free_check(struct check *check)
{
    store_free_state(&check->room);
    free(check);
}

/* Forgets a room that is neither queued nor being written. */
static void forget_check(struct checkpoints *checkpoints, struct check *check)
{
    assert(!check->writes);
    unqueue_check(checkpoints, check);
    codes_remove(&checkpoints->codes, &check->coded);
    free_check(check);
}

/* ---- the thread ---- */

static void fill_budget(struct checkpoints *checkpoints, uint64_t now)
{
    const uint64_t passed = now - checkpoints->filled_at < S ? now - checkpoints->filled_at : S;
    const int64_t bytes = (int64_t)(passed * (CHECKPOINTS_BYTES / 1000) / (S / 1000));
    const int64_t puts = (int64_t)(passed * CHECKPOINTS_PUTS / S);

    if (puts == 0) {
        return; /* too early to count */
    }
    checkpoints->filled_at = now;
    checkpoints->bytes_left += bytes;
    checkpoints->puts_left += puts;
    if (checkpoints->bytes_left > (int64_t)CHECKPOINTS_BYTES) {
        checkpoints->bytes_left = (int64_t)CHECKPOINTS_BYTES;
    }
    if (checkpoints->puts_left > (int64_t)CHECKPOINTS_PUTS) {
        checkpoints->puts_left = (int64_t)CHECKPOINTS_PUTS;
    }
}

static bool in_budget(const struct checkpoints *checkpoints)
{
    return checkpoints->bytes_left > 0 && checkpoints->puts_left > 0;
}

/* Returns the first room of the queue that may be written now, or NULL; then *until is at the
 * latest the time (ns) when one may be. Needs the lock. */
static struct check *next_in(const struct checkpoints *checkpoints, const struct list *queue,
                             uint64_t now, uint64_t *until)
{
    const bool hurry = checkpoints->closing;
    const bool gathers = now < checkpoints->gather_until && !hurry;

    for (struct list_item *item = queue->first; item != NULL; item = item->next) {
        struct check *check = list_entry(item, struct check, queued);
        const bool due = check->next_at <= now && !gathers;
        if ((due || (check->urgent && !check->failed)) &&
            (hurry || check->urgent || check->ends || in_budget(checkpoints))) {
            return check;
        }
        if (!due && !gathers && check->next_at < *until) {
            *until = check->next_at;
        }
        if (due && now + S / 100 < *until) {
            *until = now + S / 100; /* the budget has grown */
        }
    }
    return NULL;
}

/* Returns the next room that may be written now, or NULL; then *until is the time (ns) to look
 * again, at the latest. Needs the lock. */
static struct check *next_check(struct checkpoints *checkpoints, uint64_t now, uint64_t *until)
{
    const bool gathers = now < checkpoints->gather_until && !checkpoints->closing;
    struct check *check;

    *until = gathers ? checkpoints->gather_until : now + S;
    check = next_in(checkpoints, &checkpoints->queues[true], now, until);
    return check != NULL ? check : next_in(checkpoints, &checkpoints->queues[false], now, until);
}

static bool has_queued(const struct checkpoints *checkpoints)
{
    return checkpoints->queues[false].first != NULL || checkpoints->queues[true].first != NULL;
}

static void note_failure(struct checkpoints *checkpoints, struct check *check, uint64_t now)
{
    checkpoints->status.failures++;
    cluster_count(&checkpoints->definition.counts->checkpoints_failed, 1);
    check->next_at = now + RETRY_TIME;
    if (!checkpoints->status.failing) {
        log_warn("checkpoints cannot be written now; rooms go on");
    }
}

static void note_success(struct checkpoints *checkpoints, struct check *check, size_t size,
                         uint64_t now)
{
    checkpoints->status.writes++;
    checkpoints->status.bytes += size;
    cluster_count(&checkpoints->definition.counts->checkpoints, 1);
    cluster_count(&checkpoints->definition.counts->checkpoint_bytes, size);
    checkpoints->bytes_left -= (int64_t)size;
    check->next_at = now + size * S / CHECKPOINTS_ROOM_BYTES;
    check->urgent = false;
    if (checkpoints->status.failing) {
        log_info("checkpoints can be written again");
    }
}

/* Tells people of a lasting failure only. Without NATS most people see no flock, and after its
 * return its servers need seconds to agree on a leader. */
static void tell_people(struct checkpoints *checkpoints, bool failed, uint64_t now)
{
    if (!failed || !broker_connected(checkpoints->definition.broker, BROKER_BULK)) {
        checkpoints->failed_at = 0;
    } else if (checkpoints->failed_at == 0) {
        checkpoints->failed_at = now;
    }
    atomic_store(&checkpoints->failing,
                 checkpoints->failed_at != 0 &&
                     now - checkpoints->failed_at >= checkpoints->definition.grace);
}

/* Records the result of a write of `room`, which is freed, or queued again. Needs the lock. */
static void note_outcome(struct checkpoints *checkpoints, struct check *check,
                         struct store_room *room, enum outcome outcome)
{
    const uint64_t now = uv_hrtime();
    const bool failed = outcome == OUTCOME_FAILED;

    check->writes = false;
    check->failed = failed;
    if (failed) {
        note_failure(checkpoints, check, now);
        if (check->room.state == NULL && !check->ends && check->epoch != 0) {
            check->room = *room;
            *room = (struct store_room){0};
        }
    } else if (outcome == OUTCOME_DONE) {
        note_success(checkpoints, check, room->size, now);
    } else if (check->epoch == check->writer_epoch) {
        check->epoch = 0;
        unqueue_check(checkpoints, check);
    }
    checkpoints->status.failing = failed;
    tell_people(checkpoints, failed, now);
    store_free_state(room);
    queue_check(checkpoints, check);
}

/* Prepares the thread's part of a room for its present epoch. Needs the lock. */
static void begin_write(struct check *check)
{
    if (check->writer_epoch != check->epoch) {
        check->writer_epoch = check->epoch;
        check->known = false;
        check->parts[0] = check->parts[1] = 0;
    }
    check->room.state = NULL; /* write_check() has it */
    check->room.size = 0;
    check->room.release = NULL;
    check->writes = true;
}

/* Takes a room out of the queue, to be written. Needs the lock. */
static void take_check(struct checkpoints *checkpoints, struct check *check,
                       struct check_write *write)
{
    *write = (struct check_write){.check = check, .room = check->room, .ends = check->ends};
    checkpoints->puts_left--;
    unqueue_check(checkpoints, check);
    begin_write(check);
}

/* Takes the next room that may be written now. If it is a plain one, takes further plain rooms,
 * too. Returns the number of rooms. 0: *until is the time (ns) to look again. Needs the lock. */
static size_t take_checks(struct checkpoints *checkpoints, struct check_write *writes,
                          uint64_t *until)
{
    const uint64_t now = uv_hrtime();
    struct check *check = next_check(checkpoints, now, until);
    bool plain = check != NULL;
    size_t bytes = 0;
    size_t count = 0;

    while (check != NULL && plain && count < CHECK_WRITES && bytes < CHECKPOINTS_WHOLE) {
        plain = check_is_plain(check);
        if (plain || count == 0) {
            bytes += check->room.size;
            take_check(checkpoints, check, &writes[count++]);
            check = next_check(checkpoints, now, until);
        }
    }
    if (plain && check == NULL) { /* none is left: more come together */
        checkpoints->gather_until = now + GATHER;
    }
    return count;
}

/* Writes one room in its own way, or many plain ones. */
static void write_rooms(struct checkpoints *checkpoints, struct check_write *writes, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (!writes[i].ends) {
            saved_seal(writes[i].room.state, writes[i].room.size);
        }
    }
    if (count > 1) {
        checkpoint_write_all(checkpoints, writes, count);
    } else if (writes->ends) {
        writes->outcome = checkpoint_end(checkpoints, writes->check);
    } else {
        writes->outcome = checkpoint_write(checkpoints, writes->check, &writes->room);
    }
}

/* Needs the lock. */
static void finish_write(struct checkpoints *checkpoints, struct check_write *write)
{
    struct check *check = write->check;

    note_outcome(checkpoints, check, &write->room, write->outcome);
    if ((write->ends && write->outcome == OUTCOME_DONE) ||
        (check->epoch == 0 && check->room.state == NULL)) {
        forget_check(checkpoints, check);
    }
}

/* Writes the rooms that were taken. Must be called with the lock, and releases it during the write.
 */
static void write_checks(struct checkpoints *checkpoints, struct check_write *writes, size_t count)
{
    const uint64_t begin = uv_hrtime();
    double seconds;

    uv_mutex_unlock(&checkpoints->lock);
    write_rooms(checkpoints, writes, count);
    for (size_t i = 0; i < count; i++) {
        if (writes[i].outcome == OUTCOME_FENCED) {
            checkpoints->definition.fenced(checkpoints->definition.argument,
                                           writes[i].check->coded.code);
        }
    }
    seconds = (double)(uv_hrtime() - begin) / 1e9;
    uv_mutex_lock(&checkpoints->lock);
    if (seconds > checkpoints->status.slowest) {
        checkpoints->status.slowest = seconds;
    }
    for (size_t i = 0; i < count; i++) {
        finish_write(checkpoints, &writes[i]);
    }
}

static void run_thread(void *argument)
{
    struct checkpoints *checkpoints = argument;
    struct check_write writes[CHECK_WRITES];

    name_thread("checkpoints");
    uv_mutex_lock(&checkpoints->lock);
    while (!checkpoints->closing ||
           (has_queued(checkpoints) && uv_hrtime() < checkpoints->close_at)) {
        const uint64_t now = uv_hrtime();
        uint64_t until;
        size_t count;
        fill_budget(checkpoints, now);
        count = take_checks(checkpoints, writes, &until);
        if (count > 0) {
            write_checks(checkpoints, writes, count);
        } else {
            checkpoints->gathers = now < checkpoints->gather_until;
            uv_cond_timedwait(&checkpoints->changed, &checkpoints->lock, until - now);
            checkpoints->gathers = false;
        }
    }
    checkpoints->ended = true;
    uv_cond_broadcast(&checkpoints->changed);
    uv_mutex_unlock(&checkpoints->lock);
}

/* ---- the store ---- */

static bool put_room(struct store *store, const struct store_room *room)
{
    struct checkpoints *checkpoints = checkpoints_of(store);
    struct store_room taken = *room;
    struct check *check;

    uv_mutex_lock(&checkpoints->lock);
    check = need_check(checkpoints, room->code);
    if (check != NULL && !check->ends && room->size <= CHECKPOINTS_STATE_MAX) {
        struct store_room before = check->room;
        check->room = taken;
        taken = before;
        queue_check(checkpoints, check);
    }
    uv_mutex_unlock(&checkpoints->lock);
    store_free_state(&taken);
    return check != NULL;
}

static bool put_recording(struct store *store, const char *code,
                          const struct store_recording *recording)
{
    (void)store;
    (void)code;
    recording->release(recording->memory);
    return false;
}

static bool put_past(struct store *store, const char *code, const struct store_past *past)
{
    (void)store;
    (void)code;
    past->release(past->memory);
    return false;
}

static bool end_stored(struct store *store, const char *code, uint64_t until)
{
    struct checkpoints *checkpoints = checkpoints_of(store);
    struct check *check;

    checkpoints->definition.ended(checkpoints->definition.argument, code, until);
    uv_mutex_lock(&checkpoints->lock);
    check = need_check(checkpoints, code);
    if (check != NULL) {
        store_free_state(&check->room);
        check->ends = true;
        check->next_at = 0;
        queue_check(checkpoints, check);
    }
    uv_mutex_unlock(&checkpoints->lock);
    return check != NULL;
}

static bool is_failing(struct store *store)
{
    return atomic_load(&checkpoints_of(store)->failing);
}

static void copy_status(struct store *store, struct store_status *status)
{
    struct checkpoints *checkpoints = checkpoints_of(store);

    uv_mutex_lock(&checkpoints->lock);
    *status = checkpoints->status;
    uv_mutex_unlock(&checkpoints->lock);
    if (status->failing) {
        snprintf(status->reason, sizeof status->reason, "NATS does not take checkpoints");
    }
}

static const struct store_calls checkpoint_calls = {
    .put = put_room,
    .put_recording = put_recording,
    .put_past = put_past,
    .end = end_stored,
    .failing = is_failing,
    .status = copy_status,
};

/* ---- owners ---- */

bool checkpoints_own(struct checkpoints *checkpoints, const char *code, uint64_t epoch)
{
    struct check *check;

    uv_mutex_lock(&checkpoints->lock);
    check = need_check(checkpoints, code);
    if (check != NULL) {
        check->epoch = epoch;
        check->ends = false;
        queue_check(checkpoints, check);
    }
    uv_mutex_unlock(&checkpoints->lock);
    return check != NULL;
}

void checkpoints_disown(struct checkpoints *checkpoints, const char *code)
{
    struct check *check;

    uv_mutex_lock(&checkpoints->lock);
    check = find_check(checkpoints, code);
    if (check != NULL) {
        check->epoch = 0;
        store_free_state(&check->room);
        if (!check->writes) {
            forget_check(checkpoints, check);
        }
    }
    uv_cond_broadcast(&checkpoints->changed);
    uv_mutex_unlock(&checkpoints->lock);
}

bool checkpoints_finish(struct checkpoints *checkpoints, const char *code, uint32_t patience)
{
    const uint64_t end = uv_hrtime() + patience * UINT64_C(1000000);
    struct check *check;
    uint64_t now;
    bool done;

    uv_mutex_lock(&checkpoints->lock);
    while ((check = find_check(checkpoints, code)) != NULL && (has_work(check) || check->writes) &&
           (now = uv_hrtime()) < end) {
        check->urgent = true;
        uv_cond_broadcast(&checkpoints->changed);
        uv_cond_timedwait(&checkpoints->changed, &checkpoints->lock, end - now);
    }
    done = check != NULL && !has_work(check) && !check->writes && check->epoch != 0;
    uv_mutex_unlock(&checkpoints->lock);
    return done;
}

/* ---- life ---- */

/* Reads the secret of the cluster, which the first node makes. */
static bool take_secret(struct checkpoints *checkpoints)
{
    struct broker *broker = checkpoints->definition.broker;

    for (unsigned tries = 0; tries < SECRET_TRIES; tries++) {
        uint8_t *bytes = NULL;
        size_t size = 0;
        uint64_t revision = 0;
        enum broker_result result =
            broker_get(broker, BROKER_BULK, BROKER_CHECKS, SECRET_KEY, &bytes, &size, &revision);
        const bool known = result == BROKER_OK && size == STORE_SECRET_SIZE;
        if (known) {
            memcpy(checkpoints->store.secret, bytes, STORE_SECRET_SIZE);
        }
        free(bytes);
        if (known) {
            return true;
        }
        if ((result == BROKER_NONE || result == BROKER_OK) &&
            getrandom(checkpoints->store.secret, STORE_SECRET_SIZE, 0) == STORE_SECRET_SIZE &&
            broker_set(broker, BROKER_BULK, BROKER_CHECKS, SECRET_KEY, checkpoints->store.secret,
                       STORE_SECRET_SIZE, &revision) == BROKER_OK) {
            return true;
        }
    }
    return false;
}

struct checkpoints *checkpoints_create(const struct checkpoints_definition *definition)
{
    struct checkpoints *checkpoints = calloc(1, sizeof *checkpoints);

    if (checkpoints == NULL) {
        return NULL;
    }
    checkpoints->store.calls = &checkpoint_calls;
    checkpoints->definition = *definition;
    if (!take_secret(checkpoints) || uv_mutex_init(&checkpoints->lock) != 0) {
        free(checkpoints);
        return NULL;
    }
    uv_cond_init(&checkpoints->changed);
    checkpoints->filled_at = uv_hrtime();
    checkpoints->bytes_left = (int64_t)CHECKPOINTS_BYTES;
    checkpoints->puts_left = (int64_t)CHECKPOINTS_PUTS;
    if (uv_thread_create(&checkpoints->thread, run_thread, checkpoints) != 0) {
        uv_cond_destroy(&checkpoints->changed);
        uv_mutex_destroy(&checkpoints->lock);
        free(checkpoints);
        return NULL;
    }
    return checkpoints;
}

static void free_checks(struct checkpoints *checkpoints)
{
    struct coded *entry;

    while ((entry = codes_take(&checkpoints->codes)) != NULL) {
        free_check(codes_entry(entry, struct check));
    }
}

void checkpoints_destroy(struct checkpoints *checkpoints, double patience)
{
    if (checkpoints == NULL) {
        return;
    }
    uv_mutex_lock(&checkpoints->lock);
    checkpoints->closing = true;
    checkpoints->close_at = uv_hrtime() + (uint64_t)(patience * 1e9);
    uv_cond_broadcast(&checkpoints->changed);
    uv_mutex_unlock(&checkpoints->lock);
    uv_thread_join(&checkpoints->thread);
    if (has_queued(checkpoints)) {
        log_error("NATS is too slow: the latest changes of rooms are lost");
    }
    free_checks(checkpoints);
    uv_cond_destroy(&checkpoints->changed);
    uv_mutex_destroy(&checkpoints->lock);
    free(checkpoints);
}

struct store *checkpoints_store(struct checkpoints *checkpoints)
{
    return &checkpoints->store;
}
