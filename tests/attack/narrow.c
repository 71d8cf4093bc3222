/* A client that stops reading: `narrow HOST PORT FROM MOST` connects from that address. It passes
 * standard input to the server, and the server's first MOST bytes to standard output. Its
 * segments and its receive buffer are small, so that the server's kernel takes few further bytes.
 */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#define SEGMENT 536
#define BUFFER  4096

static struct sockaddr_in address_of(const char *host, const char *port)
{
    struct sockaddr_in address = {.sin_family = AF_INET,
                                  .sin_port = htons((uint16_t)strtoul(port, NULL, 10))};

    inet_pton(AF_INET, host, &address.sin_addr);
    return address;
}

static int connect_narrow(const char *host, const char *port, const char *from)
{
    const struct sockaddr_in local = address_of(from, "0");
    const struct sockaddr_in remote = address_of(host, port);
    const int fd = socket(AF_INET, SOCK_STREAM, 0);
    const int segment = SEGMENT;
    const int buffer = BUFFER;
    const int on = 1;

    if (fd < 0 || setsockopt(fd, IPPROTO_TCP, TCP_MAXSEG, &segment, sizeof segment) != 0 ||
        setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &buffer, sizeof buffer) != 0 ||
        setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on) != 0 ||
        bind(fd, (const struct sockaddr *)&local, sizeof local) != 0 ||
        connect(fd, (const struct sockaddr *)&remote, sizeof remote) != 0) {
        perror("narrow");
        return -1;
    }
    return fd;
}

/* Passes at most that many bytes on. Returns the number, or 0 at the end of either side. */
static size_t pass_bytes(int from, int to, size_t most)
{
    char bytes[BUFFER];
    const ssize_t size = read(from, bytes, most < sizeof bytes ? most : sizeof bytes);

    for (ssize_t done = 0; done < size;) {
        const ssize_t more = write(to, bytes + done, (size_t)(size - done));
        if (more <= 0) {
            return 0;
        }
        done += more;
    }
    return size > 0 ? (size_t)size : 0;
}

int main(int argc, char **argv)
{
    const int fd = argc == 5 ? connect_narrow(argv[1], argv[2], argv[3]) : -1;
    size_t most = argc == 5 ? strtoul(argv[4], NULL, 10) : 0;
    bool open = fd >= 0;

    while (open) {
        struct pollfd ready[] = {{.fd = STDIN_FILENO, .events = POLLIN},
                                 {.fd = fd, .events = most > 0 ? POLLIN : 0}};
        open = poll(ready, 2, -1) > 0 && (ready[1].revents & (POLLERR | POLLHUP)) == 0 &&
               (ready[0].revents == 0 || pass_bytes(STDIN_FILENO, fd, BUFFER) > 0);
        if (open && (ready[1].revents & POLLIN) != 0) {
            const size_t passed = pass_bytes(fd, STDOUT_FILENO, most);
            open = passed > 0;
            most -= passed;
        }
    }
    return fd >= 0 ? 0 : 1;
}
