#include "net/shard.h"

#include <assert.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include "log.h"
#include "net/http.h"
#include "net/listen.h"
#include "net/session.h"

#define ACCEPTS_PER_TURN 64
#define ACCEPT_PAUSE     250                   /* ms, while there are no file descriptors */
#define STOP_TIME        1000                  /* ms for clients to take their close frames */
#define STOP_TURN        20                    /* ms between looks at whether they have */
#define LWS_LINES_MAX    20u                   /* libwebsockets' own lines in LWS_LINES_TIME */
#define LWS_LINES_TIME   UINT64_C(60000000000) /* ns */
#define FILES_RESERVED   24                    /* descriptors that are not clients' */
#define FILES_MIN        32

/* ---- what the hub has ---- */

static void take_replies(struct shard *shard)
{
    struct hub_reply reply;

    while (hub_take_reply(shard->hub, &reply)) {
        uint32_t index = (uint32_t)reply.session - 1;
        struct session *session = shard->sessions[index];
        if (reply.type == HUB_GONE) {
            shard->free_indices[shard->free_count++] = index;
        } else if (session != NULL && session->id == reply.session) {
            session_reply(shard, session, &reply);
            session_flush(shard, session);
        } else {
            frame_release(reply.frame);
        }
    }
}

static void on_wake(uv_async_t *wake)
{
    struct shard *shard = wake->data;
    struct state *state;

    take_replies(shard);
    state = hub_take_state(shard->hub);
    if (state == NULL) {
        return;
    }
    state_destroy(shard->state);
    shard->state = state;
    for (uint32_t index = 0; index < shard->sessions_max; index++) {
        if (shard->sessions[index] != NULL) {
            session_flush(shard, shard->sessions[index]);
        }
    }
}

/* From the sim thread. */
static void wake_shard(void *argument)
{
    struct shard *shard = argument;

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

/* Raises the limit of open files to what max_clients needs, and sizes the sessions to what was
 * granted. Returns false if it is too low to run at all. */
static bool fit_files(struct shard *shard)
{
    rlim_t wanted = shard->config->max_clients + FILES_RESERVED;
    struct rlimit limit;

    wanted = wanted < FILES_MIN ? FILES_MIN : wanted;
    shard->sessions_max = shard->config->max_clients;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0) {
        return true;
    }
    /* No more than wanted either: libwebsockets has tables of the limit's size. */
    limit.rlim_cur = wanted < limit.rlim_max ? wanted : limit.rlim_max;
    setrlimit(RLIMIT_NOFILE, &limit);
    if (limit.rlim_cur < FILES_MIN) {
        log_error("the limit of %llu open files is too low, expected at least %d (ulimit -n)",
                  (unsigned long long)limit.rlim_cur, FILES_MIN);
        return false;
    }
    if (limit.rlim_cur < wanted) {
        shard->sessions_max = (uint32_t)(limit.rlim_cur - FILES_RESERVED);
        log_warn("the limit of %llu open files leaves room for %u clients instead of %u",
                 (unsigned long long)limit.rlim_cur, shard->sessions_max,
                 shard->config->max_clients);
    }
    return true;
}

/* ---- start ---- */

/* What clients send makes libwebsockets complain: past a number of lines the rest is left out for a
 * while, or a client could fill the log. Called on the loop's thread alone. */
static void on_lws_log(int level, const char *line)
{
    static uint64_t since; /* ns */
    static unsigned lines;
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
    static const lws_retry_bo_t keep_alive = {.secs_since_valid_ping = 20,
                                              .secs_since_valid_hangup = 40};
    size_t largest =
        proto_snapshot_bound((size_t)ROOM_BOIDS_MAX * PROTO_BOID_SIZE, PROTO_PEOPLE_MAX);
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
        .retry_and_idle_policy = &keep_alive,
    };

    static_assert(sizeof protocols == sizeof shard->protocols, "one terminator");
    memcpy(shard->protocols, protocols, sizeof protocols);
    lws_set_log_level(LLL_ERR | LLL_WARN, on_lws_log);
    shard->context = lws_create_context(&info);
    shard->vhost = shard->context != NULL ? lws_get_vhost_by_name(shard->context, "default") : NULL;
    return shard->vhost != NULL;
}

