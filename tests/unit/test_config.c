/* The server's options as a user meets them: flags, the environment, the defaults, --help and the
 * line that a bad value gets. */
#include "config.h"
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
    {"client-bandwidth", "FLOCKD_CLIENT_BANDWIDTH", "20", "30"},
    {"total-bandwidth", "FLOCKD_TOTAL_BANDWIDTH", "2000", "3000"},
    {"port", "FLOCKD_PORT", "9000", "9001"},
    {"bind", "FLOCKD_BIND", "0.0.0.0", "::1"},
    {"max-clients", "FLOCKD_MAX_CLIENTS", "20", "30"},
    {"public-url", "FLOCKD_PUBLIC_URL", "https://a.example/flock", "http://10.0.0.1:8080"},
    {"web", "FLOCKD_WEB", "/srv/a", "/srv/b"},
    {"log-format", "FLOCKD_LOG_FORMAT", "json", "text"},
    {"audit-log", "FLOCKD_AUDIT_LOG", "/var/log/a", "/var/log/b"},
};

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

/* What the user would see of a parsed option, as a text. Returns storage of the next call. */
static const char *value_of(const struct config *config, const char *name)
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
        {"policy", cursor_policies[config->policy].word},
        {"idle", cursor_idles[config->idle].word},
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
        {"metrics-rooms", config->metrics_rooms},
        {"tick-rate", config->tick_rate},
        {"snapshot-rate", config->snapshot_rate},
        {"tick-limit", config->tick_limit},
        {"cursor-timeout", config->cursor_timeout},
        {"hello-timeout", config->hello_timeout},
        {"stall-timeout", config->stall_timeout},
        {"request-timeout", config->request_time},
        {"address-limit", config->address_limit},
        {"client-bandwidth", config->client_bandwidth},
        {"total-bandwidth", config->total_bandwidth},
        {"port", config->port},
        {"max-clients", config->max_clients},
        {"healthcheck", config->healthcheck},
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

static void parse(struct parsed *parsed, const char *const *arguments)
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

static void parsed_free(struct parsed *parsed)
{
    free(parsed->output);
    free(parsed->errors);
}

static void assert_value(const char *name, const char *expected, const char *const *arguments)
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

/* One line of bounded length, ended by its newline, of printable characters. */
static void assert_one_line(const char *text)
{
    size_t length = strlen(text);

    assert_in_range(length, 1, LINE_LIMIT);
    assert_ptr_equal(strchr(text, '\n'), text + length - 1);
    for (size_t i = 0; i + 1 < length; i++) {
        assert_in_range((unsigned char)text[i], 0x20, 0xfe);
        assert_int_not_equal(text[i], 0x7f);
    }
}

/* The line names what was wrong (an option or a variable), and what was expected. */
static void assert_refused(const char *names, const char *expected, const char *const *arguments)
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

static int clear_environment(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        unsetenv(cases[i].env);
    }
    return 0;
}

/* ---- good values */

static void test_defaults(void **state)
{
    static const char *const defaults[][2] = {{"boids", "0"},
                                              {"seed", "1"},
                                              {"tick-rate", "30"},
                                              {"policy", "mean"},
                                              {"idle", "wander"},
                                              {"snapshot-rate", "30"},
                                              {"tick-limit", "1"},
                                              {"port", "8080"},
                                              {"allow-origin", ""},
                                              {"cursor-timeout", "10"},
                                              {"hello-timeout", "10"},
                                              {"stall-timeout", "30"},
                                              {"request-timeout", "10"},
                                              {"healthcheck", "0"},
                                              {"bind", "127.0.0.1"},
                                              {"max-clients", "10000"},
                                              {"log-format", "text"},
                                              {"preset", ""},
                                              {"model", ""},
                                              {"boundary", ""},
                                              {"update", ""},
                                              {"world", "0x0"},
                                              {"presenter-key", ""},
                                              {"open-controls", "0"},
                                              {"rooms", "open"},
                                              {"room-idle", "3600"},
                                              {"max-rooms", "1000"},
                                              {"room-people", "0"},
                                              {"room-boids", "5000"},
                                              {"max-boids", "2000000"},
                                              {"rooms-per-hour", "60"},
                                              {"metrics-rooms", "20"}};

    (void)state;
    for (size_t i = 0; i < COUNT(defaults); i++) {
        assert_value(defaults[i][0], defaults[i][1], (const char *const[]){NULL});
    }
}

