#include "term/draw/picture.h"

#include "term/tty/palette.h"
#include "term/tty/print.h"
#include "term/tty/screen.h"

#include <assert.h>
#include <curses.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BATCH = 512, BODIES_MAX = 5000 };

#define COLOR_FRAME 0x6c6c6cu
#define COLOR_MARK  0xffffffu
#define STEP_SHARE  50 /* of the world's longer side */

/* The canvas is drawn again once a boid may have moved by this: less cannot be seen. */
#define STILL_DOTS 0.25F

void term_picture_init(struct term_picture *picture)
{
    *picture = (struct term_picture){0};
    canvas_init(&picture->canvas);
    canvas_init(&picture->walls);
}

void term_picture_finish(struct term_picture *picture)
{
    canvas_finish(&picture->canvas);
    canvas_finish(&picture->walls);
    free(picture->shown);
}

/* Gives the canvases that size; returns false, with the old size, if memory runs out. */
static bool resize_canvases(struct term_picture *picture, int columns, int rows)
{
    struct term_shown *shown = calloc((size_t)columns * (size_t)rows, sizeof *shown);
    if (shown == NULL || !canvas_resize(&picture->walls, columns, rows) ||
        !canvas_resize(&picture->canvas, columns, rows)) {
        free(shown);
        return false;
    }
    free(picture->shown);
    picture->shown = shown;
    picture->drawn = (struct timeline_mark){0};
    return true;
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
    return session->known &&
           viewport_fit(&picture->viewport, columns, rows, room->width, room->height);
}

/* Gives a boid with a colour of its own a heading that stands for the colour, because cells are
 * coloured by heading. The colour depends on the boid's number alone. */
static void take_own_heading(struct timeline_boid *boid, uint32_t number)
{
    uint32_t hue = (number * 2654435761u >> 16) % PALETTE_HUES;
    float angle = 6.28318530718F * (float)hue / (float)PALETTE_HUES;

    boid->dx = cosf(angle);
    boid->dy = sinf(angle);
}

/* Draws every boid with a function of the canvas. own: boids have colours of their own. */
static void plot_boids(struct term_picture *picture, const struct timeline *timeline, bool own,
                       void (*draw)(struct canvas *canvas, int x, int y, float dx, float dy))
{
    struct timeline_boid batch[BATCH];
    uint32_t total = timeline_boid_count(timeline);
    for (uint32_t first = 0; first < total; first += BATCH) {
        uint32_t count = timeline_boids(timeline, first, BATCH, batch);
        for (uint32_t i = 0; i < count; i++) {
            int x = -1;
            int y = -1;
            if (!batch[i].hidden) {
                viewport_dot(&picture->viewport, batch[i].x, batch[i].y, &x, &y);
            }
            if (own) {
                take_own_heading(&batch[i], first + i);
            }
            if (x >= 0) {
                draw(&picture->canvas, x, y, batch[i].dx, batch[i].dy);
            }
        }
    }
}

/* Draws the flock on the canvas, if it has moved visibly. The look `blur` has round boids with
 * colours of their own; ASCII shows headings only. Drawing a million boids takes 10 ms, and between
 * two snapshots they move a fraction of a dot. */
static void plot_flock(struct term_picture *picture, const struct timeline *timeline,
                       const char *look)
{
    bool own = term_screen_unicode() && strcmp(look, "blur") == 0;
    if (own == picture->own &&
        timeline_moved(timeline, &picture->drawn) * picture->viewport.scale < STILL_DOTS) {
        return;
    }
    picture->own = own;
    picture->drawn = timeline_mark(timeline);
    canvas_clear(&picture->canvas);
    plot_boids(picture, timeline, own, canvas_boid);
    if (term_screen_unicode() && timeline_boid_count(timeline) <= BODIES_MAX) {
        plot_boids(picture, timeline, own, own ? canvas_round : canvas_body);
    }
}

static const struct canvas_cell *cell_at(const struct term_picture *picture, int column, int row)
{
    const struct canvas *canvas = &picture->canvas;
    if (column < 0 || row < 0 || column >= canvas->columns || row >= canvas->rows) {
        return NULL;
    }
    return &canvas->cells[(size_t)row * (size_t)canvas->columns + (size_t)column];
}

/* Returns the colour of a blank cell. It is not seen, but changing it costs bytes: a cell that was
 * blank keeps its colour, a cell that becomes blank takes the colour of its left neighbour. */
static short blank_pair(const struct term_picture *picture, size_t index, short neighbour)
{
    const struct term_shown *shown = &picture->shown[index];
    return shown->blank ? shown->pair : neighbour;
}

