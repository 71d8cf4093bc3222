/* The broker in memory, on which tests of nodes stand; and what is said of servers that will not
 * do. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "broker_memory.h"
#include "cluster/broker_probe.h"

static struct broker_world world;
static struct broker *one, *two;
static char heard[512];

static int begin(void **state)
{
    const struct broker_definition definition = {.node = "one"};

    (void)state;
    broker_world_init(&world);
    one = broker_memory_open(&world, &definition);
    two = broker_memory_open(&world, &definition);
    heard[0] = '\0';
    return 0;
}

static int end(void **state)
{
    (void)state;
    broker_close(one);
    broker_close(two);
    broker_world_finish(&world);
    return 0;
}

static void hear(void *argument, const struct broker_message *message)
{
    size_t used = strlen(heard);

    snprintf(heard + used, sizeof heard - used, "%s:%s:%.*s%s ", (const char *)argument,
             message->subject, (int)message->size, (const char *)message->bytes,
             message->nobody ? "nobody" : "");
}

static void take(void *argument, const struct broker_entry *entry)
{
    size_t used = strlen(heard);

    (void)argument;
    if (entry == NULL) {
        snprintf(heard + used, sizeof heard - used, "all ");
    } else {
        snprintf(heard + used, sizeof heard - used, "%s=%.*s%s@%d ", entry->key, (int)entry->size,
                 (const char *)entry->bytes, entry->deleted ? "deleted" : "", (int)entry->revision);
    }
}

static bool say(struct broker *broker, const char *subject, const char *text)
{
    return broker_publish(broker, BROKER_DATA, subject, NULL, (const uint8_t *)text, strlen(text));
}

static char hearer[] = "two";

static void messages_go_to_all_subscribers_in_order(void **state)
{
    struct broker_subscription *rooms;

    (void)state;
    rooms = broker_subscribe(two, BROKER_DATA, "f.*.1", hear, hearer);
    broker_subscribe(two, BROKER_DATA, "f.>", hear, hearer);
    say(one, "f.ABC.1", "a");
    say(one, "f.ABC.2", "b");
    say(one, "s.ABC", "c");
    broker_memory_run(&world);
    assert_string_equal(heard, "two:f.ABC.1:a two:f.ABC.1:a two:f.ABC.2:b ");
    heard[0] = '\0';
    broker_unsubscribe(two, rooms);
    say(one, "f.ABC.1", "d");
    broker_memory_run(&world);
    assert_string_equal(heard, "two:f.ABC.1:d ");
}

static void nobody_is_there(void **state)
{
    (void)state;
    broker_subscribe(one, BROKER_DATA, "e.one.>", hear, hearer);
    broker_publish(one, BROKER_DATA, "r.ABC", "e.one.ABC", (const uint8_t *)"x", 1);
    broker_memory_run(&world);
    assert_string_equal(heard, "two:e.one.ABC:nobody ");
}

static void a_node_that_is_cut_off_misses_messages(void **state)
{
    (void)state;
    broker_subscribe(two, BROKER_DATA, "s.ABC", hear, hearer);
    broker_memory_connect(two, false);
    assert_true(say(one, "s.ABC", "a"));
    assert_false(say(two, "s.ABC", "b"));
    broker_memory_connect(two, true);
    world.lose = 1;
    say(one, "s.ABC", "c");
    world.repeat = 1;
    say(one, "s.ABC", "d");
    broker_memory_run(&world);
    assert_string_equal(heard, "two:s.ABC:d two:s.ABC:d ");
}

static enum broker_result set_key(struct broker *broker, const char *key, const char *value,
                                  uint64_t *revision)
{
    return broker_set(broker, BROKER_CONTROL, BROKER_ROOMS, key, (const uint8_t *)value,
                      strlen(value), revision);
}

static void one_of_two_wins_a_key(void **state)
{
    uint64_t first = 0;
    uint64_t second = 0;

    (void)state;
    assert_int_equal(set_key(one, "ABC", "one", &first), BROKER_OK);
    assert_int_equal(set_key(two, "ABC", "two", &second), BROKER_CONFLICT);
    assert_int_equal(second, 0);
    second = first;
    assert_int_equal(set_key(two, "ABC", "two", &second), BROKER_OK);
    assert_true(second > first);
    assert_int_equal(broker_drop(one, BROKER_CONTROL, BROKER_ROOMS, "ABC", &first),
                     BROKER_CONFLICT);
}

static void a_deleted_key_is_made_again_with_its_revision(void **state)
{
    uint64_t revision = 0;
    uint64_t none = 0;
    uint8_t *bytes;
    size_t size;

    (void)state;
    set_key(one, "ABC", "one", &revision);
    assert_int_equal(broker_get(two, BROKER_CONTROL, BROKER_ROOMS, "ABC", &bytes, &size, &none),
                     BROKER_OK);
    assert_memory_equal(bytes, "one", 3);
    free(bytes);
    assert_int_equal(broker_drop(one, BROKER_CONTROL, BROKER_ROOMS, "ABC", &revision), BROKER_OK);
    none = 0;
    assert_int_equal(set_key(two, "ABC", "two", &none), BROKER_CONFLICT);
    assert_int_equal(broker_get(two, BROKER_CONTROL, BROKER_ROOMS, "ABC", &bytes, &size, &none),
                     BROKER_NONE);
    assert_int_equal(none, revision);
    assert_int_equal(set_key(two, "ABC", "two", &none), BROKER_OK);
}

static void an_answer_is_lost_or_a_bucket_stands_still(void **state)
{
    uint64_t revision = 0;

    (void)state;
    world.lose_answers = 1;
    assert_int_equal(set_key(one, "ABC", "one", &revision), BROKER_UNKNOWN);
    assert_int_equal(set_key(one, "ABC", "one", &revision), BROKER_CONFLICT);
    world.frozen[BROKER_ROOMS] = true;
    assert_int_equal(set_key(one, "DEF", "one", &revision), BROKER_UNKNOWN);
    world.frozen[BROKER_ROOMS] = false;
    assert_int_equal(set_key(one, "DEF", "one", &revision), BROKER_OK);
}

static void a_watch_takes_all_keys_and_then_changes(void **state)
{
    uint64_t revision = 0;

    (void)state;
    set_key(one, "ABC", "one", &revision);
    broker_watch(two, BROKER_ROOMS, take, NULL);
    broker_memory_run(&world);
    set_key(one, "ABC", "two", &revision);
    broker_drop(one, BROKER_CONTROL, BROKER_ROOMS, "ABC", NULL);
    broker_memory_run(&world);
    assert_string_equal(heard, "ABC=one@1 all ABC=deleted@3 ");
}

#define INFO_LINE                                                                                  \
    "INFO {\"server_id\":\"N\",\"version\":\"%s\",\"headers\":true,\"max_payload\":%s,"            \
    "\"jetstream\":%s}\r\n"

static void assert_probed(const char *version, const char *payload, const char *jetstream,
                          const char *expected)
{
    char line[512];
    char text[BROKER_TEXT_MAX] = "";

    snprintf(line, sizeof line, INFO_LINE, version, payload, jetstream);
    if (expected == NULL) {
        assert_int_equal(broker_probe_line(line, "a:4222", text), BROKER_PROBE_GOOD);
        assert_string_equal(text, "");
    } else {
        assert_int_equal(broker_probe_line(line, "a:4222", text), BROKER_PROBE_BAD);
        if (strstr(text, expected) == NULL) {
            fail_msg("\"%s\" does not say \"%s\"", text, expected);
        }
    }
}

static void servers_that_will_not_do_are_refused_in_words(void **state)
{
    char text[BROKER_TEXT_MAX];

    (void)state;
    assert_probed("2.10.27", "8388608", "true", NULL);
    assert_probed("2.12.6-RC.1", "67108864", "true", NULL);
    assert_probed("3.0.0", "8388608", "true", NULL);
    assert_probed("2.9.10", "8388608", "true", "nats-server 2.9.10 at a:4222 is too old");
    assert_probed("2.10.26", "8388608", "true", "2.10.27 or newer");
    assert_probed("1.99.99", "8388608", "true", "too old");
    assert_probed("2.10.27", "1048576", "true", "docker/nats.conf");
    assert_probed("2.10.27", "8388608", "false", "no JetStream");
    assert_probed("", "8388608", "true", "no NATS server");
    assert_int_equal(broker_probe_line("SSH-2.0-OpenSSH_9.2\r\n", "a:22", text), BROKER_PROBE_BAD);
    assert_string_equal(text, "a:22 is no NATS server");
}

static void nobody_answers_at_a_closed_port(void **state)
{
    char text[BROKER_TEXT_MAX];

    (void)state;
    assert_int_equal(broker_probe("nats://me:secret@127.0.0.1:1,nats://[::1]:1", text),
                     BROKER_PROBE_SILENT);
    assert_string_equal(text, "no NATS server answers at [::1]:1");
    assert_int_equal(broker_probe("nats://127.0.0.1:1", text), BROKER_PROBE_SILENT);
    assert_string_equal(text, "no NATS server answers at 127.0.0.1:1");
}

#define broker_test(test) cmocka_unit_test_setup_teardown(test, begin, end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        broker_test(messages_go_to_all_subscribers_in_order),
        broker_test(nobody_is_there),
        broker_test(a_node_that_is_cut_off_misses_messages),
        broker_test(one_of_two_wins_a_key),
        broker_test(a_deleted_key_is_made_again_with_its_revision),
        broker_test(an_answer_is_lost_or_a_bucket_stands_still),
        broker_test(a_watch_takes_all_keys_and_then_changes),
        cmocka_unit_test(servers_that_will_not_do_are_refused_in_words),
        cmocka_unit_test(nobody_answers_at_a_closed_port),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
