#include "room/members.h"

#include <stdio.h>
#include <string.h>

#include "past/history.h"
#include "room/describe.h"
#include "room/rewind.h"
#include "room/state.h"
#include "room/tell.h"

struct person *members_find(const struct room *room, room_member member)
{
    uint32_t slot = people_find(&room->people, member);

    return slot != PEOPLE_NONE ? &room->people.slots[slot] : NULL;
}

static uint32_t slot_of(const struct room *room, const struct person *person)
{
    return (uint32_t)(person - room->people.slots);
}

/* ---- what a member is granted ---- */

static struct stream_grant grant_for(const struct room *room, const struct person *person,
                                     const struct proto_want *want)
{
    return stream_grant(person->encoding, want, person->ease, room->definition.snapshot_rate,
                        flock_count(room_shown(room)->flock));
}

/* Puts the person into the stream of that grant, and out of the one that it is in. *granted says
 * from where on it is. False, with all as it was, when memory runs out. */
static bool enter(struct room *room, struct person *person, const struct stream_grant *grant,
                  struct room_grant *granted)
{
    uint32_t before = person->stream;
    bool same = stream_id(&grant->kind) == before; /* whoever needs a keyframe of it asks for one */
    const struct stream *stream =
        same ? stream_find(&room->streams, before) : stream_enter(&room->streams, &grant->kind);

    if (stream == NULL) {
        return false;
    }
    *granted = (struct room_grant){.stream = stream->id, .sequence = stream->sequence};
    person->stream = stream->id;
    if (!same) {
        stream_leave(&room->streams, before);
    }
    return true;
}

/* The grant as the person is told of it. */
static struct proto_stream describe_grant(const struct room *room, struct person *person,
                                          const struct stream_grant *grant)
{
    person->boids = grant->boids;
    person->slow = grant->slow;
    return (struct proto_stream){
        .rate = (float)room->definition.snapshot_rate / (float)grant->kind.divisor,
        .boids = grant->boids,
        .stride = grant->kind.stride,
        .slow = grant->slow,
    };
}

static bool regrant(struct room *room, struct person *person, const struct stream_grant *grant)
{
    struct room_grant granted;

    if (!enter(room, person, grant, &granted)) {
        return false;
    }
    const struct proto_stream message = describe_grant(room, person, grant);
    tell_stream(room, person->member, &message, &granted);
    return true;
}

/* The same, unless it is what the person has. Without memory it keeps that. */
static void renew(struct room *room, struct person *person)
{
    const struct stream_grant grant = grant_for(room, person, &person->want);

    if (stream_id(&grant.kind) != person->stream) {
        (void)regrant(room, person, &grant);
    } else if (grant.boids != person->boids || grant.slow != person->slow) {
        const struct proto_stream message = describe_grant(room, person, &grant);
        tell_stream(room, person->member, &message, NULL);
    }
}

/* Whether one more want may lead to another stream now, which it then does. */
static bool take_want(struct person *person, uint64_t now)
{
    uint64_t ahead = person->wants_until > now ? person->wants_until - now : 0;

    if (ahead > (MEMBERS_WANTS - 1) * MEMBERS_WANT_TIME) {
        return false;
    }
    person->wants_until = now + ahead + MEMBERS_WANT_TIME;
    return true;
}

bool members_want(struct room *room, struct person *person, const struct proto_want *want,
                  uint64_t now, struct proto_error *error)
{
    const struct stream_grant grant = grant_for(room, person, want);

    person->waits = stream_id(&grant.kind) != person->stream && !take_want(person, now);
    if (person->waits) {
        room->somebody_waits = true;
    } else if (!regrant(room, person, &grant)) {
        return tell_refuse(error, PROTO_E_FULL, "", "want: out of memory");
    }
    person->want = *want;
    return true;
}

void members_grant_waiting(struct room *room, uint64_t now)
{
    struct person *person;
    uint32_t next = 0;

    if (!room->somebody_waits) {
        return;
    }
    room->somebody_waits = false;
    while ((person = people_each(&room->people, &next)) != NULL) {
        if (person->waits && take_want(person, now)) {
            person->waits = false;
            renew(room, person);
        }
        room->somebody_waits |= person->waits;
    }
}

void members_regrant(struct room *room)
{
    struct person *person;
    uint32_t next = 0;

    while ((person = people_each(&room->people, &next)) != NULL) {
        if (person->want.boids > 0 || person->ease > 0) {
            renew(room, person);
        }
    }
}

