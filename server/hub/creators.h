/* The creators of rooms, with the boids and the bytes of pasts of each. A creator is an address
 * (one IPv6 network counts as one), or all clients with the server's key together, with the server
 * itself. All rooms whose creator is not known have one creator, too. Any thread. */
#ifndef CREATORS_H
#define CREATORS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "past/history_budget.h"
#include "scene/scene.h"

struct creators;

struct creator {
    struct creators *creators;
    struct creator *next;
    uint64_t number; /* see creators_number(); of the trusted creators 0, too */
    unsigned holders;
    struct boid_budget boids;
    struct history_budget *pasts;
};

#define CREATORS_SECRET 32u /* bytes */

/* The totals must outlive it. secret: CREATORS_SECRET bytes, from which the numbers of addresses
 * are made: with another secret an address has another number. Returns NULL when memory runs out;
 * destroy takes NULL, and must be called when all rooms are freed. */
struct creators *creators_create(struct boid_budget *boids, struct history_budget *pasts,
                                 const uint8_t *secret);
void creators_destroy(struct creators *creators);

/* Returns the number of an address, as text: 1 to 2^63 - 1. The same address has the same number
 * after a restart. NULL: 0, as when memory runs out. */
uint64_t creators_number(const struct creators *creators, const char *address);

/* Returns the creator of that number, or the trusted creators. The creator stays until
 * creator_release() and until it has nothing left. Returns NULL when memory runs out. */
struct creator *creators_hold(struct creators *creators, uint64_t number, bool trusted);

/* Holds a held one once more. */
struct creator *creators_again(struct creator *creator);

/* Takes NULL. */
void creator_release(struct creator *creator);

#endif
