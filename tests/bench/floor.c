/* The floor of fan-out: a minimal server that sends the same bytes to many WebSockets at a steady
 * rate. It has one epoll loop, one send() per client and frame, and no queue. It closes a client
 * whose socket does not accept a whole frame.
 *
 *   floor PORT BYTES HZ
 *
 * The payload begins with the time of sending (ns of CLOCK_MONOTONIC) and a running number, each 8
 * bytes, little-endian. The server accepts only flock-load's upgrade, which has the example key of
 * RFC 6455. */
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#define CLIENTS_MAX 20000u
#define EVENTS      256
#define KEY         "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
#define ANSWER                                                                                     \
    "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"            \
    "Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n\r\n"

struct server {
    int epoll, listener, timer;
    uint32_t count;
    int clients[CLIENTS_MAX];     /* upgraded connections */
    uint32_t places[CLIENTS_MAX]; /* by descriptor: its index in clients plus 1; 0: not upgraded */
    uint8_t *frame;
    size_t header, size; /* size: of the whole frame */
    uint64_t number;
};

static void put_uint64(uint8_t *bytes, uint64_t value)
{
    for (unsigned i = 0; i < 8; i++) {
        bytes[i] = (uint8_t)(value >> (8 * i));
    }
}

static void hang_up(struct server *server, int fd)
{
    uint32_t place = server->places[fd];

    if (place > 0) {
        int last = server->clients[--server->count];
        server->clients[place - 1] = last;
        server->places[last] = place;
        server->places[fd] = 0;
    }
    close(fd);
}

static void on_timer(struct server *server)
{
    struct timespec now;
    uint64_t expirations;

    if (read(server->timer, &expirations, sizeof expirations) < 0) {
        return;
    }
    clock_gettime(CLOCK_MONOTONIC, &now);
    put_uint64(server->frame + server->header,
               (uint64_t)now.tv_sec * UINT64_C(1000000000) + (uint64_t)now.tv_nsec);
    put_uint64(server->frame + server->header + 8, ++server->number);
    for (uint32_t i = 0; i < server->count;) {
        int fd = server->clients[i];
        if (send(fd, server->frame, server->size, MSG_NOSIGNAL) == (ssize_t)server->size) {
            i++;
        } else {
            hang_up(server, fd); /* the last client now has this index */
        }
    }
}

static void on_listener(const struct server *server)
{
    const int yes = 1;

    for (;;) {
        int fd = accept4(server->listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
        if (fd < 0) {
            return;
        }
        struct epoll_event event = {.events = EPOLLIN, .data.fd = fd};
        setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
        if (fd >= (int)CLIENTS_MAX || epoll_ctl(server->epoll, EPOLL_CTL_ADD, fd, &event) != 0) {
            close(fd);
        }
    }
}

static void on_client(struct server *server, int fd)
{
    char bytes[1024];
    ssize_t size = read(fd, bytes, sizeof bytes);

    if (size < 0 && errno == EAGAIN) {
        return;
    }
    if (size <= 0) {
        hang_up(server, fd);
    } else if (server->places[fd] == 0) {
        if (memmem(bytes, (size_t)size, KEY, strlen(KEY)) == NULL ||
            send(fd, ANSWER, strlen(ANSWER), MSG_NOSIGNAL) != (ssize_t)strlen(ANSWER)) {
            hang_up(server, fd);
            return;
        }
        server->clients[server->count++] = fd;
        server->places[fd] = server->count;
    } /* otherwise: a pong, or a close before the end of the connection */
}

static int make_frame(struct server *server, size_t bytes)
{
    server->header = bytes < 126 ? 2 : bytes < 65536 ? 4 : 10;
    server->size = server->header + bytes;
    server->frame = calloc(1, server->size);
    if (server->frame == NULL) {
        return -1;
    }
    server->frame[0] = 0x82;
    server->frame[1] = (uint8_t)(bytes < 126 ? bytes : bytes < 65536 ? 126 : 127);
    for (size_t i = 2; i < server->header; i++) {
        server->frame[i] = (uint8_t)((uint64_t)bytes >> (8 * (server->header - 1 - i)));
    }
    return 0;
}

static int start(struct server *server, uint16_t port, long hz)
{
    struct sockaddr_in address = {
        .sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    struct rlimit limit;
    struct timespec period = {.tv_sec = hz == 1, .tv_nsec = hz == 1 ? 0 : 1000000000L / hz};
    struct itimerspec times = {.it_interval = period, .it_value = period};
    const int yes = 1;

    if (getrlimit(RLIMIT_NOFILE, &limit) == 0) { /* without success, fewer clients fit */
        limit.rlim_cur = limit.rlim_max < CLIENTS_MAX ? limit.rlim_max : CLIENTS_MAX;
        setrlimit(RLIMIT_NOFILE, &limit);
    }
    server->listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    setsockopt(server->listener, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    server->timer = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
    server->epoll = epoll_create1(EPOLL_CLOEXEC);
    struct epoll_event listener = {.events = EPOLLIN, .data.fd = server->listener};
    struct epoll_event timer = {.events = EPOLLIN, .data.fd = server->timer};
    if (bind(server->listener, (struct sockaddr *)&address, sizeof address) != 0 ||
        listen(server->listener, 1024) != 0 ||
        timerfd_settime(server->timer, 0, &times, NULL) != 0 ||
        epoll_ctl(server->epoll, EPOLL_CTL_ADD, server->listener, &listener) != 0 ||
        epoll_ctl(server->epoll, EPOLL_CTL_ADD, server->timer, &timer) != 0) {
        return -1;
    }
    return 0;
}

static void run(struct server *server)
{
    struct epoll_event events[EVENTS];

    for (;;) {
        int count = epoll_wait(server->epoll, events, EVENTS, -1);
        for (int i = 0; i < count; i++) {
            int fd = events[i].data.fd;
            if (fd == server->timer) {
                on_timer(server);
            } else if (fd == server->listener) {
                on_listener(server);
            } else {
                on_client(server, fd);
            }
        }
    }
}

int main(int argc, char *argv[])
{
    static struct server server;
    long port = argc == 4 ? strtol(argv[1], NULL, 10) : 0;
    long bytes = argc == 4 ? strtol(argv[2], NULL, 10) : 0;
    long hz = argc == 4 ? strtol(argv[3], NULL, 10) : 0;

    if (port < 1 || port > UINT16_MAX || bytes < 16 || bytes > 1 << 20 || hz < 1 || hz > 1000) {
        fputs("usage: floor PORT BYTES HZ (1-65535, 16-1048576, 1-1000)\n", stderr);
        return 2;
    }
    if (make_frame(&server, (size_t)bytes) != 0 || start(&server, (uint16_t)port, hz) != 0) {
        fprintf(stderr, "floor: cannot listen on 127.0.0.1:%ld: %s\n", port, strerror(errno));
        return 1;
    }
    printf("listening on %ld\n", port);
    fflush(stdout);
    run(&server);
}
