/* TLS handshakes of connections that libwebsockets has adopted. The costly part comes with the
 * client's bytes, when the client chooses: 400 clients that send them at the same moment would stop
 * the shard for half a second. So OpenSSL asks before it reads. All work is charged to the client's
 * address, and limited together with the adoptions: see arrival.h. A handshake that must wait does
 * not read, and its bytes wait in the kernel.
 *
 * For the files of gate/. Must be used on the shard's thread. */
#ifndef HANDSHAKE_H
#define HANDSHAKE_H

#include <libwebsockets.h>

struct connection;
struct context;

/* Must be called before libwebsockets adopts the connection, and with NULL after that. */
void handshake_expect(struct connection *connection);

/* Makes libwebsockets read now, not in the loop's next turn: reading a head needs memory, and so
 * only one connection at a time uses it. The next turn handles the rest of the request. */
void handshake_read(struct lws *wsi);

/* Goes on with a handshake that had to wait. May end the connection. */
void handshake_go_on(struct connection *connection);

/* Stops polling the connections whose handshakes wait. */
void handshake_halt(struct context *context);

/* Must be called before the connection is freed. */
void handshake_end(struct context *context, struct connection *connection);

#endif
