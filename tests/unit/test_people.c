/* The people of a room, and their return as the same persons. */
#include "people_room.h"

#include <math.h>

#include "sim/rng.h"

static void test_a_newcomer_is_shown(void **state)
{
    uint32_t slot = join("Ada", 0);
    const struct person *person = &people.slots[slot];

    (void)state;
    assert_int_not_equal(person->id, 0);
    assert_int_equal(people.here, 1);
    assert_int_equal(people.shown_count, 1);
    assert_true(person->shown && people.version > 0);
    assert_string_equal(name_of(slot), "Ada");
    uint32_t version = people.version;
    leave(slot, false, 1);
    assert_int_not_equal(people.version, version);
    assert_int_equal(people.here, 0);
    assert_int_equal(people.shown_count, 0);
}

/* A handle names only the person who got it. */
static void test_handles(void **state)
{
    room_member old[50];
    uint32_t next = 0;
    uint32_t found = 0;

    (void)state;
    for (uint32_t i = 0; i < 50; i++) {
        uint32_t slot = join("", i);
        old[i] = people.slots[slot].member;
        assert_int_not_equal(old[i], 0);
        assert_in_range(room_member_index(old[i]), 0, i);
        for (uint32_t j = 0; j < i; j++) {
            assert_true(old[j] != old[i]);
        }
        if (i % 2 == 0) {
            leave(slot, false, i);
        }
    }
    /* Indices stay below the limit of people, with any remembered people. */
    for (uint32_t i = 0; i < 50; i++) {
        assert_in_range(room_member_index(old[i]), 0, 25);
        assert_int_equal(people_find(&people, old[i]) != PEOPLE_NONE, i % 2);
    }
    while (people_each(&people, &next) != NULL) {
        found++;
    }
    assert_int_equal(found, people.here);
    assert_int_equal(people_find(&people, 0), PEOPLE_NONE);
    assert_int_equal(people_find(&people, UINT64_MAX), PEOPLE_NONE);
    assert_int_equal(people_find(&people, 1000), PEOPLE_NONE);
}

/* An empty room takes almost no memory, for any limit of people. */
static void test_memory_grows_with_the_people(void **state)
{
    (void)state;
    assert_null(people.slots);
    assert_null(people.handles);
    join("", 0);
    assert_in_range(people.capacity, 1, 8);
    assert_in_range(people.handle_capacity, 1, 8);
}

static void test_the_nameless_get_names_of_their_own(void **state)
{
    const uint32_t slots[] = {join("", 0), join("", 0)};

    (void)state;
    assert_true(strlen(name_of(slots[0])) > 0 && proto_name_valid(name_of(slots[0])));
    assert_string_not_equal(name_of(slots[0]), name_of(slots[1]));
}

static void test_a_token_brings_back_the_person(void **state)
{
    uint32_t slot = join("Ada", 0);
    struct person before = people.slots[slot];
    const struct person *after;
    uint8_t token[PROTO_TOKEN_SIZE];
    room_member replaced;

    (void)state;
    copy_token(token, slot);
    leave(slot, false, 5);
    join("Bob", 6);
    slot = rejoin("", token, 7, &replaced);
    after = &people.slots[slot];
    assert_int_equal(replaced, 0);
    assert_int_equal(after->id, before.id);
    assert_int_equal(after->color, before.color);
    assert_string_equal(name_of(slot), "Ada");
    assert_memory_equal(the_room->members[slot].token, token, PROTO_TOKEN_SIZE);
    assert_int_not_equal(after->member, before.member);
    assert_false(after->cursor.present);
    assert_int_equal(people.here, 2);

    leave(slot, false, 8);
    slot = rejoin("Countess", token, 9, &replaced);
    assert_int_equal(people.slots[slot].id, before.id);
    assert_string_equal(name_of(slot), "Countess");
}

static void test_a_token_in_use_moves(void **state)
{
    uint32_t slot = join("Ada", 0);
    room_member member = people.slots[slot].member;
    uint8_t token[PROTO_TOKEN_SIZE];
    room_member replaced;

    (void)state;
    copy_token(token, slot);
    move(slot, 1);
    assert_int_equal(rejoin("Ada", token, 2, &replaced), slot);
    assert_true(replaced == member);
    assert_true(people.slots[slot].member != member);
    assert_int_equal(people_find(&people, member), PEOPLE_NONE);
    assert_int_equal(people.here, 1);
    assert_int_equal(people.shown_count, 1);
}

