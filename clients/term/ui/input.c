#include "term/ui/input.h"

#include "term/draw/canvas.h"
#include "term/tty/screen.h"

#include <curses.h>
#include <string.h>
#include <wctype.h>

enum {
    STEP = 1,
    LEAP = 5,
    PAGE = 8,
    EVERYTHING = 1000,
    CTRL_L = 'L' & 31,
    CTRL_P = 'P' & 31,
    CTRL_U = 'U' & 31,
    ENTER = '\r',
    ESCAPE = 27,
    DELETE = 127,
};

struct binding {
    int keys[3];
    enum term_action action;
    int x, y;
    struct term_input_line help; /* keys NULL: part of the line above */
};

static const struct binding bindings[] = {
    {{KEY_LEFT, 'h'}, TERM_MOVE, -STEP, 0, {.keys = "arrows, hjkl", .text = "move your cursor"}},
    {{KEY_DOWN, 'j'}, TERM_MOVE, 0, STEP, {0}},
    {{KEY_UP, 'k'}, TERM_MOVE, 0, -STEP, {0}},
    {{KEY_RIGHT, 'l'}, TERM_MOVE, STEP, 0, {0}},
    {{KEY_SLEFT, 'H'}, TERM_MOVE, -LEAP, 0, {.keys = "with Shift", .text = "move it farther"}},
    {{KEY_SF, 'J'}, TERM_MOVE, 0, LEAP, {0}},
    {{KEY_SR, 'K'}, TERM_MOVE, 0, -LEAP, {0}},
    {{KEY_SRIGHT, 'L'}, TERM_MOVE, LEAP, 0, {0}},
    {{'c'}, TERM_LEAVE, 0, 0, {.keys = "c", .text = "hide your cursor"}},
    {{TERM_KEY_BLUR}, TERM_LEAVE, 0, 0, {0}},
    {{'p', '\t'}, TERM_PANEL, 0, 0, {.keys = "p, Tab", .text = "controls of the flock"}},
    {{'w'}, TERM_MEMBERS, 0, 0, {.keys = "w", .text = "the room and its people"}},
    {{'m'}, TERM_MEASURES, 0, 0, {.keys = "m", .text = "measures and centroid"}},
    {{'y'}, TERM_WHY, 1, 0, {.keys = "y, Y", .text = "why a boid turns: next boid, end"}},
    {{'Y'}, TERM_WHY, -1, 0, {0}},
    {{'f'}, TERM_FOLLOW, 0, 0, {.keys = "f", .text = "follow the flock"}},
    {{'0'}, TERM_FIT, 0, 0, {.keys = "0", .text = "show the whole world"}},
    {{'+', '='}, TERM_ZOOM, 1, 0, {.keys = "+, wheel", .text = "enlarge the flock"}},
    {{'-'}, TERM_ZOOM, -1, 0, {.keys = "-, wheel", .text = "reduce it"}},
    {{0}, TERM_CELLS, TERM_CELLS_BRAILLE, 0, {.keys = "", .text = "draw braille dots"}},
    {{0},
     TERM_CELLS,
     TERM_CELLS_BLOCKS,
     0,
     {.keys = "", .text = "draw half blocks, two colours each"}},
    {{0},
     TERM_CELLS,
     TERM_CELLS_SEXTANTS,
     0,
     {.keys = "", .text = "draw sextants, if the font has them"}},
    {{0}, TERM_GRAB, 0, 0, {.keys = "right button", .text = "move the world"}},
    {{'i'}, TERM_INVITE, 0, 0, {.keys = "i", .text = "the room's code and link"}},
    {{':', CTRL_P}, TERM_PALETTE, 0, 0, {.keys = ":, Ctrl-P", .text = "find anything by typing"}},
    {{'o'}, TERM_ROOMS, 0, 0, {.keys = "o", .text = "rooms: join, create"}},
    {{'P'}, TERM_KEY, 0, 0, {.keys = "P", .text = "type the presenter key"}},
    {{' '}, TERM_RUN, 0, 0, {"space", "pause or run the flock", true, "run"}},
    {{'.'}, TERM_STEP, 0, 0, {".", "step the paused flock", true, NULL}},
    {{'['}, TERM_PRESET, -1, 0, {"[", "previous preset", true, "preset"}},
    {{']'}, TERM_PRESET, 1, 0, {"]", "next preset", true, "preset"}},
    {{'a'}, TERM_ADD, 0, 0, {"a", "add boids at your cursor", true, NULL}},
    {{'x'}, TERM_REMOVE, 0, 0, {"x", "remove boids", true, NULL}},
    {{'n'}, TERM_MANY, 0, 0, {"n", "how many boids: 1 to 1000", true, NULL}},
    {{'u'}, TERM_UNDO, 0, 0, {"u", "undo the last change", true, NULL}},
    {{'R'}, TERM_RESET, 0, 0, {"R", "start the flock again", true, NULL}},
    {{'<'}, TERM_REWIND, 1, 0, {"<", "rewind the room by 5 s", true, NULL}},
    {{'>'}, TERM_REWIND, -1, 0, {">", "5 s forwards", true, NULL}},
    {{'{'}, TERM_FRAME, 1, 0, {"{", "one tick back", true, NULL}},
    {{'}'}, TERM_FRAME, -1, 0, {"}", "one tick forwards", true, NULL}},
    {{0}, TERM_PLAY, 1, 0, {"f", "play the past", true, NULL}},
    {{'b'}, TERM_PLAY, -1, 0, {"b", "play the past backwards", true, NULL}},
    {{'v'}, TERM_NOW, 0, 0, {"v", "back to now", true, NULL}},
    {{'G'}, TERM_RESUME, 0, 0, {"G", "go on from that moment", true, NULL}},
    {{0}, TERM_SKIP, 0, 0, {"", "relay: the next person leads", true, "turn"}},
    {{0}, TERM_DOOR, 0, 0, {"", "close or open the door to newcomers", true, NULL}},
    {{0}, TERM_NAMING, 0, 0, {"", "ask people for names, or not", true, NULL}},
    {{'r'}, TERM_RETRY, 0, 0, {.keys = "r", .text = "connect now"}},
    {{CTRL_L}, TERM_REDRAW, 0, 0, {.keys = "Ctrl-L", .text = "redraw the screen"}},
    {{'?'}, TERM_HELP, 0, 0, {.keys = "?", .text = "this help"}},
    {{0}, TERM_CANCEL, 0, 0, {.keys = "Esc", .text = "close what is on top"}},
    {{'q'}, TERM_QUIT, 0, 0, {.keys = "q", .text = "quit"}},
    {{TERM_KEY_FOCUS, KEY_RESIZE}, TERM_REPORT, 0, 0, {0}},
    {{TERM_KEY_SYNC}, TERM_SYNC, 0, 0, {0}},
    {{TERM_KEY_ANSWER}, TERM_ANSWER, 0, 0, {0}},
};

