#include "net/shard.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/log.h"
#include "cluster/forward.h"
#include "net/api/api.h"
#include "net/api/api_ending.h"
#include "net/api/api_job.h"
#include "net/fanout.h"
#include "net/gate/arrival.h"
#include "net/gate/connection.h"
#include "net/gate/head.h"
#include "net/gate/linger.h"
#include "net/gate/listen.h"
#include "net/gate/place.h"
#include "net/gate/tls.h"
#include "net/gate/waiting.h"
#include "net/http.h"
#include "net/http/metrics.h"
#include "net/http/respond.h"
#include "net/session/roster.h"
#include "net/session/session.h"
#include "packed.h"
#include "scene/scene.h"

#define FORWARDS_MAX    256u   /* streams to other nodes: each takes 128 KB */
#define FORWARD_CONNECT 2000u  /* ms until another node has taken a connection */
#define FORWARD_SILENCE 60000u /* ms without a byte in either direction */
#define FORWARD_LINGER  1000u  /* ms for a client to read the last of an answer */
#define ADMIT_TIME      8      /* ms between checks for connections that wait for their address */
#define WATCH_TIME      1000   /* ms of a round of on_watch(), which checks each session once */
#define WATCH_PARTS     40u    /* of a round: one each WATCH_GAP */
#define WATCH_GAP       20     /* ms between two parts of a round */
#define WATCH_LEAST     64u    /* sessions of a part */
#define WATCH_MOST      2000u  /* µs of a part: what is left makes the round longer */
#define STOP_TIME       1000   /* ms for the last clients to answer their close frames */
#define STOP_TURN       20     /* ms between checks whether they have */
/* More than CONNECTION_HEAD_MAX bytes: libwebsockets adds some to each line of a head. */
#define HEADER_DATA (CONNECTION_HEAD_MAX + 16 * CONNECTION_LINES_MAX)
#define RX_BUFFER   192u /* of each session: fits a hello; control frames need 128 */
/* Over TLS: see create_context(). Most of it is never touched, and takes no memory. */
#define RX_RECORD      16384u
#define LWS_LINES_MAX  20u                   /* libwebsockets' own log lines in LWS_LINES_TIME */
#define LWS_LINES_TIME UINT64_C(60000000000) /* ns */

static_assert(ADMIT_TIME * 1000000 == 2 * READERS_SLICE, "see waiting_turn()");

/* ---- data from the hub ---- */

void shard_wake(struct shard *shard)
{
    uv_async_send(&shard->wake);
}

/* When the time for sending is over, the shard first reads from its sockets again: on a busy shard,
 * new data is ready before it has sent the last. Returns the ns for which it sent views. */
static uint64_t send_data(struct shard *shard)
{
    uint64_t sent = 0;

    shard->data_due = !fanout_turn(shard->context, &sent);
    if (shard->data_due) {
        shard_wake(shard);
    }
    return sent;
}

static void close_displaced(struct context *context)
{
    struct place *place;

    while ((place = place_displaced(context->service->places, context->shard)) != NULL) {
        session_displaced(context, session_at(place));
    }
}

/* Called by the first shard for all shards. */
static void share_bandwidth(struct service *service)
{
    const struct bandwidth_use use = metrics_use(service);

    bandwidth_turn(&service->bandwidth, &use, hub_now(service->hub));
}

static void on_admit(uv_timer_t *admit)
{
    const struct shard *shard = admit->data;

    if (!waiting_turn(shard->context)) {
        uv_timer_stop(admit); /* until connections wait again */
    }
}

static void on_end(uv_timer_t *ender)
{
    const struct shard *shard = ender->data;

    session_end_turn(shard->context);
}

