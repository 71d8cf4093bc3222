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

/* Sets to how many entries the view is due. The room is in the list while it has something to send.
 */
static void set_due(struct roster *roster, struct roster_room *room, uint32_t due)
{
    struct list *list = &roster->unsent[room->by_server];
    const bool sends = due > 0 || room->next != NULL;

    if (sends && !list_has(list, &room->unsent)) {
        list_append(list, &room->unsent);
    } else if (!sends && list_has(list, &room->unsent)) {
        list_remove(list, &room->unsent);
    }
    room->due = due;
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
    list_append(&room->entries, &entry->item);
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
    list_remove(&room->entries, &entry->item);
    entry->room = NULL;
    entry->spare = NULL;
    room->count--;
    if (room->count == 0) {
        view_release(room->next);
        room->next = NULL;
    }
    /* If the view was due to this entry, one that has it already is due once more. That session
     * has nothing new to send. */
    set_due(roster, room, room->due < room->count ? room->due : room->count);
    if (room->count == 0) {
        list_remove(rooms_of(roster, room->number), &room->item);
        view_release(room->view);
        free(room);
    }
}

/* ---- views ---- */

/* Returns the snapshots of the stream that has the most. */
static uint32_t snapshots_between(const struct room_view *before, const struct room_view *view)
{
    uint32_t most = 0;

    for (uint32_t i = 0; i < view->stream_count; i++) {
        const struct view_stream *stream = view_stream(before, view->streams[i].id);
        int32_t count =
            stream != NULL ? (int32_t)(view->streams[i].sequence - stream->sequence) : 0;
        most = count > (int32_t)most ? (uint32_t)count : most;
    }
    return most;
}

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
        set_due(roster, room, 0);
        return;
    }
    room->advanced = room->view != NULL ? snapshots_between(room->view, own) : 0;
    view_release(room->view);
    room->view = own;
    room->ahead = own->ahead;
    room->key_count = 0;
    set_due(roster, room, room->count);
}

void roster_take(struct roster *roster, struct room_view *view, bool by_server)
{
    struct roster_room *room = find_room(roster, view->room);

    if (room == NULL) {
        view_release(view);
    } else if (room->due > 0) {
        view_release(room->next);
        room->next = view;
    } else {
        view_release(room->next);
        room->next = NULL;
        set_due(roster, room, 0); /* before the room changes its list */
        room->by_server = by_server;
        show_view(roster, room, view);
    }
}

/* Returns the next room with a view that is due, or NULL. */
static struct roster_room *next_room(struct roster *roster, const struct list *list)
{
    struct roster_room *room;

    while ((room = list_entry(list->first, struct roster_room, unsent)) != NULL && room->due == 0) {
        struct room_view *next = room->next;
        room->next = NULL;
        show_view(roster, room, next);
    }
    return room;
}

struct roster_entry *roster_due(struct roster *roster, bool by_server)
{
    struct list *list = &roster->unsent[by_server];
    struct roster_room *room = next_room(roster, list);
    struct list_item *item;

    if (room == NULL) {
        return NULL;
    }
    assert(room->due <= room->count);
    item = list_take(&room->entries);
    list_append(&room->entries, item);
    set_due(roster, room, room->due - 1);
    if (room->due % ROSTER_TURN == 0 && list_has(list, &room->unsent)) {
        list_remove(list, &room->unsent);
        list_append(list, &room->unsent);
    }
    return list_entry(item, struct roster_entry, item);
}

bool roster_take_new(struct roster_room *room, uint32_t *skipped)
{
    const uint32_t advanced = room->advanced;

    *skipped = advanced > 0 ? advanced - 1 : 0;
    room->advanced = 0;
    return advanced > 0;
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
