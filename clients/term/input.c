#include "input.h"

#include "screen.h"

#include <curses.h>

enum {
    STEP = 1,
    LEAP = 5,
    PAGE = 8,
    EVERYTHING = 1000,
    CTRL_L = 'L' & 31,
    ENTER = '\r',
    ESCAPE = 27,
    DELETE = 127,
};

struct binding {
    int keys[3];
    enum term_action action;
    int x, y;
    struct term_input_line help; /* no keys: with the line above */
};

static const struct binding bindings[] = {
    {{KEY_LEFT, 'h'}, TERM_MOVE, -STEP, 0, {.keys = "arrows, hjkl", .text = "move your cursor"}},
    {{KEY_DOWN, 'j'}, TERM_MOVE, 0, STEP, {0}},
    {{KEY_UP, 'k'}, TERM_MOVE, 0, -STEP, {0}},
    {{KEY_RIGHT, 'l'}, TERM_MOVE, STEP, 0, {0}},
    {{KEY_SLEFT, 'H'}, TERM_MOVE, -LEAP, 0, {.keys = "shift with them", .text = "move it farther"}},
    {{KEY_SF, 'J'}, TERM_MOVE, 0, LEAP, {0}},
    {{KEY_SR, 'K'}, TERM_MOVE, 0, -LEAP, {0}},
    {{KEY_SRIGHT, 'L'}, TERM_MOVE, LEAP, 0, {0}},
    {{'c', TERM_KEY_BLUR}, TERM_LEAVE, 0, 0, {.keys = "c", .text = "take it away"}},
    {{'p', '\t'}, TERM_PANEL, 0, 0, {"p, Tab", "controls: arrows, digits, Backspace", true, NULL}},
    {{'a'}, TERM_ADD, 0, 0, {"a, x, n", "boids: add, remove, how many", true, NULL}},
    {{'x'}, TERM_REMOVE, 0, 0, {0}},
    {{'n'}, TERM_MANY, 0, 0, {0}},
    {{'['}, TERM_PRESET, -1, 0, {"[, ]", "preset before, next one", true, "preset"}},
    {{']'}, TERM_PRESET, 1, 0, {0}},
    {{' '}, TERM_RUN, 0, 0, {"space, .", "pause or go on, one step", true, "run"}},
    {{'.'}, TERM_STEP, 0, 0, {0}},
    {{'R'}, TERM_RESET, 0, 0, {"R", "make the flock anew", true, NULL}},
    {{'m'}, TERM_MEASURES, 0, 0, {.keys = "m", .text = "measures of the flock, centroid"}},
    {{'r'}, TERM_RETRY, 0, 0, {.keys = "r, ^L", .text = "connect now, draw anew"}},
    {{CTRL_L}, TERM_REDRAW, 0, 0, {0}},
    {{'?'}, TERM_HELP, 0, 0, {.keys = "?, q", .text = "this help, quit"}},
    {{'q'}, TERM_QUIT, 0, 0, {0}},
    {{TERM_KEY_SYNC}, TERM_SYNC, 0, 0, {0}},
};

/* What comes before those while the panel is open. */
static const struct binding panel_bindings[] = {
    {{KEY_UP, 'k'}, TERM_SELECT, 0, -1, {0}},
    {{KEY_DOWN, 'j'}, TERM_SELECT, 0, 1, {0}},
    {{KEY_SR, 'K', KEY_PPAGE}, TERM_SELECT, 0, -PAGE, {0}},
    {{KEY_SF, 'J', KEY_NPAGE}, TERM_SELECT, 0, PAGE, {0}},
    {{KEY_HOME}, TERM_SELECT, 0, -EVERYTHING, {0}},
    {{KEY_END}, TERM_SELECT, 0, EVERYTHING, {0}},
    {{KEY_LEFT, 'h'}, TERM_CHANGE, -STEP, 0, {0}},
    {{KEY_RIGHT, 'l'}, TERM_CHANGE, STEP, 0, {0}},
    {{KEY_SLEFT, 'H'}, TERM_CHANGE, -LEAP, 0, {0}},
    {{KEY_SRIGHT, 'L'}, TERM_CHANGE, LEAP, 0, {0}},
    {{KEY_ENTER, ENTER, '\n'}, TERM_ENTER, 0, 0, {0}},
    {{KEY_BACKSPACE, DELETE, '\b'}, TERM_ERASE, 0, 0, {0}},
};

#define LENGTH(table) (sizeof(table) / sizeof(table)[0])

/* Reads the rest of a sequence that ncurses does not know: its letters are no keys. Returns false
 * when there is none, because the key Esc was pressed. */
static bool skip_sequence(void)
{
    int key = getch();
    bool more = key != ERR;
    if (key == '[') {
        do {
            key = getch();
        } while (key >= ' ' && key < '@');
    } else if (key == 'O') {
        getch();
    }
    return more;
}

static bool find(const struct binding *table, size_t length, int key, struct term_input *input)
{
    for (size_t i = 0; i < length; i++) {
        for (size_t k = 0; k < LENGTH(table[i].keys); k++) {
            if (table[i].keys[k] == key && key != 0) {
                *input = (struct term_input){table[i].action, table[i].x, table[i].y};
                return true;
            }
        }
    }
    return false;
}

/* Whether the key is a character of a number; one begins with a digit or a minus. */
static bool is_of_number(int key, enum term_input_mode mode)
{
    return (mode != TERM_MODE_STEER && ((key >= '0' && key <= '9') || key == '-')) ||
           (mode == TERM_MODE_TYPING && (key == '.' || key == ','));
}

struct term_input term_input_read(enum term_input_mode mode)
{
    struct term_input input = {.action = TERM_IGNORED};
    MEVENT event;
    int key = getch();
    if (key == ERR) {
        input.action = TERM_NONE;
    } else if (key == ESCAPE) {
        bool alone = !skip_sequence();
        input.action = alone && mode != TERM_MODE_STEER ? TERM_CANCEL : TERM_IGNORED;
    } else if (key == KEY_MOUSE) {
        if (getmouse(&event) == OK) {
            input = (struct term_input){.action = TERM_POINT, .x = event.x, .y = event.y};
        }
    } else if (is_of_number(key, mode)) {
        input = (struct term_input){.action = TERM_TYPE, .x = key};
    } else if (mode == TERM_MODE_STEER ||
               !find(panel_bindings, LENGTH(panel_bindings), key, &input)) {
        find(bindings, LENGTH(bindings), key, &input);
    }
    return input;
}

bool term_input_help(size_t index, struct term_input_line *line)
{
    for (size_t i = 0; i < LENGTH(bindings); i++) {
        if (bindings[i].help.keys != NULL && index-- == 0) {
            *line = bindings[i].help;
            return true;
        }
    }
    return false;
}
