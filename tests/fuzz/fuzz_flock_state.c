/* flock_load() of any bytes; see fuzz_saved.h. A loaded flock must tick. */
#include "fuzz_saved.h"

#include "scene/flock_state.h"

static void *load(const uint8_t *bytes, size_t size, bool again, char *problem)
{
    return flock_load(bytes, size, again ? 4 : 0, problem,
                      200); /* the number of lanes has no effect */
}

static uint8_t *save(void *flock, size_t *size)
{
    return flock_save(flock, size);
}

static void live(void *flock)
{
    static struct flock_workspace *workspace;

    if (workspace == NULL) {
        workspace = flock_workspace_create(1);
    }
    FUZZ_REQUIRE(workspace != NULL && flock_workspace_reserve(workspace, flock_count(flock)));
    for (int tick = 0; tick < 3; tick++) {
        FUZZ_REQUIRE(flock_tick(flock, workspace, NULL));
    }
}

static void end(void *flock)
{
    flock_destroy(flock);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_saved(&(struct fuzz_saved){.load = load, .save = save, .live = live, .end = end}, data,
               size);
    return 0;
}
