#include "failing.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

/* The linker's names of wrapped functions. NOLINTBEGIN(bugprone-reserved-identifier) */
void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *old, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__real_aligned_alloc(size_t alignment, size_t size);
void *__wrap_realloc(void *old, size_t size);
void *__wrap_aligned_alloc(size_t alignment, size_t size);

static struct failing_plan own;
static struct failing_plan *plan = &own;

__attribute__((constructor)) static void take_plan(void)
{
    const char *path = getenv("FLOCK_FAILING");
    int fd = path != NULL ? open(path, O_RDWR | O_CLOEXEC) : -1;
    if (path == NULL) {
        return;
    }
    void *mapped = mmap(NULL, sizeof *plan, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (fd < 0 || mapped == MAP_FAILED) {
        perror(path);
        exit(3);
    }
    close(fd);
    plan = mapped;
}

struct failing_plan *failing_plan(void)
{
    return plan;
}

static bool fails(void)
{
    uint64_t number = atomic_fetch_add(&plan->count, 1) + 1;
    uint64_t from = atomic_load(&plan->from);
    if (from == 0 || number < from || number >= atomic_load(&plan->until)) {
        return false;
    }
    errno = ENOMEM;
    return true;
}

void *__wrap_malloc(size_t size)
{
    return fails() ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size)
{
    return fails() ? NULL : __real_calloc(count, size);
}

void *__wrap_realloc(void *old, size_t size)
{
    return fails() ? NULL : __real_realloc(old, size);
}

void *__wrap_aligned_alloc(size_t alignment, size_t size)
{
    return fails() ? NULL : __real_aligned_alloc(alignment, size);
}
/* NOLINTEND(bugprone-reserved-identifier) */