static void log_overload(const struct context *context)
{
    const uint8_t *levels = context->overload.levels;

    if (levels[OVERLOAD_OTHERS] == 0 && levels[OVERLOAD_TRUSTED] == 0 &&
        levels[OVERLOAD_PUPILS] == 0) {
        log_info("network thread %u sends all snapshots again", context->shard);
        return;
    }
    log_warn("network thread %u is overloaded: clients of trusted rooms get 1/%u of the snapshots, "
             "and clients from a presenter's address 1/%u; "
             "others, and addresses with many clients, 1/%u",
             context->shard, 1u << levels[OVERLOAD_TRUSTED], 1u << levels[OVERLOAD_PUPILS],
             1u << levels[OVERLOAD_OTHERS]);
}

/* Lowers or raises the rates of all clients. The sessions tell their rooms when they are watched.
 */
static void judge_overload(struct shard *shard)
{
    struct context *context = shard->context;
    struct roster *roster = context->roster;
    const uint64_t now = links_now(context->links);
    const uint64_t spare = uv_metrics_idle_time(&shard->loop) + context->readers.spare;
    const uint64_t judged = counter_read(&context->counts.judged);
    const uint64_t missed = counter_read(&context->counts.missed);
    const uint64_t time = now - shard->turned_at; /* 1 s, or more on a busy shard */
    uint32_t clients[OVERLOAD_CLASSES] = {0};

    for (uint32_t slot = 0; slot < roster->slot_count; slot++) {
        if (roster->slots[slot] != NULL) {
            const struct session *session = session_of(roster->slots[slot]);
            clients[session_class(session)] += session->stage == SESSION_LIVE;
        }
    }
    overload_count(&context->overload,
                   (uint32_t)(judged - shard->judged - (missed - shard->missed)),
                   (uint32_t)(missed - shard->missed));
    if (overload_turn(&context->overload, clients,
                      (uint32_t)((spare - shard->spare) / (time + 1)))) {
        log_overload(context);
    }
    shard->turned_at = now;
    shard->spare = spare;
    shard->judged = judged;
    shard->missed = missed;
}

static void count_weights(struct context *context)
{
    const struct readers_class *classes = context->readers.classes;

    counter_set(&context->counts.weights[BANDWIDTH_OTHERS], classes[READERS_OTHERS].weight);
    counter_set(&context->counts.weights[BANDWIDTH_SERVERS],
                classes[READERS_TRUSTED].weight + classes[READERS_PUPILS].weight);
}

/* Does what a shard does once a second. */
static void begin_round(struct shard *shard)
{
    shard->round_at = uv_now(&shard->loop);
    shard->watched = 0;
    count_weights(shard->context);
    if (shard->context->shard == 0) {
        share_bandwidth(shard->context->service);
        hub_return_memory(shard->context->service->hub);
    }
    shard_wake(shard); /* links may have waited for too long */
    connection_watch(shard->context);
    judge_overload(shard);
}

/* Watches the next sessions of the round. session_watch() sends what has waited; for thousands of
 * sessions in one turn, this would take 0.1 s. */
static void watch_part(struct shard *shard)
{
    struct context *context = shard->context;
    const struct roster *roster = context->roster;
    const uint32_t share = roster->count / WATCH_PARTS + 1;
    uint64_t now = links_now(context->links);
    const uint64_t end = now + WATCH_MOST;
    uint32_t left = share > WATCH_LEAST ? share : WATCH_LEAST;

    session_clock(context);
    while (shard->watched < roster->slot_count && left > 0 && now < end) {
        struct roster_entry *entry = roster->slots[shard->watched++];
        if (entry != NULL) {
            session_watch(context, session_of(entry), now);
            now = links_now(context->links);
            left--;
        }
    }
}

static bool round_is_over(const struct shard *shard)
{
    return shard->watched >= shard->context->roster->slot_count;
}

static void on_watch(uv_timer_t *watch)
{
    struct shard *shard = watch->data;
    uint64_t next = WATCH_GAP; /* ms */

    if (round_is_over(shard)) {
        begin_round(shard);
    }
    watch_part(shard);
    if (round_is_over(shard)) {
        const uint64_t passed = uv_now(&shard->loop) - shard->round_at;
        next = passed < WATCH_TIME ? WATCH_TIME - passed : 1;
    }
    uv_timer_start(watch, on_watch, next, 0);
}

