#include "net/gate/acceptor.h"

#include <assert.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stddef.h>
#include <string.h>
#include <sys/socket.h>

#include "base/log.h"
#include "net/gate/connection.h"

#define ACCEPTS_PER_TURN 64
#define PAUSE_TIME       250 /* ms, after file descriptors have run out */

static struct acceptor *acceptor_of(void *handle, size_t offset)
{
    return (struct acceptor *)(void *)((char *)handle - offset);
}

static void on_acceptable(uv_poll_t *poll, int status, int events);

static void on_pause_over(uv_timer_t *timer)
{
    struct acceptor *acceptor = acceptor_of(timer, offsetof(struct acceptor, pause));

    uv_poll_start(&acceptor->poll, UV_READABLE, on_acceptable);
}

/* Pauses accepting. While no file descriptor is free, the listening socket stays readable, and
 * polling it would spin. The clients wait in the kernel's backlog. */
static void pause_accepting(struct acceptor *acceptor, int error)
{
    if (!acceptor->out_of_files) {
        log_warn(
            "cannot accept connections: %s; new clients wait until others leave (raise the limit "
            "with ulimit -n)",
            strerror(error));
        acceptor->out_of_files = true;
    }
    uv_poll_stop(&acceptor->poll);
    uv_timer_start(&acceptor->pause, on_pause_over, PAUSE_TIME, 0);
}

static void on_acceptable(uv_poll_t *poll, int status, int events)
{
    struct acceptor *acceptor = acceptor_of(poll, offsetof(struct acceptor, poll));
    const int yes = 1;

    (void)events;
    for (int i = 0; status == 0 && i < ACCEPTS_PER_TURN; i++) {
        struct sockaddr_storage peer = {0};
        socklen_t size = sizeof peer;
        struct ip address;
        int fd = accept4(acceptor->listener, (struct sockaddr *)&peer, &size,
                         SOCK_NONBLOCK | SOCK_CLOEXEC);
        if (fd < 0) {
            if (errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM) {
                pause_accepting(acceptor, errno);
            }
            return;
        }
        if (acceptor->out_of_files) {
            log_info("accepting connections again");
            acceptor->out_of_files = false;
        }
        setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
        address = ip_of((const struct sockaddr *)&peer);
        connection_arrive(acceptor->context, acceptor->vhost, fd, &address, acceptor->port);
    }
}

bool acceptor_start(struct acceptor *acceptor, struct context *context, uv_loop_t *loop,
                    struct lws_vhost *vhost, void *owner)
{
    assert(acceptor->listener >= 0);
    acceptor->context = context;
    acceptor->vhost = vhost;
    uv_timer_init(loop, &acceptor->pause);
    acceptor->pause.data = owner;
    if (uv_poll_init(loop, &acceptor->poll, acceptor->listener) != 0) {
        return false;
    }
    acceptor->poll.data = owner;
    return uv_poll_start(&acceptor->poll, UV_READABLE, on_acceptable) == 0;
}

void acceptor_stop(struct acceptor *acceptor)
{
    uv_timer_stop(&acceptor->pause);
    uv_poll_stop(&acceptor->poll);
}
