/* The priority of a thread that works long. Any thread.
 *
 * The thread shares locks with the shards and the runners: malloc's, mailboxes' and workers' locks.
 * While it holds one and waits for a processor, they wait too. Beside two programs per processor
 * that never wait, a thread 10 to 24 steps below flockd gets a turn each 40 ms to 1 s, and the
 * lobby stood as long. One 3 steps below gets a turn each 10 ms, and still half of what a shard
 * gets. */
#ifndef THREAD_PRIORITY_H
#define THREAD_PRIORITY_H

#include <sys/resource.h>
#include <unistd.h>

#define PRIORITY_STEPS 3 /* of nice(2) below the thread that started this one */

static inline void lower_priority(void)
{
    const id_t self = (id_t)gettid();

    (void)setpriority(PRIO_PROCESS, self, getpriority(PRIO_PROCESS, self) + PRIORITY_STEPS);
}

#endif
