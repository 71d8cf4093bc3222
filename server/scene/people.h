/* The people of a room: who is here, who may come back as the same person, whose cursors are shown.
 * Owned by one room and used by its thread alone. A person is named by a slot, an index that stays
 * the same while the person is known; while here, also by the member handle that the room's caller
 * has. Memory grows with the people that come. */
#ifndef PEOPLE_H
#define PEOPLE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/digest.h"
#include "base/tries.h"
#include "protocol.h"
#include "room/stream.h"
#include "scene/cursor.h"
#include "scene/member.h"

#define PEOPLE_AWAY_MAX  1024u      /* people remembered after they left */
#define PEOPLE_AWAY_TIME 600000000u /* µs for which they are */
#define PEOPLE_NAME_TIME 3000000u   /* µs between two names of a person */
#define PEOPLE_NONE      UINT32_MAX
#define PEOPLE_COLORS    24u

/* The fields are in an order that needs no padding: there may be thousands of people. */
struct person {
    room_member member;   /* 0: not here */
    uint64_t left_at;     /* µs, while not here */
    uint64_t renamed_at;  /* µs: 0: it has its first name */
    uint64_t origin;      /* see tries_origin() */
    uint64_t wants_until; /* µs: see MEMBERS_WANTS */
    struct cursor cursor;
    uint32_t id;                 /* 0: the slot is free */
    enum proto_role role;        /* see people_appoint() */
    uint32_t wrong_keys;         /* that it tried since it came */
    enum tries_result hello_key; /* what the key in its hello was, until the answer is sent */
    uint32_t hello_wait;         /* s, with TRIES_TOO_MANY */
    uint32_t color;              /* 0xRRGGBB */
    uint32_t next, previous;     /* among the free, or those away; PEOPLE_NONE ends a list */
    /* While here: the encoding of its snapshots, what its client asks for, how many times its slow
     * line has halved that, and the index of its stream. */
    enum stream_encoding encoding;
    struct proto_want want;
    uint32_t ease, stream;
    uint32_t boids; /* what the last `stream` message to it said; … */
    bool slow;      /* … and this */
    bool waits;     /* what it wants is not granted yet */
    bool expelled;  /* and so not let in again while remembered */
    bool shown;     /* in presence, and so allowed a cursor in snapshots */
    bool moved;     /* its cursor, since the last tick: see history.c */
    /* Whether presence last said that it is shown, and what it was last told that it is called and
     * is: see presence.h. */
    bool listed, renamed;
    uint32_t told_flags;
    /* The slot, little-endian, then 96 random bits: only while the person is here. Its digest is
     * what is saved, and compared with the token in a hello. */
    uint8_t token[PROTO_TOKEN_SIZE];
    uint8_t token_digest[DIGEST_SIZE];
    char name[PROTO_NAME_MAX + 1];
};

/* Which person a handle names, by the handle's index. */
struct people_handle {
    room_member member; /* 0: nobody's */
    uint32_t slot;      /* or the next free index */
};

struct people {
    struct person *slots;
    uint32_t capacity;
    uint32_t used; /* slots from here on have never been used */
    uint32_t free; /* the first one used before and free now */
    struct people_handle *handles;
    uint32_t handle_capacity, handles_used, handle_free; /* as of the slots */
    uint32_t generation;
    uint32_t away_first, away_last; /* those who left, in that order */
    uint32_t away_count;
    uint32_t presenters;              /* here and away */
    uint32_t here, here_max;          /* people, shown or not */
    uint32_t colors[PEOPLE_COLORS];   /* how many of those here have each */
    uint32_t shown[PROTO_PEOPLE_MAX]; /* slots */
    uint32_t shown_count;
    uint64_t shown_until; /* µs: until then each of as many as can be shown stays active */
    bool changed; /* who is shown, or a shown one's name, or which presenters are away: until
                     presence has said so */
    uint32_t last_id;
    uint32_t spotlight; /* the id of the person whose cursor is marked; 0: nobody's */
};

