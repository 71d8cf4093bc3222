/* Memory that runs out when a test says so. Programs that are linked with this, and with
 * -Wl,--wrap=malloc and the like, count what our own code allocates (libraries are not asked), and
 * get NULL for those allocations that the plan names.
 *
 * The plan is within the process, or in a file of three uint64 that FLOCK_FAILING names, which
 * another process may write while this one runs. Any thread. */
#ifndef FAILING_H
#define FAILING_H

#include <stdatomic.h>
#include <stdint.h>

struct failing_plan {
    _Atomic uint64_t count; /* allocations so far */
    _Atomic uint64_t from;  /* the number of the first allocation that fails; 0: none */
    _Atomic uint64_t until; /* the number of the first that works again */
};

struct failing_plan *failing_plan(void);

#endif
