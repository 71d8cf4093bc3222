#include "term/draw/marks.h"

#include "term/draw/pushes.h"
#include "term/texts/texts.h"
#include "term/tty/inks.h"
#include "term/tty/print.h"
#include "term/tty/screen.h"

#include <curses.h>
#include <stdio.h>
#include <string.h>

#define CORE_MOST    0.25F /* of the picture's shorter side */
#define COLOR_FOOD   0x5fd75fu
#define COLOR_HUNTER 0xff5f5fu

/* The picture that is marked. */
struct marks {
    const struct canvas *canvas;
    const struct viewport *viewport;
    struct canvas *walls;
};

static const struct canvas_cell *cell_at(const struct marks *marks, int column, int row)
{
    const struct canvas *canvas = marks->canvas;
    if (column < 0 || row < 0 || column >= canvas->columns || row >= canvas->rows) {
        return NULL;
    }
    return &canvas->cells[(size_t)row * (size_t)canvas->columns + (size_t)column];
}

/* Draws one symbol. over_boids: even over a boid. */
static void put_symbol(const struct marks *marks, int column, int row, wchar_t symbol,
                       attr_t attributes, short pair, bool over_boids)
{
    const struct canvas_cell *cell = cell_at(marks, column, row);
    if (cell == NULL || (cell->dots != 0 && !over_boids)) {
        return;
    }
    wchar_t text[2] = {symbol, 0};
    cchar_t complex;
    setcchar(&complex, text, attributes, pair, NULL);
    mvadd_wchnstr(row, column, &complex, 1);
}

/* Draws the frame: whole for walls, broken for a torus, corners only for an open world. */
static void draw_world_frame(const struct marks *marks, const char *boundary)
{
    static const wchar_t unicode[] = L"┌┐└┘─│╌┆";
    static const wchar_t ascii[] = L"++++-|.:";
    const wchar_t *symbols = term_screen_unicode() ? unicode : ascii;
    bool wrap = strcmp(boundary, "wrap") == 0;
    bool open = strcmp(boundary, "open") == 0;
    short pair = inks_role(INK_FRAME);
    attr_t dim = pair == 0 ? A_DIM : A_NORMAL;
    int left = 0;
    int top = 0;
    int right = 0;
    int bottom = 0;
    if (!marks->viewport->framed) {
        return;
    }
    viewport_frame(marks->viewport, &left, &top, &right, &bottom);
    for (int column = left + 1; column < right && !open; column++) {
        put_symbol(marks, column, top, symbols[wrap ? 6 : 4], dim, pair, false);
        put_symbol(marks, column, bottom, symbols[wrap ? 6 : 4], dim, pair, false);
    }
    for (int row = top + 1; row < bottom && !open; row++) {
        put_symbol(marks, left, row, symbols[wrap ? 7 : 5], dim, pair, false);
        put_symbol(marks, right, row, symbols[wrap ? 7 : 5], dim, pair, false);
    }
    put_symbol(marks, left, top, symbols[0], dim, pair, false);
    put_symbol(marks, right, top, symbols[1], dim, pair, false);
    put_symbol(marks, left, bottom, symbols[2], dim, pair, false);
    put_symbol(marks, right, bottom, symbols[3], dim, pair, false);
}

/* Draws the lines of the walls on their canvas. */
static void plot_walls(const struct marks *marks, const struct proto_room *room)
{
    canvas_clear(marks->walls);
    for (uint32_t i = 0; i < room->wall_count && i < PROTO_WALLS_MAX; i++) {
        const struct proto_wall *wall = &room->walls[i];
        float x1 = 0;
        float y1 = 0;
        float x2 = 0;
        float y2 = 0;
        viewport_point(marks->viewport, wall->x1, wall->y1, &x1, &y1);
        viewport_point(marks->viewport, wall->x2, wall->y2, &x2, &y2);
        canvas_line(marks->walls, x1, y1, x2, y2);
    }
}

/* Draws the walls where there is no boid. */
static void draw_walls(const struct marks *marks, const struct proto_room *room)
{
    const struct canvas *walls = marks->walls;
    short pair = inks_role(INK_FRAME);
    if (room->wall_count == 0) {
        return;
    }
    plot_walls(marks, room);
    for (int row = 0; row < walls->rows; row++) {
        for (int column = 0; column < walls->columns; column++) {
            uint8_t dots = walls->cells[(size_t)row * (size_t)walls->columns + (size_t)column].dots;
            if (dots != 0) {
                put_symbol(marks, column, row, term_screen_symbol(canvas_braille(dots), L':'),
                           A_NORMAL, pair, false);
            }
        }
    }
}

