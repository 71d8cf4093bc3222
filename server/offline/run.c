#include "offline/run.h"

#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

double run_seconds(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

void run_show(unsigned long done, unsigned long ticks, double started)
{
    static double shown;
    double now = run_seconds(CLOCK_MONOTONIC);
    if (now - started < 1.0 || (now - shown < 0.1 && done < ticks)) {
        return;
    }
    shown = now;
    if (done == ticks) {
        fputs("\r\033[K", stderr);
        return;
    }
    enum { WIDTH = 30 };
    char bar[WIDTH + 1] = "..............................";
    memset(bar, '#', done * WIDTH / ticks);
    fprintf(stderr, "\r[%s] %lu of %lu ticks, %.0f s left\033[K", bar, done, ticks,
            (now - started) * (double)(ticks - done) / (double)(done > 0 ? done : 1));
}

static volatile sig_atomic_t asked_to_stop; /* the signal; 0: none */

static void on_stop(int signal)
{
    asked_to_stop = signal;
}

void run_catch_stop(void)
{
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
    struct sigaction action = {.sa_handler = on_stop, .sa_flags = (int)SA_RESETHAND | SA_RESTART};
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++) {
        struct sigaction found;
        if (sigaction(signals[i], NULL, &found) == 0 && found.sa_handler != SIG_IGN) {
            sigaction(signals[i], &action, NULL);
        }
    }
}

bool run_asked_to_stop(void)
{
    return asked_to_stop != 0;
}

void run_end_as_asked(void)
{
    int signal = asked_to_stop;
    struct sigaction action = {.sa_handler = SIG_DFL};
    if (signal != 0) {
        sigemptyset(&action.sa_mask);
        sigaction(signal, &action, NULL);
        raise(signal);
    }
}
