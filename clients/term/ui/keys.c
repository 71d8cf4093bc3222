#include "term/ui/keys.h"

#include "term/draw/canvas.h"
#include "term/tty/screen.h"

#include <ctype.h>
#include <curses.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#define CTRL(letter) ((letter)&31)

enum { STEP = 1, LEAP = 5, PAGE = 8, EVERYTHING = 1000, ENTER = '\r', DELETE = 127 };

/* ---- the table ---- */

enum { KEYS_MAX = 3, LABEL_SIZE = 40 };

/* A row of the help. */
struct help {
    enum text text;  /* TEXT_NOTHING: the row above tells this row's keys, too */
    enum text label; /* of the table's keys; TEXT_NOTHING: the keys' names */
    bool presenter;
    const char *control; /* a control that the action needs; NULL: none */
};

struct binding {
    const char *name; /* in the configuration file; NULL: the keys cannot be changed */
    int keys[KEYS_MAX];
    enum term_action action;
    int x, y;
    struct help help;
};

#define DO(text)                                                                                   \
    {                                                                                              \
        TEXT_DO_##text, TEXT_NOTHING, false, NULL                                                  \
    }
#define DO_BY(text, label)                                                                         \
    {                                                                                              \
        TEXT_DO_##text, TEXT_KEYS_##label, false, NULL                                             \
    }
#define LEAD(text)                                                                                 \
    {                                                                                              \
        TEXT_DO_##text, TEXT_NOTHING, true, NULL                                                   \
    }
#define LEAD_BY(text, label)                                                                       \
    {                                                                                              \
        TEXT_DO_##text, TEXT_KEYS_##label, true, NULL                                              \
    }
#define LEAD_IF(text, name)                                                                        \
    {                                                                                              \
        TEXT_DO_##text, TEXT_NOTHING, true, name                                                   \
    }
#define MORE                                                                                       \
    {                                                                                              \
        TEXT_NOTHING, TEXT_NOTHING, false, NULL                                                    \
    }

