#include "room/forget.h"

#include <assert.h>

#include "room/apply.h"
#include "room/state.h"

#define BUCKETS (2 * PEOPLE_AWAY_MAX) /* of a hash table that is at most half full */

_Static_assert((BUCKETS & (BUCKETS - 1)) == 0, "a mask finds the bucket");

/* How many people of each address are away, by a hash of the address. */
struct addresses {
    struct address {
        uint64_t origin; /* see tries_origin(); 0: free */
        uint32_t people;
    } buckets[BUCKETS];
};

static struct address *find_address(struct addresses *addresses, uint64_t origin)
{
    uint32_t i = (uint32_t)(origin >> 32) & (BUCKETS - 1);

    while (addresses->buckets[i].origin != 0 && addresses->buckets[i].origin != origin) {
        i = (i + 1) & (BUCKETS - 1);
    }
    return &addresses->buckets[i];
}

/* A room forgets people of the lowest rank first. */
enum rank { RANK_VIEWER, RANK_EXPELLED, RANK_PRESENTER, RANKS };

static enum rank rank_of(const struct room *room, const struct person *person)
{
    if (person->expelled) {
        return RANK_EXPELLED;
    }
    return person->role == PROTO_PRESENTER && !room->definition.open_controls ? RANK_PRESENTER
                                                                              : RANK_VIEWER;
}

static enum rank lowest_rank(const struct room *room)
{
    const struct people *people = room_people(room);
    enum rank lowest = RANKS;

    for (uint32_t slot = people->away_first; slot != PEOPLE_NONE && lowest != RANK_VIEWER;
         slot = people->slots[slot].next) {
        const enum rank rank = rank_of(room, &people->slots[slot]);
        lowest = rank < lowest ? rank : lowest;
    }
    return lowest;
}

/* Someone who may be forgotten. */
struct candidate {
    uint32_t slot;
    const struct address *address;
};

/* Lists the people away with that rank, in the order in which they left, and counts them by
 * address. Returns how many. In a room that was saved, an address may be unknown: it has one
 * person. */
static uint32_t list_candidates(const struct room *room, enum rank rank,
                                struct addresses *addresses, struct candidate out[PEOPLE_AWAY_MAX])
{
    static const struct address unknown = {.people = 1};
    const struct people *people = room_people(room);
    uint32_t count = 0;

    for (uint32_t slot = people->away_first; slot != PEOPLE_NONE; slot = people->slots[slot].next) {
        const uint64_t origin = room->members[slot].origin;
        struct address *address = origin != 0 ? find_address(addresses, origin) : NULL;
        if (rank_of(room, &people->slots[slot]) != rank) {
            continue;
        }
        if (address != NULL) {
            address->origin = origin;
            address->people++;
        }
        assert(count < PEOPLE_AWAY_MAX);
        out[count++] = (struct candidate){slot, address != NULL ? address : &unknown};
    }
    return count;
}

static bool has_steered(const struct room *room, uint32_t slot)
{
    return room_person_at(room, slot)->cursor.moved_at > 0;
}

/* Returns the slot of the person to forget. */
static uint32_t choose(const struct room *room)
{
    struct addresses addresses = {0};
    struct candidate candidates[PEOPLE_AWAY_MAX];
    const uint32_t count = list_candidates(room, lowest_rank(room), &addresses, candidates);
    const struct candidate *chosen = &candidates[0];

    assert(count > 0);
    for (uint32_t i = 1; i < count; i++) {
        const struct candidate *other = &candidates[i];
        const uint32_t most = chosen->address->people;
        const bool same = other->address == chosen->address && most > 1;
        if (other->address->people > most ||
            (same && has_steered(room, chosen->slot) && !has_steered(room, other->slot))) {
            chosen = other;
        }
    }
    return chosen->slot;
}

void forget_before_leave(struct room *room, uint64_t time)
{
    const struct people *people = room_people(room);

    if (people->away_count < PEOPLE_AWAY_MAX ||
        time > people->slots[people->away_first].left_at + PEOPLE_AWAY_TIME) {
        return; /* there is space, or the scene will make some */
    }
    apply_surely(room, &(struct input){.type = INPUT_FORGET, .slot = choose(room)});
}
