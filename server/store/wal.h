/* The log of changes (WAL) beside an SQLite database, checked before SQLite reads it: SQLite takes
 * the changes before the first one that is damaged, says nothing, and writes over the others. */
#ifndef WAL_H
#define WAL_H

#include <stdbool.h>
#include <stddef.h>

/* Returns true if the log of that name misses no change. A log that is missing or empty is sound;
 * so is one whose last change is torn because the process or the machine ended. Else `what` says
 * what is wrong. Reads only. */
bool wal_is_sound(const char *path, char *what, size_t capacity);

#endif
