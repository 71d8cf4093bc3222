/* Positions on the screen, and the characters of its cells. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "term/draw/canvas.h"
#include "term/draw/viewport.h"

#include <math.h>

static const float SIZES[][2] = {{550, 400}, {16, 65536}, {65536, 16}, {100, 100}};
enum { SIZE_COUNT = sizeof SIZES / sizeof SIZES[0] };

static void world_fits_and_keeps_its_proportions(void **state)
{
    (void)state;
    for (int columns = 1; columns <= 210; columns += 7) {
        for (int rows = 1; rows <= 70; rows += 3) {
            for (int i = 0; i < SIZE_COUNT; i++) {
                struct viewport viewport;
                float width = SIZES[i][0];
                float height = SIZES[i][1];
                assert_true(viewport_fit(&viewport, columns, rows, width, height));
                float right = viewport.left + width * viewport.scale;
                float bottom = viewport.top + height * viewport.scale;
                float across = (float)(columns * VIEWPORT_DOTS_X);
                float down = (float)(rows * VIEWPORT_DOTS_Y);
                assert_true(viewport.left >= -0.01F && right <= across + 0.01F);
                assert_true(viewport.top >= -0.01F && bottom <= down + 0.01F);
                /* centred */
                assert_float_equal(viewport.left, across - right, 0.02F);
                assert_float_equal(viewport.top, down - bottom, 0.02F);
                /* as large as possible */
                float margin_x = viewport.framed ? VIEWPORT_DOTS_X : 0;
                float margin_y = viewport.framed ? VIEWPORT_DOTS_Y : 0;
                assert_true(viewport.left < margin_x + 0.02F || viewport.top < margin_y + 0.02F);
            }
        }
    }
}

static void frame_lies_just_outside_the_world(void **state)
{
    struct viewport viewport;
    int left = 0;
    int top = 0;
    int right = 0;
    int bottom = 0;
    (void)state;
    assert_true(viewport_fit(&viewport, 80, 23, 550, 400));
    assert_true(viewport.framed);
    viewport_frame(&viewport, &left, &top, &right, &bottom);
    assert_true(left >= 0 && top >= 0 && right < 80 && bottom < 23);
    assert_true((float)((left + 1) * VIEWPORT_DOTS_X) <= viewport.left + 0.1F);
    assert_true((float)(right * VIEWPORT_DOTS_X) >= viewport.left + 550 * viewport.scale - 0.1F);
    assert_int_equal(top, 0);
    assert_int_equal(bottom, 22);
}

static void positions_come_back_from_the_screen(void **state)
{
    struct viewport viewport;
    (void)state;
    assert_true(viewport_fit(&viewport, 80, 23, 550, 400));
    for (int column = 0; column < 80; column++) {
        for (int row = 0; row < 23; row++) {
            float x = 0;
            float y = 0;
            int dot_x = 0;
            int dot_y = 0;
            viewport_world(&viewport, column, row, &x, &y);
            viewport_dot(&viewport, x, y, &dot_x, &dot_y);
            assert_int_equal(dot_x / VIEWPORT_DOTS_X, column);
            assert_int_equal(dot_y / VIEWPORT_DOTS_Y, row);
        }
    }
}

static void positions_beyond_the_screen_have_no_dot(void **state)
{
    static const float places[][2] = {{-3000, 200}, {9000, 200},     {275, -2000},
                                      {275, 2000},  {1e30F, 1e30F},  {NAN, 200},
                                      {275, NAN},   {INFINITY, 200}, {275, -INFINITY}};
    struct viewport viewport;
    (void)state;
    assert_true(viewport_fit(&viewport, 80, 23, 550, 400));
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        int x = 0;
        int y = 0;
        viewport_dot(&viewport, places[i][0], places[i][1], &x, &y);
        assert_int_equal(x, -1);
        assert_int_equal(y, -1);
    }
    assert_false(viewport_fit(&viewport, 0, 5, 550, 400));
    assert_false(viewport_fit(&viewport, 5, 0, 550, 400));
    assert_false(viewport_fit(&viewport, 5, 5, NAN, 400));
}

