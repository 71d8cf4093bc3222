/* flockd --healthcheck: an HTTP client for the flockd at the same address. Blocks. */
#ifndef HEALTHCHECK_H
#define HEALTHCHECK_H

#include <stdbool.h>

/* Requests /healthz at that address and port. Returns the exit code of --healthcheck: 0 if the
 * server is healthy, else 1 after one line on standard error. */
int healthcheck(const char *bind, unsigned port, bool tls);

#endif
