#include "load.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "process.h"

#define JOINING_MAX   64u /* clients that join at the same time */
#define PONGS         8u  /* pongs to compute the server's clock */
#define PING_PERIOD   (LOAD_SECOND / 8)
#define SLOW_READS    16u /* a second */
#define EVENTS        256
#define FILES_OTHER   16u
#define JOIN_DEADLINE (30 * LOAD_SECOND) /* without a further client that joined */

/* A repeated action. Each time it applies to the next client of a group. */
struct beat {
    uint64_t period, due;
    uint32_t first, count, run_turn;
    void (*act)(struct load *load, uint32_t index, uint64_t now);
};

enum { BEAT_PING, BEAT_CURSOR, BEAT_SLOW, BEAT_CHURN, BEATS };

static volatile sig_atomic_t stopping;

static void stop(int number)
{
    (void)number;
    stopping = 1;
}

uint64_t load_now(void)
{
    struct timespec time;

    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * LOAD_SECOND + (uint64_t)time.tv_nsec;
}

static void beat_ping(struct load *load, uint32_t index, uint64_t now)
{
    if (load->clients[index].stage == CLIENT_LIVE && load->pongs < PONGS) {
        client_ping(load, index, now);
    }
}

static void beat_cursor(struct load *load, uint32_t index, uint64_t now)
{
    if (load->clients[index].stage == CLIENT_LIVE) {
        client_move_cursor(load, index, now);
    }
}

static void beat_slow(struct load *load, uint32_t index, uint64_t now)
{
    (void)now;
    if (load->clients[index].stage == CLIENT_LIVE) {
        client_readable(load, index, load->options->slow_rate / SLOW_READS);
    }
}

static void beat_churn(struct load *load, uint32_t index, uint64_t now)
{
    (void)now;
    if (load->clients[index].stage == CLIENT_LIVE) {
        client_leave(load, index);
        client_join(load, index);
    }
}

/* Calls `act` for `count` clients from the first on, each `rate` times a second. */
static void beat_set(struct beat *beat, uint32_t first, uint32_t count, double rate,
                     void (*act)(struct load *, uint32_t, uint64_t))
{
    *beat = (struct beat){.due = UINT64_MAX, .first = first, .count = count, .act = act};
    if (count > 0) {
        beat->period = (uint64_t)((double)LOAD_SECOND / (rate * count));
        beat->due = load_now();
    }
}

/* Runs the action as often as it is due, but at most once per client of the group. */
static void beat_run(struct load *load, struct beat *beat)
{
    uint64_t now = load_now();

    for (uint32_t i = 0; i < beat->count && beat->due <= now; i++) {
        beat->act(load, beat->first + beat->run_turn, now);
        beat->run_turn = (beat->run_turn + 1) % beat->count;
        beat->due += beat->period;
        now = load_now();
    }
    if (beat->due <= now) {
        beat->due = now + beat->period;
    }
}

static void on_event(struct load *load, const struct epoll_event *event)
{
    uint32_t index = event->data.u32;
    const struct client *client = &load->clients[index];

    if (client->stage == CLIENT_CONNECTING) {
        client_writable(load, index);
    } else if ((event->events & EPOLLIN) != 0) {
        client_readable(load, index, SIZE_MAX);
    } else if (client->socket.fd >= 0) {
        client_lost(load, index, "the connection broke");
    }
}

/* Waits until that time or until the next action is due; handles the events and runs the due
 * actions. */
static bool run_turn(struct load *load, struct beat beats[BEATS], uint64_t until)
{
    struct epoll_event events[EVENTS];
    uint64_t now = load_now();
    struct timespec wait = {0};

    for (size_t i = 0; i < BEATS; i++) {
        until = beats[i].due < until ? beats[i].due : until;
    }
    if (until > now && !load->options->spin) {
        wait.tv_sec = (time_t)((until - now) / LOAD_SECOND);
        wait.tv_nsec = (long)((until - now) % LOAD_SECOND);
    }
    int count = epoll_pwait2(load->epoll, events, EVENTS, &wait, NULL);
    if (count < 0 && errno != EINTR) {
        fprintf(stderr, "flock-load: cannot wait: %s\n", strerror(errno));
        return false;
    }
    for (int i = 0; i < count; i++) {
        on_event(load, &events[i]);
    }
    for (size_t i = 0; i < BEATS; i++) {
        beat_run(load, &beats[i]);
    }
    return true;
}

/* Lets all clients join. The first client joins alone, because its pings measure the server's clock
 * best while the server is idle. */
static bool join_all(struct load *load, struct beat beats[BEATS])
{
    uint32_t clients = load->options->clients;
    uint64_t deadline = load_now() + JOIN_DEADLINE;
    uint32_t seen = 0;

    while (load->live < clients || (load->options->raw == 0 && load->pongs < PONGS)) {
        bool alone = load->options->raw == 0 && load->pongs < PONGS;
        while (load->next < (alone ? 1 : clients) && load->joining < JOINING_MAX) {
            client_join(load, load->next++);
        }
        if (!run_turn(load, beats, deadline)) {
            return false;
        }
        if (load->lost + load->wrong > 0 || stopping != 0) {
            fprintf(stderr, "flock-load: only %u of %u clients could join\n", load->live, clients);
            return false;
        }
        if (load->live > seen) {
            seen = load->live;
            deadline = load_now() + JOIN_DEADLINE;
        } else if (load_now() >= deadline) {
            fprintf(stderr, "flock-load: only %u of %u clients have joined, and for %u s no more\n",
                    load->live, clients, (unsigned)(JOIN_DEADLINE / LOAD_SECOND));
            return false;
        }
    }
    return true;
}

