/* Measures the turns of event loops: the time between two waits for sockets. The library is
 * preloaded (LD_PRELOAD). Only the thread's own processor time counts, so other programs do not
 * change the result. Writes each turn of more than 1 ms as a line (ms) to the file that TURNS
 * names. */
#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <time.h>
#include <unistd.h>

static _Thread_local double began; /* ms; 0: the thread has not waited yet */

static double spent(void)
{
    struct timespec now;

    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

static void end_turn(void)
{
    const char *path = getenv("TURNS");
    double turn = began > 0 ? spent() - began : 0;

    if (turn > 1 && path != NULL) {
        char line[32];
        int file = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
        int length = snprintf(line, sizeof line, "%.2f\n", turn);
        if (file >= 0) {
            (void)!write(file, line, (size_t)length);
            close(file);
        }
    }
}

int epoll_pwait(int set, struct epoll_event *events, int count, int timeout,
                const sigset_t *signals)
{
    static int (*real)(int, struct epoll_event *, int, int, const sigset_t *);
    int result;

    if (real == NULL) {
        *(void **)&real = dlsym(RTLD_NEXT, "epoll_pwait");
    }
    end_turn();
    result = real(set, events, count, timeout, signals);
    began = spent();
    return result;
}

int epoll_wait(int set, struct epoll_event *events, int count, int timeout)
{
    return epoll_pwait(set, events, count, timeout, NULL);
}
