/* The links of a shard to the rooms of this process: mailboxes to and from their runners. For the
 * hub's own files. */
#ifndef LINK_LOCAL_H
#define LINK_LOCAL_H

#include "hub/link.h"

struct hub;

/* Returns the links of that shard of the hub; NULL when memory runs out. Destroying takes NULL;
 * every link must have been left. */
struct links *link_local_create(struct hub *hub, uint32_t shard);
void link_local_destroy(struct links *links);

#endif
