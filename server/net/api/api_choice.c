#include "net/api/api_choice.h"

#include <stdlib.h>

#include "base/grow.h"

#define READ_SIZE   64u
#define CREATED_MAX UINT32_MAX

/* The listed rooms of a creator. */
struct share {
    uint64_t creator;
    uint32_t rooms, taken;
};

struct shares {
    struct share *all; /* in ascending order of `creator` */
    uint32_t count;
    uint32_t of_server; /* rooms of the server that the list takes */
    uint32_t level;     /* rooms that it takes of each creator */
    uint32_t more;      /* creators of whom it takes one more: the first that have one */
};

static int compare_shares(const void *a, const void *b)
{
    const uint64_t of_a = ((const struct share *)a)->creator;
    const uint64_t of_b = ((const struct share *)b)->creator;

    return (of_a > of_b) - (of_a < of_b);
}

static int compare_picks(const void *a, const void *b)
{
    const uint64_t of_a = ((const struct api_pick *)a)->order;
    const uint64_t of_b = ((const struct api_pick *)b)->order;

    return (of_a > of_b) - (of_a < of_b);
}

/* Adds up the shares of each creator. */
static void merge_shares(struct shares *shares)
{
    uint32_t merged = 0;

    if (shares->count > 0) {
        qsort(shares->all, shares->count, sizeof *shares->all, compare_shares);
    }
    for (uint32_t i = 0; i < shares->count; i++) {
        if (merged > 0 && shares->all[merged - 1].creator == shares->all[i].creator) {
            shares->all[merged - 1].rooms++;
        } else {
            shares->all[merged++] = shares->all[i];
        }
    }
    shares->count = merged;
}

/* Returns how many rooms the creators have, if each has no more than `level`. */
static uint64_t rooms_below(const struct shares *shares, uint32_t level)
{
    uint64_t rooms = 0;

    for (uint32_t i = 0; i < shares->count; i++) {
        rooms += shares->all[i].rooms < level ? shares->all[i].rooms : level;
    }
    return rooms;
}

/* Divides the places that the server's rooms leave. */
static void divide(struct shares *shares)
{
    const uint32_t left = API_CHOICE_MAX - shares->of_server;
    uint32_t most = API_CHOICE_MAX;

    while (shares->level < most) {
        const uint32_t middle = (shares->level + most + 1) / 2;
        if (rooms_below(shares, middle) <= left) {
            shares->level = middle;
        } else {
            most = middle - 1;
        }
    }
    shares->more = left - (uint32_t)rooms_below(shares, shares->level);
}

static bool count_rooms(const struct api_source *source, struct shares *shares, uint32_t *listed)
{
    struct directory_entry entries[READ_SIZE];
    size_t capacity = 0;
    uint32_t next = 0;
    uint32_t read;

    while ((read = api_source_read(source, &next, entries, READ_SIZE)) > 0) {
        struct share *all = grow_array(shares->all, &capacity, (size_t)shares->count + read,
                                       CREATED_MAX, sizeof *all);
        if (all == NULL) {
            return false;
        }
        shares->all = all;
        *listed += read;
        for (uint32_t i = 0; i < read; i++) {
            if (!entries[i].by_server) {
                all[shares->count++] = (struct share){.creator = entries[i].creator, .rooms = 1};
            } else if (shares->of_server < API_CHOICE_MAX) {
                shares->of_server++;
            }
        }
    }
    merge_shares(shares);
    divide(shares);
    return true;
}

/* Returns whether the list takes the room, and stores its turn: 0 for the server's rooms, 1 for the
 * first room of a creator, and so on. */
static bool take(struct shares *shares, const struct directory_entry *entry, uint32_t *turn)
{
    const struct share key = {.creator = entry->creator};
    struct share *share;

    *turn = 0;
    if (entry->by_server) {
        return shares->of_server > 0 && shares->of_server-- > 0;
    }
    share = shares->count > 0
                ? bsearch(&key, shares->all, shares->count, sizeof key, compare_shares)
                : NULL;
    if (share == NULL || share->taken > shares->level ||
        (share->taken == shares->level && shares->more == 0)) {
        return false; /* without a share, the room was made since the rooms were counted */
    }
    shares->more -= share->taken == shares->level;
    *turn = ++share->taken;
    return true;
}

static void pick_rooms(const struct api_source *source, struct shares *shares,
                       struct api_choice *choice)
{
    struct directory_entry entries[READ_SIZE];
    uint32_t seen = 0;
    uint32_t next = 0;
    uint32_t read;
    uint32_t turn;

    while (choice->count < API_CHOICE_MAX &&
           (read = api_source_read(source, &next, entries, READ_SIZE)) > 0) {
        for (uint32_t i = 0; i < read && choice->count < API_CHOICE_MAX; i++, seen++) {
            if (take(shares, &entries[i], &turn)) {
                choice->picks[choice->count++] =
                    (struct api_pick){.order = (uint64_t)turn << 32 | seen, .entry = entries[i]};
            }
        }
    }
    qsort(choice->picks, choice->count, sizeof *choice->picks, compare_picks);
}

bool api_choice_make(const struct api_source *source, struct api_choice *choice)
{
    struct shares shares = {0};

    *choice = (struct api_choice){.picks = malloc(API_CHOICE_MAX * sizeof *choice->picks)};
    if (choice->picks == NULL || !count_rooms(source, &shares, &choice->listed)) {
        free(shares.all);
        api_choice_free(choice);
        return false;
    }
    pick_rooms(source, &shares, choice);
    free(shares.all);
    return true;
}

void api_choice_free(struct api_choice *choice)
{
    free(choice->picks);
    *choice = (struct api_choice){0};
}
