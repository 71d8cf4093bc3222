/* How often a viewer may draw walls, food and hunters: DRAWS things at once, and then one every
 * DRAWS_TIME µs. Presenters draw without a limit. For the room's own files. */
#ifndef DRAWS_H
#define DRAWS_H

#include <stdbool.h>
#include <stdint.h>

struct member;
struct proto_error;

#define DRAWS      5u
#define DRAWS_TIME UINT64_C(5000000)

/* Returns whether the viewer may draw one more thing now; else fills *error. */
bool draws_allow(const struct member *viewer, uint64_t now, struct proto_error *error);

/* Counts a thing that the viewer has drawn. */
void draws_count(struct member *viewer, uint64_t now);

#endif
