#include "net/gate/wire.h"

#include <linux/sockios.h>
#include <linux/tcp.h>
#include <netinet/in.h>
#include <poll.h>
#include <stddef.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#define STATE_CLOSED 7 /* TCP_CLOSE of <netinet/tcp.h>, which conflicts with <linux/tcp.h> */

static uint32_t ask_kernel(int fd, unsigned long what)
{
    int bytes = 0;

    return ioctl(fd, what, &bytes) == 0 && bytes > 0 ? (uint32_t)bytes : 0;
}

uint32_t wire_received(int fd)
{
    struct tcp_info info = {0};
    socklen_t size =
        offsetof(struct tcp_info, tcpi_bytes_received) + sizeof info.tcpi_bytes_received;

    return getsockopt(fd, IPPROTO_TCP, TCP_INFO, &info, &size) == 0
               ? (uint32_t)info.tcpi_bytes_received
               : 0;
}

uint32_t wire_packets(int fd)
{
    struct tcp_info info = {0};
    socklen_t size = offsetof(struct tcp_info, tcpi_data_segs_in) + sizeof info.tcpi_data_segs_in;

    return getsockopt(fd, IPPROTO_TCP, TCP_INFO, &info, &size) == 0 ? info.tcpi_data_segs_in : 0;
}

uint32_t wire_waited(int fd)
{
    struct tcp_info info = {0};
    socklen_t size =
        offsetof(struct tcp_info, tcpi_last_data_recv) + sizeof info.tcpi_last_data_recv;

    return getsockopt(fd, IPPROTO_TCP, TCP_INFO, &info, &size) == 0 ? info.tcpi_last_data_recv : 0;
}

uint32_t wire_unread(int fd)
{
    return ask_kernel(fd, SIOCINQ);
}

uint32_t wire_queued(int fd)
{
    return ask_kernel(fd, SIOCOUTQ);
}

uint32_t wire_unsent(int fd)
{
    return ask_kernel(fd, SIOCOUTQNSD);
}

bool wire_is_closed(int fd)
{
    struct tcp_info info = {0};
    socklen_t size = offsetof(struct tcp_info, tcpi_state) + sizeof info.tcpi_state;

    return getsockopt(fd, IPPROTO_TCP, TCP_INFO, &info, &size) == 0 &&
           info.tcpi_state == STATE_CLOSED;
}

bool wire_has_ended(int fd)
{
    struct pollfd ended = {.fd = fd, .events = POLLRDHUP};

    return poll(&ended, 1, 0) > 0;
}
