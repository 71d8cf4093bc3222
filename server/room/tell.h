/* Sends messages of a room: to one member, through its sink, and to all, as an event. For the
 * room's own files. */
#ifndef TELL_H
#define TELL_H

#include "room/room.h"

/* A message of that type to a member. */
void tell_error(const struct room *room, room_member member, const struct proto_error *error);
void tell_done(const struct room *room, room_member member,
               const struct proto_client_message *message);
void tell_role(const struct room *room, room_member member, enum proto_role role);
void tell_self(const struct room *room, room_member member, const struct proto_self *self);
void tell_new_key(const struct room *room, room_member member, const char *key);
void tell_pick_ended(const struct room *room, room_member member);
void tell_stream(const struct room *room, room_member member, const struct proto_stream *stream,
                 const struct room_grant *grant);

/* Something that has just happened by itself, to the presenters; an event, to all. */
void tell_presenters_event(const struct room *room, const char *name, const char *what,
                           const char *value);
void tell_all_event(struct room *room, const struct proto_event *event);

/* Tells the audit log what the person in that slot did; PEOPLE_NONE: the HTTP API. */
void tell_note(const struct room *room, uint32_t slot, enum room_note_type type, const char *what,
               const char *from, const char *to);

/* The end of a connection, with an error to say why. */
struct room_end tell_end(const struct proto_error *error, enum end_reason why);

#endif
