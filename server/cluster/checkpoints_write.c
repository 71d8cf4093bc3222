/* Writing checkpoints to the key-value store. */
#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/log.h"
#include "cluster/checkpoints_parts.h"

/* ---- keys ---- */

void check_name_part(char key[BROKER_SUBJECT_MAX], const char *code, uint64_t epoch, bool turn,
                     uint32_t part)
{
    snprintf(key, BROKER_SUBJECT_MAX, "%s.%" PRIu64 ".%c.%" PRIu32, code, epoch, turn ? 'b' : 'a',
             part);
}

static void drop_parts(struct checkpoints *checkpoints, const char *code, uint64_t epoch, bool turn,
                       uint32_t count)
{
    for (uint32_t part = 0; part < count; part++) {
        char key[BROKER_SUBJECT_MAX];
        check_name_part(key, code, epoch, turn, part);
        (void)broker_drop(checkpoints->definition.broker, BROKER_BULK, BROKER_CHECKS, key, NULL);
    }
}

enum broker_result check_read_head(const struct checkpoints *checkpoints, const char *code,
                                   struct check_head *head, uint8_t **bytes, size_t *size,
                                   size_t *used, uint64_t *revision)
{
    enum broker_result result = broker_get(checkpoints->definition.broker, BROKER_BULK,
                                           BROKER_CHECKS, code, bytes, size, revision);

    if (result == BROKER_OK && !values_read_head(*bytes, *size, head, used)) {
        log_error("the checkpoint of room %s cannot be read: it is damaged, or of another version",
                  code);
        *head = (struct check_head){0};
        *used = *size;
    }
    return result;
}

/* Learns the head's revision, and whose it is. */
static enum outcome learn_head(const struct checkpoints *checkpoints, struct check *check)
{
    struct check_head head = {0};
    uint8_t *bytes = NULL;
    size_t size;
    size_t used;
    enum broker_result result = check_read_head(checkpoints, check->coded.code, &head, &bytes,
                                                &size, &used, &check->revision);

    free(bytes);
    if (result != BROKER_OK && result != BROKER_NONE) {
        return OUTCOME_FAILED;
    }
    if (result == BROKER_OK && head.epoch > check->writer_epoch) {
        return OUTCOME_FENCED;
    }
    if (result == BROKER_OK && head.epoch < check->writer_epoch && head.parts > 0) {
        check->old_epoch = head.epoch;
        check->old_parts = head.parts;
    }
    check->known = true;
    return OUTCOME_DONE;
}

/* ---- writing ---- */

static struct check_head head_of(const struct check *check, const struct store_room *room,
                                 uint32_t parts)
{
    return (struct check_head){.epoch = check->writer_epoch,
                               .parts = parts,
                               .turn = parts > 0 && check->turn,
                               .size = room->size,
                               .listed = room->listed,
                               .trusted = room->trusted,
                               .saved_at = room->saved_at,
                               .fingerprint = room->fingerprint,
                               .creator = room->creator};
}

/* Writes the state in parts. Returns their number; 0: a part was not written. */
static uint32_t write_parts(struct checkpoints *checkpoints, struct check *check,
                            const struct store_room *room)
{
    uint32_t count = 0;

    check->turn = !check->turn;
    for (size_t at = 0; at < room->size; at += CHECKPOINTS_WHOLE) {
        const size_t left = room->size - at;
        const size_t size = left < CHECKPOINTS_WHOLE ? left : CHECKPOINTS_WHOLE;
        char key[BROKER_SUBJECT_MAX];
        check_name_part(key, check->coded.code, check->writer_epoch, check->turn, count);
        count++;
        if (count > check->parts[check->turn]) {
            check->parts[check->turn] = count;
        }
        checkpoints->puts_left--;
        if (broker_put(checkpoints->definition.broker, BROKER_BULK, BROKER_CHECKS, key,
                       room->state + at, size, NULL) != BROKER_OK) {
            return 0;
        }
    }
    return count;
}

/* Returns the bytes of the head, with the state behind it unless it is in parts, and stores their
 * number. NULL: out of memory. */
static uint8_t *make_value(const struct check *check, const struct store_room *room, uint32_t parts,
                           size_t *size)
{
    const struct check_head head = head_of(check, room, parts);
    const size_t more = parts > 0 ? 0 : room->size;
    uint8_t *bytes = malloc(VALUES_MAX + more);

    if (bytes != NULL) {
        *size = values_write_head(&head, bytes);
        memcpy(bytes + *size, room->state, more);
        *size += more;
    }
    return bytes;
}

