/* A whole flockd in this process, for fuzz targets that drive the accept path: from the bytes of a
 * connection over libwebsockets and the session to the room and back. Each input is a connection of
 * its own, from another address of the loopback network than the one before. */
#ifndef TEST_ACCEPT_H
#define TEST_ACCEPT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ACCEPT_KEY "key-of-the-fuzzed"

/* Connects, starting the server when it is the first time; the server ends with the process. */
int accept_open(void);

/* Sends as many bytes as the server takes. Returns false if the server has closed the
 * connection. */
bool accept_send(int fd, const void *bytes, size_t size);

/* Reads at most `size` bytes within `ms`. Returns how many; 0 at the end. */
size_t accept_read(int fd, void *bytes, size_t size, int ms);

/* Sends nothing more, reads until the server ends the connection (which must happen within two
 * minutes), and closes. */
void accept_close(int fd);

#endif
