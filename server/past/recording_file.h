/* The file of a recording, as bytes that can be read in pieces. The parts are not copied: the file
 * has memory for the rest alone, so a download takes no second copy of a long past. Any thread. */
#ifndef RECORDING_FILE_H
#define RECORDING_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "past/recording.h"

struct recording_file;

/* The recording must outlive the file. Reads each byte once, for the checksum. Returns NULL when
 * memory runs out or there would be more than SAVED_MAX bytes; destroy takes NULL. */
struct recording_file *recording_file_create(const struct recording *recording, bool names);
void recording_file_destroy(struct recording_file *file);

size_t recording_file_size(const struct recording_file *file);

/* Copies `size` bytes of the file, from that byte on. */
void recording_file_read(const struct recording_file *file, size_t at, uint8_t *out, size_t size);

#endif