static void test_flags_in_both_forms(void **state)
{
    char flag[64];
    char joined[128];

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        snprintf(flag, sizeof flag, "--%s", cases[i].name);
        snprintf(joined, sizeof joined, "%s=%s", flag, cases[i].one);
        ASSERT_VALUE(cases[i].name, cases[i].one, flag, cases[i].one);
        ASSERT_VALUE(cases[i].name, cases[i].one, joined);
    }
    ASSERT_VALUE("healthcheck", "1", "--healthcheck");
}

static void test_environment_and_precedence(void **state)
{
    char flag[64];

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        snprintf(flag, sizeof flag, "--%s", cases[i].name);
        setenv(cases[i].env, cases[i].one, 1);
        assert_value(cases[i].name, cases[i].one, (const char *const[]){NULL});
        ASSERT_VALUE(cases[i].name, cases[i].other, flag, cases[i].other);
        unsetenv(cases[i].env);
    }
}

static void test_the_last_of_a_flag_wins(void **state)
{
    (void)state;
    ASSERT_VALUE("boids", "9", "--boids", "5", "--boids=9");
}

static void test_value_may_hold_an_equals_sign(void **state)
{
    (void)state;
    ASSERT_VALUE("web", "a=b", "--web=a=b");
    ASSERT_VALUE("allow-origin", "", "--allow-origin=");
    ASSERT_VALUE("allow-origin", "https://a.example,http://b.example:81",
                 "--allow-origin=https://a.example", "--allow-origin=http://b.example:81");
    ASSERT_VALUE("trusted-proxy", "10.0.0.0/8,::1", "--trusted-proxy=10.0.0.0/8",
                 "--trusted-proxy=::1");
    ASSERT_REFUSED("--trusted-proxy", "10.0.0.0/8", "--trusted-proxy=proxy.example");
    ASSERT_REFUSED("--admin-bind", "an address and a port", "--admin-bind=9090");
    ASSERT_REFUSED("--admin-bind", "an address and a port", "--admin-bind=localhost:70000");
    ASSERT_REFUSED("--host", "flock.example.org", "--host=http://a.example");
    ASSERT_REFUSED("--allow-origin", "https://example.org", "--allow-origin=a.example");
    ASSERT_VALUE("host", "a.example,b.example,c.example", "--host=a.example,b.example",
                 "--host=c.example");
}

static void test_snapshots_follow_the_tick_rate(void **state)
{
    (void)state;
    ASSERT_VALUE("snapshot-rate", "60", "--tick-rate", "60");
    ASSERT_VALUE("snapshot-rate", "15", "--tick-rate", "60", "--snapshot-rate", "15");
    ASSERT_VALUE("snapshot-rate", "60", "--tick-rate", "60", "--snapshot-rate", "60");
    ASSERT_REFUSED("--snapshot-rate: 61", "tick rate of 60", "--tick-rate", "60", "--snapshot-rate",
                   "61");
    ASSERT_REFUSED("--snapshot-rate: 31", "tick rate of 30", "--snapshot-rate", "31");
}

static void test_a_certificate_and_its_key_go_together(void **state)
{
    (void)state;
    ASSERT_VALUE("tls-cert", "", "--boids", "1");
    ASSERT_VALUE("tls-cert", "a.pem", "--tls-cert", "a.pem", "--tls-key", "b.pem");
    ASSERT_VALUE("tls-key", "b.pem", "--tls-cert", "a.pem", "--tls-key", "b.pem");
    ASSERT_REFUSED("--tls-cert", "expected --tls-key too", "--tls-cert", "a.pem");
    ASSERT_REFUSED("--tls-key", "expected --tls-cert too", "--tls-key", "b.pem");
}

static void test_default_web_is_a_folder(void **state)
{
    struct parsed parsed;

    (void)state;
    PARSE(&parsed, "--boids", "1");
    assert_true(strlen(parsed.config.web) > 4);
    assert_string_equal(parsed.config.web + strlen(parsed.config.web) - 4, "/web");
    parsed_free(&parsed);
}

/* ---- ranges */

