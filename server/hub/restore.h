/* Rooms as the store has them, at the start of a hub. For the hub's own files. */
#ifndef RESTORE_H
#define RESTORE_H

#include "hub/inside.h"

/* Reads the store, if there is one, and starts it: its rooms go on, nobody in them, and codes that
 * rest go on resting. What cannot be understood is set aside and told of. False when the store
 * cannot be read at all, which is told of, too. */
bool hub_restore(struct hub *hub);

#endif
