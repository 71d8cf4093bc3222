#include "websocket.h"

#include <errno.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

/* The example key of RFC 6455, whose answer is known. The key need not be secret. */
#define KEY      "dGhlIHNhbXBsZSBub25jZQ=="
#define ACCEPT   "s3pPLMBiTxaQ9kYGzzhZRbK+xOo="
#define HEAD_MAX 4096u /* bytes of the answer to the upgrade */

bool websocket_connect(struct websocket *ws, const struct websocket_target *target,
                       const struct sockaddr_in *source, uint32_t receive_buffer)
{
    const int yes = 1;
    const int kept = (int)receive_buffer;

    *ws = (struct websocket){.fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0)};
    if (ws->fd < 0) {
        return false;
    }
    setsockopt(ws->fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    if (kept > 0) { /* before connect(), because the kernel does not reduce an offered window */
        setsockopt(ws->fd, SOL_SOCKET, SO_RCVBUF, &kept, sizeof kept);
    }
    if (source->sin_addr.s_addr != INADDR_ANY) {
        setsockopt(ws->fd, IPPROTO_IP, IP_BIND_ADDRESS_NO_PORT, &yes, sizeof yes);
        if (bind(ws->fd, (const struct sockaddr *)source, sizeof *source) != 0) {
            return false;
        }
    }
    return connect(ws->fd, (const struct sockaddr *)&target->address, sizeof target->address) ==
               0 ||
           errno == EINPROGRESS;
}

bool websocket_upgrade(struct websocket *ws, const struct websocket_target *target,
                       const char *path, const char *protocol)
{
    char request[1024];
    int error = 0;
    socklen_t size = sizeof error;

    if (getsockopt(ws->fd, SOL_SOCKET, SO_ERROR, &error, &size) != 0 || error != 0) {
        errno = error;
        return false;
    }
    int length = snprintf(request, sizeof request,
                          "GET %s HTTP/1.1\r\nHost: %s\r\nUpgrade: websocket\r\n"
                          "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
                          "Sec-WebSocket-Key: " KEY "\r\n%s%s%s\r\n",
                          path, target->host, protocol != NULL ? "Sec-WebSocket-Protocol: " : "",
                          protocol != NULL ? protocol : "", protocol != NULL ? "\r\n" : "");
    if (length < 0 || (size_t)length >= sizeof request) {
        errno = ENAMETOOLONG;
        return false;
    }
    return send(ws->fd, request, (size_t)length, MSG_NOSIGNAL) == length;
}

/* Returns the number of bytes needed: the size of the header or, once the header is complete, of
 * the whole frame. Returns 0 if a server may not send such a frame. */
static size_t frame_need(const uint8_t *bytes, size_t size, struct websocket_frame *frame)
{
    uint64_t payload;
    size_t header = 2;

    if (size < header) {
        return header;
    }
    payload = bytes[1] & 0x7F;
    header += payload == 126 ? 2 : payload == 127 ? 8 : 0;
    if (size < header) {
        return header;
    }
    if (payload >= 126) {
        payload = 0;
        for (size_t i = 2; i < header; i++) {
            payload = payload << 8 | bytes[i];
        }
    }
    if ((bytes[0] & 0x70) != 0 || (bytes[1] & 0x80) != 0 || payload > WEBSOCKET_FRAME_MAX) {
        return 0;
    }
    *frame = (struct websocket_frame){.opcode = bytes[0] & 0x0F,
                                      .final = (bytes[0] & 0x80) != 0,
                                      .data = bytes + header,
                                      .size = (size_t)payload};
    return header + (size_t)payload;
}

/* Returns the number of bytes needed of the answer to the upgrade: one more than `size` until its
 * end is found. *agreed: the server accepts the upgrade. */
static size_t head_need(const uint8_t *bytes, size_t size, bool *agreed)
{
    const uint8_t *end = memmem(bytes, size, "\r\n\r\n", 4);

    if (end == NULL) {
        return size < HEAD_MAX ? size + 1 : 0;
    }
    size_t length = (size_t)(end - bytes) + 4;
    *agreed = size > 12 && memcmp(bytes, "HTTP/1.1 101", 12) == 0 &&
              memmem(bytes, length, ACCEPT, strlen(ACCEPT)) != NULL;
    return length;
}

/* Passes the first frame in the bytes to the owner if it is complete, and stores its size in *used.
 * Otherwise stores the number of bytes that it needs in *need. */
static enum websocket_result take_one(struct websocket *ws, const uint8_t *bytes, size_t size,
                                      size_t *used, size_t *need, websocket_handler *handler,
                                      void *argument)
{
    struct websocket_frame frame = {0};
    bool opens = !ws->open;
    bool agreed = true;

    *used = 0;
    *need = opens ? head_need(bytes, size, &agreed) : frame_need(bytes, size, &frame);
    if (*need == 0 || !agreed) {
        return WEBSOCKET_BROKEN;
    }
    if (*need > size) {
        return WEBSOCKET_MORE;
    }
    *used = *need;
    if (opens) {
        ws->open = true;
        return WEBSOCKET_MORE;
    }
    return handler(argument, &frame) ? WEBSOCKET_MORE : WEBSOCKET_ENDED;
}

