/* News for the person at the terminal, in words: what people changed in the room, what the server
 * did, and why a stay has ended.
 *
 * Pure. The page tells events in the same words: clients/vectors/events.json. Names in them are as
 * people or servers gave them; term_label() makes them safe for the terminal. Each function writes
 * a text into out (capacity bytes) and returns whether there is one to show. */
#ifndef TERM_NEWS_H
#define TERM_NEWS_H

#include "protocol.h"
#include "term/flock/people.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* people: the first of them is the reader. Returns false for an unknown event, which writes
 * nothing, and for a change that the reader made and sees in a panel. */
bool news_of_event(char *out, size_t capacity, const struct proto_event *event,
                   const struct proto_room *room, const struct term_people *people);

/* The same without what the change means, for a place with one line. */
bool news_title(char *out, size_t capacity, const struct proto_event *event,
                const struct proto_room *room, const struct term_people *people);

/* The end of a stay in a room. */
struct news_close {
    int code;         /* of the WebSocket close */
    const char *room; /* the room's code, as people typed it or as the server sends it */
    bool key_sent;    /* there was a join key in the hello */
    uint32_t wait;    /* s until the server compares keys again; 0: it compared ours */
};

/* Says why the room has ended for us. Returns false for close codes that do not end a room. */
bool news_of_close(char *out, size_t capacity, const struct news_close *close);

#endif