/* While a panel is open, these go before `bindings`. */
static const struct binding panel_bindings[] = {
    {{KEY_UP, 'k'}, TERM_SELECT, 0, -1, {.keys = "up, down", .text = "select a row"}},
    {{KEY_DOWN, 'j'}, TERM_SELECT, 0, 1, {0}},
    {{KEY_SR, 'K', KEY_PPAGE}, TERM_SELECT, 0, -PAGE, {0}},
    {{KEY_SF, 'J', KEY_NPAGE}, TERM_SELECT, 0, PAGE, {0}},
    {{KEY_HOME}, TERM_SELECT, 0, -EVERYTHING, {0}},
    {{KEY_END}, TERM_SELECT, 0, EVERYTHING, {0}},
    {{KEY_LEFT, 'h'}, TERM_CHANGE, -STEP, 0, {"left, right", "change it, fine", true, NULL}},
    {{KEY_RIGHT, 'l'}, TERM_CHANGE, STEP, 0, {0}},
    {{KEY_SLEFT, 'H'}, TERM_CHANGE, -LEAP, 0, {"with Shift", "change it, coarse", true, NULL}},
    {{KEY_SRIGHT, 'L'}, TERM_CHANGE, LEAP, 0, {0}},
    {{0}, TERM_TYPE, 0, 0, {"0-9 . - e", "type its value", true, NULL}},
    {{KEY_ENTER, ENTER, '\n'}, TERM_ENTER, 0, 0, {"Enter", "set it; save a preset", true, NULL}},
    {{KEY_BACKSPACE, DELETE, '\b'}, TERM_ERASE, 0, 0, {"Backspace", "its default", true, NULL}},
    {{CTRL_U}, TERM_CLEAR, 0, 0, {"Ctrl-U", "erase what is typed", true, NULL}},
};

