/* /metrics: what the shards and the hub have counted, as Prometheus reads it (text format 0.0.4).
 * Any thread, while the server's shards and hub are there. */
#ifndef METRICS_H
#define METRICS_H

#include <stdio.h>

#include "net/context.h"

#define METRICS_TYPE "text/plain; version=0.0.4"

/* Of all messages sent so far. */
uint64_t metrics_bytes(const struct service *service);

void metrics_print(FILE *out, const struct service *service);

/* Puts the totals into the log; they are final once the shards are finished. */
void metrics_log(const struct service *service);

#endif