static void stop_shard(struct shard *shard);

static void on_wake(uv_async_t *wake)
{
    struct shard *shard = wake->data;

    if (atomic_load(&shard->context->service->stopping) && !shard->context->stopping) {
        stop_shard(shard);
    }
    close_displaced(shard->context);
    api_finish_jobs(shard->context);
    api_end_transfers(shard->context);
    shard->data_due = true;
}

static void on_prepare(uv_prepare_t *prepare)
{
    struct shard *shard = prepare->data;

    lateness_look(&shard->context->lateness, uv_metrics_idle_time(&shard->loop));
    (void)meter_take(&shard->context->meter);
}

/* While its handle is active, the loop does not wait for events. */
static void on_again(uv_idle_t *again)
{
    (void)again;
}

/* Closes the connections that libwebsockets does not read. */
static void close_stuck(struct context *context)
{
    const struct roster *roster = context->roster;

    connection_close_stuck(context);
    for (uint32_t slot = 0; slot < roster->slot_count; slot++) {
        if (roster->slots[slot] != NULL) {
            session_close_stuck(context, session_of(roster->slots[slot]));
        }
    }
}

static void watch_spin(struct shard *shard)
{
    struct spin *spin = &shard->context->spin;
    const uint64_t began = uv_hrtime();

    if (spin_turn(spin, uv_metrics_idle_time(&shard->loop), began)) {
        close_stuck(shard->context);
        spin_searched(spin, began, uv_hrtime());
    }
}

static void on_ready(void *argument, void *session)
{
    struct context *context = ((struct shard *)argument)->context;

    session_clock(context);
    session_is_ready(context, session);
}

/* Sends data after sockets were read, so that no pong waits for the sending. */
static void on_check(uv_check_t *check)
{
    struct shard *shard = check->data;
    uint64_t sent = 0;
    bool goes_on;

    session_read(shard->context);
    lateness_finish(&shard->context->lateness, context_found(shard->context));
    connection_close_large(shard->context);
    if (shard->data_due) {
        sent = send_data(shard);
    }
    readers_turn(&shard->context->readers, sent, shard->data_due);
    goes_on = readers_wait(&shard->context->readers);
    goes_on |= api_turn(shard->context, shard->data_due);
    if (arrival_turn(shard->context, shard->data_due) || goes_on) {
        uv_idle_start(&shard->again, on_again);
    } else {
        uv_idle_stop(&shard->again);
    }
    watch_spin(shard);
}

/* ---- start ---- */

/* Clients can make libwebsockets log complaints. After a number of lines in a minute the others are
 * left out, so that no client fills the log. Each shard counts its own. */
static void on_lws_log(int level, const char *line)
{
    static _Thread_local uint64_t since; /* ns */
    static _Thread_local unsigned lines;
    enum log_level as = level == LLL_ERR ? LOG_LEVEL_ERROR : LOG_LEVEL_WARN;

    if (lines == 0 || uv_hrtime() - since >= LWS_LINES_TIME) {
        since = uv_hrtime();
        lines = 0;
    }
    if (++lines <= LWS_LINES_MAX) {
        log_line(as, "libwebsockets: %.*s", (int)strcspn(line, "\n"), line);
    } else if (lines == LWS_LINES_MAX + 1) {
        log_line(as, "libwebsockets logs too much; its lines are left out for a minute");
    }
}

