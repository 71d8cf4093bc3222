#include "cluster/values.h"

#include <assert.h>
#include <string.h>

#include "base/digest.h"
#include "base/key.h"
#include "cluster/values_bytes.h"
#include "cluster/versions.h"
#include "sim/flock.h"

/* The first byte of each kind. */
enum {
    KIND_LEASE = 'L',
    KIND_ROUTE = 'R',
    KIND_HEAD = 'H',
    KIND_BEAT = 'B',
    KIND_TAKE = 'T',
    KIND_WANT = 'W',
    KIND_PARCEL = 'P',
    KIND_ANSWER = 'A',
    KIND_PART = 'C',
    KIND_FACTS = 'E'
};

#define ENTRY_SIZE 2u /* bytes of the size of an entry of facts */

/* ---- leases ---- */

size_t values_write_lease(const struct node_lease *lease, uint8_t out[VALUES_MAX])
{
    struct writing writing = begin_writing(out, VALUES_MAX, KIND_LEASE);

    write_uint(&writing, lease->dead, 1);
    write_uint(&writing, lease->incarnation, 8);
    write_uint(&writing, (uint64_t)lease->role, 1);
    write_uint(&writing, lease->version, 4);
    return end_writing(&writing);
}

bool values_read_lease(const uint8_t *bytes, size_t size, struct node_lease *lease)
{
    struct reading reading = begin_reading(bytes, size, KIND_LEASE);

    *lease = (struct node_lease){0};
    lease->dead = read_flag(&reading);
    lease->incarnation = read_uint(&reading, 8, UINT64_MAX);
    lease->role = read_role(&reading);
    lease->version = (uint32_t)read_uint(&reading, 4, UINT32_MAX);
    return end_reading(&reading);
}

/* ---- routes ---- */

static void write_route(struct writing *writing, const struct route_value *route)
{
    write_uint(writing, route->ended, 1);
    if (route->ended) {
        write_uint(writing, route->until, 8);
    } else {
        write_text(writing, route->owner);
        write_uint(writing, route->incarnation, 8);
    }
}

static void read_route(struct reading *reading, struct route_value *route)
{
    *route = (struct route_value){0};
    route->ended = read_flag(reading);
    if (route->ended) {
        route->until = read_uint(reading, 8, UINT64_MAX);
    } else {
        read_node(reading, route->owner);
        route->incarnation = read_uint(reading, 8, UINT64_MAX);
    }
}

size_t values_write_route(const struct route_value *route, uint8_t out[VALUES_MAX])
{
    struct writing writing = begin_writing(out, VALUES_MAX, KIND_ROUTE);

    write_route(&writing, route);
    return end_writing(&writing);
}

bool values_read_route(const uint8_t *bytes, size_t size, struct route_value *route)
{
    struct reading reading = begin_reading(bytes, size, KIND_ROUTE);

    read_route(&reading, route);
    return end_reading(&reading);
}

size_t values_write_take(const struct room_take *take, uint8_t out[VALUES_MAX])
{
    struct writing writing = begin_writing(out, VALUES_MAX, KIND_TAKE);

    write_text(&writing, take->code);
    write_uint(&writing, take->revision, 8);
    write_route(&writing, &take->route);
    return end_writing(&writing);
}

bool values_read_take(const uint8_t *bytes, size_t size, struct room_take *take)
{
    struct reading reading = begin_reading(bytes, size, KIND_TAKE);

    *take = (struct room_take){0};
    read_code(&reading, take->code);
    take->revision = read_uint(&reading, 8, UINT64_MAX);
    read_route(&reading, &take->route);
    return end_reading(&reading);
}

size_t values_write_want(const struct room_want *want, uint8_t out[VALUES_MAX])
{
    struct writing writing = begin_writing(out, VALUES_MAX, KIND_WANT);

    write_text(&writing, want->code);
    write_text(&writing, want->node);
    write_uint(&writing, want->people, 4);
    return end_writing(&writing);
}

bool values_read_want(const uint8_t *bytes, size_t size, struct room_want *want)
{
    struct reading reading = begin_reading(bytes, size, KIND_WANT);

    *want = (struct room_want){0};
    read_code(&reading, want->code);
    read_node(&reading, want->node);
    want->people = (uint32_t)read_uint(&reading, 4, UINT32_MAX);
    return end_reading(&reading);
}

