#include "room/forget.h"

#include <assert.h>

#include "room/apply.h"
#include "room/presenters.h"
#include "room/state.h"

#define BUCKETS (2 * PEOPLE_AWAY_MAX) /* of a hash table that is at most half full */

_Static_assert((BUCKETS & (BUCKETS - 1)) == 0, "a mask finds the bucket");

/* The addresses of people away, by a hash of the address. */
struct addresses {
    struct address {
        uint64_t origin; /* see tries_origin(); 0: free */
        uint32_t people; /* away, of the rank that the room forgets */
        bool presents;   /* has a presenter, here or away */
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
enum rank { RANK_VIEWER, RANK_CLASS, RANK_EXPELLED, RANK_PRESENTER };

/* Someone who is away. */
struct candidate {
    uint32_t slot;
    enum rank rank;
    struct address *address; /* NULL: unknown, in a room that was saved */
};

/* Returns the rank of a person at an address without a presenter. */
static enum rank rank_of(const struct room *room, const struct person *person)
{
    if (person->expelled) {
        return RANK_EXPELLED;
    }
    return person->role == PROTO_PRESENTER && !room->definition.open_controls ? RANK_PRESENTER
                                                                              : RANK_VIEWER;
}

/* Lists the people away in the order in which they left. Returns how many. */
static uint32_t list_candidates(const struct room *room, struct addresses *addresses,
                                struct candidate out[PEOPLE_AWAY_MAX])
{
    const struct people *people = room_people(room);
    uint32_t count = 0;

    for (uint32_t slot = people->away_first; slot != PEOPLE_NONE; slot = people->slots[slot].next) {
        const uint64_t origin = room->members[slot].origin;
        struct address *address = origin != 0 ? find_address(addresses, origin) : NULL;
        if (address != NULL) {
            address->origin = origin;
            address->presents |= presenters_has(room, slot);
        }
        assert(count < PEOPLE_AWAY_MAX);
        out[count++] = (struct candidate){slot, rank_of(room, &people->slots[slot]), address};
    }
    return count;
}

static void mark_presenters(const struct room *room, struct addresses *addresses)
{
    uint32_t next = 0, slot;

    while ((slot = presenters_each(room, &next)) != PEOPLE_NONE) {
        const uint64_t origin = room->members[slot].origin;
        if (origin != 0) {
            struct address *address = find_address(addresses, origin);
            address->presents |= address->origin == origin; /* else no one of it is away */
        }
    }
}

static bool is_of_class(const struct candidate *candidate)
{
    return candidate->rank == RANK_VIEWER && candidate->address != NULL &&
           candidate->address->presents;
}

/* Gives viewers at the addresses of presenters their rank, unless too many are away. */
static void rank_class(struct candidate *candidates, uint32_t count)
{
    uint32_t class = 0;

    for (uint32_t i = 0; i < count; i++) {
        class += is_of_class(&candidates[i]);
    }
    for (uint32_t i = 0; i < count && class <= FORGET_CLASS; i++) {
        candidates[i].rank = is_of_class(&candidates[i]) ? RANK_CLASS : candidates[i].rank;
    }
}

/* Leaves only the candidates of the lowest rank, and counts them by address. Returns how many. */
static uint32_t keep_lowest(struct candidate *candidates, uint32_t count)
{
    enum rank lowest = RANK_PRESENTER;
    uint32_t left = 0;

    for (uint32_t i = 0; i < count; i++) {
        lowest = candidates[i].rank < lowest ? candidates[i].rank : lowest;
    }
    for (uint32_t i = 0; i < count; i++) {
        if (candidates[i].rank == lowest) {
            candidates[left++] = candidates[i];
            if (candidates[i].address != NULL) {
                candidates[i].address->people++;
            }
        }
    }
    return left;
}

/* Returns how many candidates have the address; an unknown one has one. */
static uint32_t people_at(const struct address *address)
{
    return address != NULL ? address->people : 1;
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
    uint32_t count = list_candidates(room, &addresses, candidates);
    const struct candidate *chosen = &candidates[0];

    mark_presenters(room, &addresses);
    rank_class(candidates, count);
    count = keep_lowest(candidates, count);
    assert(count > 0);
    for (uint32_t i = 1; i < count; i++) {
        const struct candidate *other = &candidates[i];
        const uint32_t most = people_at(chosen->address);
        const bool same = other->address == chosen->address && most > 1;
        if (people_at(other->address) > most ||
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