static bool create_context(struct shard *shard)
{
    /* No timers of libwebsockets' own: it inserts each into a sorted list, which is too slow with
     * 10,000 clients. See on_watch(). */
    static const lws_retry_bo_t no_keep_alive;
    size_t largest = proto_snapshot_bound(packed_bound(SCENE_BOIDS_MAX), PROTO_PEOPLE_MAX);
    /* libwebsockets splits a write longer than tx_packet_size and copies the rest for each client.
     */
    struct lws_protocols protocols[] = {
        {.name = "http",
         .callback = http_callback,
         .per_session_data_size = sizeof(struct http_connection),
         .tx_packet_size = PAGE_SIZE_MAX},
        {.name = PROTO_SUBPROTOCOL,
         .callback = session_callback,
         .rx_buffer_size = RX_BUFFER,
         .tx_packet_size = largest},
        {.name = NULL},
    };
    void *loops[] = {&shard->loop};
    /* The limit of open files also limits the heads being read. A lower limit here would let that
     * many slow clients lock out all others. */
    struct lws_context_creation_info info = {
        .port = CONTEXT_PORT_NO_LISTEN_SERVER,
        .options = LWS_SERVER_OPTION_LIBUV,
        .foreign_loops = loops,
        .protocols = shard->protocols,
        .user = shard->context,
        .server_string = "flockd",
        .timeout_secs = 10,
        .headers = head_common(),
        .max_http_header_data = HEADER_DATA,
        .pt_serv_buf_size = RX_RECORD + LWS_PRE, /* a head in one read: see arrival.c */
        .retry_and_idle_policy = &no_keep_alive,
        .alpn = "http/1.1", /* the flock's WebSocket needs HTTP/1.1 */
    };

    if (shard->context->service->tls != NULL) {
        /* libwebsockets reads a TLS record before it returns from one event. It does so with one
         * read if the record fits. With several reads, a client that must not be read on in between
         * makes it loop forever (before version 5.0.0). */
        protocols[1].rx_buffer_size = RX_RECORD;
        /* A head is refused after the record that makes it too large: until then, libwebsockets
         * must have room for it, because without room it closes the connection in silence. */
        info.max_http_header_data = HEADER_DATA + RX_RECORD;
        /* http_callback() sets up TLS, and redirects clients that come without it. */
        info.options |= LWS_SERVER_OPTION_DO_SSL_GLOBAL_INIT;
        info.options |= LWS_SERVER_OPTION_CREATE_VHOST_SSL_CTX;
        info.options |= LWS_SERVER_OPTION_ALLOW_NON_SSL_ON_SSL_PORT;
        info.options |= LWS_SERVER_OPTION_ALLOW_HTTP_ON_HTTPS_LISTENER;
        info.provided_client_ssl_ctx = tls_unused(shard->context->service->tls);
    }
    static_assert(sizeof protocols == sizeof shard->protocols, "one terminator");
    memcpy(shard->protocols, protocols, sizeof protocols);
    lws_set_log_level(LLL_ERR | LLL_WARN, on_lws_log);
    shard->lws = lws_create_context(&info);
    shard->vhost = shard->lws != NULL ? lws_get_vhost_by_name(shard->lws, "default") : NULL;
    return shard->vhost != NULL;
}

/* In a cluster: for requests for rooms of other nodes. */
static bool create_forwards(struct shard *shard)
{
    struct context *context = shard->context;
    const struct forwards_definition definition = {.limit = FORWARDS_MAX,
                                                   .connect_time = FORWARD_CONNECT,
                                                   .silence = FORWARD_SILENCE,
                                                   .linger = FORWARD_LINGER,
                                                   .forwarded = &context->counts.forwarded,
                                                   .failed = &context->counts.forwards_failed};

    if (context->service->config->nats[0] == '\0') {
        return true;
    }
    context->forwards = forwards_create(&shard->loop, &definition);
    return context->forwards != NULL;
}

