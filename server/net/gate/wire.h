/* What the kernel knows of a connection, where it has to be asked: each of these is a system call.
 * 0 where it does not say. */
#ifndef WIRE_H
#define WIRE_H

#include <stdint.h>

/* Bytes that have come from the client, those that nobody has read among them; wraps. */
uint32_t wire_received(int fd);

/* Those that nobody has read. */
uint32_t wire_unread(int fd);

/* Bytes for the client that its kernel has not acknowledged, and those of them that have not even
 * been sent. */
uint32_t wire_queued(int fd);
uint32_t wire_unsent(int fd);

#endif
