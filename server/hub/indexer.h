/* Makes the keyframes of films that rooms play, one film after another, on a thread of its own that
 * gives way to all others. Any thread may call it. */
#ifndef INDEXER_H
#define INDEXER_H

#include <stdint.h>

struct film;
struct indexer;

/* tick_limit: µs that a tick may take, at most; 0: no limit. NULL when memory runs out. */
struct indexer *indexer_create(uint64_t tick_limit);

/* The film that is being played is given up, and no other one is begun: no thread is left. */
void indexer_stop(struct indexer *indexer);

/* After indexer_stop(); takes NULL. Films that wait are let go. */
void indexer_destroy(struct indexer *indexer);

/* Puts the film in line: it is held until its turn is over, or until a sweep. It has no keyframes
 * if memory or threads run out, or the indexer was stopped. */
void indexer_add(struct indexer *indexer, struct film *film);

/* Lets go of the films in line that nobody else holds; after a room that played one has ended. */
void indexer_sweep(struct indexer *indexer);

#endif
