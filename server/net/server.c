#include "net/server.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#include "base/audit.h"
#include "base/key.h"
#include "base/log.h"
#include "base/thread_name.h"
#include "cluster/cluster.h"
#include "hub/hub.h"
#include "net/api/api_job.h"
#include "net/api/api_list.h"
#include "net/gate/adopted.h"
#include "net/gate/capacity.h"
#include "net/gate/context.h"
#include "net/gate/listen.h"
#include "net/gate/place.h"
#include "net/gate/rates.h"
#include "net/gate/reach.h"
#include "net/gate/tls.h"
#include "net/gate/workers.h"
#include "net/http/metrics.h"
#include "net/http/page.h"
#include "net/session/roster.h"
#include "net/shard.h"
#include "net/start.h"
#include "store/store.h"

#define CLOSE_TIME    4.2 /* s after a signal in which the store writes what it still holds, … */
#define CLOSE_LEAST   2.0 /* … and at least so long: Docker kills after 10 s */
#define PAST_INTERVAL UINT64_C(30000000)  /* µs between two times that a room's past is stored */
#define UNJOINED_TIME UINT64_C(60000000)  /* µs until a room ends that no client ever joined */
#define UNUSED_TIME   UINT64_C(300000000) /* µs for each person in a room that may give way */
#define ADDRESS_MAX   (CONFIG_TEXT_MAX + 16)

/* The signals that stop flockd. */
static const int ending_signals[] = {SIGTERM, SIGINT, SIGQUIT, SIGHUP};
#define ENDING_SIGNALS (sizeof ending_signals / sizeof ending_signals[0])

/* A signal handle on the first shard's loop, which closes it: so its data is that shard. */
struct signal {
    uv_signal_t handle; /* must be first: libuv's pointers are to it */
    struct server *server;
};

/* The server. The main thread creates and destroys it and runs the first shard; each other shard
 * has a thread. */
struct server {
    struct service service;
    struct store *store; /* NULL: nothing is stored */
    struct film *film;   /* the lobby's recording; NULL: none */
    struct page page;
    struct shard *shards;
    struct roster *rosters; /* one for each shard */
    struct api_list *lists; /* one for each shard: the listed rooms */
    uint32_t shard_count;   /* created so far */
    uv_thread_t *threads;   /* of all shards except the first */
    uint32_t thread_count;  /* started so far */
    bool has_terminal;      /* flockd was started in a terminal */
    bool ending;            /* a signal asked for it … */
    uint64_t ending_at;     /* … at this time, in ns */
    struct signal signals[ENDING_SIGNALS];
};

/* ---- start ---- */

/* Stores the address of the server from this machine, such as 127.0.0.1:8080; with TLS, a name of
 * the certificate. */
static void write_address(const struct service *service, unsigned port, char at[ADDRESS_MAX])
{
    const char *bind = service->config->bind;
    char host[CONFIG_TEXT_MAX];

    if (strcmp(bind, "0.0.0.0") == 0 || strcmp(bind, "::") == 0) {
        bind = "127.0.0.1";
    }
    snprintf(host, sizeof host, "%s", bind);
    if (service->tls != NULL) {
        tls_say_host(service->tls, bind, host, sizeof host);
    }
    snprintf(at, ADDRESS_MAX, strchr(host, ':') != NULL ? "[%s]:%u" : "%s:%u", host, port);
}

static void print_others(const struct service *service)
{
    const struct config *config = service->config;
    unsigned port = service->port;
    struct reach reach;

    if (config->public_url[0] != '\0') {
        printf("  for others      %s/\n", config->public_url);
        return;
    }
    reach_find(config, service->tls, port, &reach);
    for (size_t i = 0; i < reach.count; i++) {
        printf("  %-15s %s/\n", i == 0 ? "for others" : "", reach.addresses[i]);
    }
    if (strcmp(config->bind, "127.0.0.1") == 0 || strcmp(config->bind, "localhost") == 0 ||
        strcmp(config->bind, "::1") == 0) {
        puts("  for others      only this machine can connect; --bind 0.0.0.0 opens it to the "
             "network");
    } else if (reach.count == 0) {
        printf("  for others      use this machine's name or address, and port %u\n", port);
    }
}

