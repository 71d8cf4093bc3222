/* The screen: takes and leaves the terminal, and sends frames.
 *
 * ncurses knows the terminal, reads keys and keeps the cells; frame.h sends them. A terminal
 * without the sequences of ECMA-48 gets ncurses's own bytes, without colours. One screen a process,
 * main thread. Other files draw into ncurses's stdscr. */
#ifndef TERM_SCREEN_H
#define TERM_SCREEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <wchar.h>

#define TERM_SCREEN_MAX 1000 /* columns and rows; the rest of a larger terminal is not used */

/* Keys beyond ncurses's own: reports of the terminal. */
enum term_screen_key {
    TERM_KEY_FOCUS = 0x2000,
    TERM_KEY_BLUR,
    TERM_KEY_SYNC,   /* the terminal knows synchronized output */
    TERM_KEY_ANSWER, /* the terminal has read all up to a question: term_screen_ask() */
    TERM_KEY_PASTE,  /* pasted text begins */
    TERM_KEY_PASTED, /* and ends */
    TERM_KEY_SGR,    /* the beginning of a mouse's report in the SGR form, which the caller reads */
    TERM_KEY_X10,    /* the same in X10's form */
};

/* The colour behind the terminal's text. */
enum term_background { TERM_BACKGROUND_AUTO, TERM_BACKGROUND_DARK, TERM_BACKGROUND_LIGHT };

struct term_screen_options {
    bool color, ascii;
    enum term_background background; /* AUTO: ask the terminal */
    const struct theme *theme;       /* must outlive the screen */
};

/* Takes the terminal: alternate screen, keys and, if the terminal can report it, the mouse's
 * motion. Returns false with the reason in error if the terminal cannot be used; the terminal is
 * then unchanged. */
bool term_screen_open(const struct term_screen_options *options, char *error, size_t capacity);

/* Gives the terminal back: for good, or until term_screen_enter() takes it again. */
void term_screen_close(void);
void term_screen_leave(void);
void term_screen_enter(void);

/* Reads the terminal's size again and redraws all. */
void term_screen_resize(void);

/* Sends the next frames between the marks of synchronized output. */
void term_screen_synchronize(void);

/* Sends the changes in stdscr. */
void term_screen_flush(void);

/* Takes the theme's colours for a room's ground ("": none). */
void term_screen_ground(const char *ground);

/* Returns how many bytes of frames were sent. */
uint64_t term_screen_sent(void);

/* Returns whether the terminal may answer questions. term_screen_ask() sends one: the answer is the
 * key TERM_KEY_ANSWER. term_screen_leave() waits for answers that are on their way, so that the
 * shell does not read them. */
bool term_screen_answers(void);
void term_screen_ask(void);
void term_screen_answered(void);

/* Returns whether the terminal shows braille and lines; else only ASCII. */
bool term_screen_unicode(void);

/* Returns whether the locale's encoding is UTF-8. */
bool term_screen_utf8(void);

/* Returns the symbol of the two that the terminal shows. */
wchar_t term_screen_symbol(wchar_t unicode_symbol, wchar_t ascii_symbol);

/* Returns the number of colours; fewer than 8: draw without. */
int term_screen_colors(void);

/* Returns the pair of a text in about that colour, 0xRRGGBB, which can be read on the ground. */
short term_screen_pair(uint32_t rgb);
short term_screen_status_pair(void);

#endif
