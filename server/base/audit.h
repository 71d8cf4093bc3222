/* The audit log (docs/AUDIT.md) records who joins, leaves, is refused, tries a wrong key or changes
 * something, as one JSON object per line of a file. It never contains a key or a token.
 *
 * No caller waits for the disk: one thread writes the lines that other threads put into a bounded
 * buffer. A line is lost if its address has used its shares of the second (audit_shares.h), the
 * buffer is full, or the file cannot be written. A later line says how many were lost. */
#ifndef AUDIT_H
#define AUDIT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/audit_shares.h"

#define AUDIT_SIZE (100u << 20) /* bytes at which flockd warns that the file grows */

/* The members of a line: see docs/AUDIT.md. A text that is NULL or "", or a number that is 0, is
 * left out. Texts need not be valid UTF-8. */
struct audit_entry {
    const char *event;    /* a word */
    enum audit_kind kind; /* decides whose lines it takes; not written */
    uint64_t connection;
    const char *address, *room;
    uint32_t person;
    const char *name, *what, *from, *to;
};

/* Opens the file for appending and starts its thread. Must be called once, before other threads
 * start. Returns false, after logging why, if that fails. */
bool audit_open(const char *path);

/* Writes a line. Any thread. Does nothing if no file is open. */
void audit(const struct audit_entry *entry);

/* Waits until all lines are written, for at most half a second. */
void audit_finish(void);

#endif
