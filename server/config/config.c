#include "config/config.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SIM_THREADS_MAX 64
#define NET_THREADS_MAX 64

static const struct option_rule policies = {.word = cursor_policy_name};
static const struct option_rule idles = {.word = cursor_idle_name};
static const struct option_rule rooms = {
    .words = (const char *const[]){"open", "presenter", "off", NULL}};
static const struct option_rule log_formats = {.words =
                                                   (const char *const[]){"text", "json", NULL}};

/* Returns whether the text is the address of a page, such as https://example.org/flock: without a
 * query, and only with characters that need no quotes in JSON or HTML. */
static bool is_url(const char *text)
{
    static const char *const schemes[] = {"http://", "https://"};

    for (size_t i = 0; i < 2; i++) {
        size_t size = strlen(schemes[i]);
        if (strncmp(text, schemes[i], size) == 0) {
            return text[size] != '\0' && text[size] != '/' &&
                   text[size + strspn(text + size,
                                      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUV"
                                      "WXYZ0123456789-._~%/:[]")] == '\0';
        }
    }
    return false;
}

static const struct option_rule urls = {
    .valid = is_url,
    .values = "characters: http:// or https:// and the page's host and path, without ? and #"};

size_t config_ranges(const char *text, struct ip_range ranges[CONFIG_PROXIES_MAX])
{
    size_t count = 0;

    do {
        size_t length = strcspn(text, ",");
        char one[64];
        if (length >= sizeof one || count == CONFIG_PROXIES_MAX) {
            return 0;
        }
        memcpy(one, text, length);
        one[length] = '\0';
        if (!ip_read_range(one, &ranges[count++])) {
            return 0;
        }
        text += length;
    } while (*text++ == ',');
    return count;
}

/* Returns whether each item between commas begins with one of the prefixes and has only those
 * characters after it. */
static bool are_all(const char *text, const char *const prefixes[2], const char *characters)
{
    do {
        size_t length = strcspn(text, ",");
        size_t size = strlen(prefixes[0]);
        if (strncmp(text, prefixes[0], size) != 0) {
            size = strlen(prefixes[1]);
            if (strncmp(text, prefixes[1], size) != 0) {
                return false;
            }
        }
        if (length == size || strspn(text + size, characters) != length - size) {
            return false;
        }
        text += length;
    } while (*text++ == ',');
    return true;
}

#define NAME_CHARACTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-_"

static bool are_hosts(const char *text)
{
    return are_all(text, (const char *const[]){"", ""}, NAME_CHARACTERS);
}

static bool are_origins(const char *text)
{
    return text[0] == '\0' || strcmp(text, "*") == 0 ||
           are_all(text, (const char *const[]){"http://", "https://"}, NAME_CHARACTERS ":[]");
}

static bool are_ranges(const char *text)
{
    struct ip_range ranges[CONFIG_PROXIES_MAX];

    return config_ranges(text, ranges) > 0;
}

static const struct option_rule ranges = {
    .valid = are_ranges, .values = "bytes: addresses, or ranges such as 10.0.0.0/8"};
/* Returns whether the text is an address, a colon and a port. Port 0 is allowed. */
static bool is_endpoint(const char *text)
{
    const char *colon = strrchr(text, ':');
    size_t digits = colon != NULL ? strspn(colon + 1, "0123456789") : 0;

    return colon != text && digits > 0 && digits <= 5 && colon[1 + digits] == '\0' &&
           strtoul(colon + 1, NULL, 10) <= 65535;
}

static bool is_admin(const char *text)
{
    return is_endpoint(text) && strtoul(strrchr(text, ':') + 1, NULL, 10) > 0;
}

/* Characters that need no quotes in NATS' own configuration, or percent signs. */
static bool are_servers(const char *text)
{
    return are_all(text, (const char *const[]){"nats://", "tls://"}, NAME_CHARACTERS ":[]@%!~+");
}

static bool has_only(const char *text, const char *characters)
{
    return text[strspn(text, characters)] == '\0';
}

static bool is_node(const char *text)
{
    return has_only(text, "abcdefghijklmnopqrstuvwxyz0123456789-");
}

