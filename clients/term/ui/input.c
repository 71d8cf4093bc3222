#include "term/ui/input.h"

#include "term/tty/screen.h"

#include <curses.h>
#include <wctype.h>

enum {
    STEP = 1,
    LEAP = 5,
    PAGE = 8,
    EVERYTHING = 1000,
    CTRL_L = 'L' & 31,
    CTRL_U = 'U' & 31,
    ENTER = '\r',
    ESCAPE = 27,
    DELETE = 127,
};

struct binding {
    int keys[3];
    enum term_action action;
    int x, y;
    struct term_input_line help; /* no keys: part of the line above */
};

static const struct binding bindings[] = {
    {{KEY_LEFT, 'h'}, TERM_MOVE, -STEP, 0, {.keys = "arrows, hjkl", .text = "move your cursor"}},
    {{KEY_DOWN, 'j'}, TERM_MOVE, 0, STEP, {0}},
    {{KEY_UP, 'k'}, TERM_MOVE, 0, -STEP, {0}},
    {{KEY_RIGHT, 'l'}, TERM_MOVE, STEP, 0, {0}},
    {{KEY_SLEFT, 'H'},
     TERM_MOVE,
     -LEAP,
     0,
     {.keys = "Shift + arrows", .text = "move your cursor farther"}},
    {{KEY_SF, 'J'}, TERM_MOVE, 0, LEAP, {0}},
    {{KEY_SR, 'K'}, TERM_MOVE, 0, -LEAP, {0}},
    {{KEY_SRIGHT, 'L'}, TERM_MOVE, LEAP, 0, {0}},
    {{'c', TERM_KEY_BLUR}, TERM_LEAVE, 0, 0, {.keys = "c", .text = "hide your cursor"}},
    {{'p', '\t'}, TERM_PANEL, 0, 0, {"p, Tab", "controls: arrows, digits, Backspace", true, NULL}},
    {{'a'}, TERM_ADD, 0, 0, {"a, x, n", "boids: add, remove, how many", true, NULL}},
    {{'x'}, TERM_REMOVE, 0, 0, {0}},
    {{'n'}, TERM_MANY, 0, 0, {0}},
    {{'['}, TERM_PRESET, -1, 0, {"[, ]", "previous preset, next preset", true, "preset"}},
    {{']'}, TERM_PRESET, 1, 0, {0}},
    {{' '}, TERM_RUN, 0, 0, {"space, .", "pause or run, one step", true, "run"}},
    {{'.'}, TERM_STEP, 0, 0, {0}},
    {{'<'}, TERM_REWIND, 1, 0, {"<, >, {, }", "the past: by 5 s, by a tick", true, NULL}},
    {{'>'}, TERM_REWIND, -1, 0, {0}},
    {{'{'}, TERM_FRAME, 1, 0, {0}},
    {{'}'}, TERM_FRAME, -1, 0, {0}},
    {{'f'}, TERM_PLAY, 1, 0, {"f, b", "play the past forwards, backwards", true, NULL}},
    {{'b'}, TERM_PLAY, -1, 0, {0}},
    {{'v'}, TERM_NOW, 0, 0, {"v, G", "back to now, continue from there", true, NULL}},
    {{'G'}, TERM_RESUME, 0, 0, {0}},
    {{'R'}, TERM_RESET, 0, 0, {"R, u", "start the flock again, undo a change", true, NULL}},
    {{'u'}, TERM_UNDO, 0, 0, {0}},
    {{'w'}, TERM_MEMBERS, 0, 0, {.keys = "w", .text = "the room and its people"}},
    {{'m'}, TERM_MEASURES, 0, 0, {.keys = "m", .text = "measures of the flock, centroid"}},
    {{'y'}, TERM_WHY, 1, 0, {.keys = "y, Y", .text = "why a boid turns: next boid, end"}},
    {{'Y'}, TERM_WHY, -1, 0, {0}},
    {{'r'}, TERM_RETRY, 0, 0, {.keys = "r, ^L", .text = "connect now, redraw"}},
    {{CTRL_L}, TERM_REDRAW, 0, 0, {0}},
    {{'?'}, TERM_HELP, 0, 0, {.keys = "?, q", .text = "this help, quit"}},
    {{'q'}, TERM_QUIT, 0, 0, {0}},
    {{TERM_KEY_SYNC}, TERM_SYNC, 0, 0, {0}},
};

