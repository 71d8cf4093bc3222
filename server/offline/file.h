/* Files of flock-sim: the flocks of --save and --load. */
#ifndef FLOCK_FILE_H
#define FLOCK_FILE_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "sim/flock.h"

/* Returns the bytes of a file, which the caller frees; it may have a byte more than allowed. If it
 * cannot be read, ends the program with a line that begins with the option. */
uint8_t *flock_file_read(const char *option, const char *path, size_t *size);

/* Returns the flock in the file. If there is none, ends the program with a line that names the
 * fault. */
struct flock *flock_file_load(const char *path, uint32_t lanes);

/* Opens the file for a later flock_file_save(); its contents stay until then. If that fails, ends
 * the program. */
FILE *flock_file_open(const char *path);

/* Replaces the file's contents by the flock, and closes the file. Returns false, after printing a
 * line, if writing failed. */
bool flock_file_save(FILE *file, const char *path, const struct flock *flock);

#endif
