/* The life of one client, from its connection to its end. */
#include <arpa/inet.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>

#include "load.h"

#define COMPLAINTS_MAX    10u
#define ALL_TOPICS        (2u * PROTO_TOPIC_SWEPT - 1)
#define PORTS_PER_ADDRESS 20000u /* Linux has 28,232 for connections */
#define GOLDEN            0.6180339887498949
#define SILVER            0.4142135623730951

/* Prints a fault of the client, and counts it for its room. */
static void complain(const struct load *load, uint32_t index, const char *what)
{
    struct room *room = room_of(load, &load->clients[index]);

    room->wrong++;
    if (load->wrong + load->lost <= COMPLAINTS_MAX && load->room_count > 1) {
        fprintf(stderr, "flock-load: client %u in %s: %s\n", index, room->code, what);
    } else if (load->wrong + load->lost <= COMPLAINTS_MAX) {
        fprintf(stderr, "flock-load: client %u: %s\n", index, what);
    }
    if (load->wrong + load->lost == COMPLAINTS_MAX) {
        fputs("flock-load: further complaints are only counted\n", stderr);
    }
}

void client_lost(struct load *load, uint32_t index, const char *why)
{
    struct client *client = &load->clients[index];
    bool lags = client->kind == CLIENT_SLOW || client->kind == CLIENT_NEVER;

    if (client->stage == CLIENT_LIVE) {
        load->live--;
    } else {
        load->joining--;
    }
    if (client->stage == CLIENT_LIVE && lags) {
        load->tally.dropped++;
    } else {
        load->lost++;
        complain(load, index, why);
    }
    websocket_close(&client->socket);
    client->stage = CLIENT_GONE;
}

/* Sets the events to wait for on a client's socket. */
static bool watch_events(const struct load *load, uint32_t index, int operation, uint32_t events)
{
    struct epoll_event event = {.events = events, .data.u32 = index};

    return epoll_ctl(load->epoll, operation, load->clients[index].socket.fd, &event) == 0;
}

void client_join(struct load *load, uint32_t index)
{
    const struct load_options *options = load->options;
    struct client *client = &load->clients[index];
    struct sockaddr_in source = {.sin_family = AF_INET};
    uint32_t address = index / PORTS_PER_ADDRESS;

    if (address > 0 && ntohl(options->target.address.sin_addr.s_addr) >> 24 == 127) {
        source.sin_addr.s_addr = htonl(INADDR_LOOPBACK + address);
    }
    client->stage = CLIENT_CONNECTING;
    client->fresh = true;
    load->joining++;
    if (!websocket_connect(&client->socket, &options->target, &source,
                           client->kind == CLIENT_SLOW ? options->slow_buffer : 0) ||
        !watch_events(load, index, EPOLL_CTL_ADD, EPOLLOUT)) {
        client_lost(load, index, strerror(errno));
    }
}

static bool send_message(struct client *client, const struct proto_client_message *message)
{
    uint8_t bytes[PROTO_MESSAGE_MAX];
    size_t size = proto_encode_client(bytes, sizeof bytes, message);

    return size > 0 && websocket_send(&client->socket, WEBSOCKET_BINARY, bytes, size);
}

static bool say_hello(struct load *load, struct client *client)
{
    struct proto_client_message message = {
        .type = PROTO_HELLO,
        .hello = {.version = PROTO_VERSION,
                  .encoding_count = 1,
                  .rate = load->options->rate,
                  .topics = load->options->topics ? ALL_TOPICS : 0}};
    struct proto_hello *hello = &message.hello;

    snprintf(hello->room, sizeof hello->room, "%s", room_of(load, client)->code);
    snprintf(hello->encodings[0], sizeof hello->encodings[0], "%s",
             load->options->packed ? "packed" : "plain");
    return send_message(client, &message);
}

void client_writable(struct load *load, uint32_t index)
{
    const struct load_options *options = load->options;
    struct client *client = &load->clients[index];
    const char *path = options->paths != NULL ? options->paths[index] : options->path;
    const char *protocol = options->raw > 0 ? NULL : PROTO_SUBPROTOCOL;

    if (client->stage != CLIENT_CONNECTING) {
        return;
    }
    if (!websocket_upgrade(&client->socket, &options->target, path, protocol) ||
        !watch_events(load, index, EPOLL_CTL_MOD, EPOLLIN)) {
        client_lost(load, index, strerror(errno));
        return;
    }
    client->stage = CLIENT_JOINING;
}

/* Must be called after the client's welcome. From now on, slow clients and clients that never read
 * get no events for incoming data. */
static void arrive(struct load *load, uint32_t index)
{
    struct client *client = &load->clients[index];

    client->stage = CLIENT_LIVE;
    load->joining--;
    load->live++;
    load->tally.joins++;
    if (client->kind == CLIENT_SLOW || client->kind == CLIENT_NEVER) {
        watch_events(load, index, EPOLL_CTL_MOD, EPOLLRDHUP);
    }
}

struct reading {
    struct load *load;
    uint32_t index;
    uint64_t now; /* ns: when the first frame was read; 0: none yet */
};

