#include "store/jobs.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <uv.h>

#define KEY_FIRST  (UINT64_C(1) << 62) /* keys of jobs->orders: ends are below it, … */
#define KEY_OTHERS (UINT64_C(2) << 62) /* … trusted rooms below this one */
#define JOB_COST   4096u               /* bytes that each job counts in addition to its size */
#define ROW        4u                  /* parts of trusted rooms, until others have one */

/* ---- one job ---- */

static struct job *create_job(enum job_type type, const char *code)
{
    struct job *job = calloc(1, sizeof *job);

    if (job != NULL) {
        job->type = type;
        snprintf(job->room.code, sizeof job->room.code, "%s", code);
    }
    return job;
}

static void free_job(struct job *job)
{
    if (job->type == JOB_RECORDING) {
        job->recording.release(job->recording.memory);
    } else if (job->type == JOB_PAST) {
        job->past.release(job->past.memory);
    }
    free(job->packed);
    store_free_state(&job->room);
    free(job);
}

/* ---- lists of jobs ---- */

struct job *jobs_next(const struct list *taken, const struct job *job)
{
    return list_entry(job != NULL ? job->item.next : taken->first, struct job, item);
}

static struct job *take_job(struct list *list)
{
    return list_entry(list_take(list), struct job, item);
}

void jobs_free(struct list *taken)
{
    struct job *job;

    while ((job = take_job(taken)) != NULL) {
        free_job(job);
    }
}

struct piece jobs_piece(const struct job *job)
{
    const bool past = job->type == JOB_PAST;
    struct piece piece = {.bytes = past ? job->packed : job->recording.bytes,
                          .size = past ? job->packed_size : job->recording.size};

    piece.end = piece.size - job->written;
    piece.begin = job->failed || piece.end <= JOBS_PIECE ? 0 : piece.end - JOBS_PIECE;
    return piece;
}

static struct job *find_job(const struct list *list, enum job_type type, const char *code)
{
    struct job *job = jobs_next(list, NULL);

    while (job != NULL && (job->type != type || strcmp(job->room.code, code) != 0)) {
        job = jobs_next(list, job);
    }
    return job;
}

static bool has_job(const struct list *list, enum job_type type, const char *code)
{
    return find_job(list, type, code) != NULL;
}

bool jobs_end_any(const struct list *taken)
{
    const struct job *job = NULL;

    while ((job = jobs_next(taken, job)) != NULL) {
        if (job->type == JOB_END) {
            return true;
        }
    }
    return false;
}

uint64_t jobs_oldest(const struct list *list)
{
    const struct job *job = NULL;
    uint64_t oldest = UINT64_MAX;

    while ((job = jobs_next(list, job)) != NULL) {
        oldest = job->queued_at < oldest ? job->queued_at : oldest;
    }
    return oldest != UINT64_MAX ? oldest : 0;
}

uint64_t jobs_take_endings(struct list *taken, struct list *ending)
{
    struct list ends = {0};
    struct list others = {0};
    uint64_t count = 0;
    struct job *job;

    while ((job = take_job(taken)) != NULL) {
        list_append(job->type == JOB_END ? &ends : &others, &job->item);
    }
    while ((job = take_job(&others)) != NULL) {
        const bool moot = has_job(&ends, JOB_END, job->room.code);
        list_append(moot ? ending : taken, &job->item);
        count += moot;
    }
    while ((job = take_job(&ends)) != NULL) {
        list_append(ending, &job->item);
        count++;
    }
    return count;
}

/* ---- the job that stores a room, by code ---- */

static struct job *find_kept(const struct jobs *jobs, const char *code)
{
    return codes_entry(codes_find(&jobs->kept, code), struct job);
}

static void add_kept(struct jobs *jobs, struct job *job)
{
    codes_add(&jobs->kept, &job->coded, job->room.code);
}

static void remove_kept(struct jobs *jobs, struct job *job)
{
    codes_remove(&jobs->kept, &job->coded);
}

/* ---- queueing ---- */

static size_t size_of(const struct job *job)
{
    return job->type == JOB_RECORDING ? job->recording.size - job->written : job->room.size;
}

/* Returns the key of a new job. */
static uint64_t next_key(struct jobs *jobs, const struct job *job)
{
    uint64_t *end = &jobs->ends[job->creator % JOBS_SHARES];
    uint64_t start = *end > jobs->clock ? *end : jobs->clock;

    if (job->type == JOB_END || job->first) {
        return (job->type == JOB_END ? 0 : KEY_FIRST) + jobs->count++;
    }
    *end = start + JOB_COST + size_of(job);
    return KEY_OTHERS + start;
}

