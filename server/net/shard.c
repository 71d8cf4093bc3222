#include "net/shard.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/log.h"
#include "net/api/api.h"
#include "net/gate/connection.h"
#include "net/gate/crowd.h"
#include "net/gate/head.h"
#include "net/gate/listen.h"
#include "net/gate/place.h"
#include "net/gate/tls.h"
#include "net/http.h"
#include "net/http/metrics.h"
#include "net/http/respond.h"
#include "net/session/roster.h"
#include "net/session/session.h"
#include "packed.h"
#include "scene/scene.h"

#define FETCH_AHEAD      3u
#define CLOCK_SESSIONS   16u  /* sent to between looks at the clock: 0.1 ms of small snapshots */
#define CONNECTION_BYTES 512u /* of libwebsockets' part of one, that sending looks at */
#define WATCH_TIME       1000 /* ms between looks at who is silent */
#define STOP_TIME        1000 /* ms for clients to take their close frames */
#define STOP_TURN        20   /* ms between looks at whether they have */
#define CLOSES_PER_TURN  500u
/* More than a head of CONNECTION_HEAD_MAX bytes: libwebsockets adds some to each line of it. */
#define HEADER_DATA    (CONNECTION_HEAD_MAX + 16 * CONNECTION_LINES_MAX)
#define RX_BUFFER      192u                  /* of each session: a hello; control frames need 128 */
#define LWS_LINES_MAX  20u                   /* libwebsockets' own lines in LWS_LINES_TIME */
#define LWS_LINES_TIME UINT64_C(60000000000) /* ns */

/* ---- what the hub has ---- */

static void take_replies(struct context *context)
{
    struct hub_reply reply;

    while (hub_take_reply(context->service->hub, context->shard, &reply)) {
        struct roster_entry *entry;
        if (reply.type == HUB_ANSWER) {
            api_answer(context, &reply);
            continue;
        }
        entry = roster_find(context->roster, reply.session);
        if (entry != NULL) {
            session_reply(context, session_of(entry), &reply);
        } else {
            frame_release(reply.frame);
        }
    }
}

/* A session on its way into the cache, so that it is there when its turn comes: a twentieth of the
 * time that a fan-out of small snapshots takes. */
static void fetch(const void *bytes, size_t size)
{
    for (size_t offset = 0; offset < size; offset += 64) {
        __builtin_prefetch((const char *)bytes + offset);
    }
}

/* From the last to the first, so that none is missed if one should leave. */
static void send_view(struct context *context, const struct roster_room *room)
{
    uint64_t now = 0;

    for (uint32_t i = room->count; i-- > 0 && i + FETCH_AHEAD >= room->count;) {
        fetch(room->entries[i], sizeof(struct session));
    }
    for (uint32_t i = room->count; i-- > 0;) {
        if (i + 1 == room->count || i % CLOCK_SESSIONS == 0) {
            now = hub_now(context->service->hub);
        }
        if (i >= FETCH_AHEAD) {
            fetch(room->entries[i - FETCH_AHEAD], sizeof(struct session));
        }
        if (i >= 1) {
            fetch(session_of(room->entries[i - 1])->wsi, CONNECTION_BYTES);
        }
        session_flush_at(context, session_of(room->entries[i]), now);
    }
}

/* What a room had told its members before it made a view comes first: else whoever has just left a
 * stream would be sent the same snapshot in both. */
static void take_views(struct context *context)
{
    struct room_view *view;

    while ((view = hub_take_view(context->service->hub, context->shard)) != NULL) {
        const struct roster_room *room;
        take_replies(context);
        room = roster_take(context->roster, view);
        if (room != NULL) {
            send_view(context, room);
        }
    }
}

/* Of this shard's clients of that network the one that came last, but rather one that is leaving.
 */
static struct session *find_newest(const struct roster *roster, const struct ip *network)
{
    struct session *newest = NULL;

