/* Answered connections whose client has not taken all of its answer. If flockd only closed them,
 * the kernel would hold each answer for minutes, without a limit of their number. So flockd keeps a
 * descriptor of the connection after libwebsockets has closed its own, until the client has taken
 * the answer. It aborts a connection that is past its deadline: then the kernel discards the
 * answer. The number of lingering connections is limited: one more displaces another, as in
 * admission.h. Must be used on the shard's thread. */
#ifndef LINGER_H
#define LINGER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/ip.h"

#define LINGER_MAX 512u /* of a shard */

struct context;

/* Must be called before an answered connection is closed, while its descriptor is open. `ssl`: its
 * SSL, or NULL. `due`: its deadline in ms on the server's clock. The client reads the end of the
 * answer although the connection lingers. */
void linger_begin(struct context *context, int fd, void *ssl, const struct ip *address,
                  uint32_t due);

/* Makes the close of the descriptor discard what the client has not taken, and reset the
 * connection. */
void linger_abort(int fd);

/* Closes each connection whose client has taken the answer, and aborts the overdue ones. Must be
 * called once a second. */
void linger_watch(struct context *context);

/* Closes all; the kernel goes on to send their answers for a short time. */
void linger_finish(struct context *context);

#endif
