/* HTTP requests over the accept path. The lines of the input are the lines of the request's head.
 * After an empty line comes the body; the target adds its length to the head. If the first line
 * ends with "+", the target adds Host and, for the API, the key. */
#include "fuzz.h"

#include "accept.h"

enum { HEAD_MAX = 1 << 16 };

struct head {
    char bytes[HEAD_MAX];
    size_t size;
};

static void put(struct head *head, const void *bytes, size_t size)
{
    FUZZ_REQUIRE(head->size + size <= sizeof head->bytes);
    memcpy(head->bytes + head->size, bytes, size);
    head->size += size;
}

static void put_text(struct head *head, const char *text)
{
    put(head, text, strlen(text));
}

static void put_own_lines(struct head *head, size_t body)
{
    char line[64];
    snprintf(line, sizeof line, "Content-Length: %zu\r\n", body);
    put_text(head, " HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n");
    put_text(head, "Authorization: Bearer " ACCEPT_KEY "\r\n");
    put_text(head, line);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct head head;
    const uint8_t *end = size > 0 && size < HEAD_MAX / 4 ? memmem(data, size, "\n\n", 2) : NULL;
    if (end == NULL) {
        return 0;
    }
    const uint8_t *body = end + 2;
    size_t body_size = size - (size_t)(body - data);
    bool first = true;
    head.size = 0;
    for (const uint8_t *at = data; at <= end;) {
        const uint8_t *line_end = memchr(at, '\n', (size_t)(end + 1 - at));
        size_t length = (size_t)(line_end - at);
        if (first && length > 0 && line_end[-1] == '+') {
            put(&head, at, length - 1);
            put_own_lines(&head, body_size);
        } else {
            put(&head, at, length);
            put_text(&head, "\r\n");
        }
        first = false;
        at = line_end + 1;
    }
    put_text(&head, "\r\n");
    int fd = accept_open();
    if (accept_send(fd, head.bytes, head.size)) {
        accept_send(fd, body, body_size);
    }
    accept_close(fd);
    return 0;
}
