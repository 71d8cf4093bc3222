/* proto_decode_server(): a decoded message must encode within the size that protocol.h promises,
 * and decode to the same message again. */
#include "fuzz.h"

#include "encode.h"

/* Decodes a copy, because a snapshot points into it. The caller frees the copy. */
static enum proto_code decode(const uint8_t *data, size_t size,
                              struct proto_server_message *message, uint8_t **copy)
{
    static struct proto_decoder *decoder;
    struct proto_error error;

    if (decoder == NULL) {
        decoder = proto_decoder_create();
        FUZZ_REQUIRE(decoder != NULL);
    }
    *copy = fuzz_copy(data, size);
    memset(message, 0, sizeof *message);
    const enum proto_code code = proto_decode_server(decoder, *copy, size, message, &error);
    if (code != PROTO_OK) {
        FUZZ_REQUIRE(error.code == code);
        FUZZ_REQUIRE(memchr(error.message, '\0', sizeof error.message) != NULL);
    }
    return code;
}

static void check_items(const uint8_t *first, const uint8_t *second, size_t size)
{
    FUZZ_REQUIRE(size == 0 || memcmp(first, second, size) == 0);
}

static size_t boids_size(const struct proto_snapshot *snapshot)
{
    return snapshot->packed ? snapshot->packed_size
                            : (size_t)snapshot->boid_count * PROTO_BOID_SIZE;
}

/* Compares snapshots by the data that they point to, and other messages as a whole. */
static void check_same(struct proto_server_message *a, struct proto_server_message *b)
{
    FUZZ_REQUIRE(a->type == b->type);
    if (a->type == PROTO_SNAPSHOT || a->type == PROTO_PACKED) {
        struct proto_snapshot *first = &a->snapshot;
        struct proto_snapshot *second = &b->snapshot;
        FUZZ_REQUIRE(first->boid_count == second->boid_count);
        FUZZ_REQUIRE(first->cursor_count == second->cursor_count);
        check_items(first->boids, second->boids, boids_size(first));
        check_items(first->cursors, second->cursors,
                    (size_t)first->cursor_count * PROTO_CURSOR_SIZE);
        first->boids = second->boids = NULL;
        first->cursors = second->cursors = NULL;
    }
    /* Both structs were zeros before, including padding. */
    // NOLINTNEXTLINE(bugprone-suspicious-memory-comparison,cert-exp42-c,cert-flp37-c)
    FUZZ_REQUIRE(memcmp(a, b, sizeof *a) == 0);
}

static bool known(uint32_t type)
{
    return type >= PROTO_SERVER_TYPES && proto_type_name(type) != NULL;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct proto_server_message first, second;
    uint8_t *copy, *again;

    if (decode(data, size, &first, &copy) == PROTO_OK && known(first.type)) {
        const size_t capacity =
            first.type == PROTO_SNAPSHOT || first.type == PROTO_PACKED
                ? proto_snapshot_bound(boids_size(&first.snapshot), first.snapshot.cursor_count)
                : PROTO_STATE_MAX;
        uint8_t *buffer = malloc(capacity);
        FUZZ_REQUIRE(buffer != NULL);
        const size_t encoded = encode_server(buffer, capacity, &first);
        FUZZ_REQUIRE(encoded > 0);
        FUZZ_REQUIRE(decode(buffer, encoded, &second, &again) == PROTO_OK);
        check_same(&first, &second);
        free(buffer);
        free(again);
    }
    free(copy);
    return 0;
}
