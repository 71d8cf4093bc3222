/* Makes allocations fail by a plan. A program is linked with this file and with -Wl,--wrap=malloc
 * and the like. It counts the allocations of its own code, without libraries, and returns NULL for
 * the allocations that the plan names.
 *
 * The plan is in the process's memory, or in a file of three uint64 that FLOCK_FAILING names.
 * Another process may write the file at any time. Any thread may call. */
#ifndef FAILING_H
#define FAILING_H

#include <stdatomic.h>
#include <stdint.h>

struct failing_plan {
    _Atomic uint64_t count; /* allocations so far */
    _Atomic uint64_t from;  /* the number of the first allocation that fails; 0: none */
    _Atomic uint64_t until; /* the number of the first allocation that works again */
};

struct failing_plan *failing_plan(void);

#endif
