/* The accept path. The first byte says what the target sends before the input: nothing (0), the
 * upgrade (1), or also the hello of a viewer (2) or a presenter (3). The other bytes go to the
 * connection; after a hello they are messages, each with its size in a byte before it, and the
 * target frames them. For every input the server must continue and close the connection. */
#include "fuzz.h"

#include "accept.h"
#include "protocol.h"

enum { RAW, UPGRADED, VIEWER, PRESENTER, MODES };

static const char upgrade[] = "GET /ws HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\n"
                              "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
                              "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
                              "Sec-WebSocket-Protocol: flock.v1\r\n\r\n";

/* Sends a binary frame with a mask of zeros. */
static bool send_message(int fd, const uint8_t *bytes, size_t size)
{
    uint8_t frame[PROTO_MESSAGE_MAX + 8] = {0x82};
    size_t at = 2;
    FUZZ_REQUIRE(size <= PROTO_MESSAGE_MAX);
    frame[1] = (uint8_t)(0x80 | size);
    if (size > 125) {
        frame[1] = 0x80 | 126;
        frame[at++] = (uint8_t)(size >> 8);
        frame[at++] = (uint8_t)size;
    }
    memset(frame + at, 0, 4);
    memcpy(frame + at + 4, bytes, size);
    return accept_send(fd, frame, at + 4 + size);
}

static void send_hello(int fd, bool presenter)
{
    uint8_t bytes[PROTO_MESSAGE_MAX] = {0};
    struct proto_client_message message = {.type = PROTO_HELLO};
    struct proto_hello *hello = &message.hello;
    *hello = (struct proto_hello){.version = PROTO_VERSION, .encoding_count = 1};
    snprintf(hello->room, sizeof hello->room, "lobby");
    snprintf(hello->encodings[0], sizeof hello->encodings[0], presenter ? "plain" : "packed");
    snprintf(hello->key, sizeof hello->key, "%s", presenter ? ACCEPT_KEY : "");
    send_message(fd, bytes, proto_encode_client(bytes, sizeof bytes, &message));
    accept_read(fd, bytes, sizeof bytes, 1000); /* after the welcome the client is in the room */
}

static void send_messages(int fd, const uint8_t *data, size_t size)
{
    while (size > 0) {
        size_t length = data[0] < size - 1 ? data[0] : size - 1;
        if (!send_message(fd, data + 1, length)) {
            return;
        }
        data += 1 + length;
        size -= 1 + length;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 1) {
        return 0;
    }
    int mode = data[0] % MODES;
    int fd = accept_open();
    if (mode != RAW) {
        uint8_t answer[1024];
        accept_send(fd, upgrade, sizeof upgrade - 1);
        accept_read(fd, answer, sizeof answer, 1000);
    }
    if (mode == VIEWER || mode == PRESENTER) {
        send_hello(fd, mode == PRESENTER);
        send_messages(fd, data + 1, size - 1);
    } else {
        accept_send(fd, data + 1, size - 1);
    }
    accept_close(fd);
    return 0;
}
