#include "room/members.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "base/key.h"
#include "base/refusal.h"
#include "room/apply.h"
#include "room/describe.h"
#include "room/displace.h"
#include "room/forget.h"
#include "room/grants.h"
#include "room/moves.h"
#include "room/rewind.h"
#include "room/state.h"
#include "room/tell.h"

#define REST_TIME 60u /* s for which a person's wrong keys count after the last one */

/* ---- coming ---- */

static room_member refuse(struct room_end *refused, const struct proto_error *error,
                          enum end_reason why)
{
    *refused = tell_end(error, why);
    return 0;
}

/* after: s until the person may come back, with PEOPLE_REMOVED. */
static room_member refuse_for(enum people_result result, uint32_t after, struct room_end *refused)
{
    struct proto_error error = {.type = PROTO_HELLO, .fatal = true};

    if (result == PEOPLE_REMOVED) {
        error.code = PROTO_E_REMOVED;
        error.after = after;
        snprintf(error.field, sizeof error.field, "token");
        snprintf(error.message, sizeof error.message, "a presenter has removed you from this room");
        return refuse(refused, &error, END_REMOVED);
    }
    error.code = PROTO_E_FULL;
    snprintf(error.field, sizeof error.field, "room");
    snprintf(error.message, sizeof error.message, "%s",
             result == PEOPLE_FULL ? "the room has no slot for another person"
                                   : "the server has no memory for another person");
    return refuse(refused, &error, result == PEOPLE_FULL ? END_ROOM_FULL : END_NO_MEMORY);
}

static room_member refuse_newcomer(struct room_end *refused)
{
    struct proto_error error = {.code = PROTO_E_DOOR, .type = PROTO_HELLO, .fatal = true};

    snprintf(error.field, sizeof error.field, "room");
    snprintf(error.message, sizeof error.message,
             "a presenter has closed the door: the room takes no newcomers now");
    return refuse(refused, &error, END_DOOR);
}

static room_member refuse_encoding(struct room_end *refused)
{
    struct proto_error error = {.code = PROTO_E_ENCODING, .type = PROTO_HELLO, .fatal = true};

    snprintf(error.field, sizeof error.field, "encodings");
    snprintf(error.message, sizeof error.message, "encodings: expected %s or %s among them",
             stream_encoding_name(STREAM_PLAIN), stream_encoding_name(STREAM_PACKED));
    return refuse(refused, &error, END_NO_ENCODING);
}

/* Refuses a hello without the join key. TRIES_TOO_MANY: a key in it was not compared. */
static room_member refuse_join(const struct proto_hello *hello, enum tries_result result,
                               uint32_t wait, struct room_end *refused)
{
    struct proto_error error = {.code = PROTO_E_JOIN, .type = PROTO_HELLO, .fatal = true};
    enum end_reason why = hello->join[0] != '\0' ? END_JOIN_WRONG : END_JOIN_MISSING;

    snprintf(error.field, sizeof error.field, "join");
    if (result == TRIES_TOO_MANY) {
        why = END_JOIN_TRIES;
        snprintf(error.message, sizeof error.message, "join: %s; try again in %u s", end_text(why),
                 wait);
        error.after = wait;
    } else {
        snprintf(error.message, sizeof error.message, "join: %s", end_text(why));
    }
    return refuse(refused, &error, why);
}

/* Returns true if the person has tried too many wrong keys, over all connections, so that the room
 * compares none now: the tries of the address are for others. *wait: s until it does. */
static bool must_rest(const struct room *room, uint32_t slot, uint64_t now, uint32_t *wait)
{
    const struct member *member = slot != PEOPLE_NONE ? &room->members[slot] : NULL;
    const uint32_t second = (uint32_t)(now / 1000000);

    if (member == NULL || member->wrong_keys < tries_of_connection(room->definition.tries) ||
        second >= member->keys_until) {
        return false;
    }
    *wait = member->keys_until - second;
    return true;
}

/* Compares a key with the room's presenter key, if the person at that slot (PEOPLE_NONE: a new one)
 * may try one now. The room always compares a key that flockd made, because it is too long to
 * guess. */
