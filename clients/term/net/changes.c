#include "term/net/changes.h"

#include "term/flock/schema.h"

#include <assert.h>
#include <string.h>

/* Returns whether the message gives something a value. Others, such as add, count each time. */
static bool has_value(const struct proto_client_message *message)
{
    return message->type == PROTO_SET || message->type == PROTO_PARAM ||
           message->type == PROTO_APPOINT || message->type == PROTO_TITLE ||
           message->type == PROTO_REWIND || message->type == PROTO_PICK ||
           message->type == PROTO_SPOTLIGHT || message->type == PROTO_DOOR ||
           message->type == PROTO_NAMING;
}

static bool same_thing(const struct proto_client_message *a, const struct proto_client_message *b)
{
    if (a->type != b->type) {
        return false;
    }
    switch (a->type) {
    case PROTO_SET:
        return strcmp(a->set.name, b->set.name) == 0;
    case PROTO_PARAM:
        return strcmp(a->param.name, b->param.name) == 0;
    case PROTO_APPOINT:
        return a->appoint.id == b->appoint.id;
    default:
        return has_value(a);
    }
}

static void forget_change(struct term_changes *changes, uint32_t index)
{
    assert(index < changes->count);
    changes->count--;
    memmove(&changes->list[index], &changes->list[index + 1],
            (changes->count - index) * sizeof changes->list[0]);
}

/* Returns the index of the last change that this one replaces, or `count`. */
static uint32_t find_earlier(const struct term_changes *changes,
                             const struct proto_client_message *message)
{
    for (uint32_t i = changes->count; i > 0; i--) {
        const struct proto_client_message *earlier = &changes->list[i - 1].message;
        if (same_thing(earlier, message)) {
            return i - 1;
        }
        if (!has_value(earlier)) {
            break;
        }
    }
    return changes->count;
}

/* Forgets the moment of the past that was asked for, unless it is still to be sent. */
static void forget_rewinds(struct term_changes *changes)
{
    for (uint32_t i = changes->count; i > 0; i--) {
        if (changes->list[i - 1].message.type == PROTO_REWIND && changes->list[i - 1].sent) {
            forget_change(changes, i - 1);
        }
    }
}

bool term_changes_push(struct term_changes *changes, const struct proto_client_message *message)
{
    if (message->type == PROTO_LIVE || message->type == PROTO_RESUME) {
        forget_rewinds(changes); /* the next moment counts from the present */
    }
    uint32_t earlier = find_earlier(changes, message);
    if (earlier < changes->count) {
        forget_change(changes, earlier);
    }
    if (changes->count == TERM_CHANGES_MAX && changes->list[0].sent) {
        forget_change(changes, 0);
    }
    if (changes->count == TERM_CHANGES_MAX) {
        return false;
    }
    changes->list[changes->count++] = (struct term_change){.message = *message};
    return true;
}

/* Returns the last change of the same thing, or NULL. */
static const struct proto_client_message *find_change(const struct term_changes *changes,
                                                      const struct proto_client_message *like)
{
    for (uint32_t i = changes->count; i > 0; i--) {
        const struct proto_client_message *message = &changes->list[i - 1].message;
        if (same_thing(message, like)) {
            return message;
        }
    }
    return NULL;
}

/* Copies a name into its field, which is as long as the protocol allows. */
static void put_name(char *field, size_t capacity, const char *name)
{
    size_t length = strnlen(name, capacity - 1);
    memcpy(field, name, length);
    field[length] = '\0';
}

const struct proto_set *term_changes_set(const struct term_changes *changes, const char *name)
{
    struct proto_client_message like = {.type = PROTO_SET};
    put_name(like.set.name, sizeof like.set.name, name);
    const struct proto_client_message *message = find_change(changes, &like);
    return message != NULL ? &message->set : NULL;
}

const struct proto_param *term_changes_param(const struct term_changes *changes, const char *name)
{
    struct proto_client_message like = {.type = PROTO_PARAM};
    put_name(like.param.name, sizeof like.param.name, name);
    const struct proto_client_message *message = find_change(changes, &like);
    return message != NULL ? &message->param : NULL;
}

const struct proto_appoint *term_changes_appoint(const struct term_changes *changes, uint32_t id)
{
    struct proto_client_message like = {.type = PROTO_APPOINT, .appoint = {.id = id}};
    const struct proto_client_message *message = find_change(changes, &like);
    return message != NULL ? &message->appoint : NULL;
}

const struct proto_title *term_changes_title(const struct term_changes *changes)
{
    const struct proto_client_message like = {.type = PROTO_TITLE};
    const struct proto_client_message *message = find_change(changes, &like);
    return message != NULL ? &message->title : NULL;
}

const struct proto_rewind *term_changes_rewind(const struct term_changes *changes)
{
    const struct proto_client_message like = {.type = PROTO_REWIND};
    const struct proto_client_message *message = find_change(changes, &like);
    return message != NULL ? &message->rewind : NULL;
}