static void test_range_edges(void **state)
{
    static const struct {
        const char *name, *min, *below, *max, *above, *range;
    } edges[] = {
        {"boids", "1", "0", "1000000", "1000001", "1-1000000"},
        {"seed", "0", "-1", "4294967295", "4294967296", "0-4294967295"},
        {"threads", "1", "0", "64", "65", "1-64"},
        {"sim-threads", "1", "0", "64", "65", "1-64"},
        {"net-threads", "1", "0", "64", "65", "1-64"},
        {"room-idle", "1", "0.999", "604800", "604800.1", "1-604800"},
        {"max-rooms", "1", "0", "100000", "100001", "1-100000"},
        {"room-people", "0", "-1", "100000", "100001", "0-100000"},
        {"room-boids", "1", "0", "1000000", "1000001", "1-1000000"},
        {"max-boids", "1", "0", "10000000", "10000001", "1-10000000"},
        {"rooms-per-hour", "1", "0", "100000", "100001", "1-100000"},
        {"metrics-rooms", "0", "-1", "1000", "1001", "0-1000"},
        {"tick-rate", "1", "0", "240", "241", "1-240"},
        {"cursor-timeout", "0.1", "0.09999", "86400", "86400.1", "0.1-86400"},
        {"hello-timeout", "1", "0.999", "3600", "3600.1", "1-3600"},
        {"stall-timeout", "1", "0.999", "3600", "3600.1", "1-3600"},
        {"address-limit", "0", "-1", "1000000", "1000001", "0-1000000"},
        {"request-timeout", "0.1", "0.09", "3600", "3600.1", "0.1-3600"},
        {"port", "0", "-1", "65535", "65536", "0-65535"},
        {"max-clients", "1", "0", "100000", "100001", "1-100000"},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(edges); i++) {
        char flag[64];
        snprintf(flag, sizeof flag, "--%s", edges[i].name);
        ASSERT_VALUE(edges[i].name, edges[i].min, flag, edges[i].min);
        ASSERT_VALUE(edges[i].name, edges[i].max, flag, edges[i].max);
        ASSERT_REFUSED(flag, edges[i].range, flag, edges[i].below);
        ASSERT_REFUSED(flag, edges[i].range, flag, edges[i].above);
    }
    ASSERT_VALUE("snapshot-rate", "1", "--snapshot-rate", "1");
    ASSERT_VALUE("snapshot-rate", "240", "--snapshot-rate", "240", "--tick-rate", "240");
    ASSERT_REFUSED("--snapshot-rate", "1-240", "--snapshot-rate", "0");
    ASSERT_REFUSED("--snapshot-rate", "1-240", "--snapshot-rate", "241");
}

static void test_worlds(void **state)
{
    static const char *const bad[] = {"",         "800",      "x",       "800x",     "x600",
                                      "15x600",   "800x15",   "800X600", "800x600x", "65537x600",
                                      "-800x600", "800 x600", "nanx600", "infx600",  "1e9x600"};

    (void)state;
    ASSERT_VALUE("world", "16x65536", "--world", "16x65536");
    for (size_t i = 0; i < COUNT(bad); i++) {
        ASSERT_REFUSED("--world", "' is not WxH, each 16-65536", "--world", bad[i]);
    }
}

static void test_settings_add_up(void **state)
{
    struct parsed parsed;
    char many[FLOCK_OPTIONS_SET_MAX];

    (void)state;
    setenv("FLOCKD_SET", "a=1", 1);
    PARSE(&parsed, "--set", "b=2,c=3", "--set=d=4");
    assert_string_equal(parsed.config.flock.set, "a=1,b=2,c=3,d=4");
    parsed_free(&parsed);
    unsetenv("FLOCKD_SET");
    memset(many, 'x', sizeof many - 1);
    many[sizeof many - 1] = '\0';
    ASSERT_VALUE("seed", "1", "--set", many);
    ASSERT_REFUSED("--set", "3-1023 bytes", "--set", many, "--set", "a=1");
}

static void test_flags_in_the_environment(void **state)
{
    (void)state;
    setenv("FLOCKD_OPEN_CONTROLS", "1", 1);
    ASSERT_VALUE("open-controls", "1", "--port", "0");
    setenv("FLOCKD_OPEN_CONTROLS", "0", 1);
    ASSERT_VALUE("open-controls", "0", "--port", "0");
    ASSERT_VALUE("open-controls", "1", "--open-controls");
    setenv("FLOCKD_OPEN_CONTROLS", "yes", 1);
    ASSERT_REFUSED("FLOCKD_OPEN_CONTROLS", "one of 0|1", "--port", "0");
    unsetenv("FLOCKD_OPEN_CONTROLS");
}

