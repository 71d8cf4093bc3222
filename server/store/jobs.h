/* The queue of a store's writes. It has no lock and no database: store.c has both.
 *
 * Jobs are written in order, pasts after all others. At most one job for each code stores a room,
 * and at most one stores its past: newer bytes replace queued ones. */
#ifndef JOBS_H
#define JOBS_H

#include "base/codes.h"
#include "base/list.h"
#include "store/store.h"

enum job_type {
    JOB_KEEP,      /* store the room */
    JOB_END,       /* the room has ended, and its code is reserved until then */
    JOB_RECORDING, /* store the recording that the room plays */
    JOB_PAST,      /* store the room's past */
};

/* A queued write. */
struct job {
    struct list_item item;
    struct coded coded; /* of JOB_KEEP while it is queued: in jobs->kept */
    enum job_type type;
    uint64_t until; /* s */
    bool noted;     /* of JOB_END: it is in the list of endings */
    struct store_room room;
    struct store_recording recording;
    struct store_past past;
    uint8_t *packed; /* the past's bytes while the thread writes them, or NULL */
    size_t packed_size;
};

/* A value of zeros has no jobs. */
struct jobs {
    struct list queue;
    struct list pasts;
    struct codes kept; /* the queued jobs that store a room */
    uint64_t waiting;  /* jobs that are queued, or taken and not yet written */
};

/* Frees all queued jobs. */
void jobs_finish(struct jobs *jobs);

/* ---- queueing: these return false when memory runs out ---- */

/* Takes over the room's state. On failure, the state is still the caller's. */
bool jobs_put_room(struct jobs *jobs, const struct store_room *room);

/* Must be called before jobs_put_room(). On failure, the recording is still the caller's. */
bool jobs_put_recording(struct jobs *jobs, const char *code,
                        const struct store_recording *recording);

/* On failure, the past is still the caller's. */
bool jobs_put_past(struct jobs *jobs, const char *code, const struct store_past *past);

/* Queues the end of a room in place of its other jobs. */
bool jobs_end_room(struct jobs *jobs, const char *code, uint64_t until);

/* As jobs_end_room(), for a room that is in the list of endings. */
bool jobs_end_noted(struct jobs *jobs, const char *code, uint64_t until);

/* Moves the endings of earlier jobs to the beginning of the queue. */
void jobs_take_over(struct jobs *jobs, struct jobs *earlier);

/* ---- writing ---- */

bool jobs_has_any(const struct jobs *jobs);

/* Whether the end of the room of that code is queued. */
bool jobs_has_end(const struct jobs *jobs, const char *code);

/* Takes all jobs except pasts. If there are none, takes one past and stores true. The jobs wait
 * until they are put back or done. */
struct list jobs_take(struct jobs *jobs, bool *past);

/* Puts jobs of a failed write back in front of their queue. Frees rooms and pasts with newer queued
 * bytes, and all jobs of rooms that have ended since. past: as jobs_take() stored it. */
void jobs_put_back(struct jobs *jobs, struct list *taken, bool past);

/* Counts written jobs, which the caller frees with jobs_free(). */
void jobs_done(struct jobs *jobs, uint64_t count);

/* ---- taken jobs ---- */

/* Returns the job after that one, or the first if it is NULL; NULL: none. */
struct job *jobs_next(const struct list *taken, const struct job *job);

/* Whether one of the jobs ends a room. */
bool jobs_end_any(const struct list *taken);

/* Moves the jobs that end rooms, and all other jobs of these rooms, to `ending`. Returns how many
 * jobs these are. */
uint64_t jobs_take_endings(struct list *taken, struct list *ending);

void jobs_free(struct list *taken);

#endif
