#include "net/gate/capacity.h"

#include <assert.h>
#include <sys/resource.h>

#include "base/log.h"
#include "net/gate/linger.h"
#include "net/gate/place.h"

#define FILES_RESERVED 24 /* descriptors that are not connections: 17 with --data and all logs */
#define FILES_SHARD    10 /* more descriptors for each shard after the first */
#define FILES_MIN      8  /* for connections */
/* Guests (see admission.h). They include the connections that wait for their address: a pupil who
 * holds fewer does not keep his class out. */
#define GUESTS        2048
#define GUEST_CLIENTS 8 /* one more guest for each of this many clients */

static uint32_t least_of(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

/* Lingering connections get what all others leave, or a quarter of the guests' share if that is
 * more, up to LINGER_MAX of each shard. */
static void share_lingering(struct service *service, uint32_t left)
{
    uint32_t lingering = least_of(LINGER_MAX, left / service->config->net_threads);
    uint32_t quarter = least_of(LINGER_MAX, service->guests_max / 4);

    if (lingering < quarter) {
        service->guests_max -= quarter - lingering;
        lingering = quarter;
    }
    service->lingering_max = lingering;
}

/* Divides `files` descriptors (at least FILES_MIN, plus one for each shard). Guests and displaced
 * clients get what clients leave, or a quarter of all if that is more, up to what they need: 1/5
 * for displaced clients, the rest for guests. At least 1 displaced client and 1 guest for each
 * shard are possible. */
static void share_files(struct service *service, uint32_t files, uint32_t guests)
{
    uint32_t shards = service->config->net_threads;
    uint32_t clients = service->config->max_clients;
    uint32_t quarter = files / 4;
    uint32_t left = files > clients ? files - clients : 0;
    uint32_t most = left > quarter ? left : quarter;
    uint32_t displaced = least_of(PLACE_DISPLACED_MAX, most / 5);

    assert(files >= FILES_MIN + shards);
    displaced = displaced < 1 ? 1 : displaced;
    guests = least_of(guests, most - displaced);
    if (guests < shards) {
        guests = shards;
        displaced = least_of(displaced, (files - guests) / 2);
    }
    assert(guests >= shards && displaced >= 1 && guests + displaced < files);
    service->displaced_max = displaced;
    service->guests_max = guests / shards;
    service->clients_max = least_of(clients, files - guests - displaced);
    share_lingering(service, files - guests - displaced - service->clients_max);
}

/* Lowers the limit of clients so that each client's share of the total is large enough to be
 * useful. */
static void fit_bandwidth(struct service *service)
{
    const struct config *config = service->config;
    uint32_t clients;

    bandwidth_init(&service->bandwidth, config->client_bandwidth * UINT64_C(1000),
                   config->total_bandwidth * UINT64_C(1000), 0);
    clients = bandwidth_clients(&service->bandwidth, service->clients_max);
    if (clients < service->clients_max) {
        log_warn("--total-bandwidth suffices for %u clients, not for %u", clients,
                 service->clients_max);
        service->clients_max = clients;
    }
}

/* Raises the limit of open files to the need of clients, presenters, displaced clients and guests,
 * and sizes these to the granted limit. Returns false if the limit is too low to run. */
static bool fit_files(struct service *service)
{
    const struct config *config = service->config;
    uint32_t reserved = FILES_RESERVED + (config->net_threads - 1) * FILES_SHARD + PLACE_PRESENTERS;
    uint32_t least = reserved + FILES_MIN + config->net_threads;
    uint32_t guests = GUESTS + config->max_clients / GUEST_CLIENTS;
    uint32_t wanted = reserved + guests + PLACE_DISPLACED_MAX + config->max_clients +
                      config->net_threads * LINGER_MAX;
    struct rlimit limit = {.rlim_cur = wanted};

    if (getrlimit(RLIMIT_NOFILE, &limit) == 0) {
        /* not above the need: libwebsockets allocates tables of the limit's size */
        limit.rlim_cur = wanted < limit.rlim_max ? wanted : limit.rlim_max;
        setrlimit(RLIMIT_NOFILE, &limit);
    }
    if (limit.rlim_cur < least) {
        log_error("the limit of %llu open files is too low, expected at least %u (ulimit -n)",
                  (unsigned long long)limit.rlim_cur, least);
        return false;
    }
    share_files(service, (uint32_t)limit.rlim_cur - reserved, guests);
    if (service->clients_max < config->max_clients) {
        log_warn("the limit of %llu open files suffices for %u clients, not for %u",
                 (unsigned long long)limit.rlim_cur, service->clients_max, config->max_clients);
    }
    return true;
}

bool capacity_fit(struct service *service)
{
    bool fits = fit_files(service);

    fit_bandwidth(service);
    return fits;
}
