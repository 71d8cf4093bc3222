/* What people's messages change in a room, in words: for the record (struct room_note), and for
 * everyone as news. For the room's own files. */
#ifndef CHANGES_H
#define CHANGES_H

#include <stdbool.h>
#include <stdint.h>

#include "room/room.h"
#include "scene/people.h"

#define CHANGES_VALUE_MAX 80u

/* What the message changes, as it is now: "running", "0.5", "presenter"; "" if there is no word for
 * it. who: sends it; NULL: nobody in the room. */
void changes_value(const struct room *room, const struct person *who,
                   const struct proto_client_message *message, char out[CHANGES_VALUE_MAX]);

/* It has been done: puts it on record and, where it is of interest to everyone, among the news.
 * from, to: its value before and now. Returns whether it has changed anything. */
bool changes_tell(struct room *room, const struct person *who,
                  const struct proto_client_message *message, const char *from, const char *to,
                  uint64_t now);

#endif
