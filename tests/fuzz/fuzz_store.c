/* The files beside the store's database, with any bytes: the log of changes and the list of
 * endings. After the list is cleared, it has no ending. */
#include "fuzz.h"

#include <unistd.h>

#include "store/endings.h"
#include "store/wal.h"

static unsigned count;
static char path[] = "/tmp/flockd-fuzz-XXXXXX";

static void take(void *argument, const struct ending *ending)
{
    (void)argument;
    FUZZ_REQUIRE(proto_room_valid(ending->code));
    count++;
}

static void remove_file(void)
{
    (void)unlink(path);
}

/* Writes the file at `path`, which is removed at the end of the program. */
static void write_file(const uint8_t *data, size_t size)
{
    static int file = -1;

    if (file < 0) {
        file = mkstemp(path);
        FUZZ_REQUIRE(atexit(remove_file) == 0);
    }
    FUZZ_REQUIRE(file >= 0 && ftruncate(file, 0) == 0);
    FUZZ_REQUIRE(pwrite(file, data, size, 0) == (ssize_t)size);
}

static void try_endings(void)
{
    const struct ending ending = {.code = "FK72MX", .until = 5, .saved_at = 7};
    struct endings endings;

    endings_open(&endings, path, take, NULL);
    endings_reserve(&endings, 1);
    FUZZ_REQUIRE(endings.used < endings.slots || !endings_add(&endings, &ending));
    endings_clear(&endings);
    endings_close(&endings);
    count = 0;
    endings_open(&endings, path, take, NULL);
    FUZZ_REQUIRE(count == 0);
    endings_close(&endings);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char what[64] = "";

    write_file(data, size);
    FUZZ_REQUIRE(wal_is_sound(path, what, sizeof what) || what[0] != '\0');
    try_endings();
    return 0;
}