void room_ease(struct room *room, room_member member, uint32_t level)
{
    struct person *person = members_find(room, member);

    if (person != NULL) {
        person->ease = level < ROOM_EASE_MAX ? level : ROOM_EASE_MAX;
        renew(room, person);
    }
}

void room_want_key(struct room *room, uint32_t stream)
{
    struct stream *wanted = stream_find(&room->streams, stream);

    if (wanted != NULL) {
        wanted->key_wanted = true;
    }
}

/* ---- coming ---- */

static room_member refuse(struct room_end *refused, const struct proto_error *error,
                          enum proto_close code, const char *reason)
{
    *refused = tell_end(error, code, reason);
    return 0;
}

static room_member refuse_for(enum people_result result, struct room_end *refused)
{
    struct proto_error error = {.type = PROTO_HELLO, .fatal = true};

    if (result == PEOPLE_REMOVED) {
        error.code = PROTO_E_REMOVED;
        snprintf(error.field, sizeof error.field, "token");
        snprintf(error.message, sizeof error.message, "a presenter has removed you from this room");
        return refuse(refused, &error, PROTO_CLOSE_REMOVED, "removed by a presenter");
    }
    error.code = PROTO_E_FULL;
    snprintf(error.field, sizeof error.field, "room");
    snprintf(error.message, sizeof error.message, "%s",
             result == PEOPLE_FULL ? "the room has no place left for anyone else"
                                   : "the server has no memory left for anyone else");
    refuse(refused, &error, PROTO_CLOSE_FULL,
           result == PEOPLE_FULL ? "the room is full" : "out of memory");
    refused->crowded = result == PEOPLE_FULL;
    return 0;
}

static room_member refuse_encoding(struct room_end *refused)
{
    struct proto_error error = {.code = PROTO_E_ENCODING, .type = PROTO_HELLO, .fatal = true};

    snprintf(error.field, sizeof error.field, "encodings");
    snprintf(error.message, sizeof error.message, "encodings: expected one of them to be %s or %s",
             stream_encoding_name(STREAM_PLAIN), stream_encoding_name(STREAM_PACKED));
    return refuse(refused, &error, PROTO_CLOSE_VERSION, "no known encoding");
}

/* Whoever comes without the join key, or with a wrong one. */
static room_member refuse_join(const struct proto_hello *hello, enum tries_result result,
                               uint32_t wait, struct room_end *refused)
{
    struct proto_error error = {.code = PROTO_E_JOIN, .type = PROTO_HELLO, .fatal = true};

    const char *reason = "the room asks for its join key";

    snprintf(error.field, sizeof error.field, "join");
    if (result == TRIES_TOO_MANY) {
        reason = "too many wrong keys were tried";
        snprintf(error.message, sizeof error.message, "join: %s; try again in %u s", reason, wait);
        error.after = wait;
    } else {
        reason = hello->join[0] != '\0' ? "this is not the room's join key" : reason;
        snprintf(error.message, sizeof error.message, "join: %s", reason);
    }
    return refuse(refused, &error, PROTO_CLOSE_JOIN, reason);
}

/* Whether the room's join key, if it has one, is in the hello. */
static enum tries_result try_join_key(const struct room *room, const struct proto_hello *hello,
                                      uint64_t origin, uint64_t now, uint32_t *wait)
{
    const struct tries_try try = {.kind = TRIES_JOIN,
                                  .key = room->definition.join_key,
                                  .tried = hello->join,
                                  .origin = origin,
                                  .now = now};

    if (room->definition.join_key[0] == '\0') {
        return TRIES_RIGHT;
    }
    return hello->join[0] != '\0' ? tries_compare(room->definition.tries, &try, wait) : TRIES_WRONG;
}

struct room_end room_gone(void)
{
    struct proto_error error = {.code = PROTO_E_ROOM, .type = PROTO_HELLO, .fatal = true};

    snprintf(error.field, sizeof error.field, "room");
    snprintf(error.message, sizeof error.message, "room: it has just ended");
    return tell_end(&error, PROTO_CLOSE_ROOM, "the room has ended");
}

/* Closes the connection that someone has taken over. */
static void close_replaced(const struct room *room, room_member replaced)
{
    const struct room_end end = {.code = PROTO_CLOSE_REPLACED,
                                 .reason = "the same person connected from elsewhere"};

    room->sink.close(room->sink.argument, replaced, &end);
}

