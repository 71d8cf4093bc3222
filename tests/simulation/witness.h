/* A record of a cluster's rooms, for the checks of its lives: which node ticks a room, what the
 * room shows at each tick, and what it saves and loads. */
#ifndef WITNESS_H
#define WITNESS_H

#include "check.h"

struct room_origin;
struct routes;

void witness_begin(void);
void witness_end(void);

/* Whether a life of a cluster runs: check.c then passes the calls of rooms on. */
bool witness_looks(void);

/* The process of the running thread's group is gone, or another one has begun: what its rooms do
 * has no effect, or has one again. */
void witness_kill(uint32_t group);
void witness_start(uint32_t group, struct routes *routes);

void witness_tick(const struct room *room);
void witness_snapshot(const struct room *room);
void witness_save(const struct room *room, const uint8_t *state, size_t size);
/* The owner of the room has written a checkpoint with that state, and NATS has taken it. */
void witness_stored(const char *code, const uint8_t *state, size_t size);

void witness_load(const struct room *room, const struct room_origin *origin);

/* A picture that a visitor sees in a room, of that instance of its server. Checks that it is the
 * room's, and returns the epoch in which the room showed it. */
uint64_t witness_picture(const struct picture *picture, uint64_t instance, uint64_t tick);

/* A presenter has given the room a title with that number, and the room of that epoch has
 * acknowledged it. */
void witness_title(const char *code, uint32_t number, uint64_t epoch);

/* Whether the room has ticked within that time (ns). */
bool witness_ticks(const char *code, uint64_t time);

#endif
