#include "term/tty/screen.h"

#include "term/tty/palette.h"
#include "term/tty/tty.h"

#include <curses.h>
#include <langinfo.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <term.h>

enum {
    PAIRS_MAX = 256,     /* more than people and hues need */
    ESCAPE_WAIT = 25,    /* ms after an ESC for the rest of a sequence */
    ANSWERS_WAIT = 1000, /* ms for answers that are on their way */
    ANSWERS_PAUSE = 20,
};

#define SYNC_BEGIN "\033[?2026h"
#define SYNC_END   "\033[?2026l"
#define SYNC_QUERY "\033[?2026$p"
/* Each terminal with the sequences of ANSI X3.64 answers that it is well, after all before it. */
#define QUESTION "\033[5n"
#define ANSWER   "\033[0n"
/* Motion without a button: ncurses asks for buttons only. Focus: without it our cursor leaves. */
#define MOTION_ON  "\033[?1003h\033[?1004h"
#define MOTION_OFF "\033[?1004l\033[?1003l"
/* Bracketed paste: without it pasted text would be read as keys. */
#define PASTE_ON  "\033[?2004h"
#define PASTE_OFF "\033[?2004l"

static SCREEN *screen;
static bool mouse;
static bool paste;
static bool answers; /* to questions */
static int asked;    /* questions without an answer */
static bool synchronized;
static bool unicode;
static bool has_alternate;
static int colors;
static int background = -1;
static int pair_count; /* pairs 1 … pair_count exist */
static int pair_colors[PAIRS_MAX];
static short status_pair;

/* Returns a string of terminfo, or NULL. */
static const char *capability(const char *name)
{
    const char *value = tigetstr(name);
    return (intptr_t)value == -1 ? NULL : value;
}

/* Returns the terminal's type to use, or NULL with the reason in error. Nearly all terminals that
 * terminfo does not know behave like xterm. */
static const char *choose_type(char *error, size_t capacity)
{
    const char *name = getenv("TERM");
    int status = 0;
    if (name == NULL || *name == '\0') {
        snprintf(error, capacity, "TERM is not set: expected the terminal's type");
        return NULL;
    }
    if (setupterm(name, 1, &status) != OK) {
        name = "xterm-256color";
        if (setupterm(name, 1, &status) != OK) {
            snprintf(error, capacity, "terminfo knows neither this terminal nor xterm-256color");
            return NULL;
        }
    }
    bool moves = capability("cup") != NULL;
    del_curterm(cur_term); /* newterm() loads its own */
    if (!moves) {
        snprintf(error, capacity, "the terminal %.40s cannot move its cursor", name);
        return NULL;
    }
    return name;
}

bool term_screen_utf8(void)
{
    return strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
}

/* Returns whether the locale and the terminal can show braille. The Linux console's fonts have
 * none.
 */
static bool can_braille(void)
{
    const char *type = getenv("TERM");
    return term_screen_utf8() && wcwidth(0x28ff) == 1 &&
           !(type != NULL && strcmp(type, "linux") == 0);
}

static void start_colors(bool wanted)
{
    colors = 0;
    if (!wanted || !has_colors() || start_color() != OK) {
        return;
    }
    colors = COLORS;
    if (use_default_colors() != OK) {
        background = COLOR_BLACK;
    }
    if (colors >= 256 && COLOR_PAIRS > 16) {
        pair_count = status_pair = 1;
        init_extended_pair(status_pair, palette_nearest(0xd0d0d0, colors),
                           palette_nearest(0x303030, colors));
        pair_colors[1] = -2; /* no foreground's */
    }
}

/* ncurses speaks the SGR form of mouse reports where the capability XM says so, else X10's, and
 * asks the terminal for the one that it speaks; only motion is left to add. The Linux console
 * claims a mouse but reports none. */
static void start_mouse(const char *type)
{
    if (strcmp(type, "linux") == 0) {
        return;
    }
    mouse = mousemask(ALL_MOUSE_EVENTS | REPORT_MOUSE_POSITION, NULL) != 0;
    mouseinterval(0);
    if (!mouse) {
        return;
    }
    define_key("\033[I", TERM_KEY_FOCUS);
    define_key("\033[O", TERM_KEY_BLUR);
    define_key("\033[?2026;1$y", TERM_KEY_SYNC); /* known, and set; the next: known, and reset */
    define_key("\033[?2026;2$y", TERM_KEY_SYNC);
    term_tty_on_restore(MOTION_OFF);
    term_tty_on_restore("\033[?1006l\033[?1000l" SYNC_END);
}

/* A terminal with the sequences of ANSI X3.64 knows the mode or ignores it. */
static void start_paste(void)
{
    const char *moves = capability("cup");
    paste = answers = moves != NULL && strncmp(moves, "\033[", 2) == 0;
    asked = 0;
    if (paste) {
        define_key(ANSWER, TERM_KEY_ANSWER);
        define_key("\033[200~", TERM_KEY_PASTE);
        define_key("\033[201~", TERM_KEY_PASTED);
        term_tty_on_restore(PASTE_OFF);
    }
}

