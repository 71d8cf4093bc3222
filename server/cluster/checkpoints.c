#include "cluster/checkpoints.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <uv.h>

#include "base/hash.h"
#include "base/list.h"
#include "base/log.h"
#include "cluster/values.h"
#include "scene/saved.h"

#define BUCKETS    1024u
#define SECRET_KEY "_secret"
#define RETRY_TIME UINT64_C(500000000) /* ns until a failed write is tried again */
#define READ_TRIES 4u                  /* a head may change while its parts are read */
#define PARTS_MAX  ((uint32_t)(CHECKPOINTS_STATE_MAX / CHECKPOINTS_WHOLE) + 1)
#define S          UINT64_C(1000000000) /* ns */

/* A room that this node has, or has had. */
struct check {
    struct list_item bucket;
    struct list_item queued; /* in checkpoints->queue, while something waits to be written */
    char code[PROTO_ROOM_MAX + 1];
    uint64_t epoch;         /* 0: this node does not own it: nothing is written */
    struct store_room room; /* the newest, if room.state != NULL */
    bool ends;              /* the room has ended: its keys are deleted */
    bool writes;            /* the thread does, without the lock */
    bool urgent;            /* somebody waits for it */
    bool failed;            /* the last write did */
    uint64_t next_at;       /* ns */

    /* Of the thread alone. */
    uint64_t writer_epoch; /* the room is written with it */
    bool known;            /* `revision` is the head's */
    uint64_t revision;
    uint64_t old_epoch; /* of an earlier owner, whose parts are still there; 0: none */
    uint32_t old_parts;
    uint32_t parts[2]; /* of this epoch, by turn, at most */
    bool turn;
};

struct checkpoints {
    struct store store; /* must be first */
    struct checkpoints_definition definition;
    uv_thread_t thread;
    uv_mutex_t lock; /* guards the fields below */
    uv_cond_t changed;
    struct list buckets[BUCKETS];
    struct list queue;
    bool closing, ended;
    uint64_t close_at; /* ns */
    struct store_status status;
    atomic_bool failing;

    /* Of the thread alone. */
    int64_t bytes_left, puts_left;
    uint64_t filled_at; /* ns */
};

enum outcome { OUTCOME_DONE, OUTCOME_FAILED, OUTCOME_FENCED };

static struct checkpoints *checkpoints_of(struct store *store)
{
    return (struct checkpoints *)(void *)store;
}

/* ---- rooms ---- */

static struct list *bucket_of(struct checkpoints *checkpoints, const char *code)
{
    return &checkpoints->buckets[hash_text(code) % BUCKETS];
}

/* All of these need the lock. */
static struct check *find_check(struct checkpoints *checkpoints, const char *code)
{
    struct list_item *item = bucket_of(checkpoints, code)->first;

    while (item != NULL && strcmp(list_entry(item, struct check, bucket)->code, code) != 0) {
        item = item->next;
    }
    return list_entry(item, struct check, bucket);
}

static struct check *need_check(struct checkpoints *checkpoints, const char *code)
{
    struct check *check = find_check(checkpoints, code);

    if (check == NULL && (check = calloc(1, sizeof *check)) != NULL) {
        snprintf(check->code, sizeof check->code, "%s", code);
        list_append(bucket_of(checkpoints, code), &check->bucket);
    }
    return check;
}

static bool has_work(const struct check *check)
{
    return check->epoch != 0 && (check->room.state != NULL || check->ends);
}

static void queue_check(struct checkpoints *checkpoints, struct check *check)
{
    if (has_work(check) && !list_has(&checkpoints->queue, &check->queued)) {
        list_append(&checkpoints->queue, &check->queued);
        checkpoints->status.waiting++;
    }
    uv_cond_broadcast(&checkpoints->changed);
}

static void unqueue_check(struct checkpoints *checkpoints, struct check *check)
{
    if (list_has(&checkpoints->queue, &check->queued)) {
        list_remove(&checkpoints->queue, &check->queued);
        checkpoints->status.waiting--;
    }
}

/* Forgets a room that is neither queued nor being written. */
static void forget_check(struct checkpoints *checkpoints, struct check *check)
{
    assert(!check->writes);
    unqueue_check(checkpoints, check);
    list_remove(bucket_of(checkpoints, check->code), &check->bucket);
    store_free_state(&check->room);
    free(check);
}

/* ---- keys ---- */