static struct heap *order_of(struct jobs *jobs, uint64_t key)
{
    return &jobs->orders[key < KEY_OTHERS ? JOBS_FIRST : JOBS_OTHERS];
}

static void order_job(struct jobs *jobs, struct job *job, uint64_t key)
{
    heap_add(order_of(jobs, key), &job->order, key);
}

static void unorder_job(struct jobs *jobs, struct job *job)
{
    heap_remove(order_of(jobs, job->order.key), &job->order);
}

/* Queues a job. Returns false, and frees it, when memory runs out. */
static bool push_job(struct jobs *jobs, struct job *job)
{
    const uint64_t most = jobs->waiting + 1; /* taken jobs may return */

    if (job->type == JOB_PAST) {
        list_append(&jobs->pasts, &job->item);
    } else if (heap_grow(&jobs->orders[JOBS_FIRST], most) &&
               heap_grow(&jobs->orders[JOBS_OTHERS], most)) {
        list_append(&jobs->queue, &job->item);
        order_job(jobs, job, next_key(jobs, job));
    } else {
        free(job); /* the caller still has the bytes */
        return false;
    }
    job->queued_at = uv_hrtime();
    jobs->waiting++;
    return true;
}

static void unqueue(struct jobs *jobs, struct job *job)
{
    if (job->type == JOB_PAST) {
        list_remove(&jobs->pasts, &job->item);
    } else {
        list_remove(&jobs->queue, &job->item);
        unorder_job(jobs, job);
    }
}

/* Removes the queued jobs of that type and code from their list. begun: also jobs of
 * which a piece is written. */
static void drop_jobs(struct jobs *jobs, const struct list *list, enum job_type type,
                      const char *code, bool begun)
{
    struct job *next = jobs_next(list, NULL);

    while (next != NULL) {
        struct job *job = next;
        next = jobs_next(list, job);
        if (job->type == type && strcmp(job->room.code, code) == 0 &&
            (begun || job->written == 0)) {
            unqueue(jobs, job);
            free_job(job);
            jobs_done(jobs, 1);
        }
    }
}

bool jobs_put_room(struct jobs *jobs, const struct store_room *room)
{
    struct job *job = find_kept(jobs, room->code);

    if (job != NULL) {
        if (!job->first && room->size > job->room.size) { /* the creator's later jobs wait */
            jobs->ends[job->creator % JOBS_SHARES] += room->size - job->room.size;
        }
        store_free_state(&job->room);
        job->room = *room;
        return true;
    }
    job = create_job(JOB_KEEP, room->code);
    if (job == NULL) {
        return false;
    }
    job->first = room->first;
    job->creator = room->creator;
    job->room.size = room->size;
    if (!push_job(jobs, job)) {
        return false;
    }
    job->room = *room;
    add_kept(jobs, job);
    return true;
}

bool jobs_put_recording(struct jobs *jobs, const char *code,
                        const struct store_recording *recording)
{
    struct job *job = create_job(JOB_RECORDING, code);

    assert(find_kept(jobs, code) == NULL);
    if (job == NULL) {
        return false;
    }
    job->first = recording->first;
    job->creator = recording->creator;
    job->recording = *recording;
    return push_job(jobs, job);
}

bool jobs_put_past(struct jobs *jobs, const char *code, const struct store_past *past)
{
    struct job *job = create_job(JOB_PAST, code);
    const struct job *earlier = find_job(&jobs->pasts, JOB_PAST, code);

    if (job == NULL) {
        return false;
    }
    job->past = *past;
    job->first = past->first;
    job->failed = earlier != NULL && earlier->failed;
    drop_jobs(jobs, &jobs->pasts, JOB_PAST, code, false);
    return push_job(jobs, job);
}

bool jobs_end_room(struct jobs *jobs, const char *code, uint64_t until)
{
    struct job *job = find_kept(jobs, code);

    drop_jobs(jobs, &jobs->queue, JOB_RECORDING, code, true);
    drop_jobs(jobs, &jobs->pasts, JOB_PAST, code, true);
    if (job != NULL) {
        remove_kept(jobs, job);
        store_free_state(&job->room); /* the queued job becomes the end */
        job->type = JOB_END;
        unorder_job(jobs, job);
        order_job(jobs, job, next_key(jobs, job));
    } else if ((job = create_job(JOB_END, code)) == NULL || !push_job(jobs, job)) {
        return false;
    }
    job->until = until;
    return true;
}

