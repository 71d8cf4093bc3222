/* The hue and brightness of cells, and how much is drawn on a slow terminal. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "term/draw/economy.h"
#include "term/draw/shade.h"
#include "term/tty/flow.h"
#include "term/tty/palette.h"
#include "term/tty/theme.h"

#include <math.h>

static const struct shade NOTHING = {.level = SHADE_NONE};
static const struct shade_detail ALL = {.fades = THEME_LEVEL_BOID};
static const struct shade_scale SCALE = {.count = 4, .speed = 2};

/* Returns a cell with `count` boids that head for a turn. */
static struct canvas_cell boids(int count, float turn, float speed)
{
    struct canvas_cell cell = {.dots = 1};
    cell.half[0].count = (uint16_t)count;
    cell.half[0].heading_x = (float)count * speed * cosf(6.2831853F * turn);
    cell.half[0].heading_y = (float)count * speed * sinf(6.2831853F * turn);
    return cell;
}

static struct shade shade_of(const struct canvas_cell *cell, struct shade before)
{
    return shade_cell(cell, &SCALE, &ALL, before, NOTHING);
}

static void each_heading_has_its_hue(void **state)
{
    (void)state;
    for (int i = 0; i < PALETTE_HUES; i++) {
        struct canvas_cell cell = boids(4, (float)i / PALETTE_HUES, 2);
        assert_int_equal(shade_of(&cell, NOTHING).hue, i);
    }
}

static void hue_stays_until_the_heading_is_clearly_another(void **state)
{
    const struct shade before = {.hue = 5, .level = 4};
    struct canvas_cell near = boids(4, 5.6F / PALETTE_HUES, 2);
    struct canvas_cell far = boids(4, 6.1F / PALETTE_HUES, 2);
    struct canvas_cell around = boids(4, 23.6F / PALETTE_HUES, 2);
    (void)state;
    assert_int_equal(shade_of(&near, before).hue, 5);
    assert_int_equal(shade_of(&near, NOTHING).hue, 6);
    assert_int_equal(shade_of(&far, before).hue, 6);
    assert_int_equal(shade_of(&around, (struct shade){.hue = 0, .level = 4}).hue, 0);
}

static void many_and_fast_boids_are_brighter(void **state)
{
    struct canvas_cell few = boids(1, 0, 1);
    struct canvas_cell usual = boids(4, 0, 2);
    struct canvas_cell many = boids(40, 0, 2);
    struct canvas_cell fast = boids(4, 0, 8);
    (void)state;
    assert_int_equal(shade_of(&few, NOTHING).level, THEME_LEVEL_BOID);
    assert_int_equal(shade_of(&usual, NOTHING).level, THEME_LEVEL_BOID + 1);
    assert_int_equal(shade_of(&many, NOTHING).level, THEME_LEVELS - 1);
    assert_int_equal(shade_of(&fast, NOTHING).level, THEME_LEVELS - 1);
}

static void trail_gets_fainter_and_goes(void **state)
{
    struct canvas_cell cell = {.wake = 0x0f};
    uint8_t level = SHADE_NONE;
    (void)state;
    for (int trail = 1; trail <= CANVAS_LIGHT_MAX; trail++) {
        cell.half[1].trail = (uint8_t)trail;
        struct shade shade = shade_of(&cell, NOTHING);
        assert_true(shade.level < THEME_LEVEL_BOID);
        assert_true(trail == 1 || shade.level >= level);
        assert_int_equal(shade_dots(&cell, &SCALE, &ALL, shade, 0), 0x0f);
        level = shade.level;
    }
    assert_int_equal(level, THEME_LEVEL_BOID - 1);
    const struct shade_detail none = {.fades = 0};
    assert_int_equal(shade_cell(&cell, &SCALE, &none, NOTHING, NOTHING).level, SHADE_NONE);
    cell.half[1].trail = 0;
    assert_int_equal(shade_of(&cell, NOTHING).level, SHADE_NONE);
    assert_int_equal(shade_dots(&cell, &SCALE, &ALL, NOTHING, 0xff), 0);
}

