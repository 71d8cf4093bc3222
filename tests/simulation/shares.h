/* Shares of a runner's time. In hostile lives one runner has all rooms, and each tick and each
 * message of a room whose creator is not trusted takes long. Checks that trusted rooms do not wait
 * for more than one turn of other rooms, and that two creators get equal shares. */
#ifndef SHARES_H
#define SHARES_H

#include <stdbool.h>
#include <stdint.h>

struct hub;

enum shares_creator { SHARES_TRUSTED, SHARES_FIRST, SHARES_SECOND };

/* Begins a life. A life that is not hostile checks nothing. */
void shares_begin(bool hostile);

/* Must be called when a hub begins, and with NULL before it ends. */
void shares_serve(const struct hub *hub);

/* Stores who has made a room. */
void shares_made(const char *code, enum shares_creator creator);

/* Must be called before a tick of that room with that deadline (µs on the hub's clock), and before
 * a message to it, on the runner's thread. Spends their time and checks the shares. */
void shares_tick(const char *code, uint64_t deadline);
void shares_message(const char *code);

/* Returns whether there were messages since the last call. */
bool shares_had_messages(void);

/* Returns the longest time (ns) that a trusted room's tick waited, and the most that a creator got
 * beyond another one that waited, in all lives so far. */
uint64_t shares_longest_wait(void);
uint64_t shares_most_beyond(void);

/* Whether the life is hostile. */
bool shares_hostile(void);

#endif
