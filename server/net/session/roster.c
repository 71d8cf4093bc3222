#include "net/session/roster.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "hub/directory.h"

#define SLOTS_MAX 131072u /* more than --max-clients or --max-rooms may be */

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
    const size_t needed = (size_t)roster->slot_count + 1;
    size_t capacity = roster->slot_count, same = roster->slot_count;
    struct roster_entry **slots =
        grow_array(roster->slots, &capacity, needed, SLOTS_MAX, sizeof *slots);
    uint32_t *free_slots;

    if (slots == NULL) {
        return false;
    }
    roster->slots = slots;
    free_slots = grow_array(roster->free_slots, &same, needed, SLOTS_MAX, sizeof *free_slots);
    if (free_slots == NULL) {
        return false;
    }
    assert(capacity == same && roster->free_count == 0);
    roster->free_slots = free_slots;
    for (uint32_t slot = (uint32_t)capacity; slot-- > roster->slot_count;) {
        slots[slot] = NULL;
        free_slots[roster->free_count++] = slot;
    }
    roster->slot_count = (uint32_t)capacity;
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

static struct roster_room *room_of(struct list_item *item)
{
    return list_entry(item, struct roster_room, item);
}

static struct roster_room *find_room(const struct roster *roster, uint64_t number)
{
    uint32_t slot = room_slot(number);
    struct list_item *item = slot < roster->room_slots ? roster->rooms[slot].first : NULL;

    while (item != NULL && room_of(item)->number != number) {
        item = item->next;
    }
    return room_of(item);
}

static bool more_rooms(struct roster *roster, uint32_t slot)
{
    const size_t before = roster->room_slots;
    struct list *rooms =
        grow_array(roster->rooms, &roster->room_slots, (size_t)slot + 1, SLOTS_MAX, sizeof *rooms);

    if (rooms == NULL) {
        return false;
    }
    memset(rooms + before, 0, (roster->room_slots - before) * sizeof *rooms);
    roster->rooms = rooms;
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
        list_append(&roster->rooms[slot], &room->item);
    }
    return room;
}

static void drop_room(struct roster *roster, struct roster_room *room)
{
    list_remove(&roster->rooms[room_slot(room->number)], &room->item);
    view_release(room->view);
    free(room->entries);
    free(room);
}

bool roster_enter(struct roster *roster, struct roster_entry *entry, uint64_t number)
{
    struct roster_room *room = find_room(roster, number);
    struct roster_entry **entries;

    assert(entry->room == NULL);
    if (room == NULL) {
        room = make_room(roster, number);
    }
    if (room == NULL) {
        return false;
    }
    entries = grow_array(room->entries, &room->capacity, (size_t)room->count + 1, SLOTS_MAX,
                         sizeof *entries);
    if (entries == NULL) {
        if (room->count == 0) {
            drop_room(roster, room);
        }
        return false;
    }
    room->entries = entries;
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