/* What the person is by virtue of the room, or of a key. */
static void give_role(struct room *room, struct person *person, const char *key,
                      enum tries_result result, uint32_t wait)
{
    person->wrong_keys = 0;
    person->hello_key = result;
    person->hello_wait = wait;
    if (room->definition.open_controls || (key[0] != '\0' && result == TRIES_RIGHT)) {
        people_appoint(&room->people, slot_of(room, person), PROTO_PRESENTER);
    }
}

/* All the memory that someone needs to come in: after this nothing can go wrong, so that whoever
 * takes over from a member never ends it in vain. */
static bool reserve(struct room *room, const struct stream_kind *kind)
{
    if (room->welcome == NULL) {
        room->welcome = frame_create(PROTO_STATE_MAX);
    }
    return room->welcome != NULL && stream_enter(&room->streams, kind) != NULL;
}

room_member room_join(struct room *room, const struct proto_hello *hello, uint64_t origin,
                      uint64_t now, struct room_end *refused)
{
    const struct proto_want want = {.rate = hello->rate, .boids = hello->boids};
    enum stream_encoding encoding;
    struct stream_grant grant;
    struct person *person;
    room_member replaced;
    enum tries_result key = TRIES_RIGHT;
    uint32_t wait = 0;
    uint32_t join_wait = 0;
    uint32_t slot;

    if (!stream_encoding(hello, &encoding)) {
        return refuse_encoding(refused);
    }
    grant = stream_grant(encoding, &want, 0, room->definition.snapshot_rate,
                         flock_count(room_shown(room)->flock));
    if (!reserve(room, &grant.kind)) {
        return refuse_for(PEOPLE_NO_MEMORY, refused);
    }
    if (hello->key[0] != '\0') {
        key = room_try_key(room, hello->key, origin, now, &wait);
    }
    const bool has_key = hello->key[0] != '\0' && key == TRIES_RIGHT;
    if (!has_key && !people_knows(&room->people, hello, room_clock(room, now))) {
        enum tries_result join = try_join_key(room, hello, origin, now, &join_wait);
        if (join != TRIES_RIGHT) {
            stream_leave(&room->streams, stream_id(&grant.kind));
            return refuse_join(hello, join, join_wait, refused);
        }
    }
    room->people.here_max = room->definition.people_max + room->definition.people_spare;
    if (has_key) {
        room->people.here_max += ROOM_PRESENTERS_MORE;
    }
    uint32_t last_id = room->people.last_id;
    enum people_result result =
        people_join(&room->people, hello, room_clock(room, now), &slot, &replaced);
    if (result != PEOPLE_OK) {
        stream_leave(&room->streams, stream_id(&grant.kind));
        return refuse_for(result, refused);
    }
    person = &room->people.slots[slot];
    if (replaced != 0) {
        close_replaced(room, replaced);
        stream_leave(&room->streams, person->stream);
    }
    person->stream = stream_id(&grant.kind);
    person->encoding = encoding;
    person->want = want;
    person->waits = false;
    person->ease = 0;
    person->origin = origin;
    give_role(room, person, hello->key, key, wait);
    history_input(room, &(struct input){.type = INPUT_JOIN,
                                        .slot = person->id > last_id ? INPUT_NEW : slot,
                                        .time = now,
                                        .role = person->role});
    if (!room->definition.open_controls) { /* else everyone is a presenter */
        people_part_names(&room->people, slot);
    }
    return person->member;
}

struct room_person room_person(const struct room *room, room_member member)
{
    const struct person *person = members_find(room, member);

    if (person == NULL) {
        return (struct room_person){.name = ""};
    }
    return (struct room_person){.id = person->id, .name = person->name, .role = person->role};
}

bool room_is_presenter(const struct room *room, room_member member)
{
    const struct person *person = members_find(room, member);

    return person != NULL && person->role == PROTO_PRESENTER;
}

/* ---- going ---- */

static void leave(struct room *room, const struct person *person, bool expelled, uint64_t now)
{
    history_input(room, &(struct input){.type = INPUT_LEAVE,
                                        .slot = slot_of(room, person),
                                        .time = now,
                                        .expelled = expelled});
    stream_leave(&room->streams, person->stream);
    people_leave(&room->people, slot_of(room, person), expelled, room_clock(room, now));
    if (room->people.here > 0) {
        return;
    }
    if (room->rewind != NULL) {
        room->definition.rewind_calls->end(room); /* there will be no turn in which it could */
    }
    news_forget(room);
}

void room_leave(struct room *room, room_member member, uint64_t now)
{
    const struct person *person = members_find(room, member);

    if (person != NULL) {
        leave(room, person, false, now);
    }
}

