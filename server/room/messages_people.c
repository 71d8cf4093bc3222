/* The members' messages about people: names, roles and keys. See messages.c. */
#include <stdio.h>
#include <string.h>

#include "base/key.h"
#include "base/refusal.h"
#include "room/apply.h"
#include "room/identity.h"
#include "room/members.h"
#include "room/request.h"
#include "room/tell.h"
#include "scene/names.h"

_Static_assert(KEY_LENGTH <= PROTO_KEY_MAX, "a key that is made can be said");

/* Whether the person in that slot may have that name. */
static bool may_be_called(const struct request *request, uint32_t slot, const char *name)
{
    const struct room *room = request->room;

    if (names_blank(name)) {
        return refuse_message(request->error, PROTO_E_RANGE, "name",
                              "name: expected at least one visible character");
    }
    if (room_person_at(room, slot)->role != PROTO_PRESENTER &&
        identity_is_presenters(room, name, slot)) {
        return refuse_message(request->error, PROTO_E_RANGE, "name",
                              "name: a presenter has this name; choose another one");
    }
    return true;
}

bool room_on_name(const struct request *request)
{
    const char *name = request->message->name.name;
    uint64_t wait;

    if (!may_be_called(request, request->from, name)) {
        return false;
    }
    wait = identity_rename(request->room, request->from, name, request->time);
    if (wait > 0) {
        refuse_message(request->error, PROTO_E_STATE, "name",
                       "name: one change every %u seconds; try again in %.1f s",
                       IDENTITY_NAME_TIME / 1000000, (double)(wait + 50000) / 1e6);
        request->error->after = (uint32_t)((wait + 999999) / 1000000);
        return false;
    }
    identity_part_names(request->room, request->from);
    return true;
}

static enum proto_role role_at(const struct room *room, uint32_t slot)
{
    return room_person_at(room, slot)->role;
}

/* Notes the role that a person had before the message, and the one after it. */
static void note_roles(struct change *change, enum proto_role before, enum proto_role after)
{
    change_before(change, proto_role_name(before));
    change_after(change, proto_role_name(after), before != after);
}

bool room_on_key(const struct request *request)
{
    const enum proto_role before = role_at(request->room, request->from);
    bool right = members_try_key(request->room, request->from, request->message->key.key,
                                 request->now, request->error);

    note_roles(request->change, before, role_at(request->room, request->from));
    return right;
}

/* Returns the slot of the person here with that id; PEOPLE_NONE, with *error filled, without one.
 */
static uint32_t find_person(const struct request *request, uint32_t id)
{
    uint32_t slot = people_find_id(room_people(request->room), id);

    if (slot == PEOPLE_NONE) {
        refuse_message(request->error, PROTO_E_RANGE, "id",
                       "id: expected the id of a person in the room, got %u", id);
    }
    return slot;
}

/* Whether the sender may remove the person in that slot, or make the person a viewer. */
static bool may_act_on(const struct request *request, uint32_t slot)
{
    return members_owns(request->room, request->from) || !request->room->identities[slot].owner ||
           refuse_message(request->error, PROTO_E_ROLE, "id",
                          "id: this person has the room's key; only an owner may do this");
}

bool room_on_expel(const struct request *request)
{
    struct room *room = request->room;
    uint32_t slot = find_person(request, request->message->expel.id);

    if (slot == PEOPLE_NONE) {
        return false;
    }
    if (slot == request->from) {
        return refuse_message(request->error, PROTO_E_RANGE, "id",
                              "id: expected the id of another person, got your own");
    }
    if (!may_act_on(request, slot)) {
        return false;
    }
    if (room_person_at(room, slot)->id == room_people(room)->spotlight) {
        const struct proto_client_message off = {.type = PROTO_SPOTLIGHT};
        apply_surely(
            room, &(struct input){.type = INPUT_MESSAGE, .time = request->time, .message = &off});
    }
    members_expel(room, slot, request->now);
    return true;
}

bool room_on_appoint(const struct request *request)
{
    const struct proto_appoint *appoint = &request->message->appoint;
    struct room *room = request->room;
    uint32_t away = people_find_away(room_people(room), appoint->id);
    uint32_t slot = away;
    enum proto_role before;

    if (appoint->role != PROTO_VIEWER || away == PEOPLE_NONE) {
        slot = find_person(request, appoint->id);
    }
    if (slot == PEOPLE_NONE ||
        (appoint->role == PROTO_VIEWER && slot != request->from && !may_act_on(request, slot))) {
        return false;
    }
    before = role_at(room, slot);
    members_appoint(room, slot, appoint->role);
    note_roles(request->change, before, role_at(room, slot));
    return true;
}

/* A person whom a presenter renamed may choose another name after a while, as always. */
bool room_on_rename(const struct request *request)
{
    const struct proto_rename *rename = &request->message->rename;
    struct room *room = request->room;
    uint32_t slot = find_person(request, rename->id);
    const char *after;

    if (slot == PEOPLE_NONE || !may_be_called(request, slot, rename->name)) {
        return false;
    }
    change_before(request->change, room->identities[slot].name);
    identity_call(room, slot, rename->name, request->time);
    identity_part_names(room, slot);
    after = room->identities[slot].name;
    change_after(request->change, after, strcmp(request->change->before, after) != 0);
    return true;
}

/* Remembers which key is replaced first. Returns false when memory runs out. */
static bool keep_first_key(struct room_terms *terms)
{
    terms->key_replaced = terms->key_replaced || key_digest(terms->key, terms->first_key);
    return terms->key_replaced;
}

bool room_on_rekey(const struct request *request)
{
    struct room *room = request->room;
    char key[KEY_LENGTH + 1];
    uint8_t digest[DIGEST_SIZE];

    if (request->from == PEOPLE_NONE) {
        return refuse_message(request->error, PROTO_E_STATE, "",
                              "rekey: only a member of the room can receive the new key");
    }
    if (!room->identities[request->from].owner) { /* with open controls, too: see room_set_key() */
        return refuse_message(request->error, PROTO_E_ROLE, "",
                              "only an owner, a presenter with the room's key, may do this");
    }
    if (!key_make(key) || !key_digest(key, digest) || !keep_first_key(&room->definition)) {
        return refuse_message(request->error, PROTO_E_FULL, "",
                              "rekey: no random numbers, or out of memory");
    }
    key_of_digest(digest, room->definition.key);
    room->changes++;
    room->definition.key_made = true;
    members_demote_away(room);
    tell_new_key(room, request_sender(request)->member, key);
    return true;
}