static const struct binding bindings[] = {
    {"left", {KEY_LEFT, 'h'}, TERM_MOVE, -STEP, 0, DO_BY(MOVE, MOVE)},
    {"down", {KEY_DOWN, 'j'}, TERM_MOVE, 0, STEP, MORE},
    {"up", {KEY_UP, 'k'}, TERM_MOVE, 0, -STEP, MORE},
    {"right", {KEY_RIGHT, 'l'}, TERM_MOVE, STEP, 0, MORE},
    {"far-left", {KEY_SLEFT, 'H'}, TERM_MOVE, -LEAP, 0, DO_BY(LEAP, LEAP)},
    {"far-down", {KEY_SF, 'J'}, TERM_MOVE, 0, LEAP, MORE},
    {"far-up", {KEY_SR, 'K'}, TERM_MOVE, 0, -LEAP, MORE},
    {"far-right", {KEY_SRIGHT, 'L'}, TERM_MOVE, LEAP, 0, MORE},
    {"hide-cursor", {'c'}, TERM_LEAVE, 0, 0, DO(LEAVE)},
    {NULL, {TERM_KEY_BLUR}, TERM_LEAVE, 0, 0, MORE},
    {"controls", {'p', '\t'}, TERM_PANEL, 0, 0, DO(PANEL)},
    {"people", {'w'}, TERM_MEMBERS, 0, 0, DO(MEMBERS)},
    {"measures", {'m'}, TERM_MEASURES, 0, 0, DO(MEASURES)},
    {"news", {'N'}, TERM_SHOW_NEWS, 0, 0, DO(NEWS)},
    {"sweep", {'S'}, TERM_SWEEP, 0, 0, DO(SWEEP)},
    {"why", {'y'}, TERM_WHY, 1, 0, DO(WHY)},
    {"why-end", {'Y'}, TERM_WHY, -1, 0, {TEXT_END_WHY, TEXT_NOTHING, false, NULL}},
    {"follow", {'f'}, TERM_FOLLOW, 0, 0, DO(FOLLOW)},
    {"fit", {'0'}, TERM_FIT, 0, 0, DO(FIT)},
    {"enlarge", {'+', '='}, TERM_ZOOM, 1, 0, DO_BY(ENLARGE, ENLARGE)},
    {"reduce", {'-'}, TERM_ZOOM, -1, 0, DO_BY(REDUCE, REDUCE)},
    {"braille", {0}, TERM_CELLS, TERM_CELLS_BRAILLE, 0, DO(BRAILLE)},
    {"blocks", {0}, TERM_CELLS, TERM_CELLS_BLOCKS, 0, DO(BLOCKS)},
    {"sextants", {0}, TERM_CELLS, TERM_CELLS_SEXTANTS, 0, DO(SEXTANTS)},
    {NULL, {0}, TERM_GRAB, 0, 0, DO_BY(PAN, RIGHT_BUTTON)},
    {"invite", {'i'}, TERM_INVITE, 0, 0, DO(INVITE)},
    {"palette", {':', CTRL('P')}, TERM_PALETTE, 0, 0, DO(PALETTE)},
    {"rooms", {'o'}, TERM_ROOMS, 0, 0, DO(ROOMS)},
    {"key", {'P'}, TERM_KEY, 0, 0, DO(KEY)},
    {"run", {' '}, TERM_RUN, 0, 0, LEAD_IF(RUN, "run")},
    {"step", {'.'}, TERM_STEP, 0, 0, LEAD(STEP)},
    {"preset-before", {'['}, TERM_PRESET, -1, 0, LEAD_IF(PRESET_BEFORE, "preset")},
    {"preset-next", {']'}, TERM_PRESET, 1, 0, LEAD_IF(PRESET_NEXT, "preset")},
    {"add", {'a'}, TERM_ADD, 0, 0, LEAD(ADD)},
    {"remove", {'x'}, TERM_REMOVE, 0, 0, LEAD(REMOVE)},
    {"amount", {'n'}, TERM_MANY, 0, 0, LEAD(MANY)},
    {"undo", {'u'}, TERM_UNDO, 0, 0, LEAD(UNDO)},
    {"restart", {'R'}, TERM_RESET, 0, 0, LEAD(RESET)},
    {"sweep-end", {'X'}, TERM_UNSWEEP, 0, 0, LEAD(UNSWEEP)},
    {"rewind", {'<'}, TERM_REWIND, 1, 0, LEAD(REWIND)},
    {"forward", {'>'}, TERM_REWIND, -1, 0, LEAD(FORWARD)},
    {"tick-back", {'{'}, TERM_FRAME, 1, 0, LEAD(FRAME_BACK)},
    {"tick-forward", {'}'}, TERM_FRAME, -1, 0, LEAD(FRAME_ON)},
    {NULL, {0}, TERM_PLAY, 1, 0, LEAD(PLAY)}, /* with the key of TERM_FOLLOW */
    {"play-back", {'b'}, TERM_PLAY, -1, 0, LEAD(PLAY_BACK)},
    {"now", {'v'}, TERM_NOW, 0, 0, LEAD(NOW)},
    {"resume", {'G'}, TERM_RESUME, 0, 0, LEAD(RESUME)},
    {"skip", {0}, TERM_SKIP, 0, 0, LEAD_IF(SKIP, "turn")},
    {"door", {0}, TERM_DOOR, 0, 0, LEAD(DOOR)},
    {"names", {0}, TERM_NAMING, 0, 0, LEAD(NAMING)},
    {"connect", {'r'}, TERM_RETRY, 0, 0, DO(RETRY)},
    {NULL, {CTRL('L')}, TERM_REDRAW, 0, 0, DO(REDRAW)},
    {"help", {'?'}, TERM_HELP, 0, 0, DO(HELP)},
    {NULL, {0}, TERM_CANCEL, 0, 0, DO_BY(CANCEL, ESC)},
    {"quit", {'q'}, TERM_QUIT, 0, 0, DO(QUIT)},
    {NULL, {TERM_KEY_FOCUS, KEY_RESIZE}, TERM_REPORT, 0, 0, MORE},
    {NULL, {TERM_KEY_SYNC}, TERM_SYNC, 0, 0, MORE},
    {NULL, {TERM_KEY_ANSWER}, TERM_ANSWER, 0, 0, MORE},
};

