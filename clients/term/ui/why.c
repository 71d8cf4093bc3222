#include "term/ui/why.h"

#include "term/flock/why.h"
#include "term/texts/texts.h"
#include "term/tty/print.h"
#include "term/tty/screen.h"

#include <curses.h>
#include <math.h>
#include <stdio.h>

enum {
    STANDS = 800000, /* µs: a sentence stays for this time at least, so that it can be read */
    BATCH = 256,
    NAME = 12, /* columns of a rule's name */
    FIGURE = 6,
    SENTENCE_ROWS = 4,
};

/* Returns the number of the drawn boid nearest to that point, and stores how far it is away;
 * infinity: there is none. */
static uint32_t nearest_boid(const struct term_session *session, float x, float y, float *away)
{
    struct timeline_boid batch[BATCH];
    uint32_t total = timeline_boid_count(session->timeline);
    uint32_t best = 0;
    float least = INFINITY;
    for (uint32_t first = 0; first < total; first += BATCH) {
        uint32_t count = timeline_boids(session->timeline, first, BATCH, batch);
        for (uint32_t i = 0; i < count; i++) {
            float distance = hypotf(batch[i].x - x, batch[i].y - y);
            if (!batch[i].hidden && distance < least) {
                least = distance;
                best = first + i;
            }
        }
    }
    *away = least;
    return best * session->stream.pace.granted.stride;
}

static void mark_first(struct term_session *session, int64_t now)
{
    const struct proto_room *room = &session->welcome.room;
    float x = session->cursor_here ? session->cursor_x : room->width / 2;
    float y = session->cursor_here ? session->cursor_y : room->height / 2;
    float away = 0;
    term_session_pick(session, nearest_boid(session, x, y, &away), now);
}

/* Marks the next boid by its number; after the last comes the first. */
static void mark_next(struct term_session *session, int64_t now)
{
    uint32_t flock = timeline_flock(session->timeline);
    uint32_t next = session->pick + 1;
    term_session_pick(session, next < flock ? next : 0, now);
}

bool term_why_pick(struct term_why *why, struct term_session *session, float x, float y,
                   float reach, int64_t now)
{
    float away = INFINITY;
    uint32_t boid = nearest_boid(session, x, y, &away);
    if (session->phase != TERM_LIVE || away > reach) {
        return false;
    }
    term_session_pick(session, boid, now);
    why->open = true;
    why->said_at = 0; /* another boid is explained at once */
    return true;
}

bool term_why_act(struct term_why *why, struct term_session *session, struct term_input input,
                  int64_t now)
{
    bool ends = input.action == TERM_CANCEL || (input.action == TERM_WHY && input.x < 0);
    if (why->open && ends) {
        why->open = false;
        term_session_unpick(session, now);
        return true;
    }
    if (input.action != TERM_WHY || ends) {
        return false;
    }
    if (!session->known) {
        return true;
    }
    if (why->open) {
        mark_next(session, now);
    } else {
        mark_first(session, now);
    }
    why->open = true;
    why->said_at = 0; /* another boid is explained at once */
    return true;
}

static bool has_cursor(const struct term_session *session)
{
    struct timeline_cursor cursors[PROTO_PEOPLE_MAX];
    return timeline_cursors(session->timeline, cursors) > 0;
}

void term_why_follow(struct term_why *why, const struct term_session *session, int64_t now)
{
    bool ended = !session->picks;
    if (!why->open || !(session->why_known || ended) || now - why->said_at < STANDS) {
        return;
    }
    why->said_at = now;
    if (ended) {
        texts_fill(why->sentence, sizeof why->sentence, TEXT_WHY_ENDED, texts_key(TEXT_DO_WHY));
    } else if (!why_line(why->sentence, sizeof why->sentence, &session->why,
                         session->welcome.room.model, has_cursor(session))) {
        texts_fill(why->sentence, sizeof why->sentence, TEXT_WHY_GONE, texts_key(TEXT_DO_WHY));
    }
}

/* Draws a rule: its name and a bar in its colour (0: none), and the length of its vector. Returns
 * the next row. */
static int draw_push(const struct term_side *side, int row, const char *name, uint32_t color,
                     float length, float most)
{
    int bar = NAME + FIGURE + 1;
    const struct texts_number figure = texts_decimal((double)length, 3);
    int end = side->left + NAME + FIGURE;
    attr_set(A_NORMAL, color != 0 ? term_screen_pair(color) : 0, NULL);
    term_print(row, side->left, name, NAME);
    if (side->width > bar) {
        term_print_bar(row, side->left + bar, side->width - bar, most > 0 ? length / most : 0);
    }
    attr_set(A_NORMAL, 0, NULL);
    term_print(row, end - term_print_width(figure.digits), figure.digits, FIGURE);
    return row + 1;
}

static int draw_pushes(const struct term_side *side, int row, const struct proto_why *why)
{
    float most = why_longest(why);
    for (uint32_t i = 0; i < why->push_count && row < side->end - 1; i++) {
        float length = hypotf(why->pushes[i].x, why->pushes[i].y);
        const char *name = why->pushes[i].name;
        row = draw_push(side, row, why_push(name), why_color(name), length, most);
    }
    return row < side->end - 1
               ? draw_push(side, row, texts_get(TEXT_WHY_SUM), 0, why_sum(why), most)
               : row;
}

static void draw_near(const struct term_side *side, int row, const struct proto_why *why)
{
    char text[TEXTS_LINE];
    texts_fill(text, sizeof text, TEXT_WHY_AROUND, texts_plain(why->seen).digits,
               texts_plain(why->crowding).digits);
    if (row < side->end - 1) {
        term_print(row++, side->left, text, side->width);
    }
    for (uint32_t i = 0; i < why->near_count && row < side->end - 1; i++) {
        const struct proto_near *near = &why->near[i];
        char place[16];
        snprintf(place, sizeof place, "%2u", i + 1);
        texts_fill(text, sizeof text, TEXT_WHY_NEAR, place, texts_plain(near->number).digits,
                   texts_decimal((double)hypotf(near->x, near->y), 0).digits);
        if (near->close) {
            texts_append(text, sizeof text, TEXT_WHY_TOO_CLOSE, "");
        }
        term_print(row++, side->left, text, side->width);
    }
}

void term_why_draw(const struct term_why *why, const struct term_side *side,
                   const struct term_session *session)
{
    char title[TEXTS_LINE];
    char hint[TEXTS_LINE];
    int row = side->top + 2;
    texts_fill(title, sizeof title, TEXT_WHY_TITLE, texts_plain(session->pick).digits);
    term_side_ground(side);
    term_side_title(side, title, "");
    if (session->why_known || !session->picks) {
        term_side_text(side, row, SENTENCE_ROWS, why->sentence);
    }
    row += SENTENCE_ROWS + 1;
    if (session->why_known && session->why.there) {
        row = draw_pushes(side, row, &session->why);
        draw_near(side, row + 1, &session->why);
    }
    texts_fill(hint, sizeof hint, TEXT_WHY_HINT, texts_key(TEXT_DO_WHY), texts_key(TEXT_END_WHY));
    term_side_hint(side, side->end - 1, hint);
}