static void draw_flock(struct term_picture *picture, const struct term_session *session)
{
    bool live = session->phase == TERM_LIVE;
    cchar_t row_cells[TERM_SCREEN_MAX];
    short pairs[PALETTE_HUES];
    int colors = term_screen_colors();
    attr_t attributes = colors == 8 && live ? A_BOLD : A_NORMAL; /* the eight colours are dark */
    size_t index = 0;
    plot_flock(picture, session->timeline, session->welcome.room.look);
    for (int i = 0; i < PALETTE_HUES; i++) {
        /* Without a connection the flock is grey. */
        pairs[i] = live ? term_screen_hue(i) : term_screen_pair(COLOR_FRAME);
    }
    for (int row = 0; row < picture->canvas.rows; row++) {
        short pair = 0;
        for (int column = 0; column < picture->canvas.columns; column++, index++) {
            const struct canvas_cell *cell = &picture->canvas.cells[index];
            wchar_t symbol[2] = {term_screen_symbol(canvas_braille(cell), canvas_ascii(cell)), 0};
            bool blank = symbol[0] == L' ';
            if (colors > 0) {
                pair = blank ? blank_pair(picture, index, pair)
                             : pairs[canvas_hue(cell, PALETTE_HUES)];
            }
            setcchar(&row_cells[column], symbol, pair != 0 ? attributes : A_NORMAL, pair, NULL);
            picture->shown[index] = (struct term_shown){pair, blank};
        }
        mvadd_wchnstr(row, 0, row_cells, picture->canvas.columns);
    }
}

/* Draws one symbol. over_boids: even over a boid. */
static void put_symbol(const struct term_picture *picture, int column, int row, wchar_t symbol,
                       attr_t attributes, short pair, bool over_boids)
{
    const struct canvas_cell *cell = cell_at(picture, column, row);
    if (cell == NULL || (cell->dots != 0 && !over_boids)) {
        return;
    }
    wchar_t text[2] = {symbol, 0};
    cchar_t complex;
    setcchar(&complex, text, attributes, pair, NULL);
    mvadd_wchnstr(row, column, &complex, 1);
}

/* Draws the frame: whole for walls, broken for a torus, corners only for an open world. */
static void draw_world_frame(const struct term_picture *picture, const char *boundary)
{
    static const wchar_t unicode[] = L"┌┐└┘─│╌┆";
    static const wchar_t ascii[] = L"++++-|.:";
    const wchar_t *symbols = term_screen_unicode() ? unicode : ascii;
    bool wrap = strcmp(boundary, "wrap") == 0;
    bool open = strcmp(boundary, "open") == 0;
    short pair = term_screen_pair(COLOR_FRAME);
    attr_t dim = pair == 0 || term_screen_colors() < 256 ? A_DIM : A_NORMAL;
    int left = 0;
    int top = 0;
    int right = 0;
    int bottom = 0;
    if (!picture->viewport.framed) {
        return;
    }
    viewport_frame(&picture->viewport, &left, &top, &right, &bottom);
    for (int column = left + 1; column < right && !open; column++) {
        put_symbol(picture, column, top, symbols[wrap ? 6 : 4], dim, pair, false);
        put_symbol(picture, column, bottom, symbols[wrap ? 6 : 4], dim, pair, false);
    }
    for (int row = top + 1; row < bottom && !open; row++) {
        put_symbol(picture, left, row, symbols[wrap ? 7 : 5], dim, pair, false);
        put_symbol(picture, right, row, symbols[wrap ? 7 : 5], dim, pair, false);
    }
    put_symbol(picture, left, top, symbols[0], dim, pair, false);
    put_symbol(picture, right, top, symbols[1], dim, pair, false);
    put_symbol(picture, left, bottom, symbols[2], dim, pair, false);
    put_symbol(picture, right, bottom, symbols[3], dim, pair, false);
}

/* Draws the walls where there is no boid. */
static void draw_walls(struct term_picture *picture, const struct proto_room *room)
{
    const struct viewport *viewport = &picture->viewport;
    short pair = term_screen_pair(COLOR_FRAME);
    canvas_clear(&picture->walls);
    for (uint32_t i = 0; i < room->wall_count && i < PROTO_WALLS_MAX; i++) {
        const struct proto_wall *wall = &room->walls[i];
        canvas_line(&picture->walls, viewport->left + wall->x1 * viewport->scale,
                    viewport->top + wall->y1 * viewport->scale,
                    viewport->left + wall->x2 * viewport->scale,
                    viewport->top + wall->y2 * viewport->scale);
    }
    for (int row = 0; row < picture->walls.rows && room->wall_count > 0; row++) {
        for (int column = 0; column < picture->walls.columns; column++) {
            const struct canvas_cell *cell =
                &picture->walls
                     .cells[(size_t)row * (size_t)picture->walls.columns + (size_t)column];
            if (cell->dots != 0) {
                put_symbol(picture, column, row, term_screen_symbol(canvas_braille(cell), L':'),
                           A_NORMAL, pair, false);
            }
        }
    }
}