static enum tries_result try_key(const struct room *room, uint32_t slot, struct tries_try try,
                                 uint32_t *wait)
{
    try.kind = TRIES_PRESENTER;
    try.key = room->definition.key;
    try.made = room->definition.key_made;
    if (must_rest(room, slot, try.now, wait) && !(try.made && key_same(try.key, try.tried))) {
        return TRIES_TOO_MANY;
    }
    return tries_compare(room->definition.tries, &try, wait);
}

/* Whether the room's join key, if it has one, is in the hello. */
static enum tries_result try_join_key(const struct room *room, const struct proto_hello *hello,
                                      struct tries_try try, uint32_t *wait)
{
    try.kind = TRIES_JOIN;
    try.key = room->definition.join_key;
    try.tried = hello->join;
    if (room->definition.join_key[0] == '\0') {
        return TRIES_RIGHT;
    }
    return hello->join[0] != '\0' ? tries_compare(room->definition.tries, &try, wait) : TRIES_WRONG;
}

struct room_end room_gone(void)
{
    struct proto_error error = {.code = PROTO_E_ROOM, .type = PROTO_HELLO, .fatal = true};

    snprintf(error.field, sizeof error.field, "room");
    snprintf(error.message, sizeof error.message, "room: this room has just ended");
    return tell_end(&error, END_ROOM_GONE);
}

/* Closes the connection that someone has taken over. */
static void close_replaced(const struct room *room, room_member replaced)
{
    const struct room_end end = {.why = END_REPLACED};

    assert(people_find(room_people(room), replaced) == PEOPLE_NONE);
    room->sink.close(room->sink.argument, replaced, &end);
}

/* Makes all memory that someone needs to come in, so that nothing can fail afterwards: taking over
 * from a member never ends that member in vain. */
static bool reserve(struct room *room, const struct stream_kind *kind)
{
    if (room->welcome == NULL) {
        room->welcome = frame_create(PROTO_STATE_MAX);
    }
    return room->welcome != NULL && identity_reserve(room, room_people(room)->used + 1) &&
           stream_enter(&room->streams, kind) != NULL;
}

/* A hello, the person that its token names, and the result of comparing its key. */
struct entry {
    const struct proto_hello *hello;
    uint64_t origin;
    uint32_t slot; /* of a person whom the room remembers, or PEOPLE_NONE */
    enum tries_result key;
    uint32_t key_wait;
    bool displaces; /* a person has given way */
};

static bool has_key(const struct entry *entry)
{
    return entry->hello->key[0] != '\0' && entry->key == TRIES_RIGHT;
}

/* Whether the room has as many people as may be here. A person who takes over from itself makes it
 * no fuller. */
static bool is_full(const struct room *room, const struct entry *entry)
{
    uint32_t most = room->definition.people_max + room->definition.people_spare +
                    (has_key(entry) ? ROOM_PRESENTERS_MORE : 0);
    bool takes_over = entry->slot != PEOPLE_NONE && room_person_at(room, entry->slot)->member != 0;

    return !takes_over && !entry->displaces && room_people(room)->here >= most;
}

/* Returns the role of a person who comes in: by the room, by a key, or as before. */
static enum proto_role role_of(const struct room *room, const struct entry *entry)
{
    if (room->definition.open_controls || has_key(entry)) {
        return PROTO_PRESENTER;
    }
    return entry->slot != PEOPLE_NONE ? room_person_at(room, entry->slot)->role : PROTO_VIEWER;
}