static const struct binding panel_bindings[] = {
    {"row-up", {KEY_UP, 'k'}, TERM_SELECT, 0, -1, DO_BY(SELECT, UP_DOWN)},
    {"row-down", {KEY_DOWN, 'j'}, TERM_SELECT, 0, 1, MORE},
    {NULL, {KEY_SR, 'K', KEY_PPAGE}, TERM_SELECT, 0, -PAGE, MORE},
    {NULL, {KEY_SF, 'J', KEY_NPAGE}, TERM_SELECT, 0, PAGE, MORE},
    {NULL, {KEY_HOME}, TERM_SELECT, 0, -EVERYTHING, MORE},
    {NULL, {KEY_END}, TERM_SELECT, 0, EVERYTHING, MORE},
    {"less", {KEY_LEFT, 'h'}, TERM_CHANGE, -STEP, 0, LEAD_BY(CHANGE, LEFT_RIGHT)},
    {"more", {KEY_RIGHT, 'l'}, TERM_CHANGE, STEP, 0, MORE},
    {"much-less", {KEY_SLEFT, 'H'}, TERM_CHANGE, -LEAP, 0, LEAD_BY(CHANGE_COARSE, LEAP)},
    {"much-more", {KEY_SRIGHT, 'L'}, TERM_CHANGE, LEAP, 0, MORE},
    {NULL, {0}, TERM_TYPE, 0, 0, LEAD_BY(TYPE, NUMBER)},
    {NULL, {KEY_ENTER, ENTER, '\n'}, TERM_ENTER, 0, 0, LEAD_BY(ENTER, ENTER)},
    {NULL, {KEY_BACKSPACE, DELETE, '\b'}, TERM_ERASE, 0, 0, LEAD_BY(ERASE, ERASE)},
    {NULL, {CTRL('U')}, TERM_CLEAR, 0, 0, LEAD(CLEAR)},
};

static const struct binding list_bindings[] = {
    {"appoint", {'+'}, TERM_APPOINT, 1, 0, LEAD(APPOINT)},
    {"demote", {'-'}, TERM_APPOINT, -1, 0, LEAD(DEMOTE)},
    {"expel", {'x', KEY_DC}, TERM_EXPEL, 0, 0, LEAD_BY(EXPEL, EXPEL)},
    {"spotlight", {'*'}, TERM_SPOTLIGHT, 0, 0, LEAD(SPOTLIGHT)},
};

static const struct binding help_bindings[] = {
    {NULL, {KEY_UP, 'k'}, TERM_SCROLL, 0, -1, MORE},
    {NULL, {KEY_DOWN, 'j'}, TERM_SCROLL, 0, 1, MORE},
    {NULL, {KEY_PPAGE, 'b', KEY_SR}, TERM_SCROLL, 0, -PAGE, MORE},
    {NULL, {KEY_NPAGE, ' ', KEY_SF}, TERM_SCROLL, 0, PAGE, MORE},
    {NULL, {KEY_HOME, 'g'}, TERM_SCROLL, 0, -EVERYTHING, MORE},
    {NULL, {KEY_END, 'G'}, TERM_SCROLL, 0, EVERYTHING, MORE},
};

#define LENGTH(table) (sizeof(table) / sizeof(table)[0])

enum { ROWS_MAX = LENGTH(bindings) };

_Static_assert(LENGTH(panel_bindings) <= ROWS_MAX, "the largest table comes first");
_Static_assert(LENGTH(list_bindings) <= ROWS_MAX, "the largest table comes first");
_Static_assert(LENGTH(help_bindings) <= ROWS_MAX, "the largest table comes first");