static bool is_prefix(const char *text)
{
    return has_only(text, "abcdefghijklmnopqrstuvwxyz0123456789");
}

static bool is_login(const char *text)
{
    const char *colon = strchr(text, ':');

    return colon != NULL && colon != text && colon[1] != '\0';
}

static const struct option_rule admins = {.valid = is_admin,
                                          .values = "bytes: an address and a port"};
static const struct option_rule hosts = {
    .valid = are_hosts, .values = "bytes: names such as flock.example.org, without a port"};
static const struct option_rule origins = {
    .valid = are_origins, .values = "bytes: origins such as https://example.org, or *"};

static const struct option_rule endpoints = {.valid = is_endpoint,
                                             .values = "bytes: an address and a port"};
static const struct option_rule servers = {
    .valid = are_servers, .values = "bytes: addresses such as nats://10.0.0.2:4222"};
static const struct option_rule roles = {.words =
                                             (const char *const[]){"both", "sim", "edge", NULL}};
static const struct option_rule nodes = {.valid = is_node, .values = "of a-z, 0-9 and -"};
static const struct option_rule prefixes = {.valid = is_prefix, .values = "of a-z and 0-9"};
static const struct option_rule logins = {.valid = is_login,
                                          .values = "bytes: a name, a colon and a password"};

#define FIELD(name) OPTIONS_FIELD(struct config, name)

static const struct option flock_rows[] = {
    {"seed", "FLOCKD_SEED", OPTION_UINT, FIELD(seed), 0, UINT32_MAX, NULL, "N", "1",
     "seed of the random numbers; equal seeds make equal flocks"},
    {"tick-rate", "FLOCKD_TICK_RATE", OPTION_UINT, FIELD(tick_rate), 1, PROTO_RATE_MAX, NULL, "HZ",
     "30", "ticks of the flock per second"},
    {"threads", "FLOCKD_THREADS", OPTION_UINT, FIELD(threads), 1, FLOCK_THREADS_MAX, NULL, "N",
     NULL,
     "threads that share a tick of a big flock, for each sim thread; their number does not change "
     "the flock (default: one less than the processors)"},
    {"sim-threads", "FLOCKD_SIM_THREADS", OPTION_UINT, FIELD(sim_threads), 1, SIM_THREADS_MAX, NULL,
     "N", NULL, "threads that tick rooms (default: half the processors, at least 1)"},
    {"tick-limit", "FLOCKD_TICK_LIMIT", OPTION_NUMBER, FIELD(tick_limit), 0.001, 3600, NULL,
     "SECONDS", "1",
     "flockd stops a tick that takes longer and pauses its room; it refuses changes that would "
     "make a tick this slow"},
    {"snapshot-rate", "FLOCKD_SNAPSHOT_RATE", OPTION_UINT, FIELD(snapshot_rate), 1, PROTO_RATE_MAX,
     NULL, "HZ", NULL,
     "snapshots per second to each client, at most the tick rate (default: the tick rate)"},
    {0},
};

static const struct option cursor_rows[] = {
    {"policy", "FLOCKD_POLICY", OPTION_CHOICE, FIELD(policy), 0, 0, &policies, "NAME", "mean",
     "how cursors become the target: the mean of all, the latest to move, for each boid the "
     "nearest, the presenter's, teams, or one person at a time (relay)"},
    {"idle", "FLOCKD_IDLE", OPTION_CHOICE, FIELD(idle), 0, 0, &idles, NULL, "wander",
     "without an active cursor, the target wanders (wander) or there is no target (hold)"},
    {"cursor-timeout", "FLOCKD_CURSOR_TIMEOUT", OPTION_NUMBER, FIELD(cursor_timeout), 0.1, 86400,
     NULL, "SECONDS", "10", "a cursor that has not moved for this time stops steering"},
    {"open-controls", "FLOCKD_OPEN_CONTROLS", OPTION_FLAG, FIELD(open_controls), 0, 0, NULL, NULL,
     NULL, "make everyone a presenter, who may change the flock"},
    {"presenter-key", "FLOCKD_PRESENTER_KEY", OPTION_TEXT, FIELD(key), 8, PROTO_KEY_MAX,
     &options_key, "KEY", NULL,
     "key that makes a client a presenter; a short key can be guessed (default: a random key at "
     "each start, printed)"},
    {0},
};