enum people_result {
    PEOPLE_OK,
    PEOPLE_FULL,
    PEOPLE_REMOVED,   /* a presenter has removed that person */
    PEOPLE_NO_MEMORY, /* or no randomness for a token */
    PEOPLE_UNKNOWN,   /* nobody is known by that slot: people_admit() */
};

/* For up to that many people at a time. */
void people_init(struct people *people, uint32_t here_max);
void people_finish(struct people *people);

/* Lets someone in: the person of that token if it is known, else a new one. *replaced is the handle
 * that the person had until now, else 0; taking over makes the room no fuller. Times never go
 * back. */
enum people_result people_join(struct people *people, const struct proto_hello *hello, uint64_t now,
                               uint32_t *slot, room_member *replaced);

/* Lets in the person of that slot, who is known; of PEOPLE_NONE somebody new, and *slot says where.
 * It is called as those who come without a name. */
enum people_result people_admit(struct people *people, uint64_t now, uint32_t *slot);

/* What somebody of that id is called who has no name of its own. */
void people_pick_name(uint32_t id, char name[PROTO_NAME_MAX + 1]);

/* Whether that hello has the token of a person who may come back. */
bool people_knows(struct people *people, const struct proto_hello *hello, uint64_t now);

/* The person is not here any more; it is remembered for a while, and let in again unless it was
 * expelled. */
void people_leave(struct people *people, uint32_t slot, bool expelled, uint64_t now);

/* Whoever is in that slot, which was filled in otherwise, is here, with a handle; or away, the last
 * of those who left. */
void people_count_here(struct people *people, uint32_t slot);
void people_count_away(struct people *people, uint32_t slot);

/* The person that a handle names, or that has that id; PEOPLE_NONE: nobody who is here. */
uint32_t people_find(const struct people *people, room_member member);
uint32_t people_find_id(const struct people *people, uint32_t id);

/* The one who has that id and is away; PEOPLE_NONE: nobody. */
uint32_t people_find_away(const struct people *people, uint32_t id);

/* All who are here, one after another: NULL at the end. *next is 0 at first. */
struct person *people_each(const struct people *people, uint32_t *next);

/* The same, for all to leave: those who are shown come last, since for each that leaves while
 * others are here one of these is looked for among all, to be shown instead. */
struct person *people_each_leaving(const struct people *people, uint32_t *next);

/* Gives the person that name, which is not blank. A person may have another name every
 * PEOPLE_NAME_TIME: returns the µs to wait for that; 0: it has the name now. */
uint64_t people_rename(struct people *people, uint32_t slot, const char *name, uint64_t now);

/* Gives the person that name, whatever it was called and whenever, on behalf of somebody else. */
void people_call(struct people *people, uint32_t slot, const char *name, uint64_t now);

/* That person's cursor is marked for all, and so shown; PEOPLE_NONE: nobody's. */
void people_spotlight(struct people *people, uint32_t slot);

/* Makes a presenter of the person, here or away, or a viewer. */
void people_appoint(struct people *people, uint32_t slot, enum proto_role role);

/* Whether readers take that name for a presenter's who is not that person, here or away. */
bool people_presenter_named(const struct people *people, const char *name, uint32_t slot);

/* Readers take no viewer's name for a presenter's: if that person is a viewer with such a name, or
 * a presenter whose name viewers have, each of these viewers gets one like those who come without.
 */
void people_part_names(struct people *people, uint32_t slot);

/* Makes viewers of all who are away. */
void people_demote_away(struct people *people);

/* The person's cursor is at x, y. When more people than PROTO_PEOPLE_MAX are here, one who moves
 * is shown instead of the one shown who has been still for longest, if that is longer than the
 * timeout (µs). */
void people_move(struct people *people, uint32_t slot, float x, float y, uint64_t now,
                 uint64_t timeout);

/* The person has no cursor. */
void people_withdraw(struct people *people, uint32_t slot);

#endif