static const struct table {
    const struct binding *rows;
    size_t length;
} tables[TERM_KEY_TABLES] = {
    [TERM_KEYS_ANYWHERE] = {bindings, LENGTH(bindings)},
    [TERM_KEYS_PANEL] = {panel_bindings, LENGTH(panel_bindings)},
    [TERM_KEYS_LIST] = {list_bindings, LENGTH(list_bindings)},
    [TERM_KEYS_HELP] = {help_bindings, LENGTH(help_bindings)},
};

/* The present keys of a row. */
struct bound {
    int keys[KEYS_MAX];
    bool changed; /* they are not the table's */
    char label[LABEL_SIZE];
};
static struct bound bound[TERM_KEY_TABLES][ROWS_MAX];

/* ---- the names of keys ---- */

static const struct named_key {
    const char *name;
    int key;
} named_keys[] = {
    {"Space", ' '},
    {"Tab", '\t'},
    {"Left", KEY_LEFT},
    {"Right", KEY_RIGHT},
    {"Up", KEY_UP},
    {"Down", KEY_DOWN},
    {"Shift-Left", KEY_SLEFT},
    {"Shift-Right", KEY_SRIGHT},
    {"Shift-Up", KEY_SR},
    {"Shift-Down", KEY_SF},
    {"Home", KEY_HOME},
    {"End", KEY_END},
    {"PageUp", KEY_PPAGE},
    {"PageDown", KEY_NPAGE},
    {"Insert", KEY_IC},
    {"Delete", KEY_DC},
    {"F1", KEY_F(1)},
    {"F2", KEY_F(2)},
    {"F3", KEY_F(3)},
    {"F4", KEY_F(4)},
    {"F5", KEY_F(5)},
    {"F6", KEY_F(6)},
    {"F7", KEY_F(7)},
    {"F8", KEY_F(8)},
    {"F9", KEY_F(9)},
    {"F10", KEY_F(10)},
    {"F11", KEY_F(11)},
    {"F12", KEY_F(12)},
};

/* Ctrl with these letters ends or stops the program, is another key, or belongs to flock-term. */
static const char not_with_ctrl[] = "CHIJLMQSUZ";

/* Returns the key of a name; 0: there is none. */
static int key_of(const char *name, size_t length)
{
    if (length == 1 && name[0] > ' ' && name[0] < DELETE) {
        return name[0];
    }
    if (length == 6 && strncasecmp(name, "Ctrl-", 5) == 0) {
        int letter = toupper((unsigned char)name[5]);
        return letter >= 'A' && letter <= 'Z' && strchr(not_with_ctrl, letter) == NULL
                   ? CTRL(letter)
                   : 0;
    }
    for (size_t i = 0; i < LENGTH(named_keys); i++) {
        if (strlen(named_keys[i].name) == length &&
            strncasecmp(named_keys[i].name, name, length) == 0) {
            return named_keys[i].key;
        }
    }
    return 0;
}

/* Writes the name of a key; "" for keys that have none. */
static void write_key(char out[LABEL_SIZE], int key)
{
    out[0] = '\0';
    if (key == ' ') {
        snprintf(out, LABEL_SIZE, "%s", texts_get(TEXT_KEYS_SPACE));
    } else if (key > ' ' && key < DELETE) {
        snprintf(out, LABEL_SIZE, "%c", key);
    } else if (key > 0 && key < ' ' && key != '\t') {
        snprintf(out, LABEL_SIZE, "Ctrl-%c", key + '@');
    }
    for (size_t i = 0; i < LENGTH(named_keys) && out[0] == '\0'; i++) {
        if (named_keys[i].key == key) {
            snprintf(out, LABEL_SIZE, "%s", named_keys[i].name);
        }
    }
}

/* Adds the names of a row's keys, `most` of them at most. */
static void add_keys(char label[LABEL_SIZE], const int keys[KEYS_MAX], int most)
{
    for (int i = 0; i < most; i++) {
        char name[LABEL_SIZE];
        write_key(name, keys[i]);
        size_t used = strlen(label);
        size_t more = strlen(name);
        if (more > 0 && used + more + 3 < LABEL_SIZE) {
            used += (size_t)snprintf(label + used, LABEL_SIZE - used, "%s", used > 0 ? ", " : "");
            memcpy(label + used, name, more + 1);
        }
    }
}

