/* A flockd of a later release, for tests of upgrades. It appends a field to each message between
 * nodes and to all that it stores. With FLOCK_LATER=messages it has another version of messages,
 * too. The linker wraps the functions that write and read them. */
#include <assert.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cluster/values.h"
#include "cluster/versions.h"
#include "cluster/wire.h"

#define MORE  3u    /* bytes that values have more */
#define FIELD 0x2au /* 42 in MessagePack */

#define PROBE_FIELDS 3u /* of a probe and of its answer */

/* In place of server/cluster/versions.c. */
uint8_t version_of_messages(void)
{
    const char *later = getenv("FLOCK_LATER");

    return later != NULL && strcmp(later, "messages") == 0 ? 2 : 1;
}

uint32_t version_of_release(void)
{
    return 3;
}

/* ---- messages ---- */

/* The linker's names of wrapped functions. NOLINTBEGIN(bugprone-reserved-identifier) */
void __real_wire_seal(struct wire_writer *writer, uint64_t number, uint64_t time);
void __wrap_wire_seal(struct wire_writer *writer, uint64_t number, uint64_t time);
enum wire_result __real_wire_decode(struct wire_decoder *decoder, const uint8_t *bytes, size_t size,
                                    struct wire_message *message);
enum wire_result __wrap_wire_decode(struct wire_decoder *decoder, const uint8_t *bytes, size_t size,
                                    struct wire_message *message);

/* A message's fields are an array of fewer than 15. */
void __wrap_wire_seal(struct wire_writer *writer, uint64_t number, uint64_t time)
{
    uint8_t *grown;

    __real_wire_seal(writer, number, time);
    grown = realloc(writer->bytes, writer->size + 1);
    if (grown == NULL) {
        return;
    }
    writer->bytes = grown;
    writer->capacity = writer->size + 1;
    assert(grown[WIRE_HEAD] >= 0x90 && grown[WIRE_HEAD] < 0x9f);
    grown[WIRE_HEAD]++;
    grown[writer->size++] = FIELD;
}

/* Says once whether probes and their answers have come with the field, and without it. */
enum wire_result __wrap_wire_decode(struct wire_decoder *decoder, const uint8_t *bytes, size_t size,
                                    struct wire_message *message)
{
    static atomic_bool said[2];
    const enum wire_result result = __real_wire_decode(decoder, bytes, size, message);
    const bool counts =
        result == WIRE_OK && (message->head.kind == WIRE_PROBE || message->head.kind == WIRE_CLOCK);
    const bool later = counts && bytes[WIRE_HEAD] > 0x90 + PROBE_FIELDS;

    if (counts && !atomic_exchange(&said[later], true)) {
        fprintf(stderr, "messages of %s release\n", later ? "this" : "an earlier");
    }
    return result;
}

/* ---- values ---- */

static size_t append(uint8_t *bytes, size_t size)
{
    assert(size + MORE <= VALUES_MAX);
    memset(bytes + size, FIELD, MORE);
    return size + MORE;
}

#define WRAP_VALUE(name, type)                                                                     \
    size_t __real_values_write_##name(const type *value, uint8_t out[VALUES_MAX]);                 \
    size_t __wrap_values_write_##name(const type *value, uint8_t out[VALUES_MAX]);                 \
    size_t __wrap_values_write_##name(const type *value, uint8_t out[VALUES_MAX])                  \
    {                                                                                              \
        return append(out, __real_values_write_##name(value, out));                                \
    }

WRAP_VALUE(lease, struct node_lease)
WRAP_VALUE(route, struct route_value)
WRAP_VALUE(head, struct check_head)
WRAP_VALUE(beat, struct node_beat)
WRAP_VALUE(take, struct room_take)
WRAP_VALUE(parcel, struct room_parcel)
WRAP_VALUE(answer, struct parcel_answer)

bool __real_values_add_facts(struct facts_writer *writer, const struct directory_entry *entry,
                             uint64_t epoch);
bool __wrap_values_add_facts(struct facts_writer *writer, const struct directory_entry *entry,
                             uint64_t epoch);

/* An entry follows its size of two bytes. */
bool __wrap_values_add_facts(struct facts_writer *writer, const struct directory_entry *entry,
                             uint64_t epoch)
{
    const size_t before = writer->size;
    size_t size;

    if (!__real_values_add_facts(writer, entry, epoch)) {
        return false;
    }
    if (writer->size + MORE > sizeof writer->bytes) {
        writer->size = before;
        return false;
    }
    memset(writer->bytes + writer->size, FIELD, MORE);
    writer->size += MORE;
    size = writer->size - before - 2;
    writer->bytes[before] = (uint8_t)size;
    writer->bytes[before + 1] = (uint8_t)(size >> 8);
    return true;
}
/* NOLINTEND(bugprone-reserved-identifier) */
