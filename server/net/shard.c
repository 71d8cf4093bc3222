#include "net/shard.h"

#include <assert.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "log.h"
#include "net/http.h"
#include "net/listen.h"
#include "net/session.h"

#define ACCEPTS_PER_TURN 64
#define FETCH_AHEAD      3
#define WATCH_TIME       1000 /* ms between looks at who is silent */
#define WATCH_TURNS      20
#define ACCEPT_PAUSE     250  /* ms, while there are no file descriptors */
#define STOP_TIME        1000 /* ms for clients to take their close frames */
#define STOP_TURN        20   /* ms between looks at whether they have */
#define CLOSES_PER_TURN  500u
#define LWS_LINES_MAX    20u                   /* libwebsockets' own lines in LWS_LINES_TIME */
#define LWS_LINES_TIME   UINT64_C(60000000000) /* ns */

/* ---- sessions ---- */

static void free_index(struct shard *shard, uint32_t index)
{
    shard->free_indices[shard->free_count++] = index;
    atomic_fetch_sub(&shard->server->clients, 1);
}

/* The index of a session among its shard's. */
static uint32_t index_of(const struct shard *shard, uint64_t session)
{
    return (uint32_t)session - 1 - shard->number * shard->sessions_max;
}

bool shard_add(struct shard *shard, struct session *session)
{
    uint32_t index;

    if (atomic_fetch_add(&shard->server->clients, 1) >= shard->server->clients_max) {
        atomic_fetch_sub(&shard->server->clients, 1);
        return false;
    }
    index = shard->free_indices[--shard->free_count];
    session->id =
        (uint64_t)++shard->generation << 32 | (shard->number * shard->sessions_max + index + 1);
    shard->sessions[index] = session;
    shard->session_count++;
    return true;
}

void shard_remove(struct shard *shard, struct session *session)
{
    uint32_t index = index_of(shard, session->id);

    shard->sessions[index] = NULL;
    shard->session_count--;
    if (session->joined) {
        hub_leave(shard->hub, session->id);
    } else {
        free_index(shard, index);
    }
    session->id = 0;
}

/* ---- what the hub has ---- */

static void take_replies(struct shard *shard)
{
    struct hub_reply reply;

    while (hub_take_reply(shard->hub, shard->number, &reply)) {
        uint32_t index = index_of(shard, reply.session);
        struct session *session = shard->sessions[index];
        if (reply.type == HUB_GONE) {
            free_index(shard, index);
        } else if (session != NULL && session->id == reply.session) {
            session_reply(shard, session, &reply);
            session_flush(shard, session);
        } else {
            frame_release(reply.frame);
        }
    }
}

/* `held` is the shard's own of the same content, if it has one. Returns false when memory runs out.
 */
static bool own_frame(struct frame **frame, struct frame *held)
{
    struct frame *shared = *frame;

    if (shared == NULL) {
        return true;
    }
    *frame = held != NULL ? frame_hold(held) : frame_copy(shared);
    frame_release(shared);
    return *frame != NULL;
}

/* The shard holds those of a stream that are as new as its own: `held` may be NULL. */
static bool own_snapshots(struct state_stream *stream, const struct state_stream *held)
{
    uint32_t newer = held != NULL ? stream->sequence - held->sequence : STREAM_HISTORY;
    bool same_key = held != NULL && stream->key_sequence == held->key_sequence;
    bool owned = true;

    for (uint32_t age = 0; age < STREAM_HISTORY; age++) {
        uint32_t k = (stream->sequence - age) % STREAM_HISTORY;
        owned &= own_frame(&stream->deltas[k], age >= newer ? held->deltas[k] : NULL);
    }
    owned &= own_frame(&stream->key, same_key ? held->key : NULL);
    return owned;
}

/* Puts frames of this shard's own in the place of those that all share, because libwebsockets
 * writes into their headroom: copied once, however many clients there are. Parts that have not
 * changed are there already. Returns false when memory runs out. */
static bool own_frames(const struct shard *shard, struct state *state)
{
    const struct state *held = shard->state;
    bool owned = true;

    for (size_t part = 0; part < STATE_PARTS; part++) {
        bool same = held != NULL && held->versions[part] == state->versions[part];
        owned &= own_frame(&state->frames[part], same ? held->frames[part] : NULL);
    }
    for (uint32_t i = 0; i < state->stream_count; i++) {
        bool known = held != NULL && i < held->stream_count;
        owned &= own_snapshots(&state->streams[i], known ? &held->streams[i] : NULL);
    }
    return owned;
}

