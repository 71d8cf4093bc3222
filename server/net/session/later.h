/* Answers that have to wait for a place in line, so that none comes before the answer to an earlier
 * message. There are few, or none at all. A shard's thread owns them. */
#ifndef LATER_H
#define LATER_H

#include <stdbool.h>

#include "room/frame.h"

#define LATER_MAX 16u

struct later;

/* Takes over the frame, to be told after those that wait already; *later is NULL while there are
 * none. False, and it is released, when it is one too many or memory runs out. */
bool later_add(struct later **later, struct frame *frame);

/* Gives them to tell() in their order, until it says that it cannot take one over. Returns whether
 * none is left. */
bool later_tell(struct later **later, bool (*tell)(void *line, struct frame *frame), void *line);

/* Releases them. */
void later_finish(struct later **later);

#endif