/* Applies the input of someone who joins; *slot is where. A new person gets a token of `bits`. */
static enum people_result let_in(struct room *room, const struct entry *entry,
                                 const uint8_t bits[PROTO_TOKEN_SIZE], uint64_t time,
                                 uint32_t *slot)
{
    const uint32_t before =
        entry->slot != PEOPLE_NONE ? room_person_at(room, entry->slot)->group : 0;
    const struct input input = {.type = INPUT_JOIN,
                                .slot = entry->slot,
                                .time = time,
                                .role = role_of(room, entry),
                                .group = groups_enter(&room->groups, entry->origin)};
    struct change change;
    struct proto_error error;

    if (input.group == 0 || !apply_input(room, &input, &change, &error)) {
        groups_leave(&room->groups, input.group);
        return PEOPLE_NO_MEMORY;
    }
    groups_leave(&room->groups, before);
    *slot = change.slot;
    assert(*slot < room->prepared);
    if (entry->slot == PEOPLE_NONE) {
        room->identities[*slot] = (struct person_identity){0};
        room->members[*slot] = (struct member){.stream = UINT32_MAX};
        identity_give_token(room, *slot, bits);
    } else {
        memcpy(room->members[*slot].token, entry->hello->token, PROTO_TOKEN_SIZE);
    }
    room->identities[*slot].owner |= has_key(entry);
    identity_take_name(room, *slot, entry->hello->name, time);
    apply_spotlight(room, *slot, time);
    return PEOPLE_OK;
}

static enum people_result join(struct room *room, const struct entry *entry, uint64_t time,
                               uint32_t *slot, room_member *replaced)
{
    uint8_t bits[PROTO_TOKEN_SIZE] = {0};

    *replaced = 0;
    if (entry->slot != PEOPLE_NONE && room_person_at(room, entry->slot)->expelled) {
        return PEOPLE_REMOVED;
    }
    if (is_full(room, entry)) {
        return PEOPLE_FULL;
    }
    if (entry->slot != PEOPLE_NONE) {
        *replaced = room_person_at(room, entry->slot)->member;
    } else if (!identity_make_token(bits)) {
        return PEOPLE_NO_MEMORY;
    }
    return let_in(room, entry, bits, time, slot);
}

/* Returns the s for which the room still remembers the person; 0: no person. */
static uint32_t seconds_away(const struct room *room, const struct entry *entry, uint64_t time)
{
    const struct person *person =
        entry->slot != PEOPLE_NONE ? room_person_at(room, entry->slot) : NULL;
    const uint64_t until = person != NULL ? person->left_at + PEOPLE_AWAY_TIME : 0;

    return until > time ? (uint32_t)((until - time) / 1000000) + 1 : 0;
}

room_member room_join(struct room *room, const struct proto_hello *hello, uint64_t origin,
                      uint64_t now, struct room_end *refused)
{
    return room_join_with_pass(room, hello, origin, (struct tries_pass){.kind = TRIES_NOW}, now,
                               refused);
}

/* Refuses a newcomer whom the door or the join key keeps out. Returns false: no refusal. */
static bool keeps_out(const struct room *room, const struct entry *entry, struct tries_try try,
                      struct room_end *refused)
{
    enum tries_result allowed;
    uint32_t wait = 0;

    if (has_key(entry) ||
        (entry->slot != PEOPLE_NONE && !room_person_at(room, entry->slot)->expelled)) {
        return false;
    }
    if (entry->key == TRIES_TOO_MANY && try.pass.kind == TRIES_OR_LINE) {
        *refused = (struct room_end){.why = END_IN_LINE};
        return true;
    }
    if (room->definition.door_closed && entry->key != TRIES_TOO_MANY &&
        entry->slot == PEOPLE_NONE) {
        refuse_newcomer(refused);
        return true;
    }
    try.pass.spent = try.pass.kind == TRIES_WAITED && entry->hello->key[0] != '\0';
    allowed = try_join_key(room, entry->hello, try, &wait);
    if (allowed == TRIES_TOO_MANY && try.pass.kind == TRIES_OR_LINE) {
        *refused = (struct room_end){.why = END_IN_LINE};
        return true;
    }
    if (entry->key == TRIES_TOO_MANY && /* it may be the right key */
        (allowed == TRIES_WRONG || room->definition.door_closed)) {
        allowed = entry->key;
        wait = entry->key_wait;
    }
    if (allowed != TRIES_RIGHT) {
        refuse_join(entry->hello, allowed, wait, refused);
    }
    return allowed != TRIES_RIGHT;
}

