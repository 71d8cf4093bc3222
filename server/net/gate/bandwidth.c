#include "net/gate/bandwidth.h"

#define PARTS        8u    /* of the total: one for pages, the others for clients */
#define PAGES_TIME   60    /* s: so much for pages may be sent at once */
#define STREAMS_TIME 2     /* s: the same, for clients */
#define ADDRESSES    4u    /* at least, that together use up what is for pages */
#define LEAST        2000u /* bytes a second: with less a client is shown nothing of use */
#define MICROSECONDS 1e6

static uint64_t for_clients(const struct bandwidth *bandwidth)
{
    return bandwidth->total - bandwidth->total / PARTS;
}

/* The share of each of so many clients. */
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

/* Adds to a credit, which keeps `time` seconds' worth of its rate. */
static void earn(atomic_llong *credit, long long more, uint64_t rate, int time)
{
    long long most = (long long)rate * time;
    long long excess = atomic_fetch_add(credit, more) + more - most;

    if (excess > 0) {
        atomic_fetch_sub(credit, excess); /* what others take meanwhile is taken from that */
    }
}

void bandwidth_turn(struct bandwidth *bandwidth, uint32_t clients, uint64_t sent, uint64_t now)
{
    double seconds = (double)(now - bandwidth->at) / MICROSECONDS;
    uint64_t for_pages = bandwidth->total / PARTS;

    atomic_store(&bandwidth->share, share_of(bandwidth, clients));
    if (bandwidth->total > 0) {
        earn(&bandwidth->pages, (long long)(seconds * (double)for_pages), for_pages, PAGES_TIME);
        earn(&bandwidth->streams,
             (long long)(seconds * (double)bandwidth->total) - (long long)(sent - bandwidth->sent),
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
