/* The people of a room: who they are, who comes back as the same person, who is shown. */
#include "room/people.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "sim/rng.h"

#define SECOND  UINT64_C(1000000)
#define ROOM    300
#define TIMEOUT (10 * SECOND)

static struct people people;
static uint64_t last_session;

static int make(void **state)
{
    (void)state;
    last_session = 0;
    return people_create(&people, ROOM) ? 0 : -1;
}

static int destroy(void **state)
{
    (void)state;
    people_destroy(&people);
    return 0;
}

static struct proto_hello hello_of(const char *name, const uint8_t *token)
{
    struct proto_hello hello = {.version = 1, .has_token = token != NULL};

    snprintf(hello.name, sizeof hello.name, "%s", name);
    if (token != NULL) {
        memcpy(hello.token, token, sizeof hello.token);
    }
    return hello;
}

/* Someone new joins. */
static uint32_t join(const char *name, uint64_t now)
{
    struct proto_hello hello = hello_of(name, NULL);
    uint64_t replaced = 99;
    uint32_t slot = people_join(&people, &hello, ++last_session, now, &replaced);

    assert_int_equal(replaced, 0);
    return slot;
}

static uint32_t rejoin(const char *name, const uint8_t *token, uint64_t now, uint64_t *replaced)
{
    struct proto_hello hello = hello_of(name, token);

    return people_join(&people, &hello, ++last_session, now, replaced);
}

static void move(uint32_t slot, uint64_t now)
{
    static float x; /* elsewhere each time */

    x += 1;
    people_move(&people, slot, x, 2, now, TIMEOUT);
}

/* The place of that id in who is shown, or -1. */
static int shown_at(uint32_t id, struct proto_presence *presence)
{
    people_presence(&people, presence);
    for (uint32_t i = 0; i < presence->count; i++) {
        if (presence->people[i].id == id) {
            return (int)i;
        }
    }
    return -1;
}

static void test_a_newcomer_is_shown(void **state)
{
    struct proto_presence presence;
    uint32_t slot = join("Ada", 0);
    const struct person *person = &people.slots[slot];
    int place = shown_at(person->id, &presence);

    (void)state;
    assert_int_not_equal(person->id, 0);
    assert_int_equal(people.connected, 1);
    assert_int_equal(presence.count, 1);
    assert_int_equal(place, 0);
    assert_string_equal(presence.people[0].name, "Ada");
    assert_int_equal(presence.people[0].color, person->color);
    assert_false(people.changed);
    people_leave(&people, slot, 1);
    assert_true(people.changed);
    assert_int_equal(people.connected, 0);
    people_presence(&people, &presence);
    assert_int_equal(presence.count, 0);
}

static void test_the_nameless_get_names_of_their_own(void **state)
{
    const struct person *one = &people.slots[join("", 0)];
    const struct person *other = &people.slots[join("", 0)];

    (void)state;
    assert_true(strlen(one->name) > 0 && proto_name_valid(one->name));
    assert_string_not_equal(one->name, other->name);
}

static void test_a_token_brings_back_the_person(void **state)
{
    uint32_t slot = join("Ada", 0);
    struct person before = people.slots[slot];
    const struct person *after;
    uint64_t replaced;

    (void)state;
    people_leave(&people, slot, 5);
    join("Bob", 6);
    slot = rejoin("", before.token, 7, &replaced);
    after = &people.slots[slot];
    assert_int_equal(replaced, 0);
    assert_int_equal(after->id, before.id);
    assert_int_equal(after->color, before.color);
    assert_string_equal(after->name, "Ada");
    assert_memory_equal(after->token, before.token, PROTO_TOKEN_SIZE);
    assert_int_equal(after->session, last_session);
    assert_false(after->cursor.present);
    assert_int_equal(people.connected, 2);

    people_leave(&people, slot, 8);
    slot = rejoin("Countess", before.token, 9, &replaced);
    assert_int_equal(people.slots[slot].id, before.id);
    assert_string_equal(people.slots[slot].name, "Countess");
}

static void test_a_token_in_use_moves(void **state)
{
    uint32_t slot = join("Ada", 0);
    uint64_t session = last_session;
    uint64_t replaced;
    struct proto_presence presence;

    (void)state;
    move(slot, 1);
    assert_int_equal(rejoin("Ada", people.slots[slot].token, 2, &replaced), slot);
    assert_int_equal(replaced, session);
    assert_int_equal(people.slots[slot].session, last_session);
    assert_int_equal(people.connected, 1);
    assert_int_equal(shown_at(people.slots[slot].id, &presence), 0);
    assert_int_equal(presence.count, 1);
}

