#include "net/session/roster.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "hub/directory.h"

#define SLOTS_MAX 131072u /* more than --max-clients may be */

void roster_init(struct roster *roster, bool shares)
{
    *roster = (struct roster){.shares = shares};
}

void roster_finish(struct roster *roster)
{
    free(roster->slots);
    free(roster->free_slots);
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

static struct list *rooms_of(struct roster *roster, uint64_t number)
{
    return &roster->rooms[room_slot(number) % ROSTER_LISTS];
}

static struct roster_room *find_room(struct roster *roster, uint64_t number)
{
    struct list_item *item = rooms_of(roster, number)->first;

    while (item != NULL && room_of(item)->number != number) {
        item = item->next;
    }
    return room_of(item);
}

/* The room is in the list while it has something to send. */
static void list_unsent(struct roster *roster, struct roster_room *room)
{
    struct list *list = &roster->unsent[room->by_server];
    const bool sends = room->due > 0 || room->next != NULL;

    if (sends && !list_has(list, &room->unsent)) {
        list_append(list, &room->unsent);
    } else if (!sends && list_has(list, &room->unsent)) {
        list_remove(list, &room->unsent);
    }
}

/* A later room may have the number of an earlier one of the other kind. */
static void set_by_server(struct roster *roster, struct roster_room *room, bool by_server)
{
    struct list *list = &roster->unsent[room->by_server];
    const uint32_t due = room->due - room->ranks[ROSTER_FRESH].due;

    if (list_has(list, &room->unsent)) {
        list_remove(list, &room->unsent);
    }
    roster->due[room->by_server] -= due;
    roster->due[by_server] += due;
    room->by_server = by_server;
    list_unsent(roster, room);
}

/* Sets to how many entries of a rank the view is due. */
static void set_due(struct roster *roster, struct roster_room *room, struct roster_rank *rank,
                    uint32_t due)
{
    assert(due <= rank->count);
    room->due = room->due - rank->due + due;
    if (rank != &room->ranks[ROSTER_FRESH]) {
        roster->due[room->by_server] += due - rank->due;
    }
    rank->due = due;
    list_unsent(roster, room);
}

static void add_to_rank(struct roster_entry *entry)
{
    struct roster_rank *rank = &entry->room->ranks[entry->rank];

    list_append(&rank->entries, &entry->item);
    rank->count++;
}

/* If the view was due to this entry, one that has it already is due once more. That session has
 * nothing new to send. */
static void remove_from_rank(struct roster *roster, struct roster_entry *entry)
{
    struct roster_rank *rank = &entry->room->ranks[entry->rank];

    list_remove(&rank->entries, &entry->item);
    rank->count--;
    set_due(roster, entry->room, rank, rank->due < rank->count ? rank->due : rank->count);
}

bool roster_reserve(struct roster_entry *entry)
{
    assert(entry->room == NULL);
    if (entry->spare == NULL) {
        entry->spare = calloc(1, sizeof *entry->spare);
    }
    return entry->spare != NULL;
}

/* Returns memory for a room that the entry enters first, or NULL. */
static struct roster_room *take_spare(struct roster_entry *entry)
{
    struct roster_room *spare = entry->room == NULL ? entry->spare : NULL;

    if (spare == NULL) {
        return calloc(1, sizeof *spare);
    }
    entry->spare = NULL;
    return spare;
}

bool roster_enter(struct roster *roster, struct roster_entry *entry, uint64_t number)
{
    struct roster_room *room = find_room(roster, number);

    if (room != NULL && room == entry->room) {
        return true;
    }
    if (room == NULL) {
        room = take_spare(entry);
        if (room == NULL) {
            return false;
        }
        room->number = number;
        list_append(rooms_of(roster, number), &room->item);
    }
    roster_leave(roster, entry);
    entry->room = room;
    entry->item = (struct list_item){0};
    add_to_rank(entry);
    room->count++;
    return true;
}

void roster_leave(struct roster *roster, struct roster_entry *entry)
{
    struct roster_room *room = entry->room;

    if (room == NULL) {
        free(entry->spare);
        entry->spare = NULL;
        return;
    }
    room->count--;
    if (room->count == 0) {
        view_release(room->next);
        room->next = NULL;
    }
    remove_from_rank(roster, entry);
    entry->room = NULL;
    entry->spare = NULL;
    if (room->count == 0) {
        list_remove(rooms_of(roster, room->number), &room->item);
        view_release(room->view);
        free(room);
    }
}

void roster_set_rank(struct roster *roster, struct roster_entry *entry, uint8_t rank)
{
    assert(rank < ROSTER_RANKS);
    if (rank == entry->rank) {
        return;
    }
    if (entry->room == NULL) {
        entry->rank = rank;
        return;
    }
    remove_from_rank(roster, entry);
    entry->rank = rank;
    add_to_rank(entry);
}

/* ---- views ---- */

/* Makes `view` the room's view, which becomes due to all entries. Without memory the room keeps the
 * view before. */
static void show_view(struct roster *roster, struct roster_room *room, struct room_view *view)
{
    struct room_view *own = view;

    if (roster->shares) {
        own = view_own(view, room->view);
        view_release(view);
    }
    if (own == NULL) {
        list_unsent(roster, room);
        return;
    }
    view_release(room->view);
    room->view = own;
    room->ahead = own->ahead;
    room->key_count = 0;
    for (uint32_t i = 0; i < ROSTER_RANKS; i++) {
        set_due(roster, room, &room->ranks[i], room->ranks[i].count);
    }
}

/* Returns true if the view is due to an entry of the first rank that has entries. */
static bool first_waits(const struct roster_room *room)
{
    const struct roster_rank *rank = room->ranks;

    while (rank->count == 0) {
        rank++; /* no room is empty */
    }
    return rank->due > 0;
}

void roster_take(struct roster *roster, struct room_view *view, bool by_server)
{
    struct roster_room *room = find_room(roster, view->room);

    if (room == NULL) {
        view_release(view);
        return;
    }
    view_release(room->next);
    room->next = first_waits(room) ? view : NULL;
    if (room->next == NULL) {
        set_by_server(roster, room, by_server);
        show_view(roster, room, view);
    }
}

/* Returns the next room with a view that is due, or NULL. */
static struct roster_room *next_room(struct roster *roster, const struct list *list)
{
    struct roster_room *room;

    while ((room = list_entry(list->first, struct roster_room, unsent)) != NULL) {
        struct room_view *next = room->next;
        if (next != NULL && !first_waits(room)) {
            room->next = NULL;
            show_view(roster, room, next);
        }
        if (room->due > 0) {
            return room;
        }
    }
    return NULL;
}

/* Returns the rank of the room's next entry: the first that waits, or each ROSTER_LATER entries one
 * of the others, in turn. */
static struct roster_rank *next_rank(struct roster_room *room)
{
    const bool later = ++room->turns % ROSTER_LATER == 0;
    struct roster_rank *waiting[ROSTER_RANKS];
    uint32_t count = 0;

    for (uint32_t i = 0; i < ROSTER_RANKS && (count == 0 || later); i++) {
        if (room->ranks[i].due > 0) {
            waiting[count++] = &room->ranks[i];
        }
    }
    assert(count > 0);
    return waiting[count > 1 ? 1 + room->turns / ROSTER_LATER % (count - 1) : 0];
}

struct roster_entry *roster_due(struct roster *roster, bool by_server)
{
    struct list *list = &roster->unsent[by_server];
    struct roster_room *room = next_room(roster, list);
    struct roster_rank *rank;
    struct list_item *item;

    if (room == NULL) {
        return NULL;
    }
    rank = next_rank(room);
    item = list_take(&rank->entries);
    list_append(&rank->entries, item);
    set_due(roster, room, rank, rank->due - 1);
    if (room->turns % ROSTER_TURN == 0 && list_has(list, &room->unsent)) {
        list_remove(list, &room->unsent);
        list_append(list, &room->unsent);
    }
    return list_entry(item, struct roster_entry, item);
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
