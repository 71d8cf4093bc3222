#include "cluster/forward.h"

#include <assert.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/counter.h"
#include "base/ip.h"
#include "base/list.h"
#include "base/network.h"

#define WATCH_TIME 100 /* ms between two looks for streams that are overdue */
#define ENDED_MAX  8u  /* streams that were ended for others and are not freed yet */

#define REFUSAL(status, retry, text)                                                               \
    "HTTP/1.1 " status "\r\ncontent-type: application/json\r\ncache-control: no-store\r\n"         \
    "x-content-type-options: nosniff\r\n" retry "connection: close\r\n\r\n"                        \
    "{\"error\":{\"code\":\"full\",\"field\":\"\",\"message\":\"" text "\"}}\n"

static const char refusal_away[] = REFUSAL("503 Service Unavailable", "retry-after: 2\r\n",
                                           "the room's server cannot be reached at the moment; "
                                           "try again in a moment");
static const char refusal_busy[] = REFUSAL("503 Service Unavailable", "retry-after: 2\r\n",
                                           "the server is too busy; try again in a moment");
static const char refusal_head[] = "HTTP/1.1 400 Bad Request\r\ncontent-type: text/plain\r\n"
                                   "cache-control: no-store\r\nconnection: close\r\n\r\n"
                                   "The request's head is malformed.\n";

/* One direction: what was read and waits to be written. */
struct way {
    uint8_t *bytes; /* FORWARD_BUFFER */
    size_t begin, end;
    bool ended; /* the reader's side has sent all */
    bool shut;  /* and the other side knows */
};

/* One of the two sockets. */
struct side {
    uv_poll_t poll; /* must be first: libuv's pointers are to it */
    struct stream *stream;
    int fd;
};

/* The owner of streams. */
struct account {
    enum forward_rank rank;
    struct ip network; /* of a stranger */
    uint64_t number;   /* with a room's key */
};

struct stream {
    struct forwards *forwards;
    struct list_item item;
    struct side client, node;
    struct way up, down; /* to the node, to the client */
    bool connected;
    bool answered; /* the client has got bytes of the answer */
    bool closing;
    unsigned open; /* handles that libuv has not closed yet */
    uint64_t due;  /* ms on the loop's clock */
    struct account account;
    uint32_t siblings; /* streams of its account when it began, with it; there may be fewer now; 0
                        * with the server's key */
    char address[NETWORK_ADDRESS_MAX];
};

struct forwards {
    uv_timer_t watch; /* must be first; runs while there are streams */
    uv_loop_t *loop;
    struct forwards_definition definition;
    struct list streams;
    uint32_t count; /* streams, also closing ones */
    uint32_t counts[FORWARD_RANKS];
    bool ending;
    bool watch_closed;
};

static_assert(offsetof(struct side, poll) == 0 && offsetof(struct forwards, watch) == 0,
              "libuv's pointers are to the first members");

/* ---- end ---- */

static void free_if_over(struct forwards *forwards)
{
    if (forwards->ending && forwards->watch_closed && forwards->count == 0) {
        free(forwards);
    }
}

static void free_stream(struct stream *stream)
{
    struct forwards *forwards = stream->forwards;

    forwards->count--;
    forwards->counts[stream->account.rank]--;
    free(stream->up.bytes);
    free(stream->down.bytes);
    free(stream);
    if (forwards->count == 0 && !forwards->ending) {
        uv_timer_stop(&forwards->watch);
    }
    free_if_over(forwards);
}

static void on_side_closed(uv_handle_t *handle)
{
    struct side *side = (struct side *)(void *)handle;

    close(side->fd);
    if (--side->stream->open == 0) {
        free_stream(side->stream);
    }
}

static void close_stream(struct stream *stream)
{
    if (stream->closing) {
        return;
    }
    stream->closing = true;
    list_remove(&stream->forwards->streams, &stream->item);
    uv_close((uv_handle_t *)&stream->client.poll, on_side_closed);
    uv_close((uv_handle_t *)&stream->node.poll, on_side_closed);
}