static void test_an_unknown_token_makes_someone_new(void **state)
{
    static const uint8_t zero[PROTO_TOKEN_SIZE];
    uint32_t slot = join("Ada", 0);
    uint8_t almost[PROTO_TOKEN_SIZE];
    uint64_t replaced;

    (void)state;
    memcpy(almost, people.slots[slot].token, sizeof almost);
    almost[PROTO_TOKEN_SIZE - 1] ^= 1;
    assert_int_not_equal(rejoin("Eve", almost, 1, &replaced), slot);
    assert_int_equal(replaced, 0);
    /* Nor does the token of a place that nobody has. */
    assert_int_not_equal(rejoin("Eve", zero, 1, &replaced), slot);
    assert_int_equal(replaced, 0);
    assert_memory_not_equal(people.slots[slot].token, zero, sizeof zero);
    assert_int_equal(people.connected, 3);
}

static void test_someone_is_remembered_for_a_while(void **state)
{
    uint32_t slot = join("Ada", 0);
    struct person before = people.slots[slot];
    uint64_t replaced;

    (void)state;
    people_leave(&people, slot, SECOND);
    join("Bob", SECOND + PEOPLE_AWAY_TIME);
    slot = rejoin("", before.token, SECOND + PEOPLE_AWAY_TIME, &replaced);
    assert_int_equal(people.slots[slot].id, before.id);

    people_leave(&people, slot, 2 * SECOND);
    slot = rejoin("", before.token, 2 * SECOND + PEOPLE_AWAY_TIME + 1, &replaced);
    assert_int_not_equal(people.slots[slot].id, before.id);
}

/* Of more than PEOPLE_AWAY_MAX who left, those who left first are forgotten; memory is bounded. */
static void test_only_so_many_are_remembered(void **state)
{
    const uint32_t gone = PEOPLE_AWAY_MAX + 100;
    uint8_t(*tokens)[PROTO_TOKEN_SIZE] = calloc(gone, sizeof *tokens);
    uint32_t *ids = calloc(gone, sizeof *ids);
    uint64_t now = 0;
    uint64_t replaced;

    (void)state;
    assert_non_null(tokens);
    assert_non_null(ids);
    for (uint32_t i = 0; i < gone; i++) {
        uint32_t slot = join("", ++now);
        assert_int_not_equal(slot, PEOPLE_NONE);
        memcpy(tokens[i], people.slots[slot].token, PROTO_TOKEN_SIZE);
        ids[i] = people.slots[slot].id;
        people_leave(&people, slot, ++now);
    }
    assert_in_range(people.used, 1, PEOPLE_AWAY_MAX + 1);
    for (uint32_t i = gone - PEOPLE_AWAY_MAX; i < gone; i++) {
        uint32_t slot = rejoin("", tokens[i], now, &replaced);
        assert_int_equal(people.slots[slot].id, ids[i]);
        people_leave(&people, slot, ++now);
    }
    assert_int_not_equal(people.slots[rejoin("", tokens[0], now, &replaced)].id, ids[0]);
    free(tokens);
    free(ids);
}

/* A full room lets nobody in, but whoever is in it may come from elsewhere. */
static void test_a_full_room(void **state)
{
    uint32_t slot = join("first", 0);
    struct proto_hello hello = hello_of("one too many", NULL);
    uint8_t away[PROTO_TOKEN_SIZE];
    uint64_t replaced = 99;
    uint32_t left;

    (void)state;
    left = join("left", 0);
    memcpy(away, people.slots[left].token, sizeof away);
    people_leave(&people, left, 0);
    while (people.connected < ROOM) {
        assert_int_not_equal(join("", 0), PEOPLE_NONE);
    }
    assert_int_equal(people_join(&people, &hello, ++last_session, 0, &replaced), PEOPLE_NONE);
    assert_int_equal(replaced, 0);
    assert_int_equal(rejoin("", away, 0, &replaced), PEOPLE_NONE);
    assert_int_equal(people.connected, ROOM);
    assert_int_equal(rejoin("", people.slots[slot].token, 0, &replaced), slot);
    assert_int_equal(replaced, 1);
    assert_int_equal(people.connected, ROOM);
    people_leave(&people, slot, 0);
    assert_int_not_equal(rejoin("", away, 0, &replaced), PEOPLE_NONE);
}

