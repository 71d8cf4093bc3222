/* The bytes of a recording's file. */
#include "past/recording_file.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "scene/saved.h"

#define BIN_HEAD_MAX 5u /* bytes of MessagePack before the bytes of a bin */

/* A piece of the file; it ends where the next one begins. */
struct piece {
    size_t at;            /* in the file */
    const uint8_t *bytes; /* of a part; NULL: of the file's own memory */
    size_t own_at;        /* there */
};

struct recording_file {
    uint8_t *own; /* all that is not in the parts */
    size_t own_size, size;
    size_t count;
    struct piece *pieces; /* and one after the last, at the end */
};

void recording_file_destroy(struct recording_file *file)
{
    if (file != NULL) {
        free(file->own);
        free(file->pieces);
        free(file);
    }
}

/* ---- writing ---- */

static void put_models(struct saved *saved, const struct recording *recording)
{
    saved_map(saved, "models");
    for (size_t i = 0; flock_models[i] != NULL; i++) {
        if (recording->models[i] > 0) {
            saved_uint(saved, flock_models[i]->name, recording->models[i]);
        }
    }
    saved_map_end(saved);
}

static void put_str(struct saved *saved, const char *text)
{
    (void)msgpack_pack_str_with_body(&saved->packer, text, strlen(text));
}

static void put_names(struct saved *saved, const struct recording *recording, bool names)
{
    size_t count = names ? recording->name_count : 0;

    saved_array(saved, "names", count);
    for (size_t i = 0; i < count; i++) {
        const struct recording_name *name = &recording->names[i];
        (void)msgpack_pack_array(&saved->packer, 2);
        (void)msgpack_pack_uint32(&saved->packer, name->id);
        put_str(saved, name->name);
    }
}

static void put_marks(struct saved *saved, const struct recording *recording, bool names)
{
    const struct marks *marks = &recording->marks;

    saved_array(saved, "marks", marks->count);
    for (uint32_t i = 0; i < marks->count; i++) {
        const struct proto_event *event = &marks->list[i].event;
        (void)msgpack_pack_array(&saved->packer, 7);
        (void)msgpack_pack_uint64(&saved->packer, marks->list[i].round);
        (void)msgpack_pack_uint32(&saved->packer, event->by);
        put_str(saved, names ? event->who : "");
        put_str(saved, event->name);
        put_str(saved, event->what);
        put_str(saved, event->from);
        put_str(saved, event->to);
    }
}

static void put_index(struct saved *saved, const struct recording *recording)
{
    size_t size = recording->count * RECORDING_INDEX_SIZE;
    uint8_t *index = malloc(size > 0 ? size : 1);

    if (index == NULL) {
        saved->failed = true;
        return;
    }
    for (size_t i = 0; i < recording->count; i++) {
        const struct recording_part *part = &recording->parts[i];
        const uint64_t before[] = {part->round, part->tick, part->clock};
        const uint32_t within[] = {part->rounds, part->follows ? 1 : 0};
        memcpy(index + i * RECORDING_INDEX_SIZE, before, sizeof before);
        memcpy(index + i * RECORDING_INDEX_SIZE + sizeof before, within, sizeof within);
    }
    saved_bin(saved, "index", index, size);
    free(index);
}

static void add_piece(struct recording_file *file, struct piece piece, size_t size)
{
    piece.at = file->size;
    file->pieces[file->count++] = piece;
    file->size += size;
}

/* Adds the bytes that were written since the last piece. */
static void add_own(struct recording_file *file, const struct saved *saved)
{
    add_piece(file, (struct piece){.own_at = file->own_size}, saved->size - file->own_size);
    file->own_size = saved->size;
}

/* Writes the head of a bin, whose bytes remain in the part. */
static void put_part(struct recording_file *file, struct saved *saved, const uint8_t *bytes,
                     size_t size)
{
    (void)msgpack_pack_bin(&saved->packer, size);
    add_own(file, saved);
    add_piece(file, (struct piece){.bytes = bytes}, size);
}