/* While the room's panel is open, these go before both. */
static const struct binding list_bindings[] = {
    {{'+'}, TERM_APPOINT, 1, 0, {"+", "make presenter", true, NULL}},
    {{'-'}, TERM_APPOINT, -1, 0, {"-", "make viewer", true, NULL}},
    {{'x', KEY_DC}, TERM_EXPEL, 0, 0, {"x, Delete", "remove the person", true, NULL}},
    {{'*'}, TERM_SPOTLIGHT, 0, 0, {"*", "spotlight on the cursor", true, NULL}},
};

/* While the help is open, these are the only keys. */
static const struct binding help_bindings[] = {
    {{'?', 'q', 'i'}, TERM_CANCEL, 0, 0, {0}},
    {{KEY_UP, 'k'}, TERM_SCROLL, 0, -1, {0}},
    {{KEY_DOWN, 'j'}, TERM_SCROLL, 0, 1, {0}},
    {{KEY_PPAGE, 'b', KEY_SR}, TERM_SCROLL, 0, -PAGE, {0}},
    {{KEY_NPAGE, ' ', KEY_SF}, TERM_SCROLL, 0, PAGE, {0}},
    {{KEY_HOME, 'g'}, TERM_SCROLL, 0, -EVERYTHING, {0}},
    {{KEY_END, 'G'}, TERM_SCROLL, 0, EVERYTHING, {0}},
};

/* Reports of the terminal, and Ctrl-L: they do the same in each mode. */
static const int beyond_modes[] = {TERM_KEY_BLUR,   TERM_KEY_FOCUS, TERM_KEY_SYNC,
                                   TERM_KEY_ANSWER, CTRL_L,         KEY_RESIZE};

#define LENGTH(table) (sizeof(table) / sizeof(table)[0])

static char pasted[TERM_INPUT_PASTE_MAX + 1];

const char *term_input_pasted(void)
{
    return pasted;
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
    bool begins = (key >= '0' && key <= '9') || key == '-' || key == '.' || key == ',';
    bool continues = begins || key == 'e' || key == 'E' || key == '+';
    return (mode == TERM_MODE_PARAM && begins) || (mode == TERM_MODE_TYPING && continues);
}

static bool is_beyond_modes(int key)
{
    for (size_t i = 0; i < LENGTH(beyond_modes); i++) {
        if (beyond_modes[i] == key) {
            return true;
        }
    }
    return false;
}

/* Skips the rest of a sequence that ncurses does not know: its letters are no keys. Returns false
 * if there is no rest, because the user pressed Esc. */
static bool skip_sequence(void)
{
    int key = getch();
    bool report = key == KEY_MOUSE || is_beyond_modes(key);
    bool more = key != ERR && key != ESCAPE && !report;
    if (key == ESCAPE || report) {
        ungetch(key); /* Esc was pressed twice, or the terminal reported something just then */
    } else if (key == '[') {
        do {
            key = getch();
        } while (key >= ' ' && key < '@');
    } else if (key == 'O') {
        getch();
    }
    return more;
}

/* Finds the action of a key while a panel is open or nothing is. */
static struct term_input look_up_open(int key, enum term_input_mode mode)
{
    struct term_input input = {.action = TERM_IGNORED};
    bool panel = mode != TERM_MODE_STEER;
    if (mode == TERM_MODE_LIST && find_binding(list_bindings, LENGTH(list_bindings), key, &input)) {
        return input;
    }
    bool found = panel && find_binding(panel_bindings, LENGTH(panel_bindings), key, &input);
    if (!found && mode != TERM_MODE_TEXT) {
        find_binding(bindings, LENGTH(bindings), key, &input);
    }
    return input;
}

/* Finds the action of a key while a number is typed: only keys that end or erase it count. */
static struct term_input look_up_typing(int key)
{
    struct term_input input = {.action = TERM_IGNORED};
    find_binding(panel_bindings, LENGTH(panel_bindings), key, &input);
    bool counts =
        input.action == TERM_ENTER || input.action == TERM_ERASE || input.action == TERM_CLEAR;
    return counts ? input : (struct term_input){.action = TERM_IGNORED};
}

/* Finds the action of a key. */
static struct term_input look_up_key(int key, enum term_input_mode mode)
{
    struct term_input input = {.action = TERM_IGNORED};
    if (is_beyond_modes(key)) {
        find_binding(bindings, LENGTH(bindings), key, &input);
    } else if (is_of_number(key, mode)) {
        input = (struct term_input){.action = TERM_TYPE, .x = key};
    } else if (mode == TERM_MODE_ASK) {
        input.action = key == 'y' || key == 'Y' ? TERM_YES : TERM_CANCEL;
    } else if (mode == TERM_MODE_HELP) {
        find_binding(help_bindings, LENGTH(help_bindings), key, &input);
    } else if (mode == TERM_MODE_TYPING) {
        input = look_up_typing(key);
    } else {
        input = look_up_open(key, mode);
    }
    return input;
}