static const struct option room_rows[] = {
    {"rooms", "FLOCKD_ROOMS", OPTION_CHOICE, FIELD(rooms), 0, 0, &rooms, NULL, "open",
     "who may create rooms: anyone, holders of the presenter key, or no one (then / leads to "
     "the lobby)"},
    {"room-idle", "FLOCKD_ROOM_IDLE", OPTION_NUMBER, FIELD(room_idle), 1, 604800, NULL, "SECONDS",
     "3600",
     "a created room ends when it has been empty for this time, or for a minute if no client "
     "ever joined it"},
    {"max-rooms", "FLOCKD_MAX_ROOMS", OPTION_UINT, FIELD(max_rooms), 1, 100000, NULL, "N", "1000",
     "rooms at the same time, including the lobby; one address may have half of the free ones, and "
     "an eighth is reserved for the presenter key"},
    {"room-people", "FLOCKD_ROOM_PEOPLE", OPTION_UINT, FIELD(room_people), 0, 100000, NULL, "N",
     "0", "people in one room; 0: --max-clients is the only limit"},
    {"room-boids", "FLOCKD_ROOM_BOIDS", OPTION_UINT, FIELD(room_boids), 1, FLOCK_BOIDS_MAX, NULL,
     "N", "5000", "boids in one created room"},
    {"max-boids", "FLOCKD_MAX_BOIDS", OPTION_UINT, FIELD(max_boids), 1, 10000000, NULL, "N",
     "2000000",
     "boids in all rooms together; at least as many as the lobby starts with; one address may "
     "have half of the free ones"},
    {"rooms-per-hour", "FLOCKD_ROOMS_PER_HOUR", OPTION_UINT, FIELD(rooms_per_hour), 1, 100000, NULL,
     "N", "60", "rooms that one address may create per hour without the presenter key"},
    {"data", "FLOCKD_DATA", OPTION_TEXT, FIELD(data), 0, CONFIG_TEXT_MAX - 1, NULL, "FOLDER",
     "none",
     "folder in which flockd saves rooms, to continue them after a restart or a crash; with none, "
     "rooms end with flockd"},
    {"checkpoint-interval", "FLOCKD_CHECKPOINT_INTERVAL", OPTION_NUMBER, FIELD(checkpoint_interval),
     0.1, 3600, NULL, "S", "2",
     "time between two saves of a room, and so the most that a crash can lose"},
    {"rewind", "FLOCKD_REWIND", OPTION_NUMBER, FIELD(rewind), 0, 86400, NULL, "SECONDS", "600",
     "how much of its past a room keeps in memory: at most this time and 32 MiB, plus keyframes; "
     "0: no past"},
    {"rewind-memory", "FLOCKD_REWIND_MEMORY", OPTION_UINT, FIELD(rewind_memory), 1, 1048576, NULL,
     "MIB", "512",
     "memory of all rooms together: pasts, flocks, people, undo and streams; one address may have "
     "half of what is free; each room discards the oldest part of its past first"},
    {"room-memory", "FLOCKD_ROOM_MEMORY", OPTION_UINT, FIELD(room_memory), 1, 1048576, NULL, "MIB",
     "128",
     "memory of one created room: its flock, people, undo, streams and past; its past gives way, "
     "then "
     "flockd refuses changes that undo would keep"},
    {"max-transfers", "FLOCKD_MAX_TRANSFERS", OPTION_UINT, FIELD(max_transfers), 1,
     CONFIG_TRANSFERS_MAX, NULL, "N", "32",
     "recordings that are downloaded at the same time, and as many that are uploaded; a quarter is "
     "for requests with the server's key or a trusted room's"},
    {"replay", "FLOCKD_REPLAY", OPTION_TEXT, FIELD(replay), 0, CONFIG_TEXT_MAX - 1, NULL, "FILE",
     "", "a recording (.flock) that the lobby plays instead of a flock of its own"},
    {0},
};