static void test_renaming(void **state)
{
    struct proto_presence presence;
    uint32_t slot = join("Ada", 0);

    (void)state;
    people_presence(&people, &presence);
    people_rename(&people, slot, "Zoë");
    assert_true(people.changed);
    people_presence(&people, &presence);
    assert_string_equal(presence.people[0].name, "Zoë");
}

static void test_longest_name(void **state)
{
    struct proto_presence presence;
    char name[PROTO_NAME_MAX + 1];

    (void)state;
    memset(name, 'n', PROTO_NAME_MAX);
    name[PROTO_NAME_MAX] = '\0';
    join(name, 0);
    people_presence(&people, &presence);
    assert_string_equal(presence.people[0].name, name);
}

/* No colour is taken a third time while another is not taken twice. */
static void test_colors_are_spread_evenly(void **state)
{
    enum { COLORS = 12, PEOPLE = 10 * COLORS };
    uint32_t colors[PEOPLE];
    uint32_t slots[PEOPLE];

    (void)state;
    for (uint32_t i = 0; i < PEOPLE; i++) {
        slots[i] = join("", 0);
        colors[i] = people.slots[slots[i]].color;
        assert_in_range(colors[i], 1, 0xffffff);
    }
    for (uint32_t i = 0; i < PEOPLE; i++) {
        uint32_t same = 0;
        for (uint32_t j = 0; j < PEOPLE; j++) {
            same += colors[j] == colors[i];
        }
        assert_int_equal(same, PEOPLE / COLORS);
    }
    /* Whoever comes next gets the colour of the one who left. */
    people_leave(&people, slots[5], 1);
    assert_int_equal(people.slots[join("", 2)].color, colors[5]);
}

/* ---- more people than can be shown */

static void fill(uint32_t slots[PROTO_PEOPLE_MAX])
{
    for (uint32_t i = 0; i < PROTO_PEOPLE_MAX; i++) {
        slots[i] = join("", 0);
    }
}

static void test_the_129th_is_shown_when_moving(void **state)
{
    uint32_t slots[PROTO_PEOPLE_MAX];
    struct proto_presence presence;
    uint32_t extra;

    (void)state;
    fill(slots);
    for (uint32_t i = 0; i < PROTO_PEOPLE_MAX; i++) {
        move(slots[i], SECOND + (i == 40 ? 0 : i + 1)); /* number 40 is the first to be still */
    }
    extra = join("late", 2 * SECOND);
    assert_int_equal(people.connected, PROTO_PEOPLE_MAX + 1);
    assert_int_equal(shown_at(people.slots[extra].id, &presence), -1);
    assert_int_equal(presence.count, PROTO_PEOPLE_MAX);

    /* While everyone else is active, nobody makes way. */
    move(extra, 3 * SECOND);
    assert_int_equal(shown_at(people.slots[extra].id, &presence), -1);

    move(extra, SECOND + TIMEOUT);
    assert_true(people.changed);
    assert_true(shown_at(people.slots[extra].id, &presence) >= 0);
    assert_int_equal(shown_at(people.slots[slots[40]].id, &presence), -1);
    assert_int_equal(presence.count, PROTO_PEOPLE_MAX);

    /* The one who made way comes back by moving. */
    move(slots[40], SECOND + TIMEOUT + 1);
    assert_true(shown_at(people.slots[slots[40]].id, &presence) >= 0);
    assert_int_equal(presence.count, PROTO_PEOPLE_MAX);
}

static void test_a_place_that_is_free_goes_to_who_moves(void **state)
{
    uint32_t slots[PROTO_PEOPLE_MAX];
    struct proto_presence presence;
    uint32_t extra;

    (void)state;
    fill(slots);
    for (uint32_t i = 0; i < PROTO_PEOPLE_MAX; i++) {
        move(slots[i], SECOND);
    }
    extra = join("late", SECOND);
    people_leave(&people, slots[0], SECOND);
    move(extra, SECOND);
    assert_true(shown_at(people.slots[extra].id, &presence) >= 0);
    assert_int_equal(presence.count, PROTO_PEOPLE_MAX);
}

static void test_those_not_shown_change_nothing(void **state)
{
    uint32_t slots[PROTO_PEOPLE_MAX];
    struct proto_presence presence;
    uint32_t extra;

    (void)state;
    fill(slots);
    people_presence(&people, &presence);
    extra = join("late", 0);
    people_rename(&people, extra, "later");
    people_leave(&people, extra, 1);
    assert_false(people.changed);
}

/* ---- a long random sequence against a model */

enum { MODEL_MAX = 200, STEPS = 60000 };

