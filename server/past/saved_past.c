#include "past/saved_past.h"

#include <stdlib.h>
#include <string.h>

#include "base/refusal.h"
#include "past/recording_check.h"

#define ENTRY      64u          /* bytes of a part beside its state and inputs */
#define MORE_BYTES (256u << 10) /* of marks and the head, at most */

const struct saved_past_limits saved_past_stored = {.seconds = SAVED_PAST_TIME,
                                                    .bytes = SAVED_PAST_BYTES};

static size_t part_bytes(const struct recording_part *part)
{
    return part->state_size + part->input_size + ENTRY;
}

/* Returns the index of the first part that is saved; the number of parts if none is. */
static size_t first_saved(const struct recording *recording, const struct saved_past_limits *limits)
{
    const uint64_t most = limits->seconds * (uint64_t)recording->tick_rate;
    const uint64_t end = recording_end(recording);
    size_t bytes = MORE_BYTES;
    size_t first = recording->count;

    while (first > 0) {
        const struct recording_part *part = &recording->parts[first - 1];
        bytes += part_bytes(part);
        if (part->round + part->rounds + most < end || bytes > limits->bytes ||
            (first < recording->count && part[1].round + most <= end)) {
            break;
        }
        first--;
    }
    return first;
}

uint8_t *saved_past_write(struct recording *recording, const struct saved_past_limits *limits,
                          size_t *size)
{
    size_t first = first_saved(recording, limits);
    uint8_t *bytes;

    if (first == recording->count) {
        return NULL;
    }
    recording->count -= first;
    memmove(recording->parts, recording->parts + first,
            recording->count * sizeof *recording->parts);
    recording->parts[0].follows = false;
    recording->name_count = 0; /* the room has them */
    bytes = recording_write(recording, true, size);
    if (bytes != NULL && *size > limits->bytes) {
        free(bytes);
        return NULL;
    }
    return bytes;
}

struct recording *saved_past_read(uint8_t *bytes, size_t size,
                                  const struct saved_past_limits *limits, uint32_t boids_max,
                                  struct proto_error *error)
{
    struct recording_summary summary;
    struct recording *recording;

    if (size > limits->bytes) {
        free(bytes);
        refuse_message(error, PROTO_E_MALFORMED, "", "it has %zu bytes, at most %zu are allowed",
                       size, limits->bytes);
        return NULL;
    }
    *error = (struct proto_error){.code = PROTO_E_MALFORMED};
    recording = recording_read(bytes, size, error->message, sizeof error->message);
    if (recording == NULL) {
        free(bytes);
        return NULL;
    }
    recording->release = free;
    recording->memory = bytes;
    if (!recording_check(recording, &(struct recording_limits){.boids = boids_max}, &summary,
                         error)) {
        recording_destroy(recording);
        return NULL;
    }
    return recording;
}
