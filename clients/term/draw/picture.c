#include "term/draw/picture.h"

#include "term/draw/marks.h"
#include "term/draw/plot.h"
#include "term/tty/inks.h"
#include "term/tty/screen.h"
#include "term/tty/theme.h"

#include <assert.h>
#include <curses.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define ZOOM_FOLLOWED 6.0F   /* at most, while the look follows the flock */
#define FADE_MOST     250000 /* µs: a longer time is a jump, which leaves no trail */
#define STEP_SHARE    50     /* of the longer side of what is shown */
#define ZOOM_STEP     1.25F
#define FOLLOWING     0.08F /* of the way to the flock, each frame */

/* The canvas is drawn again once a boid may have moved by this: less cannot be seen. */
#define STILL_DOTS 0.25F

void term_picture_init(struct term_picture *picture, enum term_cells cells)
{
    *picture = (struct term_picture){.look = {.zoom = 1}, .cells = cells};
    canvas_init(&picture->canvas);
    canvas_init(&picture->walls);
}

void term_picture_finish(struct term_picture *picture)
{
    canvas_finish(&picture->canvas);
    canvas_finish(&picture->walls);
    free(picture->shown);
}

/* Makes the cells of a picture of that size, which last until their rows are drawn: blanks, or, on
 * the same screen, what the cells show. When a panel opens on a slow line, the panel's cells come
 * first. Returns NULL if memory runs out. */
static struct term_shown *make_shown(const struct term_picture *picture, int columns, int rows)
{
    const int before = picture->canvas.columns;
    const bool same = picture->screen_columns == COLS && picture->canvas.rows == rows;
    struct term_shown *shown = calloc((size_t)columns * (size_t)rows, sizeof *shown);
    if (shown == NULL) {
        return NULL;
    }
    for (int row = 0; row < rows; row++) {
        for (int column = 0; column < columns; column++) {
            struct term_shown *cell = &shown[row * columns + column];
            *cell = same && column < before ? picture->shown[row * before + column]
                                            : (struct term_shown){.symbol = L' '};
        }
    }
    return shown;
}

/* Gives the canvases that size; returns false, with the old size, if memory runs out. */
static bool resize_canvases(struct term_picture *picture, int columns, int rows)
{
    struct term_shown *shown = make_shown(picture, columns, rows);
    if (shown == NULL || !canvas_resize(&picture->walls, columns, rows) ||
        !canvas_resize(&picture->canvas, columns, rows)) {
        free(shown);
        return false;
    }
    free(picture->shown);
    picture->shown = shown;
    picture->screen_columns = COLS;
    picture->drawn = (struct timeline_mark){0};
    return true;
}

/* Moves the look to the flock, and enlarges it until it fills the pane. */
static void follow_flock(struct term_picture *picture, const struct term_session *session)
{
    float x = 0;
    float y = 0;
    float reach = 0;
    struct viewport_look *look = &picture->look;
    const struct viewport *viewport = &picture->viewport;
    bool torus = session->welcome.room.period_x > 0;
    if (!plot_find(session->timeline, viewport, torus, &x, &y, &reach)) {
        return;
    }
    float side = fminf(viewport->width, viewport->height);
    float zoom = fminf(fmaxf(side / fmaxf(2 * reach, 1), 1), ZOOM_FOLLOWED);
    look->zoom += FOLLOWING * (zoom - look->zoom);
    look->x += FOLLOWING * (x - look->x);
    look->y += FOLLOWING * (y - look->y);
}

/* Fits the picture to its part of the screen; returns false if there is no room for a picture. */
static bool fit_picture(struct term_picture *picture, const struct term_session *session,
                        int columns)
{
    int rows = LINES - 1;
    const struct proto_room *room = &session->welcome.room;
    assert(columns <= TERM_SCREEN_MAX);
    if (columns < 1) {
        return false;
    }
    if ((columns != picture->canvas.columns || rows != picture->canvas.rows) &&
        !resize_canvases(picture, columns, rows)) {
        return false;
    }
    if (!session->known ||
        !viewport_fit(&picture->viewport, columns, rows, room->width, room->height)) {
        return false;
    }
    if (picture->follows) {
        follow_flock(picture, session);
    }
    viewport_show(&picture->viewport, &picture->look);
    return true;
}

/* Returns whether the canvas shows the part of the world that is looked at now. */
static bool is_same_part(const struct viewport *one, const struct viewport *other)
{
    return one->scale == other->scale && one->left == other->left && one->top == other->top;
}

/* Begins the next picture on the canvas: after the time since the last one trails have faded. After
 * a jump, or in another part of the world, there are none. Returns whether all rows must be drawn
 * again.
 */
