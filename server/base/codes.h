/* A table of entries by the codes of their rooms. An entry holds its link: adding and removing it
 * takes no memory. A table of zeros is empty. Its owner guards it if several threads use it. */
#ifndef CODES_H
#define CODES_H

#include "base/list.h"
#include "protocol.h"

#define CODES_BUCKETS 4096u

/* The part of an entry that the table uses. */
struct coded {
    char code[PROTO_ROOM_MAX + 1];
    struct list_item item; /* in its bucket */
};

struct codes {
    struct list buckets[CODES_BUCKETS];
};

/* Returns the entry of that code, or NULL. */
struct coded *codes_find(const struct codes *codes, const char *code);

/* Adds an entry under a code that has none. */
void codes_add(struct codes *codes, struct coded *entry, const char *code);

void codes_remove(struct codes *codes, struct coded *entry);

/* Removes and returns an entry of the table; NULL: it is empty. */
struct coded *codes_take(struct codes *codes);

/* Returns the struct of that type of which `entry` is the member `coded`, or NULL if it is NULL. */
#define codes_entry(entry, type) ((type *)codes_entry_at(entry, offsetof(type, coded)))

static inline void *codes_entry_at(const struct coded *entry, size_t offset)
{
    return entry != NULL ? (char *)(uintptr_t)entry - offset : NULL;
}

#endif
