/* The notes of groups spare a move the search for someone who gives way. A scene that was loaded
 * has none, so they must change no result. */
#include "scene/people.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

enum { LIVES = 12, STEPS = 20000, PEOPLE = 220, GROUPS = 6 };

#define SECOND UINT64_C(1000000)

static uint32_t random_below(uint32_t *state, uint32_t below)
{
    *state = *state * 1664525u + 1013904223u;
    return (uint32_t)((uint64_t)(*state >> 4) * below >> 28);
}

static void forget_notes(struct people *people)
{
    for (size_t i = 0; i < people->group_capacity; i++) {
        people->groups[i].until = 0;
    }
}

/* Lets people of several groups come, move, rest and go, and presenters mark them. */
static void step(struct people *people, uint32_t *random, uint64_t now)
{
    uint32_t slot = random_below(random, PEOPLE);
    const uint32_t what = random_below(random, 100);
    const uint32_t some = random_below(random, 20);
    const bool known = slot < people->used && people->slots[slot].id > 0;
    const bool here = known && people->slots[slot].member != 0;

    if (what < 3 && people->here < PEOPLE) {
        slot = known ? slot : PEOPLE_NONE;
        if (people_admit(people, 1 + some % GROUPS, now, &slot) == PEOPLE_OK) {
            people_appoint(people, slot, some == 0 ? PROTO_PRESENTER : PROTO_VIEWER);
        }
    } else if (what == 3 && here && some < 10) {
        people_leave(people, slot, false, now);
    } else if (what == 4 && known && some < 5) {
        people_appoint(people, slot, some < 2 ? PROTO_PRESENTER : PROTO_VIEWER);
    } else if (what == 5 && some == 0) {
        people_spotlight(people, here ? slot : PEOPLE_NONE);
    } else if (what == 6 && here && some == 0) {
        people_lead(people, slot);
    } else if (what == 7 && some == 0) {
        people->leader = 0; /* as relay_skip() does */
    } else if (what == 8 && here && some == 0) {
        people_withdraw(people, slot);
    } else if (what > 8 && here && slot % 7 != 0) {
        people_move(people, slot, (float)random_below(random, 1000), 1, now, 10 * SECOND);
    }
}

static void assert_counted(const struct people *people)
{
    uint32_t counts[1 + GROUPS] = {0};
    uint32_t largest = 0;

    for (uint32_t i = 0; i < people->shown_count; i++) {
        counts[people->slots[people->shown[i]].group]++;
    }
    for (uint32_t group = 0; group <= GROUPS && group < people->group_capacity; group++) {
        assert_int_equal(people->groups[group].shown, counts[group]);
        largest = counts[group] > largest ? counts[group] : largest;
    }
    assert_int_equal(people->largest, largest);
    assert_int_equal(people->shown_count,
                     people->here < PROTO_PEOPLE_MAX ? people->here : PROTO_PEOPLE_MAX);
}

static void notes_change_no_result(void **state)
{
    uint32_t spared = 0;

    (void)state;
    for (uint32_t life = 1; life <= LIVES; life++) {
        struct people with, without;
        uint64_t now = SECOND;
        uint32_t random = life;
        people_init(&with);
        people_init(&without);
        for (uint32_t i = 0; i < STEPS; i++) {
            now += random_below(&random, 40000);
            uint32_t same = random;
            step(&with, &random, now);
            forget_notes(&without);
            step(&without, &same, now);
            assert_int_equal(with.shown_count, without.shown_count);
            assert_memory_equal(with.shown, without.shown, with.shown_count * sizeof with.shown[0]);
            spared += with.group_capacity > 1 && with.groups[1].until > now;
        }
        assert_counted(&with);
        people_finish(&with);
        people_finish(&without);
    }
    assert_true(spared > 0); /* there were notes */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(notes_change_no_result),
    };
    return cmocka_run_group_tests_name("people_notes", tests, NULL, NULL);
}
