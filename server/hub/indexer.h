/* Makes the keyframes of films that rooms play, on a thread of lower priority. Films of trusted
 * creators go first. The others' creators have equal shares of the thread; the films of one go one
 * after another. Any thread may call it. */
#ifndef INDEXER_H
#define INDEXER_H

#include <stdint.h>

struct film;
struct indexer;

/* tick_limit: most µs for a tick; 0: no limit. Returns NULL when memory runs out. */
struct indexer *indexer_create(uint64_t tick_limit);

/* Gives up the current film, begins no other, and ends the thread. */
void indexer_stop(struct indexer *indexer);

/* Must be called after indexer_stop(); takes NULL. Releases the films that wait. */
void indexer_destroy(struct indexer *indexer);

/* Queues the film and holds it until it is done or swept. The film stays without keyframes if
 * memory or threads run out, or the indexer was stopped. */
void indexer_add(struct indexer *indexer, struct film *film);

/* Releases queued films that no room holds. Must be called after a room that played a film has
 * ended. */
void indexer_sweep(struct indexer *indexer);

#endif