/* Sends an answer of this node's own. One send is enough: nothing was sent before. */
static void answer_client(int fd, const char *text)
{
    if (send(fd, text, strlen(text), MSG_DONTWAIT | MSG_NOSIGNAL) > 0) {
        shutdown(fd, SHUT_WR);
    }
}

/* Reads what the client has sent: closing a socket with unread bytes resets it, and the client may
 * lose the answer. Returns false if the client has closed, too. */
static bool discard_bytes(int fd)
{
    uint8_t bytes[4096];
    ssize_t size;

    for (unsigned i = 0; i < FORWARD_BUFFER / sizeof bytes; i++) {
        size = recv(fd, bytes, sizeof bytes, MSG_DONTWAIT);
        if (size <= 0) {
            return size < 0 && errno == EAGAIN;
        }
    }
    return true;
}

static void turn_away(int fd, const char *text)
{
    answer_client(fd, text);
    (void)discard_bytes(fd);
    close(fd);
}

void forward_refuse(int fd)
{
    turn_away(fd, refusal_away);
}

/* Ends a stream whose answer has not come, or not whole. */
static void end_stream(struct stream *stream, const char *text)
{
    counter_add(stream->forwards->definition.failed, 1);
    if (!stream->answered) {
        answer_client(stream->client.fd, text);
        (void)discard_bytes(stream->client.fd);
    }
    close_stream(stream);
}

static void fail_stream(struct stream *stream)
{
    end_stream(stream, refusal_away);
}

/* ---- bytes ---- */

static bool is_full(const struct way *way)
{
    return way->end == FORWARD_BUFFER;
}

static bool is_empty(const struct way *way)
{
    return way->begin == way->end;
}

/* Reads into the way. Returns false if the connection is broken. */
static bool fill_way(struct way *way, int fd)
{
    ssize_t size;

    if (way->ended || is_full(way)) {
        return true;
    }
    size = recv(fd, way->bytes + way->end, FORWARD_BUFFER - way->end, MSG_DONTWAIT);
    if (size > 0) {
        way->end += (size_t)size;
    } else if (size == 0) {
        way->ended = true;
    } else {
        return errno == EAGAIN || errno == EINTR;
    }
    return true;
}

/* Writes from the way. Returns false if the connection is broken. */
static bool drain_way(struct way *way, int fd)
{
    ssize_t size;

    if (!is_empty(way)) {
        size =
            send(fd, way->bytes + way->begin, way->end - way->begin, MSG_DONTWAIT | MSG_NOSIGNAL);
        if (size < 0 && errno != EAGAIN && errno != EINTR) {
            return false;
        }
        way->begin += size > 0 ? (size_t)size : 0;
    }
    if (is_empty(way)) {
        way->begin = way->end = 0;
        if (way->ended && !way->shut) {
            way->shut = true;
            shutdown(fd, SHUT_WR);
        }
    }
    return true;
}

static void on_ready(uv_poll_t *poll, int status, int events);

/* Waits for what the socket of that side can do next. */
static bool poll_side(struct side *side, const struct way *in, const struct way *out)
{
    int events = (!in->ended && !is_full(in) ? UV_READABLE : 0) | (is_empty(out) ? 0 : UV_WRITABLE);

    return (events == 0 ? uv_poll_stop(&side->poll)
                        : uv_poll_start(&side->poll, events, on_ready)) == 0;
}

static bool poll_both(struct stream *stream)
{
    return poll_side(&stream->client, &stream->up, &stream->down) &&
           poll_side(&stream->node, &stream->down, &stream->up);
}

static void postpone(struct stream *stream, uint64_t time)
{
    stream->due = uv_now(stream->forwards->loop) + time;
}

/* The answer is complete: waits for the client to read it and to close. */
static void linger_stream(struct stream *stream)
{
    if (!discard_bytes(stream->client.fd) || uv_poll_stop(&stream->node.poll) != 0 ||
        uv_poll_start(&stream->client.poll, UV_READABLE, on_ready) != 0) {
        close_stream(stream);
    }
}

/* The node reads no more; it may have answered before. */
static void stop_way(struct way *way)
{
    way->begin = way->end = 0;
    way->ended = way->shut = true;
}

