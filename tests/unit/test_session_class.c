/* Which sessions a shard with little time serves first, and whose rate it lowers first: pupils,
 * other clients of trusted rooms, and the rest. */
#include "room/stream.h"
#include "session_world.h"

/* An overloaded shard lowers the rate of all sessions of its class, without calling them slow. */
static void test_an_overload_is_told_and_counted(void **state)
{
    (void)state;
    join();
    context.overload.levels[OVERLOAD_TRUSTED] = 2;
    watch(1);
    assert_int_equal(fake.eases, 0);
    context.overload.levels[OVERLOAD_OTHERS] = 3;
    watch(2);
    assert_int_equal(fake.overload, 3);
    assert_int_equal(fake.level, 0);
    assert_int_equal(fake.eases, 1);
    assert_int_equal(context.counts.lowered, 1);
    assert_int_equal(context.counts.eased, 0);
    grant(ROOM + 1); /* a room that has moved knows nothing of it */
    assert_int_equal(context.counts.lowered, 0);
    watch(1);
    assert_int_equal(fake.eases, 2);
    context.overload.levels[OVERLOAD_OTHERS] = 0;
    watch(1);
    assert_int_equal(fake.overload, 0);
    assert_int_equal(context.counts.lowered, 0);
}

/* The crowd of an address is slowed down before other clients of a trusted room. */
static void test_a_crowd_is_slowed_down_first(void **state)
{
    struct reader_account account = {.readers = READERS_CROWD};
    struct session one = {.trusted = true, .reader = {.account = &account}};

    (void)state;
    assert_int_equal(session_class(&one), OVERLOAD_TRUSTED);
    account.readers++;
    assert_int_equal(session_class(&one), OVERLOAD_OTHERS);
    account.class = READERS_PUPILS;
    assert_int_equal(session_class(&one), OVERLOAD_PUPILS);
    one.trusted = false;
    one.reader.account = NULL;
    assert_int_equal(session_class(&one), OVERLOAD_OTHERS);
}

static void grant_divided(uint32_t divisor)
{
    const struct stream_kind kind = {STREAM_PLAIN, divisor, 1};
    struct hub_reply reply = {.type = HUB_TOLD,
                              .session = fake.session,
                              .frame = error_frame(PROTO_E_RANGE),
                              .granted = true,
                              .grant.stream = {.stream = stream_id(&kind), .room = ROOM}};

    session_reply(&context, session, &reply);
}

/* A shard with little time sends first to clients that take all snapshots, then to clients that
 * take fewer, then to the crowd of an address, and last to clients that have just come. */
static void test_a_session_has_a_rank(void **state)
{
    struct reader_account *account;

    (void)state;
    join();
    account = session->reader.account;
    assert_non_null(account);
    assert_int_equal(session->entry.rank, ROSTER_FRESH);
    watch(1);
    assert_int_equal(session->entry.rank, ROSTER_FRESH); /* it may have come a moment ago */
    watch(1);
    assert_int_equal(session->entry.rank, 1);
    grant_divided(2);
    assert_int_equal(session->entry.rank, 2);
    account->readers += READERS_CROWD;
    watch(1);
    assert_int_equal(session->entry.rank, 4);
    grant_divided(1);
    assert_int_equal(session->entry.rank, 3);
    account->readers -= READERS_CROWD;
    watch(1);
    assert_int_equal(session->entry.rank, 1);
}

/* Snapshots that a newcomer missed are no sign of overload, up to its last second as a newcomer. */
static void test_only_later_misses_count(void **state)
{
    struct room_view *view = view_create(1, 0);

    (void)state;
    assert_non_null(view);
    join();
    view->room = ROOM;
    roster_take(&roster, view, false);
    for (uint32_t second = 0; second < 3; second++) {
        assert_int_equal(context.counts.missed, 0);
        view->streams[0].sequence += 30;
        watch(1);
    }
    assert_int_equal(context.counts.missed, 29);
}

/* ---- pupils ---- */

static struct place teacher;

