/* The WebSocket of a session: libwebsockets as a client on the owner's libuv loop.
 *
 * One connection at a time. The client resolves names without blocking the loop, tries each address
 * in turn, joins fragments up to a limit, and asks the owner for a message when the connection can
 * take one. All on the loop's thread; callbacks come from the loop, or from within a call to this
 * module. */
#ifndef TERM_CLIENT_H
#define TERM_CLIENT_H

#include "term/net/request.h"
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
    /* code: of the WebSocket close, 0: none; reason: for people, from outside */
    void (*closed)(void *owner, int code, const char *reason);
    /* Writes the next message (at most PROTO_MESSAGE_MAX bytes) and returns its size; 0: none. */
    size_t (*next)(void *owner, uint8_t *buffer);
    void (*trying)(void *owner); /* an address of the host is tried now */
};

struct term_client;

/* The loop, the URL and the trust's file name must outlive the client. Returns NULL if memory runs
 * out or the library does not start. */
struct term_client *term_client_create(uv_loop_t *loop, const struct term_url *url,
                                       const struct term_trust *trust,
                                       const struct term_client_events *events);

/* Begins to destroy the client: drops the connection. Must be called for all clients of a loop
 * before any client is destroyed. Takes NULL. */
void term_client_leave(struct term_client *client);

/* Frees a client that was left; runs the loop until the library has closed its
 * handles. Takes NULL. Returns false while a name is being resolved, which nothing can interrupt:
 * then the loop must not be closed, and the process must end by _exit(). */
bool term_client_destroy(struct term_client *client);

/* Starts a connection; calls `closed` if that fails. Must not be called during a connection. */
void term_client_connect(struct term_client *client);

/* Must be called about 60 times a second: tries the next address after one has failed, or has not
 * answered in its time. */
void term_client_tick(struct term_client *client);

/* The owner has a message: `next` is called when the connection can take it. */
void term_client_wake(struct term_client *client);

/* Drops the connection, or the attempt at one, without a call of `closed`. */
void term_client_drop(struct term_client *client);

/* Drops the connection; the next one goes to the server at the client's URL, which has changed, and
 * names that room.
 * Returns false if that server needs TLS and the client was created without TLS. */
bool term_client_aim(struct term_client *client, const char *room);

/* Sends an HTTP request to the server of the last connection: see term_request_send(). Returns NULL
 * if there was no connection yet, too. */
struct term_request *term_client_request(const struct term_client *client, const char *path,
                                         const char *body,
                                         const struct term_request_events *events);

#endif