/* Ends the person's connection. */
static void dismiss(struct room *room, uint32_t slot, const struct room_end *end, bool expelled,
                    uint64_t now);

static bool may_displace(const struct room *room, const struct entry *entry)
{
    return is_full(room, entry) &&
           (entry->slot == PEOPLE_NONE || !room_person_at(room, entry->slot)->expelled);
}

/* Ends the connection of the person who gives way to the newcomer, if there is such a person, so
 * that the newcomer may come in. Then the room may forget people who are away, also the newcomer.
 */
static void displace(struct room *room, struct entry *entry, uint64_t now)
{
    const struct room_end end = {.why = END_DISPLACED};
    const uint32_t slot = displace_find(room, entry->origin);

    if (slot == PEOPLE_NONE) {
        return;
    }
    dismiss(room, slot, &end, false, now);
    entry->displaces = true;
    if (entry->slot != PEOPLE_NONE) {
        entry->slot = identity_find(room, entry->hello, room_time(room, now));
    }
}

room_member room_join_with_pass(struct room *room, const struct proto_hello *hello, uint64_t origin,
                                struct tries_pass pass, uint64_t now, struct room_end *refused)
{
    struct tries_try try = {.origin = origin, .now = now, .pass = pass};
    const struct stream_want want = {.rate = hello->rate, .boids = hello->boids};
    uint64_t time = room_time(room, now);
    struct entry entry = {.hello = hello, .origin = origin, .key = TRIES_RIGHT};
    enum stream_encoding encoding;
    struct stream_grant grant;
    enum people_result result;
    struct member *member;
    room_member replaced;
    uint32_t slot;

    if (!stream_encoding(hello, &encoding)) {
        return refuse_encoding(refused);
    }
    grant = stream_grant(encoding, &want, 0, room->definition.snapshot_rate,
                         flock_count(scene_flock(room_shown(room))));
    if (!reserve(room, &grant.kind)) {
        return refuse_for(PEOPLE_NO_MEMORY, 0, refused);
    }
    entry.slot = identity_find(room, hello, time);
    if (hello->key[0] != '\0') {
        try.tried = hello->key;
        entry.key = try_key(room, entry.slot, try, &entry.key_wait);
    }
    if (has_key(&entry) && entry.slot != PEOPLE_NONE &&
        room_person_at(room, entry.slot)->expelled) {
        entry.slot = PEOPLE_NONE; /* an owner who was removed comes back as a new person */
    }
    if (keeps_out(room, &entry, try, refused)) {
        stream_leave(&room->streams, stream_id(&grant.kind));
        return 0;
    }
    if (may_displace(room, &entry)) {
        displace(room, &entry, now);
    }
    result = join(room, &entry, time, &slot, &replaced);
    if (result != PEOPLE_OK) {
        stream_leave(&room->streams, stream_id(&grant.kind));
        return refuse_for(result, seconds_away(room, &entry, time), refused);
    }
    member = &room->members[slot];
    if (replaced != 0) {
        close_replaced(room, replaced);
        stream_leave(&room->streams, member->stream);
    }
    member->stream = stream_id(&grant.kind);
    member->encoding = (uint8_t)encoding & 15u;
    member->want = want;
    topics_subscribe(room, slot, hello->topics);
    picks_end(room, slot);
    member->waits = false;
    member->ease = member->overload = 0;
    member->origin = origin;
    if (now / 1000000 >= member->keys_until) {
        member->wrong_keys = 0;
    }
    member->hello_key = (uint8_t)entry.key;
    member->hello_wait = entry.key_wait < UINT16_MAX ? (uint16_t)entry.key_wait : UINT16_MAX;
    if (!room->definition.open_controls) { /* else everyone is a presenter */
        identity_part_names(room, slot);
    }
    assert(people_find(room_people(room), room_person_at(room, slot)->member) == slot);
    return room_person_at(room, slot)->member;
}

struct room_person room_person(const struct room *room, room_member member)
{
    uint32_t slot = people_find(room_people(room), member);