static void test_keys(void **state)
{
    static const char *const bad[] = {"short", "UPPERCASE", "with space", "control\n"};
    struct parsed parsed;

    (void)state;
    for (size_t i = 0; i < COUNT(bad); i++) {
        ASSERT_REFUSED("--presenter-key", ": expected 8-64 of a-z, 0-9 and -;", "--presenter-key",
                       bad[i]);
        PARSE(&parsed, "--presenter-key", bad[i]);
        assert_null(strstr(parsed.errors, bad[i])); /* it may be nearly the right one */
        parsed_free(&parsed);
    }
}

static void test_public_url(void **state)
{
    static const char *const good[] = {"http://a.bc", "https://example.org:8443/some/where",
                                       "http://[fd00::2]:8080"};
    static const char *const bad[] = {"example.org",
                                      "ftp://example.org",
                                      "https://",
                                      "https:///flock",
                                      "https://example.org/?a",
                                      "https://example.org/#a",
                                      "https://example.org/\"",
                                      "https://exam ple.org"};

    (void)state;
    for (size_t i = 0; i < COUNT(good); i++) {
        ASSERT_VALUE("public-url", good[i], "--public-url", good[i]);
    }
    for (size_t i = 0; i < COUNT(bad); i++) {
        ASSERT_REFUSED("--public-url", "http:// or https://", "--public-url", bad[i]);
    }
    /* The paths of rooms are put after it. */
    ASSERT_VALUE("public-url", "https://example.org/flock", "--public-url",
                 "https://example.org/flock//");
}

static void test_text_lengths(void **state)
{
    static const struct {
        const char *name;
        size_t min, max;
        const char *range;
    } lengths[] = {{"bind", 1, 255, "1-255 bytes"},
                   {"web", 1, 1023, "1-1023 bytes"},
                   {"audit-log", 1, 1023, "1-1023 bytes"}};
    char value[1100];

    (void)state;
    for (size_t i = 0; i < COUNT(lengths); i++) {
        char flag[64];
        snprintf(flag, sizeof flag, "--%s", lengths[i].name);
        memset(value, 'x', sizeof value);
        value[lengths[i].max + 1] = '\0';
        ASSERT_REFUSED(flag, lengths[i].range, flag, value);
        value[lengths[i].max] = '\0';
        ASSERT_VALUE(lengths[i].name, value, flag, value);
        value[lengths[i].min] = '\0';
        ASSERT_VALUE(lengths[i].name, value, flag, value);
        if (lengths[i].min > 0) {
            ASSERT_REFUSED(flag, lengths[i].range, flag, "");
        }
    }
}

/* ---- hostile values */

static const char *const hostile[] = {"",
                                      " ",
                                      " 5",
                                      "5 ",
                                      "\t5",
                                      "0x10",
                                      "-1",
                                      "nan",
                                      "NaN",
                                      "inf",
                                      "-inf",
                                      "1e999",
                                      "5.5.5",
                                      "--help=",
                                      "\x1b[31m5",
                                      "5\n6",
                                      "\x7f",
                                      "五",
                                      "1,5",
                                      "$(id)",
                                      "%s%n",
                                      "18446744073709551617",
                                      "00000000000000000000001"};

static void test_hostile_numbers(void **state)
{
    static const char *const whole[] = {"boids", "seed",        "tick-rate", "snapshot-rate",
                                        "port",  "max-clients", NULL};
    static const char *const only_whole[] = {"1e9", "1e2", "+5", "5.0", "5e0"};
    char flag[64];
    char joined[256];

    (void)state;
    for (size_t option = 0; whole[option] != NULL; option++) {
        snprintf(flag, sizeof flag, "--%s", whole[option]);
        for (size_t i = 0; i < COUNT(only_whole); i++) {
            ASSERT_REFUSED(flag, "a whole number in ", flag, only_whole[i]);
        }
        for (size_t i = 0; i < COUNT(hostile); i++) {
            snprintf(joined, sizeof joined, "%s=%s", flag, hostile[i]);
            ASSERT_REFUSED(flag, "a whole number in ", flag, hostile[i]);
            ASSERT_REFUSED(flag, "a whole number in ", joined);
        }
    }
    for (size_t i = 0; i + 1 < COUNT(hostile); i++) { /* the last one is a number: 1 */
        ASSERT_REFUSED("--cursor-timeout", "0.1-86400", "--cursor-timeout", hostile[i]);
    }
    ASSERT_REFUSED("--cursor-timeout", "0.1-86400", "--cursor-timeout", "1e9");
    ASSERT_VALUE("cursor-timeout", "0.5", "--cursor-timeout", ".5");
}

