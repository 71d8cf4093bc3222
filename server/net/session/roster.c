#include "net/session/roster.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "hub/directory.h"

#define SLOTS_FIRST   64u
#define ROOMS_FIRST   16u
#define ENTRIES_FIRST 4u

void roster_init(struct roster *roster, bool shares)
{
    *roster = (struct roster){.shares = shares};
}

void roster_finish(struct roster *roster)
{
    free(roster->slots);
    free(roster->free_slots);
    free(roster->rooms);
    *roster = (struct roster){0};
}

/* ---- sessions ---- */

static bool more_slots(struct roster *roster)
{
    uint32_t count = roster->slot_count > 0 ? 2 * roster->slot_count : SLOTS_FIRST;
    struct roster_entry **slots = realloc(roster->slots, count * sizeof *slots);
    uint32_t *free_slots;

    if (slots == NULL) {
        return false;
    }
    roster->slots = slots;
    free_slots = realloc(roster->free_slots, count * sizeof *free_slots);
    if (free_slots == NULL) {
        return false;
    }
    roster->free_slots = free_slots;
    for (uint32_t slot = count; slot-- > roster->slot_count;) {
        slots[slot] = NULL;
        free_slots[roster->free_count++] = slot;
    }
    roster->slot_count = count;
    return true;
}

bool roster_add(struct roster *roster, struct roster_entry *entry)
{
    uint32_t slot;

    if (roster->free_count == 0 && !more_slots(roster)) {
        return false;
    }
    slot = roster->free_slots[--roster->free_count];
    roster->slots[slot] = entry;
    roster->count++;
    *entry = (struct roster_entry){.id = (uint64_t)++roster->generation << 32 | (slot + 1)};
    return true;
}

void roster_remove(struct roster *roster, struct roster_entry *entry)
{
    uint32_t slot = (uint32_t)entry->id - 1;

    assert(slot < roster->slot_count && roster->slots[slot] == entry);
    roster_leave(roster, entry);
    roster->slots[slot] = NULL;
    roster->free_slots[roster->free_count++] = slot;
    roster->count--;
    entry->id = 0;
}

struct roster_entry *roster_find(const struct roster *roster, uint64_t id)
{
    uint32_t slot = (uint32_t)id - 1;

    if (slot >= roster->slot_count || roster->slots[slot] == NULL ||
        roster->slots[slot]->id != id) {
        return NULL;
    }
    return roster->slots[slot];
}

/* ---- rooms ---- */

static struct roster_room *find_room(const struct roster *roster, uint64_t number)
{
    uint32_t slot = room_slot(number);
    struct roster_room *room = slot < roster->room_slots ? roster->rooms[slot] : NULL;

    while (room != NULL && room->number != number) {
        room = room->next;
    }
    return room;
}

static bool more_rooms(struct roster *roster, uint32_t slot)
{
    uint32_t count = roster->room_slots > 0 ? roster->room_slots : ROOMS_FIRST;
    struct roster_room **rooms;

    while (count <= slot) {
        count *= 2;
    }
    rooms = realloc(roster->rooms, count * sizeof *rooms);
    if (rooms == NULL) {
        return false;
    }
    memset(rooms + roster->room_slots, 0, (count - roster->room_slots) * sizeof *rooms);
    roster->rooms = rooms;
    roster->room_slots = count;
    return true;
}

static struct roster_room *make_room(struct roster *roster, uint64_t number)
{
    uint32_t slot = room_slot(number);
    struct roster_room *room;

    if (slot >= roster->room_slots && !more_rooms(roster, slot)) {
        return NULL;
    }
    room = calloc(1, sizeof *room);
    if (room != NULL) {
        room->number = number;
        room->next = roster->rooms[slot];
        roster->rooms[slot] = room;
    }
    return room;
}

static void drop_room(struct roster *roster, struct roster_room *room)
{
    struct roster_room **at = &roster->rooms[room_slot(room->number)];

    while (*at != room) {
        at = &(*at)->next;
    }
    *at = room->next;
    view_release(room->view);
    free(room->entries);
    free(room);
}

bool roster_enter(struct roster *roster, struct roster_entry *entry, uint64_t number)
{
    struct roster_room *room = find_room(roster, number);

    assert(entry->room == NULL);
    if (room == NULL) {
        room = make_room(roster, number);
    }
    if (room == NULL) {
        return false;
    }
    if (room->count == room->capacity) {
        uint32_t capacity = room->capacity > 0 ? 2 * room->capacity : ENTRIES_FIRST;
        struct roster_entry **entries = realloc(room->entries, capacity * sizeof(*entries));
        if (entries == NULL) {
            if (room->count == 0) {
                drop_room(roster, room);
            }
            return false;
        }
        room->entries = entries;
        room->capacity = capacity;
    }
    entry->room = room;
    entry->index = room->count;
    room->entries[room->count++] = entry;
    return true;
}

void roster_leave(struct roster *roster, struct roster_entry *entry)
{
    struct roster_room *room = entry->room;
    struct roster_entry *last;

    if (room == NULL) {
        return;
    }
    assert(entry->index < room->count && room->entries[entry->index] == entry);
    last = room->entries[--room->count];
    room->entries[entry->index] = last;
    last->index = entry->index;
    entry->room = NULL;
    if (room->count == 0) {
        drop_room(roster, room);
    }
}

/* ---- views ---- */

struct roster_room *roster_take(struct roster *roster, struct room_view *view)
{
    struct roster_room *room = find_room(roster, view->room);
    struct room_view *own = view;

    if (room == NULL) {
        view_release(view);
        return NULL;
    }
    if (roster->shares) {
        own = view_own(view, room->view);
        view_release(view);
        if (own == NULL) {
            return NULL;
        }
    }
    view_release(room->view);
    room->view = own;
    room->key_count = 0;
    return room;
}

bool roster_wants_key(struct roster_room *room, uint32_t stream)
{
    for (uint32_t i = 0; i < room->key_count; i++) {
        if (room->keys[i] == stream) {
            return false;
        }
    }
    return true;
}

void roster_key_asked(struct roster_room *room, uint32_t stream)
{
    if (room->key_count < ROSTER_KEYS_MAX) {
        room->keys[room->key_count++] = stream;
    }
}