/* Stores the cell of a position; returns false if it is outside the picture. */
static bool cell_of(const struct marks *marks, float x, float y, int *column, int *row)
{
    viewport_dot(marks->viewport, x, y, column, row);
    if (*column < 0) {
        return false;
    }
    *column /= VIEWPORT_DOTS_X;
    *row /= VIEWPORT_DOTS_Y;
    return true;
}

/* Returns the rank of a person's name: NAMES_FIRST for presenters, for the leader of a relay and
 * for the spotlight. */
static enum names_rank rank_person(const struct marks *marks, const struct term_session *session,
                                   const struct proto_person *person, int column, int row)
{
    const struct proto_leads *leads = &session->leads;
    bool leads_now = leads->has_turn && leads->turn.id == person->id;
    int own_column = 0;
    int own_row = 0;
    if (leads_now || person->id == session->welcome.room.spotlight ||
        term_people_role(person) == PROTO_PRESENTER) {
        return NAMES_FIRST;
    }
    return session->cursor_here &&
                   cell_of(marks, session->cursor_x, session->cursor_y, &own_column, &own_row)
               ? names_near(column - own_column, row - own_row)
               : NAMES_OTHER;
}

/* Stores the cursors of other people in the picture, and our own cursor, which has no name. Returns
 * the number of cursors. */
static uint32_t collect_cursors(const struct marks *marks, const struct term_session *session,
                                struct names_cursor out[PROTO_PEOPLE_MAX + 1])
{
    struct timeline_cursor cursors[PROTO_PEOPLE_MAX];
    uint32_t total = timeline_cursors(session->timeline, cursors);
    uint32_t count = 0;
    int column = 0;
    int row = 0;
    for (uint32_t i = 0; i < total; i++) {
        const struct proto_person *person =
            term_people_find_cursor(&session->people, cursors[i].id);
        if (person != NULL && cursors[i].id != session->welcome.id &&
            cell_of(marks, cursors[i].x, cursors[i].y, &column, &row)) {
            out[count++] = (struct names_cursor){
                .id = cursors[i].id,
                .column = column,
                .row = row,
                .width = person->name[0] != '\0' ? term_print_width(person->name) + 2 : 0,
                .rank = rank_person(marks, session, person, column, row)};
        }
    }
    if (session->cursor_here &&
        cell_of(marks, session->cursor_x, session->cursor_y, &column, &row)) {
        out[count++] = (struct names_cursor){session->welcome.id, column, row, 0, NAMES_OTHER};
    }
    return count;
}

/* Writes a person's name in the person's colour. */
static void draw_name(const struct names_place *place, const struct proto_person *person)
{
    char label[PROTO_NAME_MAX + 3];
    snprintf(label, sizeof label, " %s ", person->name);
    attr_set(term_screen_colors() < 8 ? A_NORMAL : A_REVERSE, term_screen_pair(person->color),
             NULL);
    term_print(place->row, place->column, label, place->width);
    attr_set(A_NORMAL, 0, NULL);
}

/* Draws another person's cursor. */
static void draw_other(const struct marks *marks, const struct names_cursor *cursor, short pair,
                       bool spotlight)
{
    if (spotlight) {
        put_symbol(marks, cursor->column - 1, cursor->row, L'(', A_BOLD, pair, true);
        put_symbol(marks, cursor->column + 1, cursor->row, L')', A_BOLD, pair, true);
    }
    put_symbol(marks, cursor->column, cursor->row, term_screen_symbol(L'◆', L'+'),
               spotlight ? A_BOLD | A_REVERSE : A_BOLD, pair, true);
}

/* Writes the name of a thing beside it. */
static void name_thing(const struct marks *marks, int column, int row, const char *name, short pair)
{
    const int width = term_print_width(name);
    const bool right = column + 2 + width <= marks->canvas->columns;
    const int beside = right ? column + 2 : column - 1 - width;
    attr_set(A_NORMAL, pair, NULL);
    if (beside >= 0) {
        term_print(row, beside, name, width);
    }
    attr_set(A_NORMAL, 0, NULL);
}

/* Draws a piece of food or a hunter; name: beside it, or NULL. Returns whether it is in the
 * picture. */
static bool draw_thing(const struct marks *marks, float x, float y, wchar_t symbol, short pair,
                       const char *name)
{
    int column = 0;
    int row = 0;
    if (!cell_of(marks, x, y, &column, &row)) {
        return false;
    }
    put_symbol(marks, column, row, symbol, A_BOLD, pair, true);
    if (name != NULL) {
        name_thing(marks, column, row, name, pair);
    }
    return true;
}