uint32_t term_changes_spotlight(const struct term_changes *changes, const struct proto_room *room)
{
    const struct proto_client_message like = {.type = PROTO_SPOTLIGHT};
    const struct proto_client_message *message = find_change(changes, &like);
    return message != NULL ? message->spotlight.id : room->spotlight;
}

bool term_changes_door_open(const struct term_changes *changes, const struct proto_room *room)
{
    const struct proto_client_message like = {.type = PROTO_DOOR};
    const struct proto_client_message *message = find_change(changes, &like);
    return message != NULL ? message->door.open : !room->door_closed;
}

bool term_changes_names_asked(const struct term_changes *changes, const struct proto_room *room)
{
    const struct proto_client_message like = {.type = PROTO_NAMING};
    const struct proto_client_message *message = find_change(changes, &like);
    return message != NULL ? message->naming.ask : !room->unnamed;
}

bool term_changes_has_pick(const struct term_changes *changes)
{
    bool waits = false;
    for (uint32_t i = 0; i < changes->count; i++) {
        const struct term_change *change = &changes->list[i];
        waits = change->message.type == PROTO_PICK ? !change->done : waits;
    }
    return waits;
}

/* Returns the index of the first change that was not sent, or `count`. */
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

size_t term_changes_next(struct term_changes *changes, uint8_t *buffer, int64_t now)
{
    if (!term_changes_due(changes, now)) {
        return 0;
    }
    uint32_t index = find_unsent(changes);
    struct term_change *change = &changes->list[index];
    change->message.has_tag = true;
    change->message.tag = ++changes->tag;
    size_t size = proto_encode_client(buffer, PROTO_MESSAGE_MAX, &change->message);
    changes->sent_at = now;
    if (has_value(&change->message)) {
        change->sent = true;
    } else {
        forget_change(changes, index);
    }
    return size;
}

/* Returns the index of the change that was sent with that tag, or `count`. */
static uint32_t find_tag(const struct term_changes *changes, uint32_t tag)
{
    uint32_t i = 0;
    while (i < changes->count && !(changes->list[i].sent && changes->list[i].message.tag == tag)) {
        i++;
    }
    return i;
}

/* Forgets the changes of the same thing that the room did before this one. */
static void forget_before(struct term_changes *changes, uint32_t index)
{
    for (uint32_t i = index; i > 0; i--) {
        if (same_thing(&changes->list[i - 1].message, &changes->list[index].message)) {
            forget_change(changes, i - 1);
            index--;
        }
    }
}

void term_changes_done(struct term_changes *changes, const struct proto_done *done, int64_t now)
{
    uint32_t index = done->has_tag ? find_tag(changes, done->tag) : changes->count;
    if (index < changes->count) {
        changes->list[index].done = true;
        changes->list[index].done_at = now;
        forget_before(changes, index);
    }
}

void term_changes_refused(struct term_changes *changes, const struct proto_error *error)
{
    uint32_t index = error->has_tag ? find_tag(changes, error->tag) : changes->count;
    if (index < changes->count) {
        forget_change(changes, index);
    }
}

void term_changes_lose(struct term_changes *changes)
{
    for (uint32_t i = changes->count; i > 0; i--) {
        if (changes->list[i - 1].sent) {
            forget_change(changes, i - 1);
        }
    }
}

static bool is_in_force(const struct proto_client_message *message, const struct proto_room *room,
                        const struct term_people *people)
{
    switch (message->type) {
    case PROTO_SET:
        return strcmp(schema_value(room, message->set.name), message->set.value) == 0;
    case PROTO_PARAM: {
        const struct proto_room_param *param = schema_param(room, message->param.name);
        return param != NULL && param->value == message->param.value;
    }
    case PROTO_APPOINT: {
        const struct proto_person *person = term_people_find(people, message->appoint.id);
        return person != NULL && term_people_role(person) == message->appoint.role;
    }
    case PROTO_TITLE:
        return strcmp(room->title, message->title.title) == 0;
    case PROTO_SPOTLIGHT:
        return room->spotlight == message->spotlight.id;
    case PROTO_DOOR:
        return room->door_closed != message->door.open;
    case PROTO_NAMING:
        return room->unnamed != message->naming.ask;
    default:
        return false; /* the room does not say which moment or pick it was asked for */
    }
}

void term_changes_settle(struct term_changes *changes, const struct proto_room *room,
                         const struct term_people *people, int64_t now)
{
    for (uint32_t i = changes->count; i > 0; i--) {
        const struct term_change *change = &changes->list[i - 1];
        int64_t wait = change->message.type == PROTO_REWIND ? TERM_CHANGES_SEEK : TERM_CHANGES_WAIT;
        /* Before the answer, the room may have this value from before an earlier change. */
        if (change->done &&
            (now - change->done_at >= wait || is_in_force(&change->message, room, people))) {
            forget_change(changes, i - 1);
        }
    }
}
