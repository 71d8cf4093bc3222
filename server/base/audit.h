/* The audit log (docs/AUDIT.md): who came, went, was refused, tried a wrong key or changed
 * something, as one JSON object a line in a file. Never a key or a token.
 *
 * Nobody waits for the disk: a thread of its own writes what the others leave in a bounded buffer.
 * A line that finds this full, or cannot be written, is lost, and a line says how many were. */
#ifndef AUDIT_H
#define AUDIT_H

#include <stdbool.h>
#include <stdint.h>

/* What each member is: see docs/AUDIT.md. A text that is NULL or "", or a number that is 0, is left
 * out. Texts need not be clean. */
struct audit_entry {
    const char *event; /* a word */
    uint64_t connection;
    const char *address, *room;
    uint32_t person;
    const char *name, *what, *from, *to;
};

/* Opens the file to append to it, and starts to write. Once, before other threads. False, after a
 * line in the log, when that cannot be. */
bool audit_open(const char *path);

/* Any thread. Does nothing when no file is open. */
void audit(const struct audit_entry *entry);

/* Waits until all lines are written, for at most half a second. */
void audit_finish(void);

#endif
