#include "scene/saved.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "base/grow.h"
#include "bounds.h"

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "words are copied as they lie in memory");

static const uint8_t magic[6] = {'f', 'l', 'o', 'c', 'k', 0x1a};

enum { KIND_AT = 6, VERSION_AT = 7, CHECKSUM_AT = 8 };

/* ---- writing ---- */

static bool reserve(struct saved *saved, size_t more)
{
    uint8_t *bytes;

    if (more > SAVED_MAX - saved->size) {
        return false;
    }
    bytes = grow_array(saved->bytes, &saved->capacity, saved->size + more, SAVED_MAX, 1);
    saved->bytes = bytes != NULL ? bytes : saved->bytes;
    return bytes != NULL;
}

static int append(void *data, const char *bytes, size_t size)
{
    struct saved *saved = data;

    if (saved->failed || !reserve(saved, size)) {
        saved->failed = true;
        return -1;
    }
    if (size > 0) {
        memcpy(saved->bytes + saved->size, bytes, size);
        saved->size += size;
    }
    return 0;
}

void saved_begin(struct saved *saved, enum saved_kind kind, size_t expected)
{
    uint8_t head[SAVED_HEAD] = {0};

    memcpy(head, magic, sizeof magic);
    head[KIND_AT] = (uint8_t)kind;
    head[VERSION_AT] = SAVED_VERSION;
    *saved = (struct saved){0};
    msgpack_packer_init(&saved->packer, saved, append);
    saved->failed = !reserve(saved, SAVED_HEAD + expected);
    append(saved, (const char *)head, sizeof head);
}

uint8_t *saved_end(struct saved *saved, size_t *size)
{
    uint8_t *fitting;

    assert(saved->depth == 0);
    if (saved->failed) {
        free(saved->bytes);
        return NULL;
    }
    assert(saved->size >= SAVED_HEAD && saved->size <= SAVED_MAX);
    *size = saved->size;
    fitting = realloc(saved->bytes, saved->size);
    if (fitting != NULL) {
        saved->bytes = fitting;
    }
    return saved->bytes;
}

static uint32_t checksum(const uint8_t *bytes, size_t size)
{
    uLong sum = crc32(0, bytes, CHECKSUM_AT);

    return (uint32_t)crc32_z(sum, bytes + SAVED_HEAD, size - SAVED_HEAD);
}

void saved_sum_begin(struct saved_sum *sum)
{
    *sum = (struct saved_sum){0};
}

void saved_sum_add(struct saved_sum *sum, const uint8_t *bytes, size_t size)
{
    assert(sum->size > 0 || size >= SAVED_HEAD);
    if (sum->size == 0) {
        sum->sum = checksum(bytes, size);
    } else {
        sum->sum = (uint32_t)crc32_z(sum->sum, bytes, size);
    }
    sum->size += size;
}

void saved_sum_store(const struct saved_sum *sum, uint8_t *head)
{
    memcpy(head + CHECKSUM_AT, &sum->sum, sizeof sum->sum);
}

void saved_seal(uint8_t *bytes, size_t size)
{
    struct saved_sum sum;

    saved_sum_begin(&sum);
    saved_sum_add(&sum, bytes, size);
    saved_sum_store(&sum, bytes);
}

static void put_key(struct saved *saved, const char *key)
{
    assert(saved->depth > 0);
    assert(saved->map_pairs[saved->depth - 1] < UINT16_MAX);
    saved->map_pairs[saved->depth - 1]++;
    (void)msgpack_pack_str_with_body(&saved->packer, key, strlen(key));
}

/* A map of 16 bits is one byte and the number of its pairs, which is known at its end. */
#define MAP16 0xde

void saved_map(struct saved *saved, const char *key)
{
    static const char head[3] = {(char)MAP16, 0, 0};

    assert(saved->depth < SAVED_DEPTH);
    if (key != NULL) {
        put_key(saved, key);
    }
    saved->map_at[saved->depth] = saved->size;
    saved->map_pairs[saved->depth] = 0;
    saved->depth++;
    append(saved, head, sizeof head);
}

void saved_map_end(struct saved *saved)
{
    assert(saved->depth > 0);
    saved->depth--;
    if (!saved->failed) {
        uint8_t *head = saved->bytes + saved->map_at[saved->depth];
        head[1] = (uint8_t)(saved->map_pairs[saved->depth] >> 8);
        head[2] = (uint8_t)saved->map_pairs[saved->depth];
    }
}

void saved_array(struct saved *saved, const char *key, size_t count)
{
    put_key(saved, key);
    (void)msgpack_pack_array(&saved->packer, count);
}

void saved_uint(struct saved *saved, const char *key, uint64_t value)
{
    put_key(saved, key);
    (void)msgpack_pack_uint64(&saved->packer, value);
}

void saved_float(struct saved *saved, const char *key, float value)
{
    put_key(saved, key);
    (void)msgpack_pack_float(&saved->packer, value);
}

void saved_bool(struct saved *saved, const char *key, bool value)
{
    put_key(saved, key);
    (void)(value ? msgpack_pack_true(&saved->packer) : msgpack_pack_false(&saved->packer));
}

void saved_text(struct saved *saved, const char *key, const char *text)
{
    put_key(saved, key);
    (void)msgpack_pack_str_with_body(&saved->packer, text, strlen(text));
}

void saved_bin(struct saved *saved, const char *key, const void *bytes, size_t size)
{
    put_key(saved, key);
    (void)msgpack_pack_bin_with_body(&saved->packer, bytes, size);
}

/* ---- reading ---- */