/* Stores the cell of a position; returns false if it is outside the picture. */
static bool cell_of(const struct term_picture *picture, float x, float y, int *column, int *row)
{
    viewport_dot(&picture->viewport, x, y, column, row);
    if (*column < 0) {
        return false;
    }
    *column /= VIEWPORT_DOTS_X;
    *row /= VIEWPORT_DOTS_Y;
    return true;
}

/* Draws another person's cursor, with the name on the side that has more room. */
static void draw_other(const struct term_picture *picture, const struct term_people *people,
                       const struct timeline_cursor *cursor, uint32_t spotlight)
{
    int column = 0;
    int row = 0;
    const struct proto_person *person = term_people_find_cursor(people, cursor->id);
    if (person == NULL || !cell_of(picture, cursor->x, cursor->y, &column, &row)) {
        return;
    }
    short pair = term_screen_pair(person->color);
    if (cursor->id == spotlight) {
        put_symbol(picture, column - 1, row, L'(', A_BOLD, pair, true);
        put_symbol(picture, column + 1, row, L')', A_BOLD, pair, true);
    }
    put_symbol(picture, column, row, L'+', cursor->id == spotlight ? A_BOLD | A_REVERSE : A_BOLD,
               pair, true);
    int right = picture->canvas.columns - column - 1;
    int width = term_print_width(person->name);
    attr_set(A_NORMAL, pair, NULL);
    if (width > right && column > right) {
        int room = width < column ? width : column;
        term_print(row, column - room, person->name, room);
    } else {
        term_print(row, column + 1, person->name, right);
    }
    attr_set(A_NORMAL, 0, NULL);
}

/* Draws the target and, if asked, the centroid, which is over the boids around it. */
static void draw_marks(const struct term_picture *picture, const struct timeline *timeline,
                       bool centroid)
{
    struct proto_measures measures;
    short pair = term_screen_pair(COLOR_MARK);
    float x = 0;
    float y = 0;
    int column = 0;
    int row = 0;
    if (timeline_target(timeline, &x, &y) && cell_of(picture, x, y, &column, &row)) {
        put_symbol(picture, column, row, term_screen_symbol(L'×', L'x'), A_NORMAL, pair, false);
    }
    if (centroid && timeline_measures(timeline, &measures) &&
        cell_of(picture, measures.centroid_x, measures.centroid_y, &column, &row)) {
        put_symbol(picture, column, row, term_screen_symbol(L'◇', L'O'), A_BOLD, pair, true);
    }
}

static void draw_cursors(const struct term_picture *picture, const struct term_session *session)
{
    struct timeline_cursor cursors[PROTO_PEOPLE_MAX];
    uint32_t count = timeline_cursors(session->timeline, cursors);
    int column = 0;
    int row = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (cursors[i].id != session->welcome.id) {
            draw_other(picture, &session->people, &cursors[i], session->welcome.room.spotlight);
        }
    }
    if (session->cursor_here &&
        cell_of(picture, session->cursor_x, session->cursor_y, &column, &row)) {
        put_symbol(picture, column, row, L'+', A_BOLD | A_REVERSE,
                   term_screen_pair(session->welcome.color), true);
    }
}

void term_picture_draw(struct term_picture *picture, const struct term_session *session,
                       int columns, bool centroid)
{
    picture->fits = fit_picture(picture, session, columns);
    if (picture->fits) {
        draw_flock(picture, session);
        draw_world_frame(picture, session->welcome.room.boundary);
        draw_walls(picture, &session->welcome.room);
        draw_marks(picture, session->timeline, centroid);
        draw_cursors(picture, session);
    }
}

void term_picture_mark(const struct term_picture *picture, float x, float y)
{
    int column = 0;
    int row = 0;
    if (picture->fits && cell_of(picture, x, y, &column, &row)) {
        put_symbol(picture, column, row, term_screen_symbol(L'◎', L'@'), A_BOLD | A_REVERSE,
                   term_screen_pair(COLOR_MARK), true);
    }
}

void term_picture_hide(struct term_picture *picture)
{
    picture->fits = false;
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
    return side / STEP_SHARE;
}
