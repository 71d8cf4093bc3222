/* What there is to tell the person in front, in words: what somebody has done to the room, what
 * happened at once, and why a stay has ended.
 *
 * Pure. Names in it are as people or servers gave them, and not to be trusted: term_label() makes
 * them safe. Each function writes a text into out (capacity bytes) and returns whether there is one
 * to tell. */
#ifndef TERM_NEWS_H
#define TERM_NEWS_H

#include "protocol.h"
#include "term/flock/people.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* people: whose first is who reads it. Nothing, of what who reads it has done and sees anyway. */
bool news_of_event(char *out, size_t capacity, const struct proto_event *event,
                   const struct proto_room *room, const struct term_people *people);

/* How a stay has ended. */
struct news_close {
    int code;         /* of the WebSocket close */
    const char *room; /* the room's code, as people typed it or as the server sends it */
    bool key_sent;    /* there was a join key in the hello */
    uint32_t wait;    /* s until the server compares keys again; 0: it compared ours */
};

/* Says why the room has ended for us. Returns false for close codes that do not end a room. */
bool news_of_close(char *out, size_t capacity, const struct news_close *close);

#endif
