/* What a room says: to one member, through its sink, and to all, as an event. For the room's own
 * files. */
#ifndef TELL_H
#define TELL_H

#include "base/refusal.h"
#include "room/room.h"
#include "scene/people.h"

/* Fills *error for a message that is not done: code, field and a format; false. */
#define tell_refuse(error, ...) refusal_write(tell_refusal(error), __VA_ARGS__)

static inline struct refusal tell_refusal(struct proto_error *error)
{
    *error = (struct proto_error){0};
    return (struct refusal){.code = &error->code,
                            .field = error->field,
                            .field_size = sizeof error->field,
                            .message = error->message,
                            .message_size = sizeof error->message};
}

/* A message of that type to a member. */
void tell_error(const struct room *room, room_member member, const struct proto_error *error);
void tell_done(const struct room *room, room_member member,
               const struct proto_client_message *message);
void tell_role(const struct room *room, room_member member, enum proto_role role);
void tell_self(const struct room *room, room_member member, const struct proto_self *self);
void tell_new_key(const struct room *room, room_member member, const char *key);
void tell_stream(const struct room *room, room_member member, const struct proto_stream *stream,
                 const struct room_grant *grant);

/* Something that has just happened by itself, to the presenters; an event, to all. */
void tell_presenters_event(const struct room *room, const char *name, const char *what,
                           const char *value);
void tell_all_event(struct room *room, const struct proto_event *event);

/* Something for the record, that the person did (NULL: somebody with the key, from outside). */
void tell_note(const struct room *room, const struct person *person, enum room_note_type type,
               const char *what, const char *from, const char *to);

/* The end of a connection, with an error to say why. */
struct room_end tell_end(const struct proto_error *error, enum proto_close code,
                         const char *reason);

#endif
