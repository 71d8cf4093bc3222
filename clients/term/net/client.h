/* The WebSocket under a session: libwebsockets as a client on the owner's libuv loop.
 *
 * One connection at a time; it resolves names without blocking the loop, tries each address in
 * turn, puts fragments together under a bound, and writes what the owner hands it when the
 * connection can take it, never more. All on the loop's thread; callbacks come from the loop, or
 * from within a call to this module. */
#ifndef TERM_CLIENT_H
#define TERM_CLIENT_H

#include "term/net/trust.h"
#include "term/net/url.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <uv.h>

struct term_client_events {
    void *owner;
    void (*opened)(void *owner);
    void (*received)(void *owner, const uint8_t *data, size_t size);
    /* code: the WebSocket's close code, 0 when there was none; reason: for people, not to be
     * trusted */
    void (*closed)(void *owner, int code, const char *reason);
    /* Writes the next message (at most PROTO_MESSAGE_MAX bytes) and returns its size, 0: none. */
    size_t (*next)(void *owner, uint8_t *buffer);
};

struct term_client;

/* The loop, the URL and the trust's file name must outlive the client. NULL when memory runs out or
 * the library does not start. */
struct term_client *term_client_create(uv_loop_t *loop, const struct term_url *url,
                                       const struct term_trust *trust,
                                       const struct term_client_events *events);

/* Drops the connection and frees everything; runs the loop until the library has let go of it.
 * Takes NULL. Returns false when a name is still being resolved, which nothing can interrupt: the
 * loop must then not be closed, and the process is to end by _exit(). */
bool term_client_destroy(struct term_client *client);

/* Starts a connection; `closed` follows if there cannot be one. Not while there is one. */
void term_client_connect(struct term_client *client);

/* To be called some 60 times a second: tries the next address when one has failed. */
void term_client_tick(struct term_client *client);

/* Asks to call `next` when the connection can take a message. */
void term_client_wake(struct term_client *client);

/* Forgets the connection, or the attempt at one. `closed` is not called. */
void term_client_drop(struct term_client *client);

#endif
