/* A presenter's terminal in a room. Each test adds controls and parameters to the room. */
#ifndef CONTROLS_FIXTURE_H
#define CONTROLS_FIXTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "term/ui/controls.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MS    INT64_C(1000)
#define START (1000 * MS)

struct fixture {
    struct term_session *session;
    struct proto_room *room;
    struct term_controls controls;
    struct proto_decoder *decoder;
    struct proto_client_message said;
    int64_t now;
};

static inline int setup(void **state)
{
    struct fixture *fixture = calloc(1, sizeof *fixture);
    assert_non_null(fixture);
    fixture->session = term_session_create("lobby", "Ada", 30, "packed", "");
    fixture->decoder = proto_decoder_create();
    assert_non_null(fixture->session);
    assert_non_null(fixture->decoder);
    term_session_tick(fixture->session, START);
    fixture->session->phase = TERM_LIVE;
    fixture->session->known = true;
    fixture->session->welcome.role = PROTO_PRESENTER;
    fixture->room = &fixture->session->welcome.room;
    fixture->room->width = 550;
    fixture->room->height = 400;
    fixture->room->quantum = 1.0F / 16;
    fixture->now = START;
    *state = fixture;
    return 0;
}

static inline int teardown(void **state)
{
    struct fixture *fixture = *state;
    term_session_destroy(fixture->session);
    proto_decoder_destroy(fixture->decoder);
    free(fixture);
    return 0;
}

static inline void copy(char *out, size_t capacity, const char *text)
{
    assert_true(strlen(text) < capacity);
    memcpy(out, text, strlen(text) + 1);
}

static inline struct proto_room_param *add_param(struct fixture *fixture, const char *name,
                                                 float min, float max, float value)
{
    struct proto_room_param *param = &fixture->room->params[fixture->room->param_count++];
    copy(param->name, sizeof param->name, name);
    param->min = min;
    param->max = max;
    param->base = param->initial = param->value = value;
    return param;
}

static inline struct proto_control *add_control(struct fixture *fixture, const char *name,
                                                uint32_t choices)
{
    struct proto_control *control = &fixture->room->controls[fixture->room->control_count++];
    copy(control->name, sizeof control->name, name);
    control->choice_count = choices;
    for (uint32_t i = 0; i < choices; i++) {
        snprintf(control->choices[i].value, sizeof control->choices[i].value, "choice-%u", i);
    }
    return control;
}

/* Adds the controls `preset` (three choices, none in force) and `run`, and the parameters `inertia`
 * and `radius`. */
static inline void furnish(struct fixture *fixture)
{
    struct proto_control *run = NULL;
    add_control(fixture, "preset", 3);
    run = add_control(fixture, "run", 2);
    strcpy(run->choices[0].value, "running");
    strcpy(run->choices[1].value, "paused");
    strcpy(run->value, "running");
    add_param(fixture, "inertia", 0, 3, 1);
    add_param(fixture, "radius", -100, 100, 0);
}

static inline void act(struct fixture *fixture, enum term_action action, int x, int y)
{
    struct term_input input = {action, x, y};
    assert_true(term_controls_act(&fixture->controls, fixture->session, input, fixture->now));
}

static inline void open_at(struct fixture *fixture, int index)
{
    act(fixture, TERM_PANEL, 0, 0);
    assert_true(fixture->controls.open);
    act(fixture, TERM_SELECT, 0, index);
    assert_int_equal(fixture->controls.selected, index);
}

static inline void type(struct fixture *fixture, const char *text)
{
    for (; *text != '\0'; text++) {
        act(fixture, TERM_TYPE, *text, 0);
    }
}

/* Stores the next message in fixture->said. Returns false if there is none. */
static inline bool says(struct fixture *fixture)
{
    uint8_t bytes[PROTO_MESSAGE_MAX];
    struct proto_error error;
    size_t size = term_changes_next(&fixture->session->changes, bytes, fixture->now);
    if (size > 0) {
        assert_int_equal(proto_decode_client(fixture->decoder, bytes, size, &fixture->said, &error),
                         PROTO_OK);
    }
    return size > 0;
}

/* Like says(), after the minimum time between two messages. */
static inline bool says_next(struct fixture *fixture)
{
    fixture->now += TERM_CHANGES_EVERY;
    return says(fixture);
}

static inline void expect_param(struct fixture *fixture, const char *name, float value)
{
    assert_true(says_next(fixture));
    assert_int_equal(fixture->said.type, PROTO_PARAM);
    assert_string_equal(fixture->said.param.name, name);
    assert_float_equal(fixture->said.param.value, value, 1e-6F);
}

static inline void expect_set(struct fixture *fixture, const char *name, const char *value)
{
    assert_true(says_next(fixture));
    assert_int_equal(fixture->said.type, PROTO_SET);
    assert_string_equal(fixture->said.set.name, name);
    assert_string_equal(fixture->said.set.value, value);
}

static inline struct term_row row_at(struct fixture *fixture, uint32_t index)
{
    return term_controls_row(fixture->session, index);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

#endif