/* Whether the lobby has the server's key. A lobby on another node may have it. */
static bool opens_lobby(const struct server *server, const char *key)
{
    struct directory_entry entry;

    return !directory_find(hub_directory(server->service.hub), ROOM_LOBBY, &entry) ||
           key_same(entry.key, key);
}

static void print_presenters(const struct server *server, const struct room_definition *lobby,
                             const char *s, const char *at)
{
    const char *folder = server->service.config->folder;

    if (lobby->open_controls) {
        puts("  presenters      everyone");
    } else if (!opens_lobby(server, lobby->key)) {
        puts("  as presenter    with the key that a presenter of the lobby made; to set a new one, "
             "start "
             "with a different --presenter-key");
    } else {
        printf("  as presenter    http%s://%s/r/" ROOM_LOBBY "#key=%s\n"
               "                  %sflock-term --key %s ws%s://%s/ws\n",
               s, at, lobby->key, folder, lobby->key, s, at);
    }
}

static void print_where(const struct server *server, const struct room_definition *lobby)
{
    const struct config *config = server->service.config;
    const char *s = server->service.tls != NULL ? "s" : ""; /* https, wss */
    char at[ADDRESS_MAX];

    write_address(&server->service, server->service.port, at);
    if (config->log_format == LOG_FORMAT_JSON) {
        if (opens_lobby(server, lobby->key)) {
            log_info("listening on http%s://%s/, for a presenter http%s://%s/r/" ROOM_LOBBY
                     "#key=%s",
                     s, at, s, at, lobby->key);
        } else {
            log_info("listening on http%s://%s/; a presenter of the lobby has made its key", s, at);
        }
        return;
    }
    if (server->film != NULL) {
        printf("flockd " FLOCKD_VERSION ": the lobby plays %s\n", config->replay);
    } else {
        printf("flockd " FLOCKD_VERSION ": %u boids of the model %s at %u ticks a second\n",
               lobby->flock.boids, lobby->flock.settings.model->name, lobby->tick_rate);
    }
    printf("  in a browser    http%s://%s/\n"
           "  in a terminal   %sflock-term ws%s://%s/ws\n",
           s, at, config->folder, s, at);
    print_presenters(server, lobby, s, at);
    print_others(&server->service);
    if (server->service.cluster != NULL) {
        printf("  rooms           are shared by the nodes at NATS; this node is %s\n",
               config->node);
    } else if (config->data[0] == '\0') {
        puts("  rooms           are lost when flockd ends; --data FOLDER saves them");
    } else {
        printf("  rooms           are saved in %s\n", config->data);
    }
    fflush(stdout);
}

/* Called on a runner's thread. The shard behind the last is the cluster's. */
static void wake_shard(void *argument, uint32_t shard)
{
    struct server *server = argument;

    if (shard < server->shard_count) {
        shard_wake(&server->shards[shard]);
    } else if (server->service.cluster != NULL) {
        cluster_wake(server->service.cluster);
    }
}

/* Creates the shards' data. */
static bool create_contexts(struct server *server)
{
    struct service *service = &server->service;
    uint32_t count = service->config->net_threads;
    uint64_t seed;

    service->contexts = calloc(count, sizeof *service->contexts);
    server->rosters = calloc(count, sizeof *server->rosters);
    server->lists = calloc(count, sizeof *server->lists);
    server->shards = calloc(count, sizeof *server->shards);
    server->threads = calloc(count, sizeof *server->threads);
    if (service->contexts == NULL || server->rosters == NULL || server->lists == NULL ||
        server->shards == NULL || server->threads == NULL) {
        return false;
    }
    for (; service->shard_count < count; service->shard_count++) {
        struct context *context = &service->contexts[service->shard_count];
        *context = (struct context){.service = service,
                                    .shard = service->shard_count,
                                    .roster = &server->rosters[service->shard_count],
                                    .rooms = &server->lists[service->shard_count]};
        roster_init(context->roster, count > 1);
        if (getrandom(&seed, sizeof seed, 0) != sizeof seed) {
            return false;
        }
        admission_init(&context->admission, service->guests_max,
                       (uint32_t)(service->config->request_time * 1e3), seed);
        admission_init(&context->adopted, ADOPTED_MAX, 0, seed);
        admission_init(&context->lingering, service->lingering_max > 0 ? service->lingering_max : 1,
                       0, seed);
        context->decoder = proto_decoder_create();
        if (context->decoder == NULL) {
            return false;
        }
    }
    return true;
}

