/* The name of the running thread, which top -H and perf show: up to 15 bytes. Any thread. */
#ifndef THREAD_NAME_H
#define THREAD_NAME_H

#include <pthread.h>

static inline void name_thread(const char *name)
{
    (void)pthread_setname_np(pthread_self(), name);
}

#endif
