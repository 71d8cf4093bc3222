/* Shares of the places for rooms, and rooms that give way. */
#include <stdlib.h>
#include <string.h>

#include "base/counter.h"
#include "hub/directory_slots.h"

/* The rooms that are counted, without the lobby. */
#define FIRST_TIME UINT64_C(15000000) /* µs in which a first client may come to a new room */

struct tally {
    uint32_t trusted, mine, others;
    uint32_t unjoined; /* of the others: rooms without a first member */
    bool lobby;        /* it is here */
};

static struct slot *slot_at(const struct directory *directory, uint32_t index)
{
    struct slot *slot = directory->slots[index];

    return slot != NULL && slot->taken && !slot->gives_way ? slot : NULL;
}

static bool is_lobby(const struct slot *slot)
{
    return strcmp(slot->entry.code, ROOM_LOBBY) == 0;
}

static bool is_empty(const struct slot *slot)
{
    return slot->open && slot->entry.people == 0 && !slot->trusted && !is_lobby(slot);
}

bool directory_is_unused(const struct directory *directory, const struct room_stats *stats,
                         uint32_t people, uint64_t now)
{
    const uint64_t used = counter_read(&stats->used);
    const uint64_t patience =
        directory->limits.unused * (people < DIRECTORY_CLASS ? people : DIRECTORY_CLASS);

    return patience > 0 && now >= used && now - used >= patience;
}

/* Whether people are in the room and do not use it. */
static bool is_unused(const struct directory *directory, const struct slot *slot, uint64_t now)
{
    return slot->open && slot->entry.people > 0 && !slot->trusted && !is_lobby(slot) &&
           directory_is_unused(directory, &slot->stats, slot->entry.people, now);
}

static struct tally count_rooms(const struct directory *directory, uint64_t creator)
{
    struct tally tally = {0};

    for (uint32_t i = 0; i < directory_slots(&directory->limits); i++) {
        const struct slot *slot = slot_at(directory, i);
        tally.lobby |= slot != NULL && is_lobby(slot);
        if (slot == NULL || is_lobby(slot)) {
            continue;
        }
        tally.trusted += slot->trusted;
        tally.mine += !slot->trusted && slot->entry.creator == creator;
        tally.others += !slot->trusted && slot->entry.creator != creator;
        tally.unjoined += is_empty(slot) && !slot->joined && slot->entry.creator != creator;
    }
    return tally;
}

/* Returns how much of it the room has. */
static uint64_t amount_of(const struct slot *slot, enum directory_amount what)
{
    switch (what) {
    case DIRECTORY_BOIDS:
        return slot->entry.boids;
    case DIRECTORY_BYTES:
        return counter_read(&slot->stats.bytes);
    case DIRECTORY_ROOMS:
        break;
    }
    return 1;
}

static int compare_creators(const void *a, const void *b)
{
    const uint64_t of_a = ((const struct holding *)a)->creator;
    const uint64_t of_b = ((const struct holding *)b)->creator;

    return (of_a > of_b) - (of_a < of_b);
}

/* Adds up the holdings of each creator. Returns the number of creators. */
static uint32_t merge_holdings(struct holding *holdings, uint32_t count)
{
    uint32_t merged = 0;

    for (uint32_t i = 0; i < count; i++) {
        if (merged > 0 && holdings[merged - 1].creator == holdings[i].creator) {
            holdings[merged - 1].amount += holdings[i].amount;
        } else {
            holdings[merged++] = holdings[i];
        }
    }
    return merged;
}

/* Stores what all counted rooms have that are not trusted, by creator. Returns the number of
 * creators. */
static uint32_t list_holdings(const struct directory *directory, enum directory_amount what)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < directory_slots(&directory->limits); i++) {
        const struct slot *slot = slot_at(directory, i);
        if (slot != NULL && !slot->trusted && !is_lobby(slot) && slot->entry.creator != 0) {
            directory->holdings[count++] =
                (struct holding){.creator = slot->entry.creator, .amount = amount_of(slot, what)};
        }
    }
    qsort(directory->holdings, count, sizeof *directory->holdings, compare_creators);
    return merge_holdings(directory->holdings, count);
}

static uint64_t holding_of(const struct directory *directory, uint32_t count, uint64_t creator)
{
    const struct holding key = {.creator = creator};
    const struct holding *found =
        bsearch(&key, directory->holdings, count, sizeof key, compare_creators);

    return found != NULL ? found->amount : 0;
}

/* Returns the oldest room without people, of rooms that no client ever joined if there are some. A
 * stranger's need gets only rooms that no client ever joined and that have this age, of other
 * creators who have `least` rooms or more. Returns NULL if no room can give way. */
static struct slot *find_giving(const struct directory *directory,
                                const struct directory_need *need, uint32_t least, uint64_t age)
{
    const uint32_t count = least > 1 ? list_holdings(directory, DIRECTORY_ROOMS) : 0;
    struct slot *found = NULL;

    for (uint32_t i = 0; i < directory_slots(&directory->limits); i++) {
        struct slot *slot = slot_at(directory, i);
        if (slot == NULL || !is_empty(slot) || amount_of(slot, need->what) == 0 ||
            (!need->trusted && (slot->joined || slot->entry.creator == need->creator ||
                                need->now < counter_read(&slot->stats.used) + age)) ||
            (least > 1 && holding_of(directory, count, slot->entry.creator) < least)) {
            continue;
        }
        if (found == NULL || slot->joined < found->joined ||
            (slot->joined == found->joined && slot->since < found->since)) {
            found = slot;
        }
    }
    return found;
}