/* Without an alternate screen the terminal is cleared at the end. */
static void plan_restore(void)
{
    has_alternate = capability("rmcup") != NULL;
    const char *names[] = {"rmkx", "sgr0", "cnorm", has_alternate ? "rmcup" : "clear"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        term_tty_on_restore(capability(names[i]));
    }
}

bool term_screen_open(bool color, bool ascii, char *error, size_t capacity)
{
    /* They would fix the size. */
    unsetenv("LINES");
    unsetenv("COLUMNS");
    const char *type = choose_type(error, capacity);
    if (type == NULL) {
        return false;
    }
    unicode = !ascii && can_braille();
    set_escdelay(ESCAPE_WAIT);
    screen = newterm(type, stdout, stdin);
    if (screen == NULL) {
        snprintf(error, capacity, "the terminal %.40s cannot be used", type);
        return false;
    }
    term_tty_taken(true);
    cbreak();
    noecho();
    nonl();
    keypad(stdscr, TRUE);
    nodelay(stdscr, TRUE);
    leaveok(stdscr, TRUE);
    typeahead(-1); /* without it input would interrupt frames */
    curs_set(0);
    start_mouse(type);
    start_paste();
    plan_restore();
    start_colors(color);
    term_screen_resize();
    refresh();
    if (mouse) {
        term_tty_write(MOTION_ON SYNC_QUERY);
    }
    if (paste) {
        term_tty_write(PASTE_ON);
    }
    return true;
}

bool term_screen_answers(void)
{
    return answers;
}

void term_screen_ask(void)
{
    asked++;
    term_tty_await(asked > 0);
    term_tty_write(QUESTION);
}

void term_screen_answered(void)
{
    asked -= asked > 0 ? 1 : 0;
    term_tty_await(asked > 0);
}

/* Reads until all answers have arrived, or some time has passed. */
static void await_answers(void)
{
    int pauses = asked > 0 ? ANSWERS_WAIT / ANSWERS_PAUSE : 0;
    timeout(ANSWERS_PAUSE);
    while (asked > 0 && pauses > 0) {
        int key = getch();
        if (key == TERM_KEY_ANSWER) {
            term_screen_answered();
        }
        pauses -= key == ERR ? 1 : 0;
    }
    timeout(0);
    asked = 0;
    term_tty_await(false);
}

void term_screen_leave(void)
{
    await_answers();
    if (mouse) {
        term_tty_write(MOTION_OFF);
    }
    if (paste) {
        term_tty_write(PASTE_OFF);
    }
    if (!has_alternate) {
        erase();
        refresh();
    }
    endwin();
    term_tty_taken(false);
}

void term_screen_close(void)
{
    term_screen_leave();
    delscreen(screen);
    screen = NULL;
}

void term_screen_enter(void)
{
    term_tty_taken(true);
    reset_prog_mode();
    clearok(stdscr, TRUE);
    term_screen_resize();
    refresh();
    keypad(stdscr, TRUE); /* before the first key is read */
    if (mouse) {
        term_tty_write(MOTION_ON);
    }
    if (paste) {
        term_tty_write(PASTE_ON);
    }
}

void term_screen_resize(void)
{
    int width = 0;
    int height = 0;
    if (!term_tty_size(&width, &height)) {
        return;
    }
    resizeterm(height < TERM_SCREEN_MAX ? height : TERM_SCREEN_MAX,
               width < TERM_SCREEN_MAX ? width : TERM_SCREEN_MAX);
    clearok(stdscr, TRUE);
}

void term_screen_synchronize(void)
{
    synchronized = true;
}

void term_screen_flush(void)
{
    wnoutrefresh(stdscr);
    if (synchronized) {
        term_tty_write(SYNC_BEGIN);
    }
    doupdate();
    if (synchronized) {
        term_tty_write(SYNC_END);
    }
}

bool term_screen_unicode(void)
{
    return unicode;
}

wchar_t term_screen_symbol(wchar_t unicode_symbol, wchar_t ascii_symbol)
{
    return unicode ? unicode_symbol : ascii_symbol;
}

int term_screen_colors(void)
{
    return colors;
}

static short pair_of(int color)
{
    if (color < 0) {
        return 0;
    }
    for (int i = 1; i <= pair_count; i++) {
        if (pair_colors[i] == color) {
            return (short)i;
        }
    }
    if (pair_count + 1 >= PAIRS_MAX || pair_count + 1 >= COLOR_PAIRS) {
        return 0;
    }
    pair_count++;
    pair_colors[pair_count] = color;
    init_extended_pair(pair_count, color, background);
    return (short)pair_count;
}

short term_screen_pair(uint32_t rgb)
{
    return pair_of(palette_nearest(rgb, colors));
}

short term_screen_hue(int hue)
{
    return pair_of(palette_hue(hue, colors));
}

short term_screen_status_pair(void)
{
    return status_pair;
}
