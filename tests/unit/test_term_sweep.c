/* The sweep of a room in the terminal: its keys, and what the finder starts. */
#include "controls_fixture.h"

#include "term/flock/swept.h"
#include "term/ui/sweep.h"

static struct term_sweep sweep;

static bool press(struct fixture *fixture, enum term_action action)
{
    const struct term_input input = {.action = action};
    return term_sweep_act(&sweep, fixture->session, input, fixture->now);
}

static void run_sweep(struct fixture *fixture, const char *state, uint32_t points)
{
    struct proto_swept *swept = &fixture->session->swept;
    copy(swept->state, sizeof swept->state, state);
    copy(swept->name, sizeof swept->name, "noise");
    swept->steps = 11;
    swept->count = points;
}

static void a_presenter_sweeps_a_parameter_over_its_range(void **state)
{
    struct fixture *fixture = *state;
    sweep = (struct term_sweep){0};
    add_param(fixture, "noise", -1, 3, 0);
    term_sweep_start(&sweep, fixture->session, "noise", fixture->now);
    assert_true(sweep.open);
    assert_true(says_next(fixture));
    assert_int_equal(fixture->said.type, PROTO_SWEEP);
    assert_string_equal(fixture->said.sweep.name, "noise");
    assert_true(fixture->said.sweep.from == -1 && fixture->said.sweep.to == 3);
    assert_int_equal(fixture->said.sweep.steps, 11);
    assert_true(press(fixture, TERM_UNSWEEP));
    assert_true(says_next(fixture));
    assert_int_equal(fixture->said.type, PROTO_UNSWEEP);
}

static void assert_sweeps(struct fixture *fixture, const char *name, float from, float to)
{
    term_sweep_start(&sweep, fixture->session, name, fixture->now);
    assert_true(says_next(fixture));
    assert_int_equal(fixture->said.type, PROTO_SWEEP);
    assert_true(fixture->said.sweep.from == from && fixture->said.sweep.to == to);
}

/* The server refuses a least speed above the greatest one. */
static void a_sweep_stays_within_the_other_parameter_of_a_pair(void **state)
{
    struct fixture *fixture = *state;
    sweep = (struct term_sweep){0};
    add_param(fixture, "min_speed", 0, 100, 1.5F);
    add_param(fixture, "max_speed", 0, 100, 3);
    add_param(fixture, "separation_max", 1, 1000, 30);
    add_param(fixture, "separation_min", 1, 1000, 20);
    add_param(fixture, "minimax", 0, 5, 2);
    add_param(fixture, "max_force", 0, 10, 1);
    assert_sweeps(fixture, "min_speed", 0, 3);
    assert_sweeps(fixture, "max_speed", 1.5F, 100);
    assert_sweeps(fixture, "separation_min", 1, 30);
    assert_sweeps(fixture, "separation_max", 20, 1000);
    assert_sweeps(fixture, "minimax", 0, 5);
    assert_sweeps(fixture, "max_force", 0, 10);
}

static void a_viewer_only_watches(void **state)
{
    struct fixture *fixture = *state;
    sweep = (struct term_sweep){0};
    add_param(fixture, "noise", 0, 3, 0);
    fixture->session->welcome.role = PROTO_VIEWER;
    term_sweep_start(&sweep, fixture->session, "noise", fixture->now);
    assert_false(sweep.open);
    assert_true(press(fixture, TERM_UNSWEEP));
    assert_false(says_next(fixture));
    assert_int_equal(fixture->session->notice_kind, TERM_MISTAKE);
    assert_true(press(fixture, TERM_SWEEP));
    assert_true(sweep.open);
    assert_true(press(fixture, TERM_CANCEL));
    assert_false(sweep.open);
    assert_false(press(fixture, TERM_CANCEL)); /* for what lies below */
}

static void a_parameter_that_is_gone_starts_nothing(void **state)
{
    struct fixture *fixture = *state;
    sweep = (struct term_sweep){0};
    term_sweep_start(&sweep, fixture->session, "noise", fixture->now);
    assert_false(sweep.open);
    assert_false(says_next(fixture));
}

static void the_place_counts_the_value_in_force(void **state)
{
    struct fixture *fixture = *state;
    char place[64];
    assert_false(swept_runs(&fixture->session->swept));
    run_sweep(fixture, "running", 2);
    assert_true(swept_runs(&fixture->session->swept));
    swept_place(place, sizeof place, &fixture->session->swept);
    assert_string_equal(place, "noise 3/11");
    run_sweep(fixture, "done", 11);
    assert_false(swept_runs(&fixture->session->swept));
    swept_place(place, sizeof place, &fixture->session->swept);
    assert_string_equal(place, "noise 11/11");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_presenter_sweeps_a_parameter_over_its_range, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(a_sweep_stays_within_the_other_parameter_of_a_pair, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(a_viewer_only_watches, setup, teardown),
        cmocka_unit_test_setup_teardown(a_parameter_that_is_gone_starts_nothing, setup, teardown),
        cmocka_unit_test_setup_teardown(the_place_counts_the_value_in_force, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