/* While the presenter's panel is open, these go before `bindings`. */
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
    {{CTRL_U}, TERM_CLEAR, 0, 0, {0}},
};

/* While the room's panel is open, these go before both. */
static const struct binding list_bindings[] = {
    {{'+'}, TERM_APPOINT, 1, 0, {0}},
    {{'-'}, TERM_APPOINT, -1, 0, {0}},
    {{'x', KEY_DC}, TERM_EXPEL, 0, 0, {0}},
    {{'*'}, TERM_SPOTLIGHT, 0, 0, {0}},
};

#define LENGTH(table) (sizeof(table) / sizeof(table)[0])

/* Skips the rest of a sequence that ncurses does not know: its letters are no keys. Returns false
 * if there is no rest, because the user pressed Esc. */
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

static bool find_binding(const struct binding *table, size_t length, int key,
                         struct term_input *input)
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

/* Returns whether the key belongs to a number in this mode, as "." does, which elsewhere steps. */
static bool is_of_number(int key, enum term_input_mode mode)
{
    bool number = (key >= '0' && key <= '9') || key == '-' || key == '.' || key == ',';
    return number && (mode == TERM_MODE_PARAM || mode == TERM_MODE_TYPING);
}

/* Returns whether the key does the same in each mode: reports of the terminal, and Ctrl-L. */
static bool is_beyond_modes(int key)
{
    return key == TERM_KEY_BLUR || key == TERM_KEY_FOCUS || key == TERM_KEY_SYNC || key == CTRL_L ||
           key == KEY_RESIZE;
}

/* Finds the action of a key. */
static struct term_input look_up_key(int key, enum term_input_mode mode)
{
    struct term_input input = {.action = TERM_IGNORED};
    bool panel = mode != TERM_MODE_STEER && !is_beyond_modes(key);
    if (is_of_number(key, mode)) {
        return (struct term_input){.action = TERM_TYPE, .x = key};
    }
    if (mode == TERM_MODE_ASK && panel) {
        input.action = key == 'y' || key == 'Y' ? TERM_YES : TERM_CANCEL;
        return input;
    }
    if (mode == TERM_MODE_LIST && find_binding(list_bindings, LENGTH(list_bindings), key, &input)) {
        return input;
    }
    bool found = panel && find_binding(panel_bindings, LENGTH(panel_bindings), key, &input);
    if (!found && !(mode == TERM_MODE_TEXT && panel)) {
        find_binding(bindings, LENGTH(bindings), key, &input);
    }
    return input;
}

static struct term_input read_mouse(void)
{
    MEVENT event;
    if (getmouse(&event) != OK) {
        return (struct term_input){.action = TERM_IGNORED};
    }
    return (struct term_input){.action = TERM_POINT, .x = event.x, .y = event.y};
}

/* Returns whether a character belongs to the text or number that the user types. */
static bool is_typed(wint_t key, enum term_input_mode mode)
{
    return mode == TERM_MODE_TEXT
               ? iswprint(key) != 0
               : mode == TERM_MODE_TYPING && key <= DELETE && is_of_number((int)key, mode);
}

struct term_input term_input_read(enum term_input_mode mode)
{
    static bool pasting;
    wint_t key = 0;
    int kind = get_wch(&key);
    if (kind == ERR) {
        return (struct term_input){.action = TERM_NONE};
    }
    if (kind == KEY_CODE_YES && (key == TERM_KEY_PASTE || key == TERM_KEY_PASTED)) {
        pasting = key == TERM_KEY_PASTE;
        return (struct term_input){.action = TERM_IGNORED};
    }
    if (kind == OK && is_typed(key, mode)) {
        return (struct term_input){.action = TERM_TYPE, .x = (int)key};
    }
    if (pasting) {
        return (struct term_input){.action = TERM_IGNORED};
    }
    if (kind == OK && key == ESCAPE) {
        return (struct term_input){.action = skip_sequence() ? TERM_IGNORED : TERM_CANCEL};
    }
    if (kind == KEY_CODE_YES && key == KEY_MOUSE) {
        return read_mouse();
    }
    /* Characters beyond ASCII share numbers with ncurses's keys, but are not keys. */
    return kind == KEY_CODE_YES || key <= DELETE ? look_up_key((int)key, mode)
                                                 : (struct term_input){.action = TERM_IGNORED};
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
