/* Turns: which room of a runner works next. A room is ready when its tick is due or an event waits
 * for it.
 *
 * The runner measures each turn. It charges the time to the room and to the account of the room's
 * creator. The next turn goes to the account with the smallest sum of its charges and the cost of
 * its last turn, if it has ready rooms. The room of that account is chosen in the same way. So
 * creators get equal shares of the time, however many rooms they have, and a room with short turns
 * does not wait for many rooms with long turns. An account or a room that becomes ready is charged
 * up to the level of the last turn: time that it has not used is lost. This is fair queuing by
 * finish times (Demers, Keshav and Shenker, 1989) with the virtual time of start-time fair queuing
 * (Goyal, Vin and Cheng, 1996).
 *
 * Rooms that the server trusts form a class; all other rooms form the other class. Time of trusted
 * rooms is divided by TURNS_TRUSTED before it is charged to their class. So trusted rooms that need
 * less than their share go first.
 *
 * Owned by one runner; only its thread may use it. */
#ifndef TURNS_H
#define TURNS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/heap.h"
#include "base/list.h"

#define TURNS_NEVER   UINT64_MAX
#define TURNS_TRUSTED 4u

/* A creator's account of time: of all rooms of an address, or of one room whose creator is not
 * known. */
struct account {
    struct heap_item turn; /* in the heap of its class while rooms are ready; must be first */
    struct heap ready;     /* rooms, by charges and cost of the last turn */
    uint64_t level;        /* charges of the room with the last turn, before that turn */
    struct list_item item; /* in turns->accounts */
    uint64_t id;           /* 0: not known */
    bool trusted;          /* the server trusts these rooms */
    uint64_t used, cost;   /* ns: all charges, and the cost of the last turn */
    uint32_t rooms, running;
    size_t events; /* of its rooms, that wait: see queue.h */
};

/* A room's part. */
struct turn {
    struct heap_item item; /* in account->ready, or in turns->waiting, or not; must be first */
    struct account *account;
    uint64_t used, cost; /* ns: all charges, and the cost of the last turn */
    uint64_t deadline;   /* ns: of its next tick; TURNS_NEVER: it does not run */
    bool ready;
    bool waited_for; /* an event waits */
};

struct turns {
    struct heap waiting; /* rooms, by their deadlines */
    struct turns_class {
        struct heap accounts; /* with ready rooms, by charges and cost of the last turn */
        uint64_t level;       /* charges of the account with the last turn, before that turn */
        uint64_t used;        /* ns: all charges */
    } classes[2];             /* of others, and of trusted rooms */
    uint64_t level;           /* charges of the class with the last turn, before that turn */
    struct list accounts;
    uint32_t running;
};

/* Creates it for up to rooms_max rooms. Returns false when memory runs out. turns_destroy() takes a
 * struct of zeros. Rooms may still be in it: their turns are then invalid. */
bool turns_create(struct turns *turns, size_t rooms_max);
void turns_destroy(struct turns *turns);

/* Makes an account, without rooms. Any thread. Returns NULL when memory runs out; destroy takes
 * NULL. */
struct account *account_create(void);
void account_destroy(struct account *account);

/* Adds a room that does not run. Takes over the account, which has `id` and `trusted`. */
void turns_enter(struct turns *turns, struct turn *turn, struct account *account);
void turns_leave(struct turns *turns, struct turn *turn);

/* Sets the deadline of the room's next tick. */
void turns_tick_at(struct turns *turns, struct turn *turn, uint64_t deadline);

/* Sets whether an event waits for the room. */
void turns_wait(struct turns *turns, struct turn *turn, bool waited_for);

/* Returns the room whose turn it is at the time `now`, or NULL if none is ready. */
struct turn *turns_next(struct turns *turns, uint64_t now);

/* Charges the room and its creator for `time` ns. */
void turns_charge(struct turns *turns, struct turn *turn, uint64_t time);

/* Returns the time (ns) at which the next room will be ready. Returns 0 if a room is ready, and
 * TURNS_NEVER if no room runs. */
uint64_t turns_deadline(const struct turns *turns);

/* Returns true if rooms of others run, too. */
bool turns_are_shared(const struct turns *turns, const struct turn *turn);

#endif