/* ---- parcels ---- */

size_t values_write_parcel(const struct room_parcel *parcel, uint8_t out[VALUES_MAX])
{
    struct writing writing = begin_writing(out, VALUES_MAX, KIND_PARCEL);

    write_text(&writing, parcel->code);
    write_text(&writing, parcel->node);
    write_uint(&writing, parcel->number, 8);
    write_uint(&writing, parcel->epoch, 8);
    write_uint(&writing, parcel->is_film, 1);
    write_uint(&writing, parcel->trusted, 1);
    write_uint(&writing, parcel->creator, 8);
    write_uint(&writing, parcel->size, 8);
    return end_writing(&writing);
}

bool values_read_parcel(const uint8_t *bytes, size_t size, struct room_parcel *parcel)
{
    struct reading reading = begin_reading(bytes, size, KIND_PARCEL);

    *parcel = (struct room_parcel){0};
    read_code(&reading, parcel->code);
    read_node(&reading, parcel->node);
    parcel->number = read_uint(&reading, 8, UINT64_MAX);
    parcel->epoch = read_uint(&reading, 8, UINT64_MAX);
    parcel->is_film = read_flag(&reading);
    parcel->trusted = read_flag(&reading);
    parcel->creator = read_uint(&reading, 8, UINT64_MAX);
    parcel->size = read_uint(&reading, 8, UINT64_MAX);
    return end_reading(&reading);
}

size_t values_write_answer(const struct parcel_answer *answer, uint8_t out[VALUES_MAX])
{
    struct writing writing = begin_writing(out, VALUES_MAX, KIND_ANSWER);

    write_text(&writing, answer->node);
    write_uint(&writing, answer->number, 8);
    write_uint(&writing, answer->result, 1);
    write_uint(&writing, answer->index, 4);
    return end_writing(&writing);
}

bool values_read_answer(const uint8_t *bytes, size_t size, struct parcel_answer *answer)
{
    struct reading reading = begin_reading(bytes, size, KIND_ANSWER);

    *answer = (struct parcel_answer){0};
    read_node(&reading, answer->node);
    answer->number = read_uint(&reading, 8, UINT64_MAX);
    answer->result = (enum parcel_result)read_uint(&reading, 1, PARCEL_BROKEN);
    answer->index = (uint32_t)read_uint(&reading, 4, UINT32_MAX);
    return end_reading(&reading);
}

/* A part has a head of one size: its bytes follow, and nothing may be appended to the head. */
size_t values_write_part(const struct parcel_part *part, uint8_t out[VALUES_MAX])
{
    struct writing writing = begin_writing(out, VALUES_MAX, KIND_PART);

    write_uint(&writing, part->number, 8);
    write_uint(&writing, part->index, 4);
    return end_writing(&writing);
}

bool values_read_part(const uint8_t *bytes, size_t size, struct parcel_part *part, size_t *used)
{
    struct reading reading = begin_reading(bytes, size, KIND_PART);

    *part = (struct parcel_part){0};
    part->number = read_uint(&reading, 8, UINT64_MAX);
    part->index = (uint32_t)read_uint(&reading, 4, UINT32_MAX);
    *used = size - reading.left;
    return end_reading(&reading);
}

/* ---- heads of checkpoints ---- */

size_t values_write_head(const struct check_head *head, uint8_t out[VALUES_MAX])
{
    struct writing writing = begin_writing(out, VALUES_MAX, KIND_HEAD);

    write_uint(&writing, head->epoch, 8);
    write_uint(&writing, head->parts, 4);
    write_uint(&writing, head->turn, 1);
    write_uint(&writing, head->size, 8);
    write_uint(&writing, head->listed, 1);
    write_uint(&writing, head->trusted, 1);
    write_uint(&writing, head->saved_at, 8);
    write_uint(&writing, head->fingerprint, 8);
    write_uint(&writing, head->creator, 8);
    return end_writing(&writing);
}

