/* flockd --cluster-status: the nodes of a cluster, their leases, and which node owns which room. It
 * reads and listens, and changes nothing: it is no node. */
#ifndef CLUSTER_STATUS_H
#define CLUSTER_STATUS_H

#include <stdint.h>
#include <stdio.h>

#include "cluster/broker.h"

#define STATUS_TIME 1300u /* ms to listen: each node beats every 500 ms */

struct status;

/* Begins to listen. Returns NULL when memory runs out. */
struct status *status_begin(struct broker *broker);

/* Ends the listening. Takes NULL. */
void status_end(struct status *status);

/* Prints what was heard. now: µs on the clock of uv_hrtime(); seconds: since 1970. Reads the heads
 * of checkpoints, and may block for each. */
void status_print(struct status *status, uint64_t now, uint64_t seconds, FILE *out);

/* Must be called after the broker was closed. Takes NULL. */
void status_free(struct status *status);

/* Prints the status of the cluster behind an open broker, after STATUS_TIME, and closes it. Returns
 * the program's status. */
int status_run(struct broker *broker, FILE *out);

#endif
