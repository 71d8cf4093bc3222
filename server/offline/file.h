/* Files of flock-sim's: a flock of --save and --load. */
#ifndef FLOCK_FILE_H
#define FLOCK_FILE_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "sim/flock.h"

/* The whole of a file, the caller's to free, up to a byte more than there may be. Ends the program
 * with a line that begins with the option if it cannot be had. */
uint8_t *flock_file_read(const char *option, const char *path, size_t *size);

/* The flock that the file holds. Ends the program with a line about what is wrong if there is none.
 */
struct flock *flock_file_load(const char *path, uint32_t lanes);

/* Opens the file that a flock will be saved to, and leaves in it what it has until then. Ends the
 * program if that is impossible. */
FILE *flock_file_open(const char *path);

/* Writes the flock in place of what the file has, and closes it. False, with a line about it, if it
 * could not be written. */
bool flock_file_save(FILE *file, const char *path, const struct flock *flock);

#endif
