#include "store/jobs.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

static bool has_job(const struct list *list, enum job_type type, const char *code)
{
    const struct job *job = NULL;

    while ((job = jobs_next(list, job)) != NULL) {
        if (job->type == type && strcmp(job->room.code, code) == 0) {
            return true;
        }
    }
    return false;
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

static void push_job(struct jobs *jobs, struct job *job)
{
    list_append(job->type == JOB_PAST ? &jobs->pasts : &jobs->queue, &job->item);
    jobs->waiting++;
}

/* Removes the jobs of that type and code from the list. */
static void drop_jobs(struct jobs *jobs, struct list *list, enum job_type type, const char *code)
{
    struct job *next = jobs_next(list, NULL);

    while (next != NULL) {
        struct job *job = next;
        next = jobs_next(list, job);
        if (job->type == type && strcmp(job->room.code, code) == 0) {
            list_remove(list, &job->item);
            free_job(job);
            jobs_done(jobs, 1);
        }
    }
}

bool jobs_put_room(struct jobs *jobs, const struct store_room *room)
{
    struct job *job = find_kept(jobs, room->code);

    if (job != NULL) {
        store_free_state(&job->room);
        job->room = *room;
        return true;
    }
    job = create_job(JOB_KEEP, room->code);
    if (job == NULL) {
        return false;
    }
    job->room = *room;
    add_kept(jobs, job);
    push_job(jobs, job);
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
    job->recording = *recording;
    push_job(jobs, job);
    return true;
}

bool jobs_put_past(struct jobs *jobs, const char *code, const struct store_past *past)
{
    struct job *job = create_job(JOB_PAST, code);

    if (job == NULL) {
        return false;
    }
    job->past = *past;
    drop_jobs(jobs, &jobs->pasts, JOB_PAST, code);
    push_job(jobs, job);
    return true;
}

bool jobs_end_room(struct jobs *jobs, const char *code, uint64_t until)
{
    struct job *job = find_kept(jobs, code);

    drop_jobs(jobs, &jobs->queue, JOB_RECORDING, code);
    drop_jobs(jobs, &jobs->pasts, JOB_PAST, code);
    if (job != NULL) {
        remove_kept(jobs, job);
        store_free_state(&job->room); /* the queued job becomes the end */
        job->type = JOB_END;
    } else if ((job = create_job(JOB_END, code)) != NULL) {
        push_job(jobs, job);
    } else {
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
    push_job(jobs, job);
    return true;
}

void jobs_take_over(struct jobs *jobs, struct jobs *earlier)
{
    list_join(&earlier->queue, &jobs->queue);
    jobs->queue = earlier->queue;
    jobs->waiting += earlier->waiting;
    *earlier = (struct jobs){0};
}

/* ---- writing ---- */

bool jobs_has_any(const struct jobs *jobs)
{
    return jobs->queue.first != NULL || jobs->pasts.first != NULL;
}

bool jobs_has_end(const struct jobs *jobs, const char *code)
{
    return has_job(&jobs->queue, JOB_END, code);
}

struct list jobs_take(struct jobs *jobs, bool *past)
{
    struct list taken = jobs->queue;
    struct job *job = NULL;

    *past = taken.first == NULL;
    if (*past) {
        if (jobs->pasts.first != NULL) {
            list_append(&taken, list_take(&jobs->pasts));
        }
        return taken;
    }
    jobs->queue = (struct list){0};
    while ((job = jobs_next(&taken, job)) != NULL) {
        if (job->type == JOB_KEEP) {
            remove_kept(jobs, job);
        }
    }
    return taken;
}

/* Whether a job of a failed write is no longer needed. */
static bool is_outdated(const struct jobs *jobs, const struct job *job)
{
    const char *code = job->room.code;

    switch (job->type) {
    case JOB_KEEP:
        return find_kept(jobs, code) != NULL || jobs_has_end(jobs, code);
    case JOB_RECORDING:
        return jobs_has_end(jobs, code);
    case JOB_PAST:
        return jobs_has_end(jobs, code) || has_job(&jobs->pasts, JOB_PAST, code);
    default:
        return false;
    }
}

void jobs_put_back(struct jobs *jobs, struct list *taken, bool past)
{
    struct list front = {0};
    struct list *queue = past ? &jobs->pasts : &jobs->queue;
    struct job *job;

    while ((job = take_job(taken)) != NULL) {
        if (is_outdated(jobs, job)) {
            free_job(job);
            jobs_done(jobs, 1);
            continue;
        }
        if (job->type == JOB_KEEP) {
            add_kept(jobs, job);
        }
        free(job->packed);
        job->packed = NULL;
        list_append(&front, &job->item);
    }
    list_join(&front, queue);
    *queue = front;
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
}
