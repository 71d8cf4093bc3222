#include "input.h"

#include "screen.h"

#include <curses.h>

enum { STEP = 1, LEAP = 5, ESCAPE = 27, CTRL_L = 'L' & 31 };

static const struct binding {
    int keys[3];
    enum term_action action;
    int x, y;
    const char *names; /* in the help; NULL: with the line above */
    const char *text;
} bindings[] = {
    {{KEY_LEFT, 'h'}, TERM_MOVE, -STEP, 0, "arrows, hjkl", "move your cursor"},
    {{KEY_DOWN, 'j'}, TERM_MOVE, 0, STEP, NULL, NULL},
    {{KEY_UP, 'k'}, TERM_MOVE, 0, -STEP, NULL, NULL},
    {{KEY_RIGHT, 'l'}, TERM_MOVE, STEP, 0, NULL, NULL},
    {{KEY_SLEFT, 'H'}, TERM_MOVE, -LEAP, 0, "shift with them", "move it farther"},
    {{KEY_SF, 'J'}, TERM_MOVE, 0, LEAP, NULL, NULL},
    {{KEY_SR, 'K'}, TERM_MOVE, 0, -LEAP, NULL, NULL},
    {{KEY_SRIGHT, 'L'}, TERM_MOVE, LEAP, 0, NULL, NULL},
    {{'c', TERM_KEY_BLUR}, TERM_LEAVE, 0, 0, "c", "take it away"},
    {{'r'}, TERM_RETRY, 0, 0, "r", "connect now"},
    {{'?'}, TERM_HELP, 0, 0, "?", "this help"},
    {{CTRL_L}, TERM_REDRAW, 0, 0, "^L", "redraw"},
    {{'q'}, TERM_QUIT, 0, 0, "q", "quit"},
    {{TERM_KEY_SYNC}, TERM_SYNC, 0, 0, NULL, NULL},
};

#define BINDINGS (sizeof bindings / sizeof bindings[0])

/* Reads the rest of a sequence that ncurses does not know: its letters are no keys. */
static void skip_sequence(void)
{
    int key = getch();
    if (key == '[') {
        do {
            key = getch();
        } while (key >= ' ' && key < '@');
    } else if (key == 'O') {
        getch();
    }
}

struct term_input term_input_read(void)
{
    int key = getch();
    if (key == ERR) {
        return (struct term_input){.action = TERM_NONE};
    }
    if (key == ESCAPE) {
        skip_sequence();
        return (struct term_input){.action = TERM_IGNORED};
    }
    MEVENT event;
    if (key == KEY_MOUSE) {
        if (getmouse(&event) != OK) {
            return (struct term_input){.action = TERM_IGNORED};
        }
        return (struct term_input){.action = TERM_POINT, .x = event.x, .y = event.y};
    }
    for (size_t i = 0; i < BINDINGS; i++) {
        for (size_t k = 0; k < sizeof bindings[i].keys / sizeof bindings[i].keys[0]; k++) {
            if (bindings[i].keys[k] == key && key != 0) {
                return (struct term_input){bindings[i].action, bindings[i].x, bindings[i].y};
            }
        }
    }
    return (struct term_input){.action = TERM_IGNORED};
}

bool term_input_help(size_t index, const char **keys, const char **text)
{
    for (size_t i = 0; i < BINDINGS; i++) {
        if (bindings[i].names != NULL && index-- == 0) {
            *keys = bindings[i].names;
            *text = bindings[i].text;
            return true;
        }
    }
    return false;
}
