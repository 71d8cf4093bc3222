/* Reading checkpoints from the key-value store. */
#include <stdio.h>
#include <string.h>

#include "cluster/checkpoints_parts.h"

#define READ_TRIES 4u /* a head may change while its parts are read */
#define PARTS_MAX  ((uint32_t)(CHECKPOINTS_STATE_MAX / CHECKPOINTS_WHOLE) + 1)

/* Reads the parts that a head names into `state`. BROKER_NONE: one is missing. */
static enum broker_result read_parts(const struct checkpoints *checkpoints, const char *code,
                                     const struct check_head *head, uint8_t *state)
{
    size_t at = 0;

    for (uint32_t part = 0; part < head->parts; part++) {
        char key[BROKER_SUBJECT_MAX];
        uint8_t *bytes = NULL;
        size_t size = 0;
        uint64_t revision;
        enum broker_result result;
        check_name_part(key, code, head->epoch, head->turn, part);
        result = broker_get(checkpoints->definition.broker, BROKER_BULK, BROKER_CHECKS, key, &bytes,
                            &size, &revision);
        if (result == BROKER_OK && size <= head->size - at) {
            memcpy(state + at, bytes, size);
            at += size;
        } else if (result == BROKER_OK) {
            result = BROKER_NONE;
        }
        free(bytes);
        if (result != BROKER_OK) {
            return result;
        }
    }
    return at == head->size ? BROKER_OK : BROKER_NONE;
}

static void fill_kept(struct store_room *kept, const char *code, const struct check_head *head)
{
    *kept = (struct store_room){.listed = head->listed,
                                .trusted = head->trusted,
                                .saved_at = head->saved_at,
                                .fingerprint = head->fingerprint,
                                .creator = head->creator,
                                .size = head->size};
    snprintf(kept->code, sizeof kept->code, "%s", code);
}

/* Whether a head can be of a room: the sizes fit each other. */
static bool is_sound(const struct check_head *head, size_t behind)
{
    return head->epoch != 0 && head->size > 0 && head->size <= CHECKPOINTS_STATE_MAX &&
           (head->parts == 0 ? head->size == behind : head->parts <= PARTS_MAX && behind == 0);
}

static enum broker_result read_once(const struct checkpoints *checkpoints, const char *code,
                                    struct store_room *kept, bool *again)
{
    struct check_head head = {0};
    uint8_t *bytes = NULL;
    size_t size = 0;
    size_t used = 0;
    uint64_t revision;
    enum broker_result result =
        check_read_head(checkpoints, code, &head, &bytes, &size, &used, &revision);

    *again = false;
    if (result == BROKER_OK && !is_sound(&head, size - used)) {
        result = BROKER_NONE;
    } else if (result == BROKER_OK) {
        fill_kept(kept, code, &head);
        kept->state = malloc(kept->size);
        if (kept->state == NULL) {
            result = BROKER_NO_MEMORY;
        } else if (head.parts == 0) {
            memcpy(kept->state, bytes + used, kept->size);
        } else {
            result = read_parts(checkpoints, code, &head, kept->state);
            *again = result == BROKER_NONE;
        }
    }
    if (result != BROKER_OK) {
        store_free_state(kept);
    }
    free(bytes);
    return result;
}

enum broker_result checkpoints_read(struct checkpoints *checkpoints, const char *code,
                                    struct store_room *kept)
{
    enum broker_result result = BROKER_NONE;
    bool again = true;

    *kept = (struct store_room){0};
    for (unsigned tries = 0; again && tries < READ_TRIES; tries++) {
        result = read_once(checkpoints, code, kept, &again);
    }
    return result;
}

enum broker_result checkpoints_read_terms(struct checkpoints *checkpoints, const char *code,
                                          struct store_room *kept)
{
    struct check_head head = {0};
    uint8_t *bytes = NULL;
    size_t size = 0;
    size_t used = 0;
    uint64_t revision;
    const enum broker_result result =
        check_read_head(checkpoints, code, &head, &bytes, &size, &used, &revision);

    free(bytes);
    fill_kept(kept, code, &head);
    return result;
}