static void name_part(char key[BROKER_SUBJECT_MAX], const char *code, uint64_t epoch, bool turn,
                      uint32_t part)
{
    snprintf(key, BROKER_SUBJECT_MAX, "%s.%" PRIu64 ".%c.%" PRIu32, code, epoch, turn ? 'b' : 'a',
             part);
}

static void drop_parts(struct checkpoints *checkpoints, const char *code, uint64_t epoch, bool turn,
                       uint32_t count)
{
    for (uint32_t part = 0; part < count; part++) {
        char key[BROKER_SUBJECT_MAX];
        name_part(key, code, epoch, turn, part);
        (void)broker_drop(checkpoints->definition.broker, BROKER_BULK, BROKER_CHECKS, key, NULL);
    }
}

/* Reads the head of a room; *bytes is the whole value, to be freed. */
static enum broker_result read_head(const struct checkpoints *checkpoints, const char *code,
                                    struct check_head *head, uint8_t **bytes, size_t *size,
                                    size_t *used, uint64_t *revision)
{
    enum broker_result result = broker_get(checkpoints->definition.broker, BROKER_BULK,
                                           BROKER_CHECKS, code, bytes, size, revision);

    if (result == BROKER_OK && !values_read_head(*bytes, *size, head, used)) {
        log_error("the checkpoint of room %s cannot be read: it is damaged, or of another version",
                  code);
        *head = (struct check_head){0};
        *used = *size;
    }
    return result;
}

/* Learns the head's revision, and whose it is. */
static enum outcome learn_head(const struct checkpoints *checkpoints, struct check *check)
{
    struct check_head head = {0};
    uint8_t *bytes = NULL;
    size_t size;
    size_t used;
    enum broker_result result =
        read_head(checkpoints, check->code, &head, &bytes, &size, &used, &check->revision);

    free(bytes);
    if (result != BROKER_OK && result != BROKER_NONE) {
        return OUTCOME_FAILED;
    }
    if (result == BROKER_OK && head.epoch > check->writer_epoch) {
        return OUTCOME_FENCED;
    }
    if (result == BROKER_OK && head.epoch < check->writer_epoch && head.parts > 0) {
        check->old_epoch = head.epoch;
        check->old_parts = head.parts;
    }
    check->known = true;
    return OUTCOME_DONE;
}

/* ---- writing ---- */

static struct check_head head_of(const struct check *check, const struct store_room *room,
                                 uint32_t parts)
{
    return (struct check_head){.epoch = check->writer_epoch,
                               .parts = parts,
                               .turn = parts > 0 && check->turn,
                               .size = room->size,
                               .listed = room->listed,
                               .trusted = room->trusted,
                               .saved_at = room->saved_at,
                               .fingerprint = room->fingerprint,
                               .creator = room->creator};
}

/* Writes the state in parts. Returns their number; 0: a part was not written. */
static uint32_t write_parts(struct checkpoints *checkpoints, struct check *check,
                            const struct store_room *room)
{
    uint32_t count = 0;

    check->turn = !check->turn;
    for (size_t at = 0; at < room->size; at += CHECKPOINTS_WHOLE) {
        const size_t left = room->size - at;
        const size_t size = left < CHECKPOINTS_WHOLE ? left : CHECKPOINTS_WHOLE;
        char key[BROKER_SUBJECT_MAX];
        name_part(key, check->code, check->writer_epoch, check->turn, count);
        count++;
        if (count > check->parts[check->turn]) {
            check->parts[check->turn] = count;
        }
        checkpoints->puts_left--;
        if (broker_put(checkpoints->definition.broker, BROKER_BULK, BROKER_CHECKS, key,
                       room->state + at, size, NULL) != BROKER_OK) {
            return 0;
        }
    }
    return count;
}

/* Writes the head, with the state behind it unless it is in parts. */
static enum broker_result write_head(struct checkpoints *checkpoints, struct check *check,
                                     const struct store_room *room, uint32_t parts)
{
    const struct check_head head = head_of(check, room, parts);
    const size_t more = parts > 0 ? 0 : room->size;
    uint8_t *bytes = malloc(VALUES_MAX + more);
    enum broker_result result;
    size_t size;

    if (bytes == NULL) {
        return BROKER_NO_MEMORY;
    }
    size = values_write_head(&head, bytes);
    memcpy(bytes + size, room->state, more);
    checkpoints->puts_left--;
    result = broker_set(checkpoints->definition.broker, BROKER_BULK, BROKER_CHECKS, check->code,
                        bytes, size + more, &check->revision);
    free(bytes);
    return result;
}

