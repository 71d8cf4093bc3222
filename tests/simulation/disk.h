/* A database in memory in place of SQLite's (server/store/database.h): it takes time, fails
 * on request, and loses uncommitted writes when the process is killed. It checks that a room comes
 * back equal to the saved state. */
#ifndef DISK_H
#define DISK_H

#include <stdbool.h>
#include <stdint.h>

/* An empty disk that works. */
void disk_begin(void);
void disk_end(void);

/* From now on nothing can be written, until it works again. */
void disk_fail(bool fails);

/* The longest time (ns) of writing a room. */
void disk_slow(uint64_t time);

/* Kills the process: its later writes do not reach the disk. The next process finds the committed
 * rooms. */
void disk_kill(void);
void disk_next_process(void);

/* Whether a room of that code is on the disk, and when it was saved (ns of the life). */
bool disk_has(const char *code, uint64_t *saved_at);

uint32_t disk_rooms(void);

#endif
