/* The server's configuration: one table of options (config.c) serves the command line, the FLOCKD_…
 * environment variables, validation, --help and docs/options.md. */
#ifndef CONFIG_H
#define CONFIG_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/ip.h"
#include "base/log.h"
#include "base/options.h"
#include "base/tries.h"
#include "config/flock_options.h"
#include "protocol.h"
#include "scene/cursor.h"

#define CONFIG_TEXT_MAX      1024
#define CONFIG_TRANSFERS_MAX 64

/* The clients that may create rooms. */
enum config_rooms { CONFIG_ROOMS_OPEN, CONFIG_ROOMS_PRESENTER, CONFIG_ROOMS_OFF };

/* The role of a node of a cluster: it has rooms (sim), viewers (edge), or both. */
enum config_role { CONFIG_ROLE_BOTH, CONFIG_ROLE_SIM, CONFIG_ROLE_EDGE };

#define CONFIG_NODE_MAX   32u /* bytes of a node's name */
#define CONFIG_PREFIX_MAX 32u

struct config {
    char folder[CONFIG_TEXT_MAX]; /* folder of the flockd that was called, up to the last slash, or
                                     "" */
    struct flock_options flock;   /* the lobby's flock */
    uint32_t threads;             /* threads that share a tick, for each sim thread */
    uint32_t sim_threads;         /* threads that tick rooms */
    uint32_t tick_rate;           /* Hz */
    double tick_limit;            /* s */
    uint32_t snapshot_rate;       /* Hz, 1 to tick_rate */
    enum cursor_policy policy;
    enum cursor_idle idle;
    double cursor_timeout; /* s */
    uint32_t seed;
    bool open_controls;
    char key[CONFIG_TEXT_MAX];
    enum config_rooms rooms;
    double room_idle;           /* s */
    uint32_t max_rooms;         /* at the same time, including the lobby */
    uint32_t room_people;       /* in a room; 0: as many as max_clients */
    uint32_t room_boids;        /* in a created room */
    uint32_t max_boids;         /* in all rooms */
    uint32_t rooms_per_hour;    /* rooms that one address may create */
    char data[CONFIG_TEXT_MAX]; /* folder of the saved rooms; "": rooms are not saved */
    double checkpoint_interval; /* s */
    double rewind;              /* s */
    uint32_t rewind_memory;     /* MiB */
    uint32_t room_memory;       /* MiB */
    uint32_t max_transfers; /* recordings that are sent at the same time, and as many received */
    char replay[CONFIG_TEXT_MAX];     /* a recording that the lobby plays, or "" */
    char check_data[CONFIG_TEXT_MAX]; /* folder that --check-data checks, or "" */
    uint32_t port;
    char bind[CONFIG_TEXT_MAX];
    char public_url[256]; /* address of the page's root, without a slash at its end; "": none */
    char web[CONFIG_TEXT_MAX];
    char hosts[CONFIG_TEXT_MAX];    /* separated by commas, like the next */
    char tls_cert[CONFIG_TEXT_MAX]; /* a path; "": no TLS */
    char tls_key[CONFIG_TEXT_MAX];  /* a path, if tls_cert is set */
    char allow_origin[CONFIG_TEXT_MAX];
    char trusted_proxies[CONFIG_TEXT_MAX]; /* ranges, separated by commas */
    uint32_t address_limit;    /* connections per second from one address; 0: no limit */
    struct tries_limits tries; /* limits of wrong keys */
    uint32_t client_bandwidth, total_bandwidth; /* kB/s; 0: no limit */
    uint32_t max_clients;
    uint32_t
        net_threads; /* threads that serve clients, each with its own loop and listening socket */
    double hello_timeout;                /* s */
    double stall_timeout;                /* s */
    double request_time;                 /* s for a whole request */
    char admin_bind[CONFIG_TEXT_MAX];    /* address:port of the metrics; "": bind and port */
    char metrics_key[PROTO_KEY_MAX + 1]; /* "": metrics need no key */
    uint32_t metrics_rooms;              /* rooms that have metrics of their own */
    char audit_log[CONFIG_TEXT_MAX];
    enum log_format log_format;
    bool healthcheck;
    char nats[CONFIG_TEXT_MAX]; /* URLs of NATS servers, separated by commas; "": no cluster */
    enum config_role role;
    char node[CONFIG_NODE_MAX + 1]; /* this node's name: a–z, 0–9 and - */
    char nats_prefix[CONFIG_PREFIX_MAX + 1];
    char nats_user[CONFIG_TEXT_MAX];    /* NAME:PASSWORD; "": none */
    char nats_creds[CONFIG_TEXT_MAX];   /* a path; "": none */
    char nats_ca[CONFIG_TEXT_MAX];      /* a path; "": none */
    char cluster_bind[CONFIG_TEXT_MAX]; /* address:port where nodes forward requests */
    bool cluster_status;
};

#define CONFIG_PROXIES_MAX 16u

/* Reads ranges separated by commas. Returns their number; 0: a range is invalid, or there are too
 * many. */
size_t config_ranges(const char *text, struct ip_range ranges[CONFIG_PROXIES_MAX]);

/* Fills *config from the defaults, then the environment, then the command line. */
enum options_result config_parse(struct config *config, int argc, char **argv, FILE *output,
                                 FILE *errors);

#endif
