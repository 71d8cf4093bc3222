/* Every option of the server with two good values, and a parser like main()'s. */
#ifndef CONFIG_CASES_H
#define CONFIG_CASES_H

#include "config/config.h"
#include "sim/flock.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define ARGUMENTS_MAX 8
#define LINE_LIMIT    400 /* bytes that a line about a bad value may have */

struct parsed {
    struct config config;
    enum options_result result;
    char *output;
    char *errors;
};

/* Each row is an option with two good values, other than its default. */
static const struct option_case {
    const char *name, *env, *one, *other;
} cases[] = {
    {"preset", "FLOCKD_PRESET", "bees", "march"},
    {"model", "FLOCKD_MODEL", "boids", "birds"},
    {"boids", "FLOCKD_BOIDS", "200", "300"},
    {"world", "FLOCKD_WORLD", "800x600", "100.5x16"},
    {"boundary", "FLOCKD_BOUNDARY", "wrap", "walls"},
    {"update", "FLOCKD_UPDATE", "synchronous", "sequential"},
    {"presenter-key", "FLOCKD_PRESENTER_KEY", "abcdefgh", "0123456789-z"},
    {"seed", "FLOCKD_SEED", "7", "8"},
    {"threads", "FLOCKD_THREADS", "3", "4"},
    {"sim-threads", "FLOCKD_SIM_THREADS", "3", "4"},
    {"net-threads", "FLOCKD_NET_THREADS", "3", "4"},
    {"rooms", "FLOCKD_ROOMS", "presenter", "off"},
    {"room-idle", "FLOCKD_ROOM_IDLE", "2.5", "60"},
    {"max-rooms", "FLOCKD_MAX_ROOMS", "3", "4"},
    {"room-people", "FLOCKD_ROOM_PEOPLE", "3", "4"},
    {"room-boids", "FLOCKD_ROOM_BOIDS", "300", "400"},
    {"max-boids", "FLOCKD_MAX_BOIDS", "300", "400"},
    {"rooms-per-hour", "FLOCKD_ROOMS_PER_HOUR", "3", "4"},
    {"data", "FLOCKD_DATA", "/srv/a", "/srv/b"},
    {"checkpoint-interval", "FLOCKD_CHECKPOINT_INTERVAL", "2.5", "60"},
    {"rewind", "FLOCKD_REWIND", "0", "3600"},
    {"rewind-memory", "FLOCKD_REWIND_MEMORY", "64", "1024"},
    {"room-memory", "FLOCKD_ROOM_MEMORY", "32", "256"},
    {"max-transfers", "FLOCKD_MAX_TRANSFERS", "3", "4"},
    {"replay", "FLOCKD_REPLAY", "a.flock", "b.flock"},
    {"metrics-key", "FLOCKD_METRICS_KEY", "abcdefgh", "0123456789-z"},
    {"metrics-rooms", "FLOCKD_METRICS_ROOMS", "3", "4"},
    {"tick-rate", "FLOCKD_TICK_RATE", "60", "120"},
    {"snapshot-rate", "FLOCKD_SNAPSHOT_RATE", "10", "20"},
    {"tick-limit", "FLOCKD_TICK_LIMIT", "2.5", "0.001"},
    {"policy", "FLOCKD_POLICY", "latest", "mean"},
    {"idle", "FLOCKD_IDLE", "hold", "wander"},
    {"cursor-timeout", "FLOCKD_CURSOR_TIMEOUT", "2.5", "3.5"},
    {"hello-timeout", "FLOCKD_HELLO_TIMEOUT", "2.5", "60"},
    {"stall-timeout", "FLOCKD_STALL_TIMEOUT", "2.5", "60"},
    {"request-timeout", "FLOCKD_REQUEST_TIMEOUT", "2.5", "60"},
    {"admin-bind", "FLOCKD_ADMIN_BIND", "127.0.0.1:9090", "[::1]:1"},
    {"address-limit", "FLOCKD_ADDRESS_LIMIT", "20", "0"},
    {"key-tries", "FLOCKD_KEY_TRIES", "20", "3"},
    {"address-key-tries", "FLOCKD_ADDRESS_KEY_TRIES", "20", "3"},
    {"total-key-tries", "FLOCKD_TOTAL_KEY_TRIES", "20", "3"},
    {"client-bandwidth", "FLOCKD_CLIENT_BANDWIDTH", "20", "30"},
    {"total-bandwidth", "FLOCKD_TOTAL_BANDWIDTH", "2000", "3000"},
    {"port", "FLOCKD_PORT", "9000", "9001"},
    {"bind", "FLOCKD_BIND", "0.0.0.0", "::1"},
    {"max-clients", "FLOCKD_MAX_CLIENTS", "20", "30"},
    {"public-url", "FLOCKD_PUBLIC_URL", "https://a.example/flock", "http://10.0.0.1:8080"},
    {"web", "FLOCKD_WEB", "/srv/a", "/srv/b"},
    {"log-format", "FLOCKD_LOG_FORMAT", "json", "text"},
    {"audit-log", "FLOCKD_AUDIT_LOG", "/var/log/a", "/var/log/b"},
    {"node", "FLOCKD_NODE", "sim-1", "edge2"},
    {"nats-prefix", "FLOCKD_NATS_PREFIX", "school", "flock2"},
    {"nats-user", "FLOCKD_NATS_USER", "sim:secret", "edge:a:b"},
    {"nats-creds", "FLOCKD_NATS_CREDS", "/etc/a.creds", "b.creds"},
    {"nats-ca", "FLOCKD_NATS_CA", "/etc/a.pem", "b.pem"},
    {"cluster-bind", "FLOCKD_CLUSTER_BIND", "10.0.0.2:8081", "[::1]:0"},
};

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

