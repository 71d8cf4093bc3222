/* The kernel's figures of another process, the server under load.
 *
 * Only system calls. Any thread may call. */
#ifndef LOAD_PROCESS_H
#define LOAD_PROCESS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* Stores the processor time of all threads of the process, including time in the kernel. Returns
 * false if there is no such process. */
bool process_cpu(pid_t pid, uint64_t *ns);

/* Stores the bytes of resident memory, counted page by page. The cheaper /proc/PID/statm can be
 * wrong by some hundred KB. Returns false if the process does not exist or belongs to another user.
 */
bool process_memory(pid_t pid, uint64_t *bytes);

#endif