/* Deletes the parts of the earlier owner, once a head of this one is written. */
static void drop_old_parts(struct checkpoints *checkpoints, struct check *check)
{
    if (check->old_epoch != 0) {
        drop_parts(checkpoints, check->code, check->old_epoch, false, check->old_parts + 1);
        drop_parts(checkpoints, check->code, check->old_epoch, true, check->old_parts + 1);
        check->old_epoch = 0;
    }
}

/* A head that was refused is read: its revision may be that of a write without an answer, or of an
 * earlier owner's last write. */
static enum outcome write_room(struct checkpoints *checkpoints, struct check *check,
                               const struct store_room *room)
{
    uint32_t parts = 0;

    if (room->size > CHECKPOINTS_WHOLE) {
        parts = write_parts(checkpoints, check, room);
        if (parts == 0) {
            return OUTCOME_FAILED;
        }
    }
    for (unsigned tries = 0; tries < 2; tries++) {
        enum outcome outcome = check->known ? OUTCOME_DONE : learn_head(checkpoints, check);
        enum broker_result result;
        if (outcome != OUTCOME_DONE) {
            return outcome;
        }
        result = write_head(checkpoints, check, room, parts);
        check->known = result == BROKER_OK;
        if (result == BROKER_OK) {
            drop_old_parts(checkpoints, check);
            return OUTCOME_DONE;
        }
        if (result != BROKER_CONFLICT) {
            return OUTCOME_FAILED;
        }
    }
    return OUTCOME_FAILED;
}

/* Deletes the keys of a room that has ended. */
static enum outcome end_room(struct checkpoints *checkpoints, struct check *check)
{
    enum outcome outcome = check->known ? OUTCOME_DONE : learn_head(checkpoints, check);
    enum broker_result result;

    if (outcome != OUTCOME_DONE) {
        return outcome;
    }
    result = broker_drop(checkpoints->definition.broker, BROKER_BULK, BROKER_CHECKS, check->code,
                         &check->revision);
    check->known = false;
    if (result != BROKER_OK && result != BROKER_NONE) {
        return OUTCOME_FAILED;
    }
    drop_old_parts(checkpoints, check);
    drop_parts(checkpoints, check->code, check->writer_epoch, false, check->parts[false]);
    drop_parts(checkpoints, check->code, check->writer_epoch, true, check->parts[true]);
    return OUTCOME_DONE;
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

/* Returns the first room that may be written now, or NULL; then *until is the time (ns) to look
 * again, at the latest. Needs the lock. */
static struct check *next_check(struct checkpoints *checkpoints, uint64_t now, uint64_t *until)
{
    const bool hurry = checkpoints->closing;
    struct list_item *item = checkpoints->queue.first;