static struct model_person {
    bool known, here;
    uint32_t slot, id, color;
    uint8_t token[PROTO_TOKEN_SIZE];
} model[MODEL_MAX];

static uint32_t below(struct rng *rng, uint32_t limit)
{
    return (uint32_t)(rng_next(rng) % limit);
}

static void check_everyone(uint32_t joins, uint32_t leaves)
{
    struct proto_presence presence;
    uint32_t here = 0;

    people_presence(&people, &presence);
    assert_int_equal(people.connected, joins - leaves);
    assert_in_range(presence.count, 0, PROTO_PEOPLE_MAX);
    for (uint32_t i = 0; i < MODEL_MAX; i++) {
        const struct person *person = &people.slots[model[i].slot];
        if (!model[i].here) {
            continue;
        }
        here++;
        assert_int_equal(person->id, model[i].id);
        assert_int_equal(person->color, model[i].color);
        for (uint32_t j = 0; j < i; j++) {
            assert_false(model[j].here &&
                         (model[j].id == model[i].id ||
                          memcmp(model[j].token, model[i].token, PROTO_TOKEN_SIZE) == 0));
        }
    }
    assert_int_equal(here, people.connected);
    for (uint32_t i = 0; i < presence.count; i++) {
        bool known = false;
        for (uint32_t j = 0; j < MODEL_MAX; j++) {
            known |= model[j].here && model[j].id == presence.people[i].id;
        }
        assert_true(known);
        for (uint32_t j = 0; j < i; j++) {
            assert_int_not_equal(presence.people[j].id, presence.people[i].id);
        }
    }
}

static void model_join(struct model_person *person, bool with_token, uint64_t now)
{
    uint64_t replaced = 99;

    person->slot = rejoin("", with_token ? person->token : NULL, now, &replaced);
    assert_int_not_equal(person->slot, PEOPLE_NONE);
    assert_int_equal(replaced, 0);
    if (with_token) {
        assert_int_equal(people.slots[person->slot].id, person->id);
    }
    person->known = person->here = true;
    person->id = people.slots[person->slot].id;
    person->color = people.slots[person->slot].color;
    memcpy(person->token, people.slots[person->slot].token, PROTO_TOKEN_SIZE);
}

static void test_random_comings_and_goings(void **state)
{
    struct rng rng = rng_of_boid(20240607, 0);
    uint32_t joins = 0;
    uint32_t leaves = 0;
    uint64_t now = 0;

    (void)state;
    memset(model, 0, sizeof model);
    for (uint32_t step = 0; step < STEPS; step++) {
        struct model_person *person = &model[below(&rng, MODEL_MAX)];
        uint32_t what = below(&rng, 10);
        uint64_t replaced;
        now += 1 + below(&rng, 1000);
        if (!person->here) {
            model_join(person, person->known && what > 0, now);
            joins++;
        } else if (what < 4) {
            people_leave(&people, person->slot, now);
            person->here = false;
            leaves++;
        } else if (what == 4) {
            assert_int_equal(rejoin("", person->token, now, &replaced), person->slot);
            assert_int_not_equal(replaced, 0);
        } else {
            move(person->slot, now);
        }
        if (step % 500 == 0) {
            check_everyone(joins, leaves);
        }
    }
    for (uint32_t i = 0; i < MODEL_MAX; i++) {
        if (model[i].here) {
            people_leave(&people, model[i].slot, now);
            model[i].here = false;
            leaves++;
        }
    }
    check_everyone(joins, leaves);
    assert_int_equal(people.connected, 0);
    assert_int_equal(people.shown_count, 0);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, make, destroy)
    const struct CMUnitTest tests[] = {
        TEST(test_a_newcomer_is_shown),
        TEST(test_the_nameless_get_names_of_their_own),
        TEST(test_a_token_brings_back_the_person),
        TEST(test_a_token_in_use_moves),
        TEST(test_an_unknown_token_makes_someone_new),
        TEST(test_someone_is_remembered_for_a_while),
        TEST(test_only_so_many_are_remembered),
        TEST(test_a_full_room),
        TEST(test_renaming),
        TEST(test_longest_name),
        TEST(test_colors_are_spread_evenly),
        TEST(test_the_129th_is_shown_when_moving),
        TEST(test_a_place_that_is_free_goes_to_who_moves),
        TEST(test_those_not_shown_change_nothing),
        TEST(test_random_comings_and_goings),
    };
    return cmocka_run_group_tests_name("people", tests, NULL, NULL);
}