static void test_hostile_words(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(hostile); i++) {
        ASSERT_REFUSED("--policy", "one of mean|latest|nearest|presenter", "--policy", hostile[i]);
        ASSERT_REFUSED("--idle", "one of wander|hold", "--idle", hostile[i]);
        ASSERT_REFUSED("--log-format", "one of text|json", "--log-format", hostile[i]);
    }
    ASSERT_REFUSED("--bind", "1-255 bytes without control characters", "--bind", "0.0.0.0\r");
    ASSERT_REFUSED("--web", "1-1023 bytes without control characters", "--web", "a\x7f");
    ASSERT_REFUSED("--policy", "one of mean|latest|nearest|presenter", "--policy", "MEAN");
    ASSERT_REFUSED("--policy", "one of mean|latest|nearest|presenter", "--policy", "mean|latest");
}

static void test_hostile_environment(void **state)
{
    char value[10241];

    (void)state;
    memset(value, 'A', sizeof value - 1);
    value[sizeof value - 1] = '\0';
    for (size_t i = 0; i < COUNT(cases); i++) {
        setenv(cases[i].env, value, 1);
        ASSERT_REFUSED(cases[i].env, "", NULL);
        unsetenv(cases[i].env);
    }
    setenv("FLOCKD_BOIDS", "many\nflockd: listening", 1);
    ASSERT_REFUSED("FLOCKD_BOIDS: 'many\\u000aflockd: listening'", "1-1000000", NULL);
}

/* As where a variable is handed on that may not be set. */
static void test_empty_variables_are_not_set(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        setenv(cases[i].env, "", 1);
    }
    setenv("FLOCKD_OPEN_CONTROLS", "", 1);
    ASSERT_VALUE("tick-rate", "30", "--port", "0");
    ASSERT_VALUE("boids", "0", "--port", "0");
    ASSERT_VALUE("open-controls", "0", "--port", "0");
    unsetenv("FLOCKD_OPEN_CONTROLS");
}

static void test_huge_values(void **state)
{
    char value[10241];

    (void)state;
    for (int byte = 1; byte < 256; byte++) { /* of digits, control characters, broken UTF-8 */
        memset(value, byte, sizeof value - 1);
        value[sizeof value - 1] = '\0';
        ASSERT_REFUSED("--boids", "1-1000000", "--boids", value);
        ASSERT_REFUSED("--web", "1-1023 bytes", "--web", value);
        ASSERT_REFUSED("--policy", "mean|latest", "--policy", value);
        ASSERT_REFUSED("unknown option '", "--help", value);
    }
}

static void test_message_shows_the_value(void **state)
{
    (void)state;
    ASSERT_REFUSED("'\\u001b[31mred'", "1-1000000", "--boids", "\x1b[31mred");
    ASSERT_REFUSED("'\\ufffd\\ufffd'", "1-1000000", "--boids", "\xff\xc3");
    ASSERT_REFUSED("'zwölf'", "1-1000000", "--boids", "zwölf");
    /* U+2029 would end the line. */
    ASSERT_REFUSED("'\\u20295'", "1-1000000", "--boids",
                   "\xe2\x80\xa9"
                   "5");
}

/* ---- the command line */

static void test_unknown_options(void **state)
{
    static const char *const unknown[] = {"--bird",  "--boid",   "--boidss", "-boids", "boids", "",
                                          "-",       "--",       "--=",      "--=5",   "-h",    "5",
                                          "--BOIDS", "--boids ", "--\n",     "--helpp"};

    (void)state;
    for (size_t i = 0; i < COUNT(unknown); i++) {
        ASSERT_REFUSED("unknown option '", "see flockd --help", unknown[i]);
    }
    ASSERT_REFUSED("unknown option '5'", "see flockd --help", "--boids", "5", "5");
}

static void test_missing_and_unwanted_values(void **state)
{
    char flag[64];

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        snprintf(flag, sizeof flag, "--%s", cases[i].name);
        ASSERT_REFUSED(flag, "a value is missing", flag);
    }
    ASSERT_REFUSED("--healthcheck", "takes no value", "--healthcheck=yes");
    ASSERT_REFUSED("unknown option 'yes'", "--help", "--healthcheck", "yes");
}