/* Ends the person's connection. */
static void dismiss(struct room *room, const struct person *person, const struct room_end *end,
                    bool expelled, uint64_t now)
{
    room_member member = person->member;

    leave(room, person, expelled, now);
    room->sink.close(room->sink.argument, member, end);
}

void members_expel(struct room *room, struct person *person, uint64_t now)
{
    struct proto_error error = {.code = PROTO_E_REMOVED, .fatal = true};

    snprintf(error.message, sizeof error.message, "a presenter has removed you from this room");
    const struct room_end end = tell_end(&error, PROTO_CLOSE_REMOVED, "removed by a presenter");
    dismiss(room, person, &end, true, now);
}

void room_end(struct room *room, enum proto_close code, const char *reason)
{
    const struct room_end end = {.code = code, .reason = reason};
    const struct person *person;
    uint32_t next = 0;

    while ((person = people_each_leaving(&room->people, &next)) != NULL) {
        dismiss(room, person, &end, false, 0); /* nobody will come back */
    }
}

/* ---- what members are told ---- */

static bool refuse_key(const struct room *room, struct person *person, enum tries_result result,
                       uint32_t wait, struct proto_error *error)
{
    bool too_many = result == TRIES_TOO_MANY;

    person->wrong_keys += !too_many;
    tell_note(room, person, ROOM_NOTE_WRONG_KEY, "presenter", NULL, too_many ? "refused" : NULL);
    if (too_many) {
        tell_refuse(error, PROTO_E_FLOOD, "key",
                    "key: too many wrong keys were tried; try again in %u s", wait);
        error->after = wait;
        return false;
    }
    return tell_refuse(error, PROTO_E_KEY, "key", "key: this is not the room's key");
}

static void tell_wrong_key(const struct room *room, struct person *person)
{
    struct proto_error error;

    if (person->hello_key != TRIES_RIGHT) {
        refuse_key(room, person, person->hello_key, person->hello_wait, &error);
        error.type = PROTO_HELLO;
        tell_error(room, person->member, &error);
        person->hello_key = TRIES_RIGHT;
    }
}

bool members_try_key(struct room *room, struct person *person, const char *key, uint64_t now,
                     struct proto_error *error)
{
    uint32_t wait;
    enum tries_result result = room_try_key(room, key, person->origin, now, &wait);

    if (result == TRIES_RIGHT) {
        person->wrong_keys = 0;
        members_appoint(room, person, PROTO_PRESENTER);
        return true;
    }
    refuse_key(room, person, result, wait, error);
    error->fatal = person->wrong_keys >= tries_of_connection(room->definition.tries);
    return false;
}

void members_stop_guessing(struct room *room, struct person *person,
                           const struct proto_error *error, uint64_t now)
{
    const struct room_end end = tell_end(error, PROTO_CLOSE_KEYS, "too many wrong keys");

    tries_end_connection(room->definition.tries);
    members_set_role(room, slot_of(room, person), PROTO_VIEWER);
    dismiss(room, person, &end, false, now);
}

void room_welcome(struct room *room, room_member member, uint64_t now)
{
    struct person *person = members_find(room, member);
    const struct stream *stream =
        person != NULL ? stream_find(&room->streams, person->stream) : NULL;

    if (stream == NULL) {
        return;
    }
    const struct stream_grant grant = grant_for(room, person, &person->want);
    const struct proto_stream granted = describe_grant(room, person, &grant);
    struct room_grant from = {
        .stream = stream->id, .sequence = stream->sequence, .joined = true, .events = room->events};
    memcpy(from.versions, room->versions, sizeof from.versions);
    from.versions[VIEW_PAST] = 0; /* it is not in the welcome */
    struct frame *frame = describe_welcome(room, person, &granted, now, room->welcome);
    room->welcome = NULL;
    if (frame == NULL) {
        const struct room_end end = {.code = PROTO_CLOSE_FULL, .reason = "out of memory"};
        dismiss(room, person, &end, false, now);
        return;
    }
    room->sink.tell(room->sink.argument, member, frame, &from);
    presence_welcomed(person);
    tell_wrong_key(room, person);
}

void members_set_role(struct room *room, uint32_t slot, enum proto_role role)
{
    people_appoint(&room->people, slot, role);
    history_input(room, &(struct input){.type = INPUT_ROLE, .slot = slot, .role = role});
}

void members_appoint(struct room *room, struct person *person, enum proto_role role)
{
    bool rises = role == PROTO_PRESENTER && person->role != role;

    members_set_role(room, slot_of(room, person), role);
    if (rises) {
        people_part_names(&room->people, slot_of(room, person));
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
