#include "room/presence.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "room/state.h"
#include "room/tell.h"

#define INTERVAL 1000000u /* µs */
#define SELVES   256u     /* people that one snapshot checks for a `self` message */

_Static_assert(PROTO_STATE_MAX >= (PROTO_PEOPLE_MAX + PROTO_AWAY_MAX) * (PROTO_NAME_MAX + 24) + 64,
               "a presence message holds the whole list");

void presence_finish(struct presence *presence)
{
    frame_release(presence->whole);
    for (uint32_t i = 0; i < VIEW_PRESENCES; i++) {
        frame_release(presence->changes[i]);
    }
    free(presence->listed);
}

static uint32_t role_flag(const struct person *person)
{
    return person->role == PROTO_PRESENTER ? PROTO_FLAG_PRESENTER : 0;
}

static uint32_t owner_flag(const struct room *room, const struct person *person)
{
    return room->identities[room_slot_of(room, person)].owner ? PROTO_FLAG_OWNER : 0;
}

static uint32_t flags_of(const struct room *room, const struct person *person, uint64_t now)
{
    return role_flag(person) | owner_flag(room, person) |
           scene_team(room->present, person) << PROTO_TEAM_SHIFT |
           (scene_cursor_is_active(room->present, person, now) ? PROTO_FLAG_ACTIVE : 0);
}

static uint32_t shown_slot(const struct room *room, uint32_t i)
{
    return room_people(room)->shown[i];
}

static bool has_news(const struct room *room, uint64_t now)
{
    if (room->presence.people != room_people(room)->version ||
        room->presence.names != room->names || now > room->presence.away_until) {
        return true;
    }
    for (uint32_t i = 0; i < room_people(room)->shown_count; i++) {
        uint32_t slot = shown_slot(room, i);
        if (room->members[slot].told_flags != flags_of(room, room_person_at(room, slot), now)) {
            return true;
        }
    }
    return false;
}

static void put_person(struct proto_person *out, const struct room *room, uint32_t slot,
                       uint32_t flags, bool flags_only)
{
    const struct person *person = room_person_at(room, slot);

    out->id = person->id;
    out->flags_only = flags_only;
    out->color = person->color;
    out->flags = flags;
    memcpy(out->name, room->identities[slot].name, sizeof out->name);
}

/* Stores the presenters who have left and may come back, the last who left first. With open
 * controls everyone is a presenter, and the list stays empty. */
static void fill_away(const struct room *room, uint64_t now, struct proto_presence *out)
{
    const struct people *people = room_people(room);

    out->away_count = 0;
    for (uint32_t slot = people->away_last;
         slot != PEOPLE_NONE && out->away_count < PROTO_AWAY_MAX && !room->definition.open_controls;
         slot = people->slots[slot].previous) {
        const struct person *person = &people->slots[slot];
        if (now > person->left_at + PEOPLE_AWAY_TIME) {
            return; /* earlier people left even sooner */
        }
        if (person->role == PROTO_PRESENTER && !person->expelled) {
            put_person(&out->away[out->away_count++], room, slot, owner_flag(room, person), false);
        }
    }
}

static bool is_said(const struct presence *presence, const struct proto_presence *message)
{
    bool same = presence->away_count == message->away_count;

    for (uint32_t i = 0; same && i < message->away_count; i++) {
        same = presence->away[i] == message->away[i].id;
    }
    return same;
}

static void fill_whole(const struct room *room, uint64_t now, struct proto_presence *out)
{
    out->since = 0;
    out->sequence = room->presence.sequence + 1;
    out->left_count = 0;
    out->count = room_people(room)->shown_count;
    assert(out->count <= PROTO_PEOPLE_MAX);
    for (uint32_t i = 0; i < out->count; i++) {
        uint32_t slot = shown_slot(room, i);
        put_person(&out->people[i], room, slot, flags_of(room, room_person_at(room, slot), now),
                   false);
    }
    fill_away(room, now, out);
    out->has_away = out->away_count > 0;
}

static void fill_changes(const struct room *room, uint64_t now, struct proto_presence *out)
{
    const struct presence *presence = &room->presence;

    out->since = presence->sequence;
    out->sequence = presence->sequence + 1;
    out->count = 0;
    out->left_count = 0;
    for (uint32_t i = 0; i < presence->count; i++) {
        const struct person *person = room_person_at(room, presence->listed[i].slot);
        if (person->id != presence->listed[i].id || !person->shown) {
            out->left[out->left_count++] = presence->listed[i].id;
        }
    }
    for (uint32_t i = 0; i < room_people(room)->shown_count; i++) {
        uint32_t slot = shown_slot(room, i);
        const struct member *member = &room->members[slot];
        uint32_t flags = flags_of(room, room_person_at(room, slot), now);
        bool known = member->listed && !member->renamed;
        if (!known || flags != member->told_flags) {
            put_person(&out->people[out->count++], room, slot, flags, known);
        }
    }
    fill_away(room, now, out);
    out->has_away = !is_said(presence, out);
}