static const struct option network_rows[] = {
    {"port", "FLOCKD_PORT", OPTION_UINT, FIELD(port), 0, 65535, NULL, "N", "8080",
     "TCP port; 0: flockd picks a free port and prints it"},
    {"bind", "FLOCKD_BIND", OPTION_TEXT, FIELD(bind), 1, 255, NULL, "ADDRESS", "127.0.0.1",
     "address to listen on; 0.0.0.0, or :: to include IPv6, opens flockd to the network"},
    {"max-clients", "FLOCKD_MAX_CLIENTS", OPTION_UINT, FIELD(max_clients), 1, 100000, NULL, "N",
     "10000",
     "clients at the same time, within the limit of open files; 16 slots for presenters come on "
     "top"},
    {"address-keeps", "FLOCKD_ADDRESS_KEEPS", OPTION_REMOVED, 0, 0, 0, 0, NULL, "N", NULL,
     "removed: it has no effect except a warning"},
    {"net-threads", "FLOCKD_NET_THREADS", OPTION_UINT, FIELD(net_threads), 1, NET_THREADS_MAX, NULL,
     "N", NULL, "threads that serve clients (default: half the processors, at most 8)"},
    {"hello-timeout", "FLOCKD_HELLO_TIMEOUT", OPTION_NUMBER, FIELD(hello_timeout), 1, 3600, NULL,
     "SECONDS", "10", "flockd disconnects a client that has not named its room within this time"},
    {"stall-timeout", "FLOCKD_STALL_TIMEOUT", OPTION_NUMBER, FIELD(stall_timeout), 1, 3600, NULL,
     "SECONDS", "30", "flockd disconnects a client that has read nothing for this time"},
    {"request-timeout", "FLOCKD_REQUEST_TIMEOUT", OPTION_NUMBER, FIELD(request_time), 0.1, 3600,
     NULL, "SECONDS", "10",
     "flockd closes a connection whose request is incomplete after this time, or has not begun "
     "after half of it"},
    {"address-limit", "FLOCKD_ADDRESS_LIMIT", OPTION_UINT, FIELD(address_limit), 0, 1000000, NULL,
     "N", "1000",
     "new connections per second from one address while the server has no time to spare, four "
     "times as many in a burst; 0: no limit"},
    {"key-tries", "FLOCKD_KEY_TRIES", OPTION_UINT, FIELD(tries.connection), 1, 1000, NULL, "N", "6",
     "wrong keys after which flockd closes a connection"},
    {"address-key-tries", "FLOCKD_ADDRESS_KEY_TRIES", OPTION_UINT, FIELD(tries.address), 1, 100000,
     NULL, "N", "60", "wrong keys per minute from one address"},
    {"total-key-tries", "FLOCKD_TOTAL_KEY_TRIES", OPTION_UINT, FIELD(tries.all), 1, 1000000, NULL,
     "N", "300",
     "wrong keys per minute from all addresses together; addresses with fewer than 3 recent tries "
     "are exempt"},
    {"client-bandwidth", "FLOCKD_CLIENT_BANDWIDTH", OPTION_UINT, FIELD(client_bandwidth), 0,
     2000000, NULL, "KB", "0",
     "kilobytes per second to one client; flockd reduces its stream to fit, as on a slow line; 0: "
     "no limit"},
    {"total-bandwidth", "FLOCKD_TOTAL_BANDWIDTH", OPTION_UINT, FIELD(total_bandwidth), 0, 100000000,
     NULL, "KB", "0", "kilobytes per second to all clients together; 0: no limit"},
    {"trusted-proxy", "FLOCKD_TRUSTED_PROXY", OPTION_LIST, FIELD(trusted_proxies), 1,
     CONFIG_TEXT_MAX - 1, &ranges, "ADDRESS", NULL,
     "a proxy, or a range such as 10.0.0.0/8, whose X-Forwarded-For flockd believes; may be "
     "repeated"},
    {"host", "FLOCKD_HOST", OPTION_LIST, FIELD(hosts), 1, CONFIG_TEXT_MAX - 1, &hosts, "NAME", NULL,
     "a host name of this server besides localhost; may be repeated (default: no other name if "
     "bound to this machine, else any)"},
    {"allow-origin", "FLOCKD_ALLOW_ORIGIN", OPTION_LIST, FIELD(allow_origin), 0,
     CONFIG_TEXT_MAX - 1, &origins, "ORIGIN", "",
     "another web origin whose pages may connect, such as https://example.org; may be repeated; * "
     "allows all (default: only flockd's own page)"},
    {"tls-cert", "FLOCKD_TLS_CERT", OPTION_TEXT, FIELD(tls_cert), 1, CONFIG_TEXT_MAX - 1, NULL,
     "FILE", NULL,
     "serve https and wss with this certificate and its chain, in PEM; SIGHUP reloads it (default: "
     "http and ws)"},
    {"tls-key", "FLOCKD_TLS_KEY", OPTION_TEXT, FIELD(tls_key), 1, CONFIG_TEXT_MAX - 1, NULL, "FILE",
     NULL, "private key of the certificate, in PEM"},
    {"public-url", "FLOCKD_PUBLIC_URL", OPTION_TEXT, FIELD(public_url), 8, 255, &urls, "URL", NULL,
     "address of the page behind a proxy, such as https://example.org/flock (default: this "
     "machine's own addresses)"},
    {"web", "FLOCKD_WEB", OPTION_TEXT, FIELD(web), 1, CONFIG_TEXT_MAX - 1, NULL, "FOLDER", NULL,
     "folder of the built page (default: web beside the program, else the installed one)"},
    {0},
};