static void whole_world_is_shown_without_zoom(void **state)
{
    struct viewport viewport;
    struct viewport_look look = {.zoom = 0.1F, .x = 5000, .y = NAN};
    (void)state;
    assert_true(viewport_fit(&viewport, 80, 23, 550, 400));
    const struct viewport fitted = viewport;
    viewport_show(&viewport, &look);
    assert_float_equal(viewport.scale, fitted.scale, 0);
    assert_float_equal(viewport.left, fitted.left, 0);
    assert_float_equal(look.zoom, 1, 0);
}

static void zoom_keeps_the_position_under_the_pointer(void **state)
{
    struct viewport viewport;
    struct viewport_look look = {.zoom = 1};
    float before[2];
    float after[2];
    (void)state;
    assert_true(viewport_fit(&viewport, 80, 23, 550, 400));
    viewport_show(&viewport, &look);
    for (int i = 0; i < 4; i++) {
        viewport_world(&viewport, 40, 10, &before[0], &before[1]);
        viewport_zoom(&viewport, &look, 2, 40, 10);
        assert_true(viewport_fit(&viewport, 80, 23, 550, 400));
        viewport_show(&viewport, &look);
        viewport_world(&viewport, 40, 10, &after[0], &after[1]);
        assert_float_equal(before[0], after[0], 0.5F);
        assert_float_equal(before[1], after[1], 0.5F);
    }
    assert_float_equal(look.zoom, 16, 0.001F);
    viewport_zoom(&viewport, &look, 1e9F, 40, 10);
    assert_float_equal(look.zoom, VIEWPORT_ZOOM_MAX, 0);
}

static void enlarged_world_fills_the_pane_at_its_edges(void **state)
{
    struct viewport viewport;
    struct viewport_look look = {.zoom = 8, .x = -1000, .y = 1e9F};
    (void)state;
    assert_true(viewport_fit(&viewport, 80, 23, 550, 400));
    viewport_show(&viewport, &look);
    assert_float_equal(viewport.left, 0, 0.01F);
    assert_float_equal(viewport.top + 400 * viewport.scale, 23 * VIEWPORT_DOTS_Y, 0.1F);
}

static int setup(void **state)
{
    static struct canvas canvas;
    canvas_init(&canvas);
    *state = &canvas;
    return !canvas_resize(&canvas, 10, 5);
}

static int teardown(void **state)
{
    canvas_finish(*state);
    return 0;
}

static const struct canvas_cell *cell(const struct canvas *canvas, int column, int row)
{
    return &canvas->cells[row * canvas->columns + column];
}

static wchar_t braille(const struct canvas_cell *at)
{
    return canvas_braille(at->dots);
}

static void each_dot_has_its_bit_in_the_cell(void **state)
{
    static const wchar_t expected[4][2] = {{L'⠁', L'⠈'}, {L'⠂', L'⠐'}, {L'⠄', L'⠠'}, {L'⡀', L'⢀'}};
    struct canvas *canvas = *state;
    for (int y = 0; y < 4; y++) {
        for (int x = 0; x < 2; x++) {
            canvas_clear(canvas);
            canvas_boid(canvas, 2 * 3 + x, 4 * 2 + y, 1, 0);
            assert_int_equal(braille(cell(canvas, 3, 2)), expected[y][x]);
        }
    }
    canvas_clear(canvas);
    assert_int_equal(braille(cell(canvas, 3, 2)), L' ');
    for (int i = 0; i < 8; i++) {
        canvas_boid(canvas, i % 2, i / 2, 1, 0);
    }
    assert_int_equal(braille(cell(canvas, 0, 0)), L'⣿');
}