static void crowd_shows_its_density_in_dots(void **state)
{
    uint8_t before = 0;
    (void)state;
    struct canvas_cell one = boids(8, 0, 2);
    assert_int_equal(shade_dots(&one, &SCALE, &ALL, (struct shade){0, 4}, 0), one.dots);
    for (int count = 9; count < 100; count++) {
        struct canvas_cell cell = boids(count, 0, 2);
        uint8_t dots = shade_dots(&cell, &SCALE, &ALL, (struct shade){0, 4}, 0);
        assert_in_range(__builtin_popcount(dots), 4, 8);
        assert_true(__builtin_popcount(dots) >= __builtin_popcount(before));
        before = dots;
    }
    assert_int_equal(before, 0xff);
    struct canvas_cell fewer = boids(9, 0, 2);
    assert_int_equal(shade_dots(&fewer, &SCALE, &ALL, (struct shade){0, 4}, canvas_spread(8)),
                     0xff);
}

static void run_takes_the_colour_of_its_left_neighbour(void **state)
{
    const struct shade_detail runs = {.fades = 0, .steady = true, .run = SHADE_RUN};
    struct canvas_cell cell = boids(4, 5.0F / PALETTE_HUES, 2);
    struct shade near = {.hue = 7, .level = 4};
    struct shade far = {.hue = 8, .level = 4};
    struct shade trail = {.hue = 5, .level = 1};
    (void)state;
    assert_int_equal(shade_cell(&cell, &SCALE, &runs, NOTHING, near).hue, 7);
    assert_int_equal(shade_cell(&cell, &SCALE, &runs, NOTHING, far).hue, 5);
    assert_int_equal(shade_cell(&cell, &SCALE, &runs, NOTHING, trail).level, 4);
}

static void halves_have_colours_of_their_own(void **state)
{
    struct canvas_cell cell = boids(4, 0, 2);
    cell.half[1] = (struct canvas_half){.heading_x = -1, .light = 100};
    (void)state;
    struct shade upper = shade_half(&cell.half[0], &SCALE, &ALL, NOTHING);
    struct shade lower = shade_half(&cell.half[1], &SCALE, &ALL, NOTHING);
    assert_int_equal(upper.hue, 0);
    assert_int_equal(lower.hue, PALETTE_HUES / 2);
    assert_true(lower.level < upper.level);
}

/* A cheap run keeps its colour for longer, and dots that only count boids stay when boids move. */
static void cheap_cells_change_less(void **state)
{
    const struct shade_detail cheap = {.steady = true, .run = SHADE_RUN_LONG, .density = true};
    struct canvas_cell cell = boids(4, 5.0F / PALETTE_HUES, 2);
    struct shade far = {.hue = 9, .level = 5};
    (void)state;
    assert_int_equal(shade_cell(&cell, &SCALE, &cheap, NOTHING, far).hue, 9);
    struct canvas_cell moved = cell;
    moved.dots = (uint8_t)~cell.dots;
    uint8_t dots = shade_dots(&cell, &SCALE, &cheap, (struct shade){0, 4}, 0);
    assert_int_equal(dots, canvas_spread(4));
    assert_int_equal(shade_dots(&moved, &SCALE, &cheap, (struct shade){0, 4}, dots), dots);
}

enum { ROWS = 49, CELLS = 200 /* changed cells in a row */, CELL = 8 /* bytes */ };

/* Draws frames on a terminal that takes `budget` bytes a second, for some seconds. cells: the
 * changed cells in a row at level 0; each level saves a fifth of them. Returns the bytes of a
 * frame. */
static double draw_for(struct economy *economy, int64_t *now, uint64_t *sent, double budget,
                       int cells, int seconds)
{
    uint64_t before = *sent;
    const int frames = 30 * seconds;
    for (int i = 0; i < frames; i++) {
        *now += 33333;
        economy_begin(economy, *sent, *now, budget);
        for (int row = 0; row < ROWS && economy_has_bytes(economy, false); row++) {
            int changed = cells - cells * economy->level / 8;
            assert_in_range(economy_next_row(economy, ROWS), 0, ROWS - 1);
            economy_spend(economy, changed);
            *sent += (uint64_t)(changed * CELL);
        }
    }
    return (double)(*sent - before) / frames;
}

