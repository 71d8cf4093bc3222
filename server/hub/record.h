/* Lines about rooms in the log and the audit log: see docs/AUDIT.md. Must be called on the thread
 * of the room's runner. */
#ifndef RECORD_H
#define RECORD_H

#include "hub/runner_room.h"

/* Record that the seat's member joined, and left. why: END_NONE if the client left. */
void record_join(const struct runner_room *room, struct seat *seat);
void record_leave(const struct runner_room *room, const struct seat *seat, enum end_reason why);

/* Records that a hello was refused. */
void record_refused(const struct runner_room *room, const struct seat *seat,
                    const struct proto_hello *hello, const struct room_end *refused);

/* Record a wrong key of a request over HTTP, and the changes that a request made. */
void record_wrong_key(const struct runner_room *room, const char *address, const char *kind);
void record_request(const struct runner_room *room, const struct hub_request *request);

/* Records a note of the room. seat: of the member who acted; NULL: a request over HTTP. */
void record_note(const struct runner_room *room, struct seat *seat, const struct room_note *note);

/* Records the end of the room. */
void record_end(const struct runner_room *room, enum end_reason why);

#endif
