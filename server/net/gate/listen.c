#include "net/gate/listen.h"

#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define BACKLOG 1024

static unsigned port_of(int fd)
{
    union {
        struct sockaddr any;
        struct sockaddr_in ip;
        struct sockaddr_in6 ip6;
    } address = {0};
    socklen_t size = sizeof address;

    if (getsockname(fd, &address.any, &size) != 0) {
        return 0;
    }
    return ntohs(address.any.sa_family == AF_INET6 ? address.ip6.sin6_port : address.ip.sin_port);
}

static void say_why(const char *bind_to, unsigned port, char *error, size_t error_size)
{
    snprintf(error, error_size, "cannot listen on %s port %u: %s%s", bind_to, port, strerror(errno),
             errno == EADDRINUSE ? "; choose another port with --port (0 picks a free port)" : "");
}

/* Returns a bound socket, or -1 with one line in error. */
static int open_bound(const char *bind_to, unsigned port, bool shared, char *error,
                      size_t error_size)
{
    struct addrinfo hints = {.ai_socktype = SOCK_STREAM, .ai_flags = AI_PASSIVE | AI_NUMERICSERV};
    struct addrinfo *address = NULL;
    const int yes = 1;
    const int no = 0;
    char service[16];
    int fd = -1;
    int result;

    snprintf(service, sizeof service, "%u", port);
    result = getaddrinfo(bind_to, service, &hints, &address);
    if (result != 0) {
        snprintf(error, error_size, "--bind: '%s' is not an address of this machine: %s", bind_to,
                 gai_strerror(result));
        return -1;
    }
    fd = socket(address->ai_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (fd < 0) {
        goto fail;
    }
    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    if (shared && setsockopt(fd, SOL_SOCKET, SO_REUSEPORT, &yes, sizeof yes) != 0) {
        goto fail;
    }
    if (address->ai_family == AF_INET6) {
        setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &no, sizeof no);
    }
    if (bind(fd, address->ai_addr, address->ai_addrlen) != 0) {
        goto fail;
    }
    freeaddrinfo(address);
    return fd;
fail:
    say_why(bind_to, port, error, error_size);
    freeaddrinfo(address);
    if (fd >= 0) {
        close(fd);
    }
    return -1;
}

int listen_open(const char *bind_to, unsigned *port, bool shared, char *error, size_t error_size)
{
    int fd = open_bound(bind_to, *port, shared, error, error_size);

    if (fd < 0) {
        return -1;
    }
    if (listen(fd, BACKLOG) != 0) {
        say_why(bind_to, *port, error, error_size);
        close(fd);
        return -1;
    }
    *port = port_of(fd);
    return fd;
}

bool listen_free(const char *bind_to, unsigned port, char *error, size_t error_size)
{
    int fd = open_bound(bind_to, port, false, error, error_size);

    if (fd < 0) {
        return false;
    }
    close(fd);
    return true;
}
