#include "net/gate/capacity.h"

#include <sys/resource.h>

#include "base/log.h"
#include "net/gate/crowd.h"
#include "net/gate/place.h"

#define FILES_RESERVED 24  /* descriptors that are no connections: 17 with --data and all logs */
#define FILES_SHARD    10  /* further ones of each shard but the first */
#define FILES_MIN      8   /* for connections */
#define GUESTS         512 /* see admission.h; and one more for each … */
#define GUEST_CLIENTS  8   /* … of so many clients */

static uint32_t least_of(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

/* Shares so many descriptors out (FILES_MIN and one for each shard, at least). Guests, and clients
 * whose place others have ("owed"), get as many as they want if clients leave them; else what
 * clients leave, or a quarter of all if that is more: a fifth of it for owed clients, the rest for
 * guests. There is one owed client at least, and one guest for each shard. */
static void share_files(struct service *service, uint32_t files, uint32_t guests)
{
    uint32_t shards = service->config->net_threads;
    uint32_t clients = service->config->max_clients;
    uint32_t quarter = files / 4;
    uint32_t left = files > clients ? files - clients : 0;
    uint32_t most = left > quarter ? left : quarter;
    uint32_t owed = least_of(CROWD_OWED_MAX, most / 5);

    owed = owed < 1 ? 1 : owed;
    guests = least_of(guests, most - owed);
    if (guests < shards) {
        guests = shards;
        owed = least_of(owed, (files - guests) / 2);
    }
    service->owed_max = owed;
    service->guests_max = guests / shards;
    service->clients_max = least_of(clients, files - guests - owed);
}

/* What may be sent is shared among no more clients than it is of use to. */
static void fit_bandwidth(struct service *service)
{
    const struct config *config = service->config;
    uint32_t clients;

    bandwidth_init(&service->bandwidth, config->client_bandwidth * UINT64_C(1000),
                   config->total_bandwidth * UINT64_C(1000), 0);
    clients = bandwidth_clients(&service->bandwidth, service->clients_max);
    if (clients < service->clients_max) {
        log_warn("--total-bandwidth leaves room for %u clients instead of %u", clients,
                 service->clients_max);
        service->clients_max = clients;
    }
}

/* Sets the limit of open files to what max_clients need, with their presenters, with those whose
 * place others have and with guests, and sizes these to what was granted. Returns false if it is
 * too low to run at all. */
static bool fit_files(struct service *service)
{
    const struct config *config = service->config;
    uint32_t reserved =
        FILES_RESERVED + (config->net_threads - 1) * FILES_SHARD + 2 * PLACES_PRESENTERS;
    uint32_t least = reserved + FILES_MIN + config->net_threads;
    uint32_t guests = GUESTS + config->max_clients / GUEST_CLIENTS;
    uint32_t wanted = reserved + guests + CROWD_OWED_MAX + config->max_clients;
    struct rlimit limit = {.rlim_cur = wanted};

    if (getrlimit(RLIMIT_NOFILE, &limit) == 0) {
        /* No more than wanted either: libwebsockets has tables of the limit's size. */
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
        log_warn("the limit of %llu open files leaves room for %u clients instead of %u",
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
