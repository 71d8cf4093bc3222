/* The log of changes (WAL) beside an SQLite database, checked before SQLite reads it: SQLite takes
 * the changes before the first one that is damaged, says nothing, and writes over the others. */
#ifndef WAL_H
#define WAL_H

#include <stdbool.h>
#include <stddef.h>

/* Returns whether no change is missing in the log of that name. A log that does not exist or is
 * empty is sound, and so is one whose last change is torn: the process or the machine ended while
 * it was written. False: `what` says what is wrong. Reads only. */
bool wal_is_sound(const char *path, char *what, size_t capacity);

#endif