static void test_the_expelled_stay_out_for_ten_minutes(void **state)
{
    uint32_t slot = join("Eve", 0);
    uint32_t id = people.slots[slot].id;
    uint8_t token[PROTO_TOKEN_SIZE];
    room_member replaced;

    (void)state;
    copy_token(token, slot);
    leave(slot, true, SECOND);
    assert_int_equal(try_join("Eve", token, SECOND, &slot, &replaced), PEOPLE_REMOVED);
    assert_int_equal(try_join("Eve", token, SECOND + PEOPLE_AWAY_TIME, &slot, &replaced),
                     PEOPLE_REMOVED);
    assert_int_equal(people.here, 0);
    assert_int_equal(try_join("Eve", token, SECOND + PEOPLE_AWAY_TIME + 1, &slot, &replaced),
                     PEOPLE_OK);
    assert_int_not_equal(people.slots[slot].id, id);
}

/* Many other leaves do not shorten the time of removed people, and memory stays bounded. */
static void test_the_expelled_are_not_forgotten_for_others(void **state)
{
    uint32_t slot = join("Eve", 0);
    uint8_t token[PROTO_TOKEN_SIZE];
    room_member replaced;

    (void)state;
    copy_token(token, slot);
    leave(slot, true, 1);
    for (uint32_t i = 0; i < PEOPLE_AWAY_MAX + 100; i++) {
        leave(join("", 1), i >= PEOPLE_AWAY_MAX, 1);
    }
    assert_int_equal(try_join("Eve", token, 2, &slot, &replaced), PEOPLE_REMOVED);
    for (uint32_t i = 0; i < PEOPLE_AWAY_MAX; i++) {
        leave(join("", 2), true, 2);
    }
    assert_in_range(people.used, 1, PEOPLE_AWAY_MAX + 1);
    assert_int_equal(try_join("Eve", token, 3, &slot, &replaced), PEOPLE_OK);
}

static void test_an_unknown_token_makes_someone_new(void **state)
{
    static const uint8_t zero[PROTO_TOKEN_SIZE];
    uint32_t slot = join("Ada", 0);
    uint8_t almost[PROTO_TOKEN_SIZE];
    room_member replaced;

    (void)state;
    copy_token(almost, slot);
    almost[PROTO_TOKEN_SIZE - 1] ^= 1;
    assert_int_not_equal(rejoin("Eve", almost, 1, &replaced), slot);
    assert_int_equal(replaced, 0);
    /* The token of an empty slot makes no person return, either. */
    assert_int_not_equal(rejoin("Eve", zero, 1, &replaced), slot);
    assert_int_equal(replaced, 0);
    assert_memory_not_equal(the_room->members[slot].token, zero, sizeof zero);
    assert_int_equal(people.here, 3);
}

static void test_someone_is_remembered_for_a_while(void **state)
{
    uint32_t slot = join("Ada", 0);
    struct person before = people.slots[slot];
    uint8_t token[PROTO_TOKEN_SIZE];
    room_member replaced;

    (void)state;
    copy_token(token, slot);
    leave(slot, false, SECOND);
    join("Bob", SECOND + PEOPLE_AWAY_TIME);
    slot = rejoin("", token, SECOND + PEOPLE_AWAY_TIME, &replaced);
    assert_int_equal(people.slots[slot].id, before.id);

    const uint64_t left = 2 * SECOND + PEOPLE_AWAY_TIME;
    leave(slot, false, left);
    slot = rejoin("", token, left + PEOPLE_AWAY_TIME + 1, &replaced);
    assert_int_not_equal(people.slots[slot].id, before.id);
}

