/* ncurses: taking the terminal, leaving it, colours, and putting a frame on it.
 *
 * One screen a process, main thread. The windows behind it are ncurses's own (stdscr). */
#ifndef TERM_SCREEN_H
#define TERM_SCREEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <wchar.h>

#define TERM_SCREEN_MAX 1000 /* columns and rows; a larger terminal is used in part */

/* Keys beyond ncurses's own: what terminals report by themselves. */
enum term_screen_key {
    TERM_KEY_FOCUS = 0x2000,
    TERM_KEY_BLUR,
    TERM_KEY_SYNC,   /* the terminal can hold a frame back until it is whole */
    TERM_KEY_PASTE,  /* what comes now is pasted text */
    TERM_KEY_PASTED, /* up to here */
};

/* Takes the terminal: alternate screen, keys and, if the terminal can report it, the mouse's
 * motion. Returns false with the reason in error if the terminal cannot be used, and leaves it as
 * it was. */
bool term_screen_open(bool color, bool ascii, char *error, size_t capacity);

/* Gives it back for good; for a while (then term_screen_enter() takes it again). */
void term_screen_close(void);
void term_screen_leave(void);
void term_screen_enter(void);

/* Reads the terminal's size again. */
void term_screen_resize(void);

/* From now on frames are sent between the marks of synchronized output. */
void term_screen_synchronize(void);

/* Sends what has changed in stdscr. */
void term_screen_flush(void);

/* Returns whether the terminal shows braille and lines; else only ASCII. */
bool term_screen_unicode(void);

/* Returns the symbol of the two that the terminal shows. */
wchar_t term_screen_symbol(wchar_t unicode_symbol, wchar_t ascii_symbol);

/* Colours on this terminal; fewer than 8: draw without. */
int term_screen_colors(void);

/* Colour pairs: a foreground of 0xRRGGBB, or a hue of the palette, on the terminal's own
 * background; the status line's. 0 when there are no colours, or no pairs left. */
short term_screen_pair(uint32_t rgb);
short term_screen_hue(int hue);
short term_screen_status_pair(void);

#endif