/* Writes the label of a row of the help. It names the keys of the rows below that belong to it,
 * too.
 */
static void label_row(enum term_input_table table, size_t index)
{
    const struct binding *row = &tables[table].rows[index];
    struct bound *to = &bound[table][index];
    size_t end = index + 1;
    bool changed = to->changed;
    for (; end < tables[table].length && tables[table].rows[end].help.text == TEXT_NOTHING; end++) {
        changed = changed || bound[table][end].changed;
    }
    to->label[0] = '\0';
    if (row->help.label != TEXT_NOTHING && !changed) {
        snprintf(to->label, sizeof to->label, "%s", texts_get(row->help.label));
        return;
    }
    add_keys(to->label, to->keys, end == index + 1 ? KEYS_MAX : 1);
    for (size_t i = index + 1; i < end; i++) {
        add_keys(to->label, bound[table][i].keys, 1);
    }
}

/* Returns the first row of an action. */
static size_t row_of(enum term_action action)
{
    size_t row = 0;
    while (row + 1 < LENGTH(bindings) && bindings[row].action != action) {
        row++;
    }
    return row;
}

/* Returns the row of that name in a table; the table's length if there is none. */
static size_t find_row(enum term_input_table table, const char *name)
{
    const struct table *in = &tables[table];
    size_t row = 0;
    while (row < in->length &&
           (in->rows[row].name == NULL || strcmp(in->rows[row].name, name) != 0)) {
        row++;
    }
    return row;
}

/* Stores the name of a row's first key for sentences. */
static void tell_key(enum term_input_table table, size_t index)
{
    static char names[TERM_KEY_TABLES][ROWS_MAX][LABEL_SIZE];
    enum text text = tables[table].rows[index].help.text;
    if (text != TEXT_NOTHING) {
        write_key(names[table][index], bound[table][index].keys[0]);
        texts_set_key(text, names[table][index]);
    }
}

/* Returns the first key of a row that is a character; 0: there is none. */
static char find_character(const int keys[KEYS_MAX])
{
    for (int k = 0; k < KEYS_MAX; k++) {
        if (keys[k] > ' ' && keys[k] < DELETE) {
            return (char)keys[k];
        }
    }
    return '\0';
}

static char moves[LABEL_SIZE]; /* see term_keys_moves() */

static void name_moves(void)
{
    static const char *const names[] = {"less", "row-down", "row-up", "more"};
    enum { ROWS = LENGTH(names) };
    char letters[ROWS + 1] = "";
    moves[0] = '\0';
    for (size_t i = 0; i < ROWS; i++) {
        const int *keys = bound[TERM_KEYS_PANEL][find_row(TERM_KEYS_PANEL, names[i])].keys;
        letters[i] = find_character(keys);
        add_keys(moves, keys, 1);
    }
    if (strlen(letters) == ROWS) {
        memcpy(moves, letters, sizeof letters);
    }
}

void term_keys_name(void)
{
    for (int table = 0; table < TERM_KEY_TABLES; table++) {
        for (size_t i = 0; i < tables[table].length; i++) {
            if (tables[table].rows[i].help.text != TEXT_NOTHING) {
                label_row((enum term_input_table)table, i);
            }
            tell_key((enum term_input_table)table, i);
        }
    }
    /* TERM_FOLLOW's key plays the past while the room shows it. */
    memcpy(bound[TERM_KEYS_ANYWHERE][row_of(TERM_PLAY)].label,
           bound[TERM_KEYS_ANYWHERE][row_of(TERM_FOLLOW)].label, LABEL_SIZE);
    name_moves();
}

const char *term_keys_moves(void)
{
    return moves;
}

/* ---- use ---- */

