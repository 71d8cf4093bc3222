#include "hub/directory.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <uv.h>

#include "base/counter.h"
#include "base/grow.h"
#include "base/hash.h"
#include "base/list.h"
#include "base/network.h"
#include "hub/directory_slots.h"

#define RESTING_MAX   1000000u
#define ADDRESSES_MAX 4096u
#define TRIES         64                   /* random codes tried to find an unused one */
#define HOUR          UINT64_C(3600000000) /* µs */

/* Letters and digits of which no two look or sound alike. */
static const char code_letters[] = "2346789FKLMRWXY";

#define CODE_LETTERS (sizeof code_letters - 1)

/* ---- codes ---- */

static struct name **bucket_of(struct directory *directory, const char *code)
{
    return &directory->buckets[hash_text(code) % DIRECTORY_BUCKETS];
}

static struct name *find_name(struct directory *directory, const char *code)
{
    struct name *name = *bucket_of(directory, code);

    while (name != NULL && strcmp(name->code, code) != 0) {
        name = name->next;
    }
    return name;
}

static void free_name(struct directory *directory, struct name *name)
{
    struct name **link = bucket_of(directory, name->code);

    while (*link != name) {
        link = &(*link)->next;
    }
    *link = name->next;
    free(name);
}

static void wake_codes(struct directory *directory, uint64_t now)
{
    struct name *name;

    while ((name = list_entry(directory->rest.first, struct name, rests)) != NULL &&
           (now >= name->until || directory->resting > RESTING_MAX)) {
        list_remove(&directory->rest, &name->rests);
        directory->resting--;
        free_name(directory, name);
    }
}

static void rest_code(struct directory *directory, struct name *name, uint64_t until)
{
    name->slot = DIRECTORY_NO_SLOT;
    name->until = until;
    list_append(&directory->rest, &name->rests);
    directory->resting++;
}

static bool random_code(char code[PROTO_ROOM_MAX + 1])
{
    uint32_t letters[DIRECTORY_CODE_LENGTH];

    if (getrandom(letters, sizeof letters, 0) != sizeof letters) {
        return false;
    }
    for (size_t i = 0; i < DIRECTORY_CODE_LENGTH; i++) {
        code[i] = code_letters[letters[i] % CODE_LETTERS];
    }
    code[DIRECTORY_CODE_LENGTH] = '\0';
    return true;
}

/* Adds a name for the room in that slot; code NULL: an unused one. Returns NULL when memory or
 * randomness runs out. */
static struct name *add_name(struct directory *directory, const char *code, uint32_t slot)
{
    struct name *name = calloc(1, sizeof *name);
    struct name **bucket;
    bool chosen = code != NULL;

    if (name == NULL) {
        return NULL;
    }
    for (int tries = 0; !chosen && tries < TRIES && random_code(name->code); tries++) {
        chosen = find_name(directory, name->code) == NULL;
    }
    if (!chosen) {
        free(name);
        return NULL;
    }
    if (code != NULL) {
        strncpy(name->code, code, sizeof name->code - 1);
    }
    name->slot = slot;
    bucket = bucket_of(directory, name->code);
    name->next = *bucket;
    *bucket = name;
    return name;
}

/* ---- addresses ---- */

/* Refills the allowance. Threads read the clock before they take the lock, so `now` can be a little
 * before address->at. */
static double refill_allowance(const struct directory *directory, const struct address *address,
                               uint64_t now)
{
    double most = directory->limits.rooms_per_hour;
    uint64_t passed = now > address->at ? now - address->at : 0;
    double allowance = address->allowance + (double)passed * most / (double)HOUR;

    return allowance < most ? allowance : most;
}

/* Returns the allowance of that address. A new address replaces one whose allowance is full, or
 * else the oldest. Returns NULL when memory runs out. */
static struct address *find_address(struct directory *directory, const char *text, uint64_t now)
{
    double most = directory->limits.rooms_per_hour;
    struct address *unused = NULL;
    struct address *oldest = NULL;