static bool create_handles(struct shard *shard)
{
    uv_timer_init(&shard->loop, &shard->timer);
    shard->timer.data = shard;
    uv_timer_init(&shard->loop, &shard->watch);
    shard->watch.data = shard;
    uv_timer_start(&shard->watch, on_watch, WATCH_TIME, 0);
    uv_prepare_init(&shard->loop, &shard->prepare);
    shard->prepare.data = shard;
    uv_prepare_start(&shard->prepare, on_prepare);
    uv_check_init(&shard->loop, &shard->check);
    shard->check.data = shard;
    uv_check_start(&shard->check, on_check);
    uv_idle_init(&shard->loop, &shard->again);
    shard->again.data = shard;
    uv_timer_init(&shard->loop, &shard->admit);
    shard->admit.data = shard;
    uv_timer_start(&shard->admit, on_admit, ADMIT_TIME, ADMIT_TIME);
    shard->context->admit = &shard->admit;
    shard->context->ready = &shard->ready;
    if (!ready_start(&shard->ready, &shard->loop, on_ready, shard)) {
        return false;
    }
    uv_timer_init(&shard->loop, &shard->ender);
    shard->ender.data = shard;
    uv_timer_start(&shard->ender, on_end, STOP_TURN, STOP_TURN);
    shard->context->ender = &shard->ender;
    if (uv_async_init(&shard->loop, &shard->wake, on_wake) != 0) {
        return false;
    }
    shard->wake.data = shard;
    for (size_t i = 0; i < 2; i++) {
        struct acceptor *inner = i == 0 ? &shard->admin : &shard->nodes;
        if (inner->listener >= 0 &&
            !acceptor_start(inner, shard->context, &shard->loop, shard->vhost, shard)) {
            return false;
        }
    }
    return acceptor_start(&shard->acceptor, shard->context, &shard->loop, shard->vhost, shard) &&
           create_forwards(shard);
}

/* Opens a socket at that address and port, such as [::1]:9090; port 0 is replaced by a free one. */
static bool open_inner(struct acceptor *acceptor, const char *text, unsigned *port, char *error,
                       size_t error_size)
{
    const char *colon = strrchr(text, ':');
    bool brackets = text[0] == '[';
    char host[CONFIG_TEXT_MAX];

    snprintf(host, sizeof host, "%.*s", (int)(colon - text) - 2 * brackets, text + brackets);
    *port = (unsigned)strtoul(colon + 1, NULL, 10);
    acceptor->listener = listen_open(host, port, false, error, error_size);
    return acceptor->listener >= 0;
}

/* Opens the socket of --admin-bind. */
static bool open_admin(struct shard *shard, char *error, size_t error_size)
{
    const char *text = shard->context->service->config->admin_bind;
    unsigned port;

    shard->admin.port = CONNECTION_ADMIN;
    return text[0] == '\0' || open_inner(&shard->admin, text, &port, error, error_size);
}

/* Opens the socket of --cluster-bind, if this is a node of a cluster. */
static bool open_nodes(struct shard *shard, char *error, size_t error_size)
{
    struct service *service = shard->context->service;
    const char *text = service->config->cluster_bind;
    unsigned port;

    shard->nodes.port = CONNECTION_NODES;
    if (service->config->nats[0] == '\0') {
        return true;
    }
    if (!open_inner(&shard->nodes, text, &port, error, error_size)) {
        return false;
    }
    snprintf(service->cluster_address, sizeof service->cluster_address, "%.*s:%u",
             (int)(strrchr(text, ':') - text), text, port);
    return true;
}

/* The first shard serves the inner ports. */
static bool open_inner_ports(struct shard *shard, char *error, size_t error_size)
{
    return shard->context->shard != 0 ||
           (open_admin(shard, error, error_size) && open_nodes(shard, error, error_size));
}

