/* The bytes that rooms may take together, as a tree: the root is the total; below it is a budget
 * for each creator of rooms, with a share (base/share.h), and below that one for each room. The
 * bytes of a room are counted in all three. A room takes bytes for its past, and discards its
 * oldest part if none are left. Its other bytes are counted later, and leave less
 * for pasts.
 *
 * Lent bytes are counted apart: of a copy for a download or the store, which must not fail for a
 * limit. They leave less for the past of their room, until the reader has ended. While they are
 * more than half of a limit, no download begins.
 *
 * Reference-counted if history_budget_create() or history_budget_below() made it; any thread. */
#ifndef HISTORY_BUDGET_H
#define HISTORY_BUDGET_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct history_budget {
    _Atomic uint64_t bytes;
    uint64_t bytes_max;            /* 0 below the root: no limit of its own */
    struct history_budget *parent; /* held; NULL: this is the root */
    bool trusted;                  /* it is the one of trusted creators */
    _Atomic uint64_t of_trusted;   /* of the root's bytes, and of those beside */
    _Atomic uint64_t beside;       /* bytes that rooms have beside their pasts */
    _Atomic uint64_t lent;         /* bytes that only downloads and the store still read */
    _Atomic uint64_t most;         /* of the root: see history_budget_peak() */
    atomic_uint holders;           /* 0: neither function made it */
};

/* Return NULL when memory runs out. The last release frees the budget; hold and release take NULL.
 */
struct history_budget *history_budget_create(uint64_t bytes_max);
struct history_budget *history_budget_below(struct history_budget *parent, uint64_t bytes_max,
                                            bool trusted);
struct history_budget *history_budget_hold(struct history_budget *budget);
void history_budget_release(struct history_budget *budget);

/* Takes that many bytes; a NULL budget has any number. Returns false, with nothing taken, if fewer
 * are left. */
bool history_budget_take(struct history_budget *budget, size_t bytes);
void history_budget_give(struct history_budget *budget, size_t bytes);

/* Returns true if all limits have that many bytes left. */
bool history_budget_fits(const struct history_budget *budget, size_t bytes);

/* Returns the bytes that are taken, and those beside. */
uint64_t history_budget_taken(const struct history_budget *budget);

/* Returns all bytes in memory, including lent bytes. */
uint64_t history_budget_used(const struct history_budget *budget);

/* Returns the most bytes that were in memory at a time since the last call. The budget has no
 * parent. */
uint64_t history_budget_peak(struct history_budget *budget);

/* Returns how many bytes the budget itself may have: its limit, or its share. */
uint64_t history_budget_limit(const struct history_budget *budget);

/* Takes bytes beyond all limits. */
void history_budget_force(struct history_budget *budget, size_t bytes);

/* Count bytes as lent, and no longer. */
void history_budget_lend(struct history_budget *budget, size_t bytes);
void history_budget_return(struct history_budget *budget, size_t bytes);

/* Returns the option of flockd with a limit of which more than half is lent: that of a room, or the
 * share of its untrusted creator, or for such a creator that of all rooms. NULL: a download of the
 * room may begin. */
const char *history_budget_lent_option(const struct history_budget *budget);

/* Sets the bytes that a room has beside its past. Returns false if they exceed its limit without
 * any past, or if all rooms of an untrusted creator exceed its share. */
bool history_budget_set_beside(struct history_budget *budget, uint64_t bytes);

/* Whether the bytes beside the past exceed the room's own limit. */
bool history_budget_is_exceeded(const struct history_budget *budget);

/* Whether a room's own limit has fewer bytes left. */
bool history_budget_is_own(const struct history_budget *budget, size_t bytes);

/* Returns the option of flockd whose limit has fewer bytes left: for a refusal. */
const char *history_budget_option(struct history_budget *budget, size_t bytes);

/* Whether a keyframe of that many bytes leaves half of all bytes to the pasts of other rooms. */
bool history_budget_has_half(struct history_budget *budget, size_t bytes);

/* Returns how many bytes the keyframes of one scene may take. */
uint64_t history_budget_keyframes(const struct history_budget *budget);

#endif
