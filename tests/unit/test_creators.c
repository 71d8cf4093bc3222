/* Limits of creators of rooms: half of the boids that are free, and a reserve for trusted ones. */
#include "hub/creators.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/network.h"
#include "scene/budget.h"

enum { ALL = 8000, RESERVE = ALL / 8 };

static struct boid_budget boids;
static struct history_budget *pasts;
static struct creators *creators;

static const uint8_t secret[CREATORS_SECRET] = "of the database";

/* address NULL: the server. */
static struct creator *hold(const char *address, bool trusted)
{
    return creators_hold(creators, creators_number(creators, address), trusted || address == NULL);
}

static int make(void **state)
{
    (void)state;
    boids = (struct boid_budget){.boids_max = ALL};
    pasts = history_budget_create(ALL);
    creators = creators_create(&boids, pasts, secret);
    return creators != NULL ? 0 : -1;
}

static int finish(void **state)
{
    (void)state;
    creators_destroy(creators);
    history_budget_release(pasts);
    return 0;
}

/* Takes boids until none is left. Returns how many the creator has then. */
static uint32_t take_boids(struct creator *creator)
{
    uint32_t left;

    while (budget_take(&creator->boids, 1, &left)) {
        assert_true(boids.boids <= ALL);
    }
    assert_int_equal(left, 0);
    assert_int_equal(budget_left(&creator->boids), 0);
    return (uint32_t)creator->boids.boids;
}

static uint32_t take_bytes(struct creator *creator)
{
    while (history_budget_take(creator->pasts, 1)) {
        assert_true(pasts->bytes <= ALL);
    }
    return (uint32_t)creator->pasts->bytes;
}

/* Each of many addresses takes all that it can: boids as well as bytes. */
static void nobody_takes_more_than_half_of_what_is_free(void **state)
{
    struct creator *all[37];
    uint32_t taken = 0;
    char address[NETWORK_ADDRESS_MAX];

    (void)state;
    for (uint32_t i = 0; i < 37; i++) {
        const uint32_t half = (ALL - RESERVE - taken + 1) / 2;
        snprintf(address, sizeof address, "10.0.0.%u", i);
        all[i] = hold(address, false);
        assert_int_equal(take_boids(all[i]), half);
        assert_int_equal(take_bytes(all[i]), half);
        taken += half;
    }
    struct creator *trusted = hold("10.0.0.1", true);
    assert_int_equal(take_boids(trusted), ALL - taken);
    assert_int_equal(take_bytes(trusted), ALL - taken);
    assert_true(ALL - taken >= RESERVE);
    assert_string_equal(budget_whose(&trusted->boids), "all rooms");
    budget_give(&trusted->boids, RESERVE); /* it stays in their reserve */
    assert_int_equal(take_boids(all[0]), (ALL - RESERVE + 1) / 2);
    assert_string_equal(budget_whose(&all[0]->boids), "the rooms of this address");
    budget_give(&trusted->boids, (uint32_t)trusted->boids.boids);
    history_budget_give(trusted->pasts, trusted->pasts->bytes);
    creator_release(trusted);
    for (uint32_t i = 0; i < 37; i++) {
        budget_give(&all[i]->boids, (uint32_t)all[i]->boids.boids);
        history_budget_give(all[i]->pasts, all[i]->pasts->bytes);
        creator_release(all[i]);
    }
    assert_int_equal(boids.boids, 0);
    assert_int_equal(boids.of_trusted, 0);
    assert_int_equal(pasts->bytes, 0);
    assert_int_equal(pasts->of_trusted, 0);
}

/* The same number for all addresses of an IPv6 network, and for all clients with the key. */
static void a_network_is_one_creator(void **state)
{
    struct creator *one = hold("2001:db8:1:2::1", false);
    struct creator *other = hold("2001:db8:2:3::1", false);
    struct creator *server = hold(NULL, false);

    (void)state;
    assert_ptr_equal(hold("2001:db8:1:2::7", false), one);
    assert_ptr_equal(hold("2001:db8:1:2:a123:b456:c789:def0", false), one);
    assert_ptr_equal(hold("2001:db8:1:ffff::1", false), one);
    assert_ptr_not_equal(one, other);
    assert_ptr_equal(hold("2001:db8:1:2::1", true), server);
}

