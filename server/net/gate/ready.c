#include "net/gate/ready.h"

#include <stddef.h>
#include <sys/epoll.h>
#include <unistd.h>

#define EVENTS 256

_Static_assert(offsetof(struct ready, poll) == 0, "see on_ready()");

static void on_ready(uv_poll_t *poll, int status, int revents)
{
    const struct ready *ready = (const struct ready *)(const void *)poll;
    struct epoll_event events[EVENTS];
    int count;

    (void)status;
    (void)revents;
    do {
        count = epoll_wait(ready->fd, events, EVENTS, 0);
        for (int i = 0; i < count; i++) {
            ready->found(poll->data, events[i].data.ptr);
        }
    } while (count == EVENTS);
}

bool ready_start(struct ready *ready, uv_loop_t *loop, void (*found)(void *argument, void *owner),
                 void *argument)
{
    *ready = (struct ready){.fd = epoll_create1(EPOLL_CLOEXEC), .found = found};
    if (ready->fd < 0 || uv_poll_init(loop, &ready->poll, ready->fd) != 0) {
        return false;
    }
    ready->poll.data = argument;
    return uv_poll_start(&ready->poll, UV_READABLE, on_ready) == 0;
}

void ready_finish(struct ready *ready)
{
    if (ready->fd >= 0) {
        close(ready->fd);
        ready->fd = -1;
    }
}

static bool watch(const struct ready *ready, int operation, int socket, void *owner)
{
    struct epoll_event event = {.events = EPOLLIN | EPOLLRDHUP | EPOLLONESHOT, .data.ptr = owner};

    return epoll_ctl(ready->fd, operation, socket, &event) == 0;
}

bool ready_add(const struct ready *ready, int socket, void *owner)
{
    return watch(ready, EPOLL_CTL_ADD, socket, owner);
}

void ready_again(const struct ready *ready, int socket, void *owner)
{
    (void)watch(ready, EPOLL_CTL_MOD, socket, owner);
}

void ready_remove(const struct ready *ready, int socket)
{
    (void)epoll_ctl(ready->fd, EPOLL_CTL_DEL, socket, NULL);
}
