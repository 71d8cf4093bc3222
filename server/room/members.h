/* Who is in a room, and what each is granted of its snapshots. For the room's own files; what is
 * for its users is in room.h. */
#ifndef MEMBERS_H
#define MEMBERS_H

#include <stdbool.h>
#include <stdint.h>

#include "room/room.h"
#include "scene/people.h"

/* The person whom the handle names, or NULL. */
struct person *members_find(const struct room *room, room_member member);

/* Another stream costs an encoder and a keyframe: a member's wants may lead to one MEMBERS_WANTS
 * times at once, and then every MEMBERS_WANT_TIME µs. A want that comes sooner waits. */
#define MEMBERS_WANTS     8u
#define MEMBERS_WANT_TIME UINT64_C(1000000)

/* The person wants these snapshots from now on; it is told what it gets, at once or, if it has to
 * wait, by members_grant_waiting(). False, with *error filled and nothing changed, when memory runs
 * out. now: µs. */
bool members_want(struct room *room, struct person *person, const struct proto_want *want,
                  uint64_t now, struct proto_error *error);

/* Grants the wants that have waited long enough. */
void members_grant_waiting(struct room *room, uint64_t now);

/* The flock has more boids than before, or fewer: puts members who want no more than so many into
 * the stream with the right stride for that. */
void members_regrant(struct room *room);

/* The person tries the room's presenter key, and is a presenter if it is the right one. False, with
 * *error filled, if not; it is fatal when there were too many. */
bool members_try_key(struct room *room, struct person *person, const char *key, uint64_t now,
                     struct proto_error *error);

/* Ends the connection of a person who has tried too many. What a key gave it is lost with it. */
void members_stop_guessing(struct room *room, struct person *person,
                           const struct proto_error *error, uint64_t now);

/* Makes a presenter of whoever is in that slot, here or away, or a viewer. */
void members_set_role(struct room *room, uint32_t slot, enum proto_role role);

/* Makes a presenter of the person, or a viewer, and tells it, if it is here. */
void members_appoint(struct room *room, struct person *person, enum proto_role role);

/* The person may not be in the room. */
void members_expel(struct room *room, struct person *person, uint64_t now);

#endif
