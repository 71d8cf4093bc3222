/* flock_load(): whatever bytes are loaded make a flock that can be ticked and saved again as the
 * same bytes, or a problem in words. The input is tried as it is, and with a checksum that is
 * right. */
#include "fuzz.h"

#include "state/flock_state.h"

static void use(struct flock *flock)
{
    static struct flock_workspace *workspace;
    size_t size;
    char problem[200];

    if (workspace == NULL) {
        workspace = flock_workspace_create(1);
    }
    uint8_t *bytes = flock_save(flock, &size);
    FUZZ_REQUIRE(workspace != NULL && bytes != NULL);
    struct flock *again = flock_load(bytes, size, 4, problem, sizeof problem);
    FUZZ_REQUIRE(again != NULL);
    size_t size_again;
    uint8_t *bytes_again = flock_save(again, &size_again);
    FUZZ_REQUIRE(bytes_again != NULL && size_again == size &&
                 memcmp(bytes, bytes_again, size) == 0);
    FUZZ_REQUIRE(flock_workspace_reserve(workspace, flock_count(flock)));
    for (int tick = 0; tick < 3; tick++) {
        FUZZ_REQUIRE(flock_tick(flock, workspace, NULL));
    }
    free(bytes);
    free(bytes_again);
    flock_destroy(again);
}

static void load(const uint8_t *data, size_t size)
{
    char problem[200] = "";
    struct flock *flock = flock_load(data, size, 0, problem, sizeof problem);

    FUZZ_REQUIRE((flock != NULL) == (problem[0] == '\0'));
    if (flock != NULL) {
        use(flock);
        flock_destroy(flock);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint8_t *copy = fuzz_copy(data, size);

    load(copy, size);
    if (size >= SAVED_HEAD) {
        saved_seal(copy, size);
        load(copy, size);
    }
    free(copy);
    return 0;
}
