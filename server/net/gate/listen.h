/* The listening sockets: made by hand rather than by libwebsockets, so that each failure has its
 * own clear line. */
#ifndef LISTEN_H
#define LISTEN_H

#include <stdbool.h>
#include <stddef.h>

/* Listens on that address (or host name) and port (0: a free one). A shared port may be listened on
 * again by sockets that share it, for whom the kernel spreads the connections; whoever opens the
 * first one asks listen_free() before. Returns the socket, non-blocking, and the port in *port; or
 * -1 and one line in error. */
int listen_open(const char *bind, unsigned *port, bool shared, char *error, size_t error_size);

/* Whether nobody listens there, not even with a shared port; else false and one line in error. */
bool listen_free(const char *bind, unsigned port, char *error, size_t error_size);

#endif