/* Returns the room that has been without people for longest, or with `people` the room that people
 * have not used for longest, of the creator who has most among the creators of such rooms. Without
 * that room, its creator must still have as much as the newcomer. Returns NULL if there is none. */
static struct slot *find_of_most(const struct directory *directory,
                                 const struct directory_need *need, bool people)
{
    const uint32_t count = list_holdings(directory, need->what);
    struct slot *found = NULL;
    uint64_t most = 0;
    uint64_t first = 0;

    if (people && holding_of(directory, count, need->creator) > 0) {
        return NULL;
    }
    for (uint32_t i = 0; i < directory_slots(&directory->limits); i++) {
        struct slot *slot = slot_at(directory, i);
        if (slot == NULL || slot->entry.creator == 0 ||
            !(people ? is_unused(directory, slot, need->now) : is_empty(slot))) {
            continue;
        }
        const uint64_t amount = amount_of(slot, need->what);
        const uint64_t has = holding_of(directory, count, slot->entry.creator);
        const uint64_t since = people ? counter_read(&slot->stats.used) : slot->since;
        if (amount > 0 && has >= need->mine + amount &&
            (found == NULL || has > most || (has == most && since < first))) {
            most = has;
            first = since;
            found = slot;
        }
    }
    return found;
}

/* Returns the room that gives way for a place. A creator's only room that waits for its first
 * client goes before rooms with people if it is not new, else last. */
static struct slot *find_yielding(const struct directory *directory,
                                  const struct directory_need *need, bool has_share)
{
    struct slot *found = NULL;

    if (need->trusted) {
        return find_giving(directory, need, 1, 0);
    }
    found = has_share ? find_giving(directory, need, 2, 0) : NULL;
    found = found != NULL ? found : find_of_most(directory, need, false);
    found = found != NULL || !has_share ? found : find_giving(directory, need, 1, FIRST_TIME);
    found = found != NULL ? found : find_of_most(directory, need, true);
    return found != NULL || !has_share ? found : find_giving(directory, need, 1, 0);
}

/* Returns how many rooms there may be; for an untrusted creator, without the unused part of the
 * reserve, and without the lobby's place while the lobby is elsewhere. */
static uint32_t count_places(const struct directory *directory, const struct tally *tally,
                             bool trusted)
{
    const uint32_t most = directory->limits.rooms_max;
    const uint32_t reserve = most / DIRECTORY_RESERVE;
    const uint32_t unused = tally->trusted < reserve ? reserve - tally->trusted : 0;

    return trusted ? most : most - unused - !tally->lobby;
}

bool directory_has_place(const struct directory *directory)
{
    const struct tally tally = count_rooms(directory, 0);

    return directory->count < count_places(directory, &tally, false);
}

enum directory_result directory_make_place(struct directory *directory,
                                           const struct directory_creator *creator, uint64_t now,
                                           struct slot **giving)
{
    const struct directory_limits *limits = &directory->limits;
    const struct tally tally = count_rooms(directory, creator->number);
    const bool trusted = creator->trusted;
    const struct directory_need need = {.what = DIRECTORY_ROOMS,
                                        .creator = creator->number,
                                        .trusted = trusted,
                                        .mine = tally.mine + 1,
                                        .now = now};
    const uint32_t places = count_places(directory, &tally, trusted);
    /* The lobby is counted; rooms that would give way are not. */
    const uint32_t taken = directory->count - tally.mine - tally.unjoined;
    const uint32_t left = taken < places ? places - taken : 0;
    const bool has_share = trusted || tally.mine < (left + 1) / 2;

    *giving = NULL;
    if (directory->count < places) {
        return has_share ? DIRECTORY_OK : DIRECTORY_SHARE;
    }
    if (directory->giving < DIRECTORY_GIVING &&
        directory->count + directory->giving < limits->rooms_max + DIRECTORY_GIVING) {
        *giving = find_yielding(directory, &need, has_share);
    }
    if (*giving != NULL) {
        return DIRECTORY_OK;
    }
    return has_share || tally.unjoined == 0 ? DIRECTORY_FULL : DIRECTORY_SHARE;
}

void directory_give_way(struct directory *directory, struct slot *slot)
{
    slot->gives_way = true;
    directory->count--;
    directory->giving++;
}

static void stay(struct directory *directory, struct slot *slot)
{
    if (slot != NULL && slot->gives_way) {
        slot->gives_way = false;
        directory->count++;
        directory->giving--;
    }
}

void directory_stay(struct directory *directory, uint64_t number)
{
    uv_mutex_lock(&directory->lock);
    stay(directory, directory_slot_of(directory, number));
    uv_mutex_unlock(&directory->lock);
}

static struct slot *find_way(const struct directory *directory, const struct directory_need *need)
{
    return need->trusted ? find_giving(directory, need, 1, 0)
                         : find_of_most(directory, need, false);
}

bool directory_make_way(struct directory *directory, const struct directory_need *need,
                        struct directory_way *way)
{
    struct slot *slots[DIRECTORY_WAY] = {NULL};
    uint64_t freed = 0;

    way->count = 0;
    uv_mutex_lock(&directory->lock);
    while (freed < need->amount && way->count < DIRECTORY_WAY &&
           directory->giving < DIRECTORY_GIVING) {
        struct slot *slot = find_way(directory, need);
        if (slot == NULL) {
            break;
        }
        freed += amount_of(slot, need->what);
        way->rooms[way->count] = slot->entry.number;
        way->runners[way->count] = slot->entry.runner;
        slots[way->count++] = slot;
        directory_give_way(directory, slot);
    }
    while (freed < need->amount && way->count > 0) {
        stay(directory, slots[--way->count]);
    }
    uv_mutex_unlock(&directory->lock);
    return way->count > 0;
}