/* After a restart, too; no number discloses its address. */
static void a_number_depends_on_the_secret(void **state)
{
    static const uint8_t another[CREATORS_SECRET] = "of another";
    const uint64_t number = creators_number(creators, "10.0.0.1");
    struct creators *later = creators_create(&boids, pasts, secret);
    struct creators *elsewhere = creators_create(&boids, pasts, another);

    (void)state;
    assert_true(number > 0 && number < (uint64_t)1 << 63);
    assert_true(number != creators_number(creators, "10.0.0.2"));
    assert_true(number == creators_number(later, "10.0.0.1"));
    assert_true(number != creators_number(elsewhere, "10.0.0.1"));
    assert_ptr_equal(creators_hold(later, number, false),
                     creators_hold(later, creators_number(later, "10.0.0.1"), false));
    assert_ptr_not_equal(creators_hold(later, 0, false), creators_hold(later, 0, true));
    creators_destroy(later);
    creators_destroy(elsewhere);
}

/* Rooms that are restored in another order have what they had. */
static void a_scene_that_continues_may_exceed_the_share(void **state)
{
    struct creator *first = hold("10.0.0.1", false);
    struct creator *second = hold("10.0.0.2", false);
    const uint32_t half = (ALL - RESERVE + 1) / 2;
    uint32_t left;

    (void)state;
    assert_true(budget_take_again(&second->boids, half / 2, &left));
    assert_false(budget_take(&first->boids, half, &left));
    assert_true(budget_take_again(&first->boids, half, &left));
    assert_int_equal(boids.boids, half + half / 2);
    assert_false(budget_take(&first->boids, 1, &left));
    assert_int_equal(left, 0);
    assert_false(budget_take_again(&second->boids, ALL, &left)); /* the total is a limit */
    assert_int_equal(boids.boids, half + half / 2);
    budget_give(&first->boids, half);
    budget_give(&second->boids, half / 2);
    creator_release(first);
    creator_release(second);
}

/* Flocks that undo no longer needs leave their boids to the flocks of others. */
static void undo_gives_its_boids_back(void **state)
{
    struct creator *first = hold("10.0.0.1", false);
    struct creator *second = hold("10.0.0.2", false);

    (void)state;
    for (uint32_t i = 0; i < 20; i++) {
        assert_true(budget_take_kept(&first->boids, ALL / 8));
        budget_give_kept(&first->boids, ALL / 8);
    }
    assert_true(budget_take_kept(&second->boids, ALL / 8));
    budget_give_kept(&second->boids, ALL / 8);
    creator_release(first);
    creator_release(second);
}

/* A room has its own limit, its creator's share, and the total. */
static void a_room_has_a_limit(void **state)
{
    struct creator *creator = hold("10.0.0.1", false);
    struct history_budget *room = history_budget_below(creator->pasts, 1000, false);

    (void)state;
    assert_true(history_budget_take(room, 600));
    assert_false(history_budget_take(room, 401));
    assert_string_equal(history_budget_option(room, 401), "--room-memory");
    assert_true(history_budget_set_beside(room, 400));
    assert_false(history_budget_take(room, 1));
    assert_true(history_budget_set_beside(room, 1000)); /* the past gives way */
    assert_false(history_budget_is_exceeded(room));
    assert_false(history_budget_set_beside(room, 1001));
    assert_true(history_budget_is_exceeded(room));
    assert_int_equal(creator->pasts->bytes, 600);
    assert_int_equal(pasts->bytes, 600);
    assert_true(history_budget_set_beside(room, 0));
    assert_true(history_budget_take(creator->pasts, 2900)); /* by other rooms */
    assert_false(history_budget_take(room, 1));
    assert_string_equal(history_budget_option(room, 1), "--rewind-memory");
    history_budget_give(creator->pasts, 2900);
    creator_release(creator);
    assert_int_equal(hold("10.0.0.1", false)->pasts->bytes, 600); /* not lost */
    history_budget_give(room, 600);
    history_budget_release(room);
    assert_int_equal(pasts->bytes, 0);
}

