#include "term/flock/log.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#define SERIES 3000000 /* µs between two changes of a series, at most */

/* Returns the newest item. There must be one. */
static struct term_log_item *newest_item(struct term_log *log)
{
    assert(log->added > 0);
    return &log->items[(log->added - 1) % TERM_LOG_ITEMS];
}

/* Stores a text, cut between two characters. */
static void store_text(struct term_log_item *item, const char *text, int64_t now)
{
    size_t length = strnlen(text, sizeof item->text - 1);
    while (length > 0 && ((unsigned char)text[length] & 0xc0) == 0x80) {
        length--;
    }
    memcpy(item->text, text, length);
    item->text[length] = '\0';
    item->at = now;
}

void term_log_add(struct term_log *log, const char *text, int64_t now)
{
    if (*text != '\0') {
        log->series = (struct proto_event){0};
        log->added++;
        store_text(newest_item(log), text, now);
    }
}

bool term_log_joins(const struct term_log *log, struct proto_event *event, int64_t now)
{
    const struct proto_event *last = &log->series;
    const struct term_log_item *item = term_log_item(log, 0);
    /* Counts of other events are no values: ten boids and ten more are twenty. */
    bool valued = strcmp(event->name, "param") == 0 || strcmp(event->name, "set") == 0;
    bool joins = item != NULL && now - item->at < SERIES && valued && last->by == event->by &&
                 strcmp(last->name, event->name) == 0 && strcmp(last->what, event->what) == 0;
    if (joins) {
        memcpy(event->from, last->from, sizeof event->from);
    }
    return joins;
}

void term_log_event(struct term_log *log, const struct proto_event *event, bool joins,
                    const char *text, int64_t now)
{
    if (*text == '\0') {
        return;
    }
    if (joins) {
        store_text(newest_item(log), text, now);
    } else {
        term_log_add(log, text, now);
    }
    log->series = *event;
}

const struct term_log_item *term_log_item(const struct term_log *log, uint32_t age)
{
    if (age >= log->added || age >= TERM_LOG_ITEMS) {
        return NULL;
    }
    return &log->items[(log->added - 1 - age) % TERM_LOG_ITEMS];
}
