/* For targets that load saved bytes (scene/saved.h). Valid bytes must be saved as the same bytes
 * again. Other bytes must give an error text. */
#ifndef FUZZ_SAVED_H
#define FUZZ_SAVED_H

#include "fuzz.h"

#include "scene/saved.h"

/* The kinds of saved bytes: a flock, a room. */
struct fuzz_saved {
    /* Returns NULL, with the reason in `problem` (200 bytes), for invalid bytes. again: the bytes
     * come from save(). */
    void *(*load)(const uint8_t *bytes, size_t size, bool again, char *problem);
    uint8_t *(*save)(void *it,
                     size_t *size); /* returns bytes with a checksum; the caller frees them */
    void (*live)(void *it);
    void (*end)(void *it); /* frees it */
};

static inline void *fuzz_saved_load(const struct fuzz_saved *kind, const uint8_t *bytes,
                                    size_t size, bool again)
{
    char problem[200] = "";
    void *it = kind->load(bytes, size, again, problem);

    FUZZ_REQUIRE((it != NULL) == (problem[0] == '\0'));
    return it;
}

static inline void fuzz_saves_the_same(const struct fuzz_saved *kind, void *it)
{
    size_t size = 0;
    size_t size_again = 0;
    uint8_t *bytes = kind->save(it, &size);

    FUZZ_REQUIRE(bytes != NULL);
    void *again = fuzz_saved_load(kind, bytes, size, true);
    FUZZ_REQUIRE(again != NULL);
    uint8_t *bytes_again = kind->save(again, &size_again);
    FUZZ_REQUIRE(bytes_again != NULL && size_again == size &&
                 memcmp(bytes, bytes_again, size) == 0);
    free(bytes);
    free(bytes_again);
    kind->end(again);
}

static inline void fuzz_saved_try(const struct fuzz_saved *kind, const uint8_t *bytes, size_t size)
{
    void *it = fuzz_saved_load(kind, bytes, size, false);

    if (it != NULL) {
        fuzz_saves_the_same(kind, it);
        kind->live(it);
        fuzz_saves_the_same(kind, it);
        kind->end(it);
    }
}

/* Tries the input unchanged and with a right checksum. */
static inline void fuzz_saved(const struct fuzz_saved *kind, const uint8_t *data, size_t size)
{
    uint8_t *copy = fuzz_copy(data, size);

    fuzz_saved_try(kind, copy, size);
    if (size >= SAVED_HEAD) {
        saved_seal(copy, size);
        fuzz_saved_try(kind, copy, size);
    }
    free(copy);
}

#endif
