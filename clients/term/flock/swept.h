/* The progress of the room's sweep. Pure. */
#ifndef TERM_SWEPT_H
#define TERM_SWEPT_H

#include "protocol.h"

#include <stdbool.h>
#include <stddef.h>

/* Returns whether a sweep runs. */
bool swept_runs(const struct proto_swept *swept);

/* Returns whether the room has a sweep, or had one. */
bool swept_exists(const struct proto_swept *swept);

/* Writes the parameter and the step, such as "noise 3/11", into out (capacity bytes). */
void swept_place(char *out, size_t capacity, const struct proto_swept *swept);

#endif