/* A trusted presenter comes from the client's network. */
static void teacher_comes(void)
{
    struct place_claim claim = {.network = ip_network(&connection->address)};
    uint32_t displaced;

    assert_int_equal(place_take(service.places, &teacher, &claim, &displaced), PLACE_CLIENT);
    place_present(service.places, &teacher, true);
}

static void assert_classes(enum overload_class overload, enum readers_class_name readers,
                           uint8_t rank)
{
    assert_int_equal(session_class(session), overload);
    assert_int_equal(session->reader.account->class, readers);
    assert_int_equal(session->entry.rank, rank);
}

/* A session is a pupil of a trusted room while a trusted presenter of its network is in. */
static void test_a_pupil(void **state)
{
    (void)state;
    teacher_comes();
    fake_trusted = true;
    join();
    assert_classes(OVERLOAD_PUPILS, READERS_PUPILS, 0);
    place_present(service.places, &teacher, false);
    watch(2);
    assert_classes(OVERLOAD_TRUSTED, READERS_TRUSTED, 1);
    place_present(service.places, &teacher, true);
    watch(1);
    assert_classes(OVERLOAD_PUPILS, READERS_PUPILS, 0);
    place_give(service.places, &teacher);
}

/* In a stranger's room, clients of the teacher's network come no earlier than others. */
static void test_no_pupil(void **state)
{
    (void)state;
    teacher_comes();
    join();
    watch(2);
    assert_classes(OVERLOAD_OTHERS, READERS_OTHERS, 1);
    place_give(service.places, &teacher);
}

/* ---- trust ---- */

/* Welcomes the session in the room, or again in the room that has moved. */
static void admit(bool presenter, enum hub_trust trust)
{
    struct hub_reply reply = {.type = HUB_TOLD,
                              .session = fake.session,
                              .frame = error_frame(PROTO_E_RANGE),
                              .presenter = presenter,
                              .granted = true,
                              .trust = (uint8_t)trust,
                              .grant = {.stream = {.joined = true, .room = ROOM}}};

    session_reply(&context, session, &reply);
}

/* A welcome says whether the server trusts the room. If it does not say it, the earlier facts
 * count. */
static void test_a_welcome_tells_the_trust(void **state)
{
    (void)state;
    say_hello("FK72MX");
    admit(true, HUB_TRUST_UNKNOWN);
    assert_false(session->trusted || session->place.presents);
    admit(true, HUB_TRUSTS);
    assert_true(session->trusted && session->place.presents);
    admit(true, HUB_TRUST_UNKNOWN);
    assert_true(session->trusted && session->place.presents);
    admit(false, HUB_TRUST_UNKNOWN);
    assert_true(session->trusted && !session->place.presents);
    admit(true, HUB_TRUSTS);
    admit(true, HUB_DISTRUSTS);
    assert_false(session->trusted || session->place.presents);
}

/* A new room of another node: that the server trusts it comes with the welcome. */
static void test_a_pupil_of_a_new_room(void **state)
{
    (void)state;
    teacher_comes();
    say_hello("FK72MX");
    admit(false, HUB_TRUSTS);
    watch(1);
    assert_int_equal(session_class(session), OVERLOAD_PUPILS);
    assert_int_equal(session->reader.account->class, READERS_PUPILS);
    assert_int_equal(session->reader.account->id, context_account(&context, &connection->address));
    place_present(service.places, &teacher, false);
    watch(1);
    assert_int_equal(session->reader.account->class, READERS_TRUSTED);
    place_give(service.places, &teacher);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, make, finish)
    const struct CMUnitTest tests[] = {
        TEST(test_a_welcome_tells_the_trust),
        TEST(test_an_overload_is_told_and_counted),
        TEST(test_a_crowd_is_slowed_down_first),
        TEST(test_a_session_has_a_rank),
        TEST(test_only_later_misses_count),
        TEST(test_a_pupil),
        TEST(test_no_pupil),
        TEST(test_a_pupil_of_a_new_room),
    };
    return cmocka_run_group_tests_name("session_class", tests, NULL, NULL);
}
