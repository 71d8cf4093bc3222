/* What must always be true, and what is known of rooms to compare with. Some of the server's calls
 * pass through here on their way (the Makefile's --wrap): see check.c. */
#ifndef CHECK_H
#define CHECK_H

#include <stdbool.h>
#include <stdint.h>

#include "protocol.h"
#include "room/room.h"

/* Ends the program with the seed and what is not true. */
#define check(condition, ...)                                                                      \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            check_failed(__VA_ARGS__);                                                             \
        }                                                                                          \
    } while (0)
void check_failed(const char *format, ...) __attribute__((format(printf, 1, 2), noreturn));

/* Faults that can be put in by hand, to see that the simulation finds them. */
enum fault {
    FAULT_NONE,
    FAULT_WANT_KEY,   /* a request for a keyframe gets lost */
    FAULT_REPLY,      /* a reply goes to another session */
    FAULT_CHECKPOINT, /* a checkpoint lacks the last input before it */
};

/* A life of that seed begins, or ends. */
void check_begin(uint64_t life_seed, enum fault life_fault);
void check_end(void);

/* Another process has the rooms from now on. */
void check_next_process(void);

/* A picture that a client has: boids as they travel, every `stride`-th. */
struct picture {
    const char *code; /* of the room */
    uint64_t time;
    uint32_t epoch, flock, stride, count;
    const uint8_t *positions;
};

/* Notes that a room moves; and returns when one did last (ns), 0: none. */
void check_moves(void);
uint64_t check_moved(void);

/* It is what the room's flock was at that time. */
void check_picture(const struct picture *picture);

/* After each step: whether the store fails now; and what the server told a client about that, who
 * sees nothing older than OLD_TIME. */
#define OLD_TIME (4 * S)
void check_store(bool failing);
void check_store_told(bool failing);

/* ---- for the disk ---- */

/* Returns the signature of the room whose room_save() gave those bytes, and the time of that (ns).
 * Returns false if no room did. */
bool check_saved(const uint8_t *state, uint64_t *signature, uint64_t *saved_at);

/* These bytes are about to be loaded: the room must have that signature. */
void check_loads(const uint8_t *state, uint64_t signature);

#endif
