#include "cluster/broker_probe.h"

#include <netdb.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define PROBE_TIMEOUT  1000 /* ms to connect, and then to the first line */
#define LINE_MAX_BYTES 16384
#define HOST_MAX_BYTES 256
#define DEFAULT_PORT   "4222"

/* The oldest nats-server that will do. Older ones let several nodes win one compare-and-set, and
 * delay all nodes when one stands still; 2.10.26 has the option against that, 2.10.27 is the oldest
 * that flockd is tested with. */
static const unsigned long oldest[3] = {2, 10, 27};

/* Returns the text after "name": in a line of JSON, or NULL. The line comes from a server that is
 * not known yet; it is only compared and printed. */
static const char *find_field(const char *line, const char *name)
{
    char quoted[32];
    const char *at;

    snprintf(quoted, sizeof quoted, "\"%s\":", name);
    at = strstr(line, quoted);
    return at != NULL ? at + strlen(quoted) : NULL;
}

/* Whether the version, three numbers in quotes such as "2.10.27", is recent enough. */
static bool is_recent(const char *version)
{
    for (size_t i = 0; i < 3; i++) {
        char *end;
        unsigned long part = strtoul(version + 1, &end, 10); /* behind a quote or a dot */
        if (end == version + 1 || part != oldest[i]) {
            return end != version + 1 && part > oldest[i];
        }
        version = end;
    }
    return true;
}

enum broker_probe_result broker_probe_line(const char *line, const char *at, char *text)
{
    const char *version = find_field(line, "version");
    const char *payload = find_field(line, "max_payload");
    const char *jetstream = find_field(line, "jetstream");
    int size = version != NULL && version[0] == '"' ? (int)strcspn(version + 1, "\"") : 0;

    if (strncmp(line, "INFO {", 6) != 0 || size == 0 || size > 40) {
        snprintf(text, BROKER_TEXT_MAX, "%s is no NATS server", at);
    } else if (!is_recent(version)) {
        snprintf(text, BROKER_TEXT_MAX,
                 "nats-server %.*s at %s is too old: several nodes could own one room; flockd "
                 "needs 2.10.27 or newer",
                 size, version + 1, at);
    } else if (jetstream == NULL || strncmp(jetstream, "true", 4) != 0) {
        snprintf(text, BROKER_TEXT_MAX,
                 "nats-server at %s has no JetStream; start it with flockd's docker/nats.conf", at);
    } else if (payload == NULL || strtoull(payload, NULL, 10) < BROKER_PAYLOAD_MIN) {
        snprintf(text, BROKER_TEXT_MAX,
                 "nats-server at %s takes messages of %llu bytes and not of 8 MiB: it is not "
                 "configured for flockd, and one slow node would delay all others; start it with "
                 "flockd's docker/nats.conf",
                 at, payload != NULL ? strtoull(payload, NULL, 10) : 0);
    } else {
        return BROKER_PROBE_GOOD;
    }
    return BROKER_PROBE_BAD;
}

/* ---- one server ---- */

/* Waits until the socket can be read (or written). */
static bool wait_for(int fd, short events)
{
    struct pollfd poller = {.fd = fd, .events = events};

    return poll(&poller, 1, PROBE_TIMEOUT) == 1;
}

static bool connect_socket(int fd, const struct addrinfo *address)
{
    int error = 0;
    socklen_t size = sizeof error;

    if (connect(fd, address->ai_addr, address->ai_addrlen) == 0) {
        return true;
    }
    return wait_for(fd, POLLOUT) && getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &size) == 0 &&
           error == 0;
}

/* Reads until the end of the first line. Returns false if there is none in time. */
static bool read_line(int fd, char line[LINE_MAX_BYTES])
{
    size_t size = 0;

    while (size < LINE_MAX_BYTES - 1 && wait_for(fd, POLLIN)) {
        ssize_t got = recv(fd, line + size, LINE_MAX_BYTES - 1 - size, 0);
        if (got <= 0) {
            break;
        }
        size += (size_t)got;
        line[size] = '\0';
        if (memchr(line, '\n', size) != NULL) {
            return true;
        }
    }
    return false;
}

static bool ask_address(const struct addrinfo *address, char line[LINE_MAX_BYTES])
{
    int fd = socket(address->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    bool answered = fd >= 0 && connect_socket(fd, address) && read_line(fd, line);

    if (fd >= 0) {
        close(fd);
    }
    return answered;
}

static bool ask_server(const char *host, const char *port, char line[LINE_MAX_BYTES])
{
    const struct addrinfo hints = {.ai_socktype = SOCK_STREAM};
    struct addrinfo *addresses = NULL;
    bool answered = false;

    if (getaddrinfo(host, port, &hints, &addresses) != 0) {
        return false;
    }
    for (struct addrinfo *at = addresses; at != NULL && !answered; at = at->ai_next) {
        answered = ask_address(at, line);
    }
    freeaddrinfo(addresses);
    return answered;
}

/* ---- URLs ---- */

/* Takes SCHEME://USER@HOST:PORT apart; all but the host may be missing. Returns false if the host
 * or the port is too long. */
static bool split_url(const char *url, size_t size, char *host, char *port)
{
    const char *end = url + size;
    const char *scheme = strstr(url, "://");
    const char *at;
    size_t length;

    url = scheme != NULL && scheme < end ? scheme + 3 : url;
    for (at = url; at < end; at++) {
        url = *at == '@' ? at + 1 : url;
    }
    if (*url == '[') {
        url++;
        length = strcspn(url, "]");
        at = url + length + 1;
    } else {
        length = strcspn(url, ":,/");
        at = url + length;
    }
    if (at > end || length >= HOST_MAX_BYTES) {
        return false;
    }
    snprintf(host, HOST_MAX_BYTES, "%.*s", (int)length, url);
    snprintf(port, 8, "%s", DEFAULT_PORT);
    if (at < end && *at == ':') {
        snprintf(port, 8, "%.*s", (int)strspn(at + 1, "0123456789"), at + 1);
    }
    return true;
}

static enum broker_probe_result probe_url(const char *url, size_t size, char *text)
{
    char host[HOST_MAX_BYTES];
    char port[8];
    char at[HOST_MAX_BYTES + 12];
    char line[LINE_MAX_BYTES];

    if (!split_url(url, size, host, port)) {
        snprintf(text, BROKER_TEXT_MAX, "--nats: expected nats://HOST:PORT");
        return BROKER_PROBE_BAD;
    }
    snprintf(at, sizeof at, strchr(host, ':') != NULL ? "[%s]:%s" : "%s:%s", host, port);
    if (!ask_server(host, port, line)) {
        snprintf(text, BROKER_TEXT_MAX, "no NATS server answers at %s", at);
        return BROKER_PROBE_SILENT;
    }
    return broker_probe_line(line, at, text);
}

enum broker_probe_result broker_probe(const char *urls, char *text)
{
    enum broker_probe_result all = BROKER_PROBE_SILENT;
    char silent[BROKER_TEXT_MAX] = "no NATS server is named";

    while (*urls != '\0') {
        size_t size = strcspn(urls, ",");
        enum broker_probe_result one = probe_url(urls, size, text);
        if (one == BROKER_PROBE_BAD) {
            return one;
        }
        if (one == BROKER_PROBE_GOOD) {
            all = one;
        } else {
            memcpy(silent, text, sizeof silent);
        }
        urls += urls[size] == ',' ? size + 1 : size;
    }
    memcpy(text, silent, sizeof silent);
    return all;
}
