/* The store: rooms that outlive the process. store.c keeps them in one SQLite database in a folder
 * of its own, written by one thread. In a cluster, cluster/checkpoints.h keeps them for all nodes.
 * Callers never wait for either.
 *
 * A store keeps each room as opaque bytes, and the codes that rest. Only a room's newest bytes wait
 * to be written, so that a slow disk costs memory for at most one copy of each room. A failed write
 * is tried again.
 *
 * Times are seconds of the wall clock since 1970, which the next process understands, too. */
#ifndef STORE_H
#define STORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "protocol.h"

#define STORE_FILE       "flockd.sqlite"
#define STORE_REASON_MAX 2400u

#define STORE_LATE 10.0 /* s: a room that waits for longer is late */

#define STORE_SECRET_SIZE 32u

struct store_room {
    char code[PROTO_ROOM_MAX + 1];
    bool listed;
    uint64_t saved_at;    /* s */
    uint64_t fingerprint; /* a number that identifies the room's options */
    uint64_t creator;     /* a number below 2^63; 0: not known */
    bool trusted;         /* its creator had the server's key */
    bool first;           /* written before the rooms of others; the store does not keep it */
    bool plays;           /* its recording is still needed: see store_put_recording() */
    size_t size;
    uint8_t *state;
    /* When the store no longer needs the state, it frees it and calls release(memory, size) on any
     * thread; NULL: it calls nothing. */
    void (*release)(void *memory, size_t size);
    void *memory;
};

/* Frees the state, and calls release() if it is not NULL. */
static inline void store_free_state(struct store_room *room)
{
    free(room->state);
    if (room->release != NULL) {
        room->release(room->memory, room->size);
    }
    room->state = NULL;
    room->size = 0;
    room->release = NULL;
}

/* A recording that a room plays. When the store no longer needs the bytes, it calls release(memory)
 * on any thread. */
struct store_recording {
    const uint8_t *bytes;
    size_t size;
    uint64_t creator; /* of its room */
    bool first;       /* as its room's */
    void (*release)(void *memory);
    void *memory;
};

/* The past of a room, which the store's thread packs when it writes it: pack(memory) returns the
 * bytes, malloc'ed, and their *size; NULL: nothing to write. When the store no longer needs the
 * past, it calls release(memory) on any thread. */
struct store_past {
    uint8_t *(*pack)(void *memory, size_t *size);
    void (*release)(void *memory);
    void *memory;
    bool first; /* as its room's */
};

enum store_result {
    STORE_OK,
    STORE_SET_ASIDE, /* the file was damaged: it was renamed, and flockd began a new one */
    STORE_LOST, /* its log of changes was damaged: later changes are missing; there is a copy */
    STORE_FAILED,
};

struct store_status {
    bool failing;                  /* a room is queued whose last write failed */
    char reason[STORE_REASON_MAX]; /* the error, and what to do */
    uint64_t writes, failures;     /* transactions so far, except of pasts */
    uint64_t pasts;                /* written so far */
    uint64_t bytes;                /* of states, recordings and pasts written */
    uint64_t waiting;              /* queued rooms, recordings and pasts */
    double slowest;                /* s of the slowest transaction */
    double late;                   /* s: the longest wait of a queued room */
};

struct store;

/* The calls in which kinds of stores differ: see the functions below. */
struct store_calls {
    bool (*put)(struct store *store, const struct store_room *room);
    bool (*put_recording)(struct store *store, const char *code,
                          const struct store_recording *recording);
    bool (*put_past)(struct store *store, const char *code, const struct store_past *past);
    bool (*end)(struct store *store, const char *code, uint64_t until);
    bool (*failing)(struct store *store);
    void (*status)(struct store *store, struct store_status *status);
};

/* A store begins with this. */
struct store {
    const struct store_calls *calls;
    uint8_t secret[STORE_SECRET_SIZE];
};

/* Returns random bytes that the store keeps: STORE_SECRET_SIZE. */
static inline const uint8_t *store_secret(const struct store *store)
{
    return store->secret;
}

