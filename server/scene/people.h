/* The people of a scene: who is here, who may come back, and whose cursors are shown. A slot names
 * a person for as long as the scene remembers that person; while the person is here, a handle does,
 * too. Names, tokens and connections belong to the room. Memory grows with the number of people.
 *
 * Up to PROTO_PEOPLE_MAX people are shown. The room puts people of one address into one group, so
 * that the groups can share these entries. When all entries are taken:
 *
 * - A presenter, the spotlight and a relay's leader are always shown. A viewer gives way to them.
 * - A newcomer and a person who moves replace a person of the group with the most shown people, if
 *   that group has at least 2 more than their own.
 * - Else a person who moves replaces a person who has been still: of a group with more shown people
 *   for PEOPLE_KEEP_TIME, or of the same group for the cursor's timeout.
 *
 * The person whose cursor has been still for longest gives way. Presenters give way to presenters
 * alone, by the last two rules, and the spotlight and the leader never. So of G groups, each keeps
 * at least PROTO_PEOPLE_MAX / G entries if it has as many people.
 *
 * Group 0 has the people of scenes that were saved or recorded without groups; presenters in it
 * give way like viewers, as they did. */
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
#define PEOPLE_GROUP_MAX PEOPLE_HERE_MAX
#define PEOPLE_KEEP_TIME 60000000u /* µs: see people_move() */

struct person {
    room_member member; /* 0: not here */
    uint64_t left_at;   /* µs, while not here */
    struct cursor cursor;
    uint32_t id;              /* 0: the slot is free */
    uint32_t color;           /* 0xRRGGBB */
    uint32_t next, previous;  /* in the list of free slots or of people away; PEOPLE_NONE ends it */
    uint32_t turns;           /* that the person has led in relays, or missed: see relay.h */
    uint32_t group;           /* while here: 1 to PEOPLE_GROUP_MAX; 0: unknown */
    enum proto_role role : 8; /* see people_appoint() */
    uint8_t team;             /* 1 to PROTO_TEAMS_MAX; 0: none yet */
    bool expelled;            /* may not come back while remembered */
    bool shown;               /* in presence, and so allowed a cursor in snapshots */
};

/* The person that a handle names, by the handle's index. */
struct people_handle {
    uint32_t generation; /* the upper half of the handle; 0: it is free */
    uint32_t slot;       /* or the next free index */
};

/* People of one address. */
struct people_group {
    uint32_t shown; /* how many of them are shown */
    uint32_t debt;  /* for turns that they have led in a relay: see relay.h */
    uint32_t turns; /* the fewest turns of a person of the group when its last turn began */
    uint32_t leads; /* how many may lead; up to date only in relay.c */
    bool class;     /* it has a presenter; up to date only in relay.c */
    /* While `changes` of the people is this number and until that time (µs), no one gives way to a
     * person of the group who is a presenter, or is none. Not saved: it changes no result. */
    bool presents;
    uint32_t changes;
    uint64_t until;
};

/* Viewers at the addresses of presenters, and all others. */
enum people_side { PEOPLE_OTHERS, PEOPLE_CLASS, PEOPLE_SIDES };

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
    uint32_t most;                    /* people here at a time */
    uint32_t colors[PEOPLE_COLORS];   /* how many people here have each color */
    uint32_t shown[PROTO_PEOPLE_MAX]; /* slots */
    uint32_t shown_count;
    struct people_group *groups; /* by number */
    size_t group_capacity;
    uint32_t group_sizes[PROTO_PEOPLE_MAX + 1]; /* groups by how many are shown; [0] stays 0 */
    uint32_t largest;                           /* how many are shown of the largest group */
    uint32_t changes; /* goes up when other people may have to give way than before, … */
    uint32_t changed_spotlight, changed_leader; /* … also with these */
    uint64_t shown_until; /* µs: until then no one gives way to a person of group 0 who moves */
    uint32_t version;     /* goes up with who is shown and which presenters are away */
    uint32_t last_id;
    uint32_t spotlight;           /* the id of the person whose cursor is marked; 0: none */
    uint32_t leader;              /* the id of the person who leads a relay; 0: none */
    uint32_t debts[PEOPLE_SIDES]; /* for turns of a relay: see relay.h */
    uint32_t turns; /* before edition 6: the fewest turns of a person here when that turn began */
};

enum people_result {
    PEOPLE_OK,
    PEOPLE_FULL,
    PEOPLE_REMOVED, /* a presenter has removed the person */
    PEOPLE_NO_MEMORY,
    PEOPLE_UNKNOWN, /* the slot is free */
};

/* Makes an empty set, for up to PEOPLE_HERE_MAX people. */
void people_init(struct people *people);
void people_finish(struct people *people);

/* Admits the person in *slot, or a new one if *slot is PEOPLE_NONE, and stores the slot. A person
 * who is here already gets another handle. group: 0 to PEOPLE_GROUP_MAX. Times never go back. */
enum people_result people_admit(struct people *people, uint32_t group, uint64_t now,
                                uint32_t *slot);

/* Whether the scene remembers a person in that slot who may come back. */
bool people_remembers(const struct people *people, uint32_t slot, uint64_t now);

/* Makes the person away: remembered for PEOPLE_AWAY_TIME, and not admitted again if expelled. */
void people_leave(struct people *people, uint32_t slot, bool expelled, uint64_t now);

/* Forgets the person in that slot, who is away. When more than PEOPLE_AWAY_MAX people are away,
 * people_leave() forgets the one who left first, and expelled people last: a room that wants to
 * keep others forgets someone before. */
void people_forget(struct people *people, uint32_t slot);

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

/* Gives a role to the person, here or away. A presenter is shown from then on. */
void people_appoint(struct people *people, uint32_t slot, enum proto_role role);

/* Makes viewers of all people who are away. */
void people_demote_away(struct people *people);

/* Moves the person's cursor. When more than PROTO_PEOPLE_MAX people are here, the person may be
 * shown instead of another one, by the rules above. timeout: of cursors, µs. */
void people_move(struct people *people, uint32_t slot, float x, float y, uint64_t now,
                 uint64_t timeout);

/* Takes the person's cursor away. */
void people_withdraw(struct people *people, uint32_t slot);

#endif