bool jobs_end_noted(struct jobs *jobs, const char *code, uint64_t until)
{
    struct job *job = create_job(JOB_END, code);

    if (job == NULL) {
        return false;
    }
    job->until = until;
    job->noted = true;
    return push_job(jobs, job);
}

/* ---- writing ---- */

bool jobs_has_any(const struct jobs *jobs)
{
    return jobs->queue.first != NULL || (jobs->pasts.first != NULL && jobs->turn != JOBS_NO_PASTS);
}

bool jobs_has_failed(const struct jobs *jobs)
{
    const struct job *job = jobs_next(&jobs->queue, NULL);

    while (job != NULL && !job->failed) {
        job = jobs_next(&jobs->queue, job);
    }
    return job != NULL;
}

bool jobs_has_end(const struct jobs *jobs, const char *code)
{
    return has_job(&jobs->queue, JOB_END, code);
}

static struct job *next_job(const struct jobs *jobs, enum jobs_order order)
{
    struct heap_item *first = heap_first(&jobs->orders[order]);

    return first != NULL ? (struct job *)(void *)((char *)first - offsetof(struct job, order))
                         : NULL;
}

bool jobs_has_end_next(const struct jobs *jobs)
{
    const struct job *job = next_job(jobs, JOBS_FIRST);

    return job != NULL && job->order.key < KEY_FIRST;
}

/* Takes the next jobs of that order whose keys are below that one: all ends, or JOBS_PART. */
static struct list take_part(struct jobs *jobs, enum jobs_order order, uint64_t below)
{
    struct list taken = {0};
    uint64_t bytes = 0;
    struct job *job;

    while ((job = next_job(jobs, order)) != NULL && job->order.key < below && bytes < JOBS_PART) {
        jobs->clock = job->order.key > KEY_OTHERS ? job->order.key - KEY_OTHERS : jobs->clock;
        bytes += job->order.key < KEY_FIRST ? 0 : JOB_COST + size_of(job);
        unqueue(jobs, job);
        if (job->type == JOB_KEEP) {
            remove_kept(jobs, job);
        }
        list_append(&taken, &job->item);
    }
    return taken;
}

/* Returns the oldest past of a trusted room that has not failed, or NULL. */
static struct job *urgent_past(const struct jobs *jobs)
{
    struct job *job = jobs_next(&jobs->pasts, NULL);

    while (job != NULL && (!job->first || job->failed)) {
        job = jobs_next(&jobs->pasts, job);
    }
    return job;
}

static struct list take_past(struct jobs *jobs, struct job *past)
{
    struct list taken = {0};

    unqueue(jobs, past);
    list_append(&taken, &past->item);
    return taken;
}

/* Returns whether the other rooms are next, though trusted rooms wait: these have had ROW parts
 * since the others had one. When the process ends, each room waits only once, and trusted rooms
 * come first. */
static bool is_turn_of_others(struct jobs *jobs)
{
    const bool ends = jobs->turn == JOBS_PASTS_LAST || jobs->turn == JOBS_NO_PASTS;

    if (ends || next_job(jobs, JOBS_OTHERS) == NULL) {
        jobs->row = 0;
        return false;
    }
    if (next_job(jobs, JOBS_FIRST) == NULL) {
        return false; /* a past may be next: the others still wait */
    }
    if (jobs->row < ROW) {
        jobs->row++;
        return false;
    }
    return true;
}

/* Takes all ends and a part of the other rooms. */
static struct list take_others(struct jobs *jobs)
{
    struct list taken = take_part(jobs, JOBS_FIRST, KEY_FIRST);
    struct list others = take_part(jobs, JOBS_OTHERS, UINT64_MAX);

    jobs->row = 0;
    list_join(&taken, &others);
    return taken;
}

struct list jobs_take(struct jobs *jobs, bool *past)
{
    const bool others_next = is_turn_of_others(jobs);
    struct list taken = others_next ? take_others(jobs) : take_part(jobs, JOBS_FIRST, KEY_OTHERS);
    struct job *urgent = urgent_past(jobs);

    *past = false;
    if (taken.first != NULL) {
        return taken;
    }
    if (urgent != NULL && jobs->turn == JOBS_PAST_NEXT && jobs->queue.first != NULL) {
        jobs->turn = JOBS_OTHERS_NEXT;
        *past = true;
        return take_past(jobs, urgent);
    }
    if (jobs->queue.first != NULL) {
        jobs->turn = jobs->turn == JOBS_OTHERS_NEXT ? JOBS_PAST_NEXT : jobs->turn;
        return take_others(jobs);
    }
    if (jobs->pasts.first != NULL && jobs->turn != JOBS_NO_PASTS) {
        *past = true;
        return take_past(jobs, urgent != NULL ? urgent : jobs_next(&jobs->pasts, NULL));
    }
    return taken;
}

