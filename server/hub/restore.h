/* Restoring the store's rooms at the start of a hub. For the hub's own files. */
#ifndef RESTORE_H
#define RESTORE_H

#include "hub/inside.h"

/* Reads and starts the hub's store, which may be NULL. Restores its rooms, without members, and its
 * resting codes. Logs which rooms cannot be restored, and leaves them in the store. Makes the lobby
 * before other rooms, unless it is restored. Returns false, after logging why, if the store cannot
 * be read at all. */
bool hub_restore(struct hub *hub);

#endif