static void test_help_lists_every_option(void **state)
{
    struct parsed parsed;
    char text[128];

    (void)state;
    PARSE(&parsed, "--help");
    assert_int_equal(parsed.result, OPTIONS_DONE);
    assert_string_equal(parsed.errors, "");
    for (size_t i = 0; i < COUNT(cases); i++) {
        snprintf(text, sizeof text, "\n  --%s ", cases[i].name);
        assert_non_null(strstr(parsed.output, text));
    }
    assert_non_null(strstr(parsed.output, "\n  --healthcheck "));
    assert_non_null(strstr(parsed.output, "\n  --help "));
    assert_non_null(strstr(parsed.output, "\n  --version "));
    assert_non_null(strstr(parsed.output, "\n  --set "));
    assert_non_null(strstr(parsed.output, "\n  --open-controls "));
    assert_non_null(strstr(parsed.output, "1-240 (default: 30)\n"));
    parsed_free(&parsed);
}

static void test_help_needs_nothing_else_to_be_right(void **state)
{
    static const char *const questions[] = {"--help", "--help-table", "--version"};
    struct parsed parsed;

    (void)state;
    setenv("FLOCKD_PORT", "nonsense", 1);
    for (size_t i = 0; i < COUNT(questions); i++) {
        PARSE(&parsed, "--boids", "none", questions[i]);
        assert_int_equal(parsed.result, OPTIONS_DONE);
        assert_string_equal(parsed.errors, "");
        assert_true(strlen(parsed.output) > 0);
        parsed_free(&parsed);
    }
}

static void test_version(void **state)
{
    struct parsed parsed;

    (void)state;
    PARSE(&parsed, "--version");
    assert_int_equal(parsed.result, OPTIONS_DONE);
    assert_string_equal(parsed.output, "flockd " FLOCKD_VERSION "\n");
    parsed_free(&parsed);
}

/* Each line is a row of as many cells as the heading; each option and its variable have one. */
static void test_help_table_is_a_table(void **state)
{
    struct parsed parsed;
    char text[128];
    size_t rows = 0;

    (void)state;
    PARSE(&parsed, "--help-table");
    assert_int_equal(parsed.result, OPTIONS_DONE);
    for (const char *line = parsed.output; *line != '\0'; rows++) {
        size_t length = strcspn(line, "\n");
        size_t bars = 0;
        assert_int_equal(line[length], '\n');
        for (size_t i = 0; i < length; i++) {
            bars += line[i] == '|';
        }
        assert_int_equal(bars, 6);
        assert_memory_equal(line, "| ", 2);
        assert_memory_equal(line + length - 2, " |", 2);
        line += length + 1;
    }
    assert_int_equal(rows, COUNT(cases) + 11);
    for (size_t i = 0; i < COUNT(cases); i++) {
        snprintf(text, sizeof text, "\n| `--%s", cases[i].name);
        assert_non_null(strstr(parsed.output, text));
        snprintf(text, sizeof text, "| `%s` |", cases[i].env);
        assert_non_null(strstr(parsed.output, text));
    }
    parsed_free(&parsed);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup(name, clear_environment)
    const struct CMUnitTest tests[] = {
        TEST(test_defaults),
        TEST(test_flags_in_both_forms),
        TEST(test_environment_and_precedence),
        TEST(test_the_last_of_a_flag_wins),
        TEST(test_value_may_hold_an_equals_sign),
        TEST(test_snapshots_follow_the_tick_rate),
        TEST(test_a_certificate_and_its_key_go_together),
        TEST(test_default_web_is_a_folder),
        TEST(test_range_edges),
        TEST(test_worlds),
        TEST(test_settings_add_up),
        TEST(test_flags_in_the_environment),
        TEST(test_keys),
        TEST(test_public_url),
        TEST(test_text_lengths),
        TEST(test_hostile_numbers),
        TEST(test_hostile_words),
        TEST(test_hostile_environment),
        TEST(test_empty_variables_are_not_set),
        TEST(test_huge_values),
        TEST(test_message_shows_the_value),
        TEST(test_unknown_options),
        TEST(test_missing_and_unwanted_values),
        TEST(test_help_lists_every_option),
        TEST(test_help_needs_nothing_else_to_be_right),
        TEST(test_version),
        TEST(test_help_table_is_a_table),
    };
    return cmocka_run_group_tests_name("config", tests, NULL, NULL);
}
