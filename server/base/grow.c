#include "base/grow.h"

#include <assert.h>
#include <stdint.h>
#include <stdlib.h>

#define LEAST_CAPACITY 4u

static size_t larger(size_t a, size_t b)
{
    return a > b ? a : b;
}

void *grow_array(void *array, size_t *capacity, size_t needed, size_t most, size_t size)
{
    size_t more;

    assert(needed > 0 && size > 0);
    assert(array != NULL || *capacity == 0);
    if (needed > most || most > PTRDIFF_MAX / size) {
        return NULL;
    }
    if (needed <= *capacity) {
        return array;
    }
    more = larger(needed, *capacity > most / 2 ? most : 2 * *capacity);
    more = more < LEAST_CAPACITY && most >= LEAST_CAPACITY ? LEAST_CAPACITY : more;
    array = realloc(array, more * size);
    *capacity = array != NULL ? more : *capacity;
    return array;
}