/* Memory beside pasts counts toward the creator's share and the total. */
static void memory_beside_pasts_counts_for_all(void **state)
{
    enum { ROOMS = 4, EACH = 1000 };
    struct creator *creator = hold("10.0.0.1", false);
    struct creator *other = hold("10.0.0.2", false);
    struct creator *trusted = hold("10.0.0.3", true);
    struct history_budget *rooms[ROOMS];
    struct history_budget *class = history_budget_below(trusted->pasts, 0, false);

    (void)state;
    for (int i = 0; i < ROOMS; i++) {
        rooms[i] = history_budget_below(creator->pasts, 0, false);
        assert_int_equal(history_budget_set_beside(rooms[i], EACH),
                         (i + 1) * EACH <= (ALL - RESERVE) / 2);
        assert_false(history_budget_is_exceeded(rooms[i]));
    }
    assert_false(history_budget_take(rooms[0], 1));
    assert_int_equal(take_bytes(other), (ALL - RESERVE - ROOMS * EACH) / 2);
    assert_true(history_budget_set_beside(class, ALL)); /* a trusted room keeps what it has */
    assert_false(history_budget_take(class, 1));
    assert_int_equal(pasts->of_trusted, ALL);
    assert_true(history_budget_set_beside(class, 0));
    for (int i = 0; i < ROOMS; i++) {
        (void)history_budget_set_beside(rooms[i], 0);
        history_budget_release(rooms[i]);
    }
    history_budget_give(other->pasts, other->pasts->bytes);
    history_budget_release(class);
    assert_int_equal(pasts->bytes + pasts->beside + pasts->of_trusted, 0);
    creator_release(creator);
    creator_release(other);
    creator_release(trusted);
}

/* Copies that downloads and the store read leave less for pasts. While they are more than half of
 * the limit of a room or its creator, no download begins. */
static void lent_bytes_are_counted_apart(void **state)
{
    enum { SHARE = (ALL - RESERVE) / 2 };
    struct creator *creator = hold("10.0.0.1", false);
    struct creator *trusted = hold("10.0.0.3", true);
    struct history_budget *room = history_budget_below(creator->pasts, 1000, false);
    struct history_budget *class = history_budget_below(trusted->pasts, 0, false);

    (void)state;
    history_budget_lend(room, 500);
    assert_false(history_budget_take(room, 501));
    assert_true(history_budget_take(room, 500));
    assert_null(history_budget_lent_option(room));
    assert_int_equal(history_budget_used(room), 1000);
    assert_int_equal(history_budget_used(creator->pasts), 1000);
    assert_int_equal(history_budget_used(pasts), 1000);
    assert_int_equal(history_budget_taken(pasts), 500);
    history_budget_lend(room, 1);
    assert_string_equal(history_budget_lent_option(room), "--room-memory");
    history_budget_return(room, 1);
    assert_null(history_budget_lent_option(room));
    history_budget_lend(creator->pasts, SHARE / 2 - 499); /* by other rooms */
    assert_string_equal(history_budget_lent_option(room), "--rewind-memory");
    history_budget_return(creator->pasts, SHARE / 2 - 499);
    history_budget_return(room, 500);
    assert_int_equal(history_budget_peak(pasts), 500 + SHARE / 2 + 1);
    history_budget_lend(class, ALL);
    assert_null(history_budget_lent_option(class)); /* trusted rooms have no such limit */
    assert_string_equal(history_budget_lent_option(room), "--rewind-memory"); /* of all rooms */
    history_budget_return(class, ALL);
    history_budget_give(room, 500);
    history_budget_release(room);
    history_budget_release(class);
    creator_release(creator);
    creator_release(trusted);
    assert_int_equal(history_budget_used(pasts), 0);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, make, finish)
    const struct CMUnitTest tests[] = {
        TEST(nobody_takes_more_than_half_of_what_is_free),
        TEST(a_network_is_one_creator),
        TEST(a_number_depends_on_the_secret),
        TEST(a_scene_that_continues_may_exceed_the_share),
        TEST(undo_gives_its_boids_back),
        TEST(a_room_has_a_limit),
        TEST(memory_beside_pasts_counts_for_all),
        TEST(lent_bytes_are_counted_apart),
    };
    return cmocka_run_group_tests_name("creators", tests, NULL, NULL);
}
