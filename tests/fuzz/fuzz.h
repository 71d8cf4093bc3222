/* Shared by the fuzz targets. A target is libFuzzer's entry point. `make fuzz` runs it with clang's
 * libFuzzer, and `make test` replays its corpus (replay.c). */
#ifndef FUZZ_H
#define FUZZ_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A condition that must hold for every input. */
#define FUZZ_REQUIRE(condition)                                                                    \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            (void)fprintf(stderr, "%s:%d: does not hold: %s\n", __FILE__, __LINE__, #condition);   \
            abort();                                                                               \
        }                                                                                          \
    } while (0)

/* Returns a copy in memory of exactly that size, so that AddressSanitizer reports reads past its
 * end. */
static inline uint8_t *fuzz_copy(const uint8_t *data, size_t size)
{
    uint8_t *copy = calloc(size > 0 ? size : 1, 1);

    FUZZ_REQUIRE(copy != NULL);
    if (size > 0) {
        memcpy(copy, data, size);
    }
    return copy;
}

#endif