static void put_parts(struct recording_file *file, struct saved *saved,
                      const struct recording *recording)
{
    const struct recording_part *parts = recording->parts;

    saved_array(saved, "states", recording->count);
    for (size_t i = 0; i < recording->count; i++) {
        put_part(file, saved, parts[i].state, parts[i].state_size);
    }
    saved_array(saved, "inputs", recording->count);
    for (size_t i = 0; i < recording->count; i++) {
        put_part(file, saved, parts[i].inputs, parts[i].input_size);
    }
}

static void put_head(struct saved *saved, const struct recording *recording, bool names)
{
    saved_text(saved, "version", recording->version);
    put_models(saved, recording);
    saved_uint(saved, "tick_rate", recording->tick_rate);
    saved_uint(saved, "boids_max", recording->boids_max);
    put_names(saved, recording, names);
    if (recording->marks.count > 0) {
        put_marks(saved, recording, names);
    }
    put_index(saved, recording);
}

/* Writes what is not in the parts, and lists the pieces. Returns false when memory runs out. */
static bool write_file(struct recording_file *file, const struct recording *recording, bool names)
{
    struct saved saved;

    saved_begin(&saved, SAVED_RECORDING,
                4096 + recording->count * (RECORDING_INDEX_SIZE + 2 * BIN_HEAD_MAX));
    saved_map(&saved, NULL);
    put_head(&saved, recording, names);
    put_parts(file, &saved, recording);
    saved_map_end(&saved);
    add_own(file, &saved);
    file->own = saved_end(&saved, &file->own_size);
    return file->own != NULL && file->size <= SAVED_MAX;
}

static size_t size_of(const struct piece *piece)
{
    return piece[1].at - piece->at;
}

static void seal_file(struct recording_file *file)
{
    struct saved_sum sum;

    saved_sum_begin(&sum);
    for (size_t i = 0; i < file->count; i++) {
        saved_sum_add(&sum, file->pieces[i].bytes, size_of(&file->pieces[i]));
    }
    saved_sum_store(&sum, file->own);
}

struct recording_file *recording_file_create(const struct recording *recording, bool names)
{
    struct recording_file *file = calloc(1, sizeof *file);

    if (file == NULL) {
        return NULL;
    }
    file->pieces = calloc(4 * recording->count + 2, sizeof *file->pieces);
    if (file->pieces == NULL || !write_file(file, recording, names)) {
        recording_file_destroy(file);
        return NULL;
    }
    file->pieces[file->count].at = file->size;
    for (size_t i = 0; i < file->count; i++) {
        struct piece *piece = &file->pieces[i];
        piece->bytes = piece->bytes != NULL ? piece->bytes : file->own + piece->own_at;
    }
    seal_file(file);
    return file;
}

/* ---- reading ---- */

size_t recording_file_size(const struct recording_file *file)
{
    return file->size;
}

/* Returns the last piece that does not begin after that byte. */
static const struct piece *find_piece(const struct recording_file *file, size_t at)
{
    size_t low = 0;
    size_t high = file->count;

    while (high - low > 1) {
        const size_t middle = low + (high - low) / 2;
        if (file->pieces[middle].at <= at) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return &file->pieces[low];
}

void recording_file_read(const struct recording_file *file, size_t at, uint8_t *out, size_t size)
{
    const struct piece *piece = find_piece(file, at);

    assert(at <= file->size && size <= file->size - at);
    while (size > 0) {
        const size_t before = at - piece->at;
        const size_t left = size_of(piece) - before;
        const size_t part = left < size ? left : size;
        memcpy(out, piece->bytes + before, part);
        out += part;
        at += part;
        size -= part;
        piece++;
    }
}

uint8_t *recording_write(const struct recording *recording, bool names, size_t *size)
{
    struct recording_file *file = recording_file_create(recording, names);
    uint8_t *bytes = file != NULL ? malloc(file->size) : NULL;

    if (bytes != NULL) {
        *size = file->size;
        recording_file_read(file, 0, bytes, file->size);
    }
    recording_file_destroy(file);
    return bytes;
}
