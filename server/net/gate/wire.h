/* The kernel's counters of a connection. Each call is a system call. Returns 0 if the kernel does
 * not report the number. */
#ifndef GATE_WIRE_H
#define GATE_WIRE_H

#include <stdbool.h>
#include <stdint.h>

/* Returns the bytes received from the client, read or unread; wraps. */
uint32_t wire_received(int fd);

/* Returns the packets with data that the client has sent. */
uint32_t wire_packets(int fd);

/* Returns the unread bytes. */
uint32_t wire_unread(int fd);

/* Returns for how many ms the newest received bytes have been here. */
uint32_t wire_waited(int fd);

/* wire_queued() returns the bytes that the client's kernel has not acknowledged; wire_unsent()
 * those among them that this machine has not sent. */
uint32_t wire_queued(int fd);
uint32_t wire_unsent(int fd);

/* Returns true if the connection is broken, or both sides have closed it. */
bool wire_is_closed(int fd);

/* Returns true if the client has closed its end, or the connection is broken. Needed while nothing
 * is read from the socket. */
bool wire_has_ended(int fd);

#endif
