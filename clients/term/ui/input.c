#include "term/ui/input.h"

#include "term/tty/screen.h"
#include "term/ui/keys.h"

#include <curses.h>
#include <string.h>
#include <wctype.h>

enum {
    CTRL_L = 'L' & 31,
    ESCAPE = 27,
    DELETE = 127,
    REPORT_WAIT = 50,      /* ms for the next byte of a report */
    X10_WAIT = 1000,       /* the same in X10's form, whose bytes would be keys */
    REPORT_MOST = 10000,   /* no number of a report is larger */
    PASTE_PAUSE = 3000000, /* µs without a character: the end of pasted text has been lost */
};

/* Reports of the terminal, and Ctrl-L: they do the same in each mode. */
static const int beyond_modes[] = {TERM_KEY_BLUR,   TERM_KEY_FOCUS, TERM_KEY_SYNC,
                                   TERM_KEY_ANSWER, CTRL_L,         KEY_RESIZE};

#define LENGTH(table) (sizeof(table) / sizeof(table)[0])

/* Pasted text. */
static struct {
    bool begun;
    int64_t at; /* its last character, µs */
    char text[TERM_INPUT_PASTE_MAX + 1];
} paste;

const char *term_input_pasted(void)
{
    return paste.text;
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

/* Skips the rest of a control sequence after its "[". Returns false if the "[" is a key of its
 * own. */
static bool skip_control_sequence(void)
{
    int key = getch();
    if (key == ERR) {
        ungetch('[');
        return false;
    }
    while (key >= ' ' && key < '@') {
        key = getch();
    }
    return true;
}

/* Skips the rest of a sequence that ncurses does not know: its letters are no keys. Returns false
 * if there is no sequence, because the user pressed Esc. A key that a slow line delivers together
 * with Esc stays in the input. */
static bool skip_sequence(void)
{
    int key = getch();
    if (key == '[') {
        return skip_control_sequence();
    }
    if (key == 'O') {
        getch();
        return true;
    }
    if (key != ERR) {
        ungetch(key);
    }
    return false;
}

/* Finds the action of a key while a panel is open or nothing is. */
static struct term_input look_up_open(int key, enum term_input_mode mode)
{
    struct term_input input = {.action = TERM_IGNORED};
    bool panel = mode != TERM_MODE_STEER;
    if (mode == TERM_MODE_LIST && term_keys_find(TERM_KEYS_LIST, key, &input)) {
        return input;
    }
    bool found = panel && term_keys_find(TERM_KEYS_PANEL, key, &input);
    if (!found && mode != TERM_MODE_TEXT) {
        term_keys_find(TERM_KEYS_ANYWHERE, key, &input);
    }
    return input;
}

/* Finds the action of a key while a box is open. The key that opened it closes it. */
static struct term_input look_up_help(int key)
{
    struct term_input input = {.action = TERM_IGNORED};
    if (term_keys_find(TERM_KEYS_HELP, key, &input)) {
        return input;
    }
    term_keys_find(TERM_KEYS_ANYWHERE, key, &input);
    bool closes =
        input.action == TERM_HELP || input.action == TERM_INVITE || input.action == TERM_QUIT;
    return (struct term_input){.action = closes ? TERM_CANCEL : TERM_IGNORED};
}

/* Finds the action of a key while a number is typed: only keys that end or erase it count. */
static struct term_input look_up_typing(int key)
{
    struct term_input input = {.action = TERM_IGNORED};
    term_keys_find(TERM_KEYS_PANEL, key, &input);
    bool counts =
        input.action == TERM_ENTER || input.action == TERM_ERASE || input.action == TERM_CLEAR;
    return counts ? input : (struct term_input){.action = TERM_IGNORED};
}

/* Finds the action of a key. */
static struct term_input look_up_key(int key, enum term_input_mode mode)
{
    struct term_input input = {.action = TERM_IGNORED};
    if (is_beyond_modes(key)) {
        term_keys_find(TERM_KEYS_ANYWHERE, key, &input);
    } else if (is_of_number(key, mode)) {
        input = (struct term_input){.action = TERM_TYPE, .x = key};
    } else if (mode == TERM_MODE_ASK) {
        input.action = key == 'y' || key == 'Y' ? TERM_YES : TERM_CANCEL;
    } else if (mode == TERM_MODE_HELP) {
        input = look_up_help(key);
    } else if (mode == TERM_MODE_TYPING) {
        input = look_up_typing(key);
    } else {
        input = look_up_open(key, mode);
    }
    return input;
}

/* ---- the mouse ---- */

/* A report's button: which it is, and whether the mouse moves with it. The bits 4, 8 and 16 are
 * Shift, Alt and Ctrl. */
enum { BUTTON = 3 | 64 | 128, MOTION = 32 };

/* Reads the next byte of a report; ERR: none comes within that many ms. */
static int read_byte(int wait)
{
    timeout(wait);
    int key = getch();
    timeout(0);
    return key;
}

/* Reads a number, at most REPORT_MOST, and the byte behind it; returns the byte. */
static int read_number(int *number)
{
    int key = read_byte(REPORT_WAIT);
    for (*number = 0; key >= '0' && key <= '9'; key = read_byte(REPORT_WAIT)) {
        *number = 10 * *number + key - '0';
        *number = *number < REPORT_MOST ? *number : REPORT_MOST;
    }
    return key;
}

/* Returns the action of a report's button. A sideways wheel and side buttons have no action. */
static enum term_action action_of(int button, bool pressed)
{
    static const struct {
        int button;
        enum term_action pressed, released;
    } buttons[] = {
        {0, TERM_PRESS, TERM_RELEASE},
        {1, TERM_POINT, TERM_POINT},
        {2, TERM_GRAB, TERM_DROP},
        {64, TERM_WHEEL_UP, TERM_WHEEL_UP},
        {65, TERM_WHEEL_DOWN, TERM_WHEEL_DOWN},
    };
    if ((button & MOTION) != 0) {
        return TERM_POINT;
    }
    for (size_t i = 0; i < LENGTH(buttons); i++) {
        if ((button & BUTTON) == buttons[i].button) {
            return pressed ? buttons[i].pressed : buttons[i].released;
        }
    }
    return TERM_IGNORED;
}

/* Reads the rest of a report in the SGR form: "BUTTON;COLUMN;ROW", then M, or m for a release. */
static struct term_input read_sgr_report(void)
{
    int values[3] = {0};
    int end = ';';
    for (size_t i = 0; i < LENGTH(values) && end == ';'; i++) {
        end = read_number(&values[i]);
    }
    if ((end != 'M' && end != 'm') || values[1] < 1 || values[2] < 1) {
        return (struct term_input){.action = TERM_IGNORED};
    }
    return (struct term_input){action_of(values[0], end == 'M'), values[1] - 1, values[2] - 1};
}

/* Reads the rest of a report in X10's form: a byte for each of the button, the column and the row,
 * counted from a space. All releases have the same number. */
static struct term_input read_x10_report(void)
{
    enum { RELEASED = 3 };
    static int held; /* the button that was pressed last */
    int values[3] = {0};
    for (size_t i = 0; i < LENGTH(values); i++) {
        int key = read_byte(X10_WAIT);
        if (key == ERR) {
            return (struct term_input){.action = TERM_IGNORED};
        }
        values[i] = (key == KEY_BACKSPACE ? DELETE : key) - ' '; /* ncurses names DEL so */
    }
    if (values[0] < 0 || values[1] < 1 || values[2] < 1) {
        return (struct term_input){.action = TERM_IGNORED};
    }
    bool released = (values[0] & (BUTTON | MOTION)) == RELEASED;
    int button = released ? held : values[0];
    if ((button & (BUTTON | MOTION)) < RELEASED) {
        held = button;
    }
    return (struct term_input){action_of(button, !released), values[1] - 1, values[2] - 1};
}

/* ---- text ---- */

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
    size_t length = strlen(paste.text);
    if (key > ' ' && key < DELETE && length < TERM_INPUT_PASTE_MAX) {
        paste.text[length] = (char)key;
        paste.text[length + 1] = '\0';
    }
}

