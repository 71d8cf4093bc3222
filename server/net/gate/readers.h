/* Readers: the clients from which a shard reads, and which of them it reads from next when they
 * send more than it has time for.
 *
 * A reader with something to read is in the line of its account: of the creator of the room, or, in
 * rooms that the server trusts and for pupils, of the client's address. In each turn of its loop
 * the shard reads from the first of each account in turn, measures the time that it took (meter.h),
 * and charges the account. It charges the account for the client's answers, too. The account with
 * the least time is next. So a turn is short however many clients send, and a client waits only
 * while others have had less time than its account. This is start-time fair queuing (Goyal, Vin and
 * Cheng, 1996), as in hub/turns.h. But an account's lead has a limit: among thousands of accounts,
 * each gets so little time that a client would wait for seconds after it has joined. With the limit
 * it waits until the others together have had READERS_DEBT, or two readings each.
 *
 * A turn reads for a slice from each class: from pupils (see place.h), from other clients in
 * trusted rooms, and from clients in the rooms of others. The slice is READERS_SLICE, or a quarter
 * of the time for which the shard has just sent, if that is more: after it has sent to 10,000
 * clients, it must read 10,000 answers. While snapshots wait, the slice is an eighth of
 * READERS_SLICE, or of the time for which the shard has just sent. The answers to what was read
 * come in later turns and often take longer. So a turn reads no more than the slice suffices to
 * read and answer, by the cost of the latest turns. Unread data waits in the kernel, which slows
 * the client down. No time is lost: the turns follow each other without a break while a reader is
 * in line.
 *
 * Connections that libwebsockets has not adopted yet are readers, too: see arrival.h.
 *
 * Pure: times are passed in, as ns. Owned by one shard; only its thread may use it. */
#ifndef READERS_H
#define READERS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/heap.h"
#include "base/list.h"
#include "net/gate/meter.h"

#define READERS_SLICE  UINT64_C(4000000)   /* ns of a turn, for each class, at least */
#define READERS_GRACE  UINT64_C(500000)    /* ns that an arrival's account may be ahead of others */
#define READERS_MOST   UINT64_C(8000000)   /* ns of a turn for arrivals that are not ahead */
#define READERS_DEBT   UINT64_C(100000000) /* ns: an account ahead of others waits no longer */
#define READERS_LISTS  256u
#define READERS_VACANT 4096u
#define READERS_CROWD  64u /* readers of one account: more are a crowd */

enum readers_class_name { READERS_OTHERS, READERS_TRUSTED, READERS_PUPILS, READERS_CLASSES };

struct reader_account {
    struct heap_item turn; /* in the heap of its class while readers are in line; must be first */
    struct list_item item; /* in a list of readers->accounts */
    struct list_item vacancy; /* in class->vacant */
    struct list line;         /* its readers with something to read; the first is read next */
    uint64_t id;
    uint64_t used; /* ns: all charges */
    uint32_t readers;
    uint32_t clients; /* of these, counted by readers_weigh() */
    uint8_t class;    /* enum readers_class_name */
};

struct reader {
    struct list_item item;          /* in the line of its account */
    struct reader_account *account; /* NULL: none yet */
    uint32_t ready_at;              /* its owner's: ms, since when something waits; 0: nothing */
    bool in_line;
    bool weighs; /* counted by readers_weigh() */
};

struct readers {
    struct readers_class {
        struct heap accounts; /* with readers in line, by their charges */
        uint64_t level;       /* charges of the account that was read last, before it was read */
        uint64_t most;        /* charges of the account with the most */
        uint64_t spent;       /* ns: charges in this turn, and those carried over from the last */
        uint64_t carried;     /* ns */
        uint64_t ran;         /* ns for which the thread ran for the charges of this turn */
        uint64_t cost;        /* ns of a reading with its answers, on average, from … */
        uint64_t recent_time, recent_count; /* … these of the latest turns: see learn_cost() */
        uint32_t count;                     /* readings in this turn */
        uint32_t waiting;                   /* readers in line */
        uint32_t weight; /* clients, but not more than READERS_CROWD of an account */
        size_t size;     /* of accounts */
        struct list
            vacant; /* accounts without readers: READERS_VACANT at most, until it has time */
        uint32_t vacant_count;
    } classes[READERS_CLASSES];
    struct readers_class *reading; /* class of the reader that readers_next() last returned */
    struct list accounts[READERS_LISTS];
    uint64_t slice;       /* ns of this turn, for each class, … */
    uint64_t short_slice; /* … and of a turn in which snapshots wait */
    uint64_t besides;     /* ns: work in this turn for which no account is charged */
    uint64_t spare;       /* ns: readings and answers of turns after which readers were in line */
};