    for (uint32_t slot = 0; slot < roster->slot_count; slot++) {
        struct roster_entry *entry = roster->slots[slot];
        struct session *session = entry != NULL ? session_of(entry) : NULL;
        if (session == NULL || session->place != PLACE_CLIENT ||
            !ip_same(&session->network, network)) {
            continue;
        }
        if (session->stage == SESSION_CLOSING) {
            return session;
        }
        if (newest == NULL || session->entry.id > newest->entry.id) {
            newest = session;
        }
    }
    return newest;
}

/* Those go whose places others have taken. */
static void yield_places(struct context *context)
{
    struct service *service = context->service;
    struct session *session;
    struct ip network;
    uint32_t next = 0;

    while (crowd_next_owed(service->crowd, &next, &network)) {
        while ((session = find_newest(context->roster, &network)) != NULL &&
               place_yield(service, (enum place)session->place, &network)) {
            session_yield(context, session);
        }
    }
}

/* The first shard's does it for all. */
static void share_bandwidth(struct service *service)
{
    bandwidth_turn(&service->bandwidth, place_count(service), metrics_bytes(service),
                   hub_now(service->hub));
}

/* Once a second. */
static void on_watch(uv_timer_t *watch)
{
    struct shard *shard = watch->data;
    struct roster *roster = shard->context->roster;

    if (shard->context->shard == 0) {
        share_bandwidth(shard->context->service);
    }
    connection_watch(shard->context);
    session_clock(shard->context);
    for (uint32_t slot = 0; slot < roster->slot_count; slot++) {
        if (roster->slots[slot] != NULL) {
            session_watch(shard->context, session_of(roster->slots[slot]));
        }
    }
}

static void stop(struct shard *shard);

static void on_wake(uv_async_t *wake)
{
    struct shard *shard = wake->data;

    if (atomic_load(&shard->context->service->stopping) && !shard->context->stopping) {
        stop(shard);
    }
    take_replies(shard->context);
    take_views(shard->context);
    yield_places(shard->context);
}

void shard_wake(struct shard *shard)
{
    uv_async_send(&shard->wake);
}

/* ---- start ---- */

/* What clients send makes libwebsockets complain: past a number of lines the rest is left out for a
 * while, or a client could fill the log. Each shard counts its own. */
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
        log_line(as, "libwebsockets has more to say, left out for a minute");
    }
}