static const struct option cluster_rows[] = {
    {"nats", "FLOCKD_NATS", OPTION_LIST, FIELD(nats), 8, CONFIG_TEXT_MAX - 1, &servers, "URL", NULL,
     "NATS servers through which several flockd share their rooms and viewers; may be repeated "
     "(default: one flockd alone)"},
    {"role", "FLOCKD_ROLE", OPTION_CHOICE, FIELD(role), 0, 0, &roles, NULL, "both",
     "with --nats, whether this node runs rooms (sim), serves viewers (edge) or both"},
    {"node", "FLOCKD_NODE", OPTION_TEXT, FIELD(node), 1, CONFIG_NODE_MAX, &nodes, "NAME", NULL,
     "with --nats, this node's name, which no other node may have (default: this machine's name)"},
    {"nats-prefix", "FLOCKD_NATS_PREFIX", OPTION_TEXT, FIELD(nats_prefix), 1, CONFIG_PREFIX_MAX,
     &prefixes, "NAME", "flock",
     "name of the cluster in NATS: nodes with the same name share their rooms"},
    {"nats-user", "FLOCKD_NATS_USER", OPTION_TEXT, FIELD(nats_user), 3, 255, &logins,
     "NAME:PASSWORD", NULL,
     "the node's name and password at NATS; other users of this machine may see the command line, "
     "so prefer the environment"},
    {"nats-creds", "FLOCKD_NATS_CREDS", OPTION_TEXT, FIELD(nats_creds), 1, CONFIG_TEXT_MAX - 1,
     NULL, "FILE", NULL, "the node's credentials at NATS, as nsc writes them"},
    {"nats-ca", "FLOCKD_NATS_CA", OPTION_TEXT, FIELD(nats_ca), 1, CONFIG_TEXT_MAX - 1, NULL, "FILE",
     NULL,
     "authorities of the NATS servers' certificates, in PEM; turns TLS on (default: the system's, "
     "for tls:// addresses)"},
    {"cluster-bind", "FLOCKD_CLUSTER_BIND", OPTION_TEXT, FIELD(cluster_bind), 3, 63, &endpoints,
     "ADDRESS:PORT", "127.0.0.1:0",
     "with --nats, where other nodes forward requests for rooms of this node: an address that they "
     "reach; port 0: a free one"},
    {"cluster-status", NULL, OPTION_FLAG, FIELD(cluster_status), 0, 0, NULL, NULL, NULL,
     "print the nodes, leases and rooms of the cluster, and end; needs --nats"},
    {0},
};

