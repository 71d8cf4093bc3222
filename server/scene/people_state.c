#include "scene/people_state.h"

#include <stdlib.h>
#include <string.h>

#include "scene/names.h"
#include "scene/people_parts.h"
#include "sim/flock.h"

/* Slots and handles of a room that may be loaded. */

/* Of a person away, and of one here. A person with a team or turns has FIELDS_CLASS more. A person
 * with a group has these, too, and one more. */
enum { FIELDS_AWAY = 11, FIELDS_HERE = 15, FIELDS_CLASS = 2, FIELDS_GROUP = 1 };
_Static_assert(FIELDS_AWAY + FIELDS_CLASS + FIELDS_GROUP < FIELDS_HERE,
               "the number says who is here");

size_t people_state_size(const struct people *people)
{
    return (size_t)people->used * 128 + 4096;
}

/* ---- writing ---- */

static void put_uint(struct saved *saved, uint64_t value)
{
    (void)msgpack_pack_uint64(&saved->packer, value);
}

/* Writes a person as an array; people here have four more fields, their cursor and handle. */
static void put_person(struct saved *saved, const struct people *people, uint32_t slot,
                       const struct person_identity *identities)
{
    static const uint8_t no_token[DIGEST_SIZE];
    const struct person_identity *identity = identities != NULL ? &identities[slot] : NULL;
    const struct person *person = &people->slots[slot];
    const struct cursor *cursor = &person->cursor;
    bool here = person->member != 0;
    bool group = person->group > 0;
    bool class = person->team > 0 || person->turns > 0 || group;
    char name[PROTO_NAME_MAX + 1];

    names_pick(person->id, name);
    (void)msgpack_pack_array(&saved->packer, (size_t)(here ? FIELDS_HERE : FIELDS_AWAY) +
                                                 (size_t)(class ? FIELDS_CLASS : 0) +
                                                 (size_t)(group ? FIELDS_GROUP : 0));
    put_uint(saved, slot);
    put_uint(saved, person->id);
    put_uint(saved, (uint64_t)person->role);
    put_uint(saved, person->expelled);
    put_uint(saved, person->color);
    put_uint(saved, person->left_at);
    put_uint(saved, cursor->present);
    if (identity != NULL) {
        memcpy(name, identity->name, sizeof name);
    }
    (void)msgpack_pack_str_with_body(&saved->packer, name, strlen(name));
    (void)msgpack_pack_bin_with_body(
        &saved->packer, identity != NULL ? identity->token_digest : no_token, DIGEST_SIZE);
    put_uint(saved, cursor->moved_at);
    put_uint(saved, identity != NULL ? identity->renamed_at : 0);
    if (here) {
        (void)msgpack_pack_float(&saved->packer, cursor->x);
        (void)msgpack_pack_float(&saved->packer, cursor->y);
        put_uint(saved, room_member_index(person->member));
        put_uint(saved, person->member >> 32);
    }
    if (class) {
        put_uint(saved, person->team);
        put_uint(saved, person->turns);
    }
    if (group) {
        put_uint(saved, person->group);
    }
}

/* A list of indices, each leading to the next: the free ones, in the order in which they will be
 * used. */
static void put_free_slots(struct saved *saved, const struct people *people)
{
    uint32_t count = 0;

    for (uint32_t slot = people->free; slot != PEOPLE_NONE; slot = people->slots[slot].next) {
        count++;
    }
    saved_array(saved, "free", count);
    for (uint32_t slot = people->free; slot != PEOPLE_NONE; slot = people->slots[slot].next) {
        put_uint(saved, slot);
    }
}

static void put_free_handles(struct saved *saved, const struct people *people)
{
    uint32_t count = people->handles_used - people->here;

    saved_array(saved, "handles_free", count);
    for (uint32_t i = people->handle_free; i != PEOPLE_NONE; i = people->handles[i].slot) {
        put_uint(saved, i);
    }
}

void people_put(struct saved *saved, const char *key, const struct people *people,
                const struct person_identity *identities)
{
    const struct person *person;
    uint32_t next = 0;

    saved_map(saved, key);
    saved_uint(saved, "last_id", people->last_id);
    saved_uint(saved, "generation", people->generation);
    saved_uint(saved, "shown_until", people->shown_until);
    saved_array(saved, "people", (size_t)people->here + people->away_count);
    while ((person = people_each(people, &next)) != NULL) {
        put_person(saved, people, (uint32_t)(person - people->slots), identities);
    }
    for (uint32_t slot = people->away_first; slot != PEOPLE_NONE; slot = people->slots[slot].next) {
        put_person(saved, people, slot, identities);
    }
    put_free_slots(saved, people);
    put_free_handles(saved, people);
    saved_bin(saved, "shown", people->shown, people->shown_count * sizeof people->shown[0]);
    saved_map_end(saved);
}

/* ---- reading ---- */

static uint32_t read_uint32(struct saved_reader *r, const msgpack_object *value, uint32_t min,
                            uint32_t max)
{
    return (uint32_t)reader_uint(&r->reader, value, min, max);
}