/* Moves bytes to the client. Returns false if the stream is over. */
static bool move_down(struct stream *stream)
{
    struct way *down = &stream->down;

    down->ended = !fill_way(down, stream->node.fd) || down->ended;
    stream->answered = stream->answered || !is_empty(down);
    if (down->ended && !stream->answered) {
        fail_stream(stream);
        return false;
    }
    return drain_way(down, stream->client.fd);
}

/* Moves bytes both ways, as many as the sockets take now. A client that is gone ends the stream; so
 * does a node, but first the client gets what the node has sent. */
static void move_bytes(struct stream *stream)
{
    const bool client = fill_way(&stream->up, stream->client.fd);

    if (!drain_way(&stream->up, stream->node.fd)) {
        stop_way(&stream->up);
    }
    const bool lasts = client && move_down(stream);
    if (lasts && stream->down.shut) {
        postpone(stream, stream->forwards->definition.linger);
        linger_stream(stream);
    } else if (!lasts || !poll_both(stream)) {
        close_stream(stream);
    }
}

/* The node has taken the connection, or refused it. */
static void finish_connect(struct stream *stream)
{
    int error = 0;
    socklen_t size = sizeof error;

    if (getsockopt(stream->node.fd, SOL_SOCKET, SO_ERROR, &error, &size) != 0 || error != 0) {
        fail_stream(stream);
        return;
    }
    stream->connected = true;
    postpone(stream, stream->forwards->definition.silence);
    move_bytes(stream);
}

/* A status other than 0: the connection is broken; what the node has sent before can still be read.
 */
static void on_ready(uv_poll_t *poll, int status, int events)
{
    struct stream *stream = ((struct side *)(void *)poll)->stream;

    (void)events;
    if (stream->closing) {
        return;
    }
    if (!stream->connected) {
        finish_connect(stream);
    } else if (status != 0 && poll == &stream->client.poll) {
        close_stream(stream);
    } else if (stream->down.shut) {
        linger_stream(stream);
    } else {
        postpone(stream, stream->forwards->definition.silence);
        move_bytes(stream);
    }
}

/* ---- begin ---- */

/* Stores the socket address of text such as "10.0.0.3:8081" or "[::1]:8081". */
static bool read_address(const char *text, struct sockaddr_storage *address)
{
    const char *colon = strrchr(text, ':');
    bool brackets = text[0] == '[';
    char host[FORWARD_ADDRESS_MAX];
    long port = colon != NULL ? strtol(colon + 1, NULL, 10) : 0;

    if (port <= 0 || port > UINT16_MAX || (brackets && (colon == text || colon[-1] != ']'))) {
        return false;
    }
    snprintf(host, sizeof host, "%.*s", (int)(colon - text) - 2 * brackets, text + brackets);
    return (brackets ? uv_ip6_addr(host, (int)port, (struct sockaddr_in6 *)(void *)address)
                     : uv_ip4_addr(host, (int)port, (struct sockaddr_in *)(void *)address)) == 0;
}