static void boids_outside_leave_no_mark(void **state)
{
    struct canvas *canvas = *state;
    static const int places[][2] = {{-1, 3}, {3, -1}, {20, 3}, {3, 20}, {-100000, 100000}};
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        canvas_boid(canvas, places[i][0], places[i][1], 1, 1);
    }
    for (int i = 0; i < 50; i++) {
        assert_int_equal(canvas->cells[i].dots, 0);
    }
}

static void one_boid_in_ascii_points_where_it_heads(void **state)
{
    static const struct {
        float x, y;
        wchar_t symbol;
    } cases[] = {{1, 0, L'>'},    {1, 1, L'\\'}, {0, 1, L'v'},  {-1, 1, L'/'}, {-1, 0, L'<'},
                 {-1, -1, L'\\'}, {0, -1, L'^'}, {1, -1, L'/'}, {0, 0, L'o'}};
    struct canvas *canvas = *state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        canvas_clear(canvas);
        canvas_boid(canvas, 4, 4, cases[i].x, cases[i].y);
        assert_int_equal(canvas_ascii(cell(canvas, 2, 1)), cases[i].symbol);
    }
}

static void more_boids_in_ascii_are_denser(void **state)
{
    struct canvas *canvas = *state;
    const wchar_t *ramp = L" >=*%%%%########@@";
    for (int i = 0; ramp[i] != 0; i++) {
        assert_int_equal(canvas_ascii(cell(canvas, 0, 0)), ramp[i]);
        canvas_boid(canvas, 0, 0, 1, 0);
    }
    for (int i = 0; i < 70000; i++) {
        canvas_boid(canvas, 0, 0, 1, 0);
    }
    assert_int_equal(canvas_ascii(cell(canvas, 0, 0)), L'@');
}

static void headings_turn_clockwise_from_east(void **state)
{
    static const float compass[8][2] = {{1, 0},  {1, 1},   {0, 1},  {-1, 1},
                                        {-1, 0}, {-1, -1}, {0, -1}, {1, -1}};
    (void)state;
    for (int i = 0; i < 8; i++) {
        assert_float_equal(canvas_turn(3 * compass[i][0], 3 * compass[i][1]), (float)i / 8, 1e-6F);
    }
    assert_float_equal(canvas_turn(0, 0), 0, 0);
    assert_true(canvas_turn(1, -1e-12F) < 1);
}

static int dots(const struct canvas *canvas)
{
    int count = 0;
    for (int i = 0; i < canvas->columns * canvas->rows; i++) {
        count += __builtin_popcount(canvas->cells[i].dots);
    }
    return count;
}

static void lonely_boid_has_a_body_and_a_crowd_has_not(void **state)
{
    struct canvas *canvas = *state;
    canvas_boid(canvas, 16, 10, 1, 0);
    canvas_body(canvas, 16, 10, 1, 0, 8);
    assert_true(dots(canvas) > 8);
    assert_int_equal(cell(canvas, 9, 2)->dots, 0); /* the boid is its head */
    assert_int_not_equal(cell(canvas, 5, 2)->dots, 0);
    canvas_clear(canvas);
    for (int i = 0; i < 20; i++) {
        canvas_boid(canvas, 10, 10, 1, 0);
    }
    canvas_body(canvas, 10, 10, 1, 0, 8);
    assert_int_equal(dots(canvas), 1);
    /* At the corners, where a part of it is outside, and for a boid that stands still. */
    canvas_clear(canvas);
    canvas_body(canvas, 0, 0, 1, 1, 8);
    canvas_body(canvas, 19, 19, -1, -1, 1e9F);
    canvas_body(canvas, 10, 10, 0, 0, 8);
    canvas_body(canvas, 10, 10, INFINITY, 0, 8);
    canvas_body(canvas, -5, 10, 1, 0, 8);
    canvas_body(canvas, NAN, 10, 1, 0, 8);
}

