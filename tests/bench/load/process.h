/* The kernel's figures of another process, the server under load.
 *
 * Pure system calls; any thread. */
#ifndef LOAD_PROCESS_H
#define LOAD_PROCESS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* Nanoseconds of processor time that all threads of the process have had, within the kernel too.
 * Returns false when there is no such process. */
bool process_cpu(pid_t pid, uint64_t *ns);

/* Bytes of memory that are resident, counted page by page: the cheaper /proc/PID/statm is off by up
 * to some hundred KB. Returns false when the process is not there or not one's own. */
bool process_memory(pid_t pid, uint64_t *bytes);

#endif