static void budget_is_kept_and_more_comes_back(void **state)
{
    struct economy economy = {0};
    int64_t now = 1;
    uint64_t sent = 0;
    (void)state;
    draw_for(&economy, &now, &sent, TERM_FLOW_MOST, 10, 10);
    assert_int_equal(economy.level, 0);
    assert_true(draw_for(&economy, &now, &sent, 45000, CELLS, 1) < 2 * 45000.0 / 20);
    draw_for(&economy, &now, &sent, 45000, CELLS, 9);
    assert_true(economy.level >= 5);
    assert_true(economy_detail(&economy, 3).plain);
    draw_for(&economy, &now, &sent, TERM_FLOW_MOST, CELLS, 10);
    assert_false(economy_detail(&economy, 3).plain); /* a fast terminal keeps all colours */
    draw_for(&economy, &now, &sent, 45000, 2, 60);
    assert_int_equal(economy.level, 0);
}

/* 60 frames a second, panels beside the picture and cells that cost more than before take no more
 * bytes. */
static void no_second_takes_more_than_the_budget(void **state)
{
    struct economy economy = {0};
    int64_t now = 1;
    uint64_t sent = 0;
    (void)state;
    for (int i = 0; i < 60 * 20; i++) {
        now += 16667;
        economy_begin(&economy, sent, now, TERM_FLOW_MOST);
        sent += 400; /* a panel */
        while (economy.drawn < ROWS && economy_has_bytes(&economy, false)) {
            economy_next_row(&economy, ROWS);
            economy_spend(&economy, 40);
            sent += (uint64_t)(40 * (i % 5 == 0 ? 2 * CELL : CELL));
        }
    }
    assert_in_range(sent / 20, (uint64_t)(0.9 * TERM_FLOW_MOST), (uint64_t)(0.98 * TERM_FLOW_MOST));
}

/* Draws a picture of another part of the world. Returns its rows. */
static uint32_t draw_anew(double budget)
{
    struct economy economy = {0};
    economy_begin(&economy, 0, 1, budget);
    while (economy.drawn < ROWS && economy_has_bytes(&economy, true)) {
        economy_next_row(&economy, ROWS);
        economy_spend(&economy, CELLS);
    }
    return economy.drawn;
}

/* The other rows of a slow terminal come with the next frames. */
static void only_a_fast_terminal_gets_a_new_picture_at_once(void **state)
{
    (void)state;
    assert_int_equal(draw_anew(TERM_FLOW_MOST), ROWS);
    assert_in_range(draw_anew(45000), 1, ROWS / 8);
}

static void level_does_not_swing(void **state)
{
    struct economy economy = {0};
    int64_t now = 1;
    uint64_t sent = 0;
    int changes = 0;
    (void)state;
    for (int i = 0; i < 600; i++) {
        int before = economy.level;
        draw_for(&economy, &now, &sent, 45000, i % 20 < 10 ? 9 : 4, 1);
        changes += economy.level != before;
    }
    assert_true(changes < 40);
}

static void each_row_comes_in_turn(void **state)
{
    (void)state;
    for (int rows = 1; rows <= 100; rows++) {
        struct economy economy = {.turn = 12345};
        bool seen[100] = {false};
        for (int i = 0; i < rows; i++) {
            int row = economy_next_row(&economy, rows);
            assert_in_range(row, 0, rows - 1);
            assert_false(seen[row]);
            seen[row] = true;
        }
    }
    assert_int_equal(economy_detail(&(struct economy){.level = 6}, 3).fades, 0);
    assert_int_equal(economy_detail(&(struct economy){0}, 1).fades, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_heading_has_its_hue),
        cmocka_unit_test(hue_stays_until_the_heading_is_clearly_another),
        cmocka_unit_test(many_and_fast_boids_are_brighter),
        cmocka_unit_test(trail_gets_fainter_and_goes),
        cmocka_unit_test(crowd_shows_its_density_in_dots),
        cmocka_unit_test(run_takes_the_colour_of_its_left_neighbour),
        cmocka_unit_test(halves_have_colours_of_their_own),
        cmocka_unit_test(cheap_cells_change_less),
        cmocka_unit_test(budget_is_kept_and_more_comes_back),
        cmocka_unit_test(no_second_takes_more_than_the_budget),
        cmocka_unit_test(only_a_fast_terminal_gets_a_new_picture_at_once),
        cmocka_unit_test(level_does_not_swing),
        cmocka_unit_test(each_row_comes_in_turn),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
