#include "net/gate/head.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>

#define DRAIN_MAX 65536u /* bytes that head_drain() reads at most */

/* Allows no content from other sites, no inline script or style, and no frame on another site. The
 * page's own frames show two rooms side by side. */
#define CONTENT_SECURITY_POLICY                                                                    \
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "                \
    "img-src 'self' data:; manifest-src 'self'; base-uri 'none'; form-action 'none'; "             \
    "frame-src 'self'; frame-ancestors 'self'"

/* Headers of all responses, including libwebsockets' own; linked from the last to the first. */
static const struct lws_protocol_vhost_options everywhere[] = {
    {NULL, NULL, "content-security-policy:", CONTENT_SECURITY_POLICY},
    {&everywhere[0], NULL, "x-content-type-options:", "nosniff"},
    {&everywhere[1], NULL, "referrer-policy:", "no-referrer"},
    {&everywhere[2], NULL, "cross-origin-opener-policy:", "same-origin"},
    {&everywhere[3], NULL, "cross-origin-resource-policy:", "same-origin"},
};

const struct lws_protocol_vhost_options *head_common(void)
{
    return &everywhere[sizeof everywhere / sizeof everywhere[0] - 1];
}

static const char *reason_of(unsigned status)
{
    static const struct {
        unsigned status;
        const char *reason;
    } reasons[] = {
        {400, "Bad Request"},
        {403, "Forbidden"},
        {404, "Not Found"},
        {408, "Request Timeout"},
        {426, "Upgrade Required"},
        {429, "Too Many Requests"},
        {431, "Header Fields Too Large"},
        {503, "Service Unavailable"},
    };

    for (size_t i = 0; i < sizeof reasons / sizeof reasons[0]; i++) {
        if (reasons[i].status == status) {
            return reasons[i].reason;
        }
    }
    return "Refused";
}

size_t head_print(char *out, size_t capacity, unsigned status, const char *extra, const char *text)
{
    size_t size = (size_t)snprintf(out, capacity, "HTTP/1.1 %u %s\r\n", status, reason_of(status));

    for (const struct lws_protocol_vhost_options *header = head_common(); header != NULL;
         header = header->next) {
        size +=
            (size_t)snprintf(out + size, capacity - size, "%s %s\r\n", header->name, header->value);
    }
    size += (size_t)snprintf(out + size, capacity - size,
                             "%s%scontent-type: text/plain\r\ncache-control: no-store\r\n"
                             "content-length: %zu\r\nconnection: close\r\n\r\n%s\n",
                             status == 429 || status == 503 ? "retry-after: 2\r\n" : "", extra,
                             strlen(text) + 1, text);
    assert(size < capacity);
    return size;
}

void head_send(int fd, unsigned status, const char *text)
{
    char head[HEAD_TEXT_MAX];
    size_t size = head_print(head, sizeof head, status, "", text);

    /* One send is enough: a client that has not read earlier answers does not want this one. */
    if (send(fd, head, size, MSG_DONTWAIT | MSG_NOSIGNAL) > 0) {
        shutdown(fd, SHUT_WR);
    }
}

void head_drain(int fd)
{
    char bytes[4096];

    for (size_t i = 0; i < DRAIN_MAX / sizeof bytes; i++) {
        if (recv(fd, bytes, sizeof bytes, MSG_DONTWAIT) <= 0) {
            return;
        }
    }
}