/* Reads an index below `count` that no value before had. Returns PEOPLE_NONE, and the reader fails,
 * for any other value. */
static uint32_t read_index(struct saved_reader *r, const msgpack_object *value, bool *taken,
                           uint32_t count)
{
    uint32_t index = count > 0 ? read_uint32(r, value, 0, count - 1) : PEOPLE_NONE;

    if (saved_failed(r)) {
        return PEOPLE_NONE;
    }
    if (count == 0 || taken[index]) {
        saved_fail(r, "people", "two people have the same index");
        return PEOPLE_NONE;
    }
    taken[index] = true;
    return index;
}

/* Where people are read to. */
struct taking {
    struct saved_reader *reader;
    struct people *people;
    struct person_identity *identities; /* by slot; may be NULL */
    bool *slots, *handles;              /* taken */
};

static void read_here(const struct taking *taking, const msgpack_object *at, uint32_t slot)
{
    struct saved_reader *r = taking->reader;
    struct people *people = taking->people;
    struct person *person = &people->slots[slot];
    const double far = (double)FLOCK_FAR;

    person->cursor.x = reader_number(&r->reader, &at[0], -far, far);
    person->cursor.y = reader_number(&r->reader, &at[1], -far, far);
    uint32_t index = read_index(r, &at[2], taking->handles, people->handles_used);
    uint32_t generation = read_uint32(r, &at[3], 1, people->generation);
    if (!saved_failed(r)) {
        person->member = (uint64_t)generation << 32 | (index + 1);
        people->handles[index] = (struct people_handle){generation, slot};
        people_count_here(people, slot);
    }
}

/* Reads the team, the turns and the group, which old bytes lack. A person away is in no group. */
static void read_class(struct saved_reader *r, const msgpack_object_array *a, struct person *person)
{
    uint32_t at = a->size >= FIELDS_HERE ? FIELDS_HERE : FIELDS_AWAY;

    if (a->size >= at + FIELDS_CLASS) {
        person->team = (uint8_t)read_uint32(r, &a->ptr[at], 0, PROTO_TEAMS_MAX);
        person->turns = read_uint32(r, &a->ptr[at + 1], 0, UINT32_MAX);
    }
    if (a->size >= FIELDS_HERE + FIELDS_CLASS + FIELDS_GROUP) {
        r->reader.field = "group";
        person->group = read_uint32(r, &a->ptr[FIELDS_HERE + FIELDS_CLASS], 0, PEOPLE_GROUP_MAX);
        r->reader.field = "people";
    }
}

static void read_person(const struct taking *taking, const msgpack_object *value)
{
    struct saved_reader *r = taking->reader;
    struct people *people = taking->people;
    r->reader.field = "people";
    const msgpack_object_array *a = reader_array(&r->reader, value, FIELDS_AWAY);
    struct person person = {0};
    struct person_identity identity = {0};

    if (a == NULL) {
        return;
    }
    uint32_t slot = read_index(r, &a->ptr[0], taking->slots, people->used);
    person.id = read_uint32(r, &a->ptr[1], 1, people->last_id);
    person.role = (enum proto_role)reader_uint(&r->reader, &a->ptr[2], 0, PROTO_PRESENTER);
    person.expelled = reader_uint(&r->reader, &a->ptr[3], 0, 1) != 0;
    person.color = read_uint32(r, &a->ptr[4], 0, 0xffffff);
    person.left_at = reader_uint(&r->reader, &a->ptr[5], 0, UINT64_MAX);
    person.cursor.present = reader_uint(&r->reader, &a->ptr[6], 0, 1) != 0;
    reader_line(&r->reader, &a->ptr[7], 1, PROTO_NAME_MAX, identity.name);
    const msgpack_object_bin *digest = reader_bin(&r->reader, &a->ptr[8]);
    person.cursor.moved_at = reader_uint(&r->reader, &a->ptr[9], 0, UINT64_MAX);
    identity.renamed_at = reader_uint(&r->reader, &a->ptr[10], 0, UINT64_MAX);
    if (digest != NULL && digest->size != DIGEST_SIZE) {
        saved_fail(r, "people", "a token's digest has 16 bytes");
    }
    if (saved_failed(r) || digest == NULL) {
        return;
    }
    memcpy(identity.token_digest, digest->ptr, DIGEST_SIZE);
    read_class(r, a, &person);
    if (saved_failed(r)) {
        return;
    }
    if (!people_reserve_group(people, person.group)) {
        saved_fail(r, "people", "out of memory");
        return;
    }
    people->slots[slot] = person;
    if (taking->identities != NULL) {
        taking->identities[slot] = identity;
    }
    people->presenters += person.role == PROTO_PRESENTER;
    if (a->size >= FIELDS_HERE) {
        read_here(taking, a->ptr + FIELDS_AWAY, slot);
    } else {
        people->slots[slot].cursor.present = false;
        people_count_away(people, slot);
    }
}

/* The free ones, each leading to the next; *first to the first of them. `link` says where an index
 * keeps the next. */
