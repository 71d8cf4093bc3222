/* The people of a scene: who is here, who may come back, and whose cursors are shown. A slot names
 * a person for as long as the scene remembers that person; while the person is here, a handle does,
 * too. Names, tokens and connections belong to the room. Memory grows with the number of people. */
#ifndef PEOPLE_H
#define PEOPLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "protocol.h"
#include "scene/cursor.h"
#include "scene/member.h"

#define PEOPLE_HERE_MAX  131072u /* people here at a time: more than --max-clients may be */
#define PEOPLE_SLOTS_MAX 1000000u
#define PEOPLE_AWAY_MAX  1024u      /* people remembered after they left */
#define PEOPLE_AWAY_TIME 600000000u /* µs for which they are */
#define PEOPLE_NONE      UINT32_MAX
#define PEOPLE_COLORS    24u

struct person {
    room_member member; /* 0: not here */
    uint64_t left_at;   /* µs, while not here */
    struct cursor cursor;
    uint32_t id;             /* 0: the slot is free */
    enum proto_role role;    /* see people_appoint() */
    uint32_t color;          /* 0xRRGGBB */
    uint32_t next, previous; /* in the list of free slots or of people away; PEOPLE_NONE ends it */
    uint32_t team;           /* 1 to PROTO_TEAMS_MAX; 0: none yet */
    uint32_t turns;          /* that the person has led in relays, or missed: see relay.h */
    bool expelled;           /* may not come back while remembered */
    bool shown;              /* in presence, and so allowed a cursor in snapshots */
};

/* The person that a handle names, by the handle's index. */
struct people_handle {
    room_member member; /* 0: the handle is free */
    uint32_t slot;      /* or the next free index */
};

struct people {
    struct person *slots;
    size_t capacity;
    uint32_t used; /* the number of slots that were ever used */
    uint32_t free; /* the first free slot below `used` */
    struct people_handle *handles;
    size_t handle_capacity;
    uint32_t handles_used, handle_free; /* as for slots */
    uint32_t generation;
    uint32_t away_first, away_last; /* people away, in the order in which they left */
    uint32_t away_count;
    uint32_t presenters;              /* here and away */
    uint32_t here;                    /* people, shown or not */
    uint32_t colors[PEOPLE_COLORS];   /* how many people here have each color */
    uint32_t shown[PROTO_PEOPLE_MAX]; /* slots */
    uint32_t shown_count;
    uint64_t shown_until; /* µs: until then every shown cursor stays active */
    uint32_t version;     /* goes up with who is shown and which presenters are away */
    uint32_t last_id;
    uint32_t spotlight; /* the id of the person whose cursor is marked; 0: none */
    uint32_t leader;    /* the id of the person who leads a relay; 0: none */
    uint32_t turns;     /* the fewest turns of a person here when that turn began */
};

enum people_result {
    PEOPLE_OK,
    PEOPLE_FULL,
    PEOPLE_REMOVED, /* a presenter has removed the person */
    PEOPLE_NO_MEMORY,
    PEOPLE_UNKNOWN, /* the slot is free */
};

void people_init(struct people *people);
void people_finish(struct people *people);

/* Admits the person in *slot, or a new one if *slot is PEOPLE_NONE, and stores the slot. A person
 * who is here already gets another handle. Times never go back. */
enum people_result people_admit(struct people *people, uint64_t now, uint32_t *slot);

/* Whether the scene remembers a person in that slot who may come back. */
bool people_remembers(const struct people *people, uint32_t slot, uint64_t now);

/* Makes the person away: remembered for PEOPLE_AWAY_TIME, and not admitted again if expelled. */
void people_leave(struct people *people, uint32_t slot, bool expelled, uint64_t now);

/* Counts the person in a slot that a reader filled in, as here or as the last who left. */
void people_count_here(struct people *people, uint32_t slot);
void people_count_away(struct people *people, uint32_t slot);

/* Return the slot of the person here with that handle or id, and of the person away with that id;
 * PEOPLE_NONE without one. */
uint32_t people_find(const struct people *people, room_member member);
uint32_t people_find_id(const struct people *people, uint32_t id);
uint32_t people_find_away(const struct people *people, uint32_t id);

/* Returns each person who is here, then NULL. *next is 0 at first. */
struct person *people_each(const struct people *people, uint32_t *next);

/* The same people, the shown ones last. When all leave, this order is cheaper: each shown person
 * that leaves has the scene search all others for one to show instead. */
struct person *people_each_leaving(const struct people *people, uint32_t *next);

/* Marks that person's cursor for all, and shows it; PEOPLE_NONE: no cursor. */
void people_spotlight(struct people *people, uint32_t slot);

/* Makes the person in that slot, who is here, the leader of a relay, and shows the cursor. */
void people_lead(struct people *people, uint32_t slot);

/* Gives a role to the person, here or away. */
void people_appoint(struct people *people, uint32_t slot, enum proto_role role);

/* Makes viewers of all people who are away. */
void people_demote_away(struct people *people);

/* Moves the person's cursor. When more than PROTO_PEOPLE_MAX people are here, a person who moves is
 * shown instead of the shown person whose cursor has been still for longest, if that is longer than
 * the timeout (µs). */
void people_move(struct people *people, uint32_t slot, float x, float y, uint64_t now,
                 uint64_t timeout);

/* Takes the person's cursor away. */
void people_withdraw(struct people *people, uint32_t slot);

#endif
