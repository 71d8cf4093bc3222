/* The listening socket: made by hand rather than by libwebsockets, so that each failure has its own
 * clear line. */
#ifndef LISTEN_H
#define LISTEN_H

#include <stddef.h>

/* Listens on that address (or host name) and port (0: a free one). Returns the socket,
 * non-blocking, and the port in *port; or -1 and one line in error. */
int listen_open(const char *bind, unsigned *port, char *error, size_t error_size);

#endif