static struct term_input read_mouse(void)
{
    static const struct {
        mmask_t mask;
        enum term_action action;
    } buttons[] = {
        {BUTTON1_PRESSED, TERM_PRESS},
        {BUTTON1_RELEASED, TERM_RELEASE},
        /* ncurses joins a press and a release that it reads together. */
        {BUTTON1_CLICKED | BUTTON1_DOUBLE_CLICKED | BUTTON1_TRIPLE_CLICKED, TERM_CLICK},
        {BUTTON3_PRESSED, TERM_GRAB},
        {BUTTON3_RELEASED, TERM_DROP},
        {BUTTON4_PRESSED, TERM_WHEEL_UP},
        {BUTTON5_PRESSED, TERM_WHEEL_DOWN},
    };
    MEVENT event;
    if (getmouse(&event) != OK) {
        return (struct term_input){.action = TERM_IGNORED};
    }
    struct term_input input = {.action = TERM_POINT, .x = event.x, .y = event.y};
    for (size_t i = 0; i < LENGTH(buttons); i++) {
        if ((event.bstate & buttons[i].mask) != 0) {
            input.action = buttons[i].action;
        }
    }
    return input;
}

/* Returns whether a character belongs to the text or number that the user types. */
static bool is_typed(wint_t key, enum term_input_mode mode)
{
    return mode == TERM_MODE_TEXT
               ? iswprint(key) != 0
               : mode == TERM_MODE_TYPING && key <= DELETE && is_of_number((int)key, mode);
}

/* Collects a pasted character, without spaces and ends of lines. */
static void collect_pasted(wint_t key)
{
    size_t length = strlen(pasted);
    if (key > ' ' && key < DELETE && length < TERM_INPUT_PASTE_MAX) {
        pasted[length] = (char)key;
        pasted[length + 1] = '\0';
    }
}

/* Pasted text begins or ends. In a field its characters were typed. */
static struct term_input take_paste(bool begins, enum term_input_mode mode)
{
    bool field = mode == TERM_MODE_TEXT || mode == TERM_MODE_TYPING;
    if (begins || strlen(pasted) == TERM_INPUT_PASTE_MAX) {
        pasted[0] = '\0'; /* a longer text is no link */
    }
    return (struct term_input){.action = begins || field || pasted[0] == '\0' ? TERM_IGNORED
                                                                              : TERM_PASTE};
}

/* Reads a character or key outside pasted text. */
static struct term_input take_key(int kind, wint_t key, enum term_input_mode mode)
{
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
        return take_paste(pasting, mode);
    }
    if (kind == OK && is_typed(key, mode)) {
        return (struct term_input){.action = TERM_TYPE, .x = (int)key};
    }
    if (pasting && !(kind == KEY_CODE_YES && is_beyond_modes((int)key))) {
        collect_pasted(kind == OK ? key : L' ');
        return (struct term_input){.action = TERM_IGNORED};
    }
    return take_key(kind, key, mode);
}

bool term_input_needs_server(enum term_action action)
{
    static const enum term_action those[] = {
        TERM_MEMBERS, TERM_INVITE, TERM_ROOMS, TERM_KEY,   TERM_DOOR,
        TERM_NAMING,  TERM_SKIP,   TERM_RETRY, TERM_PASTE,
    };
    for (size_t i = 0; i < LENGTH(those); i++) {
        if (those[i] == action) {
            return true;
        }
    }
    return false;
}

bool term_input_help(enum term_input_table table, size_t index, struct term_input_line *line,
                     struct term_input *input)
{
    static const struct {
        const struct binding *rows;
        size_t length;
    } tables[TERM_KEY_TABLES] = {
        [TERM_KEYS_ANYWHERE] = {bindings, LENGTH(bindings)},
        [TERM_KEYS_PANEL] = {panel_bindings, LENGTH(panel_bindings)},
        [TERM_KEYS_LIST] = {list_bindings, LENGTH(list_bindings)},
    };
    for (size_t i = 0; i < tables[table].length; i++) {
        const struct binding *row = &tables[table].rows[i];
        if (row->help.keys != NULL && index-- == 0) {
            *line = row->help;
            if (input != NULL) {
                *input = (struct term_input){row->action, row->x, row->y};
            }
            return true;
        }
    }
    return false;
}
