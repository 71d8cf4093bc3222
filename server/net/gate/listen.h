/* The listening sockets. flockd opens them itself because libwebsockets does not report why it
 * failed. */
#ifndef LISTEN_H
#define LISTEN_H

#include <stdbool.h>
#include <stddef.h>

/* Listens on that address (or host name) and port (0: a free one). With `shared`, several sockets
 * may listen on the same port, and the kernel spreads the connections among them; listen_free()
 * must be called before the first. Returns the non-blocking socket and stores the port in *port. On
 * failure returns -1 with one line in error. */
int listen_open(const char *bind, unsigned *port, bool shared, char *error, size_t error_size);

/* Returns true if no socket listens there, shared or not; else false with one line in error. */
bool listen_free(const char *bind, unsigned port, char *error, size_t error_size);

#endif