/* Notes which presenters were said to be away. The list is valid until a presenter in it is
 * forgotten.
 */
static void take_down_away(struct room *room, const struct proto_presence *message)
{
    struct presence *presence = &room->presence;

    presence->away_count = message->away_count;
    presence->away_until = UINT64_MAX;
    for (uint32_t i = 0; i < message->away_count; i++) {
        const uint32_t slot = people_find_away(room_people(room), message->away[i].id);
        const uint64_t until = room_person_at(room, slot)->left_at + PEOPLE_AWAY_TIME;
        presence->away[i] = message->away[i].id;
        presence->away_until = until < presence->away_until ? until : presence->away_until;
    }
}

/* Makes memory for the list of the people who are shown. Returns false if it runs out. */
static bool reserve_list(struct room *room)
{
    struct presence *presence = &room->presence;
    const uint32_t shown = room_people(room)->shown_count;
    struct presence_entry *listed;

    if (shown <= presence->capacity) {
        return true;
    }
    listed =
        grow_array(presence->listed, &presence->capacity, shown, PROTO_PEOPLE_MAX, sizeof *listed);
    presence->listed = listed != NULL ? listed : presence->listed;
    return listed != NULL;
}

/* Stores the list that was sent. */
static void take_down(struct room *room, uint64_t now, const struct proto_presence *message)
{
    struct presence *presence = &room->presence;

    for (uint32_t i = 0; i < presence->count; i++) {
        room->members[presence->listed[i].slot].listed = false;
    }
    presence->count = room_people(room)->shown_count;
    for (uint32_t i = 0; i < presence->count; i++) {
        uint32_t slot = shown_slot(room, i);
        struct member *member = &room->members[slot];
        member->listed = true;
        member->renamed = false;
        member->told_flags = flags_of(room, room_person_at(room, slot), now);
        presence->listed[i].slot = slot;
        presence->listed[i].id = room_person_at(room, slot)->id;
    }
    take_down_away(room, message);
    presence->people = room_people(room)->version;
    presence->names = room->names;
}

static struct frame *frame_for(const struct proto_presence *message)
{
    uint8_t bytes[PROTO_STATE_MAX];

    return frame_of(bytes, proto_encode_presence(bytes, sizeof bytes, message));
}

void presence_update(struct room *room, uint64_t now)
{
    struct presence *presence = &room->presence;
    struct frame **slot = &presence->changes[(presence->sequence + 1) % VIEW_PRESENCES];
    struct proto_presence message;
    struct frame *changes;
    struct frame *whole;

    if ((presence->sequence > 0 && now < presence->made_at + INTERVAL) || !has_news(room, now) ||
        !reserve_list(room)) {
        return;
    }
    fill_changes(room, now, &message);
    if (message.count == 0 && message.left_count == 0 && !message.has_away) {
        take_down(room, now, &message); /* the newcomer has left again */
        return;
    }
    changes = presence->sequence > 0 ? frame_for(&message) : NULL;
    fill_whole(room, now, &message);
    whole = frame_for(&message);
    if (whole == NULL || (changes == NULL && presence->sequence > 0)) {
        frame_release(changes);
        frame_release(whole);
        return;
    }
    frame_release(presence->whole);
    frame_release(*slot);
    presence->whole = whole;
    *slot = changes;
    presence->sequence++;
    presence->made_at = now;
    take_down(room, now, &message);
}

/* ---- people who are not shown ---- */

void presence_welcomed(struct room *room, uint32_t slot)
{
    struct member *member = &room->members[slot];

    if (!member->listed) {
        member->renamed = false;
        member->told_flags = role_flag(room_person_at(room, slot)); /* a welcome names no owner */
    }
}

static void tell_about_self(struct room *room, uint32_t slot, uint64_t now)
{
    const struct person *person = room_person_at(room, slot);
    struct member *member = &room->members[slot];
    const uint32_t flags = flags_of(room, person, now);
    struct proto_self self = {.flags = flags};

    if (!member->renamed && member->told_flags == flags) {
        return;
    }
    memcpy(self.name, room->identities[slot].name, sizeof self.name);
    member->renamed = false;
    member->told_flags = flags;
    tell_self(room, person->member, &self);
}

void presence_tell_selves(struct room *room, uint64_t now)
{
    struct presence *presence = &room->presence;
    const struct people *people = room_people(room);
    uint32_t next = presence->self_next;

    if (next == 0 && (people->here == people->shown_count ||
                      (presence->selves_at > 0 && now < presence->selves_at + INTERVAL))) {
        return;
    }
    presence->selves_at = next == 0 ? now : presence->selves_at;
    for (uint32_t i = 0; i < SELVES && next < people->used; i++, next++) {
        const struct person *person = &people->slots[next];
        if (person->member != 0 && !person->shown && !room->members[next].listed) {
            tell_about_self(room, next, now);
        }
    }
    presence->self_next = next < people->used ? next : 0;
}
