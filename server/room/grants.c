#include "room/grants.h"

#include "base/refusal.h"
#include "room/state.h"
#include "room/tell.h"

/* An overload lowers what the member may want, and does not count as its slow line. */
static struct stream_grant grant_for(const struct room *room, const struct member *member,
                                     const struct stream_want *want)
{
    const uint32_t all = room->definition.snapshot_rate;
    const uint32_t most = (all + (1u << member->overload) - 1) >> member->overload;
    struct stream_want bounded = *want;

    if (bounded.rate == 0 || bounded.rate > most) {
        bounded.rate = most;
    }
    return stream_grant((enum stream_encoding)member->encoding, &bounded, member->ease, all,
                        flock_count(scene_flock(room_shown(room))));
}

/* Puts the member into the stream of that grant, and out of its stream. *granted says from where
 * on. Returns false, with nothing changed, when memory runs out. */
static bool enter(struct room *room, struct member *member, const struct stream_grant *grant,
                  struct room_grant *granted)
{
    uint32_t before = member->stream;
    bool same = stream_id(&grant->kind) == before; /* a client that needs a keyframe asks for it */
    const struct stream *stream =
        same ? stream_find(&room->streams, before) : stream_enter(&room->streams, &grant->kind);

    if (stream == NULL) {
        return false;
    }
    *granted = (struct room_grant){.stream = stream->id, .sequence = stream->sequence};
    member->stream = stream->id;
    if (!same) {
        stream_leave(&room->streams, before);
    }
    return true;
}

/* Describes the grant, and notes that the member knows it. */
static struct proto_stream describe(const struct room *room, struct member *member,
                                    const struct stream_grant *grant)
{
    member->boids = grant->boids;
    member->slow = grant->slow;
    return (struct proto_stream){
        .rate = (float)room->definition.snapshot_rate / (float)grant->kind.divisor,
        .boids = grant->boids,
        .stride = grant->kind.stride,
        .slow = grant->slow,
    };
}

struct proto_stream grants_describe(struct room *room, uint32_t slot)
{
    struct member *member = &room->members[slot];
    const struct stream_grant grant = grant_for(room, member, &member->want);

    return describe(room, member, &grant);
}

static bool regrant(struct room *room, uint32_t slot, const struct stream_grant *grant)
{
    struct member *member = &room->members[slot];
    struct room_grant granted;

    if (!enter(room, member, grant, &granted)) {
        return false;
    }
    const struct proto_stream message = describe(room, member, grant);
    tell_stream(room, room_person_at(room, slot)->member, &message, &granted);
    return true;
}

/* Grants the member what it wants, unless it has that. Without memory nothing changes. */
static void renew(struct room *room, uint32_t slot)
{
    struct member *member = &room->members[slot];
    const struct stream_grant grant = grant_for(room, member, &member->want);

    if (stream_id(&grant.kind) != member->stream) {
        (void)regrant(room, slot, &grant);
    } else if (grant.boids != member->boids || grant.slow != member->slow) {
        const struct proto_stream message = describe(room, member, &grant);
        tell_stream(room, room_person_at(room, slot)->member, &message, NULL);
    }
}

/* Whether one more want may lead to another stream now; if so, counts it. */
static bool take_want(struct member *member, uint64_t now)
{
    uint64_t ahead = member->wants_until > now ? member->wants_until - now : 0;

    if (ahead > (GRANTS_WANTS - 1) * GRANTS_WANT_TIME) {
        return false;
    }
    member->wants_until = now + ahead + GRANTS_WANT_TIME;
    return true;
}

bool grants_want(struct room *room, uint32_t slot, const struct proto_want *want, uint64_t now,
                 struct proto_error *error)
{
    struct member *member = &room->members[slot];
    const struct stream_want wanted = {.rate = want->rate, .boids = want->boids};
    const struct stream_grant grant = grant_for(room, member, &wanted);

    member->waits = stream_id(&grant.kind) != member->stream && !take_want(member, now);
    if (member->waits) {
        room->somebody_waits = true;
    } else if (!regrant(room, slot, &grant)) {
        return refuse_message(error, PROTO_E_FULL, "", "want: out of memory");
    }
    member->want = wanted;
    if (want->has_topics) {
        topics_subscribe(room, slot, want->topics);
    }
    return true;
}

void grants_give_waiting(struct room *room, uint64_t now)
{
    const struct person *person;
    uint32_t next = 0;

    if (!room->somebody_waits) {
        return;
    }
    room->somebody_waits = false;
    while ((person = people_each(room_people(room), &next)) != NULL) {
        uint32_t slot = room_slot_of(room, person);
        struct member *member = &room->members[slot];
        if (member->waits && take_want(member, now)) {
            member->waits = false;
            renew(room, slot);
        }
        room->somebody_waits |= member->waits;
    }
}

void grants_renew(struct room *room)
{
    const struct person *person;
    uint32_t next = 0;

    while ((person = people_each(room_people(room), &next)) != NULL) {
        uint32_t slot = room_slot_of(room, person);
        if (room->members[slot].want.boids > 0 || room->members[slot].ease > 0) {
            renew(room, slot);
        }
    }
}

void room_ease(struct room *room, room_member member, const struct room_ease *ease)
{
    uint32_t slot = people_find(room_people(room), member);

    if (slot != PEOPLE_NONE) {
        room->members[slot].ease = (ease->line < ROOM_EASE_MAX ? ease->line : ROOM_EASE_MAX) & 15u;
        room->members[slot].overload =
            (ease->overload < ROOM_OVERLOAD_MAX ? ease->overload : ROOM_OVERLOAD_MAX) & 3u;
        renew(room, slot);
    }
}

void room_want_key(struct room *room, uint32_t stream)
{
    struct stream *wanted = stream_find(&room->streams, stream);

    if (wanted != NULL) {
        wanted->key_wanted = true;
    }
}