/* Runs for that time. A signal ends it earlier. */
static bool run_for(struct load *load, struct beat beats[BEATS], double seconds)
{
    uint64_t end = load_now() + (uint64_t)(seconds * (double)LOAD_SECOND);

    while (stopping == 0 && load_now() < end) {
        if (!run_turn(load, beats, end)) {
            return false;
        }
    }
    return true;
}

static bool see_server(const struct load *load, uint64_t *cpu, uint64_t *memory)
{
    pid_t pid = load->options->pid;

    if (pid == 0) {
        return true;
    }
    if ((cpu != NULL && !process_cpu(pid, cpu)) ||
        (memory != NULL && !process_memory(pid, memory))) {
        fprintf(stderr, "flock-load: the process %d is not there, or is someone else's\n",
                (int)pid);
        return false;
    }
    return true;
}

static bool measure(struct load *load, struct beat beats[BEATS])
{
    uint64_t cpu = 0;
    uint64_t own = 0;

    memset(&load->tally, 0, sizeof load->tally);
    load->measuring = true;
    uint64_t start = load_now();
    if (!process_cpu(getpid(), &own) || !see_server(load, &cpu, NULL) ||
        !run_for(load, beats, load->options->seconds) || !see_server(load, &load->cpu, NULL) ||
        !process_cpu(getpid(), &load->own_cpu) || !see_server(load, NULL, &load->memory_after)) {
        return false;
    }
    load->cpu -= cpu;
    load->own_cpu -= own;
    load->seconds = (double)(load_now() - start) / (double)LOAD_SECOND;
    load->measuring = false;
    return true;
}

/* Raises the limit of open files for the clients. Returns false, with a message, if that is not
 * allowed. */
static bool fit_files(uint32_t clients)
{
    rlim_t wanted = clients + FILES_OTHER;
    struct rlimit limit;

    if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= wanted) {
        return true;
    }
    limit.rlim_cur = wanted;
    if (wanted > limit.rlim_max || setrlimit(RLIMIT_NOFILE, &limit) != 0) {
        fprintf(stderr,
                "flock-load: --clients %u: the limit of open files (ulimit -n) is %llu, expected "
                "at least %llu\n",
                clients, (unsigned long long)limit.rlim_max, (unsigned long long)wanted);
        return false;
    }
    return true;
}

static bool prepare(struct load *load, const struct load_options *options)
{
    uint32_t kinds[] = {[CLIENT_SLOW] = options->slow,
                        [CLIENT_NEVER] = options->never,
                        [CLIENT_CHURN] = options->churn};
    uint32_t index = options->clients;

    load->epoll = epoll_create1(EPOLL_CLOEXEC);
    load->clients = calloc(options->clients, sizeof *load->clients);
    load->decoder = proto_decoder_create();
    load->message = malloc(sizeof *load->message);
    if (load->epoll < 0 || load->clients == NULL || load->decoder == NULL ||
        load->message == NULL) {
        fputs("flock-load: out of memory or file descriptors\n", stderr);
        return false;
    }
    for (uint32_t i = 0; i < options->clients; i++) {
        load->clients[i].socket.fd = -1;
        load->clients[i].room = i % load->room_count;
    }
    for (enum client_kind kind = CLIENT_CHURN; kind > CLIENT_STEADY; kind--) {
        for (uint32_t i = 0; i < kinds[kind]; i++) {
            load->clients[--index].kind = (uint8_t)kind;
        }
    }
    return true;
}

bool load_run(struct load *load, const struct load_options *options)
{
    struct beat beats[BEATS];
    const struct sigaction stops = {.sa_handler = stop};
    uint32_t churn = options->clients - options->churn;
    uint32_t slow = churn - options->never - options->slow;

    *load = (struct load){.options = options, .epoll = -1};
    if (!fit_files(options->clients) || !rooms_open(load) || !prepare(load, options) ||
        !see_server(load, NULL, &load->memory_before)) {
        return false;
    }
    sigaction(SIGINT, &stops, NULL);
    sigaction(SIGTERM, &stops, NULL);
    for (size_t i = 0; i < BEATS; i++) {
        beat_set(&beats[i], 0, 0, 0, NULL);
    }
    beat_set(&beats[BEAT_PING], 0, options->raw == 0 ? 1 : 0,
             (double)LOAD_SECOND / (double)PING_PERIOD, beat_ping);
    if (!join_all(load, beats)) {
        return false;
    }
    beat_set(&beats[BEAT_PING], 0, 0, 0, NULL);
    beat_set(&beats[BEAT_CURSOR], 0, options->cursors, options->cursor_rate, beat_cursor);
    beat_set(&beats[BEAT_SLOW], slow, options->slow, SLOW_READS, beat_slow);
    beat_set(&beats[BEAT_CHURN], churn, options->churn, 1, beat_churn);
    return run_for(load, beats, options->warm_up) && measure(load, beats);
}

void load_finish(struct load *load)
{
    for (uint32_t i = 0; load->clients != NULL && i < load->options->clients; i++) {
        if (load->clients[i].stage == CLIENT_LIVE) {
            client_leave(load, i);
        } else {
            websocket_close(&load->clients[i].socket);
        }
        packed_decoder_destroy(load->clients[i].packed);
    }
    if (load->epoll >= 0) {
        close(load->epoll);
    }
    rooms_close(load);
    free(load->clients);
    proto_decoder_destroy(load->decoder);
    free(load->message);
}
