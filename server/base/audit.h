/* The audit log (docs/AUDIT.md): who came, went, was refused, tried a wrong key or changed
 * something, as one JSON object a line in a file. Never a key or a token.
 *
 * No caller waits for the disk: one thread writes the lines that other threads put into a bounded
 * buffer. A line is lost if the buffer is full or the file cannot be written; a later line says how
 * many were lost. */
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