/* A session on its way into the cache, so that it is there when its turn comes: a twentieth of the
 * time that a fan-out of small snapshots takes. */
static void fetch(const struct session *session)
{
    if (session != NULL) {
        __builtin_prefetch(session);
        __builtin_prefetch((const char *)session + 64);
        __builtin_prefetch((const char *)session + 128);
    }
}

static void take_state(struct shard *shard)
{
    struct state *state = hub_take_state(shard->hub, shard->number);

    if (state == NULL) {
        return;
    }
    if (shard->server->shard_count > 1 && !own_frames(shard, state)) {
        state_destroy(state); /* the next one may fit */
        return;
    }
    state_destroy(shard->state);
    shard->state = state;
    for (uint32_t index = 0; index < shard->sessions_max; index++) {
        if (index + FETCH_AHEAD < shard->sessions_max) {
            fetch(shard->sessions[index + FETCH_AHEAD]);
        }
        if (shard->sessions[index] != NULL) {
            session_flush(shard, shard->sessions[index]);
        }
    }
}

/* Once a second. Everyone is asked for a sign of life every WATCH_TURNS seconds. */
static void on_watch(uv_timer_t *watch)
{
    struct shard *shard = watch->data;
    uint64_t now = hub_now(shard->hub);

    shard->watch_turn = (shard->watch_turn + 1) % WATCH_TURNS;
    for (uint32_t index = 0; index < shard->sessions_max; index++) {
        if (shard->sessions[index] == NULL) {
            continue;
        }
        if (index % WATCH_TURNS == shard->watch_turn) {
            session_ping(shard, shard->sessions[index]);
        }
        session_watch(shard->sessions[index], now);
    }
}

static void stop(struct shard *shard);

static void on_wake(uv_async_t *wake)
{
    struct shard *shard = wake->data;

    if (atomic_load(&shard->server->stopping) && !shard->stopping) {
        stop(shard);
    }
    take_replies(shard);
    take_state(shard);
}

void shard_wake(struct shard *shard)
{
    uv_async_send(&shard->wake);
}

/* ---- accepting ---- */

static void on_acceptable(uv_poll_t *acceptor, int status, int events);

static void on_accept_again(uv_timer_t *timer)
{
    struct shard *shard = timer->data;

    uv_poll_start(&shard->acceptor, UV_READABLE, on_acceptable);
}

/* Without a descriptor to accept with, the listening socket stays readable: look away for a while
 * instead of spinning. The clients wait in the kernel's backlog. */
static void pause_accepting(struct shard *shard, int error)
{
    if (!shard->out_of_files) {
        log_warn("cannot accept connections: %s; they wait until others leave (raise the limit "
                 "with ulimit -n)",
                 strerror(error));
        shard->out_of_files = true;
    }
    uv_poll_stop(&shard->acceptor);
    uv_timer_start(&shard->timer, on_accept_again, ACCEPT_PAUSE, 0);
}

