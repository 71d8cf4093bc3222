/* What is logged, and recorded in the audit log, of rooms: see docs/AUDIT.md. On their runner's
 * thread. */
#ifndef RECORD_H
#define RECORD_H

#include "hub/runner_room.h"

/* The link's member has come, or goes: why, unless of itself (NULL). */
void record_join(const struct runner_room *room, struct link *link);
void record_leave(const struct runner_room *room, const struct link *link, const char *why);

/* Whoever says that hello is not let in. */
void record_refused(const struct runner_room *room, const struct link *link,
                    const struct proto_hello *hello, const struct room_end *refused);

/* The same of a request over HTTP, that brought a wrong key, and of what one has changed. */
void record_wrong_key(const struct runner_room *room, const char *address, const char *kind);
void record_request(const struct runner_room *room, const struct hub_request *request);

/* What the room notes; link: of the member who did it, NULL: a request over HTTP. */
void record_note(const struct runner_room *room, const struct link *link,
                 const struct room_note *note);

/* The room has ended. */
void record_end(const struct runner_room *room, const char *why);

#endif
