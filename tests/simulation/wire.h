/* A connection carries packets in both directions, in order, with a latency and a rate. A cut
 * connection loses the packets on the way. */
#ifndef SIMULATION_WIRE_H
#define SIMULATION_WIRE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define WIRE_NEVER UINT64_MAX

enum packet_type { PACKET_MESSAGE, PACKET_PING, PACKET_PONG, PACKET_CLOSE };

struct packet {
    struct packet *next;
    uint64_t arrives; /* ns */
    enum packet_type type;
    uint32_t number; /* of a ping or pong, or the code of a close */
    size_t size;
    uint8_t bytes[];
};

/* One direction. */
struct way {
    uint64_t latency; /* ns */
    uint64_t rate;    /* bytes a second */
    size_t capacity;  /* bytes that the sender's kernel holds */
    uint64_t free_at; /* ns: when all sent bytes will have left */
    struct packet *first, *last;
};

/* Returns the number of bytes that have not left. */
size_t way_unsent(const struct way *way);

/* Returns whether the wire takes a packet now. If not, stores the time (ns) when it will. */
bool way_takes(const struct way *way, uint64_t *when);

void way_put(struct way *way, enum packet_type type, uint32_t number, const uint8_t *bytes,
             size_t size);

/* Delays all packets until that time (ns). */
void way_stall(struct way *way, uint64_t until);

/* Returns the next packet that has arrived, which the caller frees; NULL: none. */
struct packet *way_take(struct way *way);

/* Returns the time (ns) when the next packet arrives. */
uint64_t way_next(const struct way *way);

void way_clear(struct way *way);

#endif
