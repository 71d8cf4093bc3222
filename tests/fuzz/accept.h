/* A whole flockd in this process, for fuzz targets that test the accept path: from the bytes of a
 * connection through libwebsockets, the session and the room, and back. Each input has its own
 * connection, from another loopback address than the input before. */
#ifndef TEST_ACCEPT_H
#define TEST_ACCEPT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ACCEPT_KEY "key-of-the-fuzzed"

/* Connects. The first call starts the server, which ends with the process. */
int accept_open(void);

/* Sends the bytes. Returns false if the server has closed the connection. */
bool accept_send(int fd, const void *bytes, size_t size);

/* Reads at most `size` bytes within `ms`. Returns their number; 0 at the end. */
size_t accept_read(int fd, void *bytes, size_t size, int ms);

/* Ends sending, reads until the server ends the connection, and closes it. The server must do so
 * within two minutes. */
void accept_close(int fd);

#endif