    for (uint32_t i = 0; i < directory->address_count; i++) {
        struct address *address = &directory->addresses[i];
        if (strcmp(address->text, text) == 0) {
            return address;
        }
        if (refill_allowance(directory, address, now) >= most) {
            unused = address;
        }
        if (oldest == NULL || address->at < oldest->at) {
            oldest = address;
        }
    }
    if (unused == NULL && directory->address_count < ADDRESSES_MAX) {
        struct address *addresses =
            grow_array(directory->addresses, &directory->address_capacity,
                       (size_t)directory->address_count + 1, ADDRESSES_MAX, sizeof *addresses);
        if (addresses == NULL) {
            return NULL;
        }
        directory->addresses = addresses;
        unused = &directory->addresses[directory->address_count++];
    }
    unused = unused != NULL ? unused : oldest;
    if (unused == NULL) {
        return NULL; /* the table cannot hold any address */
    }
    *unused = (struct address){.allowance = most, .at = now};
    snprintf(unused->text, sizeof unused->text, "%s", text);
    return unused;
}

/* Checks that the address may create a room; if not, stores *retry_after in ms. */
static enum directory_result admit_address(struct directory *directory, const char *text,
                                           uint64_t now, struct address **found,
                                           uint32_t *retry_after)
{
    char counted[NETWORK_ADDRESS_MAX];
    network_of(text, counted);
    struct address *address = find_address(directory, counted, now);

    if (address == NULL) {
        return DIRECTORY_NO_MEMORY;
    }
    address->allowance = refill_allowance(directory, address, now);
    address->at = now > address->at ? now : address->at;
    if (address->allowance < 1.0) {
        double hours = (1.0 - address->allowance) / directory->limits.rooms_per_hour;
        *retry_after = (uint32_t)(hours * 3600e3) + 1;
        return DIRECTORY_TOO_MANY;
    }
    *found = address;
    return DIRECTORY_OK;
}

/* ---- rooms ---- */

struct directory *directory_create(const struct directory_limits *limits)
{
    struct directory *directory = calloc(1, sizeof *directory);

    if (directory == NULL) {
        return NULL;
    }
    directory->limits = *limits;
    directory->slots = calloc(directory_slots(limits), sizeof *directory->slots);
    directory->holdings = calloc(directory_slots(limits), sizeof *directory->holdings);
    if (directory->slots == NULL || directory->holdings == NULL ||
        uv_mutex_init(&directory->lock) != 0) {
        free(directory->holdings);
        free(directory->slots);
        free(directory);
        return NULL;
    }
    return directory;
}

void directory_destroy(struct directory *directory)
{
    if (directory == NULL) {
        return;
    }
    for (uint32_t bucket = 0; bucket < DIRECTORY_BUCKETS; bucket++) {
        for (struct name *name = directory->buckets[bucket]; name != NULL;) {
            struct name *next = name->next;
            free(name);
            name = next;
        }
    }
    for (uint32_t slot = 0; slot < directory_slots(&directory->limits); slot++) {
        free(directory->slots[slot]);
    }
    uv_mutex_destroy(&directory->lock);
    free(directory->addresses);
    free(directory->holdings);
    free(directory->slots);
    free(directory);
}

/* Returns the first slot without a room, which must exist. Returns NULL when memory runs out. */
static struct slot *free_slot(struct directory *directory, uint32_t *index)
{
    for (uint32_t i = 0; i < directory_slots(&directory->limits); i++) {
        if (directory->slots[i] == NULL) {
            directory->slots[i] = calloc(1, sizeof **directory->slots);
            *index = i;
            return directory->slots[i];
        }
        if (!directory->slots[i]->taken) {
            *index = i;
            return directory->slots[i];
        }
    }
    assert(false);
    return NULL;
}

/* Other threads may read the counters at the same time. */
static void clear_stats(struct room_stats *stats)
{
    _Atomic uint64_t *all[] = {&stats->people,  &stats->boids, &stats->ticks, &stats->dropped,
                               &stats->encoded, &stats->keys,  &stats->busy,  &stats->bytes};

    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        counter_set(all[i], 0);
    }
}

static enum directory_result add_room(struct directory *directory, const char *code,
                                      const struct directory_creator *creator, uint64_t now,
                                      struct directory_entry *entry)
{
    uint32_t index = 0;
    struct slot *slot = free_slot(directory, &index);
    struct name *name = slot != NULL ? add_name(directory, code, index) : NULL;