    if (slot == PEOPLE_NONE) {
        return (struct room_person){.name = ""};
    }
    return (struct room_person){.id = room_person_at(room, slot)->id,
                                .name = room->identities[slot].name,
                                .role = room_person_at(room, slot)->role};
}

room_member room_next_member(const struct room *room, uint32_t *next)
{
    const struct person *person = people_each_leaving(room_people(room), next);

    return person != NULL ? person->member : 0;
}

bool room_is_presenter(const struct room *room, room_member member)
{
    uint32_t slot = people_find(room_people(room), member);

    return slot != PEOPLE_NONE && room_person_at(room, slot)->role == PROTO_PRESENTER;
}

/* ---- going ---- */

/* As leave(), in constant time: the scene forgets the person who left first. */
static void leave_for_good(struct room *room, uint32_t slot, bool expelled, uint64_t now)
{
    assert(room_person_at(room, slot)->member != 0);
    groups_leave(&room->groups, room_person_at(room, slot)->group);
    apply_surely(room, &(struct input){.type = INPUT_LEAVE,
                                       .slot = slot,
                                       .time = room_time(room, now),
                                       .expelled = expelled});
    moves_withdraw(room, slot);
    stream_leave(&room->streams, room->members[slot].stream);
    topics_subscribe(room, slot, 0);
    picks_end(room, slot);
    memset(room->members[slot].token, 0, PROTO_TOKEN_SIZE);
    if (room_people(room)->here == 0) {
        rewind_end(room); /* there will be no turn in which it could */
        news_forget(room);
    }
}

static void leave(struct room *room, uint32_t slot, bool expelled, uint64_t now)
{
    forget_before_leave(room, room_time(room, now));
    leave_for_good(room, slot, expelled, now);
}

void room_leave(struct room *room, room_member member, uint64_t now)
{
    uint32_t slot = people_find(room_people(room), member);

    if (slot != PEOPLE_NONE) {
        leave(room, slot, false, now);
    }
}

static void dismiss(struct room *room, uint32_t slot, const struct room_end *end, bool expelled,
                    uint64_t now)
{
    room_member member = room_person_at(room, slot)->member;

    leave(room, slot, expelled, now);
    room->sink.close(room->sink.argument, member, end);
}

void members_expel(struct room *room, uint32_t slot, uint64_t now)
{
    struct proto_error error = {
        .code = PROTO_E_REMOVED, .fatal = true, .after = PEOPLE_AWAY_TIME / 1000000};

    snprintf(error.message, sizeof error.message, "a presenter has removed you from this room");
    const struct room_end end = tell_end(&error, END_REMOVED);
    dismiss(room, slot, &end, true, now);
}

void room_end(struct room *room, enum end_reason why)
{
    const struct room_end end = {.why = why};
    const struct person *person;
    uint32_t next = 0;

    while ((person = people_each_leaving(room_people(room), &next)) != NULL) {
        const room_member member = person->member;
        leave_for_good(room, room_slot_of(room, person), false, 0);
        room->sink.close(room->sink.argument, member, &end);
    }
}

/* ---- keys and welcomes ---- */

static bool refuse_key(struct room *room, uint32_t slot, enum tries_result result, uint32_t wait,
                       uint64_t now, struct proto_error *error)
{
    struct member *member = &room->members[slot];
    bool too_many = result == TRIES_TOO_MANY;

    if (!too_many && member->wrong_keys < UINT16_MAX) {
        member->wrong_keys++;
        member->keys_until = (uint32_t)(now / 1000000) + REST_TIME;
    }
    tell_note(room, slot, ROOM_NOTE_WRONG_KEY, "presenter", NULL, too_many ? "refused" : NULL);
    if (too_many) {
        refuse_message(error, PROTO_E_FLOOD, "key",
                       "key: too many wrong keys were tried; try again in %u s", wait);
        error->after = wait;
        return false;
    }
    return refuse_message(error, PROTO_E_KEY, "key", "key: this is not the room's key");
}