static bool begin_canvas(struct term_picture *picture, const struct timeline *timeline,
                         const struct plot *plot)
{
    int64_t time = timeline_time(timeline);
    int64_t passed = time - picture->drawn_at;
    bool same = is_same_part(&picture->viewport, &picture->drawn_part) && plot->own == picture->own;
    bool clear =
        !same || passed < 0 || passed > FADE_MOST || plot->trail == 0 || picture->detail.fades == 0;
    if (clear) {
        canvas_clear(&picture->canvas);
    } else {
        canvas_fade(&picture->canvas, (int)(CANVAS_LIGHT_MAX * passed / 1000 / plot->trail),
                    plot->joined && !picture->halves);
    }
    picture->drawn = timeline_mark(timeline);
    picture->drawn_at = time;
    picture->drawn_part = picture->viewport;
    picture->own = plot->own;
    return !same;
}

/* Draws the flock on the canvas, if it has moved visibly. ASCII shows headings only. Drawing a
 * million boids takes 10 ms, and between two snapshots they move a fraction of a dot. Returns
 * whether all rows must be drawn again. */
static bool plot_picture(struct term_picture *picture, const struct term_session *session)
{
    const struct timeline *timeline = session->timeline;
    struct plot plot =
        plot_choose(&session->welcome.room, timeline, &picture->viewport, !term_screen_unicode());
    bool rich = inks_have_levels() && term_screen_unicode();
    picture->halves = (picture->cells == TERM_CELLS_BLOCKS && term_screen_unicode() &&
                       term_screen_colors() >= 8) ||
                      (plot.body == canvas_light && plot.length > 0 && rich);
    if (plot.own == picture->own && is_same_part(&picture->viewport, &picture->drawn_part) &&
        timeline_moved(timeline, &picture->drawn) * picture->viewport.scale < STILL_DOTS) {
        return false;
    }
    plot.length = term_screen_unicode() ? plot.length : 0;
    bool anew = begin_canvas(picture, timeline, &plot);
    plot_flock(&picture->canvas, timeline, &picture->viewport, &plot);
    picture->scale = shade_measure(&picture->canvas);
    return anew;
}

/* Returns the ink of a shade. Without a connection the flock is grey. */
static short ink_of(const struct term_picture *picture, struct shade shade)
{
    if (shade.level == SHADE_NONE || term_screen_colors() < 8) {
        return 0;
    }
    return picture->grey ? inks_role(INK_FRAME) : inks_boid(shade.hue, shade.level);
}

/* Chooses a cell's braille or ASCII character. left: the shade of its left neighbour. */
static void choose_whole(const struct term_picture *picture, const struct canvas_cell *cell,
                         struct term_shown *shown, struct shade left)
{
    struct shade shade = shade_cell(cell, &picture->scale, &picture->detail, shown->shade[0], left);
    shown->dots = shade_dots(cell, &picture->scale, &picture->detail, shade, shown->dots);
    shown->shade[0] = shade;
    shown->symbol = L' ';
    if (term_screen_unicode()) {
        shown->symbol = picture->cells == TERM_CELLS_SEXTANTS ? canvas_sextant(shown->dots)
                                                              : canvas_braille(shown->dots);
    } else if (shade.level != SHADE_NONE) {
        shown->symbol = canvas_count(cell) > 0 ? canvas_ascii(cell) : L'.';
    }
    shown->pair = shown->symbol == L' ' ? (short)0 : ink_of(picture, shade);
}

/* Chooses the colours of a cell's halves. */
static void choose_halves(const struct term_picture *picture, const struct canvas_cell *cell,
                          struct term_shown *shown)
{
    static const wchar_t symbols[2][2] = {{L' ', L'▄'}, {L'▀', L'▀'}};
    short ink[CANVAS_HALVES];
    bool lit[CANVAS_HALVES];
    for (int i = 0; i < CANVAS_HALVES; i++) {
        struct shade *shade = &shown->shade[i];
        *shade = shade_half(&cell->half[i], &picture->scale, &picture->detail, *shade);
        ink[i] = ink_of(picture, *shade);
        lit[i] = shade->level != SHADE_NONE;
    }
    bool both = lit[0] && lit[1];
    /* A whole block has its colour as its ground, too: in many fonts it is smaller than the cell,
     * and dark lines would remain between two of them. */
    shown->symbol = both && ink[0] == ink[1] ? L'█' : symbols[lit[0]][lit[1]];
    shown->pair = both ? inks_pair(ink[0], ink[1]) : (lit[0] ? ink[0] : ink[1]);
}

/* Chooses what the cells of a row show. Returns how many cells have changed. */
static int choose_row(struct term_picture *picture, int row)
{
    struct shade left = {.level = SHADE_NONE};
    int changed = 0;
    const size_t first = (size_t)row * (size_t)picture->canvas.columns;
    for (int column = 0; column < picture->canvas.columns; column++) {
        struct term_shown *shown = &picture->shown[first + (size_t)column];
        const struct canvas_cell *cell = &picture->canvas.cells[first + (size_t)column];
        const struct term_shown before = *shown;
        if (picture->halves) {
            choose_halves(picture, cell, shown);
        } else {
            choose_whole(picture, cell, shown, left);
            left = shown->shade[0];
        }
        changed += shown->symbol != before.symbol || shown->pair != before.pair;
    }
    return changed;
}

