/* Whether a tick is still wanted. */
#include "sim/workspace.h"

bool workspace_ask(struct flock_workspace *workspace)
{
    if (workspace->wanted != NULL && !workspace_abandoned(workspace) &&
        workspace->wanted(workspace->argument)) {
        atomic_store_explicit(&workspace->abandoned, true, memory_order_relaxed);
    }
    return workspace_abandoned(workspace);
}
