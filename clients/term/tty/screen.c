#include "term/tty/screen.h"

#include "term/tty/background.h"
#include "term/tty/cast.h"
#include "term/tty/frame.h"
#include "term/tty/inks.h"
#include "term/tty/tty.h"

#include <curses.h>
#include <langinfo.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <term.h>

enum {
    ESCAPE_WAIT = 25,    /* ms after an ESC for the rest of a sequence */
    ANSWER_WAIT = 400,   /* ms for the first answer; each terminal that is known answers */
    ANSWERS_WAIT = 1000, /* ms for answers that are on their way */
    ANSWERS_PAUSE = 20,
    ALL_COLORS = 0x1000000,
};

#define SYNC_BEGIN "\033[?2026h"
#define SYNC_END   "\033[?2026l"
#define SYNC_QUERY "\033[?2026$p"
/* A terminal with the sequences of ECMA-48 answers when it has read all bytes before the question.
 */
#define QUESTION "\033[5n"
#define ANSWER   "\033[0n"
/* Buttons, and motion without a button. Reports in the SGR form, which has all columns. Focus:
 * without it our cursor leaves. */
#define MOTION_ON  "\033[?1000h\033[?1003h\033[?1006h\033[?1004h"
#define MOTION_OFF "\033[?1004l\033[?1006l\033[?1003l\033[?1000l"
/* Bracketed paste: without it pasted text would be read as keys. */
#define PASTE_ON  "\033[?2004h"
#define PASTE_OFF "\033[?2004l"

/* Hides the text cursor, where terminfo cannot. */
#define CURSOR_OFF "\033[?25l"
#define CURSOR_ON  "\033[?25h"

static SCREEN *screen;
static bool mouse;
static int asked; /* questions without an answer */
static bool synchronized;
static bool unicode;
static bool has_alternate;
static bool direct; /* the terminal knows the sequences of ECMA-48: it answers questions, too */
static bool bare;   /* it cannot hide its cursor, as terminfo says; nearly all can */
static bool corner; /* the last cell can be written without scrolling */
static struct theme_terminal shows;
static uint64_t sent;

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

/* Returns whether the terminal shows all colours. GNU screen passes COLORTERM on and does not. */
static bool has_all_colors(void)
{
    const char *found = getenv("COLORTERM");
    bool named = found != NULL && (strcmp(found, "truecolor") == 0 || strcmp(found, "24bit") == 0);
    return tigetnum("colors") > 256 || tigetflag("RGB") > 0 || tigetflag("Tc") > 0 ||
           (named && getenv("STY") == NULL && tigetnum("colors") >= 16);
}

/* Returns bytes that the user typed before the answer to the queue of keys. */
static void return_keys(const char *bytes, size_t size)
{
    while (size > 0) {
        ungetch((unsigned char)bytes[--size]);
    }
}

/* Finds out what is behind the text: from the terminal, else from the environment, else dark. */
static void find_background(const char *type)
{
    char others[BACKGROUND_REPLY_MAX];
    bool console = strcmp(type, "linux") == 0;
    if (!console) {
        return_keys(others, background_ask(ANSWER_WAIT, &shows.known, &shows.ground, others));
    }
    shows.light = shows.known && palette_is_light(shows.ground);
    if (!shows.known && !console) {
        background_from_environment(getenv("COLORFGBG"), &shows.light);
    }
}

static void start_colors(const struct term_screen_options *options, const char *type)
{
    bool colored = options->color && direct && tigetnum("colors") >= 8;
    shows = (struct theme_terminal){.light = options->background == TERM_BACKGROUND_LIGHT};
    if (colored) {
        shows.colors = has_all_colors() ? ALL_COLORS : tigetnum("colors");
    }
    if (colored && options->background == TERM_BACKGROUND_AUTO) {
        find_background(type);
    }
    inks_start(options->theme, &shows);
    frame_start(shows.colors);
}

/* Terminals report the mouse in the SGR form, old ones in X10's. input.c reads both: ncurses would
 * return only the last of several reports that arrive together. The Linux console claims a mouse
 * but reports none. */
static void start_mouse(const char *type)
{
    bool claims = capability("kmous") != NULL || strstr(type, "xterm") != NULL;
    mouse = claims && strcmp(type, "linux") != 0;
    if (!mouse) {
        return;
    }
    define_key("\033[<", TERM_KEY_SGR);
    define_key("\033[M", TERM_KEY_X10);
    if (capability("smm") == NULL) { /* with it the terminal knows the SGR form */
        meta(stdscr, TRUE);          /* columns from 96 on have the eighth bit */
    }
    define_key("\033[I", TERM_KEY_FOCUS);
    define_key("\033[O", TERM_KEY_BLUR);
    define_key("\033[?2026;1$y", TERM_KEY_SYNC); /* known, and set; the next: known, and reset */
    define_key("\033[?2026;2$y", TERM_KEY_SYNC);
    term_tty_on_restore(MOTION_OFF);
    term_tty_on_restore(SYNC_END);
}

/* Names the sequences that most terminals send for keys, where terminfo has none: people use such
 * terminals under the name of an older one. */
