#include "room/tell.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "room/state.h"

/* Memory for an encoded message that is small. */
struct small {
    uint8_t bytes[PROTO_MESSAGE_MAX];
};

static void tell(const struct room *room, room_member member, const struct small *message,
                 size_t size, const struct room_grant *grant)
{
    assert(member != 0 && size > 0);
    room->sink.tell(room->sink.argument, member, frame_of(message->bytes, size), grant);
}

void tell_error(const struct room *room, room_member member, const struct proto_error *error)
{
    struct small to;

    tell(room, member, &to, proto_encode_error(to.bytes, sizeof to.bytes, error), NULL);
}

void tell_done(const struct room *room, room_member member,
               const struct proto_client_message *message)
{
    const struct proto_done done = {
        .type = message->type, .has_tag = message->has_tag, .tag = message->tag};
    struct small to;

    tell(room, member, &to, proto_encode_done(to.bytes, sizeof to.bytes, &done), NULL);
}

void tell_role(const struct room *room, room_member member, enum proto_role role)
{
    struct small to;

    tell(room, member, &to, proto_encode_role(to.bytes, sizeof to.bytes, role), NULL);
}

void tell_self(const struct room *room, room_member member, const struct proto_self *self)
{
    struct small to;

    tell(room, member, &to, proto_encode_self(to.bytes, sizeof to.bytes, self), NULL);
}

void tell_new_key(const struct room *room, room_member member, const char *key)
{
    struct proto_key message = {0};
    struct small to;

    snprintf(message.key, sizeof message.key, "%s", key);
    tell(room, member, &to, proto_encode_new_key(to.bytes, sizeof to.bytes, &message), NULL);
}

void tell_pick_ended(const struct room *room, room_member member)
{
    const struct proto_why none = {.has_boid = false};
    struct small to;

    tell(room, member, &to, proto_encode_why(to.bytes, sizeof to.bytes, &none), NULL);
}

void tell_stream(const struct room *room, room_member member, const struct proto_stream *stream,
                 const struct room_grant *grant)
{
    struct small to;

    tell(room, member, &to, proto_encode_stream(to.bytes, sizeof to.bytes, stream), grant);
}

void tell_presenters_event(const struct room *room, const char *name, const char *what,
                           const char *value)
{
    struct proto_event event = {.tick = scene_ticks(room->present)};
    const struct person *person;
    uint32_t next = 0;
    struct small to;

    snprintf(event.name, sizeof event.name, "%s", name);
    snprintf(event.what, sizeof event.what, "%s", what);
    snprintf(event.to, sizeof event.to, "%s", value);
    while ((person = people_each(room_people(room), &next)) != NULL) {
        if (person->role == PROTO_PRESENTER) {
            tell(room, person->member, &to, proto_encode_event(to.bytes, sizeof to.bytes, &event),
                 NULL);
        }
    }
}

void tell_all_event(struct room *room, const struct proto_event *event)
{
    struct small to;
    struct frame **slot = &room->event_frames[++room->events % VIEW_EVENTS];

    frame_release(*slot);
    *slot = frame_of(to.bytes, proto_encode_event(to.bytes, sizeof to.bytes, event));
}

void tell_note(const struct room *room, uint32_t slot, enum room_note_type type, const char *what,
               const char *from, const char *to)
{
    bool inside = slot != PEOPLE_NONE;
    const struct room_note note = {.type = type,
                                   .member = inside ? room_person_at(room, slot)->member : 0,
                                   .name = inside ? room->identities[slot].name : "",
                                   .what = what,
                                   .from = from,
                                   .to = to};

    if (room->sink.note != NULL) {
        room->sink.note(room->sink.argument, &note);
    }
}

struct room_end tell_end(const struct proto_error *error, enum end_reason why)
{
    struct small to;

    return (struct room_end){
        .frame = frame_of(to.bytes, proto_encode_error(to.bytes, sizeof to.bytes, error)),
        .why = why,
    };
}

/* ---- no member ---- */

static void drop_frame(void *argument, room_member member, struct frame *frame,
                       const struct room_grant *grant)
{
    (void)argument;
    (void)member;
    (void)grant;
    frame_release(frame);
}

static void drop_end(void *argument, room_member member, const struct room_end *end)
{
    (void)argument;
    (void)member;
    frame_release(end->frame);
}

const struct room_sink room_sink_none = {.tell = drop_frame, .close = drop_end};
