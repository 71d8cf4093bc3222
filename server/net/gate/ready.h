/* Sockets with something to read. libwebsockets would read from all of them in one turn of the
 * shard's loop, also pings, which it answers by itself. So the shard looks for such sockets, and
 * lets libwebsockets read from one after another: see readers.h.
 *
 * Owned by one shard; only its thread may use it. */
#ifndef READY_H
#define READY_H

#include <stdbool.h>
#include <uv.h>

struct ready {
    uv_poll_t poll; /* must be first; its data is the argument */
    int fd;         /* of epoll; -1: none */
    void (*found)(void *argument, void *owner);
};

/* Begins without sockets. Calls found(argument, owner) for each socket that is ready. Returns false
 * if the system has no descriptor. The caller closes the handle `poll` with the loop's others. */
bool ready_start(struct ready *ready, uv_loop_t *loop, void (*found)(void *argument, void *owner),
                 void *argument);

/* Must be called after the handle was closed and the sockets were removed. */
void ready_finish(struct ready *ready);

/* Looks at one more socket. Once it is ready, ready does not look at it until ready_again(). An end
 * and an error make a socket ready, too. Returns false when memory runs out. */
bool ready_add(const struct ready *ready, int socket, void *owner);
void ready_again(const struct ready *ready, int socket, void *owner);

/* Must be called before the socket's owner ends. */
void ready_remove(const struct ready *ready, int socket);

#endif