/* Returns a parsed option's value as text, in storage of the next call. */
static inline const char *value_of(const struct config *config, const char *name)
{
    static char text[CONFIG_TEXT_MAX];
    static char world[64];
    static const char *const boundaries[] = {"open", "wrap", "walls"};
    static const char *const updates[] = {"synchronous", "sequential"};
    static const char *const rooms[] = {"open", "presenter", "off"};
    const struct flock_options *flock = &config->flock;
    const struct {
        const char *name, *value;
    } texts[] = {
        {"preset", flock->preset == OPTIONS_NONE ? "" : flock_presets[flock->preset].name},
        {"model", flock->model == OPTIONS_NONE ? "" : flock_models[flock->model]->name},
        {"world", world},
        {"boundary", flock->boundary == OPTIONS_NONE ? "" : boundaries[flock->boundary]},
        {"update", flock->update == OPTIONS_NONE ? "" : updates[flock->update]},
        {"rooms", rooms[config->rooms]},
        {"presenter-key", config->key},
        {"policy", cursor_policies[config->policy].name},
        {"idle", cursor_idles[config->idle].name},
        {"bind", config->bind},
        {"allow-origin", config->allow_origin},
        {"host", config->hosts},
        {"admin-bind", config->admin_bind},
        {"metrics-key", config->metrics_key},
        {"trusted-proxy", config->trusted_proxies},
        {"public-url", config->public_url},
        {"web", config->web},
        {"data", config->data},
        {"replay", config->replay},
        {"tls-cert", config->tls_cert},
        {"tls-key", config->tls_key},
        {"log-format", config->log_format == LOG_FORMAT_JSON ? "json" : "text"},
        {"audit-log", config->audit_log},
        {"nats", config->nats},
        {"node", config->node},
        {"nats-prefix", config->nats_prefix},
        {"nats-user", config->nats_user},
        {"nats-creds", config->nats_creds},
        {"nats-ca", config->nats_ca},
        {"cluster-bind", config->cluster_bind},
    };
    const struct {
        const char *name;
        double value;
    } numbers[] = {
        {"boids", flock->boids},
        {"seed", config->seed},
        {"threads", config->threads},
        {"sim-threads", config->sim_threads},
        {"net-threads", config->net_threads},
        {"room-idle", config->room_idle},
        {"max-rooms", config->max_rooms},
        {"room-people", config->room_people},
        {"room-boids", config->room_boids},
        {"max-boids", config->max_boids},
        {"rooms-per-hour", config->rooms_per_hour},
        {"checkpoint-interval", config->checkpoint_interval},
        {"rewind", config->rewind},
        {"rewind-memory", config->rewind_memory},
        {"room-memory", config->room_memory},
        {"max-transfers", config->max_transfers},
        {"metrics-rooms", config->metrics_rooms},
        {"tick-rate", config->tick_rate},
        {"snapshot-rate", config->snapshot_rate},
        {"tick-limit", config->tick_limit},
        {"cursor-timeout", config->cursor_timeout},
        {"hello-timeout", config->hello_timeout},
        {"stall-timeout", config->stall_timeout},
        {"request-timeout", config->request_time},
        {"address-limit", config->address_limit},
        {"key-tries", config->tries.connection},
        {"address-key-tries", config->tries.address},
        {"total-key-tries", config->tries.all},
        {"client-bandwidth", config->client_bandwidth},
        {"total-bandwidth", config->total_bandwidth},
        {"port", config->port},
        {"max-clients", config->max_clients},
        {"healthcheck", config->healthcheck},
        {"cluster-status", config->cluster_status},
        {"open-controls", config->open_controls},
    };

    snprintf(world, sizeof world, "%gx%g", (double)flock->world.width, (double)flock->world.height);

    for (size_t i = 0; i < COUNT(texts); i++) {
        if (strcmp(texts[i].name, name) == 0) {
            return texts[i].value;
        }
    }
    for (size_t i = 0; i < COUNT(numbers); i++) {
        if (strcmp(numbers[i].name, name) == 0) {
            snprintf(text, sizeof text, "%.10g", numbers[i].value);
            return text;
        }
    }
    fail_msg("no option %s", name);
    return NULL;
}

