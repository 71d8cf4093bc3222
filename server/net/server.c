#include "net/server.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "log.h"
#include "net/listen.h"
#include "net/metrics.h"
#include "net/shard.h"

#define FILES_RESERVED 24 /* descriptors that are not clients' */
#define FILES_SHARD    10 /* further ones of each shard but the first */
#define FILES_MIN      32

/* ---- start ---- */

/* Raises the limit of open files to what max_clients needs, and sizes the sessions to what was
 * granted. Returns false if it is too low to run at all. */
static bool fit_files(struct server *server)
{
    const struct config *config = server->config;
    rlim_t further = (rlim_t)(config->net_threads - 1) * FILES_SHARD;
    rlim_t reserved = FILES_RESERVED + further;
    rlim_t least = FILES_MIN + further;
    rlim_t wanted = config->max_clients + reserved;
    struct rlimit limit;

    wanted = wanted < least ? least : wanted;
    server->clients_max = config->max_clients;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0) {
        return true;
    }
    /* No more than wanted either: libwebsockets has tables of the limit's size. */
    limit.rlim_cur = wanted < limit.rlim_max ? wanted : limit.rlim_max;
    setrlimit(RLIMIT_NOFILE, &limit);
    if (limit.rlim_cur < least) {
        log_error("the limit of %llu open files is too low, expected at least %llu (ulimit -n)",
                  (unsigned long long)limit.rlim_cur, (unsigned long long)least);
        return false;
    }
    if (limit.rlim_cur < wanted) {
        server->clients_max = (uint32_t)(limit.rlim_cur - reserved);
        log_warn("the limit of %llu open files leaves room for %u clients instead of %u",
                 (unsigned long long)limit.rlim_cur, server->clients_max, config->max_clients);
    }
    return true;
}

static void print_where(const struct server *server, const struct room_definition *room)
{
    const struct config *config = server->config;
    bool everywhere = strcmp(config->bind, "0.0.0.0") == 0 || strcmp(config->bind, "::") == 0;
    bool local = strcmp(config->bind, "127.0.0.1") == 0 || strcmp(config->bind, "localhost") == 0 ||
                 strcmp(config->bind, "::1") == 0;
    bool ipv6 = strchr(config->bind, ':') != NULL && !everywhere;
    char at[300];

    snprintf(at, sizeof at, ipv6 ? "[%s]:%u" : "%s:%u", everywhere ? "127.0.0.1" : config->bind,
             server->port);
    if (config->log_format == LOG_FORMAT_JSON) {
        log_info("listening on http://%s/, for a presenter http://%s/#key=%s", at, at, room->key);
        return;
    }
    printf("flockd " FLOCKD_VERSION ": %u boids of the model %s at %u ticks a second\n"
           "  in a browser    http://%s/\n"
           "  in a terminal   %sflock-term ws://%s/ws\n",
           room->flock.boids, room->flock.model->name, room->tick_rate, at, config->folder, at);
    if (room->open_controls) {
        puts("  presenters      everyone");
    } else {
        printf("  as presenter    http://%s/#key=%s\n"
               "                  %sflock-term --key %s ws://%s/ws\n",
               at, room->key, config->folder, room->key, at);
    }
    if (local) {
        puts("  for others      only this machine can connect; --bind 0.0.0.0 opens it to the "
             "network");
    } else if (everywhere) {
        printf("  for others      the same with this machine's name or address and port %u\n",
               server->port);
    }
    fflush(stdout);
}

/* From the sim thread. */
static void wake(void *argument, uint32_t shard)
{
    struct server *server = argument;

    shard_wake(&server->shards[shard]);
}

static bool create_shards(struct server *server)
{
    const struct config *config = server->config;
    uint32_t count = config->net_threads;
    char error[1400];

    if (count > 1 && config->port != 0 &&
        !listen_free(config->bind, config->port, error, sizeof error)) {
        log_error("%s", error);
        return false;
    }
    server->shards = calloc(count, sizeof *server->shards);
    server->threads = calloc(count, sizeof *server->threads);
    if (server->shards == NULL || server->threads == NULL) {
        log_error("cannot start: out of memory");
        return false;
    }
    while (server->shard_count < count) {
        uint32_t number = server->shard_count++;
        if (!shard_create(&server->shards[number], server, number)) {
            return false;
        }
    }
    return true;
}

static bool create_hub(struct server *server, const struct room_definition *room)
{
    struct hub_definition definition = {
        .room = *room,
        .shards = server->shard_count,
        .sessions_max = server->clients_max,
        .wake = wake,
        .argument = server,
    };

    definition.room.people_max = server->clients_max;
    server->hub = hub_create(&definition);
    for (uint32_t i = 0; i < server->shard_count; i++) {
        server->shards[i].hub = server->hub;
    }
    if (server->hub == NULL) {
        log_error("cannot start: out of memory or threads");
    }
    return server->hub != NULL;
}

/* ---- end ---- */

static void stop(struct server *server)
{
    atomic_store(&server->stopping, true);
    for (uint32_t i = 0; i < server->shard_count; i++) {
        shard_wake(&server->shards[i]);
    }
}

static void on_signal(uv_signal_t *handle, int number)
{
    const struct shard *shard = handle->data;

    if (!atomic_load(&shard->server->stopping)) {
        log_info("%s: shutting down", number == SIGTERM ? "SIGTERM" : "SIGINT");
        stop(shard->server);
    }
}

static bool catch_signal(struct server *server, uv_signal_t *handle, int number)
{
    struct shard *first = &server->shards[0];

    if (uv_signal_init(&first->loop, handle) != 0) {
        return false;
    }
    handle->data = first;
    return uv_signal_start(handle, on_signal, number) == 0;
}

static bool catch_signals(struct server *server)
{
    if (catch_signal(server, &server->signals[0], SIGTERM) &&
        catch_signal(server, &server->signals[1], SIGINT)) {
        return true;
    }
    log_error("cannot start: no signal can be caught");
    return false;
}

/* ---- run ---- */

static void run_thread(void *argument)
{
    shard_run(argument);
}

static bool start_threads(struct server *server)
{
    for (; server->thread_count < server->shard_count - 1; server->thread_count++) {
        if (uv_thread_create(&server->threads[server->thread_count], run_thread,
                             &server->shards[server->thread_count + 1]) != 0) {
            log_error("cannot start: out of threads (--net-threads %u)", server->shard_count);
            return false;
        }
    }
    return true;
}

static bool run(struct server *server, const struct room_definition *room)
{
    bool started = create_shards(server) && create_hub(server, room) && catch_signals(server) &&
                   start_threads(server);

    if (started) {
        print_where(server, room);
        shard_run(&server->shards[0]);
    } else if (server->thread_count > 0) {
        stop(server);
    }
    for (uint32_t i = 0; i < server->thread_count; i++) {
        uv_thread_join(&server->threads[i]);
    }
    return started;
}

int server_run(const struct config *config, const struct room_definition *room)
{
    struct server server = {.config = config, .port = config->port};
    char error[1400];
    bool well;

    if (!fit_files(&server)) {
        return 1;
    }
    if (!page_load(&server.page, config->web, error, sizeof error)) {
        log_error("the page cannot be served: %s (make web builds it; --web names its folder)",
                  error);
        return 1;
    }
    well = run(&server, room);
    hub_stop(server.hub);
    for (uint32_t i = 0; i < server.shard_count; i++) {
        shard_finish(&server.shards[i]);
    }
    if (well) {
        metrics_log(&server);
    }
    hub_destroy(server.hub);
    free(server.shards);
    free(server.threads);
    page_free(&server.page);
    return well ? 0 : 1;
}
