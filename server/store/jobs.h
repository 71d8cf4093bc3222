/* The queue of a store's writes. It has no lock and no database: store.c has both.
 *
 * On a slow disk the order decides what a crash loses: ends of rooms, which free space, come first,
 * then the rooms that the server trusts, then all others. While trusted rooms keep the disk busy,
 * the other rooms have each fifth part. Among the other rooms, each creator has the same share of
 * the disk: start-time fair queueing (Goyal, Vin and Cheng, 1996) by bytes. Jobs of one room are
 * written in the order in which they came. The store takes them in parts, so that a trusted room
 * waits only for one part.
 *
 * At most one job for each code stores a room, and at most one stores its past: newer bytes replace
 * queued ones. A past whose first piece is written is not replaced: on a slow disk none would be
 * written to its end. */
#ifndef JOBS_H
#define JOBS_H

#include "base/codes.h"
#include "base/heap.h"
#include "base/list.h"
#include "store/piece.h"
#include "store/store.h"

/* Bytes of jobs that are taken at once; one room may have more. */
#define JOBS_PART (UINT64_C(1) << 20)

/* Bytes of a recording or a past that are written at once. A job whose write has failed writes all
 * at once: otherwise the pieces of a value for which the disk has no space would fill it. */
#define JOBS_PIECE ((size_t)1 << 20)

#define JOBS_SHARES                                                                                \
    256u /* creators whose numbers are equal modulo this have one share together                   \
          */

/* The jobs that come next if trusted rooms have none. */
enum jobs_turn {
    JOBS_PAST_NEXT,   /* a past of a trusted room */
    JOBS_OTHERS_NEXT, /* a part of the other jobs */
    JOBS_PASTS_LAST,  /* pasts come after all other jobs */
    JOBS_NO_PASTS,    /* and now none is taken */
};

enum job_type {
    JOB_KEEP,      /* store the room */
    JOB_END,       /* the room has ended, and its code is reserved until then */
    JOB_RECORDING, /* store the recording that the room plays */
    JOB_PAST,      /* store the room's past */
};

/* A queued write. */
struct job {
    struct list_item item;
    struct heap_item order; /* in jobs->orders while it is queued; pasts are in no heap */
    struct coded coded;     /* of JOB_KEEP while it is queued: in jobs->kept */
    enum job_type type;
    uint64_t until; /* s */
    bool noted;     /* of JOB_END: it is in the list of endings */
    bool first;     /* of a trusted room */
    bool failed;    /* a write of it has failed */
    uint64_t creator;
    uint64_t queued_at; /* ns: when it was queued; newer bytes do not change it */
    struct store_room room;
    struct store_recording recording;
    struct store_past past;
    uint8_t *packed; /* the past's bytes while the thread writes them, or NULL */
    size_t packed_size;
    size_t written; /* bytes of the recording or past, from its end, that are written */
};

enum jobs_order {
    JOBS_FIRST,  /* ends and trusted rooms */
    JOBS_OTHERS, /* the other rooms */
    JOBS_ORDERS,
};

/* A value of zeros has no jobs. */
struct jobs {
    struct list queue;
    struct heap orders[JOBS_ORDERS]; /* the same jobs: the next one of each order is first */
    uint32_t row;                    /* parts of trusted rooms since the others had one */
    struct list pasts;
    struct codes kept; /* the queued jobs that store a room */
    enum jobs_turn turn;
    uint64_t waiting;           /* jobs that are queued, or taken and not yet written */
    uint64_t count;             /* of jobs so far */
    uint64_t clock;             /* the start of the newest taken job of a creator, in bytes; … */
    uint64_t ends[JOBS_SHARES]; /* … and where each creator's queued jobs end */
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

/* ---- writing ---- */

/* Whether jobs_take() takes any. */
bool jobs_has_any(const struct jobs *jobs);

/* Whether the end of the room of that code is queued. */
bool jobs_has_end(const struct jobs *jobs, const char *code);

/* Whether a write of a queued room or recording has failed. */
bool jobs_has_failed(const struct jobs *jobs);

/* Whether ends of rooms are queued. They are taken before all others. */
bool jobs_has_end_next(const struct jobs *jobs);

/* Takes the next jobs: all ends and a part of the trusted rooms, or of the others after four of
 * these; else a past of a trusted room, if it is its turn and no write of it has failed; else a
 * part of the others; else a past. A past never comes before its room. Stores whether it is a past.
 * The jobs wait until they are put back or done. */
struct list jobs_take(struct jobs *jobs, bool *past);

/* Puts jobs of a failed write back to their places. Frees rooms and pasts with newer queued
 * bytes, and all jobs of rooms that have ended since. All recordings and pasts begin again: the
 * caller has dropped their pieces. past: as jobs_take() stored it. */
void jobs_put_back(struct jobs *jobs, struct list *taken, bool past);

/* After a write: puts the recording or past back of which more pieces remain. Frees it if its room
 * has ended since. Returns true if there was one. past: as jobs_take() stored it. */
bool jobs_put_remaining(struct jobs *jobs, struct list *taken, bool past);

/* Counts written jobs, which the caller frees with jobs_free(). */
void jobs_done(struct jobs *jobs, uint64_t count);

/* ---- taken jobs ---- */

/* Returns the job after that one, or the first if it is NULL; NULL: none. */
struct job *jobs_next(const struct list *taken, const struct job *job);

/* Returns when the oldest of the jobs was queued, in ns; 0: there are none. */
uint64_t jobs_oldest(const struct list *list);

/* Returns the next piece of a job's recording or packed past; 0 bytes: it has none. */
struct piece jobs_piece(const struct job *job);

/* Whether one of the jobs ends a room. */
bool jobs_end_any(const struct list *taken);

/* Moves the jobs that end rooms, and all other jobs of these rooms, to `ending`. Returns how many
 * jobs these are. */
uint64_t jobs_take_endings(struct list *taken, struct list *ending);

void jobs_free(struct list *taken);

#endif
