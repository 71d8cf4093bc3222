/* flockd --healthcheck: a client of the flockd that runs at the same address. Blocks. */
#ifndef HEALTHCHECK_H
#define HEALTHCHECK_H

#include <stdbool.h>

/* Asks the flockd at that address and port for /healthz. Returns the exit code of --healthcheck: 0
 * when it is well; else 1, with one line on standard error. */
int healthcheck(const char *bind, unsigned port, bool tls);

#endif