/* Returns the queued job that replaces a job of a failed write, or NULL. */
static struct job *find_newer(const struct jobs *jobs, const struct job *job)
{
    switch (job->type) {
    case JOB_KEEP:
        return find_kept(jobs, job->room.code);
    case JOB_PAST:
        return find_job(&jobs->pasts, JOB_PAST, job->room.code);
    default:
        return NULL;
    }
}

/* The recordings and pasts of that list begin again. A past gives way to a newer one, which failed
 * pasts would otherwise follow. */
static void begin_again(struct jobs *jobs, const struct list *list)
{
    struct job *next = jobs_next(list, NULL);

    while (next != NULL) {
        struct job *job = next;
        struct job *newer = jobs_next(list, job);
        next = newer;
        if (job->written == 0) {
            continue;
        }
        while (newer != NULL && (job->type != JOB_PAST || newer->type != JOB_PAST ||
                                 strcmp(newer->room.code, job->room.code) != 0)) {
            newer = jobs_next(list, newer);
        }
        if (newer != NULL) {
            newer->failed = true;
            unqueue(jobs, job);
            free_job(job);
            jobs_done(jobs, 1);
            continue;
        }
        job->written = 0;
        job->failed = true;
        free(job->packed);
        job->packed = NULL;
    }
}

void jobs_put_back(struct jobs *jobs, struct list *taken, bool past)
{
    struct list front = {0};
    struct list *queue = past ? &jobs->pasts : &jobs->queue;
    struct job *job;

    while ((job = take_job(taken)) != NULL) {
        struct job *newer = find_newer(jobs, job);
        if (newer != NULL) {
            newer->failed = true;
        }
        if (newer != NULL || (job->type != JOB_END && jobs_has_end(jobs, job->room.code))) {
            free_job(job);
            jobs_done(jobs, 1);
            continue;
        }
        if (job->type == JOB_KEEP) {
            add_kept(jobs, job);
        }
        job->failed = true;
        if (!past) {
            order_job(jobs, job, job->order.key);
        }
        free(job->packed);
        job->packed = NULL;
        list_append(&front, &job->item);
    }
    list_join(&front, queue);
    *queue = front;
    begin_again(jobs, &jobs->queue);
    begin_again(jobs, &jobs->pasts);
}

/* Queues a recording or past of which a piece of that size has been written. A recording gives way
 * to the jobs that wait for a share of the disk, and the state of its room follows it. */
static void requeue(struct jobs *jobs, struct job *job, size_t size)
{
    struct list front = {0};
    struct job *kept = find_kept(jobs, job->room.code);

    if (job->type == JOB_PAST) {
        list_append(&front, &job->item);
        list_join(&front, &jobs->pasts);
        jobs->pasts = front;
        return;
    }
    list_append(&jobs->queue, &job->item);
    if (!job->first) {
        order_job(jobs, job, job->order.key + size); /* below its room's */
        return;
    }
    order_job(jobs, job, KEY_FIRST + jobs->count++);
    if (kept != NULL) {
        unorder_job(jobs, kept);
        order_job(jobs, kept, KEY_FIRST + jobs->count++);
    }
}

bool jobs_put_remaining(struct jobs *jobs, struct list *taken, bool past)
{
    struct job *job = NULL;
    struct piece piece = {0};

    while ((job = jobs_next(taken, job)) != NULL) {
        piece = jobs_piece(job);
        if ((job->type == JOB_RECORDING || past) && piece.begin > 0) {
            break;
        }
    }
    if (job == NULL) {
        return false;
    }
    list_remove(taken, &job->item);
    job->written = piece.size - piece.begin;
    if (jobs_has_end(jobs, job->room.code)) {
        free_job(job);
        jobs_done(jobs, 1);
    } else {
        requeue(jobs, job, piece.end - piece.begin);
    }
    return true;
}

void jobs_done(struct jobs *jobs, uint64_t count)
{
    assert(jobs->waiting >= count);
    jobs->waiting -= count;
}

void jobs_finish(struct jobs *jobs)
{
    jobs_free(&jobs->queue);
    jobs_free(&jobs->pasts);
    heap_destroy(&jobs->orders[JOBS_FIRST]);
    heap_destroy(&jobs->orders[JOBS_OTHERS]);
}
