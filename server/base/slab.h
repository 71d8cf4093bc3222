/* Memory for many structs of one size, side by side. A loop over all of them touches few pages, and
 * the processor fetches the next struct by itself. Memory from malloc() has other data between
 * them.
 *
 * Its owner guards it if several threads use it. */
#ifndef SLAB_H
#define SLAB_H

#include <stddef.h>

#include "base/list.h"

#define SLAB_LINE  64u    /* bytes: each struct begins at a multiple, as lines of a cache do */
#define SLAB_BLOCK 16384u /* bytes that are allocated together */

struct slab {
    size_t size;      /* of a struct, rounded up */
    struct list open; /* blocks with free memory */
};

/* size: of a struct, at most a quarter of SLAB_BLOCK. A slab that has nothing taken has no memory.
 */
void slab_init(struct slab *slab, size_t size);

/* Returns a struct of zeros, or NULL if memory runs out. */
void *slab_take(struct slab *slab);

/* May be NULL. Frees the block when none of its structs is in use. */
void slab_give(struct slab *slab, void *taken);

#endif
