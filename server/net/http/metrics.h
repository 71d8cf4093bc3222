/* /metrics: the counters of the shards and the hub in Prometheus' text format 0.0.4. May be called
 * on any thread while the server's shards and hub exist. */
#ifndef METRICS_H
#define METRICS_H

#include <stdio.h>

#include "net/gate/context.h"

#define METRICS_TYPE "text/plain; version=0.0.4"

/* Returns the weights of the clients, and the bytes of all messages sent since the start. */
struct bandwidth_use metrics_use(const struct service *service);

void metrics_print(FILE *out, const struct service *service);

/* Logs the totals. They are final after the shards have finished. */
void metrics_log(const struct service *service);

#endif