static bool keep_part(struct websocket *ws, const uint8_t *bytes, size_t size, size_t need)
{
    uint8_t *part = realloc(ws->part, need);

    if (part == NULL) {
        return false;
    }
    memcpy(part + ws->part_size, bytes, size);
    ws->part = part;
    ws->part_size += size;
    ws->part_need = need;
    return true;
}

static void drop_part(struct websocket *ws)
{
    free(ws->part);
    ws->part = NULL;
    ws->part_size = ws->part_need = 0;
}

/* Completes the part of a frame with the new bytes, and passes the frame to the owner when it is
 * complete. Moves *bytes behind the used bytes. */
static enum websocket_result complete_part(struct websocket *ws, const uint8_t **bytes,
                                           const uint8_t *end, websocket_handler *handler,
                                           void *argument)
{
    while (ws->part != NULL) {
        size_t used = 0;
        size_t need = 0;
        size_t missing = ws->part_need - ws->part_size;
        size_t left = (size_t)(end - *bytes);
        size_t add = missing < left ? missing : left;

        memcpy(ws->part + ws->part_size, *bytes, add);
        ws->part_size += add;
        *bytes += add;
        if (ws->part_size < ws->part_need) {
            return WEBSOCKET_MORE;
        }
        enum websocket_result result =
            take_one(ws, ws->part, ws->part_size, &used, &need, handler, argument);
        if (result != WEBSOCKET_MORE) {
            return result;
        }
        if (used > 0) {
            drop_part(ws);
        } else if (!keep_part(ws, *bytes, 0, need)) {
            return WEBSOCKET_ENDED;
        }
    }
    return WEBSOCKET_MORE;
}

/* Reads the missing bytes of a started frame into its part, and further bytes into the buffer. */
static ssize_t read_once(struct websocket *ws, uint8_t *buffer, size_t limit, size_t *into_part)
{
    size_t missing = ws->part_need - ws->part_size;
    size_t first = missing < limit ? missing : limit;
    struct iovec places[2] = {{ws->part != NULL ? ws->part + ws->part_size : buffer, first},
                              {buffer, limit - first}};

    ssize_t size = first > 0 ? readv(ws->fd, places, 2) : read(ws->fd, buffer, limit);
    *into_part = size > 0 && (size_t)size < first ? (size_t)size : first;
    return size;
}

enum websocket_result websocket_read(struct websocket *ws, uint8_t *buffer, size_t limit,
                                     websocket_handler *handler, void *argument)
{
    size_t into_part = 0;
    ssize_t size = read_once(ws, buffer, limit, &into_part);

    if (size < 0) {
        return errno == EAGAIN || errno == EINTR ? WEBSOCKET_MORE : WEBSOCKET_ENDED;
    }
    if (size == 0) {
        return WEBSOCKET_ENDED;
    }
    ws->part_size += into_part;
    const uint8_t *bytes = buffer;
    const uint8_t *end = buffer + ((size_t)size - into_part);
    enum websocket_result result = WEBSOCKET_MORE;
    if (ws->part != NULL && ws->part_size == ws->part_need) {
        result = complete_part(ws, &bytes, end, handler, argument);
    }
    while (result == WEBSOCKET_MORE && bytes < end) {
        size_t used = 0;
        size_t need = 0;
        size_t left = (size_t)(end - bytes);
        result = take_one(ws, bytes, left, &used, &need, handler, argument);
        if (result == WEBSOCKET_MORE && used == 0) {
            return keep_part(ws, bytes, left, need) ? WEBSOCKET_MORE : WEBSOCKET_ENDED;
        }
        bytes += used;
    }
    return result;
}

bool websocket_send(struct websocket *ws, enum websocket_opcode opcode, const uint8_t *data,
                    size_t size)
{
    static const uint8_t mask[4] = {0x37, 0xFA, 0x21, 0x3D};
    uint8_t frame[WEBSOCKET_SEND_MAX + 8];
    size_t header = size < 126 ? 6 : 8;

    if (size > WEBSOCKET_SEND_MAX) {
        return false;
    }
    frame[0] = (uint8_t)(0x80U | (unsigned)opcode);
    frame[1] = (uint8_t)(0x80U | (size < 126 ? size : 126U));
    frame[2] = (uint8_t)(size >> 8);
    frame[3] = (uint8_t)size;
    memcpy(frame + header - 4, mask, 4);
    for (size_t i = 0; i < size; i++) {
        frame[header + i] = data[i] ^ mask[i % 4];
    }
    return send(ws->fd, frame, header + size, MSG_NOSIGNAL | MSG_DONTWAIT) ==
           (ssize_t)(header + size);
}

void websocket_close(struct websocket *ws)
{
    if (ws->fd >= 0) {
        close(ws->fd);
    }
    drop_part(ws);
    ws->fd = -1;
    ws->open = false;
}
