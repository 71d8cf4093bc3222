#include "term/draw/names.h"

#include <stddef.h>
#include <stdlib.h>

#include "term/draw/viewport.h"

enum {
    LEAST = 3,   /* names in the smallest picture */
    CELLS = 140, /* of the picture for each name: names cover about a twelfth of it */
    NEAR_COLUMNS = 12,
    NEAR_ROWS = 4,
    CUT_LEAST = 6, /* columns of a name that is cut: a letter or two say nothing */
    CLASS = 6,     /* more names than these leave the middle of the flock free */
};

/* The picture, and the cursors and the part of the flock that names must not cover. */
struct crowd {
    const struct names_cursor *cursors;
    uint32_t count;
    int columns, rows;
    struct names_core core;
};

const struct names_place *names_find(const struct names *names, uint32_t id)
{
    for (uint32_t i = 0; i < names->count; i++) {
        if (names->places[i].id == id) {
            return &names->places[i];
        }
    }
    return NULL;
}

enum names_rank names_near(int columns, int rows)
{
    return abs(columns) <= NEAR_COLUMNS && abs(rows) <= NEAR_ROWS ? NAMES_NEAR : NAMES_OTHER;
}

bool names_covers(const struct names_place *place, int column, int row)
{
    return row == place->row && column >= place->column && column < place->column + place->width;
}

static bool overlaps(const struct names_place *one, const struct names_place *other)
{
    return one->row == other->row && one->column < other->column + other->width &&
           other->column < one->column + one->width;
}

static float clamp(float value, float least, float most)
{
    return value < least ? least : (value > most ? most : value);
}

static bool covers_core(const struct names_place *place, const struct names_core *core)
{
    float left = (float)(place->column * VIEWPORT_DOTS_X);
    float top = (float)(place->row * VIEWPORT_DOTS_Y);
    float x = core->x - clamp(core->x, left, left + (float)(place->width * VIEWPORT_DOTS_X));
    float y = core->y - clamp(core->y, top, top + (float)VIEWPORT_DOTS_Y);
    return x * x + y * y < core->radius * core->radius;
}

/* Returns whether a name covers neither another name nor a cursor. */
static bool is_free(const struct names *names, const struct crowd *crowd,
                    const struct names_place *place)
{
    for (uint32_t i = 0; i < names->count; i++) {
        if (overlaps(place, &names->places[i])) {
            return false;
        }
    }
    for (uint32_t i = 0; i < crowd->count; i++) {
        if (names_covers(place, crowd->cursors[i].column, crowd->cursors[i].row)) {
            return false;
        }
    }
    return true;
}

/* Returns the place of a name on one side of its cursor, cut at the picture's edge. */
static struct names_place place_beside(const struct names_cursor *cursor, bool left, int columns)
{
    int room = left ? cursor->column : columns - cursor->column - 1;
    int width = cursor->width < room ? cursor->width : room;
    return (struct names_place){.id = cursor->id,
                                .column = left ? cursor->column - width : cursor->column + 1,
                                .row = cursor->row,
                                .width = width > 0 ? width : 0,
                                .left = left};
}

/* Shows the name of a cursor, if there is room. Names of the first rank are shown over cursors. */
static void show_name(struct names *names, const struct crowd *crowd,
                      const struct names_cursor *cursor, const struct names_place *before)
{
    bool wide = cursor->width > crowd->columns - cursor->column - 1;
    bool left = before != NULL ? before->left : wide && 2 * cursor->column > crowd->columns;
    struct names_place sides[2] = {place_beside(cursor, left, crowd->columns),
                                   place_beside(cursor, !left, crowd->columns)};
    bool whole = sides[1].width == cursor->width && sides[0].width < cursor->width;
    for (int i = 0; i < 2; i++) {
        const struct names_place *side = &sides[whole ? 1 - i : i];
        bool shown = side->width == cursor->width || side->width >= CUT_LEAST;
        bool hides = cursor->rank != NAMES_FIRST && covers_core(side, &crowd->core);
        if (shown && !hides && is_free(names, crowd, side)) {
            names->places[names->count++] = *side;
            return;
        }
    }
    if (cursor->rank == NAMES_FIRST && sides[whole].width > 0) {
        names->places[names->count++] = sides[whole];
    }
}

static uint32_t count_named(const struct names_cursor *cursors, uint32_t count)
{
    uint32_t named = 0;
    for (uint32_t i = 0; i < count; i++) {
        named += cursors[i].width > 0;
    }
    return named;
}

/* Returns how many names a picture has room for. */
static uint32_t count_most(int columns, int rows)
{
    int most = columns * rows / CELLS;
    most = most > LEAST ? most : LEAST;
    return most < (int)NAMES_MAX ? (uint32_t)most : NAMES_MAX;
}

void names_place(struct names *names, const struct names_cursor *cursors, uint32_t count,
                 int columns, int rows, struct names_core core)
{
    const struct names before = *names;
    const bool class = count_named(cursors, count) > CLASS;
    const struct crowd crowd = {cursors, count, columns, rows,
                                class ? core : (struct names_core){0}};
    uint32_t most = count_most(columns, rows);
    names->count = 0;
    for (int turn = 2 * NAMES_FIRST + 1; turn >= 0; turn--) {
        for (uint32_t i = 0; i < count && names->count < most; i++) {
            const struct names_place *place = names_find(&before, cursors[i].id);
            bool due = (int)cursors[i].rank == turn / 2 && (place != NULL) == (turn % 2 == 1);
            if (due && cursors[i].width > 0) {
                show_name(names, &crowd, &cursors[i], place);
            }
        }
    }
}
