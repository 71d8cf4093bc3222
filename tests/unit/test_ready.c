/* Sockets that are ready are found once, until they are looked at again. */
#include "net/gate/ready.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cmocka.h>

#define MOST 600u

static uv_loop_t loop;
static struct ready ready;
static struct pair {
    int ours, theirs;
    uint32_t found;
} pairs[MOST];

static void on_found(void *argument, void *owner)
{
    assert_ptr_equal(argument, &loop);
    ((struct pair *)owner)->found++;
}

static void open_pair(struct pair *pair)
{
    int both[2];

    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, both), 0);
    *pair = (struct pair){.ours = both[0], .theirs = both[1]};
    assert_true(ready_add(&ready, pair->ours, pair));
}

static void close_pair(struct pair *pair)
{
    ready_remove(&ready, pair->ours);
    close(pair->ours);
    close(pair->theirs);
}

static void turn(void)
{
    uv_run(&loop, UV_RUN_NOWAIT);
}

static int make(void **state)
{
    (void)state;
    assert_int_equal(uv_loop_init(&loop), 0);
    assert_true(ready_start(&ready, &loop, on_found, &loop));
    return 0;
}

static int finish(void **state)
{
    (void)state;
    uv_close((uv_handle_t *)&ready.poll, NULL);
    uv_run(&loop, UV_RUN_DEFAULT);
    ready_finish(&ready);
    ready_finish(&ready); /* does nothing */
    assert_int_equal(uv_loop_close(&loop), 0);
    return 0;
}

static void test_a_socket_is_found_once(void **state)
{
    struct pair *pair = &pairs[0];

    (void)state;
    open_pair(pair);
    turn();
    assert_int_equal(pair->found, 0);
    assert_int_equal(write(pair->theirs, "ab", 2), 2);
    turn();
    turn();
    assert_int_equal(pair->found, 1);
    close_pair(pair);
}

/* Something is left after a reading. */
static void test_a_rest_is_found_again(void **state)
{
    struct pair *pair = &pairs[0];
    char byte;

    (void)state;
    open_pair(pair);
    assert_int_equal(write(pair->theirs, "ab", 2), 2);
    turn();
    for (uint32_t i = 0; i < 2; i++) {
        assert_int_equal(pair->found, 1 + i);
        assert_int_equal(read(pair->ours, &byte, 1), 1);
        ready_again(&ready, pair->ours, pair);
        turn();
    }
    assert_int_equal(pair->found, 2);
    close_pair(pair);
}

static void test_an_end_is_found(void **state)
{
    struct pair *pair = &pairs[0];

    (void)state;
    open_pair(pair);
    shutdown(pair->theirs, SHUT_WR);
    turn();
    assert_int_equal(pair->found, 1);
    close_pair(pair);
}

static void test_many_sockets_in_one_turn(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < MOST; i++) {
        open_pair(&pairs[i]);
        assert_int_equal(write(pairs[i].theirs, "a", 1), 1);
    }
    turn();
    for (uint32_t i = 0; i < MOST; i++) {
        assert_int_equal(pairs[i].found, 1);
        close_pair(&pairs[i]);
    }
}

static void test_a_removed_socket_is_not_found(void **state)
{
    struct pair *pair = &pairs[0];

    (void)state;
    open_pair(pair);
    assert_int_equal(write(pair->theirs, "a", 1), 1);
    ready_remove(&ready, pair->ours);
    turn();
    assert_int_equal(pair->found, 0);
    close_pair(pair);
}

static void test_a_socket_that_cannot_be_added(void **state)
{
    (void)state;
    assert_false(ready_add(&ready, -1, NULL));
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, make, finish)
    const struct CMUnitTest tests[] = {
        TEST(test_a_socket_is_found_once),
        TEST(test_a_rest_is_found_again),
        TEST(test_an_end_is_found),
        TEST(test_many_sockets_in_one_turn),
        TEST(test_a_removed_socket_is_not_found),
        TEST(test_a_socket_that_cannot_be_added),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