static const struct option other_rows[] = {
    {"admin-bind", "FLOCKD_ADMIN_BIND", OPTION_TEXT, FIELD(admin_bind), 3, 255, &admins,
     "ADDRESS:PORT", NULL,
     "serve /metrics and the details of /healthz only here, instead of on --port"},
    {"metrics-key", "FLOCKD_METRICS_KEY", OPTION_TEXT, FIELD(metrics_key), 8, PROTO_KEY_MAX,
     &options_key, "KEY", NULL,
     "key that /metrics and the details of /healthz require as Authorization: Bearer (default: no "
     "key)"},
    {"metrics-rooms", "FLOCKD_METRICS_ROOMS", OPTION_UINT, FIELD(metrics_rooms), 0, 1000, NULL, "N",
     "20", "the busiest rooms have metrics of their own; flockd adds up the others"},
    {"log-format", "FLOCKD_LOG_FORMAT", OPTION_CHOICE, FIELD(log_format), 0, 0, &log_formats, NULL,
     "text", "log lines for people (text) or for programs (json)"},
    {"audit-log", "FLOCKD_AUDIT_LOG", OPTION_TEXT, FIELD(audit_log), 1, CONFIG_TEXT_MAX - 1, NULL,
     "FILE", NULL,
     "file in which flockd records joins, leaves, refusals, wrong keys and changes, as JSON lines"},
    {"check-data", NULL, OPTION_TEXT, FIELD(check_data), 1, CONFIG_TEXT_MAX - 1, NULL, "FOLDER",
     NULL, "list the rooms saved in a folder and check them; exit 0 if all are sound"},
    {"healthcheck", NULL, OPTION_FLAG, FIELD(healthcheck), 0, 0, NULL, NULL, NULL,
     "ask the flockd at this address and port for its health; exit 0 if it is healthy"},
    {0},
};

/* Every option, by subject. */
static const struct options_group groups[] = {
    {"The flock", flock_options_table, offsetof(struct config, flock)},
    {NULL, flock_rows, 0},
    {"The cursors", cursor_rows, 0},
    {"Rooms", room_rows, 0},
    {"The network", network_rows, 0},
    {"The cluster", cluster_rows, 0},
    {"Everything else", other_rows, 0},
    {0},
};

static void print_notes(FILE *output)
{
    fputs("Each option can also be set in the environment as FLOCKD_ and its name, such as\n"
          "FLOCKD_TICK_RATE=60; the command line wins. SIGTERM or SIGINT ends flockd.\n",
          output);
}

static const struct options_program program = {
    .name = "flockd",
    .usage = "Usage: flockd [OPTION]...\n\n"
             "Moves flocks, one in each room. Browsers and terminals in a room see the same\n"
             "flock and steer it together with a shared cursor.\n",
    .groups = groups,
    .environment = true,
    .notes = print_notes,
};

/* Writes the default folder of the page: web beside the program, as `make` builds it, else where
 * `make install` puts it. */
static void default_web(char out[CONFIG_TEXT_MAX])
{
    char path[CONFIG_TEXT_MAX - 16];
    ssize_t size = readlink("/proc/self/exe", path, sizeof path - 1);

    if (size > 0) {
        path[size] = '\0';
        char *slash = strrchr(path, '/');
        if (slash != NULL) {
            *slash = '\0';
            snprintf(out, CONFIG_TEXT_MAX, "%s/web", path);
            if (access(out, F_OK) == 0) {
                return;
            }
        }
    }
    snprintf(out, CONFIG_TEXT_MAX, "%s/share/flockd/web", FLOCKD_PREFIX);
}

/* Writes the default name of this node: this machine's, with - for each other character. */
static void default_node(char out[CONFIG_NODE_MAX + 1])
{
    char host[256] = "";

    gethostname(host, sizeof host - 1);
    snprintf(out, CONFIG_NODE_MAX + 1, "%.*s", (int)CONFIG_NODE_MAX,
             host[0] != '\0' ? host : "node");
    for (char *at = out; *at != '\0'; at++) {
        *at = (char)tolower((unsigned char)*at);
        if (!islower((unsigned char)*at) && !isdigit((unsigned char)*at)) {
            *at = '-';
        }
    }
}