static inline void parse(struct parsed *parsed, const char *const *arguments)
{
    char *argv[ARGUMENTS_MAX + 1] = {(char[]){"flockd"}};
    size_t output_size;
    size_t errors_size;
    FILE *output = open_memstream(&parsed->output, &output_size);
    FILE *errors = open_memstream(&parsed->errors, &errors_size);
    int argc = 1;

    assert_non_null(output);
    assert_non_null(errors);
    for (; arguments[argc - 1] != NULL; argc++) {
        assert_in_range(argc, 1, ARGUMENTS_MAX - 1);
        argv[argc] = strdup(arguments[argc - 1]);
        assert_non_null(argv[argc]);
    }
    memset(&parsed->config, 0xa5, sizeof parsed->config);
    parsed->result = config_parse(&parsed->config, argc, argv, output, errors);
    fclose(output);
    fclose(errors);
    while (--argc > 0) {
        free(argv[argc]);
    }
}

#define PARSE(parsed, ...) parse(parsed, (const char *const[]){__VA_ARGS__, NULL})

static inline void parsed_free(struct parsed *parsed)
{
    free(parsed->output);
    free(parsed->errors);
}

static inline void assert_value(const char *name, const char *expected,
                                const char *const *arguments)
{
    struct parsed parsed;

    parse(&parsed, arguments);
    assert_string_equal(parsed.errors, "");
    assert_int_equal(parsed.result, OPTIONS_RUN);
    assert_string_equal(value_of(&parsed.config, name), expected);
    parsed_free(&parsed);
}

#define ASSERT_VALUE(name, expected, ...)                                                          \
    assert_value(name, expected, (const char *const[]){__VA_ARGS__, NULL})

/* Asserts one line of bounded length with printable characters and a newline at its end. */
static inline void assert_one_line(const char *text)
{
    size_t length = strlen(text);

    assert_in_range(length, 1, LINE_LIMIT);
    assert_ptr_equal(strchr(text, '\n'), text + length - 1);
    for (size_t i = 0; i + 1 < length; i++) {
        assert_in_range((unsigned char)text[i], 0x20, 0xfe);
        assert_int_not_equal(text[i], 0x7f);
    }
}

/* Asserts that the line names the wrong option or variable and the expected values. */
static inline void assert_refused(const char *names, const char *expected,
                                  const char *const *arguments)
{
    struct parsed parsed;

    parse(&parsed, arguments);
    assert_int_equal(parsed.result, OPTIONS_ERROR);
    assert_string_equal(parsed.output, "");
    assert_one_line(parsed.errors);
    if (strstr(parsed.errors, names) == NULL || strstr(parsed.errors, expected) == NULL) {
        fail_msg("expected '%s' and '%s' in: %s", names, expected, parsed.errors);
    }
    parsed_free(&parsed);
}

#define ASSERT_REFUSED(names, expected, ...)                                                       \
    assert_refused(names, expected, (const char *const[]){__VA_ARGS__, NULL})

static inline int clear_environment(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        unsetenv(cases[i].env);
    }
    return 0;
}

#endif
