#include "changes.h"

#include "schema.h"

#include <string.h>

/* What a set or a param sets; NULL for an act such as add, which happens each time. */
static const char *name_of(const struct proto_client_message *message)
{
    switch (message->type) {
    case PROTO_SET:
        return message->set.name;
    case PROTO_PARAM:
        return message->param.name;
    default:
        return NULL;
    }
}

static bool same_thing(const struct proto_client_message *a, const struct proto_client_message *b)
{
    return a->type == b->type && name_of(a) != NULL && strcmp(name_of(a), name_of(b)) == 0;
}

static void forget(struct term_changes *changes, uint32_t index)
{
    changes->count--;
    memmove(&changes->list[index], &changes->list[index + 1],
            (changes->count - index) * sizeof changes->list[0]);
}

/* The index of the last change of the same thing that may give way to this one; count: none. */
static uint32_t find_earlier(const struct term_changes *changes,
                             const struct proto_client_message *message)
{
    for (uint32_t i = changes->count; i > 0; i--) {
        const struct proto_client_message *earlier = &changes->list[i - 1].message;
        if (same_thing(earlier, message)) {
            return i - 1;
        }
        if (name_of(earlier) == NULL) {
            break;
        }
    }
    return changes->count;
}

bool term_changes_push(struct term_changes *changes, const struct proto_client_message *message)
{
    uint32_t earlier = find_earlier(changes, message);
    if (earlier < changes->count) {
        forget(changes, earlier);
    }
    if (changes->count == TERM_CHANGES_MAX) {
        return false;
    }
    changes->list[changes->count++] = (struct term_change){.message = *message};
    return true;
}

static const struct proto_client_message *find(const struct term_changes *changes,
                                               enum proto_type type, const char *name)
{
    for (uint32_t i = changes->count; i > 0; i--) {
        const struct proto_client_message *message = &changes->list[i - 1].message;
        if (message->type == type && strcmp(name_of(message), name) == 0) {
            return message;
        }
    }
    return NULL;
}

const struct proto_set *term_changes_set(const struct term_changes *changes, const char *name)
{
    const struct proto_client_message *message = find(changes, PROTO_SET, name);
    return message != NULL ? &message->set : NULL;
}

const struct proto_param_set *term_changes_param(const struct term_changes *changes,
                                                 const char *name)
{
    const struct proto_client_message *message = find(changes, PROTO_PARAM, name);
    return message != NULL ? &message->param : NULL;
}

/* The index of the first change that was not sent; count: none. */
static uint32_t find_unsent(const struct term_changes *changes)
{
    uint32_t i = 0;
    while (i < changes->count && changes->list[i].sent) {
        i++;
    }
    return i;
}

bool term_changes_due(const struct term_changes *changes, int64_t now)
{
    return find_unsent(changes) < changes->count && now - changes->sent_at >= TERM_CHANGES_EVERY;
}

static size_t encode(const struct proto_client_message *message, uint8_t *buffer)
{
    switch (message->type) {
    case PROTO_SET:
        return proto_encode_set(buffer, PROTO_MESSAGE_MAX, &message->set);
    case PROTO_PARAM:
        return proto_encode_param(buffer, PROTO_MESSAGE_MAX, &message->param);
    case PROTO_ADD:
        return proto_encode_add(buffer, PROTO_MESSAGE_MAX, &message->add);
    case PROTO_REMOVE:
        return proto_encode_remove(buffer, PROTO_MESSAGE_MAX, &message->remove);
    case PROTO_RESET:
        return proto_encode_reset(buffer, PROTO_MESSAGE_MAX);
    case PROTO_STEP:
        return proto_encode_step(buffer, PROTO_MESSAGE_MAX);
    default:
        return 0;
    }
}

size_t term_changes_next(struct term_changes *changes, uint8_t *buffer, int64_t now)
{
    if (!term_changes_due(changes, now)) {
        return 0;
    }
    uint32_t index = find_unsent(changes);
    struct term_change *change = &changes->list[index];
    size_t size = encode(&change->message, buffer);
    changes->sent_at = now;
    if (name_of(&change->message) == NULL) {
        forget(changes, index);
    } else {
        change->sent = true;
        change->sent_at = now;
    }
    return size;
}

static bool is_so(const struct proto_client_message *message, const struct proto_room *room)
{
    if (message->type == PROTO_SET) {
        return strcmp(schema_value(room, message->set.name), message->set.value) == 0;
    }
    const struct proto_param *param = schema_param(room, message->param.name);
    return param != NULL && param->value == message->param.value;
}

void term_changes_settle(struct term_changes *changes, const struct proto_room *room, int64_t now)
{
    for (uint32_t i = changes->count; i > 0; i--) {
        const struct term_change *change = &changes->list[i - 1];
        if (change->sent &&
            (is_so(&change->message, room) || now - change->sent_at >= TERM_CHANGES_WAIT)) {
            forget(changes, i - 1);
        }
    }
}

void term_changes_refused(struct term_changes *changes)
{
    for (uint32_t i = changes->count; i > 0; i--) {
        if (changes->list[i - 1].sent) {
            forget(changes, i - 1);
        }
    }
}
