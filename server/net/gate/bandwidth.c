#include "net/gate/bandwidth.h"

#include <assert.h>

#define PARTS        8u  /* of the total: 1 part for pages, 7 parts for clients */
#define PAGES_TIME   60  /* s of their rate that the pages' credit holds */
#define STREAMS_TIME 2   /* s of its rate that the clients' credit holds */
#define ADDRESSES    4u  /* addresses that share the pages' rate, at least */
#define LITTLES      16u /* times that the pages' credit has what is little for an address … */
#define LITTLE_MAX   UINT64_C(2000000) /* … which is at most what a class of 30 loads, in bytes */
#define LEAST        2000u /* bytes per second: below this a client sees nothing useful */
#define RESERVES     4u /* of what clients get, the server's rooms leave 1 part to the others, … */
#define TIMES        4u /* … and they get this many times what is equal, at most */
#define GROWS        4u /* the server's rooms may use 1 part more in the next second */
#define FALLS        8u /* of what they used lately, 1 part is forgotten in a turn */
#define MICROSECONDS 1e6

static uint64_t for_clients(const struct bandwidth *bandwidth)
{
    return bandwidth->total - bandwidth->total / PARTS;
}

static uint64_t lesser(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static uint64_t greater(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

void bandwidth_init(struct bandwidth *bandwidth, uint64_t client, uint64_t total, uint64_t now)
{
    bandwidth->client = client;
    bandwidth->total = total;
    bandwidth->use = (struct bandwidth_use){0};
    bandwidth->used = 0;
    bandwidth->at = now;
    for (int class = 0; class < BANDWIDTH_CLASSES; class ++) {
        atomic_init(&bandwidth->parts[class], for_clients(bandwidth));
    }
    atomic_init(&bandwidth->streams, (long long)total * STREAMS_TIME);
    atomic_init(&bandwidth->pages, (long long)(total / PARTS) * PAGES_TIME);
}

uint32_t bandwidth_clients(const struct bandwidth *bandwidth, uint32_t most)
{
    uint64_t clients = for_clients(bandwidth) / LEAST;

    if (bandwidth->total == 0 || clients >= most) {
        return most;
    }
    return clients > 0 ? (uint32_t)clients : 1;
}

uint64_t bandwidth_address(const struct bandwidth *bandwidth)
{
    uint64_t part = bandwidth->total / PARTS / ADDRESSES;

    return bandwidth->total > 0 && part == 0 ? 1 : part;
}

uint64_t bandwidth_little(const struct bandwidth *bandwidth)
{
    uint64_t little = lesser(bandwidth->total / PARTS * PAGES_TIME / LITTLES, LITTLE_MAX);

    return bandwidth->total > 0 && little == 0 ? 1 : little;
}

/* Adds to a credit that holds at most `time` seconds of its rate. */
static void add_credit(atomic_llong *credit, long long more, uint64_t rate, int time)
{
    long long most = (long long)rate * time;
    long long excess = atomic_fetch_add(credit, more) + more - most;

    if (excess > 0) {
        atomic_fetch_sub(credit, excess); /* other threads may spend between the two steps */
    }
}

/* Shares out what clients get. now: bytes per second sent in the server's rooms. */
static void share_out(struct bandwidth *bandwidth, uint64_t now)
{
    const uint64_t all = for_clients(bandwidth);
    const uint64_t others = bandwidth->use.weights[BANDWIDTH_OTHERS];
    const uint64_t servers = bandwidth->use.weights[BANDWIDTH_SERVERS];
    const uint64_t weight = greater(servers, 1); /* the first client's, until the next turn */
    const uint64_t equal = all / (weight + others) * weight;
    const uint64_t reserved = all - all / RESERVES;
    const uint64_t first = greater(equal, lesser(reserved, TIMES * equal));
    const uint64_t most = others > 0 ? first : all;
    uint64_t kept;

    bandwidth->used = greater(now, bandwidth->used - bandwidth->used / FALLS);
    kept = servers > 0 ? lesser(bandwidth->used + bandwidth->used / GROWS, most) : 0;
    if (others == 0) {
        kept = lesser(kept, reserved); /* for the first other client, until the next turn */
    }
    atomic_store(&bandwidth->parts[BANDWIDTH_SERVERS], greater(most / weight, LEAST));
    atomic_store(&bandwidth->parts[BANDWIDTH_OTHERS], (all - kept) / greater(others, 1));
}

void bandwidth_turn(struct bandwidth *bandwidth, const struct bandwidth_use *use, uint64_t now)
{
    const double seconds = (double)(now - bandwidth->at) / MICROSECONDS;
    const uint64_t for_pages = bandwidth->total / PARTS;
    const uint64_t sent = use->sent - bandwidth->use.sent;
    const uint64_t servers = use->servers - bandwidth->use.servers;

    assert(now >= bandwidth->at && use->sent >= bandwidth->use.sent &&
           use->servers >= bandwidth->use.servers);
    if (bandwidth->total == 0 || now == bandwidth->at) {
        return;
    }
    bandwidth->use = *use;
    bandwidth->at = now;
    share_out(bandwidth, (uint64_t)((double)servers / seconds));
    add_credit(&bandwidth->pages, (long long)(seconds * (double)for_pages), for_pages, PAGES_TIME);
    add_credit(&bandwidth->streams,
               (long long)(seconds * (double)bandwidth->total) - (long long)sent, bandwidth->total,
               STREAMS_TIME);
}

uint32_t bandwidth_share(const struct bandwidth *bandwidth, enum bandwidth_class class,
                         double crowd)
{
    uint64_t share = bandwidth->client;

    assert(crowd >= 1);
    if (bandwidth->total > 0) {
        uint64_t part = (uint64_t)((double)atomic_load(&bandwidth->parts[class]) / crowd);
        part = greater(part, 1); /* 0 would be no limit */
        share = share == 0 ? part : lesser(part, share);
    }
    return (uint32_t)lesser(share, INT32_MAX);
}

bool bandwidth_joins(const struct bandwidth *bandwidth)
{
    return bandwidth->total == 0 || atomic_load(&bandwidth->streams) > 0;
}

bool bandwidth_answers(const struct bandwidth *bandwidth, double left)
{
    const double pages = (double)atomic_load(&bandwidth->pages);
    const uint64_t rate = bandwidth->total / PARTS;
    const double most = (double)rate * PAGES_TIME;

    return bandwidth->total == 0 || pages > 0 || left * most > -pages;
}

void bandwidth_answered(struct bandwidth *bandwidth, size_t size)
{
    if (bandwidth->total > 0) {
        atomic_fetch_sub(&bandwidth->pages, (long long)size);
    }
}
