/* The client's side of a WebSocket for a load generator: the upgrade, sending of masked frames, and
 * reading of frames of any size. A connection has its own memory only while a frame is incomplete,
 * so a process can have thousands.
 *
 * The caller owns the struct and waits for its socket. All calls are on one thread, and none
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
    WEBSOCKET_MORE,   /* wait until the socket is readable */
    WEBSOCKET_ENDED,  /* the server has closed the connection, or it broke */
    WEBSOCKET_BROKEN, /* the server has broken the WebSocket protocol */
};

struct websocket_target {
    struct sockaddr_in address;
    char host[64]; /* for the Host header */
};

/* Begins to connect. The caller then waits until the socket is writable. source: the local address
 * and port; 0: any. receive_buffer: about the number of unread bytes that the kernel buffers; 0:
 * its default. Returns false, with errno set, on an error. */
bool websocket_connect(struct websocket *ws, const struct websocket_target *target,
                       const struct sockaddr_in *source, uint32_t receive_buffer);

/* Sends the upgrade. Must be called when the socket is writable. protocol may be NULL. Returns
 * false, with errno set, if there is no connection. */
bool websocket_upgrade(struct websocket *ws, const struct websocket_target *target,
                       const char *path, const char *protocol);

/* Reads once, at most limit bytes, and passes complete frames to the handler. Sets ws->open when
 * the server has accepted the upgrade. buffer: scratch memory of at least limit bytes, which all
 * sockets can share. */
enum websocket_result websocket_read(struct websocket *ws, uint8_t *buffer, size_t limit,
                                     websocket_handler *handler, void *argument);

/* Sends one message of at most WEBSOCKET_SEND_MAX bytes. Returns false if the kernel did not accept
 * the whole message at once. */
bool websocket_send(struct websocket *ws, enum websocket_opcode opcode, const uint8_t *data,
                    size_t size);

/* Closes the socket at once; accepts a closed one. */
void websocket_close(struct websocket *ws);

#endif
