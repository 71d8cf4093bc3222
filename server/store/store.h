/* The store: what outlives the process. One SQLite database in a folder of its own, written by a
 * thread of its own: whoever hands it something never waits for the disk.
 *
 * It keeps each room as the bytes that it is given, and the codes that must not be given out again
 * yet. Of a room only the newest bytes wait to be written, so that a slow disk costs memory for one
 * copy of each room and nothing else. What cannot be written goes on waiting, and is tried again.
 *
 * Times are seconds of the wall clock since 1970: they have to mean something to the next process.
 */
#ifndef STORE_H
#define STORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "protocol.h"

#define STORE_FILE       "flockd.sqlite"
#define STORE_REASON_MAX 2400u

struct store;

struct store_room {
    char code[PROTO_ROOM_MAX + 1];
    bool listed;
    uint64_t saved_at;    /* s */
    uint64_t fingerprint; /* of whatever the room was made from; any number */
    bool plays;           /* its recording is still needed: see store_put_recording() */
    size_t size;
    uint8_t *state;
};

/* A recording that a room plays. release(memory) is called, on any thread, once the bytes are not
 * needed any more. */
struct store_recording {
    const uint8_t *bytes;
    size_t size;
    void (*release)(void *memory);
    void *memory;
};

enum store_result {
    STORE_OK,
    STORE_SET_ASIDE, /* the file was damaged: it has another name now, and there is a new one */
    STORE_LOST, /* its log of changes was damaged: later changes are missing; there is a copy */
    STORE_FAILED,
};

/* Opens the database in that folder, which is made if only it is missing, and holds it for this
 * process alone. `rooms_max`: slots that store_put() may name. `text` (STORE_REASON_MAX bytes) says
 * which file it is about, what is wrong and what to do; "" with STORE_OK. */
enum store_result store_open(const char *folder, uint32_t rooms_max, struct store **opened,
                             char *text);

/* Calls take() with each room, and rest() with each code that must not be given out until then;
 * the room and its bytes are the store's. Before store_start(). False: the database cannot be
 * read; `text` as above. */
bool store_read(struct store *store, void (*take)(void *argument, const struct store_room *room),
                void (*rest)(void *argument, const char *code, uint64_t until), void *argument,
                char *text);

/* From now on the store writes. seal() is called, on its thread, with each state before that is
 * written; NULL: there is nothing to do. False: there is no thread to be had. */
bool store_start(struct store *store, void (*seal)(uint8_t *state, size_t size));

/* Keeps the room, in place of what was kept of that code. Takes over its state (malloc'ed). `slot`,
 * below rooms_max, is the room's as long as it lives. Any thread; never waits for the disk. Returns
 * false, and keeps what there was, when memory runs out. */
bool store_put(struct store *store, uint32_t slot, const struct store_room *room);

/* Keeps what the room of that code plays, until it ends or is kept as one that plays nothing;
 * before the room is first kept. The recording's memory is released in any case. False when memory
 * runs out. */
bool store_put_recording(struct store *store, const char *code,
                         const struct store_recording *recording);

/* The bytes, malloc'ed, and *size of what the room of that code plays; NULL: nothing, or memory has
 * run out. Before store_start(). */
uint8_t *store_recording(struct store *store, const char *code, size_t *size);

/* The room in that slot has ended: its code rests until then, and it plays nothing. As store_put().
 */
bool store_end(struct store *store, uint32_t slot, const char *code, uint64_t until);

/* Keeps the bytes of a room that could not be understood, and no longer as a room. Before
 * store_start(). */
void store_set_aside(struct store *store, const char *code);

struct store_status {
    bool failing;                  /* the last attempt to write failed */
    char reason[STORE_REASON_MAX]; /* why, and what to do */
    uint64_t writes, failures;     /* transactions so far */
    uint64_t bytes;                /* of states and recordings written so far */
    uint64_t waiting;              /* rooms, and recordings, that are to be written */
    double slowest;                /* s that a transaction took at most */
};

/* Any thread. store_failing() is the status's `failing` alone, and takes no lock. */
bool store_failing(struct store *store);
void store_status(struct store *store, struct store_status *status);

/* Writes what waits, for at most `patience` seconds in all, and frees everything. Returns whether
 * all was written. Takes NULL. */
bool store_close(struct store *store, double patience);

/* What --check-data prints: what is in the database in that folder, a line for each room, and
 * whether all of it is sound. sound(): whether the bytes of a room or of a recording are; if not,
 * it writes into `what` why. Nothing is changed. */
bool store_check(const char *folder,
                 bool (*sound)(const uint8_t *state, size_t size, char *what, size_t capacity),
                 FILE *output, FILE *errors);

#endif