    *until = now + S;
    for (; item != NULL; item = item->next) {
        struct check *check = list_entry(item, struct check, queued);
        const bool due = check->next_at <= now;
        if ((due || (check->urgent && !check->failed)) &&
            (hurry || check->urgent || check->ends || in_budget(checkpoints))) {
            return check;
        }
        if (!due && check->next_at < *until) {
            *until = check->next_at;
        }
        if (due && now + S / 100 < *until) {
            *until = now + S / 100; /* the budget has grown */
        }
    }
    return NULL;
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
    atomic_store(&checkpoints->failing, failed);
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
    check->room.state = NULL;
    check->room.size = 0;
    check->room.release = NULL;
    check->writes = true;
}

/* Writes what waits of a room. Called with the lock, which it gives back meanwhile. */
static void write_check(struct checkpoints *checkpoints, struct check *check)
{
    struct store_room room = check->room;
    const bool ends = check->ends;
    const uint64_t begin = uv_hrtime();
    char code[PROTO_ROOM_MAX + 1];
    enum outcome outcome;
    double seconds;

    memcpy(code, check->code, sizeof code);
    unqueue_check(checkpoints, check);
    begin_write(check);
    uv_mutex_unlock(&checkpoints->lock);
    if (ends) {
        outcome = end_room(checkpoints, check);
    } else {
        saved_seal(room.state, room.size);
        outcome = write_room(checkpoints, check, &room);
    }
    if (outcome == OUTCOME_FENCED) {
        checkpoints->definition.fenced(checkpoints->definition.argument, code);
    }
    seconds = (double)(uv_hrtime() - begin) / 1e9;
    uv_mutex_lock(&checkpoints->lock);
    if (seconds > checkpoints->status.slowest) {
        checkpoints->status.slowest = seconds;
    }
    note_outcome(checkpoints, check, &room, outcome);
    if ((ends && outcome == OUTCOME_DONE) || (check->epoch == 0 && check->room.state == NULL)) {
        forget_check(checkpoints, check);
    }
}

static void run_thread(void *argument)
{
    struct checkpoints *checkpoints = argument;

    uv_mutex_lock(&checkpoints->lock);
    while (!checkpoints->closing ||
           (checkpoints->queue.first != NULL && uv_hrtime() < checkpoints->close_at)) {
        const uint64_t now = uv_hrtime();
        struct check *check;
        uint64_t until;
        fill_budget(checkpoints, now);
        check = next_check(checkpoints, now, &until);
        if (check != NULL) {
            write_check(checkpoints, check);
        } else {
            uv_cond_timedwait(&checkpoints->changed, &checkpoints->lock, until - now);
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

/* ---- reading ---- */

/* Reads the parts that a head names into `state`. BROKER_NONE: one is missing. */
static enum broker_result read_parts(const struct checkpoints *checkpoints, const char *code,
                                     const struct check_head *head, uint8_t *state)
{
    size_t at = 0;

    for (uint32_t part = 0; part < head->parts; part++) {
        char key[BROKER_SUBJECT_MAX];
        uint8_t *bytes = NULL;
        size_t size = 0;
        uint64_t revision;
        enum broker_result result;
        name_part(key, code, head->epoch, head->turn, part);
        result = broker_get(checkpoints->definition.broker, BROKER_BULK, BROKER_CHECKS, key, &bytes,
                            &size, &revision);
        if (result == BROKER_OK && size <= head->size - at) {
            memcpy(state + at, bytes, size);
            at += size;
        } else if (result == BROKER_OK) {
            result = BROKER_NONE;
        }
        free(bytes);
        if (result != BROKER_OK) {
            return result;
        }
    }
    return at == head->size ? BROKER_OK : BROKER_NONE;
}

static void fill_kept(struct store_room *kept, const char *code, const struct check_head *head)
{
    *kept = (struct store_room){.listed = head->listed,
                                .trusted = head->trusted,
                                .saved_at = head->saved_at,
                                .fingerprint = head->fingerprint,
                                .creator = head->creator,
                                .size = head->size};
    snprintf(kept->code, sizeof kept->code, "%s", code);
}

/* Whether a head can be of a room: the sizes fit each other. */
static bool is_sound(const struct check_head *head, size_t behind)
{
    return head->epoch != 0 && head->size > 0 && head->size <= CHECKPOINTS_STATE_MAX &&
           (head->parts == 0 ? head->size == behind : head->parts <= PARTS_MAX && behind == 0);
}

static enum broker_result read_once(const struct checkpoints *checkpoints, const char *code,
                                    struct store_room *kept, bool *again)
{
    struct check_head head = {0};
    uint8_t *bytes = NULL;
    size_t size = 0;
    size_t used = 0;
    uint64_t revision;
    enum broker_result result =
        read_head(checkpoints, code, &head, &bytes, &size, &used, &revision);

    *again = false;
    if (result == BROKER_OK && !is_sound(&head, size - used)) {
        result = BROKER_NONE;
    } else if (result == BROKER_OK) {
        fill_kept(kept, code, &head);
        kept->state = malloc(kept->size);
        if (kept->state == NULL) {
            result = BROKER_NO_MEMORY;
        } else if (head.parts == 0) {
            memcpy(kept->state, bytes + used, kept->size);
        } else {
            result = read_parts(checkpoints, code, &head, kept->state);
            *again = result == BROKER_NONE;
        }
    }
    if (result != BROKER_OK) {
        store_free_state(kept);
    }
    free(bytes);
    return result;
}

enum broker_result checkpoints_read(struct checkpoints *checkpoints, const char *code,
                                    struct store_room *kept)
{
    enum broker_result result = BROKER_NONE;
    bool again = true;

    *kept = (struct store_room){0};
    for (unsigned tries = 0; again && tries < READ_TRIES; tries++) {
        result = read_once(checkpoints, code, kept, &again);
    }
    return result;
}

/* ---- life ---- */

/* Reads the secret of the cluster, which the first node makes. */
static bool take_secret(struct checkpoints *checkpoints)
{
    struct broker *broker = checkpoints->definition.broker;

    for (unsigned tries = 0; tries < READ_TRIES; tries++) {
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
    for (size_t i = 0; i < BUCKETS; i++) {
        while (checkpoints->buckets[i].first != NULL) {
            forget_check(checkpoints,
                         list_entry(checkpoints->buckets[i].first, struct check, bucket));
        }
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
    if (checkpoints->queue.first != NULL) {
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
