#include "wire.h"

#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "threads.h"

#define HEADER 4u /* bytes of a frame besides its payload */

size_t way_unsent(const struct way *way)
{
    uint64_t now = threads_now();

    return way->free_at > now ? (size_t)((way->free_at - now) * way->rate / S) : 0;
}

bool way_takes(const struct way *way, uint64_t *when)
{
    size_t unsent = way_unsent(way);

    *when = unsent < way->capacity
                ? threads_now()
                : threads_now() + (unsent - way->capacity / 2) * S / way->rate + 1;
    return unsent < way->capacity;
}

void way_put(struct way *way, enum packet_type type, uint32_t number, const uint8_t *bytes,
             size_t size)
{
    struct packet *packet = malloc(sizeof *packet + size);
    uint64_t now = threads_now();

    check(packet != NULL, "out of memory");
    way->free_at = (way->free_at > now ? way->free_at : now) + (size + HEADER) * S / way->rate;
    *packet = (struct packet){
        .arrives = way->free_at + way->latency, .type = type, .number = number, .size = size};
    if (size > 0) {
        memcpy(packet->bytes, bytes, size);
    }
    if (way->last != NULL) {
        way->last->next = packet;
    } else {
        way->first = packet;
    }
    way->last = packet;
}

void way_stall(struct way *way, uint64_t until)
{
    uint64_t now = threads_now();
    uint64_t longer = until > now ? until - now : 0;

    way->free_at = (way->free_at > now ? way->free_at : now) + longer;
    for (struct packet *packet = way->first; packet != NULL; packet = packet->next) {
        packet->arrives += longer;
    }
}

struct packet *way_take(struct way *way)
{
    struct packet *packet = way->first;

    if (packet == NULL || packet->arrives > threads_now()) {
        return NULL;
    }
    way->first = packet->next;
    way->last = way->first != NULL ? way->last : NULL;
    return packet;
}

uint64_t way_next(const struct way *way)
{
    return way->first != NULL ? way->first->arrives : WIRE_NEVER;
}

void way_clear(struct way *way)
{
    while (way->first != NULL) {
        struct packet *packet = way->first;
        way->first = packet->next;
        free(packet);
    }
    way->last = NULL;
}
