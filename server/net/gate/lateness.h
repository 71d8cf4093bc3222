/* The lateness of an event loop: how long data from clients may have waited for it. A shard reads
 * all sockets, then sends views, then waits for events. It cannot see when data arrived. But data
 * that it finds without waiting arrived after it last looked, and other data arrived just now.
 *
 * Pure: times are passed in, as µs on the server's clock. A shard's thread owns it. */
#ifndef LATENESS_H
#define LATENESS_H

#include <stdbool.h>
#include <stdint.h>

struct lateness {
    uint64_t idle;     /* ns that the loop had waited in all, before it looked for events */
    uint64_t finished; /* all that arrived before this time was handled */
    bool looked;       /* it has looked, and nothing was handled since */
};

/* Must be called just before the loop looks for events. idle: ns that it has waited in all. */
void lateness_look(struct lateness *lateness, uint64_t idle);

/* Returns true if lateness_find() must be called, before the first event is handled. */
static inline bool lateness_looked(const struct lateness *lateness)
{
    return lateness->looked;
}

/* Notes when the loop found the event, and the ns that it has waited in all. */
void lateness_find(struct lateness *lateness, uint64_t found, uint64_t idle);

/* Must be called after all events were handled that the loop found at that time. */
void lateness_finish(struct lateness *lateness, uint64_t found);

/* Returns for how long the data may have waited that is handled now, in µs: earlier data was
 * handled before. */
static inline uint64_t lateness_at(const struct lateness *lateness, uint64_t now)
{
    return now > lateness->finished ? now - lateness->finished : 0;
}

#endif