static bool create_shards(struct server *server)
{
    const struct config *config = server->service.config;
    char error[1400];

    if (!create_contexts(server)) {
        log_error("cannot start: out of memory");
        return false;
    }
    if (config->net_threads > 1 && config->port != 0 &&
        !listen_free(config->bind, config->port, error, sizeof error)) {
        log_error("%s", error);
        return false;
    }
    while (server->shard_count < config->net_threads) {
        uint32_t number = server->shard_count++;
        if (!shard_create(&server->shards[number], &server->service.contexts[number],
                          &server->service.port)) {
            return false;
        }
    }
    return true;
}

/* Adds a capability that this server offers clients. */
static void add_capability(struct room_definition *definition, const char *word)
{
    snprintf(definition->capabilities[definition->capability_count++], PROTO_WORD_MAX + 1, "%s",
             word);
}

/* Opens the store, if --data asks for it. */
static bool open_store(struct server *server)
{
    const struct config *config = server->service.config;
    char text[STORE_REASON_MAX];

    if (config->data[0] == '\0') {
        return true;
    }
    switch (store_open(config->data, &server->store, text)) {
    case STORE_OK:
        return true;
    case STORE_SET_ASIDE:
    case STORE_LOST:
        log_error("%s", text);
        return true;
    default:
        log_error("cannot start: %s; --data none saves no rooms", text);
        return false;
    }
}

/* Joins the cluster, if --nats asks for it. */
static bool open_cluster(struct server *server)
{
    struct service *service = &server->service;
    const struct config *config = service->config;
    static const enum node_role roles[] = {[CONFIG_ROLE_BOTH] = NODE_BOTH,
                                           [CONFIG_ROLE_SIM] = NODE_SIM,
                                           [CONFIG_ROLE_EDGE] = NODE_EDGE};
    const struct cluster_definition definition = {
        .urls = config->nats,
        .prefix = config->nats_prefix,
        .user = config->nats_user[0] != '\0' ? config->nats_user : NULL,
        .credentials = config->nats_creds[0] != '\0' ? config->nats_creds : NULL,
        .authority = config->nats_ca[0] != '\0' ? config->nats_ca : NULL,
        .node = config->node,
        .role = roles[config->role],
        .rooms_max = config->max_rooms,
        .sessions_max = service->clients_max + PLACE_PRESENTERS + service->displaced_max,
    };
    char text[BROKER_TEXT_MAX];

    if (config->nats[0] == '\0') {
        return true;
    }
    service->cluster = cluster_create(&definition, text);
    if (service->cluster == NULL) {
        log_error("cannot start: %s", text);
        return false;
    }
    cluster_set_http(service->cluster, service->cluster_address);
    return true;
}

static bool start_cluster(struct server *server)
{
    struct service *service = &server->service;

    if (service->cluster != NULL && !cluster_start(service->cluster, service->hub)) {
        log_error("cannot start: out of memory or threads");
        return false;
    }
    return true;
}