static uint32_t clamp(long value, long most)
{
    return (uint32_t)(value < 1 ? 1 : value > most ? most : value);
}

/* Fills in the options that were not given and depend on other options or on the machine. */
static void complete(struct config *config)
{
    long processors = sysconf(_SC_NPROCESSORS_ONLN);

    if (strcmp(config->data, "none") == 0) {
        config->data[0] = '\0';
    }
    if (config->snapshot_rate == 0) {
        config->snapshot_rate = config->tick_rate;
    }
    if (config->threads == 0) { /* one processor is for the network */
        config->threads = clamp(processors - 1, FLOCK_THREADS_MAX);
    }
    if (config->sim_threads == 0) {
        config->sim_threads = clamp(processors / 2, SIM_THREADS_MAX);
    }
    if (config->net_threads == 0) {
        /* Half of the processors: the kernel's part of the network takes about as much processor
         * time as flockd's, and the ticks need the other half. Eight threads fill a link of
         * 10 Gbit/s: each sends more than 100,000 snapshots of 2,400 bytes per second. */
        config->net_threads = clamp(processors / 2, 8);
    }
    for (size_t size = strlen(config->public_url); size > 0 && config->public_url[size - 1] == '/';
         size--) {
        config->public_url[size - 1] = '\0';
    }
    if (config->web[0] == '\0') {
        default_web(config->web);
    }
    if (config->node[0] == '\0') {
        default_node(config->node);
    }
}

/* Returns an error if a cluster needs an option that is missing, or forbids one that is there; else
 * NULL. */
static const char *cluster_fault(const struct config *config)
{
    if (config->cluster_status) {
        return config->nats[0] == '\0' ? "--cluster-status: expected --nats too, the cluster"
                                       : NULL;
    }
    if (config->nats[0] == '\0') {
        return config->role != CONFIG_ROLE_BOTH ? "--role: expected --nats too, the other nodes"
                                                : NULL;
    }
    if (config->data[0] != '\0') {
        return "--data: expected none with --nats, which keeps the rooms itself";
    }
    if (config->tls_cert[0] != '\0') {
        return "--tls-cert: not with --nats; put a proxy with https in front of the nodes";
    }
    if (config->replay[0] != '\0') {
        return "--replay: not with --nats; upload the recording as a room";
    }
    if (config->key[0] == '\0' && !config->open_controls) {
        return "--nats: expected --presenter-key too, the same on all nodes";
    }
    return NULL;
}

enum options_result config_parse(struct config *config, int argc, char **argv, FILE *output,
                                 FILE *errors)
{
    *config = (struct config){.flock = FLOCK_OPTIONS_NONE};
    enum options_result result = options_parse(&program, config, argc, argv, output, errors);
    if (result != OPTIONS_RUN) {
        return result;
    }
    const char *slash = argc > 0 ? strrchr(argv[0], '/') : NULL;
    if (slash != NULL) {
        snprintf(config->folder, sizeof config->folder, "%.*s", (int)(slash - argv[0] + 1),
                 argv[0]);
    }
    complete(config);
    if (config->snapshot_rate > config->tick_rate) {
        fprintf(
            errors,
            "flockd: --snapshot-rate: %u is more than the tick rate of %u; a tick makes at most "
            "one snapshot\n",
            config->snapshot_rate, config->tick_rate);
        return OPTIONS_ERROR;
    }
    if ((config->tls_cert[0] == '\0') != (config->tls_key[0] == '\0')) {
        fprintf(errors, "flockd: %s\n",
                config->tls_key[0] == '\0'
                    ? "--tls-cert: expected --tls-key too, the key of the certificate"
                    : "--tls-key: expected --tls-cert too, the certificate of the key");
        return OPTIONS_ERROR;
    }
    const char *fault = cluster_fault(config);
    if (fault != NULL) {
        fprintf(errors, "flockd: %s\n", fault);
        return OPTIONS_ERROR;
    }
    return OPTIONS_RUN;
}