bool values_read_head(const uint8_t *bytes, size_t size, struct check_head *head, size_t *used)
{
    struct reading reading = begin_reading(bytes, size, KIND_HEAD);

    *head = (struct check_head){0};
    head->epoch = read_uint(&reading, 8, UINT64_MAX);
    head->parts = (uint32_t)read_uint(&reading, 4, UINT32_MAX);
    head->turn = read_flag(&reading);
    head->size = read_uint(&reading, 8, UINT64_MAX);
    head->listed = read_flag(&reading);
    head->trusted = read_flag(&reading);
    head->saved_at = read_uint(&reading, 8, UINT64_MAX);
    head->fingerprint = read_uint(&reading, 8, UINT64_MAX);
    head->creator = read_uint(&reading, 8, UINT64_MAX);
    if (head->parts == 0 && head->size < reading.left) {
        reading.left = (size_t)head->size; /* a later release's head has more */
    } else if (head->parts > 0) {
        reading.left = 0;
    }
    *used = size - reading.left;
    return end_reading(&reading);
}

/* ---- beats ---- */

size_t values_write_beat(const struct node_beat *beat, uint8_t out[VALUES_MAX])
{
    struct writing writing = begin_writing(out, VALUES_MAX, KIND_BEAT);

    write_text(&writing, beat->name);
    write_uint(&writing, beat->incarnation, 8);
    write_uint(&writing, beat->revision, 8);
    write_uint(&writing, (uint64_t)beat->role, 1);
    write_uint(&writing, beat->version, 4);
    write_uint(&writing, beat->draining, 1);
    write_uint(&writing, beat->load, 4);
    write_uint(&writing, beat->rooms, 4);
    write_uint(&writing, beat->rooms_max, 4);
    write_uint(&writing, beat->boids_left, 8);
    write_text(&writing, beat->http);
    write_text(&writing, beat->http_key);
    return end_writing(&writing);
}

uint32_t values_beat_version(const uint8_t *bytes, size_t size)
{
    return size >= 2 && bytes[0] == KIND_BEAT ? bytes[1] : 0;
}

bool values_read_beat(const uint8_t *bytes, size_t size, struct node_beat *beat)
{
    struct reading reading = begin_reading(bytes, size, KIND_BEAT);

    *beat = (struct node_beat){0};
    read_node(&reading, beat->name);
    beat->incarnation = read_uint(&reading, 8, UINT64_MAX);
    beat->revision = read_uint(&reading, 8, UINT64_MAX);
    beat->role = read_role(&reading);
    beat->version = (uint32_t)read_uint(&reading, 4, UINT32_MAX);
    beat->draining = read_flag(&reading);
    beat->load = (uint32_t)read_uint(&reading, 4, UINT32_MAX);
    beat->rooms = (uint32_t)read_uint(&reading, 4, UINT32_MAX);
    beat->rooms_max = (uint32_t)read_uint(&reading, 4, UINT32_MAX);
    beat->boids_left = read_uint(&reading, 8, UINT64_MAX);
    read_text(&reading, beat->http, NODE_ADDRESS_MAX);
    read_text(&reading, beat->http_key, NODE_KEY_MAX);
    return end_reading(&reading);
}

/* ---- facts ---- */

bool values_same_facts(const struct directory_entry *a, const struct directory_entry *b)
{
    return strcmp(a->code, b->code) == 0 && strcmp(a->title, b->title) == 0 &&
           a->model == b->model && a->preset == b->preset && a->people == b->people &&
           a->boids == b->boids && a->listed == b->listed && a->locked == b->locked &&
           a->trusted == b->trusted && a->by_server == b->by_server && a->creator == b->creator &&
           strcmp(a->key, b->key) == 0 && a->key_made == b->key_made;
}

void values_begin_facts(struct facts_writer *writer, uint64_t incarnation)
{
    struct writing writing = begin_writing(writer->bytes, sizeof writer->bytes, KIND_FACTS);

    write_uint(&writing, incarnation, 8);
    writer->size = end_writing(&writing);
}

/* A key is sent as its digest: a receiver needs no more, and checks no text. The digest of a chosen
 * key is not sent: a receiver could find that key by trying. */
static void write_key(struct writing *writing, const char *key, bool made)
{
    uint8_t digest[DIGEST_SIZE];
    const bool has_key = made && key[0] != '\0' && key_digest(key, digest);

    write_uint(writing, has_key, 1);
    for (size_t i = 0; has_key && i < sizeof digest; i++) {
        write_uint(writing, digest[i], 1);
    }
}