/* Writes the symbols of a row to the screen. */
static void write_row(const struct term_picture *picture, int row)
{
    cchar_t cells[TERM_SCREEN_MAX];
    const int columns = picture->canvas.columns;
    const struct term_shown *shown = &picture->shown[(size_t)row * (size_t)columns];
    for (int column = 0; column < columns; column++) {
        const wchar_t symbol[2] = {shown[column].symbol, 0};
        setcchar(&cells[column], symbol, A_NORMAL, shown[column].pair, NULL);
    }
    mvadd_wchnstr(row, 0, cells, columns);
}

static void draw_flock(struct term_picture *picture, const struct term_session *session)
{
    bool grey = session->phase != TERM_LIVE;
    bool anew = grey != picture->grey;
    const int rows = picture->canvas.rows;
    picture->grey = grey;
    anew = plot_picture(picture, session) || anew;
    for (int i = 0; i < rows && economy_has_bytes(&picture->economy, anew); i++) {
        int row = economy_next_row(&picture->economy, rows);
        economy_spend(&picture->economy, choose_row(picture, row));
    }
    for (int row = 0; row < rows; row++) {
        write_row(picture, row);
    }
}

/* Returns how many levels trails have: with few colours they would look like boids. */
static int count_fades(void)
{
    if (inks_have_levels()) {
        return THEME_LEVEL_BOID;
    }
    return term_screen_colors() >= 16 ? 1 : 0;
}

void term_picture_draw(struct term_picture *picture, const struct term_session *session,
                       int columns, bool centroid)
{
    term_screen_ground(session->known ? session->welcome.room.ground : "");
    picture->fits = fit_picture(picture, session, columns);
    if (picture->fits) {
        picture->detail = economy_detail(&picture->economy, count_fades());
        inks_save(picture->detail.plain);
        draw_flock(picture, session);
        term_marks_draw(&picture->canvas, &picture->viewport, session, &picture->walls,
                        &picture->names, centroid);
    }
}

void term_picture_spend(struct term_picture *picture, uint64_t sent, double budget, int64_t now)
{
    economy_begin(&picture->economy, sent, now, budget);
}

void term_picture_hide(struct term_picture *picture)
{
    picture->fits = false;
}

void term_picture_choose(struct term_picture *picture, enum term_cells cells)
{
    picture->cells = cells;
    picture->drawn_part = (struct viewport){0}; /* all cells must be drawn again */
}

void term_picture_fit(struct term_picture *picture)
{
    picture->follows = false;
    picture->look.zoom = 1;
}

void term_picture_follow(struct term_picture *picture)
{
    picture->follows = !picture->follows;
}

void term_picture_zoom(struct term_picture *picture, int steps, int column, int row)
{
    const struct viewport *viewport = &picture->viewport;
    bool inside = row >= 0 && row < viewport->rows && column >= 0 && column < viewport->columns;
    if (picture->fits) {
        picture->follows = false;
        viewport_zoom(viewport, &picture->look, powf(ZOOM_STEP, (float)steps),
                      inside ? column : viewport->columns / 2, inside ? row : viewport->rows / 2);
    }
}

void term_picture_pan(struct term_picture *picture, int columns, int rows)
{
    if (picture->fits) {
        picture->follows = false;
        picture->look.x -= (float)(columns * VIEWPORT_DOTS_X) / picture->viewport.scale;
        picture->look.y -= (float)(rows * VIEWPORT_DOTS_Y) / picture->viewport.scale;
    }
}

bool term_picture_locate(const struct term_picture *picture, int column, int row, float *x,
                         float *y)
{
    if (!picture->fits || row >= picture->viewport.rows || column >= picture->viewport.columns) {
        return false;
    }
    viewport_world(&picture->viewport, column, row, x, y);
    return true;
}

void term_picture_clamp(const struct term_picture *picture, float *x, float *y)
{
    float left = 0;
    float top = 0;
    float right = 0;
    float bottom = 0;
    if (!picture->fits) {
        return;
    }
    viewport_world(&picture->viewport, 0, 0, &left, &top);
    viewport_world(&picture->viewport, picture->viewport.columns - 1, picture->viewport.rows - 1,
                   &right, &bottom);
    *x = fminf(fmaxf(*x, left), right);
    *y = fminf(fmaxf(*y, top), bottom);
}

float term_picture_step(const struct term_picture *picture)
{
    float side = picture->viewport.width > picture->viewport.height ? picture->viewport.width
                                                                    : picture->viewport.height;
    return side / picture->look.zoom / STEP_SHARE;
}