static bool create_hub(struct server *server, const struct room_definition *lobby)
{
    struct service *service = &server->service;
    const struct config *config = service->config;
    struct hub_definition definition = {
        .shards = service->shard_count,
        .runners = config->sim_threads,
        .threads = config->threads,
        .sessions_max = service->clients_max + PLACE_PRESENTERS + service->displaced_max,
        .limits = {.rooms_max = config->max_rooms,
                   .rooms_per_hour = config->rooms_per_hour,
                   .unused = UNUSED_TIME},
        .tries = config->tries,
        .boids_max = config->max_boids,
        .room_idle = (uint64_t)(config->room_idle * 1e6),
        .unjoined = UNJOINED_TIME,
        .room_boids = config->room_boids,
        .store = server->store,
        .checkpoint_interval = (uint64_t)(config->checkpoint_interval * 1e6),
        .past_interval = PAST_INTERVAL,
        .room_memory = (uint64_t)config->room_memory << 20,
        .history_bytes = (uint64_t)config->rewind_memory << 20,
        .fingerprint = start_fingerprint(lobby, server->film),
        .lobby = *lobby,
        .film = server->film,
        .wake = wake_shard,
        .argument = server,
    };

    definition.lobby.people_max =
        config->room_people > 0 ? config->room_people : service->clients_max;
    /* Only the server's slots limit the members of a room: see place.h. */
    definition.lobby.people_spare = config->room_people > 0 ? 0 : service->displaced_max;
    definition.lobby.rewind = (uint64_t)(config->rewind * 1e6);
    definition.lobby.capability_count = 0;
    add_capability(&definition.lobby, "packed");
    add_capability(&definition.lobby, "topics");
    if (config->rooms != CONFIG_ROOMS_OFF) {
        add_capability(&definition.lobby,
                       config->rooms == CONFIG_ROOMS_OPEN ? "rooms" : "rooms-with-key");
    }
    if (service->cluster != NULL) {
        cluster_define(service->cluster, &definition);
    }
    service->hub = hub_create(&definition);
    service->rates = rates_create(config->address_limit, bandwidth_address(&service->bandwidth),
                                  bandwidth_little(&service->bandwidth));
    service->uploads = transfers_create(config->max_transfers);
    service->downloads = transfers_create(config->max_transfers);
    service->wake = wake_shard;
    service->waker = server;
    service->places = places_create(service->clients_max, service->displaced_max);
    service->workers = workers_create(service->shard_count, wake_shard, server);
    service->proxy_count = config_ranges(config->trusted_proxies, service->proxies);
    if (service->hub == NULL || service->rates == NULL || service->places == NULL ||
        service->workers == NULL || service->uploads == NULL || service->downloads == NULL) {
        log_error("cannot start: out of memory or threads");
        return false;
    }
    for (uint32_t i = 0; i < service->shard_count; i++) {
        service->contexts[i].links = hub_links(service->hub, i);
    }
    return true;
}

/* ---- end ---- */

/* Any thread. */
static void stop_server(void *argument)
{
    struct server *server = argument;

    atomic_store(&server->service.stopping, true);
    for (uint32_t i = 0; i < server->shard_count; i++) {
        shard_wake(&server->shards[i]);
    }
}

/* Reads the certificate again. If that fails, the old one stays. */
static void reload_certificate(struct tls *tls)
{
    char text[2400];

    if (tls_reload(tls, text, sizeof text)) {
        tls_say_end(tls, text, sizeof text);
        log_info("SIGHUP: new connections get the new certificate, valid until %s", text);
    } else {
        log_error("SIGHUP: %s; flockd continues with the old certificate", text);
    }
}

/* In a cluster, other nodes first take over this node's rooms. Its members stay connected. */
static void end_server(struct server *server)
{
    server->ending = true;
    server->ending_at = uv_hrtime();
    if (server->service.cluster != NULL) {
        cluster_drain(server->service.cluster, stop_server, server);
    } else {
        stop_server(server);
    }
}

static void on_signal(uv_signal_t *handle, int number)
{
    struct server *server = ((struct signal *)(void *)handle)->server;

    /* SIGHUP may also mean that the terminal was closed. */
    if (number == SIGHUP && server->service.tls != NULL &&
        (!server->has_terminal || isatty(STDIN_FILENO))) {
        reload_certificate(server->service.tls);
    } else if (!server->ending) {
        log_info("SIG%s: shutting down", sigabbrev_np(number));
        end_server(server);
    }
}

static bool catch_signal(struct server *server, struct signal *signal, int number)
{
    struct shard *first = &server->shards[0];

    if (uv_signal_init(&first->loop, &signal->handle) != 0) {
        return false;
    }
    signal->handle.data = first;
    signal->server = server;
    return uv_signal_start(&signal->handle, on_signal, number) == 0;
}

/* SIGHUP reloads the certificate if there is TLS. Without TLS it stays ignored if it was ignored at
 * the start, as by nohup. SIGINT and SIGQUIT are always handled: scripts ignore them, without
 * intent, for background commands. */
static bool ignores_hangup(const struct server *server)
{
    struct sigaction action;

    return server->service.tls == NULL && sigaction(SIGHUP, NULL, &action) == 0 &&
           action.sa_handler == SIG_IGN;
}

