/* A database in memory that replaces SQLite's (server/store/database.h). It takes simulated time,
 * fails on request, and loses uncommitted writes when the process is killed. It checks that a
 * loaded room equals the saved one. */
#ifndef DISK_H
#define DISK_H

#include <stdbool.h>
#include <stdint.h>

/* Begins with an empty disk that works. */
void disk_begin(void);
void disk_end(void);

/* fails: whether all writes fail from now on. */
void disk_fail(bool fails);

/* Sets the longest time (ns) of a write. */
void disk_slow(uint64_t time);

/* disk_kill(): later writes of this process have no effect. disk_next_process(): the next process
 * finds the committed rooms. */
void disk_kill(void);
void disk_next_process(void);

/* Returns whether a room with that code, which has not ended, is on the disk, and the time (ns)
 * when it was saved. */
bool disk_has(const char *code, uint64_t *saved_at);

uint32_t disk_rooms(void);

/* Returns whether `times` transactions, at most 16, began after that time (ns) and are committed.
 */
bool disk_has_written(uint32_t times, uint64_t since);

#endif
