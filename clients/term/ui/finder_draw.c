#include "term/ui/finder_draw.h"

#include "term/texts/texts.h"
#include "term/tty/print.h"
#include "term/tty/screen.h"
#include "term/ui/box.h"
#include "term/ui/zones.h"

#include <curses.h>
#include <stdio.h>

enum {
    WIDTH = 74,
    ROWS_MAX = 16,
    LINE_SIZE = TEXTS_LINE,
    HEAD = 2,        /* rows above the entries */
    NOTE_NARROW = 12 /* columns of a note in a narrow box: most keys */
};

/* Draws an entry: its text at the left, and what it does, or its key, behind the longest text. */
static void draw_entry(const struct term_box_place *place, int row, const struct term_found *entry,
                       int note, bool selected)
{
    char text[LINE_SIZE];
    if (entry->before[0] != '\0') {
        texts_fill(text, sizeof text, TEXT_PAIR, entry->before, entry->text);
    } else {
        snprintf(text, sizeof text, "%s", entry->text);
    }
    attr_set(selected ? A_REVERSE : A_NORMAL, 0, NULL);
    mvhline(row, place->left - 1, ' ', place->width + 2);
    term_print(row, place->left, text, note - 2);
    attr_set(selected ? A_REVERSE : A_DIM, 0, NULL);
    term_print(row, place->left + note, entry->note, place->width - note);
    attr_set(A_NORMAL, 0, NULL);
}

static void draw_head(const struct term_finder *finder, const struct term_box_place *place,
                      uint32_t count)
{
    char text[LINE_SIZE];
    char place_text[32];
    snprintf(place_text, sizeof place_text, "%u/%u", count > 0 ? finder->selected + 1 : 0, count);
    int end = term_print_width(place_text);
    int room = place->width - end - 4 -
               term_print_width(finder->of_rooms ? texts_get(TEXT_FIND_ROOM) : ":");
    snprintf(text, sizeof text, "%s %s_", finder->of_rooms ? texts_get(TEXT_FIND_ROOM) : ":",
             term_print_tail(finder->typed, room > 1 ? room : 1));
    attr_set(A_BOLD, 0, NULL);
    term_print(place->top, place->left, text, place->width - end - 1);
    attr_set(A_DIM, 0, NULL);
    term_print(place->top, place->left + place->width - end, place_text, end);
    attr_set(A_NORMAL, 0, NULL);
}

void term_finder_draw(const struct term_finder *finder, const struct term_sources *sources)
{
    struct term_found found[TERM_FINDER_FOUND_MAX];
    if (!finder->open) {
        return;
    }
    uint32_t count = term_finder_find(finder, sources, found);
    term_zones_add(&(struct term_zone){0, 0, LINES, COLS, {TERM_CANCEL, 0, 0}, false});
    struct term_box_place place = term_box_frame(ROWS_MAX + HEAD, WIDTH);
    int head = place.height > HEAD + 1 ? HEAD : 1; /* a low screen has no blank line */
    int rows = place.height - head;
    if (rows < 1) {
        return;
    }
    int selected = (int)finder->selected;
    int note = place.width < WIDTH ? place.width - NOTE_NARROW : place.width / 2;
    note = note > place.width / 2 ? note : place.width / 2;
    int first = selected < rows ? 0 : selected - rows + 1;
    draw_head(finder, &place, count);
    for (int i = 0; i < rows && first + i < (int)count; i++) {
        int row = place.top + head + i;
        draw_entry(&place, row, &found[first + i], note, first + i == selected);
        term_zones_add_row(row, place.left - 1, place.width + 2,
                           (struct term_input){TERM_PICK, 0, first + i});
    }
    if (count == 0) {
        term_print(place.top + head, place.left,
                   texts_get(finder->of_rooms ? TEXT_FIND_NO_ROOM : TEXT_FIND_NOTHING),
                   place.width);
    }
}
