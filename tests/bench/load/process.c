#include "process.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

bool process_cpu(pid_t pid, uint64_t *ns)
{
    clockid_t clock;
    struct timespec time;

    if (clock_getcpuclockid(pid, &clock) != 0 || clock_gettime(clock, &time) != 0) {
        return false;
    }
    *ns = (uint64_t)time.tv_sec * UINT64_C(1000000000) + (uint64_t)time.tv_nsec;
    return true;
}

bool process_memory(pid_t pid, uint64_t *bytes)
{
    char path[64];
    char line[256];
    bool found = false;

    snprintf(path, sizeof path, "/proc/%d/smaps_rollup", (int)pid);
    FILE *file = fopen(path, "re");
    if (file == NULL) {
        return false;
    }
    while (!found && fgets(line, sizeof line, file) != NULL) {
        found = strncmp(line, "Rss:", 4) == 0;
    }
    fclose(file);
    *bytes = found ? strtoull(line + 4, NULL, 10) * 1024 : 0;
    return found;
}
