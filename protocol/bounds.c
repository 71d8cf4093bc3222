#include "bounds.h"

#include <assert.h>

/* The bytes after a value's first byte: a big-endian length of length_size bytes (0: none), then
 * `payload` fixed bytes. The length counts bytes or, if children is not 0, groups of `children`
 * values. */
struct form {
    uint8_t length_size;
    uint8_t payload;
    uint8_t children;
    bool invalid;
};

/* First bytes 0xc0 to 0xdf; all others contain their length. */
static const struct form forms[32] = {
    {0},                               /* c0 nil */
    {.invalid = true},                 /* c1 unused */
    {0},                               /* c2 false */
    {0},                               /* c3 true */
    {.length_size = 1},                /* c4 bin 8 */
    {.length_size = 2},                /* c5 bin 16 */
    {.length_size = 4},                /* c6 bin 32 */
    {.length_size = 1, .payload = 1},  /* c7 ext 8: its type, too */
    {.length_size = 2, .payload = 1},  /* c8 ext 16 */
    {.length_size = 4, .payload = 1},  /* c9 ext 32 */
    {.payload = 4},                    /* ca float 32 */
    {.payload = 8},                    /* cb float 64 */
    {.payload = 1},                    /* cc uint 8 */
    {.payload = 2},                    /* cd uint 16 */
    {.payload = 4},                    /* ce uint 32 */
    {.payload = 8},                    /* cf uint 64 */
    {.payload = 1},                    /* d0 int 8 */
    {.payload = 2},                    /* d1 int 16 */
    {.payload = 4},                    /* d2 int 32 */
    {.payload = 8},                    /* d3 int 64 */
    {.payload = 2},                    /* d4 fixext 1 */
    {.payload = 3},                    /* d5 fixext 2 */
    {.payload = 5},                    /* d6 fixext 4 */
    {.payload = 9},                    /* d7 fixext 8 */
    {.payload = 17},                   /* d8 fixext 16 */
    {.length_size = 1},                /* d9 str 8 */
    {.length_size = 2},                /* da str 16 */
    {.length_size = 4},                /* db str 32 */
    {.length_size = 2, .children = 1}, /* dc array 16 */
    {.length_size = 4, .children = 1}, /* dd array 32 */
    {.length_size = 2, .children = 2}, /* de map 16 */
    {.length_size = 4, .children = 2}, /* df map 32 */
};

struct head {
    bool container;
    uint64_t bytes;  /* bytes after the head */
    uint64_t values; /* values after the head */
};

/* Reads the head of the value at *at and moves *at past it. Returns the fault, or NULL. */
static const char *head_read(const uint8_t *data, size_t size, size_t *at, struct head *head)
{
    const uint8_t first = data[(*at)++];

    *head = (struct head){0};
    if (first < 0x80 || first >= 0xe0) { /* a small integer */
        return NULL;
    }
    if (first < 0xa0) { /* 0x8n a map, 0x9n an array */
        head->container = true;
        head->values = (uint64_t)(first & 0x0fu) * (first < 0x90 ? 2 : 1);
        return NULL;
    }
    if (first < 0xc0) { /* a short str */
        head->bytes = first & 0x1fu;
        return NULL;
    }
    const struct form *form = &forms[first - 0xc0];
    if (form->invalid) {
        return "is 0xc1, which MessagePack never uses";
    }
    if (form->length_size > size - *at) {
        return "is cut short";
    }
    uint64_t length = 0;
    for (unsigned i = 0; i < form->length_size; i++) {
        length = length << 8 | data[(*at)++];
    }
    head->container = form->children > 0;
    head->values = length * form->children;
    head->bytes = form->payload + (head->container ? 0 : length);
    return NULL;
}

static bool fault_set(struct bounds_fault *fault, size_t at, const char *what)
{
    *fault = (struct bounds_fault){at, what};
    return false;
}

bool bounds_check(const uint8_t *data, size_t size, size_t values_max, struct bounds_fault *fault)
{
    uint64_t pending[BOUNDS_DEPTH]; /* missing values, by depth */
    unsigned depth = 0;
    size_t at = 0;

    for (size_t values = 1;; values++) {
        const size_t start = at;
        struct head head;
        if (at == size) {
            return fault_set(fault, at, "is missing");
        }
        if (values > values_max) {
            return fault_set(fault, at, "is one value too many");
        }
        const char *what = head_read(data, size, &at, &head);
        if (what != NULL) {
            return fault_set(fault, start, what);
        }
        if (head.bytes > size - at || head.values > size - at) { /* a value is at least a byte */
            return fault_set(fault, start, "is longer than the message");
        }
        at += (size_t)head.bytes;
        if (head.container && depth == BOUNDS_DEPTH) {
            return fault_set(fault, start, "is nested too deep");
        }
        if (head.values > 0) {
            assert(depth < BOUNDS_DEPTH);
            pending[depth++] = head.values;
            continue;
        }
        while (depth > 0 && --pending[depth - 1] == 0) {
            depth--;
        }
        if (depth == 0) {
            break;
        }
    }
    return at == size || fault_set(fault, at, "comes after the end of the message");
}