static void start_keys(void)
{
    static const struct {
        const char *sequence;
        int key;
    } usual[] = {
        {"\033[A", KEY_UP},     {"\033[B", KEY_DOWN},      {"\033[C", KEY_RIGHT},
        {"\033[D", KEY_LEFT},   {"\033OA", KEY_UP},        {"\033OB", KEY_DOWN},
        {"\033OC", KEY_RIGHT},  {"\033OD", KEY_LEFT},      {"\033[1;2A", KEY_SR},
        {"\033[1;2B", KEY_SF},  {"\033[1;2C", KEY_SRIGHT}, {"\033[1;2D", KEY_SLEFT},
        {"\033[1~", KEY_HOME},  {"\033[4~", KEY_END},      {"\033[H", KEY_HOME},
        {"\033[F", KEY_END},    {"\033OH", KEY_HOME},      {"\033OF", KEY_END},
        {"\033[5~", KEY_PPAGE}, {"\033[6~", KEY_NPAGE},    {"\033[2~", KEY_IC},
        {"\033[3~", KEY_DC},
    };
    for (size_t i = 0; i < sizeof usual / sizeof usual[0] && direct; i++) {
        if (key_defined(usual[i].sequence) == 0) {
            define_key(usual[i].sequence, usual[i].key);
        }
    }
}

/* A terminal with the sequences of ECMA-48 knows the mode or ignores it. */
static void start_paste(void)
{
    asked = 0;
    if (direct) {
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
    term_tty_on_restore(bare ? CURSOR_ON : NULL);
}

/* Finds out what bytes the terminal understands. */
static void find_sequences(void)
{
    const char *moves = capability("cup");
    direct = moves != NULL && strncmp(moves, "\033[", 2) == 0;
    bare = direct && capability("civis") == NULL;
    corner = tigetflag("xenl") > 0 || tigetflag("am") <= 0;
    sent = 0;
}

/* Sets ncurses up for keys that come one by one and a picture that is sent in frames. */
static void start_curses(void)
{
    cbreak();
    noecho();
    nonl();
    keypad(stdscr, TRUE);
    nodelay(stdscr, TRUE);
    leaveok(stdscr, TRUE);
    typeahead(-1); /* without it input would interrupt frames */
    curs_set(0);
}

/* Sets the modes that ncurses does not know. */
static void take_modes(void)
{
    term_tty_write(mouse ? MOTION_ON : "");
    term_tty_write(direct ? PASTE_ON : "");
    term_tty_write(bare ? CURSOR_OFF : "");
}

static void leave_modes(void)
{
    term_tty_write(mouse ? MOTION_OFF : "");
    term_tty_write(direct ? PASTE_OFF "\033[m" : "");
    term_tty_write(bare ? CURSOR_ON : "");
}

bool term_screen_open(const struct term_screen_options *options, char *error, size_t capacity)
{
    /* They would fix the size. */
    unsetenv("LINES");
    unsetenv("COLUMNS");
    const char *type = choose_type(error, capacity);
    if (type == NULL) {
        return false;
    }
    unicode = !options->ascii && can_braille();
    set_escdelay(ESCAPE_WAIT);
    screen = newterm(type, stdout, stdin);
    if (screen == NULL) {
        snprintf(error, capacity, "the terminal %.40s cannot be used", type);
        return false;
    }
    term_tty_taken(true);
    find_sequences();
    start_curses();
    start_keys();
    start_mouse(type);
    start_paste();
    plan_restore();
    term_screen_resize();
    refresh();
    start_colors(options, type);
    if (mouse) {
        term_tty_write(SYNC_QUERY);
    }
    take_modes();
    return true;
}

bool term_screen_answers(void)
{
    return direct;
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
    leave_modes();
    if (!has_alternate) {
        clear();
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
    frame_finish();
}

void term_screen_enter(void)
{
    term_tty_taken(true);
    reset_prog_mode();
    term_screen_resize();
    clear();
    refresh();
    keypad(stdscr, TRUE); /* before the first key is read */
    take_modes();
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
    frame_forget();
    clearok(stdscr, !direct);
}

void term_screen_synchronize(void)
{
    synchronized = true;
}

void term_screen_flush(void)
{
    const char *bytes = NULL;
    size_t size = 0;
    if (direct) {
        size = frame_make(synchronized ? SYNC_BEGIN : "", synchronized ? SYNC_END : "", corner,
                          &bytes);
    }
    wnoutrefresh(stdscr); /* else ncurses would send the cells itself before it reads a key */
    if (direct) {
        term_tty_send(bytes, size);
        term_cast_size(COLS, LINES);
        term_cast_frame(bytes, size);
        sent += size;
    } else {
        doupdate();
    }
}

void term_screen_ground(const char *ground)
{
    if (inks_follow(ground)) {
        frame_forget();
    }
}

uint64_t term_screen_sent(void)
{
    return sent;
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
    return shows.colors;
}

short term_screen_pair(uint32_t rgb)
{
    return inks_text(rgb);
}

short term_screen_status_pair(void)
{
    return inks_status();
}