/* Begins a connection to the node. Returns its socket, or -1. */
static int connect_node(const struct forward_node *node)
{
    struct sockaddr_storage address = {0};
    const int yes = 1;
    int fd;

    if (!read_address(node->address, &address)) {
        return -1;
    }
    fd = socket(address.ss_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (fd < 0) {
        return -1;
    }
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    if (connect(fd, (struct sockaddr *)&address,
                address.ss_family == AF_INET ? sizeof(struct sockaddr_in)
                                             : sizeof(struct sockaddr_in6)) != 0 &&
        errno != EINPROGRESS) {
        close(fd);
        return -1;
    }
    return fd;
}

/* Reads the head from the client, and writes it for the node. Returns false if it is malformed. */
static bool take_head(struct stream *stream, size_t head_size, const char *key)
{
    static _Thread_local char head[FORWARD_HEAD_MAX];
    ssize_t size =
        head_size <= sizeof head ? recv(stream->client.fd, head, head_size, MSG_DONTWAIT) : -1;

    if (size != (ssize_t)head_size) {
        return false;
    }
    stream->up.end = forward_rewrite(head, head_size, stream->address, key,
                                     (char *)stream->up.bytes, FORWARD_BUFFER);
    return stream->up.end > 0;
}

static bool is_same(const struct account *a, const struct account *b)
{
    return a->rank == b->rank && a->number == b->number && ip_same(&a->network, &b->network);
}

/* Returns how many streams the account has. */
static uint32_t count_streams(const struct forwards *forwards, const struct account *account)
{
    uint32_t count = 0;

    for (struct list_item *item = forwards->streams.first; item != NULL; item = item->next) {
        const struct stream *stream = list_entry(item, struct stream, item);
        count += is_same(&stream->account, account);
    }
    return count;
}

/* Returns the newest stream of the account of that rank or a lower one with the most streams, if
 * these are at least `least`; NULL: none. */
static struct stream *find_most(const struct forwards *forwards, enum forward_rank rank,
                                uint32_t least)
{
    struct stream *found = NULL;
    uint32_t most = least - 1;

    for (struct list_item *item = forwards->streams.last; item != NULL; item = item->previous) {
        struct stream *stream = list_entry(item, struct stream, item);
        const bool may_have = stream->account.rank <= rank && stream->siblings > most;
        const uint32_t count = may_have ? count_streams(forwards, &stream->account) : 0;
        if (count > most) {
            most = count;
            found = stream;
        }
    }
    return found;
}

/* Ends the stream that find_most() finds, whose memory is freed a turn later. Returns false if
 * there is none. */
static bool end_most(const struct forwards *forwards, enum forward_rank rank, uint32_t least)
{
    struct stream *most = find_most(forwards, rank, least);

    if (most != NULL) {
        end_stream(most, refusal_busy);
    }
    return most != NULL;
}

/* Ends a stream for a request with the server's key. */
static bool end_lowest(const struct forwards *forwards)
{
    for (enum forward_rank rank = FORWARD_STRANGER; rank < FORWARD_SERVER; rank++) {
        if (end_most(forwards, rank, 1)) {
            return true;
        }
    }
    return false;
}

/* Returns true if streams of that rank and of lower ranks have reached their limit, with `more`
 * beyond it. */
static bool has_all(const struct forwards *forwards, enum forward_rank rank, uint32_t more)
{
    const uint32_t limit = forwards->definition.limit;
    const uint32_t reserved = (FORWARD_SERVER - rank) * (limit / FORWARD_RESERVE);
    uint32_t count = 0;

    for (enum forward_rank lower = FORWARD_STRANGER; lower <= rank; lower++) {
        count += forwards->counts[lower];
    }
    return count >= limit - reserved + more;
}

/* Returns whether the limits of the node and of the account allow one more stream than its `own`.
 * When there are too many, ends one for it. */
static bool make_room(const struct forwards *forwards, enum forward_rank rank, uint32_t own)
{
    enum forward_rank full = FORWARD_RANKS; /* the lowest that is; FORWARD_RANKS: none */

    if (rank != FORWARD_SERVER && own * FORWARD_SHARE >= forwards->definition.limit) {
        return false;
    }
    for (enum forward_rank at = rank; at < FORWARD_RANKS; at++) {
        if (has_all(forwards, at, ENDED_MAX)) {
            return false;
        }
        full = full == FORWARD_RANKS && has_all(forwards, at, 0) ? at : full;
    }
    if (full == FORWARD_RANKS) {
        return true;
    }
    return rank == FORWARD_SERVER ? end_lowest(forwards) : end_most(forwards, full, own + 2);
}

/* A stranger's account is the part of its address that limits count. */
static struct account account_of(const struct forward_request *request)
{
    struct account account = {.rank = request->rank};
    struct ip address = {0};

    if (request->rank == FORWARD_STRANGER) {
        (void)ip_read(request->client, &address);
        account.network = ip_network(&address);
    } else {
        account.number = request->account;
    }
    return account;
}

static struct stream *create_stream(int fd, const char *client)
{
    struct stream *stream = calloc(1, sizeof *stream);

    if (stream == NULL) {
        return NULL;
    }
    stream->up.bytes = malloc(FORWARD_BUFFER);
    stream->down.bytes = malloc(FORWARD_BUFFER);
    if (stream->up.bytes == NULL || stream->down.bytes == NULL) {
        free(stream->up.bytes);
        free(stream->down.bytes);
        free(stream);
        return NULL;
    }
    stream->client = (struct side){.stream = stream, .fd = fd};
    stream->node = (struct side){.stream = stream, .fd = -1};
    snprintf(stream->address, sizeof stream->address, "%s", client);
    return stream;
}

/* Frees a stream without handles. */
static void discard_stream(struct stream *stream)
{
    free(stream->up.bytes);
    free(stream->down.bytes);
    free(stream);
}

static void on_watch(uv_timer_t *watch);

/* Adds the stream to the loop. Its node's socket waits for the connection. */
static bool open_stream(struct forwards *forwards, struct stream *stream)
{
    if (uv_poll_init(forwards->loop, &stream->client.poll, stream->client.fd) != 0) {
        return false;
    }
    stream->open = 1;
    stream->forwards = forwards;
    forwards->count++;
    forwards->counts[stream->account.rank]++;
    if (uv_poll_init(forwards->loop, &stream->node.poll, stream->node.fd) != 0) {
        stream->closing = true;
        uv_close((uv_handle_t *)&stream->client.poll, on_side_closed);
        close(stream->node.fd);
        return true;
    }
    stream->open = 2;
    list_append(&forwards->streams, &stream->item);
    postpone(stream, forwards->definition.connect_time);
    uv_timer_start(&forwards->watch, on_watch, WATCH_TIME, WATCH_TIME);
    if (uv_poll_start(&stream->node.poll, UV_WRITABLE, on_ready) != 0) {
        fail_stream(stream);
    }
    return true;
}

bool forward_begin(struct forwards *forwards, int fd, const struct forward_request *request,
                   const struct forward_node *node)
{
    const struct account account = account_of(request);
    const uint32_t own = request->rank != FORWARD_SERVER ? count_streams(forwards, &account) : 0;
    struct stream *stream =
        make_room(forwards, request->rank, own) ? create_stream(fd, request->client) : NULL;

    counter_add(forwards->definition.forwarded, 1);
    if (stream == NULL) {
        counter_add(forwards->definition.failed, 1);
        turn_away(fd, refusal_busy);
        return false;
    }
    stream->account = account;
    stream->siblings = request->rank != FORWARD_SERVER ? own + 1 : 0;
    if (!take_head(stream, request->head_size, node->key)) {
        counter_add(forwards->definition.failed, 1);
        turn_away(fd, refusal_head);
        discard_stream(stream);
        return false;
    }
    stream->node.fd = connect_node(node);
    if (stream->node.fd < 0 || !open_stream(forwards, stream)) {
        counter_add(forwards->definition.failed, 1);
        if (stream->node.fd >= 0) {
            close(stream->node.fd);
        }
        turn_away(fd, refusal_away);
        discard_stream(stream);
        return false;
    }
    return true;
}

/* ---- all streams ---- */

static void on_watch(uv_timer_t *watch)
{
    struct forwards *forwards = (struct forwards *)(void *)watch;
    struct list_item *item = forwards->streams.first;

    while (item != NULL) {
        struct stream *stream = list_entry(item, struct stream, item);
        item = item->next;
        if (uv_now(forwards->loop) < stream->due) {
            continue;
        }
        if (stream->answered) {
            close_stream(stream);
        } else {
            fail_stream(stream);
        }
    }
}

struct forwards *forwards_create(uv_loop_t *loop, const struct forwards_definition *definition)
{
    struct forwards *forwards = calloc(1, sizeof *forwards);

    if (forwards != NULL) {
        forwards->loop = loop;
        forwards->definition = *definition;
        uv_timer_init(loop, &forwards->watch);
    }
    return forwards;
}

static void on_watch_closed(uv_handle_t *handle)
{
    struct forwards *forwards = (struct forwards *)(void *)handle;

    forwards->watch_closed = true;
    free_if_over(forwards);
}

void forwards_destroy(struct forwards *forwards)
{
    struct list_item *item;

    if (forwards == NULL) {
        return;
    }
    forwards->ending = true;
    while ((item = forwards->streams.first) != NULL) {
        close_stream(list_entry(item, struct stream, item));
    }
    uv_close((uv_handle_t *)&forwards->watch, on_watch_closed);
}