/* Beyond PEOPLE_AWAY_MAX absent people the earliest are forgotten; memory is bounded. */
static void test_the_number_of_remembered_people_is_limited(void **state)
{
    const uint32_t gone = PEOPLE_AWAY_MAX + 100;
    uint8_t(*tokens)[PROTO_TOKEN_SIZE] = calloc(gone, sizeof *tokens);
    uint32_t *ids = calloc(gone, sizeof *ids);
    uint64_t now = 0;
    room_member replaced;

    (void)state;
    assert_non_null(tokens);
    assert_non_null(ids);
    for (uint32_t i = 0; i < gone; i++) {
        uint32_t slot = join("", ++now);
        copy_token(tokens[i], slot);
        ids[i] = people.slots[slot].id;
        leave(slot, false, ++now);
    }
    assert_in_range(people.used, 1, PEOPLE_AWAY_MAX + 1);
    for (uint32_t i = gone - PEOPLE_AWAY_MAX; i < gone; i++) {
        uint32_t slot = rejoin("", tokens[i], now, &replaced);
        assert_int_equal(people.slots[slot].id, ids[i]);
        leave(slot, false, ++now);
    }
    assert_int_not_equal(people.slots[rejoin("", tokens[0], now, &replaced)].id, ids[0]);
    free(tokens);
    free(ids);
}

/* A full room refuses new people; its own people may reconnect. */
static void test_a_full_room(void **state)
{
    uint32_t slot = join("first", 0);
    uint8_t away[PROTO_TOKEN_SIZE];
    uint8_t token[PROTO_TOKEN_SIZE];
    room_member replaced;
    uint32_t left;

    (void)state;
    left = join("left", 0);
    copy_token(away, left);
    leave(left, false, 0);
    while (people.here < ROOM) {
        join("", 0);
    }
    assert_int_equal(try_join("one too many", NULL, 0, &left, &replaced), PEOPLE_FULL);
    assert_int_equal(replaced, 0);
    assert_int_equal(try_join("", away, 0, &left, &replaced), PEOPLE_FULL);
    assert_int_equal(people.here, ROOM);
    copy_token(token, slot);
    assert_int_equal(rejoin("", token, 0, &replaced), slot);
    assert_int_not_equal(replaced, 0);
    assert_int_equal(people.here, ROOM);
    leave(slot, false, 0);
    rejoin("", away, 0, &replaced);
}

static void test_renaming(void **state)
{
    uint32_t slot = join("Ada", 0);

    (void)state;
    uint32_t names = the_room->names;
    identity_rename(the_room, slot, "Ada", SECOND);
    assert_int_equal(the_room->names, names);
    identity_rename(the_room, slot, "Zoë", SECOND);
    assert_int_not_equal(the_room->names, names);
    assert_string_equal(name_of(slot), "Zoë");
}

static void test_longest_name(void **state)
{
    char name[PROTO_NAME_MAX + 1];
    uint32_t slot;

    (void)state;
    memset(name, 'n', PROTO_NAME_MAX);
    name[PROTO_NAME_MAX] = '\0';
    slot = join(name, 0);
    assert_string_equal(name_of(slot), name);
}

/* Returns the linear light of a channel of an sRGB colour, 0 to 1. */
static double light(uint32_t color, uint32_t shift)
{
    double value = (double)(color >> shift & 0xff) / 255.0;

    return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4);
}

/* Converts a colour to Oklab (Björn Ottosson, 2020), in which distances match perception. */
static void to_oklab(uint32_t color, double lab[3])
{
    const double r = light(color, 16);
    const double g = light(color, 8);
    const double b = light(color, 0);
    const double l = cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
    const double m = cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
    const double s = cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);

    lab[0] = 0.2104542553 * l + 0.7936177850 * m - 0.0040720468 * s;
    lab[1] = 1.9779984951 * l - 2.4285922050 * m + 0.4505937099 * s;
    lab[2] = 0.0259040371 * l + 0.7827717662 * m - 0.8086757660 * s;
}

/* People can also read them: as text on the page's darkest background they have a contrast of at
 * least 4.5. */