static const char *const kinds[] = {[SAVED_FLOCK] = "not a saved flock",
                                    [SAVED_ROOM] = "not a saved room",
                                    [SAVED_RECORDING] = "not a recording"};

void saved_fail(struct saved_reader *reader, const char *field, const char *what)
{
    reader->reader.field = field;
    reader_fail(&reader->reader, PROTO_E_MALFORMED, "%s", what);
}

bool saved_failed(const struct saved_reader *reader)
{
    return reader->reader.code != PROTO_OK;
}

void saved_forget_problem(struct saved_reader *reader)
{
    reader->error = (struct proto_error){.code = PROTO_OK};
    reader->reader.code = PROTO_OK;
}

void saved_problem(const struct saved_reader *reader, char *out, size_t size)
{
    const struct proto_error *error = &reader->error;

    (void)snprintf(out, size, "%s%s%s", error->field, error->field[0] != '\0' ? ": " : "",
                   error->message);
}

static bool head_valid(struct saved_reader *reader, enum saved_kind kind, const uint8_t *bytes,
                       size_t size)
{
    uint32_t sum;

    reader->reader.field = "";
    if (size < SAVED_HEAD || memcmp(bytes, magic, sizeof magic) != 0) {
        saved_fail(reader, "", "not a file of flockd");
    } else if (bytes[KIND_AT] != (uint8_t)kind) {
        saved_fail(reader, "", kinds[kind]);
    } else if (bytes[VERSION_AT] != SAVED_VERSION) {
        reader_fail(&reader->reader, PROTO_E_VERSION,
                    "written by another version: expected state version %u, got %u", SAVED_VERSION,
                    bytes[VERSION_AT]);
    } else if (size > SAVED_MAX) {
        reader_fail(&reader->reader, PROTO_E_RANGE, "expected at most %u bytes, got %zu", SAVED_MAX,
                    size);
    } else {
        memcpy(&sum, bytes + CHECKSUM_AT, sizeof sum);
        if (sum != checksum(bytes, size)) {
            saved_fail(reader, "", "damaged: the checksum differs");
        }
    }
    return !saved_failed(reader);
}

bool saved_is(enum saved_kind kind, const uint8_t *bytes, size_t size)
{
    return size >= SAVED_HEAD && memcmp(bytes, magic, sizeof magic) == 0 &&
           bytes[KIND_AT] == (uint8_t)kind;
}

const msgpack_object_map *saved_open(struct saved_reader *reader, enum saved_kind kind,
                                     const uint8_t *bytes, size_t size, size_t values_max)
{
    struct bounds_fault fault;
    msgpack_object *root;
    size_t offset = 0;

    memset(reader, 0, sizeof *reader);
    reader->reader.error = &reader->error;
    if (!head_valid(reader, kind, bytes, size)) {
        return NULL;
    }
    bytes += SAVED_HEAD;
    size -= SAVED_HEAD;
    if (!bounds_check(bytes, size, values_max, &fault)) {
        reader_fail(&reader->reader, PROTO_E_MALFORMED, "the value at byte %zu %s", fault.at,
                    fault.what);
        return NULL;
    }
    reader->has_zone = msgpack_zone_init(&reader->zone, MSGPACK_ZONE_CHUNK_SIZE);
    root = reader->has_zone ? msgpack_zone_malloc(&reader->zone, sizeof *root) : NULL;
    if (root == NULL || msgpack_unpack((const char *)bytes, size, &offset, &reader->zone, root) !=
                            MSGPACK_UNPACK_SUCCESS) {
        saved_fail(reader, "", "out of memory");
        return NULL;
    }
    return reader_map(&reader->reader, root);
}

void saved_close(struct saved_reader *reader)
{
    if (reader->has_zone) {
        msgpack_zone_destroy(&reader->zone);
    }
}

/* Returns the bytes of a bin of exactly that size; NULL for any other value. */
static const uint8_t *read_bin(struct saved_reader *reader, const msgpack_object_map *map,
                               const char *key, size_t size)
{
    const msgpack_object_bin *bin =
        reader_bin(&reader->reader, reader_key(&reader->reader, map, key));

    if (bin != NULL && bin->size != size) {
        reader_fail(&reader->reader, PROTO_E_RANGE, "expected %zu bytes, got %u", size, bin->size);
        return NULL;
    }
    return bin != NULL ? (const uint8_t *)bin->ptr : NULL;
}

const void *saved_read_words(struct saved_reader *reader, const msgpack_object_map *map,
                             const char *key, size_t count)
{
    const uint8_t *bytes = read_bin(reader, map, key, 4 * count);
    uint32_t *words;

    if (bytes == NULL) {
        return NULL;
    }
    words = msgpack_zone_malloc(&reader->zone, 4 * count); /* the bytes may lie anywhere */
    if (words == NULL) {
        saved_fail(reader, key, "out of memory");
        return NULL;
    }
    memcpy(words, bytes, 4 * count);
    return words;
}

void saved_read_text(struct saved_reader *reader, const msgpack_object_map *map, const char *key,
                     char *out, size_t size)
{
    out[0] = '\0';
    reader_line(&reader->reader, reader_key(&reader->reader, map, key), 0, size - 1, out);
}

size_t saved_read_word(struct saved_reader *reader, const msgpack_object_map *map, const char *key,
                       const char *(*word)(size_t index))
{
    char text[PROTO_WORD_MAX + 1];
    size_t i = 0;

    saved_read_text(reader, map, key, text, sizeof text);
    while (word(i) != NULL && strcmp(word(i), text) != 0) {
        i++;
    }
    if (word(i) == NULL) {
        saved_fail(reader, key, "this version does not know the name");
        return 0;
    }
    return i;
}