void term_keys_init(void)
{
    for (int table = 0; table < TERM_KEY_TABLES; table++) {
        for (size_t i = 0; i < tables[table].length; i++) {
            struct bound *to = &bound[table][i];
            memcpy(to->keys, tables[table].rows[i].keys, sizeof to->keys);
            to->changed = false;
        }
    }
    term_keys_name();
}

bool term_keys_find(enum term_input_table table, int key, struct term_input *input)
{
    for (size_t i = 0; i < tables[table].length; i++) {
        for (size_t k = 0; k < KEYS_MAX; k++) {
            if (key != 0 && bound[table][i].keys[k] == key) {
                const struct binding *row = &tables[table].rows[i];
                *input = (struct term_input){row->action, row->x, row->y};
                return true;
            }
        }
    }
    return false;
}

bool term_input_help(enum term_input_table table, size_t index, struct term_input_line *line,
                     struct term_input *input)
{
    for (size_t i = 0; i < tables[table].length; i++) {
        const struct binding *row = &tables[table].rows[i];
        if (row->help.text != TEXT_NOTHING && index-- == 0) {
            *line = (struct term_input_line){bound[table][i].label, row->help.text,
                                             row->help.presenter, row->help.control};
            if (input != NULL) {
                *input = (struct term_input){row->action, row->x, row->y};
            }
            return true;
        }
    }
    return false;
}

/* ---- other keys ---- */

/* Reads up to KEYS_MAX names of keys. Returns false if a name is unknown or there are too many. */
static bool read_keys(const char *text, int keys[KEYS_MAX])
{
    size_t count = 0;
    memset(keys, 0, KEYS_MAX * sizeof keys[0]);
    if (strcasecmp(text, "none") == 0) {
        return true;
    }
    for (text += strspn(text, " "); *text != '\0'; text += strspn(text, " ")) {
        size_t length = strcspn(text, " ");
        int key = key_of(text, length);
        if (key == 0 || count == KEYS_MAX) {
            return false;
        }
        keys[count++] = key;
        text += length;
    }
    return count > 0;
}

/* Takes the keys away from the other rows of a table. */
static void release_keys(enum term_input_table table, size_t except, const int keys[KEYS_MAX])
{
    for (size_t i = 0; i < tables[table].length; i++) {
        struct bound *row = &bound[table][i];
        for (size_t k = 0; k < (size_t)KEYS_MAX * KEYS_MAX && i != except; k++) {
            int *key = &row->keys[k % KEYS_MAX];
            if (*key != 0 && *key == keys[k / KEYS_MAX]) {
                *key = 0;
                row->changed = true;
            }
        }
    }
}

/* Moves the keys of a row to its beginning, because sentences name the first one. */
static void close_gaps(struct bound *row)
{
    int count = 0;
    for (int k = 0; k < KEYS_MAX; k++) {
        int key = row->keys[k];
        row->keys[k] = 0;
        if (key != 0) {
            row->keys[count++] = key;
        }
    }
}

const char *term_keys_bind(const char *name, const char *text)
{
    int keys[KEYS_MAX];
    for (int table = 0; table < TERM_KEY_TABLES; table++) {
        size_t row = find_row((enum term_input_table)table, name);
        if (row == tables[table].length) {
            continue;
        }
        if (!read_keys(text, keys)) {
            return "1 to 3 keys such as a, Space, Ctrl-F, F3, Left or PageUp, or none";
        }
        release_keys((enum term_input_table)table, row, keys);
        memcpy(bound[table][row].keys, keys, sizeof keys);
        bound[table][row].changed = true;
        for (size_t i = 0; i < tables[table].length; i++) {
            close_gaps(&bound[table][i]);
        }
        return NULL;
    }
    return "the name of an action, as in the manual";
}

const char *term_keys_action(size_t index)
{
    for (int table = 0; table < TERM_KEY_TABLES; table++) {
        for (size_t i = 0; i < tables[table].length; i++) {
            if (tables[table].rows[i].name != NULL && index-- == 0) {
                return tables[table].rows[i].name;
            }
        }
    }
    return NULL;
}