    if (name == NULL) {
        return DIRECTORY_NO_MEMORY;
    }
    slot->generation++;
    slot->taken = true;
    slot->open = false;
    slot->gives_way = false;
    slot->trusted = creator->trusted;
    slot->joined = creator->address == NULL;
    entry->creator = creator->number;
    slot->since = ++directory->moments;
    clear_stats(&slot->stats);
    counter_set(&slot->stats.used, now);
    directory->count++;
    entry->number = (uint64_t)slot->generation << 32 | (index + 1);
    memcpy(entry->code, name->code, sizeof entry->code);
    slot->entry = *entry;
    return DIRECTORY_OK;
}

/* Makes a place for the room: stores a room that gives way for it, if all places are taken. */
static enum directory_result find_place(struct directory *directory, const char *code,
                                        const struct directory_creator *creator, uint64_t now,
                                        struct slot **giving)
{
    if (code != NULL && strcmp(code, ROOM_LOBBY) == 0) {
        const struct directory_creator trusted = {.number = creator->number, .trusted = true};
        (void)directory_make_place(directory, &trusted, now, giving);
        return DIRECTORY_OK;
    }
    if (creator->arrives && !creator->trusted) {
        return directory_has_place(directory) ? DIRECTORY_OK : DIRECTORY_FULL;
    }
    if (creator->address == NULL && !creator->arrives) {
        return directory->count < directory->limits.rooms_max ? DIRECTORY_OK : DIRECTORY_FULL;
    }
    return directory_make_place(directory, creator, now, giving);
}

enum directory_result directory_add(struct directory *directory, const char *code,
                                    const struct directory_creator *creator, uint64_t now,
                                    struct directory_entry *entry, struct directory_added *added)
{
    const bool is_counted = creator->address != NULL && !creator->trusted;
    enum directory_result result;
    struct address *counted = NULL;
    struct slot *giving = NULL;

    *added = (struct directory_added){0};
    uv_mutex_lock(&directory->lock);
    wake_codes(directory, now);
    result = code != NULL && find_name(directory, code) != NULL
                 ? DIRECTORY_TAKEN
                 : find_place(directory, code, creator, now, &giving);
    if (result == DIRECTORY_OK && is_counted) {
        result = admit_address(directory, creator->address, now, &counted, &added->retry_after);
    }
    if (result == DIRECTORY_OK) {
        result = add_room(directory, code, creator, now, entry);
    }
    if (result == DIRECTORY_OK && counted != NULL) {
        counted->allowance -= 1.0;
    }
    if (result == DIRECTORY_OK && giving != NULL) {
        directory_give_way(directory, giving);
        added->gives_way = giving->entry.number;
        added->runner = giving->entry.runner;
    }
    uv_mutex_unlock(&directory->lock);
    return result;
}

/* Marks the list of rooms as changed if this room is listed. Needs the lock. */
static void note_change(struct directory *directory, const struct slot *slot)
{
    if (slot->entry.listed) {
        counter_add(&directory->version, 1);
    }
}

uint64_t directory_version(const struct directory *directory)
{
    return counter_read(&directory->version);
}

uint64_t directory_openings(const struct directory *directory)
{
    return counter_read(&directory->openings);
}

void directory_look_again(struct directory *directory)
{
    uv_mutex_lock(&directory->lock);
    counter_add(&directory->openings, 1);
    uv_mutex_unlock(&directory->lock);
}

void directory_open(struct directory *directory, const struct directory_entry *entry)
{
    struct slot *slot;

    uv_mutex_lock(&directory->lock);
    slot = directory_slot_of(directory, entry->number);
    if (slot != NULL) {
        slot->entry = *entry;
        slot->trusted |= entry->trusted;
        slot->open = true;
        note_change(directory, slot);
        counter_add(&directory->openings, 1);
    }
    uv_mutex_unlock(&directory->lock);
}

/* Removes a room; its code rests until then, 0: it does not. */
static void remove_room(struct directory *directory, uint64_t number, uint64_t until)
{
    struct slot *slot;

    uv_mutex_lock(&directory->lock);
    slot = directory_slot_of(directory, number);
    if (slot != NULL) {
        struct name *name = find_name(directory, slot->entry.code);
        assert(name != NULL);
        if (slot->open) {
            note_change(directory, slot);
        }
        if (slot->open && until > 0) {
            rest_code(directory, name, until);
        } else {
            free_name(directory, name);
        }
        slot->taken = slot->open = false;
        directory->count -= !slot->gives_way;
        directory->giving -= slot->gives_way;
    }
    uv_mutex_unlock(&directory->lock);
}

