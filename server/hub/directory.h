/* The directory: which rooms there are, by code, what others may know of them, and how many there
 * may be. Any thread may call it; a lock guards it, held for moments only. Times are µs on the
 * server's clock.
 *
 * A room's number is generation << 32 | slot + 1: slots are small and used again, numbers are not.
 */
#ifndef DIRECTORY_H
#define DIRECTORY_H

#include <stdbool.h>
#include <stdint.h>

#include "protocol.h"
#include "room/room.h"

#define DIRECTORY_CODE_LENGTH 6u
#define DIRECTORY_CODE_REST   UINT64_C(86400000000) /* µs for which a code is not given out again */

static inline uint32_t room_slot(uint64_t number)
{
    return (uint32_t)number - 1;
}

/* What a room's runner counts, for any thread to read. Reset when the slot gets another room. */
struct room_stats {
    _Atomic uint64_t people, boids;  /* just now */
    _Atomic uint64_t ticks, dropped; /* made, and left out to keep up */
    _Atomic uint64_t encoded, keys;  /* frames of snapshots: all, and those that stand alone */
    _Atomic uint64_t busy;           /* ns spent on its ticks and snapshots */
};

struct directory_limits {
    uint32_t rooms_max;      /* the lobby among them */
    uint32_t rooms_per_hour; /* that one address may create */
};

/* What others may know of a room. */
struct directory_entry {
    uint64_t number;
    uint32_t runner;
    char code[PROTO_ROOM_MAX + 1];
    char title[PROTO_TITLE_MAX + 1];
    const char *model;  /* a literal */
    const char *preset; /* a literal; NULL: none in force */
    uint32_t people, boids;
    bool listed, locked;
    bool trusted; /* its presenters have the server's trust: see place.h */
};

enum directory_result {
    DIRECTORY_OK,
    DIRECTORY_FULL,      /* as many rooms as there may be */
    DIRECTORY_TAKEN,     /* a room has that code, or had it lately */
    DIRECTORY_TOO_MANY,  /* the address has created as many as it may for now */
    DIRECTORY_NO_MEMORY, /* or no randomness */
    DIRECTORY_REFUSED,   /* a room cannot begin so */
};

struct directory;

/* NULL when memory runs out; destroy takes NULL. */
struct directory *directory_create(const struct directory_limits *limits);
void directory_destroy(struct directory *directory);

/* Makes an entry and its number for a new room; code NULL: one that nobody has or had lately.
 * address: who asks, as text (those of one IPv6 network count as one); NULL: the server itself,
 * which no rate holds back. *retry_after: ms after which DIRECTORY_TOO_MANY ends. The entry is
 * found only after directory_open(). */
enum directory_result directory_add(struct directory *directory, const char *code,
                                    const char *address, uint64_t now,
                                    struct directory_entry *entry, uint32_t *retry_after);

/* The room is there: from now on it is found. title, model, … are as the entry says. */
void directory_open(struct directory *directory, const struct directory_entry *entry);

/* The room has ended, or could not be made (then its code is free again). */
void directory_remove(struct directory *directory, uint64_t number, uint64_t now);

/* Nobody gets that code until then, unless a room has it or memory runs out. Before any room ends,
 * and of several codes in ascending order of `until`. */
void directory_rest(struct directory *directory, const char *code, uint64_t until);

/* What is new about a room. */
void directory_update(struct directory *directory, uint64_t number, const struct room_facts *facts);
void directory_list_room(struct directory *directory, uint64_t number, bool listed);

/* The room of that code, as proto_room_canonical() writes it. */
bool directory_find(struct directory *directory, const char *code, struct directory_entry *entry);

/* Fills entries with up to `max` rooms, the listed ones only or all, in the order of their slots
 * from *next on, which moves behind the last. Returns how many; 0 at the end. */
uint32_t directory_read(struct directory *directory, bool listed_only, uint32_t *next,
                        struct directory_entry *entries, uint32_t max);

/* The runner of the room of that number; false: the room is no more. */
bool directory_runner(struct directory *directory, uint64_t number, uint32_t *runner);

uint32_t directory_count(struct directory *directory);

/* Another one whenever a room is listed or is not any more, or what is known of a listed one has
 * changed. */
uint64_t directory_version(const struct directory *directory);

/* Of the room in that slot just now; NULL: no room has ever had it. They stay where they are for as
 * long as the directory. */
struct room_stats *directory_stats(struct directory *directory, uint32_t slot);

#endif