static void on_acceptable(uv_poll_t *acceptor, int status, int events)
{
    struct shard *shard = acceptor->data;
    const int yes = 1;

    (void)events;
    for (int i = 0; status == 0 && i < ACCEPTS_PER_TURN; i++) {
        int fd = accept4(shard->listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
        if (fd < 0) {
            if (errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM) {
                pause_accepting(shard, errno);
            }
            return;
        }
        if (shard->out_of_files) {
            log_info("accepting connections again");
            shard->out_of_files = false;
        }
        setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
        lws_adopt_socket_vhost(shard->vhost, fd); /* closes fd itself if it fails */
    }
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
    size_t largest = proto_snapshot_bound(packed_bound(ROOM_BOIDS_MAX), PROTO_PEOPLE_MAX);
    /* A write longer than tx_packet_size is cut, and the rest copied for each client. */
    struct lws_protocols protocols[] = {
        {.name = "http", .callback = http_callback, .tx_packet_size = PAGE_SIZE_MAX},
        {.name = PROTO_SUBPROTOCOL,
         .callback = session_callback,
         .per_session_data_size = sizeof(struct session),
         .rx_buffer_size = 512,
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
        .user = shard,
        .server_string = "flockd",
        .timeout_secs = 10,
        .keepalive_timeout = 30,
        .max_http_header_data = 4096,
        .retry_and_idle_policy = &no_keep_alive,
    };

    static_assert(sizeof protocols == sizeof shard->protocols, "one terminator");
    memcpy(shard->protocols, protocols, sizeof protocols);
    lws_set_log_level(LLL_ERR | LLL_WARN, on_lws_log);
    shard->context = lws_create_context(&info);
    shard->vhost = shard->context != NULL ? lws_get_vhost_by_name(shard->context, "default") : NULL;
    return shard->vhost != NULL;
}

static bool create_sessions(struct shard *shard)
{
    shard->sessions = calloc(shard->sessions_max, sizeof(struct session *));
    shard->free_indices = malloc(shard->sessions_max * sizeof *shard->free_indices);
    if (shard->sessions == NULL || shard->free_indices == NULL) {
        return false;
    }
    while (shard->free_count < shard->sessions_max) {
        shard->free_indices[shard->free_count] = shard->sessions_max - shard->free_count - 1;
        shard->free_count++;
    }
    return true;
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
    if (uv_poll_init(&shard->loop, &shard->acceptor, shard->listener) != 0) {
        return false;
    }
    shard->acceptor.data = shard;
    return uv_poll_start(&shard->acceptor, UV_READABLE, on_acceptable) == 0;
}

bool shard_create(struct shard *shard, struct server *server, uint32_t number)
{
    char error[1400];

    *shard = (struct shard){.server = server,
                            .config = server->config,
                            .number = number,
                            .sessions_max = server->clients_max,
                            .listener = -1};
    if (uv_loop_init(&shard->loop) != 0) {
        log_error("cannot start: no event loop can be had");
        shard->loop_broken = true;
        return false;
    }
    shard->listener = listen_open(server->config->bind, &server->port,
                                  server->config->net_threads > 1, error, sizeof error);
    if (shard->listener < 0) {
        log_error("%s", error);
        return false;
    }
    if (!create_context(shard)) {
        log_error("libwebsockets cannot start (is libwebsockets-evlib-uv installed?)");
        shard->loop_broken = true;
        return false;
    }
    shard->decoder = proto_decoder_create();
    if (shard->decoder == NULL || !create_sessions(shard) || !create_handles(shard)) {
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
    uint32_t part = shard->sessions_max / (STOP_TIME / STOP_TURN / 2) + 1;
    uint32_t left = part > CLOSES_PER_TURN ? part : CLOSES_PER_TURN;

    for (; shard->stop_next < shard->sessions_max && left > 0; shard->stop_next++) {
        if (shard->sessions[shard->stop_next] != NULL) {
            session_close(shard->sessions[shard->stop_next], PROTO_CLOSE_SHUTDOWN, SHARD_STOPPING);
            left--;
        }
    }
}

/* When all are gone, or time is up, stops what keeps the loop going, so that uv_run() returns. */
static void on_stopping(uv_timer_t *timer)
{
    struct shard *shard = timer->data;

    close_some(shard);
    if (shard->session_count == 0 || shard->stop_turns-- == 0) {
        uv_stop(&shard->loop);
    }
}

/* Tells everyone, and gives them some time to take it. */
static void stop(struct shard *shard)
{
    shard->stopping = true;
    uv_poll_stop(&shard->acceptor);
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
    uv_walk(&shard->loop, close_handle, shard);
    if (shard->context != NULL) {
        lws_context_destroy(shard->context);
        uv_run(&shard->loop, UV_RUN_DEFAULT);
        lws_context_destroy(shard->context);
    }
    uv_run(&shard->loop, UV_RUN_DEFAULT);
    uv_loop_close(&shard->loop);
}

void shard_finish(struct shard *shard)
{
    if (!shard->loop_broken) {
        finish_loop(shard);
    }
    if (shard->listener >= 0) {
        close(shard->listener);
    }
    proto_decoder_destroy(shard->decoder);
    state_destroy(shard->state);
    free(shard->sessions);
    free(shard->free_indices);
}
