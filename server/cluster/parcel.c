#include "cluster/parcel.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <uv.h>

#include "cluster/values.h"

#define LAG_PAUSE 20u /* ms until a part that is not there is read again */

static void name_part(char key[BROKER_SUBJECT_MAX], const char *node, uint32_t index)
{
    snprintf(key, BROKER_SUBJECT_MAX, "_parcel.%s.%" PRIu32, node, index);
}

static uint32_t count_parts(size_t size)
{
    assert(size <= PARCEL_BYTES_MAX);
    return (uint32_t)((size + PARCEL_PART - 1) / PARCEL_PART);
}

/* Returns the bytes of a part. */
static size_t size_of(uint32_t index, size_t size)
{
    const size_t at = (size_t)index * PARCEL_PART;

    return size - at < PARCEL_PART ? size - at : PARCEL_PART;
}

/* ---- writing ---- */

/* Waits until that many bytes may have been written since `begun` (ns). */
static void keep_pace(uint64_t begun, size_t bytes)
{
    const uint64_t due = begun + bytes * (UINT64_C(1000000000) / 1000) / (PARCEL_PACE / 1000);
    const uint64_t now = uv_hrtime();

    if (due > now) {
        uv_sleep((unsigned)((due - now) / 1000000));
    }
}

bool parcel_write(struct broker *broker, const char *node, uint64_t number, const uint8_t *bytes,
                  size_t size, uint64_t until)
{
    const uint64_t begun = uv_hrtime();
    uint8_t *value = malloc(VALUES_MAX + PARCEL_PART);
    bool written = value != NULL;

    for (uint32_t index = 0; index < count_parts(size) && written; index++) {
        const struct parcel_part part = {.number = number, .index = index};
        const size_t at = (size_t)index * PARCEL_PART;
        const size_t head = values_write_part(&part, value);
        char key[BROKER_SUBJECT_MAX];
        name_part(key, node, index);
        memcpy(value + head, bytes + at, size_of(index, size));
        keep_pace(begun, at);
        written = uv_hrtime() < until && broker_put(broker, BROKER_BULK, BROKER_CHECKS, key, value,
                                                    head + size_of(index, size), NULL) == BROKER_OK;
    }
    free(value);
    return written;
}

static bool drop_part(struct broker *broker, const char *node, uint32_t index)
{
    char key[BROKER_SUBJECT_MAX];

    name_part(key, node, index);
    return broker_drop(broker, BROKER_BULK, BROKER_CHECKS, key, NULL) == BROKER_OK;
}

bool parcel_drop(struct broker *broker, const char *node, size_t size)
{
    for (uint32_t index = count_parts(size); index > 0; index--) {
        if (!drop_part(broker, node, index - 1)) {
            return false;
        }
    }
    return true;
}

static bool has_part(struct broker *broker, const char *node, uint32_t index)
{
    char key[BROKER_SUBJECT_MAX];
    uint8_t *value = NULL;
    size_t size;
    uint64_t revision;
    bool has;

    name_part(key, node, index);
    has =
        broker_get(broker, BROKER_BULK, BROKER_CHECKS, key, &value, &size, &revision) == BROKER_OK;
    free(value);
    return has;
}

void parcel_drop_left(struct broker *broker, const char *node)
{
    uint32_t count = 0;

    while (count < count_parts(PARCEL_BYTES_MAX) && has_part(broker, node, count)) {
        count++;
    }
    while (count > 0 && drop_part(broker, node, count - 1)) {
        count--;
    }
}

/* ---- reading ---- */

enum found {
    FOUND,
    FOUND_LATER, /* it is not there yet: a replica may lag */
    FOUND_WRONG,
};

/* Takes the bytes of a part. */
static enum found take_part(const uint8_t *value, size_t value_size, uint64_t number,
                            uint32_t index, uint8_t *bytes, size_t size)
{
    struct parcel_part part;
    size_t head;

    if (!values_read_part(value, value_size, &part, &head)) {
        return FOUND_WRONG;
    }
    if (part.number != number) { /* of the parcel before this one */
        return FOUND_LATER;
    }
    if (part.index != index || value_size - head != size_of(index, size)) {
        return FOUND_WRONG;
    }
    memcpy(bytes + (size_t)index * PARCEL_PART, value + head, size_of(index, size));
    return FOUND;
}

static enum found read_part(struct broker *broker, const char *node, uint64_t number,
                            uint32_t index, uint8_t *bytes, size_t size)
{
    char key[BROKER_SUBJECT_MAX];
    uint8_t *value = NULL;
    size_t value_size = 0;
    uint64_t revision;
    enum found found = FOUND_LATER;

    name_part(key, node, index);
    if (broker_get(broker, BROKER_BULK, BROKER_CHECKS, key, &value, &value_size, &revision) ==
        BROKER_OK) {
        found = take_part(value, value_size, number, index, bytes, size);
    }
    free(value);
    return found;
}

bool parcel_read(struct broker *broker, const char *node, uint64_t number, uint8_t *bytes,
                 size_t size, uint64_t until)
{
    const uint32_t count = count_parts(size);
    uint32_t index = 0;

    while (index < count) {
        const enum found found = read_part(broker, node, number, index, bytes, size);
        if (found == FOUND_WRONG || (found == FOUND_LATER && uv_hrtime() >= until)) {
            return false;
        }
        if (found == FOUND) {
            index++;
        } else {
            uv_sleep(LAG_PAUSE);
        }
    }
    return true;
}