static void read_free(struct saved_reader *r, const msgpack_object_array *list, bool *taken,
                      uint32_t count, uint32_t *first,
                      uint32_t *(*link)(struct people *people, uint32_t index),
                      struct people *people)
{
    for (uint32_t i = 0; i < list->size && !saved_failed(r); i++) {
        uint32_t index = read_index(r, &list->ptr[i], taken, count);
        if (index != PEOPLE_NONE) {
            *first = index;
            first = link(people, index);
            *first = PEOPLE_NONE;
        }
    }
}

static uint32_t *slot_link(struct people *people, uint32_t slot)
{
    return &people->slots[slot].next;
}

static uint32_t *handle_link(struct people *people, uint32_t index)
{
    return &people->handles[index].slot;
}

static void read_shown(struct saved_reader *r, const msgpack_object_map *map, struct people *people)
{
    const msgpack_object_bin *bin = reader_bin(&r->reader, reader_key(&r->reader, map, "shown"));
    const uint32_t *slots;

    if (bin == NULL) {
        return;
    }
    if (bin->size % sizeof *slots != 0 || bin->size > sizeof people->shown) {
        saved_fail(r, "shown", "expected up to 128 slots of 4 bytes");
        return;
    }
    slots = saved_read_words(r, map, "shown", bin->size / sizeof *slots);
    for (uint32_t i = 0; slots != NULL && i < bin->size / sizeof *slots; i++) {
        struct person *person = slots[i] < people->used ? &people->slots[slots[i]] : NULL;
        if (person == NULL || person->member == 0 || person->shown) {
            saved_fail(r, "shown",
                       "a slot names an absent person, or two slots name the same person");
            return;
        }
        people_show(people, slots[i]);
    }
}

/* How many of the list are here; the others are away. */
static uint32_t count_here(const msgpack_object_array *list)
{
    uint32_t here = 0;

    for (uint32_t i = 0; i < list->size; i++) {
        const msgpack_object *value = &list->ptr[i];
        here += value->type == MSGPACK_OBJECT_ARRAY && value->via.array.size >= FIELDS_HERE;
    }
    return here;
}

static bool make_slots(struct taking *taking, size_t slots, size_t handles, bool identities)
{
    struct people *people = taking->people;

    const size_t most = (size_t)people->most + PEOPLE_AWAY_MAX;

    if (slots > most || handles > most) {
        taking->reader->reader.field = "people";
        reader_fail(&taking->reader->reader, PROTO_E_RANGE,
                    "slots for %zu people, a room here may have %zu: --max-clients, and %u who "
                    "left",
                    slots > handles ? slots : handles, most, PEOPLE_AWAY_MAX);
        return false;
    }
    people->slots = calloc(slots + 1, sizeof *people->slots);
    people->handles = calloc(handles + 1, sizeof *people->handles);
    taking->identities = identities ? calloc(slots + 1, sizeof *taking->identities) : NULL;
    taking->slots = calloc(slots + 1, sizeof *taking->slots);
    taking->handles = calloc(handles + 1, sizeof *taking->handles);
    if (people->slots == NULL || people->handles == NULL || taking->slots == NULL ||
        taking->handles == NULL || (identities && taking->identities == NULL)) {
        saved_fail(taking->reader, "people", "out of memory");
        return false;
    }
    people->capacity = slots + 1;
    people->handle_capacity = handles + 1;
    people->used = (uint32_t)slots;
    people->handles_used = (uint32_t)handles;
    return true;
}

void people_read(struct saved_reader *r, const msgpack_object *value, struct people *people,
                 struct person_identity **identities)
{
    const msgpack_object_map *map = reader_map(&r->reader, value);
    struct taking taking = {.reader = r, .people = people};

    people->last_id = read_uint32(r, reader_key(&r->reader, map, "last_id"), 0, UINT32_MAX);
    people->generation = read_uint32(r, reader_key(&r->reader, map, "generation"), 0, UINT32_MAX);
    people->shown_until =
        reader_uint(&r->reader, reader_key(&r->reader, map, "shown_until"), 0, UINT64_MAX);
    const msgpack_object_array *list =
        reader_array(&r->reader, reader_key(&r->reader, map, "people"), 0);
    const msgpack_object_array *slots =
        reader_array(&r->reader, reader_key(&r->reader, map, "free"), 0);
    const msgpack_object_array *handles =
        reader_array(&r->reader, reader_key(&r->reader, map, "handles_free"), 0);
    if (handles != NULL &&
        make_slots(&taking, (size_t)list->size + slots->size,
                   (size_t)count_here(list) + handles->size, identities != NULL)) {
        for (uint32_t i = 0; i < list->size && !saved_failed(r); i++) {
            read_person(&taking, &list->ptr[i]);
        }
        read_free(r, slots, taking.slots, people->used, &people->free, slot_link, people);
        read_free(r, handles, taking.handles, people->handles_used, &people->handle_free,
                  handle_link, people);
        read_shown(r, map, people);
    }
    if (identities != NULL) {
        *identities = taking.identities;
    }
    free(taking.slots);
    free(taking.handles);
}