/* A round boid shows no heading. */
static void round_boid_is_a_disc(void **state)
{
    struct canvas *canvas = *state;
    canvas_boid(canvas, 10, 10, 0, 1);
    canvas_round(canvas, 10, 10, 0, 1, 4);
    int count = dots(canvas);
    assert_in_range(count, 9, 16);
    canvas_clear(canvas);
    canvas_boid(canvas, 10, 10, 1, 0);
    canvas_round(canvas, 10, 10, 1, 0, 4);
    assert_int_equal(dots(canvas), count);
    canvas_round(canvas, 19, 19, 1, 0, 4); /* at the corner */
}

static void light_fades_into_the_cells_around(void **state)
{
    struct canvas *canvas = *state;
    canvas_light(canvas, 10, 10, 1, 0, 6);
    int middle = cell(canvas, 5, 2)->half[1].light;
    int beside = cell(canvas, 7, 2)->half[1].light;
    assert_int_equal(middle, CANVAS_LIGHT_MAX);
    assert_in_range(beside, 1, middle - 1);
    assert_int_equal(cell(canvas, 9, 2)->half[1].light, 0);
    canvas_light(canvas, 19, 0, 1, 0, 1e9F); /* larger than the canvas */
    canvas_light(canvas, -1, 0, 1, 0, 6);
}

static void trail_fades_where_a_boid_was(void **state)
{
    struct canvas *canvas = *state;
    canvas_boid(canvas, 4, 4, 1, 0);
    canvas_fade(canvas, 100, false);
    const struct canvas_cell *left = cell(canvas, 2, 1);
    assert_int_equal(canvas_count(left), 0);
    assert_int_equal(left->dots, 0);
    assert_int_equal(braille(cell(canvas, 2, 1)), L' ');
    assert_int_equal(left->wake, 0x01);
    assert_int_equal(left->half[0].trail, CANVAS_LIGHT_MAX - 100);
    canvas_fade(canvas, 100, false);
    assert_int_equal(left->half[0].trail, CANVAS_LIGHT_MAX - 200);
    canvas_fade(canvas, 100, false);
    assert_int_equal(left->half[0].trail, 0);
    assert_int_equal(left->wake, 0);
}

static void body_leaves_no_trail(void **state)
{
    struct canvas *canvas = *state;
    canvas_boid(canvas, 16, 10, 1, 0);
    canvas_body(canvas, 16, 10, 1, 0, 8);
    canvas_fade(canvas, 1, true);
    assert_int_equal(cell(canvas, 8, 2)->wake, 0x04);
    assert_int_equal(cell(canvas, 6, 2)->wake, 0);
    assert_int_equal(cell(canvas, 6, 2)->half[1].trail, 0);
}

static void joined_trail_is_a_line(void **state)
{
    struct canvas *canvas = *state;
    for (int i = 0; i < 2; i++) {
        bool joined = i == 1;
        canvas_clear(canvas);
        canvas_boid(canvas, 4, 4, 1, 0);
        canvas_fade(canvas, 10, joined);
        canvas_boid(canvas, 5, 4, 1, 0);
        canvas_fade(canvas, 10, joined);
        assert_int_equal(cell(canvas, 2, 1)->wake, joined ? 0x09 : 0x08);
    }
}

static void spread_dots_grow_one_by_one(void **state)
{
    (void)state;
    for (int i = 0; i <= 8; i++) {
        assert_int_equal(__builtin_popcount(canvas_spread(i)), i);
    }
    assert_int_equal(canvas_spread(-1), 0);
    assert_int_equal(canvas_spread(100), 0xff);
}

static void line_goes_from_end_to_end(void **state)
{
    struct canvas *canvas = *state;
    canvas_line(canvas, 2.5F, 1.5F, 9.5F, 1.5F);
    assert_int_equal(dots(canvas), 8);
    canvas_clear(canvas);
    canvas_line(canvas, 19.5F, 19.5F, 0.5F, 0.5F);
    assert_int_equal(braille(cell(canvas, 0, 0)), L'⠑');
    assert_int_equal(braille(cell(canvas, 9, 4)), L'⢄');
    canvas_clear(canvas);
    canvas_line(canvas, -500, 2.5F, 500, 2.5F);
    assert_int_equal(dots(canvas), 20);
    assert_int_equal(canvas_ascii(cell(canvas, 0, 0)), L' '); /* no boid */
    canvas_line(canvas, NAN, 1, 1, 1);
    canvas_line(canvas, -INFINITY, 1, INFINITY, 1);
    canvas_line(canvas, 1e30F, 1, 1e38F, 1e9F);
    assert_int_equal(dots(canvas), 20);
}

