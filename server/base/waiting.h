/* The hellos of one address that wait in line for a try of their keys: see tries.h. Hellos with the
 * same keys are a group, and one try answers all of it.
 *
 * A group's credit is the time that its hellos have waited, all together. The group with the most
 * credit is first, of equal ones the oldest. So a class, which has one key, soon passes the many
 * keys of a guesser. A guesser who fills groups with many hellos each passes a class only as often
 * as these hellos have waited as long as the class has. Every group's credit grows, so each is
 * first at last.
 *
 * Pure: times are passed in, as µs that may step back a little. Its owner guards it with a lock. */
#ifndef WAITING_H
#define WAITING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define WAITING_MAX 65536u /* groups: more than a server has guests */

struct waiting_group {
    uint64_t keys;   /* see tries_keys() */
    uint64_t number; /* groups that began earlier have smaller ones */
    uint64_t credit; /* µs, at the time `at` */
    uint64_t at;
    uint32_t count; /* hellos, at least 1 */
    uint32_t known; /* of these, hellos that need no try: their keys were compared */
};

/* All zero: no hello waits. */
struct waiting {
    struct waiting_group *groups; /* in the order of their keys */
    size_t capacity;
    uint32_t group_count;
    uint64_t begun; /* groups so far */
    bool has_first; /* `first` is known … */
    uint64_t first; /* … and has the keys of the group that has the next try */
};

/* Frees the memory. */
void waiting_finish(struct waiting *waiting);

/* Returns NULL without such a group. The pointer is valid until a hello enters or leaves. */
struct waiting_group *waiting_find(const struct waiting *waiting, uint64_t keys);

/* Adds a hello. Returns its group, or NULL when memory runs out. */
struct waiting_group *waiting_enter(struct waiting *waiting, uint64_t keys, uint64_t now);

/* Removes a hello from the group, and the group with its last one. The group keeps the credit. */
void waiting_leave(struct waiting *waiting, struct waiting_group *group, uint64_t now);

/* Notes that the keys of a group are being compared: its other hellos need no try, and later
 * hellos begin without credit. */
void waiting_answer(struct waiting *waiting, uint64_t keys, uint64_t now);

/* Returns the group's credit, in µs. */
uint64_t waiting_credit(const struct waiting_group *group, uint64_t now);

/* Returns how many groups have their tries before this one. Takes time in proportion to all groups.
 */
uint32_t waiting_before(const struct waiting *waiting, const struct waiting_group *group,
                        uint64_t now);

/* Returns whether the group has the next try. The answer stands until that group has its try or has
 * left, so asking is cheap. */
bool waiting_is_first(struct waiting *waiting, const struct waiting_group *group, uint64_t now);

#endif
