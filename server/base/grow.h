/* Arrays that grow. Each has an upper bound, which its caller states. */
#ifndef GROW_H
#define GROW_H

#include <stddef.h>

/* Makes room for at least `needed` and at most `most` entries of `size` bytes in an array from
 * malloc() or NULL. *capacity is the number of entries that it has memory for. The capacity doubles
 * at least, so that growing by single entries costs little. New entries have no values.
 *
 * Returns the array, which may have moved, and updates *capacity. Returns NULL and changes nothing
 * if more than `most` are needed or memory runs out. */
void *grow_array(void *array, size_t *capacity, size_t needed, size_t most, size_t size);

#endif