static void canvas_takes_any_size(void **state)
{
    struct canvas *canvas = *state;
    assert_true(canvas_resize(canvas, 1, 1));
    canvas_boid(canvas, 1, 3, 1, 0);
    assert_int_equal(braille(cell(canvas, 0, 0)), L'⢀');
    assert_false(canvas_resize(canvas, 0, 4));
    assert_int_equal(canvas->columns, 1);
    assert_true(canvas_resize(canvas, 300, 100));
    assert_int_equal(dots(canvas), 0);
}

/* Unicode 13 has a character for each set of blocks but the four that older versions have. */
static void sextants_have_the_blocks_of_the_dots(void **state)
{
    (void)state;
    assert_int_equal(canvas_sextant(0), L' ');
    assert_int_equal(canvas_sextant(0xff), 0x2588);
    assert_int_equal(canvas_sextant(0x47), 0x258c); /* the left half */
    assert_int_equal(canvas_sextant(0xb8), 0x2590);
    assert_int_equal(canvas_sextant(0x01), 0x1fb00); /* the upper left block */
    assert_int_equal(canvas_sextant(0x02), 0x1fb03); /* either row in the middle, left */
    assert_int_equal(canvas_sextant(0x04), 0x1fb03);
    assert_int_equal(canvas_sextant(0x4e), 0x1fb14); /* SEXTANT-235 */
    assert_int_equal(canvas_sextant(0xfe), 0x1fb3b); /* all but the upper left block */
    assert_int_equal(canvas_sextant(0xf0), 0x1fb35); /* SEXTANT-456 */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sextants_have_the_blocks_of_the_dots),
        cmocka_unit_test(world_fits_and_keeps_its_proportions),
        cmocka_unit_test(frame_lies_just_outside_the_world),
        cmocka_unit_test(positions_come_back_from_the_screen),
        cmocka_unit_test(positions_beyond_the_screen_have_no_dot),
        cmocka_unit_test(whole_world_is_shown_without_zoom),
        cmocka_unit_test(zoom_keeps_the_position_under_the_pointer),
        cmocka_unit_test(enlarged_world_fills_the_pane_at_its_edges),
        cmocka_unit_test_setup_teardown(each_dot_has_its_bit_in_the_cell, setup, teardown),
        cmocka_unit_test_setup_teardown(boids_outside_leave_no_mark, setup, teardown),
        cmocka_unit_test_setup_teardown(one_boid_in_ascii_points_where_it_heads, setup, teardown),
        cmocka_unit_test_setup_teardown(more_boids_in_ascii_are_denser, setup, teardown),
        cmocka_unit_test(headings_turn_clockwise_from_east),
        cmocka_unit_test_setup_teardown(lonely_boid_has_a_body_and_a_crowd_has_not, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(round_boid_is_a_disc, setup, teardown),
        cmocka_unit_test_setup_teardown(light_fades_into_the_cells_around, setup, teardown),
        cmocka_unit_test_setup_teardown(trail_fades_where_a_boid_was, setup, teardown),
        cmocka_unit_test_setup_teardown(body_leaves_no_trail, setup, teardown),
        cmocka_unit_test_setup_teardown(joined_trail_is_a_line, setup, teardown),
        cmocka_unit_test(spread_dots_grow_one_by_one),
        cmocka_unit_test_setup_teardown(line_goes_from_end_to_end, setup, teardown),
        cmocka_unit_test_setup_teardown(canvas_takes_any_size, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