/* Begins without readers. readers_finish() needs an empty one. */
void readers_init(struct readers *readers);
void readers_finish(struct readers *readers);

/* Gives the reader, a struct of zeros, its account. Returns false when memory runs out. */
bool readers_join(struct readers *readers, struct reader *reader, uint64_t id,
                  enum readers_class_name class);

/* Moves a reader to the account of that id and class. Returns false, and leaves it where it is,
 * when memory runs out. */
bool readers_move(struct readers *readers, struct reader *reader, uint64_t id,
                  enum readers_class_name class);

/* Takes a reader without an account, too. */
void readers_leave(struct readers *readers, struct reader *reader);

/* Charges the time for which the thread ran to the reader's account. The time that the part took
 * counts for the slice of the account's class: the next snapshots wait for the turn's end. */
void readers_charge(struct readers *readers, const struct reader *reader, struct meter_part part);

/* Does the same after a reading. The time counts for the slice of the class from whose line the
 * reader came: a hello may have moved the reader to another class. */
void readers_charge_reading(struct readers *readers, const struct reader *reader,
                            struct meter_part part);

/* Does the same after a welcome. The time of a welcome to a trusted room counts for the slice of
 * READERS_OTHERS, as its hello does. So members of trusted rooms keep their slice. */
void readers_charge_welcome(struct readers *readers, const struct reader *reader,
                            struct meter_part part);

/* Counts ns of work for which no account is charged. It takes up to three quarters of the slices of
 * this turn. */
static inline void readers_spend(struct readers *readers, uint64_t work)
{
    readers->besides += work;
}

/* Puts a reader with an account in line. */
void readers_ready(struct readers *readers, struct reader *reader);

/* Returns the reader to read from now, which is then in no line, or NULL: none is in line, or the
 * slices are used up. */
struct reader *readers_next(struct readers *readers);

/* Puts an arrival in line if it must wait, and returns true then. Otherwise the shard has time for
 * it now. Arrivals whose accounts are not ahead wait only after READERS_MOST. */
bool readers_must_wait(struct readers *readers, struct reader *reader);

/* The same, also for a reader whose account is not ahead. So a turn exceeds its slice by one reader
 * at most, however many accounts there are. */
bool readers_must_queue(struct readers *readers, struct reader *reader);

/* Returns true if the reader's account has more readers than a class. */
static inline bool readers_are_crowd(const struct reader *reader)
{
    return reader->account != NULL && reader->account->readers > READERS_CROWD;
}

/* Counts a reader with an account as a client, until it leaves. */
void readers_weigh(struct readers *readers, struct reader *reader);

/* Returns how many times as many clients as a class the reader's account has; at least 1. */
static inline double readers_crowding(const struct reader *reader)
{
    return reader->account != NULL && reader->account->clients > READERS_CROWD
               ? (double)reader->account->clients / READERS_CROWD
               : 1;
}

/* Shortens this turn's slice to that of a late turn, because snapshots have become due. */
void readers_hurry(struct readers *readers);

/* Begins the next turn. sent: ns for which the shard sent snapshots in this one. late: snapshots
 * are still due, and go first. */
void readers_turn(struct readers *readers, uint64_t sent, bool late);

/* Returns true if no class has used up its slice of this turn. */
static inline bool readers_have_time(const struct readers *readers)
{
    return readers->classes[READERS_OTHERS].spent < readers->slice &&
           readers->classes[READERS_TRUSTED].spent < readers->slice &&
           readers->classes[READERS_PUPILS].spent < readers->slice;
}

/* Returns true if a reader is in line: the next turn must begin at once. */
static inline bool readers_wait(const struct readers *readers)
{
    return readers->classes[READERS_OTHERS].waiting + readers->classes[READERS_TRUSTED].waiting +
               readers->classes[READERS_PUPILS].waiting >
           0;
}

#endif
