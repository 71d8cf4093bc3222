/* What there is to tell the person in front, in words: what somebody has done to the room, what
 * happened at once, and why a stay has ended.
 *
 * Pure. Names in it are as people or servers gave them, and not to be trusted: term_label() makes
 * them safe. Each function writes a text into out (capacity bytes) and returns whether there is one
 * to tell. */
#ifndef TERM_NEWS_H
#define TERM_NEWS_H

#include "people.h"
#include "protocol.h"

#include <stdbool.h>
#include <stddef.h>

/* people: whose first is who reads it. Nothing, of what who reads it has done and sees anyway. */
bool news_of_event(char *out, size_t capacity, const struct proto_event *event,
                   const struct proto_room *room, const struct term_people *people);

/* Why the room is no more for us: a close code of those after which there is nothing to come back
 * to. code: the room's, as people typed it or the server has it. */
bool news_of_close(char *out, size_t capacity, int close_code, const char *code);

#endif
