/* Checks conditions that must always hold, and stores states of rooms to compare with. Some of the
 * server's calls pass through check.c, which the linker inserts (--wrap in the Makefile). */
#ifndef CHECK_H
#define CHECK_H

#include <stdbool.h>
#include <stdint.h>

#include "protocol.h"
#include "room/room.h"

/* If the condition is false, prints the seed and the message, and ends the program. */
#define check(condition, ...)                                                                      \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            check_failed(__VA_ARGS__);                                                             \
        }                                                                                          \
    } while (0)
void check_failed(const char *format, ...) __attribute__((format(printf, 1, 2), noreturn));

/* Faults that --fault inserts, to test that the simulation finds them. */
enum fault {
    FAULT_NONE,
    FAULT_WANT_KEY,   /* a request for a keyframe gets lost */
    FAULT_REPLY,      /* a reply goes to another session */
    FAULT_CHECKPOINT, /* a checkpoint lacks the last input before it */
    FAULT_TRUST,      /* the server does not trust rooms made with its key */
    FAULT_CHARGE,     /* messages are not charged */
    /* In lives of a cluster: */
    FAULT_EPOCH,   /* edges do not look at epochs */
    FAULT_PICTURE, /* a snapshot is damaged between two nodes */
    FAULT_FORGET,  /* NATS acknowledges a checkpoint that it does not store */
};

/* From now on the server's log is printed. */
void check_tell(void);

/* Begins and ends a life with that seed. */
void check_begin(uint64_t life_seed, enum fault life_fault);
void check_end(void);

/* Must be called when the next process takes over the rooms. */
void check_next_process(void);

/* The boids that a client shows: encoded positions of every `stride`-th boid. */
struct picture {
    const char *code; /* of the room */
    uint64_t time;
    uint32_t epoch, flock, stride, count;
    const uint8_t *positions;
};

/* check_moves() stores that a room moves now. check_moved() returns the time (ns) of the last move,
 * or 0. */
void check_moves(void);
uint64_t check_moved(void);

/* Checks that the picture equals the room's flock at that time. */
void check_picture(const struct picture *picture);

/* check_store() must be called after each step with the store's state. check_store_told() checks
 * the state that the server reported to a client whose messages are at most OLD_TIME old. */
#define OLD_TIME (4 * S)
void check_store(bool failing);
void check_store_told(bool failing);

/* ---- for the disk ---- */

/* Finds the room_save() that returned those bytes; stores the signature of the room and the time
 * (ns). Returns false if there is none. */
bool check_saved(const uint8_t *state, uint64_t *signature, uint64_t *saved_at);

/* Must be called before these bytes are loaded. The loaded room must have that signature. */
void check_loads(const uint8_t *state, uint64_t signature);

#endif
