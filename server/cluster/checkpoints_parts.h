/* The inside of checkpoints. For their own files. */
#ifndef CHECKPOINTS_PARTS_H
#define CHECKPOINTS_PARTS_H

#include <stdatomic.h>
#include <stdlib.h>
#include <uv.h>

#include "base/codes.h"
#include "base/list.h"
#include "cluster/checkpoints.h"
#include "cluster/values.h"

/* A room that this node has, or has had. */
struct check {
    struct coded coded;      /* in checkpoints->codes */
    struct list_item queued; /* in a queue, while something waits to be written */
    bool first;              /* that queue is the one of trusted rooms */
    uint64_t epoch;          /* 0: this node does not own it: nothing is written */
    struct store_room room;  /* the newest, if room.state != NULL */
    bool ends;               /* the room has ended: its keys are deleted */
    bool writes;             /* the thread does, without the lock */
    bool urgent;             /* checkpoints_finish() waits for it */
    bool failed;             /* the last write did */
    uint64_t next_at;        /* ns */

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
    struct codes codes;    /* of the rooms */
    struct list queues[2]; /* of rooms of others, and of trusted rooms, which are written first */
    bool gathers;          /* the thread looks at the queue soon, and need not be woken */
    bool closing, ended;
    uint64_t close_at; /* ns */
    struct store_status status;
    atomic_bool failing;

    /* Of the thread alone. */
    int64_t bytes_left, puts_left;
    uint64_t filled_at;    /* ns */
    uint64_t gather_until; /* ns: nothing but urgent rooms is written before */
    uint64_t failed_at;    /* ns: since then writes fail while NATS answers; 0: they do not */
};

enum outcome { OUTCOME_DONE, OUTCOME_FAILED, OUTCOME_FENCED };

/* A write of a room's state. */
struct check_write {
    struct check *check;
    struct store_room room;
    bool ends;
    enum outcome outcome;
};

#define CHECK_WRITES 64u

/* Whether the room's queued state is one value, and its key's revision is known: many of those can
 * be written together. On the saver's thread, with the lock. */
bool check_is_plain(const struct check *check);

/* Write up to CHECK_WRITES such rooms. On the saver's thread, without the lock. */
void checkpoint_write_all(struct checkpoints *checkpoints, struct check_write *writes,
                          size_t count);

/* Write a room, and delete the keys of an ended room. On the saver's thread, without the lock. */
enum outcome checkpoint_write(struct checkpoints *checkpoints, struct check *check,
                              const struct store_room *room);
enum outcome checkpoint_end(struct checkpoints *checkpoints, struct check *check);

/* Reads the head of a room; *bytes is the whole value, to be freed, and *used the head's part. A
 * damaged one is logged, and has epoch 0. */
enum broker_result check_read_head(const struct checkpoints *checkpoints, const char *code,
                                   struct check_head *head, uint8_t **bytes, size_t *size,
                                   size_t *used, uint64_t *revision);

void check_name_part(char key[BROKER_SUBJECT_MAX], const char *code, uint64_t epoch, bool turn,
                     uint32_t part);

#endif
