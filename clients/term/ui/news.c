#include "term/ui/news.h"

#include "term/texts/texts.h"
#include "term/tty/print.h"

#include <curses.h>
#include <stdio.h>

enum {
    AGE = 6, /* columns of an age with the gap behind it */
    AGE_SIZE = 24,
    LINES_MOST = 3, /* of an item */
    MINUTE = 60,
    HOUR = 3600,
};

void term_news_scroll(struct term_news *news, const struct term_session *session, int items)
{
    int first = news->first + items;
    while (first > 0 && term_log_item(&session->log, (uint32_t)first) == NULL) {
        first--;
    }
    news->first = first > 0 ? first : 0;
}

/* Writes how long ago something was: minutes and seconds, or hours and minutes. */
static void print_age(char out[AGE_SIZE], int64_t age)
{
    long seconds = (long)(age / 1000000);
    if (seconds < HOUR) {
        snprintf(out, AGE_SIZE, "%ld:%02ld", seconds / MINUTE, seconds % MINUTE);
    } else {
        snprintf(out, AGE_SIZE, "%ld h", seconds / HOUR);
    }
}

/* Draws an item; returns the row behind it. */
static int draw_item(const struct term_side *side, int row, const struct term_log_item *item,
                     int64_t now)
{
    struct term_side text = *side;
    char age[AGE_SIZE];
    text.left += AGE;
    text.width -= AGE;
    print_age(age, now - item->at);
    attr_set(A_DIM, 0, NULL);
    term_print(row, side->left, age, AGE - 1);
    attr_set(A_NORMAL, 0, NULL);
    int lines = term_side_lines(&text, item->text, LINES_MOST);
    lines = lines < side->end - row ? lines : side->end - row;
    term_side_text(&text, row, lines, item->text);
    return row + lines;
}

void term_news_draw(const struct term_news *news, const struct term_side *side,
                    const struct term_session *session, int64_t now)
{
    int row = side->top + 1;
    uint32_t age = (uint32_t)news->first;
    const struct term_log_item *item = term_log_item(&session->log, age);
    term_side_ground(side);
    term_side_title(side, texts_get(TEXT_NEWS), "");
    if (item == NULL) {
        term_side_hint(side, row, texts_get(TEXT_NEWS_NOTHING));
    }
    for (; item != NULL && row < side->end; item = term_log_item(&session->log, ++age)) {
        row = draw_item(side, row, item, now);
    }
}