/* Pasted text begins or ends. In a field its characters were typed. */
static struct term_input take_paste(bool begins, enum term_input_mode mode, int64_t now)
{
    bool field = mode == TERM_MODE_TEXT || mode == TERM_MODE_TYPING;
    paste.begun = begins;
    paste.at = now;
    if (begins || strlen(paste.text) == TERM_INPUT_PASTE_MAX) {
        paste.text[0] = '\0'; /* a longer text is no link */
    }
    bool link = !begins && !field && paste.text[0] != '\0';
    return (struct term_input){.action = link ? TERM_PASTE : TERM_IGNORED};
}

/* Returns whether Esc was pressed. Behind an Esc of pasted text more of the text waits. */
static bool is_escape_pressed(int kind, wint_t key)
{
    if (kind != OK || key != ESCAPE) {
        return false;
    }
    int next = getch();
    if (next != ERR) {
        ungetch(next);
    }
    return next == ERR;
}

/* Returns whether a key belongs to pasted text. Text whose end has been lost ends with Esc or a
 * pause, so that keys count again. */
static bool is_pasted(int kind, wint_t key, int64_t now)
{
    if (!paste.begun || (kind == KEY_CODE_YES && is_beyond_modes((int)key))) {
        return false;
    }
    if (now - paste.at > PASTE_PAUSE || is_escape_pressed(kind, key)) {
        paste.begun = false;
        paste.text[0] = '\0'; /* a part of a link is no link */
    }
    paste.at = now;
    return paste.begun;
}

/* Reads a character or key outside pasted text. */
static struct term_input take_key(int kind, wint_t key, enum term_input_mode mode)
{
    if (kind == OK && key == ESCAPE) {
        return (struct term_input){.action = skip_sequence() ? TERM_IGNORED : TERM_CANCEL};
    }
    if (kind == KEY_CODE_YES && (key == TERM_KEY_SGR || key == TERM_KEY_X10)) {
        return key == TERM_KEY_SGR ? read_sgr_report() : read_x10_report();
    }
    /* Characters beyond ASCII share numbers with ncurses's keys, but are not keys. */
    return kind == KEY_CODE_YES || key <= DELETE ? look_up_key((int)key, mode)
                                                 : (struct term_input){.action = TERM_IGNORED};
}

struct term_input term_input_read(enum term_input_mode mode, int64_t now)
{
    wint_t key = 0;
    int kind = get_wch(&key);
    if (kind == ERR) {
        return (struct term_input){.action = TERM_NONE};
    }
    if (kind == KEY_CODE_YES && (key == TERM_KEY_PASTE || key == TERM_KEY_PASTED)) {
        return take_paste(key == TERM_KEY_PASTE, mode, now);
    }
    bool pasted = is_pasted(kind, key, now);
    if (kind == OK && is_typed(key, mode)) {
        return (struct term_input){.action = TERM_TYPE, .x = (int)key};
    }
    if (pasted) {
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