static enum broker_result write_head(struct checkpoints *checkpoints, struct check *check,
                                     const struct store_room *room, uint32_t parts)
{
    size_t size = 0;
    uint8_t *bytes = make_value(check, room, parts, &size);
    enum broker_result result;

    if (bytes == NULL) {
        return BROKER_NO_MEMORY;
    }
    result = broker_set(checkpoints->definition.broker, BROKER_BULK, BROKER_CHECKS,
                        check->coded.code, bytes, size, &check->revision);
    free(bytes);
    return result;
}

/* Deletes the parts of the earlier owner, once a head of this one is written. */
static void drop_old_parts(struct checkpoints *checkpoints, struct check *check)
{
    if (check->old_epoch != 0) {
        drop_parts(checkpoints, check->coded.code, check->old_epoch, false, check->old_parts + 1);
        drop_parts(checkpoints, check->coded.code, check->old_epoch, true, check->old_parts + 1);
        check->old_epoch = 0;
    }
}

/* A head that was refused is read: its revision may be that of a write without an answer, or of an
 * earlier owner's last write. */
enum outcome checkpoint_write(struct checkpoints *checkpoints, struct check *check,
                              const struct store_room *room)
{
    uint32_t parts = 0;

    if (room->size > CHECKPOINTS_WHOLE) {
        parts = write_parts(checkpoints, check, room);
        if (parts == 0) {
            return OUTCOME_FAILED;
        }
    }
    for (unsigned tries = 0; tries < 2; tries++) {
        enum outcome outcome = check->known ? OUTCOME_DONE : learn_head(checkpoints, check);
        enum broker_result result;
        if (outcome != OUTCOME_DONE) {
            return outcome;
        }
        result = write_head(checkpoints, check, room, parts);
        check->known = result == BROKER_OK;
        if (result == BROKER_OK) {
            drop_old_parts(checkpoints, check);
            return OUTCOME_DONE;
        }
        if (result != BROKER_CONFLICT) {
            return OUTCOME_FAILED;
        }
    }
    return OUTCOME_FAILED;
}

/* ---- many rooms ---- */

bool check_is_plain(const struct check *check)
{
    return !check->ends && check->known && check->writer_epoch == check->epoch &&
           check->room.size <= CHECKPOINTS_WHOLE;
}

/* Takes the result of a write. A refused one is made again by itself. */
static void take_result(struct checkpoints *checkpoints, struct check_write *write,
                        const struct broker_change *change)
{
    struct check *check = write->check;

    check->known = change->result == BROKER_OK;
    check->revision = change->revision;
    write->outcome = OUTCOME_FAILED;
    if (change->result == BROKER_OK) {
        drop_old_parts(checkpoints, check);
        write->outcome = OUTCOME_DONE;
    } else if (change->result == BROKER_CONFLICT) {
        write->outcome = checkpoint_write(checkpoints, check, &write->room);
    }
}

void checkpoint_write_all(struct checkpoints *checkpoints, struct check_write *writes, size_t count)
{
    struct broker_change changes[CHECK_WRITES] = {0};
    struct check_write *made[CHECK_WRITES];
    uint8_t *values[CHECK_WRITES];
    size_t ready = 0;

    assert(count <= CHECK_WRITES);
    for (size_t i = 0; i < count; i++) {
        const struct check *check = writes[i].check;
        struct broker_change *change = &changes[ready];
        values[ready] = make_value(check, &writes[i].room, 0, &change->size);
        writes[i].outcome = OUTCOME_FAILED;
        if (values[ready] != NULL) {
            change->key = check->coded.code;
            change->bytes = values[ready];
            change->revision = check->revision;
            made[ready++] = &writes[i];
        }
    }
    broker_set_all(checkpoints->definition.broker, BROKER_BULK, BROKER_CHECKS, changes, ready);
    for (size_t i = 0; i < ready; i++) {
        take_result(checkpoints, made[i], &changes[i]);
        free(values[i]);
    }
}

enum outcome checkpoint_end(struct checkpoints *checkpoints, struct check *check)
{
    enum outcome outcome = check->known ? OUTCOME_DONE : learn_head(checkpoints, check);
    enum broker_result result;

    if (outcome != OUTCOME_DONE) {
        return outcome;
    }
    result = broker_drop(checkpoints->definition.broker, BROKER_BULK, BROKER_CHECKS,
                         check->coded.code, &check->revision);
    check->known = false;
    if (result != BROKER_OK && result != BROKER_NONE) {
        return OUTCOME_FAILED;
    }
    drop_old_parts(checkpoints, check);
    drop_parts(checkpoints, check->coded.code, check->writer_epoch, false, check->parts[false]);
    drop_parts(checkpoints, check->coded.code, check->writer_epoch, true, check->parts[true]);
    return OUTCOME_DONE;
}
