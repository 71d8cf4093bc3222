/* How many may be here at a time: what the limit of open files and --total-bandwidth leave of
 * --max-clients. */
#ifndef CAPACITY_H
#define CAPACITY_H

#include <stdbool.h>

#include "net/gate/context.h"

/* Sets the limit of open files, and clients_max, owed_max, guests_max and bandwidth; a line in the
 * log says when there is room for fewer than was asked for. Before shards and hub are made. False,
 * after a line in the log, when it is too little to run at all. */
bool capacity_fit(struct service *service);

#endif
