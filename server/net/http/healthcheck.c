#include "net/http/healthcheck.h"

#include <netdb.h>
#include <openssl/ssl.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#define ANSWER      "HTTP/1.1 200"
#define ANSWER_SIZE (sizeof ANSWER - 1)

static const char request[] = "GET /healthz HTTP/1.1\r\nHost: localhost\r\n"
                              "Connection: close\r\n\r\n";

static int connect_to(const char *host, unsigned port)
{
    struct addrinfo hints = {.ai_socktype = SOCK_STREAM};
    struct timeval limit = {.tv_sec = 3};
    struct addrinfo *addresses;
    char service[16];
    int fd;

    snprintf(service, sizeof service, "%u", port);
    if (getaddrinfo(host, service, &hints, &addresses) != 0) {
        return -1;
    }
    fd = socket(addresses->ai_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd >= 0) {
        setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
        setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
        if (connect(fd, addresses->ai_addr, addresses->ai_addrlen) != 0) {
            close(fd);
            fd = -1;
        }
    }
    freeaddrinfo(addresses);
    return fd;
}

static bool ask_plainly(int fd, char answer[ANSWER_SIZE])
{
    return write(fd, request, sizeof request - 1) == (ssize_t)(sizeof request - 1) &&
           recv(fd, answer, ANSWER_SIZE, MSG_WAITALL) == (ssize_t)ANSWER_SIZE;
}

/* Does not verify the certificate: it names the public host, not this machine's own address, and
 * the request carries no secret. */
static bool ask_in_secret(int fd, char answer[ANSWER_SIZE])
{
    SSL_CTX *context = SSL_CTX_new(TLS_client_method());
    SSL *ssl = context != NULL ? SSL_new(context) : NULL;
    size_t got = 0;
    int size = 1;

    if (ssl != NULL && SSL_set_fd(ssl, fd) == 1 && SSL_connect(ssl) == 1 &&
        SSL_write(ssl, request, sizeof request - 1) > 0) {
        for (; got < ANSWER_SIZE && size > 0; got += size > 0 ? (size_t)size : 0) {
            size = SSL_read(ssl, answer + got, (int)(ANSWER_SIZE - got));
        }
    }
    SSL_free(ssl);
    SSL_CTX_free(context);
    return got == ANSWER_SIZE;
}

int healthcheck(const char *bind, unsigned port, bool tls)
{
    const char *host = strcmp(bind, "0.0.0.0") == 0 ? "127.0.0.1"
                       : strcmp(bind, "::") == 0    ? "::1"
                                                    : bind;
    char answer[ANSWER_SIZE];
    bool well = false;
    int fd = connect_to(host, port);

    if (fd >= 0) {
        well = (tls ? ask_in_secret(fd, answer) : ask_plainly(fd, answer)) &&
               memcmp(answer, ANSWER, ANSWER_SIZE) == 0;
        close(fd);
    }
    if (!well) {
        fprintf(stderr, "flockd: no healthy server answers at %s port %u\n", host, port);
    }
    return well ? 0 : 1;
}
