#include "past/recording.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scene/saved.h"
#include "scene/scene.h"

#define VALUES_MAX (2 * RECORDING_PARTS_MAX + 3 * RECORDING_NAMES_MAX + 8 * PROTO_MARKS_MAX + 256u)
#define ROUNDS_MAX ((uint64_t)1 << 52) /* half of what PROTOCOL.md promises of ticks */

void recording_destroy(struct recording *recording)
{
    if (recording == NULL) {
        return;
    }
    if (recording->release != NULL) {
        recording->release(recording->memory);
    }
    marks_finish(&recording->marks);
    free(recording->names);
    free(recording->parts);
    free(recording);
}

void recording_begin(struct recording *recording, uint32_t tick_rate, uint32_t boids_max)
{
    *recording = (struct recording){.tick_rate = tick_rate, .boids_max = boids_max};
    snprintf(recording->version, sizeof recording->version, "%s", FLOCKD_VERSION);
    for (size_t i = 0; flock_models[i] != NULL; i++) {
        recording->models[i] = flock_models[i]->version;
    }
}

/* ---- finding ---- */

static uint64_t round_of(const struct recording_part *part)
{
    return part->round;
}

static uint64_t tick_of(const struct recording_part *part)
{
    return part->tick;
}

/* The last part whose value() is not above `value`; 0: none, or the first. */
static size_t find(const struct recording *recording, uint64_t value,
                   uint64_t (*value_of)(const struct recording_part *part))
{
    size_t low = 0;
    size_t high = recording->count;

    assert(recording->count > 0);
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (value_of(&recording->parts[middle]) <= value) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}

size_t recording_find(const struct recording *recording, uint64_t round)
{
    return find(recording, round, round_of);
}

size_t recording_find_tick(const struct recording *recording, uint64_t tick)
{
    size_t at = find(recording, tick, tick_of);

    while (at > 0 && recording->parts[at].tick == tick) {
        at--; /* the flock stood still: the first of these moments may be in the part before */
    }
    return at;
}

struct checkpoint recording_checkpoint(const struct recording *recording, size_t index,
                                       uint64_t round)
{
    const struct recording_part *part = &recording->parts[index];
    const struct checkpoint *keyframe =
        part->keyframes != NULL ? keyframes_find(part->keyframes, part->round, round) : NULL;

    if (keyframe != NULL) {
        return *keyframe;
    }
    return (struct checkpoint){.round = part->round,
                               .clock = input_clock_at(part->clock, recording->tick_rate),
                               .controls = 1,
                               .params = 1,
                               .state = (uint8_t *)part->state,
                               .size = part->state_size};
}

uint64_t recording_end(const struct recording *recording)
{
    const struct recording_part *last = &recording->parts[recording->count - 1];

    assert(recording->count > 0);
    return last->round + last->rounds;
}

static int by_id(const void *a, const void *b)
{
    uint32_t one = ((const struct recording_name *)a)->id;
    uint32_t other = ((const struct recording_name *)b)->id;

    return (one > other) - (one < other);
}

bool recording_add_names(struct recording *recording, const struct recording_name *names,
                         size_t count)
{
    size_t before = recording->name_count;
    struct recording_name *all;

    if (count == 0) {
        return true;
    }
    all = realloc(recording->names, (before + count) * sizeof *all);
    if (all == NULL) {
        return false;
    }
    memcpy(all + before, names, count * sizeof *all);
    recording->names = all;
    recording->name_count = before + count;
    qsort(all, recording->name_count, sizeof *all, by_id);
    return true;
}

/* ---- reading ---- */

static void read_models(struct saved_reader *r, const msgpack_object *value,
                        struct recording *recording)
{
    const msgpack_object_map *map = reader_map(&r->reader, value);

    for (size_t i = 0; map != NULL && flock_models[i] != NULL; i++) {
        const msgpack_object *version = reader_option(&r->reader, map, flock_models[i]->name);
        if (version != NULL) {
            recording->models[i] = (uint32_t)reader_uint(&r->reader, version, 1, UINT32_MAX);
        }
    }
}

static void read_names(struct saved_reader *r, const msgpack_object *value,
                       struct recording *recording)
{
    const msgpack_object_array *list = reader_array(&r->reader, value, 0);

    if (list == NULL || list->size == 0) {
        return;
    }
    if (list->size > RECORDING_NAMES_MAX ||
        (recording->names = calloc(list->size, sizeof *recording->names)) == NULL) {
        saved_fail(r, "names", "too many for the memory");
        return;
    }
    for (uint32_t i = 0; i < list->size && !saved_failed(r); i++) {
        const msgpack_object_array *entry = reader_array(&r->reader, &list->ptr[i], 2);
        if (entry != NULL) {
            recording->names[i].id =
                (uint32_t)reader_uint(&r->reader, &entry->ptr[0], 1, UINT32_MAX);
            reader_line(&r->reader, &entry->ptr[1], 1, PROTO_NAME_MAX, recording->names[i].name);
            recording->name_count++;
        }
    }
}

static void read_mark(struct saved_reader *r, const msgpack_object *value, struct marks *marks)
{
    const msgpack_object_array *entry = reader_array(&r->reader, value, 7);
    struct mark mark = {0};

    if (entry == NULL) {
        return;
    }
    mark.round = reader_uint(&r->reader, &entry->ptr[0], 0, ROUNDS_MAX);
    mark.event.by = (uint32_t)reader_uint(&r->reader, &entry->ptr[1], 0, UINT32_MAX);
    reader_line(&r->reader, &entry->ptr[2], 0, PROTO_NAME_MAX, mark.event.who);
    reader_line(&r->reader, &entry->ptr[3], 1, PROTO_WORD_MAX, mark.event.name);
    reader_line(&r->reader, &entry->ptr[4], 0, PROTO_ROOM_MAX, mark.event.what);
    reader_line(&r->reader, &entry->ptr[5], 0, PROTO_VALUE_MAX, mark.event.from);
    reader_line(&r->reader, &entry->ptr[6], 0, PROTO_VALUE_MAX, mark.event.to);
    if (!saved_failed(r) && !marks_add(marks, &mark)) {
        saved_fail(r, "marks", "too many for the memory");
    }
}