static void test_colors_can_be_told_apart(void **state)
{
    double labs[PEOPLE_COLORS][3];

    (void)state;
    for (uint32_t i = 0; i < PEOPLE_COLORS; i++) {
        uint32_t slot = join("", 0);
        uint32_t color = people.slots[slot].color;
        double luminance =
            0.2126 * light(color, 16) + 0.7152 * light(color, 8) + 0.0722 * light(color, 0);
        assert_true((luminance + 0.05) / (0.004 + 0.05) > 4.5);
        to_oklab(color, labs[i]);
        for (uint32_t j = 0; j < i; j++) {
            double distance = hypot(hypot(labs[i][0] - labs[j][0], labs[i][1] - labs[j][1]),
                                    labs[i][2] - labs[j][2]);
            if (distance < 0.045) {
                fail_msg("colours %u and %u are %.3f apart", j + 1, i + 1, distance);
            }
        }
    }
}

/* No colour is used a third time before all others are used twice. */
static void test_colors_are_spread_evenly(void **state)
{
    enum { COLORS = PEOPLE_COLORS, PEOPLE = 10 * COLORS };
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
    /* The next person gets the colour of the person who left. */
    leave(slots[5], false, 1);
    assert_int_equal(people.slots[join("", 2)].color, colors[5]);
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
    uint32_t here = 0;

    assert_int_equal(people.here, joins - leaves);
    for (uint32_t i = 0; i < MODEL_MAX; i++) {
        const struct person *person = &people.slots[model[i].slot];
        if (!model[i].here) {
            continue;
        }
        here++;
        assert_int_equal(person->id, model[i].id);
        assert_int_equal(person->color, model[i].color);
        assert_int_equal(people_find(&people, person->member), model[i].slot);
        for (uint32_t j = 0; j < i; j++) {
            assert_false(model[j].here &&
                         (model[j].id == model[i].id ||
                          memcmp(model[j].token, model[i].token, PROTO_TOKEN_SIZE) == 0));
        }
    }
    assert_int_equal(here, people.here);
    /* All slots of presence are filled, only with present people. */
    assert_int_equal(people.shown_count, here < PROTO_PEOPLE_MAX ? here : PROTO_PEOPLE_MAX);
    for (uint32_t i = 0; i < people.shown_count; i++) {
        const struct person *person = &people.slots[people.shown[i]];
        assert_true(person->member != 0 && person->shown);
        for (uint32_t j = 0; j < i; j++) {
            assert_int_not_equal(people.shown[j], people.shown[i]);
        }
    }
}

static void model_join(struct model_person *person, bool with_token, uint64_t now)
{
    room_member replaced;

    person->slot = rejoin("", with_token ? person->token : NULL, now, &replaced);
    assert_int_equal(replaced, 0);
    if (with_token) {
        assert_int_equal(people.slots[person->slot].id, person->id);
    }
    person->known = person->here = true;
    person->id = people.slots[person->slot].id;
    person->color = people.slots[person->slot].color;
    copy_token(person->token, person->slot);
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
        room_member replaced;
        now += 1 + below(&rng, 1000);
        if (!person->here) {
            model_join(person, person->known && what > 0, now);
            joins++;
        } else if (what < 4) {
            leave(person->slot, false, now);
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
            leave(model[i].slot, false, now);
            model[i].here = false;
            leaves++;
        }
    }
    check_everyone(joins, leaves);
    assert_int_equal(people.here, 0);
    assert_int_equal(people.shown_count, 0);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, make, destroy)
    const struct CMUnitTest tests[] = {
        TEST(test_a_newcomer_is_shown),
        TEST(test_handles),
        TEST(test_memory_grows_with_the_people),
        TEST(test_the_nameless_get_names_of_their_own),
        TEST(test_a_token_brings_back_the_person),
        TEST(test_a_token_in_use_moves),
        TEST(test_the_expelled_stay_out_for_ten_minutes),
        TEST(test_the_expelled_are_not_forgotten_for_others),
        TEST(test_an_unknown_token_makes_someone_new),
        TEST(test_someone_is_remembered_for_a_while),
        TEST(test_the_number_of_remembered_people_is_limited),
        TEST(test_a_full_room),
        TEST(test_renaming),
        TEST(test_longest_name),
        TEST(test_colors_can_be_told_apart),
        TEST(test_colors_are_spread_evenly),
        TEST(test_random_comings_and_goings),
    };
    return cmocka_run_group_tests_name("people", tests, NULL, NULL);
}
