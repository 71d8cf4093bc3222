/* The last news of a room, for the panel that lists them.
 *
 * Pure: times come in as arguments. Owned by a session; one thread. */
#ifndef TERM_LOG_H
#define TERM_LOG_H

#include "protocol.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { TERM_LOG_ITEMS = 40, TERM_LOG_TEXT = 320 };

struct term_log_item {
    int64_t at; /* µs */
    char text[TERM_LOG_TEXT];
};

/* All zero: no news. */
struct term_log {
    uint32_t added;                             /* items that were ever added */
    struct term_log_item items[TERM_LOG_ITEMS]; /* a ring */
    struct proto_event series; /* the newest item's event, with the value before its series */
};

/* Adds a text; "" adds nothing. */
void term_log_add(struct term_log *log, const char *text, int64_t now);

/* Returns whether an event continues the newest item: the same person changes the same thing again
 * soon. Gives the event the value before all of these changes. */
bool term_log_joins(const struct term_log *log, struct proto_event *event, int64_t now);

/* Adds the text of an event, or replaces the newest item that it joins; "" does nothing. */
void term_log_event(struct term_log *log, const struct proto_event *event, bool joins,
                    const char *text, int64_t now);

/* Returns an item by its age in items, 0: the newest one; NULL: there is none. */
const struct term_log_item *term_log_item(const struct term_log *log, uint32_t age);

#endif