static bool create_hub(struct shard *shard, const struct room_definition *room)
{
    struct hub_definition definition = {
        .room = *room,
        .sessions_max = shard->sessions_max,
        .wake = wake_shard,
        .argument = shard,
    };

    definition.room.people_max = shard->sessions_max;
    shard->hub = hub_create(&definition);
    return shard->hub != NULL;
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

static void print_where(const struct shard *shard, const struct room_definition *room)
{
    const struct config *config = shard->config;
    bool everywhere = strcmp(config->bind, "0.0.0.0") == 0 || strcmp(config->bind, "::") == 0;
    bool local = strcmp(config->bind, "127.0.0.1") == 0 || strcmp(config->bind, "localhost") == 0 ||
                 strcmp(config->bind, "::1") == 0;
    bool ipv6 = strchr(config->bind, ':') != NULL && !everywhere;
    char at[300];

    snprintf(at, sizeof at, ipv6 ? "[%s]:%u" : "%s:%u", everywhere ? "127.0.0.1" : config->bind,
             shard->port);
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
               shard->port);
    }
    fflush(stdout);
}

/* ---- end ---- */

/* Stops what keeps the loop going, so that uv_run() returns. */
static void on_stopped(uv_timer_t *timer)
{
    struct shard *shard = timer->data;

    if (shard->session_count > 0 && shard->stop_turns-- > 0) {
        return;
    }
    uv_stop(&shard->loop);
}

static void on_signal(uv_signal_t *handle, int number)
{
    struct shard *shard = handle->data;

    if (shard->stopping) {
        return;
    }
    log_info("%s: shutting down", number == SIGTERM ? "SIGTERM" : "SIGINT");
    shard->stopping = true;
    uv_poll_stop(&shard->acceptor);
    for (uint32_t index = 0; index < shard->sessions_max; index++) {
        if (shard->sessions[index] != NULL) {
            session_close(shard->sessions[index], PROTO_CLOSE_SHUTDOWN, SHARD_STOPPING);
        }
    }
    shard->stop_turns = STOP_TIME / STOP_TURN;
    uv_timer_start(&shard->timer, on_stopped, STOP_TURN, STOP_TURN);
}

static bool create_handles(struct shard *shard)
{
    static const int numbers[] = {SIGTERM, SIGINT};

    if (uv_poll_init(&shard->loop, &shard->acceptor, shard->listener) != 0) {
        return false;
    }
    shard->acceptor.data = shard;
    uv_timer_init(&shard->loop, &shard->timer);
    shard->timer.data = shard;
    for (size_t i = 0; i < 2; i++) {
        if (uv_signal_init(&shard->loop, &shard->signals[i]) != 0) {
            return false;
        }
        shard->signals[i].data = shard;
        if (uv_signal_start(&shard->signals[i], on_signal, numbers[i]) != 0) {
            return false;
        }
    }
    return uv_poll_start(&shard->acceptor, UV_READABLE, on_acceptable) == 0;
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

/* Takes a shard that was created in part as well. */
static void shard_finish(struct shard *shard)
{
    hub_stop(shard->hub);
    if (!shard->loop_broken) {
        finish_loop(shard);
    }
    hub_destroy(shard->hub);
    if (shard->listener >= 0) {
        close(shard->listener);
    }
    proto_decoder_destroy(shard->decoder);
    state_destroy(shard->state);
    page_free(&shard->page);
    free(shard->sessions);
    free(shard->free_indices);
}

int shard_run(const struct config *config, const struct room_definition *room)
{
    struct shard shard = {.config = config, .listener = -1, .port = config->port};
    char error[1400];
    int code = 1;

    if (!fit_files(&shard)) {
        return 1;
    }
    if (!page_load(&shard.page, config->web, error, sizeof error)) {
        log_error("the page cannot be served: %s (make web builds it; --web names its folder)",
                  error);
        return 1;
    }
    if (uv_loop_init(&shard.loop) != 0) {
        log_error("cannot start: no event loop can be had");
        page_free(&shard.page);
        return 1;
    }
    uv_async_init(&shard.loop, &shard.wake, on_wake);
    shard.wake.data = &shard;
    shard.listener = listen_open(config->bind, &shard.port, error, sizeof error);
    shard.decoder = proto_decoder_create();
    if (shard.listener < 0) {
        log_error("%s", error);
    } else if (!create_context(&shard)) {
        log_error("libwebsockets cannot start (is libwebsockets-evlib-uv installed?)");
        shard.loop_broken = true;
    } else if (shard.decoder == NULL || !create_sessions(&shard) || !create_handles(&shard) ||
               !create_hub(&shard, room)) {
        log_error("cannot start: out of memory, threads or file descriptors");
    } else {
        print_where(&shard, room);
        uv_run(&shard.loop, UV_RUN_DEFAULT);
        code = 0;
    }
    shard_finish(&shard);
    return code;
}