/* Stores the room in place of an earlier one of that code. Takes over its state (malloc'ed).
 * Any thread; never waits. Returns false, and keeps the earlier room, when memory runs out. */
static inline bool store_put(struct store *store, const struct store_room *room)
{
    return store->calls->put(store, room);
}

/* Stores the recording of the room of that code, until the room ends or is stored as playing
 * nothing. Must be called before the room is first stored. Always releases the recording's memory
 * in the end. Returns false when memory runs out, or if the store keeps no recordings. */
static inline bool store_put_recording(struct store *store, const char *code,
                                       const struct store_recording *recording)
{
    return store->calls->put_recording(store, code, recording);
}

/* Stores the past of the room of that code in place of an earlier one. The store writes it after
 * the room, if that is queued, so that it is never newer than the stored room. Must not be called
 * for a room that has ended. Always releases the past's memory in the end. Any thread; never waits.
 * Returns false when memory runs out, or if the store keeps no pasts. */
static inline bool store_put_past(struct store *store, const char *code,
                                  const struct store_past *past)
{
    return store->calls->put_past(store, code, past);
}

/* Ends the room of that code: the code rests until then, and its recording and past are dropped.
 * Otherwise as store_put(). */
static inline bool store_end(struct store *store, const char *code, uint64_t until)
{
    return store->calls->end(store, code, until);
}

/* Any thread. store_failing() returns the status's `failing` without taking a lock. */
static inline bool store_failing(struct store *store)
{
    return store->calls->failing(store);
}

static inline void store_status(struct store *store, struct store_status *status)
{
    store->calls->status(store, status);
}

/* ---- the store on this machine's disk ---- */

/* Opens the database in that folder for this process alone; creates the folder if only that is
 * missing. Stores in `text` (STORE_REASON_MAX bytes) the file,
 * the fault and what to do; "" with STORE_OK. */
enum store_result store_open(const char *folder, struct store **opened, char *text);

/* Calls take() with each room, and rest() with each code that rests until then. The room with the
 * code `first` is first, then trusted rooms follow, then the rooms of the other creators in turn:
 * of each its newest, then of each its second, and so on. The store owns the room and its bytes.
 * Must be called before store_start(). Returns false if the database cannot be read; `text` as
 * above. */
bool store_read(struct store *store, const char *first,
                void (*take)(void *argument, const struct store_room *room),
                void (*rest)(void *argument, const char *code, uint64_t until), void *argument,
                char *text);

/* Starts the thread that writes. Before it writes a state, it calls seal() with it; NULL: nothing
 * to call. Returns false if no thread can be created. */
bool store_start(struct store *store, void (*seal)(uint8_t *state, size_t size));

/* Returns the recording of the room of that code, malloc'ed, and its size. Returns NULL if there is
 * none or memory runs out. Must be called before store_start(). */
uint8_t *store_recording(struct store *store, const char *code, size_t *size);

/* As store_recording(), for the room's past. */
uint8_t *store_past(struct store *store, const char *code, size_t *size);

/* Drops the past of the room of that code. Must be called before store_start(). */
void store_drop_past(struct store *store, const char *code);

/* Sets aside a room: its bytes stay in the database, but not as a room. Must be called before
 * store_start(). */
void store_set_aside(struct store *store, const char *code);

/* Must be called before the process stores its rooms for the last time: the store then writes no
 * past until store_close(). Takes NULL. */
void store_hold_pasts(struct store *store);

/* Writes what is queued, for at most `patience` seconds, rooms before pasts, and frees everything.
 * Returns true if all rooms were written. Takes NULL. */
bool store_close(struct store *store, double patience);

/* Prints the report of --check-data: a line for each room of the database in that folder. Returns
 * true if all is sound. sound() checks the bytes of a room or a recording, and writes into `what`
 * what is wrong. Changes nothing. */
bool store_check(const char *folder,
                 bool (*sound)(const uint8_t *state, size_t size, char *what, size_t capacity),
                 FILE *output, FILE *errors);

#endif
