/* Ticks for tests of the engine. There is one workspace for each number of threads, which all
 * flocks of the test program share. It is made on first use and grows. All its threads take part in
 * a tick, also for few boids. */
#ifndef SIM_TICK_H
#define SIM_TICK_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "sim/workspace.h"

enum { SIM_TICK_THREADS = 8 };

static inline struct flock_workspace *workspace_for(const struct flock *flock, uint32_t threads)
{
    static struct flock_workspace *workspaces[SIM_TICK_THREADS + 1];

    assert_in_range(threads, 1, SIM_TICK_THREADS);
    if (workspaces[threads] == NULL) {
        workspaces[threads] = flock_workspace_create(threads);
        assert_non_null(workspaces[threads]);
        workspaces[threads]->all_work = true;
    }
    assert_true(flock_workspace_reserve(workspaces[threads], flock_count(flock)));
    return workspaces[threads];
}

static inline void tick_clear(struct flock *flock, uint32_t threads,
                              const struct flock_target *targets, size_t count, float clearance)
{
    assert_true(flock_tick_clear(flock, workspace_for(flock, threads), targets, count, clearance));
}

static inline void tick_targets(struct flock *flock, uint32_t threads,
                                const struct flock_target *targets, size_t count)
{
    tick_clear(flock, threads, targets, count, 0.0f);
}

static inline void tick_flock(struct flock *flock, const struct flock_point *target)
{
    assert_true(flock_tick(flock, workspace_for(flock, 1), target));
}

#endif
