/* A shard that reads from clients as its loop does, in simulated time: for the tests of readers. */
#ifndef READERS_SHARD_H
#define READERS_SHARD_H

#include "net/gate/readers.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#define US   UINT64_C(1000) /* ns */
#define MS   UINT64_C(1000000)
#define MOST 600u

/* A client. Reading from it once takes `cost`. */
struct client {
    struct reader reader; /* must be first */
    uint64_t cost;        /* ns */
    bool sends;           /* it always has more to read */
    uint64_t had;         /* ns */
    uint32_t reads;
};

struct shard {
    struct readers readers;
    struct client clients[MOST];
    uint32_t count;
    uint64_t turn; /* ns: the last one's work */
    uint64_t sent; /* ns for which each turn sends */
    bool late;     /* snapshots wait at the end of each turn */
};

/* A part of the work in which no other thread ran. */
static inline struct meter_part part_of(uint64_t time)
{
    return (struct meter_part){.took = time, .ran = time};
}

static inline struct client *add_client(struct shard *shard, uint64_t account, bool trusted,
                                        uint64_t cost)
{
    struct client *client = &shard->clients[shard->count++];

    assert_in_range(shard->count, 1, MOST);
    *client = (struct client){.cost = cost, .sends = true};
    assert_true(readers_join(&shard->readers, &client->reader, account,
                             trusted ? READERS_TRUSTED : READERS_OTHERS));
    return client;
}

static inline void start_shard(struct shard *shard)
{
    shard->count = 0;
    shard->sent = 0;
    shard->late = false;
    readers_init(&shard->readers);
}

static inline void stop_shard(struct shard *shard)
{
    for (uint32_t i = 0; i < shard->count; i++) {
        readers_leave(&shard->readers, &shard->clients[i].reader);
    }
    readers_finish(&shard->readers);
}

static inline void read_client(struct shard *shard, struct client *client)
{
    shard->turn += client->cost;
    client->had += client->cost;
    client->reads++;
    readers_charge(&shard->readers, &client->reader, part_of(client->cost));
}

/* Finds the clients that send, and reads from them while there is time. */
static inline void read_clients(struct shard *shard)
{
    struct reader *reader;

    for (uint32_t i = 0; i < shard->count; i++) {
        if (shard->clients[i].sends && !shard->clients[i].reader.in_line) {
            readers_ready(&shard->readers, &shard->clients[i].reader);
        }
    }
    while ((reader = readers_next(&shard->readers)) != NULL) {
        read_client(shard, (struct client *)(void *)reader);
    }
}

/* Works as the loop does. */
static inline void run_turn(struct shard *shard)
{
    shard->turn = 0;
    read_clients(shard);
    readers_turn(&shard->readers, shard->sent, shard->late);
}

#endif
