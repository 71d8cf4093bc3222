#include "net/gate/bandwidth.h"

#include <assert.h>

#define PARTS        8u    /* of the total: 1 part for pages, 7 parts for clients */
#define PAGES_TIME   60    /* s of their rate that the pages' credit holds */
#define STREAMS_TIME 2     /* s of its rate that the clients' credit holds */
#define ADDRESSES    4u    /* addresses that share the pages' rate, at least */
#define LEAST        2000u /* bytes per second: below this a client sees nothing useful */
#define MICROSECONDS 1e6

static uint64_t for_clients(const struct bandwidth *bandwidth)
{
    return bandwidth->total - bandwidth->total / PARTS;
}

/* Returns each client's share when `clients` share. */
static unsigned share_of(const struct bandwidth *bandwidth, uint32_t clients)
{
    uint64_t share = bandwidth->client;

    if (bandwidth->total > 0) {
        uint64_t part = for_clients(bandwidth) / (clients > 0 ? clients : 1);
        part = part > LEAST ? part : LEAST;
        share = share == 0 || part < share ? part : share;
    }
    return share < INT32_MAX ? (unsigned)share : INT32_MAX;
}

void bandwidth_init(struct bandwidth *bandwidth, uint64_t client, uint64_t total, uint64_t now)
{
    bandwidth->client = client;
    bandwidth->total = total;
    bandwidth->sent = 0;
    bandwidth->at = now;
    atomic_init(&bandwidth->share, share_of(bandwidth, 0));
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

/* Adds to a credit that holds at most `time` seconds of its rate. */
static void add_credit(atomic_llong *credit, long long more, uint64_t rate, int time)
{
    long long most = (long long)rate * time;
    long long excess = atomic_fetch_add(credit, more) + more - most;

    if (excess > 0) {
        atomic_fetch_sub(credit, excess); /* other threads may spend between the two steps */
    }
}

void bandwidth_turn(struct bandwidth *bandwidth, uint32_t clients, uint64_t sent, uint64_t now)
{
    double seconds = (double)(now - bandwidth->at) / MICROSECONDS;
    uint64_t for_pages = bandwidth->total / PARTS;

    assert(now >= bandwidth->at && sent >= bandwidth->sent);
    atomic_store(&bandwidth->share, share_of(bandwidth, clients));
    if (bandwidth->total > 0) {
        add_credit(&bandwidth->pages, (long long)(seconds * (double)for_pages), for_pages,
                   PAGES_TIME);
        add_credit(&bandwidth->streams,
                   (long long)(seconds * (double)bandwidth->total) -
                       (long long)(sent - bandwidth->sent),
                   bandwidth->total, STREAMS_TIME);
    }
    bandwidth->sent = sent;
    bandwidth->at = now;
}

bool bandwidth_joins(const struct bandwidth *bandwidth)
{
    return bandwidth->total == 0 || atomic_load(&bandwidth->streams) > 0;
}

bool bandwidth_answers(const struct bandwidth *bandwidth)
{
    return bandwidth->total == 0 || atomic_load(&bandwidth->pages) > 0;
}

void bandwidth_answered(struct bandwidth *bandwidth, size_t size)
{
    if (bandwidth->total > 0) {
        atomic_fetch_sub(&bandwidth->pages, (long long)size);
    }
}
