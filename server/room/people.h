/* The people of a room: who is connected, who may come back as the same person, whose cursors are
 * shown. Owned by one room and used by its thread alone. A person is named by a slot, an index that
 * stays the same while the person is known; slots of people long gone are used again. */
#ifndef PEOPLE_H
#define PEOPLE_H

#include <stdbool.h>
#include <stdint.h>

#include "protocol.h"
#include "room/cursor.h"
#include "room/stream.h"

#define PEOPLE_AWAY_MAX  1024u      /* people remembered after they left */
#define PEOPLE_AWAY_TIME 600000000u /* µs for which they are */
#define PEOPLE_NONE      UINT32_MAX
#define PEOPLE_COLORS    12u

struct person {
    uint32_t id;      /* 0: the slot is free */
    uint64_t session; /* 0: not connected */
    uint64_t left_at; /* µs, while not connected */
    enum proto_role role;
    bool shown;     /* in presence, and so allowed a cursor in snapshots */
    uint32_t color; /* 0xRRGGBB */
    struct cursor cursor;
    enum stream_encoding encoding;   /* of the snapshots, while connected */
    uint32_t stream;                 /* the place of the stream that they come in */
    uint32_t next, previous;         /* among the free, or those away; PEOPLE_NONE ends a list */
    uint8_t token[PROTO_TOKEN_SIZE]; /* the slot, little-endian, then 96 random bits */
    char name[PROTO_NAME_MAX + 1];
};

struct people {
    struct person *slots;
    uint32_t capacity;
    uint32_t used;                  /* slots from here on have never been used */
    uint32_t free;                  /* the first one used before and free now */
    uint32_t away_first, away_last; /* those who left, in that order */
    uint32_t away_count;
    uint32_t connected, connected_max; /* people, shown or not */
    uint32_t colors[PEOPLE_COLORS];    /* how many connected people have each */
    uint32_t shown[PROTO_PEOPLE_MAX];  /* slots */
    uint32_t shown_count;
    bool changed; /* who is shown, or how, since people_presence() */
    uint32_t last_id;
};

/* Room for that many connected people. Returns false when memory runs out. */
bool people_create(struct people *people, uint32_t connected_max);
void people_destroy(struct people *people);

/* Lets someone in: the person of that token if it is known, else a new one. Returns the slot, or
 * PEOPLE_NONE when there is no place left (or no randomness for a token). *replaced is the session
 * that the person had until now, else 0; whoever takes over a session needs no further place. Times
 * never go back. */
uint32_t people_join(struct people *people, const struct proto_hello *hello, uint64_t session,
                     uint64_t now, uint64_t *replaced);

/* The person's connection has ended; it is remembered for a while. */
void people_leave(struct people *people, uint32_t slot, uint64_t now);

void people_rename(struct people *people, uint32_t slot, const char *name);

/* The person's cursor is at x, y. When more people than PROTO_PEOPLE_MAX are here, one who moves
 * takes the place of the one shown who has been still for longest, if that is longer than the
 * timeout (µs). */
void people_move(struct people *people, uint32_t slot, float x, float y, uint64_t now,
                 uint64_t timeout);

/* Who is shown. */
void people_presence(struct people *people, struct proto_presence *presence);

#endif
