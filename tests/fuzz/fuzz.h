/* What the fuzz targets share. A target is libFuzzer's entry point; `make fuzz` runs it with
 * clang's libFuzzer, `make test` replays its corpus (replay.c). */
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

/* A copy in memory of exactly that size, so that AddressSanitizer sees every read past it. */
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
