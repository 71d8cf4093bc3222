/* The client's end of a WebSocket, no more of it than a load generator needs: the upgrade, masked
 * frames out, frames of any size in. Thousands fit into one process: a connection has memory of its
 * own only while a frame has come in part.
 *
 * The caller owns the struct and waits for its socket; all calls are on one thread and none
 * blocks. */
#ifndef LOAD_WEBSOCKET_H
#define LOAD_WEBSOCKET_H

#include <netinet/in.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define WEBSOCKET_FRAME_MAX (8u << 20) /* bytes; a longer one ends the connection */
#define WEBSOCKET_SEND_MAX  1024u      /* bytes of a message that can be sent */

enum websocket_opcode {
    WEBSOCKET_CONTINUATION = 0,
    WEBSOCKET_TEXT = 1,
    WEBSOCKET_BINARY = 2,
    WEBSOCKET_CLOSE = 8,
    WEBSOCKET_PING = 9,
    WEBSOCKET_PONG = 10,
};

struct websocket {
    int fd; /* -1: closed */
    bool open;
    uint8_t *part; /* of a frame, or of the answer to the upgrade, or NULL */
    size_t part_size;
    size_t part_need; /* bytes needed to continue */
};

struct websocket_frame {
    uint8_t opcode;
    bool final;
    const uint8_t *data;
    size_t size;
};

/* Called for each complete frame, whose data are valid during the call. Returns false to end: the
 * callback has then closed the socket. */
typedef bool websocket_handler(void *argument, const struct websocket_frame *frame);

enum websocket_result {
    WEBSOCKET_MORE,   /* nothing is wrong; wait until there is something to read */
    WEBSOCKET_ENDED,  /* the other side has closed the connection, or it broke */
    WEBSOCKET_BROKEN, /* the other side does not speak WebSocket as it should */
};

struct websocket_target {
    struct sockaddr_in address;
    char host[64]; /* as it goes into the Host header */
};

/* Begins to connect; source, unless its port and address are 0, is where from. receive_buffer: how
 * many bytes the kernel keeps until they are read, about; 0: its own choice. Wait until the socket
 * is writable. Returns false, with errno set, when it cannot. */
bool websocket_connect(struct websocket *ws, const struct websocket_target *target,
                       const struct sockaddr_in *source, uint32_t receive_buffer);

/* Asks for the upgrade, once the socket is writable; protocol may be NULL. Returns false, with
 * errno set, when there is no connection. */
bool websocket_upgrade(struct websocket *ws, const struct websocket_target *target,
                       const char *path, const char *protocol);

/* Reads once, at most limit bytes, and hands over the frames that are whole. After
 * websocket_upgrade() ws->open becomes true, once the server has agreed. buffer is scratch
 * memory of at least limit bytes that all sockets can share. */
enum websocket_result websocket_read(struct websocket *ws, uint8_t *buffer, size_t limit,
                                     websocket_handler *handler, void *argument);

/* Sends one message, up to WEBSOCKET_SEND_MAX bytes. Returns false when it did not go out whole: a
 * server that leaves so little unread is not worth waiting for. */
bool websocket_send(struct websocket *ws, enum websocket_opcode opcode, const uint8_t *data,
                    size_t size);

/* Closes the socket at once; accepts a closed one. */
void websocket_close(struct websocket *ws);

#endif