/* Draws food and hunters. The first of each has a name. */
static void draw_things(const struct marks *marks, const struct proto_things *things)
{
    const wchar_t food = term_screen_symbol(L'♣', L'$');
    const wchar_t hunter = term_screen_symbol(L'▲', L'W');
    const char *name = texts_get(TEXT_PUSH_FOOD);
    for (uint32_t i = 0; i < things->food_count && i < PROTO_FOOD_MAX; i++) {
        if (draw_thing(marks, things->food[i].x, things->food[i].y, food,
                       term_screen_pair(COLOR_FOOD), name)) {
            name = NULL;
        }
    }
    name = texts_get(TEXT_HUNTER);
    for (uint32_t i = 0; i < things->hunter_count && i < PROTO_HUNTERS_MAX; i++) {
        if (draw_thing(marks, things->hunters[i].x, things->hunters[i].y, hunter,
                       term_screen_pair(COLOR_HUNTER), name)) {
            name = NULL;
        }
    }
}

/* Draws the target and, if asked, the centroid, which is over the boids around it. */
static void draw_points(const struct marks *marks, const struct timeline *timeline, bool centroid)
{
    struct proto_measures measures;
    short pair = inks_role(INK_MARK);
    float x = 0;
    float y = 0;
    int column = 0;
    int row = 0;
    if (timeline_target(timeline, &x, &y) && cell_of(marks, x, y, &column, &row)) {
        put_symbol(marks, column, row, term_screen_symbol(L'×', L'x'), A_NORMAL, pair, false);
    }
    if (centroid && timeline_measures(timeline, &measures) &&
        cell_of(marks, measures.centroid_x, measures.centroid_y, &column, &row)) {
        put_symbol(marks, column, row, term_screen_symbol(L'◇', L'O'), A_BOLD, pair, true);
    }
}

/* Draws the boid whose turn the person has asked about. */
static void draw_pick(const struct marks *marks, const struct term_session *session)
{
    const struct proto_why *why = &session->why;
    int column = 0;
    int row = 0;
    if (session->picks && session->why_known && why->there &&
        cell_of(marks, why->motion.x, why->motion.y, &column, &row)) {
        put_symbol(marks, column, row, term_screen_symbol(L'◎', L'@'), A_BOLD | A_REVERSE,
                   inks_role(INK_MARK), true);
    }
}

/* Returns the middle of the flock, or a part of it in a wide flock, so that names have room. */
static struct names_core find_core(const struct marks *marks, const struct timeline *timeline)
{
    const float width = (float)(marks->canvas->columns * VIEWPORT_DOTS_X);
    const float height = (float)(marks->canvas->rows * VIEWPORT_DOTS_Y);
    const float most = CORE_MOST * (width < height ? width : height);
    struct proto_measures measures;
    struct names_core core = {0};
    if (timeline_measures(timeline, &measures)) {
        const float radius = measures.gyration * marks->viewport->scale;
        viewport_point(marks->viewport, measures.centroid_x, measures.centroid_y, &core.x, &core.y);
        core.radius = radius < most ? radius : most;
    }
    return core;
}

/* Draws the names, then the cursors: a name never hides a cursor. */
static void draw_cursors(const struct marks *marks, const struct term_session *session,
                         struct names *names)
{
    struct names_cursor cursors[PROTO_PEOPLE_MAX + 1];
    uint32_t count = collect_cursors(marks, session, cursors);
    names_place(names, cursors, count, marks->canvas->columns, marks->canvas->rows,
                find_core(marks, session->timeline));
    for (uint32_t i = 0; i < names->count; i++) {
        draw_name(&names->places[i],
                  term_people_find_cursor(&session->people, names->places[i].id));
    }
    for (uint32_t i = 0; i < count; i++) {
        const struct names_cursor *cursor = &cursors[i];
        if (cursor->id == session->welcome.id) {
            put_symbol(marks, cursor->column, cursor->row, term_screen_symbol(L'◈', L'+'),
                       A_BOLD | A_REVERSE, term_screen_pair(session->welcome.color), true);
        } else {
            draw_other(
                marks, cursor,
                term_screen_pair(term_people_find_cursor(&session->people, cursor->id)->color),
                cursor->id == session->welcome.room.spotlight);
        }
    }
}

void term_marks_draw(const struct canvas *canvas, const struct viewport *viewport,
                     const struct term_session *session, struct canvas *walls, struct names *names,
                     bool centroid)
{
    const struct marks marks = {canvas, viewport, walls};
    draw_world_frame(&marks, session->welcome.room.boundary);
    draw_walls(&marks, &session->welcome.room);
    draw_things(&marks, &session->things);
    draw_points(&marks, session->timeline, centroid);
    draw_pick(&marks, session);
    term_pushes_draw(viewport, session, walls);
    draw_cursors(&marks, session, names);
}
