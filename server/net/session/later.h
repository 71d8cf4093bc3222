/* Answers that wait until the link has a free slot, so that they follow the answers to earlier
 * messages. A shard's thread owns them. */
#ifndef LATER_H
#define LATER_H

#include <stdbool.h>

#include "room/frame.h"

#define LATER_MAX 16u

struct later;

/* Takes over the frame and appends it; *later is NULL while no answer waits. Returns false, and
 * releases the frame, if too many wait or memory runs out. */
bool later_add(struct later **later, struct frame *frame);

/* Passes the frames to tell() in order until tell() returns false, which leaves the frame here.
 * Returns true if no frame is left. */
bool later_tell(struct later **later, bool (*tell)(void *line, struct frame *frame), void *line);

/* Releases all waiting frames. */
void later_finish(struct later **later);

#endif
