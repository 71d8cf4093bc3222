/* The server's options: flags, the environment, defaults and ranges. */
#include "config_cases.h"

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
                                              {"cluster-status", "0"},
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
                                              {"max-transfers", "32"},
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

/* Without a folder, rooms are not saved. */
static void test_a_folder_called_none_is_none(void **state)
{
    (void)state;
    ASSERT_VALUE("data", "", "--data", "none");
    ASSERT_VALUE("data", "./none", "--data", "./none");
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
        {"max-transfers", "1", "0", "64", "65", "1-64"},
        {"metrics-rooms", "0", "-1", "1000", "1001", "0-1000"},
        {"tick-rate", "1", "0", "240", "241", "1-240"},
        {"cursor-timeout", "0.1", "0.09999", "86400", "86400.1", "0.1-86400"},
        {"hello-timeout", "1", "0.999", "3600", "3600.1", "1-3600"},
        {"stall-timeout", "1", "0.999", "3600", "3600.1", "1-3600"},
        {"key-tries", "1", "0", "1000", "1001", "1-1000"},
        {"address-key-tries", "1", "0", "100000", "100001", "1-100000"},
        {"total-key-tries", "1", "0", "1000000", "1000001", "1-1000000"},
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
        assert_null(strstr(parsed.errors, bad[i])); /* may be close to the right one */
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
    /* The server appends the paths of rooms. */
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

static void test_cluster(void **state)
{
    (void)state;
    ASSERT_VALUE("nats", "nats://10.0.0.2:4222,tls://[::1]:4222", "--nats", "nats://10.0.0.2:4222",
                 "--nats", "tls://[::1]:4222", "--presenter-key", "abcdefgh");
    ASSERT_VALUE("nats-prefix", "flock", "--nats", "nats://a", "--open-controls");
    ASSERT_REFUSED("--nats", "nats://10.0.0.2:4222", "--nats", "10.0.0.2:4222");
    ASSERT_REFUSED("--nats", "nats://10.0.0.2:4222", "--nats", "nats://a b");
    ASSERT_REFUSED("--nats", "expected --presenter-key too", "--nats", "nats://a");
    ASSERT_REFUSED("--role", "expected --nats too", "--role", "sim");
    ASSERT_REFUSED("--role", "both|sim|edge", "--role", "hub");
    ASSERT_REFUSED("--node", "of a-z, 0-9 and -", "--node", "Sim 1");
    ASSERT_REFUSED("--node", "1-32", "--node", "012345678901234567890123456789012");
    ASSERT_REFUSED("--nats-prefix", "of a-z and 0-9", "--nats-prefix", "a.b");
    ASSERT_REFUSED("--nats-user", "a name, a colon and a password", "--nats-user", "sim");
    ASSERT_REFUSED("--cluster-bind", "an address and a port", "--cluster-bind", "10.0.0.2");
    ASSERT_REFUSED("--data", "none with --nats", "--nats", "nats://a", "--open-controls", "--data",
                   "/srv/a");
    ASSERT_REFUSED("--replay", "not with --nats", "--nats", "nats://a", "--open-controls",
                   "--replay", "a.flock");
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup(name, clear_environment)
    const struct CMUnitTest tests[] = {
        TEST(test_defaults),
        TEST(test_flags_in_both_forms),
        TEST(test_environment_and_precedence),
        TEST(test_the_last_of_a_flag_wins),
        TEST(test_a_folder_called_none_is_none),
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
        TEST(test_cluster),
    };
    return cmocka_run_group_tests_name("config", tests, NULL, NULL);
}
