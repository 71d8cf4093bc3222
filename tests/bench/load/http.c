#include "http.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

static int open_connection(const struct websocket_target *target)
{
    const struct timeval limit = {.tv_sec = HTTP_SECONDS};
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

    if (fd < 0) {
        return -1;
    }
    setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
    setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
    if (connect(fd, (const struct sockaddr *)&target->address, sizeof target->address) != 0) {
        int error = errno;
        close(fd);
        errno = error;
        return -1;
    }
    return fd;
}

static bool send_request(int fd, const struct websocket_target *target,
                         const struct http_request *request)
{
    char text[HTTP_ANSWER_MAX];
    const char *body = request->body != NULL ? request->body : "";
    const char *key = request->key != NULL ? request->key : "";
    int length = snprintf(
        text, sizeof text,
        "%s %s HTTP/1.1\r\nHost: %s\r\nConnection: close\r\nContent-Length: %zu\r\n%s%s%s%s\r\n%s",
        request->method, request->path, target->host, strlen(body),
        request->body != NULL ? "Content-Type: application/json\r\n" : "",
        request->key != NULL ? "Authorization: Bearer " : "", key,
        request->key != NULL ? "\r\n" : "", body);

    if (length < 0 || (size_t)length >= sizeof text) {
        errno = EMSGSIZE;
        return false;
    }
    return send(fd, text, (size_t)length, MSG_NOSIGNAL) == length;
}

bool http_ask(const struct websocket_target *target, const struct http_request *request,
              struct http_answer *answer)
{
    int fd = open_connection(target);
    bool sent = fd >= 0 && send_request(fd, target, request);
    size_t size = 0;
    ssize_t more = sent ? 1 : -1;

    while (more > 0 && size < sizeof answer->text - 1) {
        more = recv(fd, answer->text + size, sizeof answer->text - 1 - size, 0);
        size += more > 0 ? (size_t)more : 0;
    }
    int error = errno;
    if (fd >= 0) {
        close(fd);
    }
    errno = more < 0 ? error : EPROTO;
    answer->text[size] = '\0';
    answer->status = 0;
    char *end = strstr(answer->text, "\r\n\r\n");
    if (more < 0 || end == NULL || strncmp(answer->text, "HTTP/1.1 ", 9) != 0) {
        return false;
    }
    answer->status = (unsigned)strtoul(answer->text + 9, NULL, 10);
    answer->body = end + 4;
    return answer->status > 0;
}

bool http_string(const char *json, const char *name, char *value, size_t capacity)
{
    char label[64];

    snprintf(label, sizeof label, "\"%s\":\"", name);
    const char *found = strstr(json, label);
    if (found == NULL) {
        return false;
    }
    found += strlen(label);
    size_t length = strcspn(found, "\"");
    if (found[length] != '"' || length >= capacity) {
        return false;
    }
    memcpy(value, found, length);
    value[length] = '\0';
    return true;
}