static bool catch_signals(struct server *server)
{
    for (size_t i = 0; i < ENDING_SIGNALS; i++) {
        int number = ending_signals[i];
        if (!(number == SIGHUP && ignores_hangup(server)) &&
            !catch_signal(server, &server->signals[i], number)) {
            log_error("cannot start: signals cannot be handled");
            return false;
        }
    }
    return true;
}

/* ---- run ---- */

static void run_thread(void *argument)
{
    name_thread("net");
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

/* Must be called after the main thread has printed its lines, so that log lines follow them. */
static bool start_log(const struct config *config)
{
    bool started = log_start();

    if (!started) {
        log_error("cannot start: out of threads");
    }
    return started && (config->audit_log[0] == '\0' || audit_open(config->audit_log));
}

static bool run_server(struct server *server, const struct room_definition *lobby)
{
    bool started = create_shards(server) && start_log(server->service.config) &&
                   open_store(server) && open_cluster(server) && create_hub(server, lobby) &&
                   start_cluster(server) && catch_signals(server) && start_threads(server);

    if (started) {
        print_where(server, lobby);
        shard_run(&server->shards[0]);
    } else if (server->thread_count > 0) {
        stop_server(server);
    }
    for (uint32_t i = 0; i < server->thread_count; i++) {
        uv_thread_join(&server->threads[i]);
    }
    return started;
}

static void finish_server(struct server *server)
{
    struct service *service = &server->service;

    cluster_stop(service->cluster);
    hub_stop(service->hub);
    cluster_leave(service->cluster);
    workers_stop(service->workers);
    for (uint32_t i = 0; i < server->shard_count; i++) {
        shard_finish(&server->shards[i]);
    }
    for (uint32_t i = 0; i < service->shard_count; i++) {
        if (service->workers != NULL) {
            api_finish_jobs(&service->contexts[i]);
        }
        proto_decoder_destroy(service->contexts[i].decoder);
        readers_finish(&service->contexts[i].readers);
        readers_finish(&service->contexts[i].entering);
        readers_finish(&service->contexts[i].requests);
        roster_finish(service->contexts[i].roster);
        api_list_free(service->contexts[i].rooms);
    }
}

/* Reads the page and the certificate. */
static bool read_files(struct service *service)
{
    const struct config *config = service->config;
    char error[2400];

    if (!page_load(service->page, config->web, error, sizeof error)) {
        log_error("the page cannot be served: %s (make web builds it; --web names its folder)",
                  error);
        return false;
    }
    if (config->tls_cert[0] != '\0') {
        service->tls = tls_create(config->tls_cert, config->tls_key, error, sizeof error);
        if (service->tls == NULL) {
            log_error("%s", error);
            return false;
        }
    }
    return true;
}

/* Returns how long the store may write, in s. */
static double close_patience(const struct server *server)
{
    double left = CLOSE_TIME - (double)(uv_hrtime() - server->ending_at) / 1e9;

    return left > CLOSE_LEAST ? left : CLOSE_LEAST;
}

int server_run(const struct config *config, const struct room_definition *lobby, struct film *film)
{
    struct server server = {.service = {.config = config, .port = config->port},
                            .film = film,
                            .has_terminal = isatty(STDIN_FILENO) != 0};
    struct service *service = &server.service;
    bool well;

    service->page = &server.page;
    memcpy(service->key, lobby->key, sizeof service->key);
    service->key_made = lobby->key_made;
    well = capacity_fit(service) && read_files(service) && run_server(&server, lobby);
    finish_server(&server);
    if (well) {
        metrics_log(service);
    }
    film_release(film);
    store_hold_pasts(server.store);
    hub_destroy(service->hub); /* stores its rooms in their present state */
    cluster_destroy(service->cluster);
    well = store_close(server.store, close_patience(&server)) && well;
    workers_destroy(service->workers);
    places_destroy(service->places);
    rates_destroy(service->rates);
    transfers_destroy(service->uploads);
    transfers_destroy(service->downloads);
    free(service->contexts);
    free(server.rosters);
    free(server.lists);
    free(server.shards);
    free(server.threads);
    tls_destroy(service->tls);
    page_free(service->page);
    return well ? 0 : 1;
}