static void tell_wrong_key(struct room *room, uint32_t slot, uint64_t now)
{
    struct member *member = &room->members[slot];
    struct proto_error error;

    if (member->hello_key != TRIES_RIGHT) {
        refuse_key(room, slot, (enum tries_result)member->hello_key, member->hello_wait, now,
                   &error);
        error.type = PROTO_HELLO;
        tell_error(room, room_person_at(room, slot)->member, &error);
        member->hello_key = TRIES_RIGHT;
    }
}

bool members_try_key(struct room *room, uint32_t slot, const char *key, uint64_t now,
                     struct proto_error *error)
{
    struct member *member = &room->members[slot];
    const struct tries_try try = {.tried = key, .origin = member->origin, .now = now};
    uint32_t wait;
    enum tries_result result = try_key(room, slot, try, &wait);

    if (result == TRIES_RIGHT) {
        member->wrong_keys = 0;
        room->identities[slot].owner = true;
        members_appoint(room, slot, PROTO_PRESENTER);
        return true;
    }
    refuse_key(room, slot, result, wait, now, error);
    error->fatal =
        result == TRIES_WRONG && member->wrong_keys >= tries_of_connection(room->definition.tries);
    return false;
}

void members_stop_guessing(struct room *room, uint32_t slot, const struct proto_error *error,
                           uint64_t now)
{
    const struct room_end end = tell_end(error, END_WRONG_KEYS);

    tries_end_connection(room->definition.tries);
    members_set_role(room, slot, PROTO_VIEWER);
    dismiss(room, slot, &end, false, now);
}

void room_welcome(struct room *room, room_member member, uint64_t now)
{
    uint32_t slot = people_find(room_people(room), member);
    const struct stream *stream =
        slot != PEOPLE_NONE ? stream_find(&room->streams, room->members[slot].stream) : NULL;

    if (stream == NULL) {
        return;
    }
    const struct proto_stream granted = grants_describe(room, slot);
    struct room_grant from = {.stream = stream->id,
                              .sequence = stream->sequence,
                              .joined = true,
                              .room = room->definition.number,
                              .events = room->events};
    memcpy(from.token, room->members[slot].token, sizeof from.token);
    memcpy(from.versions, room->versions, sizeof from.versions);
    from.versions[VIEW_PAST] = 0; /* it is not in the welcome */
    struct frame *frame = describe_welcome(room, slot, &granted, now, room->welcome);
    room->welcome = NULL;
    if (frame == NULL) {
        const struct room_end end = {.why = END_NO_MEMORY};
        dismiss(room, slot, &end, false, now);
        return;
    }
    room->sink.tell(room->sink.argument, member, frame, &from);
    presence_welcomed(room, slot);
    tell_wrong_key(room, slot, now);
}

bool members_owns(const struct room *room, uint32_t slot)
{
    return slot == PEOPLE_NONE || room->definition.open_controls || room->identities[slot].owner;
}

void members_demote_away(struct room *room)
{
    const struct people *people = room_people(room);

    apply_surely(room, &(struct input){.type = INPUT_DEMOTE});
    for (uint32_t slot = people->away_first; slot != PEOPLE_NONE; slot = people->slots[slot].next) {
        room->identities[slot].owner = false;
    }
}

void members_set_role(struct room *room, uint32_t slot, enum proto_role role)
{
    room->identities[slot].owner &= role == PROTO_PRESENTER;
    apply_surely(room, &(struct input){.type = INPUT_ROLE, .slot = slot, .role = role});
}

void members_appoint(struct room *room, uint32_t slot, enum proto_role role)
{
    const struct person *person = room_person_at(room, slot);
    bool rises = role == PROTO_PRESENTER && person->role != role;

    members_set_role(room, slot, role);
    if (rises) {
        identity_part_names(room, slot);
    }
    if (person->member != 0) {
        tell_role(room, person->member, role);
    }
}

void room_warn_slow(struct room *room, bool own, uint32_t dropped, uint32_t due)
{
    char value[PROTO_WORD_MAX + 1];

    snprintf(value, sizeof value, "%.0f", due > 0 ? 100.0 * dropped / due : 0.0);
    tell_presenters_event(room, "slow", own ? "" : "server", value);
}