static void read_key(struct reading *reading, char key[PROTO_KEY_MAX + 1])
{
    uint8_t digest[DIGEST_SIZE];

    key[0] = '\0';
    if (read_flag(reading)) {
        for (size_t i = 0; i < sizeof digest; i++) {
            digest[i] = (uint8_t)read_uint(reading, 1, UINT8_MAX);
        }
        key_of_digest(digest, key);
    }
}

/* Models and presets are sent by name: nodes of other versions may have others. */
static const char *preset_name(uint32_t preset)
{
    return preset != FLOCK_PRESET_NONE ? flock_preset_name(preset) : "";
}

static void write_entry(struct writing *writing, const struct directory_entry *entry,
                        uint64_t epoch)
{
    write_text(writing, entry->code);
    write_text(writing, entry->title);
    write_text(writing, flock_model_name(entry->model));
    write_text(writing, preset_name(entry->preset));
    write_uint(writing, entry->people, 4);
    write_uint(writing, entry->boids, 4);
    write_uint(writing, entry->listed, 1);
    write_uint(writing, entry->locked, 1);
    write_uint(writing, entry->trusted, 1);
    write_uint(writing, entry->by_server, 1);
    write_uint(writing, entry->key_made, 1);
    write_uint(writing, entry->creator, 8);
    write_key(writing, entry->key, entry->key_made);
    write_uint(writing, epoch, 8);
}

/* Each entry follows its size, so that readers can skip what they do not know. */
bool values_add_facts(struct facts_writer *writer, const struct directory_entry *entry,
                      uint64_t epoch)
{
    struct writing writing = {
        .bytes = writer->bytes, .size = writer->size, .capacity = sizeof writer->bytes};

    write_uint(&writing, 0, ENTRY_SIZE);
    write_entry(&writing, entry, epoch);
    if (writing.full) {
        return false;
    }
    const size_t size = writing.size - writer->size - ENTRY_SIZE;
    writing.size = writer->size;
    write_uint(&writing, size, ENTRY_SIZE);
    writer->size += ENTRY_SIZE + size;
    return true;
}

/* Returns false if this version of flockd does not have the room's model, or the bytes are damaged.
 */
static bool read_entry(struct reading *reading, struct directory_entry *entry, uint64_t *epoch)
{
    char model[PROTO_WORD_MAX + 1];
    char preset[PROTO_WORD_MAX + 1];
    const struct flock_model *known;

    *entry = (struct directory_entry){0};
    read_code(reading, entry->code);
    read_text(reading, entry->title, PROTO_TITLE_MAX);
    read_text(reading, model, PROTO_WORD_MAX);
    read_text(reading, preset, PROTO_WORD_MAX);
    entry->people = (uint32_t)read_uint(reading, 4, UINT32_MAX);
    entry->boids = (uint32_t)read_uint(reading, 4, UINT32_MAX);
    entry->listed = read_flag(reading);
    entry->locked = read_flag(reading);
    entry->trusted = read_flag(reading);
    entry->by_server = read_flag(reading);
    entry->key_made = read_flag(reading);
    entry->creator = read_uint(reading, 8, UINT64_MAX);
    read_key(reading, entry->key);
    *epoch = reading->left > 0 ? read_uint(reading, 8, UINT64_MAX) : 0;
    known = flock_model_find(model);
    if (reading->damaged || known == NULL) {
        return false;
    }
    entry->model = flock_model_index(known);
    entry->preset = flock_preset_index(flock_preset_find(preset));
    return true;
}

bool values_read_facts(const uint8_t *bytes, size_t size, uint64_t *incarnation,
                       values_take_facts *take, void *argument)
{
    struct reading reading = begin_reading(bytes, size, KIND_FACTS);

    *incarnation = read_uint(&reading, 8, UINT64_MAX);
    while (!reading.damaged && reading.left > 0) {
        struct directory_entry entry;
        uint64_t epoch;
        struct reading inner = read_part(&reading, read_uint(&reading, ENTRY_SIZE, UINT16_MAX));
        if (read_entry(&inner, &entry, &epoch)) {
            take(argument, &entry, epoch);
        }
        reading.damaged |= inner.damaged;
    }
    return end_reading(&reading);
}
