/* The list of rooms that have ended, for a disk that is too full to remove them from the database.
 * A file beside the database, whose bytes are allocated in advance: writing over them needs no
 * space on file systems that write in place (ext4, XFS, tmpfs; not Btrfs or ZFS). The next process
 * reads the list, and does not restore these rooms.
 *
 * An entry names a room by its code and the time at which its row was saved. So it says nothing
 * about another room of that code. Each entry has a checksum; damaged entries are ignored.
 *
 * One thread at a time. */
#ifndef ENDINGS_H
#define ENDINGS_H

#include <stdbool.h>
#include <stdint.h>

#include "protocol.h"

struct ending {
    char code[PROTO_ROOM_MAX + 1];
    uint64_t until;    /* s: the code rests until then */
    uint64_t saved_at; /* s: of the room's row */
};

struct endings {
    int file;             /* -1: none */
    uint32_t used, slots; /* entries, and entries that fit */
};

/* Opens the file of that name, or makes it. Calls take() with each entry, in the order in which
 * they were written. If the file cannot be opened, there is no list: entries are refused. */
void endings_open(struct endings *endings, const char *path,
                  void (*take)(void *argument, const struct ending *ending), void *argument);
void endings_close(struct endings *endings);

/* Allocates bytes for the endings of that many rooms, as far as the disk has them. */
void endings_reserve(struct endings *endings, uint32_t rooms);

/* Writes an entry. Returns false if there is no space for it, or the file cannot be written. */
bool endings_add(struct endings *endings, const struct ending *ending);

/* Returns when the entries are on the disk, unless the disk has failed. */
void endings_sync(const struct endings *endings);

/* Removes all entries. */
void endings_clear(struct endings *endings);

#endif