void directory_remove(struct directory *directory, uint64_t number, uint64_t now)
{
    remove_room(directory, number, now + DIRECTORY_CODE_REST);
}

void directory_release(struct directory *directory, uint64_t number)
{
    remove_room(directory, number, 0);
}

void directory_update(struct directory *directory, uint64_t number, const struct room_facts *facts)
{
    struct slot *slot;

    uv_mutex_lock(&directory->lock);
    slot = directory_slot_of(directory, number);
    if (slot != NULL) {
        struct directory_entry *entry = &slot->entry;
        strncpy(entry->title, facts->title, sizeof entry->title - 1);
        entry->model = facts->model;
        entry->preset = facts->preset;
        entry->locked = facts->locked;
        entry->key_made = facts->key_made;
        snprintf(entry->key, sizeof entry->key, "%s", facts->key);
        if (entry->people > 0 && facts->people == 0) {
            slot->since = ++directory->moments;
        }
        slot->joined |= facts->people > 0;
        entry->people = facts->people;
        entry->boids = facts->boids;
        note_change(directory, slot);
    }
    uv_mutex_unlock(&directory->lock);
}

void directory_list_room(struct directory *directory, uint64_t number, bool listed)
{
    struct slot *slot;

    uv_mutex_lock(&directory->lock);
    slot = directory_slot_of(directory, number);
    if (slot != NULL) {
        slot->entry.listed |= listed; /* changed if it was listed before or after */
        note_change(directory, slot);
        slot->entry.listed = listed;
    }
    uv_mutex_unlock(&directory->lock);
}

bool directory_find(struct directory *directory, const char *code, struct directory_entry *entry)
{
    const struct name *name;
    bool found;

    uv_mutex_lock(&directory->lock);
    name = find_name(directory, code);
    found = name != NULL && name->slot != DIRECTORY_NO_SLOT && directory->slots[name->slot]->open;
    if (found) {
        *entry = directory->slots[name->slot]->entry;
    }
    uv_mutex_unlock(&directory->lock);
    return found;
}

void directory_rest(struct directory *directory, const char *code, uint64_t until)
{
    struct name *name = NULL;

    uv_mutex_lock(&directory->lock);
    if (find_name(directory, code) == NULL) {
        name = add_name(directory, code, DIRECTORY_NO_SLOT);
    }
    if (name != NULL) {
        rest_code(directory, name, until);
    }
    uv_mutex_unlock(&directory->lock);
}

bool directory_runner(struct directory *directory, uint64_t number, uint32_t *runner)
{
    const struct slot *slot;

    uv_mutex_lock(&directory->lock);
    slot = directory_slot_of(directory, number);
    if (slot != NULL) {
        *runner = slot->entry.runner;
    }
    uv_mutex_unlock(&directory->lock);
    return slot != NULL;
}

uint32_t directory_read(struct directory *directory, bool listed_only, uint32_t *next,
                        struct directory_entry *entries, uint32_t max)
{
    uint32_t count = 0;

    uv_mutex_lock(&directory->lock);
    for (; *next < directory_slots(&directory->limits) && count < max; (*next)++) {
        const struct slot *slot = directory->slots[*next];
        if (slot == NULL) {
            *next = directory_slots(
                &directory->limits); /* slots are allocated in order: no more follow */
            break;
        }
        if (slot->open && (slot->entry.listed || !listed_only)) {
            entries[count++] = slot->entry;
        }
    }
    uv_mutex_unlock(&directory->lock);
    return count;
}

uint32_t directory_count(struct directory *directory)
{
    uint32_t count;

    uv_mutex_lock(&directory->lock);
    count = directory->count;
    uv_mutex_unlock(&directory->lock);
    return count;
}

struct room_stats *directory_stats(struct directory *directory, uint32_t slot)
{
    struct room_stats *stats;

    uv_mutex_lock(&directory->lock);
    stats = directory->slots[slot] != NULL ? &directory->slots[slot]->stats : NULL;
    uv_mutex_unlock(&directory->lock);
    return stats;
}
