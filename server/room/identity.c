#include "room/identity.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "base/grow.h"
#include "room/state.h"
#include "scene/names.h"

/* ---- memory ---- */

bool identity_reserve(struct room *room, uint32_t slots)
{
    size_t capacity = room->capacity, same = room->capacity;
    struct person_identity *identities;
    struct member *members;

    if (slots <= room->prepared) {
        return true;
    }
    identities =
        grow_array(room->identities, &capacity, slots, PEOPLE_SLOTS_MAX, sizeof *identities);
    room->identities = identities != NULL ? identities : room->identities;
    members = grow_array(room->members, &same, slots, PEOPLE_SLOTS_MAX, sizeof *members);
    room->members = members != NULL ? members : room->members;
    if (identities == NULL || members == NULL) {
        return false;
    }
    assert(capacity == same);
    room->capacity = capacity;
    /* Memory for later slots stays unwritten, so that it costs nothing yet. */
    for (; room->prepared < slots; room->prepared++) {
        identities[room->prepared] = (struct person_identity){0};
        members[room->prepared] = (struct member){.stream = UINT32_MAX};
    }
    return true;
}

/* ---- tokens ---- */

/* A token begins with the slot of its person, so that finding a person takes no search. */
static void put_slot(uint8_t token[PROTO_TOKEN_SIZE], uint32_t slot)
{
    for (unsigned i = 0; i < 4; i++) {
        token[i] = (uint8_t)(slot >> 8 * i);
    }
}

uint32_t identity_find(const struct room *room, const struct proto_hello *hello, uint64_t time)
{
    const uint8_t *token = hello->token;
    uint32_t slot = (uint32_t)token[0] | (uint32_t)token[1] << 8 | (uint32_t)token[2] << 16 |
                    (uint32_t)token[3] << 24;
    uint8_t digest[DIGEST_SIZE];

    if (!hello->has_token || !people_remembers(room_people(room), slot, time) ||
        !digest_of(token, PROTO_TOKEN_SIZE, digest) ||
        !digest_same(room->identities[slot].token_digest, digest)) {
        return PEOPLE_NONE;
    }
    return slot;
}

bool identity_make_token(uint8_t token[PROTO_TOKEN_SIZE])
{
    return getrandom(token, PROTO_TOKEN_SIZE, 0) == PROTO_TOKEN_SIZE;
}

void identity_give_token(struct room *room, uint32_t slot, const uint8_t bits[PROTO_TOKEN_SIZE])
{
    uint8_t *token = room->members[slot].token;

    memcpy(token, bits, PROTO_TOKEN_SIZE);
    put_slot(token, slot);
    if (!digest_of(token, PROTO_TOKEN_SIZE, room->identities[slot].token_digest)) {
        memset(room->identities[slot].token_digest, 0, DIGEST_SIZE);
    }
}

/* ---- names ---- */

static void set_name(struct room *room, uint32_t slot, const char *name)
{
    assert(slot < room->prepared && strlen(name) <= PROTO_NAME_MAX);
    memcpy(room->identities[slot].name, name, strlen(name) + 1);
    room->identities[slot].name_hash = names_hash(name);
    room->members[slot].renamed = true;
    room->names += room_person_at(room, slot)->shown;
}

static void give_name(struct room *room, uint32_t slot)
{
    char name[PROTO_NAME_MAX + 1];

    names_pick(room_person_at(room, slot)->id, name);
    set_name(room, slot, name);
}

void identity_take_name(struct room *room, uint32_t slot, const char *name, uint64_t time)
{
    bool blank = names_blank(name);

    if (room->identities[slot].name[0] != '\0') {
        if (!blank) {
            identity_rename(room, slot, name, time);
        }
    } else if (blank) {
        give_name(room, slot);
    } else {
        set_name(room, slot, name);
    }
}

uint64_t identity_rename(struct room *room, uint32_t slot, const char *name, uint64_t time)
{
    struct person_identity *identity = &room->identities[slot];
    uint64_t until = identity->renamed_at + IDENTITY_NAME_TIME;

    if (strcmp(identity->name, name) == 0) {
        return 0;
    }
    if (identity->renamed_at > 0 && time < until) {
        return until - time;
    }
    identity->renamed_at = time;
    set_name(room, slot, name);
    return 0;
}

void identity_call(struct room *room, uint32_t slot, const char *name, uint64_t time)
{
    struct person_identity *identity = &room->identities[slot];

    if (strcmp(identity->name, name) != 0) {
        identity->renamed_at = time;
        set_name(room, slot, name);
    }
}

/* Whether readers take the name, with that hash, for that of the person in the slot. Hashes tell
 * most names apart: a room may have thousands of people, and a presenter renames several a
 * millisecond. */
static bool is_alike(const struct room *room, uint32_t slot, const char *name, uint32_t hash)
{
    const struct person_identity *other = &room->identities[slot];

    if (hash != 0 && other->name_hash != 0 && hash != other->name_hash) {
        return false;
    }
    return names_alike(other->name, name);
}

/* As identity_is_presenters(), for a name with that hash. */
static bool is_presenters(const struct room *room, const char *name, uint32_t hash, uint32_t slot)
{
    const struct people *people = room_people(room);
    uint32_t left = people->presenters;

    for (uint32_t i = 0; i < people->used && left > 0; i++) {
        const struct person *person = &people->slots[i];
        if (person->id == 0 || person->role != PROTO_PRESENTER) {
            continue;
        }
        left--;
        if (i != slot && is_alike(room, i, name, hash)) {
            return true;
        }
    }
    return false;
}

bool identity_is_presenters(const struct room *room, const char *name, uint32_t slot)
{
    return room_people(room)->presenters > 0 && is_presenters(room, name, names_hash(name), slot);
}

void identity_part_names(struct room *room, uint32_t slot)
{
    const struct people *people = room_people(room);
    const char *name = room->identities[slot].name;
    const uint32_t hash = room->identities[slot].name_hash;

    if (people->slots[slot].role != PROTO_PRESENTER) {
        if (is_presenters(room, name, hash, slot)) {
            give_name(room, slot);
        }
        return;
    }
    for (uint32_t i = 0; i < people->used; i++) {
        const struct person *other = &people->slots[i];
        if (other->id != 0 && other->role != PROTO_PRESENTER && is_alike(room, i, name, hash)) {
            give_name(room, i);
        }
    }
}
