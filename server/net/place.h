/* Places for clients: WebSockets that have been let in by a hello. When all are taken, a few more
 * are there for presenters alone, who show a key: their class must not lock them out. Any thread.
 */
#ifndef PLACE_H
#define PLACE_H

#include <stdbool.h>

#include "net/context.h"

#define PLACES_PRESENTERS 8u

enum place { PLACE_NONE, PLACE_CLIENT, PLACE_PRESENTER };

/* has_key: it shows one, which its room has yet to look at. PLACE_PRESENTER: it has to be the
 * room's. */
enum place place_take(struct service *service, bool has_key);
void place_give(struct service *service, enum place place);

#endif
