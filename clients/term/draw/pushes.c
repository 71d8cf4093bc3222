#include "term/draw/pushes.h"

#include "term/flock/why.h"
#include "term/tty/print.h"
#include "term/tty/screen.h"

#include <curses.h>
#include <math.h>

#define LONGEST  0.22F /* of the picture's shorter side: the longest arrow */
#define SHORTEST 2.0F  /* dots: a shorter arrow is left out */
#define BARB     3.0F  /* dots: a side of an arrow's head */
#define BARB_X   0.8F  /* the head's shape along and across the arrow */
#define BARB_Y   0.6F

/* Stores where a boid of the sample is drawn, dots. A boid that snapshots leave out is where the
 * server says. */
static void find_boid(const struct viewport *viewport, const struct term_session *session,
                      const struct proto_pushed *pushed, float *x, float *y)
{
    struct timeline_boid boid;
    uint32_t stride = session->stream.pace.granted.stride;
    uint32_t index = stride > 0 ? pushed->number / stride : 0;
    bool drawn = stride > 0 && pushed->number % stride == 0 &&
                 index < timeline_boid_count(session->timeline) &&
                 timeline_boids(session->timeline, index, 1, &boid) == 1 && !boid.hidden;
    viewport_point(viewport, drawn ? boid.x : pushed->x, drawn ? boid.y : pushed->y, x, y);
}

/* Returns the length of the longest vector, world units a tick. */
static float find_longest(const struct proto_pushes *pushes)
{
    float longest = 0;
    for (uint32_t i = 0; i < pushes->count; i++) {
        for (uint32_t rule = 0; rule < pushes->rule_count; rule++) {
            const struct proto_vector *push = &pushes->boids[i].pushes[rule];
            longest = fmaxf(longest, hypotf(push->x, push->y));
        }
    }
    return longest;
}

/* Draws an arrow from a point, by a vector in dots. */
static void draw_arrow(struct canvas *lines, float x, float y, float way_x, float way_y)
{
    float length = hypotf(way_x, way_y);
    if (!(length >= SHORTEST) || !isfinite(length)) {
        return;
    }
    float along_x = way_x / length * BARB;
    float along_y = way_y / length * BARB;
    float end_x = x + way_x;
    float end_y = y + way_y;
    canvas_line(lines, x, y, end_x, end_y);
    for (int i = 0; i < 2; i++) {
        float side = i == 0 ? -BARB_Y : BARB_Y;
        canvas_line(lines, end_x, end_y, end_x - BARB_X * along_x + side * along_y,
                    end_y - BARB_X * along_y - side * along_x);
    }
}

/* Writes the lines over the picture. */
static void write_lines(const struct canvas *lines, short pair)
{
    for (int row = 0; row < lines->rows; row++) {
        for (int column = 0; column < lines->columns; column++) {
            uint8_t dots = lines->cells[(size_t)row * (size_t)lines->columns + (size_t)column].dots;
            const wchar_t symbol[2] = {term_screen_symbol(canvas_braille(dots), L'*'), 0};
            cchar_t cell;
            if (dots != 0) {
                setcchar(&cell, symbol, A_BOLD, pair, NULL);
                mvadd_wchnstr(row, column, &cell, 1);
            }
        }
    }
}

/* Draws the arrows of a rule. scale: dots for a unit a tick. */
static void draw_rule(const struct viewport *viewport, const struct term_session *session,
                      struct canvas *lines, uint32_t rule, float scale)
{
    const struct proto_pushes *pushes = &session->pushes;
    canvas_clear(lines);
    for (uint32_t i = 0; i < pushes->count; i++) {
        const struct proto_vector *push = &pushes->boids[i].pushes[rule];
        float x = 0;
        float y = 0;
        find_boid(viewport, session, &pushes->boids[i], &x, &y);
        draw_arrow(lines, x, y, push->x * scale, push->y * scale);
    }
    write_lines(lines, term_screen_pair(why_color(pushes->rules[rule])));
}

/* Writes the names of the rules into the first row. */
static void write_names(const struct proto_pushes *pushes, int columns)
{
    int column = 1;
    for (uint32_t rule = 0; rule < pushes->rule_count && column < columns - 1; rule++) {
        attr_set(A_BOLD | A_REVERSE, term_screen_pair(why_color(pushes->rules[rule])), NULL);
        mvaddch(0, column, ' ');
        int width = term_print(0, column + 1, why_push(pushes->rules[rule]), columns - column - 2);
        mvaddch(0, column + 1 + width, ' ');
        column += width + 3;
    }
    attr_set(A_NORMAL, 0, NULL);
}

void term_pushes_draw(const struct viewport *viewport, const struct term_session *session,
                      struct canvas *lines)
{
    const struct proto_pushes *pushes = &session->pushes;
    float longest = find_longest(pushes);
    float side =
        fminf((float)(lines->columns * VIEWPORT_DOTS_X), (float)(lines->rows * VIEWPORT_DOTS_Y));
    if (pushes->rule_count == 0 || session->phase != TERM_LIVE) {
        return;
    }
    for (uint32_t rule = 0; rule < pushes->rule_count && longest > 0; rule++) {
        draw_rule(viewport, session, lines, rule, LONGEST * side / longest);
    }
    write_names(pushes, lines->columns);
}