static bool on_close(const struct reading *reading, const struct websocket_frame *frame)
{
    char why[200];
    unsigned code = frame->size < 2 ? 1005U : (unsigned)frame->data[0] << 8 | frame->data[1];
    int length = frame->size < 2 ? 0 : (int)frame->size - 2;

    snprintf(why, sizeof why, "the server closed the connection with %u \"%.*s\"", code, length,
             frame->size < 2 ? "" : (const char *)frame->data + 2);
    client_lost(reading->load, reading->index, why);
    return false;
}

static void on_message(const struct reading *reading, const uint8_t *data, size_t size)
{
    struct load *load = reading->load;
    struct client *client = &load->clients[reading->index];
    bool flock = load->options->raw == 0;
    const char *wrong = flock ? check_message(load, client, data, size, reading->now)
                              : check_payload(load, client, data, size, reading->now);

    if (wrong != NULL) {
        load->wrong++;
        complain(load, reading->index, wrong);
    } else if (client->stage == CLIENT_JOINING &&
               (flock ? load->message->type == PROTO_WELCOME : load->options->say_size > 0)) {
        arrive(load, reading->index);
        if (!flock) {
            websocket_send(&client->socket, WEBSOCKET_BINARY, load->options->say,
                           load->options->say_size);
        }
    }
}

static bool on_frame(void *argument, const struct websocket_frame *frame)
{
    struct reading *reading = argument;
    struct websocket *socket = &reading->load->clients[reading->index].socket;

    if (reading->now == 0) {
        reading->now =
            load_now(); /* after reading, because the frame may be sent during the call */
    }
    switch (frame->opcode) {
    case WEBSOCKET_CLOSE:
        return on_close(reading, frame);
    case WEBSOCKET_PING:
        websocket_send(socket, WEBSOCKET_PONG, frame->data, frame->size);
        return true;
    case WEBSOCKET_PONG:
        return true;
    default:
        break;
    }
    if (frame->final && frame->opcode == WEBSOCKET_BINARY) {
        on_message(reading, frame->data, frame->size);
    } else {
        reading->load->wrong++;
        complain(reading->load, reading->index,
                 frame->opcode == WEBSOCKET_TEXT ? "a text frame came" : "a fragment came");
    }
    return true;
}

void client_readable(struct load *load, uint32_t index, size_t limit)
{
    static uint8_t buffer[256 * 1024];
    struct client *client = &load->clients[index];
    struct reading reading = {.load = load, .index = index};
    bool was_open = client->socket.open;

    if (client->socket.fd < 0) {
        return;
    }
    enum websocket_result result = websocket_read(
        &client->socket, buffer, limit < sizeof buffer ? limit : sizeof buffer, on_frame, &reading);
    if (client->socket.fd < 0) {
        return; /* after a close frame */
    }
    if (result != WEBSOCKET_MORE) {
        client_lost(load, index,
                    result == WEBSOCKET_ENDED ? "the connection ended"
                                              : "the server's answer is not WebSocket");
    } else if (client->socket.open && !was_open && load->options->raw == 0 &&
               !say_hello(load, client)) {
        client_lost(load, index, "the hello could not be sent");
    } else if (client->socket.open && !was_open && load->options->raw > 0 &&
               load->options->say_size == 0) {
        arrive(load, index);
    }
}

void client_leave(struct load *load, uint32_t index)
{
    static const uint8_t normal[2] = {1000 >> 8, 1000 & 0xFF};
    struct client *client = &load->clients[index];

    websocket_send(&client->socket, WEBSOCKET_CLOSE, normal, sizeof normal);
    websocket_close(&client->socket);
    client->stage = CLIENT_AWAY;
    load->live--;
}

static void add_pending(struct load *load, float x, float y, uint64_t now)
{
    struct pending *pending = &load->pending;

    if (pending->count == PENDING_CURSORS) {
        load->tally.unseen++;
        pending->count--;
        memmove(pending->cursors, pending->cursors + 1,
                pending->count * sizeof pending->cursors[0]);
    }
    pending->cursors[pending->count].x = x;
    pending->cursors[pending->count].y = y;
    pending->cursors[pending->count].sent = now;
    pending->count++;
}

/* Sends a new position in the middle half of the world. Positions repeat only after a long time. */
void client_move_cursor(struct load *load, uint32_t index, uint64_t now)
{
    const struct room *room = room_of(load, &load->clients[index]);
    double turn = (double)++load->turn;
    const struct proto_client_message message = {
        .type = PROTO_CURSOR,
        .cursor = {.x = room->width * (float)(0.25 + 0.5 * fmod(turn * GOLDEN, 1.0)),
                   .y = room->height * (float)(0.25 + 0.5 * fmod(turn * SILVER, 1.0))}};

    if (send_message(&load->clients[index], &message)) {
        load->tally.cursors++;
        if (load->options->cursors == 1) {
            add_pending(load, message.cursor.x, message.cursor.y, now);
        }
    }
}

void client_ping(struct load *load, uint32_t index, uint64_t now)
{
    load->pinged = now;
    send_message(&load->clients[index],
                 &(struct proto_client_message){.type = PROTO_PING, .ping = {.t = now}});
}
