/* Capacity: the numbers of clients and guests that --max-clients, the limit of open files and
 * --total-bandwidth allow. */
#ifndef CAPACITY_H
#define CAPACITY_H

#include <stdbool.h>

#include "net/gate/context.h"

/* Sets the limit of open files, and clients_max, displaced_max, guests_max and bandwidth; logs a
 * warning if they are below the options. Must be called before shards and hub are created. Returns
 * false, after logging an error, if the limit is too low to run. */
bool capacity_fit(struct service *service);

#endif
