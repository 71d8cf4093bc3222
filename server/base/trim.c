#include "base/trim.h"

#include <malloc.h>

/* glibc would raise the limit for large blocks to the largest block that was ever freed, up to
 * 32 MB, and then keep such blocks. */
void trim_begin(void)
{
#ifdef M_MMAP_THRESHOLD
    mallopt(M_MMAP_THRESHOLD, (int)TRIM_BLOCK);
    mallopt(M_TRIM_THRESHOLD, 2 * (int)TRIM_BLOCK);
#endif
}

bool trim_is_due(struct trim *trim, uint64_t most, uint64_t used, uint64_t now)
{
    trim->most = most > trim->most ? most : trim->most;
    if (trim->most < used + TRIM_BYTES || now < trim->next) {
        return false;
    }
    trim->most = used;
    trim->next = now + TRIM_TIME;
    return true;
}

void trim_memory(void)
{
#ifdef __GLIBC__
    (void)malloc_trim(0);
#endif
}