static bool create_context(struct shard *shard)
{
    /* None of its own: each of its timers is looked for among all others, which 10,000 clients do
     * not bear. See on_watch(). */
    static const lws_retry_bo_t no_keep_alive;
    size_t largest = proto_snapshot_bound(packed_bound(SCENE_BOIDS_MAX), PROTO_PEOPLE_MAX);
    /* A write longer than tx_packet_size is cut, and the rest copied for each client. */
    struct lws_protocols protocols[] = {
        {.name = "http",
         .callback = http_callback,
         .per_session_data_size = sizeof(struct http_connection),
         .tx_packet_size = PAGE_SIZE_MAX},
        {.name = PROTO_SUBPROTOCOL,
         .callback = session_callback,
         .per_session_data_size = sizeof(struct session),
         .rx_buffer_size = RX_BUFFER,
         .tx_packet_size = largest},
        {.name = NULL},
    };
    void *loops[] = {&shard->loop};
    /* Headers being read take memory as they come, so their number needs no limit of its own below
     * that of open files: with one, that many clients who dawdle would lock out everyone else. */
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
        .retry_and_idle_policy = &no_keep_alive,
        .alpn = "http/1.1", /* the flock's WebSocket is one of HTTP/1.1 */
    };

    if (shard->context->service->tls != NULL) {
        /* http_callback() sets it up, and says so to those who come without TLS. */
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

static bool create_handles(struct shard *shard)
{
    uv_timer_init(&shard->loop, &shard->timer);
    shard->timer.data = shard;
    uv_timer_init(&shard->loop, &shard->watch);
    shard->watch.data = shard;
    uv_timer_start(&shard->watch, on_watch, WATCH_TIME, WATCH_TIME);
    if (uv_async_init(&shard->loop, &shard->wake, on_wake) != 0) {
        return false;
    }
    shard->wake.data = shard;
    if (shard->admin.listener >= 0 &&
        !acceptor_start(&shard->admin, shard->context, &shard->loop, shard->vhost, shard)) {
        return false;
    }
    return acceptor_start(&shard->acceptor, shard->context, &shard->loop, shard->vhost, shard);
}

/* Opens the socket of --admin-bind on the first shard. */
static bool open_admin(struct shard *shard, char *error, size_t error_size)
{
    const char *text = shard->context->service->config->admin_bind;
    const char *colon = strrchr(text, ':');
    bool brackets = text[0] == '[';
    char host[CONFIG_TEXT_MAX];
    unsigned port;

    if (colon == NULL || shard->context->shard != 0) {
        return true;
    }
    snprintf(host, sizeof host, "%.*s", (int)(colon - text) - 2 * brackets, text + brackets);
    port = (unsigned)strtoul(colon + 1, NULL, 10);
    shard->admin.admin = true;
    shard->admin.listener = listen_open(host, &port, false, error, error_size);
    return shard->admin.listener >= 0;
}

bool shard_create(struct shard *shard, struct context *context, unsigned *port)
{
    const struct config *config = context->service->config;
    char error[1400];

    *shard = (struct shard){.context = context, .acceptor.listener = -1, .admin.listener = -1};
    if (uv_loop_init(&shard->loop) != 0) {
        log_error("cannot start: no event loop can be had");
        shard->loop_broken = true;
        return false;
    }
    context->loop = &shard->loop;
    shard->acceptor.listener =
        listen_open(config->bind, port, config->net_threads > 1, error, sizeof error);
    if (shard->acceptor.listener < 0 || !open_admin(shard, error, sizeof error)) {
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

/* Tells the next of the clients, in parts: libwebsockets has timers for each that is closing, and
 * looks for the place of each among all the others. */
static void close_some(struct shard *shard)
{
    struct roster *roster = shard->context->roster;
    uint32_t part = roster->slot_count / (STOP_TIME / STOP_TURN / 2) + 1;
    uint32_t left = part > CLOSES_PER_TURN ? part : CLOSES_PER_TURN;

    for (; shard->stop_next < roster->slot_count && left > 0; shard->stop_next++) {
        if (roster->slots[shard->stop_next] != NULL) {
            session_close(shard->context, session_of(roster->slots[shard->stop_next]),
                          PROTO_CLOSE_SHUTDOWN, SESSION_STOPPING);
            left--;
        }
    }
}

/* When all are gone, or time is up, stops what keeps the loop going, so that uv_run() returns. */
static void on_stopping(uv_timer_t *timer)
{
    struct shard *shard = timer->data;

    close_some(shard);
    if (shard->context->roster->count == 0 || shard->stop_turns-- == 0) {
        uv_stop(&shard->loop);
    }
}

/* Tells everyone, and gives them some time to take it. */
static void stop(struct shard *shard)
{
    shard->context->stopping = true;
    acceptor_stop(&shard->acceptor);
    if (shard->admin.listener >= 0) {
        acceptor_stop(&shard->admin);
    }
    close_some(shard);
    shard->stop_turns = STOP_TIME / STOP_TURN;
    uv_timer_start(&shard->timer, on_stopping, STOP_TURN, STOP_TURN);
}

static void close_handle(uv_handle_t *handle, void *argument)
{
    struct shard *shard = argument;

    /* Those that are the shard's own; libwebsockets closes its own. */
    if (handle->data == shard && !uv_is_closing(handle)) {
        uv_close(handle, NULL);
    }
}

/* The order is libwebsockets' for a loop that is not its own: own handles first, the context, the
 * loop until it returns, the context again. */
static void finish_loop(struct shard *shard)
{
    connection_finish(shard->context);
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
    if (shard->acceptor.listener >= 0) {
        close(shard->acceptor.listener);
    }
    if (shard->admin.listener >= 0) {
        close(shard->admin.listener);
    }
}
