/* Limits of what viewers draw. A viewer may draw DRAWS walls, pieces of food or hunters at once,
 * and then one every DRAWS_TIME µs. When a flock has DRAWS_SHARE of the walls that it can have, it
 * gets no more from viewers; the same holds for food and for hunters. So presenters can still draw
 * some. They have none of these limits. For the room's own files. */
#ifndef DRAWS_H
#define DRAWS_H

#include <stdbool.h>
#include <stdint.h>

#include "protocol.h"

struct flock;
struct member;

#define DRAWS      5u
#define DRAWS_TIME UINT64_C(5000000)

/* Returns the share of viewers in the most things of a kind: three quarters. */
#define DRAWS_SHARE(most) ((most) / 4 * 3)

/* Returns whether the viewer may draw one more thing now; else fills *error. */
bool draws_allow(const struct member *viewer, uint64_t now, struct proto_error *error);

/* Returns whether viewers may add what a message of that type draws to the flock; else fills
 * *error. */
bool draws_may_add(const struct flock *flock, enum proto_type type, struct proto_error *error);

/* Counts a thing that the viewer has drawn. */
void draws_count(struct member *viewer, uint64_t now);

#endif