static void read_marks(struct saved_reader *r, const msgpack_object *value, struct marks *marks)
{
    const msgpack_object_array *list = value != NULL ? reader_array(&r->reader, value, 0) : NULL;

    static_assert(PROTO_MARKS_MAX == 200, "the error names it");
    if (list != NULL && list->size > PROTO_MARKS_MAX) {
        saved_fail(r, "marks", "expected at most 200");
    }
    for (uint32_t i = 0; list != NULL && i < list->size && !saved_failed(r); i++) {
        read_mark(r, &list->ptr[i], marks);
    }
}

/* Whether a part can come after the one before it. */
static bool in_order(const struct recording_part *part, const struct recording_part *before)
{
    uint64_t end = before != NULL ? before->round + before->rounds : 0;

    return part->round <= ROUNDS_MAX && part->tick <= ROUNDS_MAX &&
           (before == NULL || (part->round >= end && part->tick >= before->tick &&
                               (!part->follows || part->round == end)));
}

static void read_index(struct saved_reader *r, const msgpack_object_map *map,
                       struct recording *recording)
{
    const msgpack_object_bin *bin = reader_bin(&r->reader, reader_key(&r->reader, map, "index"));

    if (bin == NULL) {
        return;
    }
    recording->count = bin->size / RECORDING_INDEX_SIZE;
    if (bin->size % RECORDING_INDEX_SIZE != 0 || recording->count == 0 ||
        recording->count > RECORDING_PARTS_MAX) {
        saved_fail(r, "index", "expected 1 to 65536 parts of 32 bytes");
        return;
    }
    recording->parts = calloc(recording->count, sizeof *recording->parts);
    if (recording->parts == NULL) {
        saved_fail(r, "index", "out of memory");
        return;
    }
    for (size_t i = 0; i < recording->count; i++) {
        struct recording_part *part = &recording->parts[i];
        uint64_t before[3];
        uint32_t within[2];
        memcpy(before, bin->ptr + i * RECORDING_INDEX_SIZE, sizeof before);
        memcpy(within, bin->ptr + i * RECORDING_INDEX_SIZE + sizeof before, sizeof within);
        *part = (struct recording_part){.round = before[0],
                                        .tick = before[1],
                                        .clock = before[2],
                                        .rounds = within[0],
                                        /* Earlier versions wrote 1 for the first part, too, if
                                         * the room had dropped the part before it. */
                                        .follows = i > 0 && within[1] == 1};
        if (within[1] > 1 || !in_order(part, i > 0 ? part - 1 : NULL)) {
            saved_fail(r, "index", "the parts are out of order");
            return;
        }
    }
}

/* A bin of each part. */
static const msgpack_object_array *read_bins(struct saved_reader *r, const msgpack_object_map *map,
                                             const char *key, size_t count)
{
    const msgpack_object_array *list =
        reader_array(&r->reader, reader_key(&r->reader, map, key), 0);

    if (list != NULL && list->size != count) {
        saved_fail(r, key, "expected one entry for each part");
        return NULL;
    }
    for (size_t i = 0; list != NULL && i < count; i++) {
        if (reader_bin(&r->reader, &list->ptr[i]) == NULL) {
            return NULL;
        }
    }
    return list;
}

static void read_parts(struct saved_reader *r, const msgpack_object_map *map,
                       struct recording *recording)
{
    const msgpack_object_array *states = read_bins(r, map, "states", recording->count);
    const msgpack_object_array *inputs = read_bins(r, map, "inputs", recording->count);

    if (states == NULL || inputs == NULL) {
        return;
    }
    for (size_t i = 0; i < recording->count; i++) {
        struct recording_part *part = &recording->parts[i];
        part->state = (const uint8_t *)states->ptr[i].via.bin.ptr;
        part->state_size = states->ptr[i].via.bin.size;
        part->inputs = (const uint8_t *)inputs->ptr[i].via.bin.ptr;
        part->input_size = inputs->ptr[i].via.bin.size;
    }
}

struct recording *recording_read(const uint8_t *bytes, size_t size, char *problem,
                                 size_t problem_size)
{
    struct recording *recording = calloc(1, sizeof *recording);
    struct saved_reader r;
    const msgpack_object_map *map = saved_open(&r, SAVED_RECORDING, bytes, size, VALUES_MAX);

    if (recording == NULL) {
        saved_fail(&r, "", "out of memory");
    } else if (map != NULL) {
        saved_read_text(&r, map, "version", recording->version, sizeof recording->version);
        read_models(&r, reader_key(&r.reader, map, "models"), recording);
        recording->tick_rate = (uint32_t)reader_uint(
            &r.reader, reader_key(&r.reader, map, "tick_rate"), 1, PROTO_RATE_MAX);
        recording->boids_max = (uint32_t)reader_uint(
            &r.reader, reader_key(&r.reader, map, "boids_max"), 1, SCENE_BOIDS_MAX);
        read_names(&r, reader_key(&r.reader, map, "names"), recording);
        read_marks(&r, reader_option(&r.reader, map, "marks"), &recording->marks);
        read_index(&r, map, recording);
        read_parts(&r, map, recording);
    }
    if (saved_failed(&r)) {
        saved_problem(&r, problem, problem_size);
        recording_destroy(recording);
        recording = NULL;
    }
    saved_close(&r);
    return recording;
}