bool shard_create(struct shard *shard, struct context *context, unsigned *port)
{
    const struct config *config = context->service->config;
    char error[1400];

    *shard = (struct shard){.context = context,
                            .acceptor.listener = -1,
                            .admin.listener = -1,
                            .nodes.listener = -1,
                            .ready.fd = -1};
    if (uv_loop_init(&shard->loop) != 0) {
        log_error("cannot start: no event loop");
        shard->loop_broken = true;
        return false;
    }
    context->loop = &shard->loop;
    slab_init(&context->sessions, sizeof(struct session));
    overload_init(&context->overload);
    meter_init(&context->meter, uv_hrtime, meter_thread);
    readers_init(&context->readers);
    readers_init(&context->entering);
    readers_init(&context->requests);
    if (uv_loop_configure(&shard->loop, UV_METRICS_IDLE_TIME) != 0) {
        log_error("cannot start: libuv does not measure idle time");
        return false;
    }
    shard->acceptor.listener =
        listen_open(config->bind, port, config->net_threads > 1, error, sizeof error);
    if (shard->acceptor.listener < 0 || !open_inner_ports(shard, error, sizeof error)) {
        log_error("%s", error);
        return false;
    }
    if (!create_context(shard)) {
        log_error("libwebsockets cannot start (is libwebsockets-evlib-uv installed?)");
        shard->loop_broken = true;
        return false;
    }
    if (!create_handles(shard)) {
        log_error("cannot start: out of memory or file descriptors");
        return false;
    }
    return true;
}

void shard_run(struct shard *shard)
{
    uv_run(&shard->loop, UV_RUN_DEFAULT);
}

/* ---- end ---- */

/* Stops the loop's handles when all clients are gone or the time is up, so that uv_run() returns.
 */
static void on_stopping(uv_timer_t *timer)
{
    struct shard *shard = timer->data;
    const struct context *context = shard->context;

    if (context->endings[SESSION_ENDS].first != NULL) {
        shard->stop_by = uv_now(&shard->loop) + STOP_TIME;
    }
    if (context->roster->count == 0 || uv_now(&shard->loop) >= shard->stop_by) {
        uv_stop(&shard->loop);
    }
}

/* Sends all clients a close frame and gives them time to answer it. */
static void stop_shard(struct shard *shard)
{
    const struct roster *roster = shard->context->roster;

    shard->context->stopping = true;
    acceptor_stop(&shard->acceptor);
    if (shard->admin.listener >= 0) {
        acceptor_stop(&shard->admin);
    }
    if (shard->nodes.listener >= 0) {
        acceptor_stop(&shard->nodes);
    }
    for (uint32_t slot = 0; slot < roster->slot_count; slot++) {
        if (roster->slots[slot] != NULL) {
            session_close(shard->context, session_of(roster->slots[slot]), END_STOPPING);
        }
    }
    shard->stop_by = uv_now(&shard->loop) + STOP_TIME;
    uv_timer_start(&shard->timer, on_stopping, STOP_TURN, STOP_TURN);
}

static void close_handle(uv_handle_t *handle, void *argument)
{
    struct shard *shard = argument;

    /* Only the shard's own handles: libwebsockets closes its own. */
    if (handle->data == shard && !uv_is_closing(handle)) {
        uv_close(handle, NULL);
    }
}

/* libwebsockets requires this order for a foreign loop: own handles first, then the context, then
 * the loop until it returns, then the context again. */
static void finish_loop(struct shard *shard)
{
    connection_finish(shard->context);
    linger_finish(shard->context);
    forwards_destroy(shard->context->forwards);
    uv_walk(&shard->loop, close_handle, shard);
    if (shard->lws != NULL) {
        lws_context_destroy(shard->lws);
        uv_run(&shard->loop, UV_RUN_DEFAULT);
        lws_context_destroy(shard->lws);
    }
    uv_run(&shard->loop, UV_RUN_DEFAULT);
    uv_loop_close(&shard->loop);
}

void shard_finish(struct shard *shard)
{
    if (!shard->loop_broken) {
        finish_loop(shard);
    }
    ready_finish(&shard->ready);
    if (shard->acceptor.listener >= 0) {
        close(shard->acceptor.listener);
    }
    if (shard->admin.listener >= 0) {
        close(shard->admin.listener);
    }
    if (shard->nodes.listener >= 0) {
        close(shard->nodes.listener);
    }
}
