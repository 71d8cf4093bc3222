/* The head of a request that a node passes on to another. The other node reads one client's address
 * and one key. This node has written both, also if the client wrote others. */
#include "fuzz.h"

#include "cluster/forward_head.h"

#define CLIENT "192.0.2.7"
#define KEY    "0123456789abcdef0123456789abcdef"

static enum forward_where find(void *argument, const char *code, struct forward_node *node)
{
    (void)argument;
    (void)node;
    FUZZ_REQUIRE(code[0] != '\0' && strlen(code) <= PROTO_ROOM_MAX);
    return FORWARD_THERE;
}

static enum forward_where choose(void *argument, struct forward_node *node)
{
    (void)argument;
    (void)node;
    return FORWARD_NOWHERE;
}

static void require_header(const char *head, size_t size, const char *name, const char *value)
{
    char found[64];
    FUZZ_REQUIRE(forward_header(head, size, name, found, sizeof found));
    FUZZ_REQUIRE(found[0] == ' ' && strcmp(found + 1, value) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const struct forward_calls calls = {find, choose, NULL};
    static char out[65536];
    uint8_t *copy = fuzz_copy(data, size);
    const char *text = (const char *)copy;
    size_t head = forward_head_size(text, size);
    struct forward_node node;
    FUZZ_REQUIRE(head <= size);
    (void)forward_find(&calls, text, size, &node);
    size_t written = forward_rewrite(text, head, CLIENT, KEY, out, sizeof out);
    if (written > 0) {
        FUZZ_REQUIRE(forward_head_size(out, written) == written);
        require_header(out, written, "x-forwarded-for", CLIENT);
        require_header(out, written, FORWARD_KEY_HEADER, KEY);
        require_header(out, written, "connection", "close");
        FUZZ_REQUIRE(memchr(out, '\0', written) == NULL);
    }
    free(copy);
    return 0;
}
