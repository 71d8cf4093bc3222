#include "term/ui/help.h"

#include "term/flock/schema.h"
#include "term/texts/texts.h"
#include "term/tty/inks.h"
#include "term/tty/label.h"
#include "term/tty/print.h"
#include "term/tty/screen.h"
#include "term/ui/box.h"
#include "term/ui/keys.h"
#include "term/ui/zones.h"

#include <assert.h>
#include <curses.h>
#include <stdio.h>
#include <string.h>
#include <wchar.h>

enum {
    KEY = 13,        /* columns of the keys, with the gap behind them */
    COLUMN_MIN = 36, /* of keys and meanings: a screen with room for two shows two */
    COLUMN_MAX = 52,
    GAP = 3,         /* between two columns */
    BESIDE_MIN = 30, /* with fewer columns the meaning is below the keys */
    INDENT_BELOW = 2,
    FACT_MAX = 64, /* columns of a line about the server */
    WHEEL = 3,     /* rows for a notch of the mouse's wheel */
    TEXT_SIZE = TEXTS_LINE,
};

/* Lines that begin with a key's or a fact's name, a text below the name, or a heading. */
struct entries {
    struct term_box box;
    int named[TERM_BOX_LINES]; /* columns of each line's name; of a heading: all */
};

/* The whole help, before it is cut to the screen. */
struct pages {
    struct entries keys;  /* in one column, or in two from `split` on */
    struct entries facts; /* below them, over the whole width */
    int columns;          /* of keys: 1 or 2 */
    int width;            /* of such a column */
    int split;
};

bool term_help_offers(const struct term_session *session, const struct term_input_line *line,
                      enum term_action action)
{
    if (session->alone && term_input_needs_server(action)) {
        return false;
    }
    return !line->presenter || (session->welcome.role == PROTO_PRESENTER &&
                                (line->control == NULL ||
                                 schema_control(&session->welcome.room, line->control) != NULL));
}

/* Adds a line that begins with a name. */
static void add_line(struct entries *entries, const char *name, int gap, const wchar_t *text)
{
    struct term_box *box = &entries->box;
    if (box->count < TERM_BOX_LINES) {
        entries->named[box->count] = term_print_width(name);
        term_box_add(box, "%s%*s%ls", name, gap, "", text);
    }
}

/* Adds an entry of `width` columns over as many lines as it takes: the text beside its name, or
 * below the name in a narrow column. */
static void add_entry(struct entries *entries, int width, const char *name, const char *text)
{
    wchar_t label[TERM_LABEL_MAX];
    wchar_t line[TERM_LABEL_MAX];
    bool beside = width >= BESIDE_MIN;
    int indent = beside ? KEY : INDENT_BELOW;
    int columns = width - indent > 2 ? width - indent : 2;
    term_label(label, text, (int)TERM_LABEL_MAX, 0);
    if (!beside && name[0] != '\0') {
        add_line(entries, name, 0, L"");
    }
    for (const wchar_t *rest = label; *rest != L'\0'; rest = term_label_rest(rest, columns)) {
        size_t length = (size_t)term_label_line(rest, columns);
        wmemcpy(line, rest, length);
        line[length] = L'\0';
        const char *shown = beside && rest == label ? name : "";
        int gap = indent - term_print_width(shown);
        add_line(entries, shown, gap > 0 ? gap : 0, line);
    }
}

/* Adds a fact about the server. */
static void add_fact(struct pages *pages, const char *name, const char *text)
{
    int width = COLS - 4 < FACT_MAX + KEY ? COLS - 4 : FACT_MAX + KEY;
    add_entry(&pages->facts, width, name, text);
}

/* Writes the bytes of a snapshot. */
static void write_size(char *out, size_t capacity, size_t size)
{
    if (size < 1000) {
        texts_fill(out, capacity, TEXT_FACT_BYTES, texts_plain((long)size).digits);
    } else {
        snprintf(out, capacity, "%.3g KB", (double)size / 1000);
        texts_point(out);
    }
}

static void describe_stream(struct pages *pages, const struct term_session *session)
{
    static const enum text causes[2][2] = {{TEXTS, TEXT_SLOW_TERMINAL},
                                           {TEXT_SLOW_LINE, TEXT_SLOW_BOTH}};
    const struct term_stream *stream = &session->stream;
    const struct proto_stream *granted = &stream->pace.granted;
    enum text cause = causes[granted->slow][term_pace_lowered(&stream->pace)];
    char size[TEXT_SIZE];
    char rate[32];
    char text[TEXT_SIZE];
    write_size(size, sizeof size, stream->size);
    snprintf(rate, sizeof rate, "%.3g", (double)granted->rate);
    texts_fill(text, sizeof text, TEXT_FACT_STREAM, session->welcome.encoding, rate, size);
    if (granted->stride > 1) {
        texts_append(text, sizeof text, TEXT_FACT_STRIDE, texts_plain(granted->stride).digits);
    }
    if (cause != TEXTS) {
        texts_append(text, sizeof text, TEXT_BOTH, texts_get(cause));
    }
    add_fact(pages, texts_get(TEXT_FACT_SNAPSHOTS), text);
}

static bool has_sharks(const struct proto_room *room)
{
    return strcmp(schema_value(room, "cursors"), "scare") == 0;
}

static const char *steering(const struct term_session *session)
{
    return texts_get(session->known && has_sharks(&session->welcome.room) ? TEXT_HELP_FLEE
                                                                          : TEXT_HELP_FOLLOW);
}

static void describe_room(struct pages *pages, const struct term_session *session)
{
    const struct proto_room *room = &session->welcome.room;
    char text[TEXT_SIZE];
    char size[TEXT_SIZE];
    schema_code(size, sizeof size, room->code);
    if (room->title[0] != '\0') {
        texts_append(size, sizeof size, TEXT_LIST, room->title);
    }
    if (!session->alone) {
        texts_fill(text, sizeof text, TEXT_FACT_AS, size, session->welcome.name);
        add_fact(pages, texts_get(TEXT_FACT_ROOM), text);
    }
    texts_fill(text, sizeof text, TEXT_FACT_TICKS, texts_choice("model", room->model),
               texts_plain(room->tick_rate).digits);
    add_fact(pages, texts_get(TEXT_FACT_MODEL), text);
    snprintf(text, sizeof text, "%g x %g", (double)room->width, (double)room->height);
    texts_append(text, sizeof text, TEXT_LIST, texts_choice("boundary", room->boundary));
    add_fact(pages, texts_get(TEXT_FACT_WORLD), text);
    texts_fill(text, sizeof text, TEXT_FACT_IDLE,
               has_sharks(room) ? texts_choice("policy", "scare")
                                : texts_choice("policy", room->policy),
               texts_choice("idle", room->idle));
    add_fact(pages, texts_get(TEXT_FACT_CURSORS), text);
}

/* Adds the keys of a table; returns whether there were any. */
static bool add_table(struct pages *pages, const struct term_session *session,
                      enum term_input_table table, enum text heading)
{
    struct term_input_line line;
    struct term_input input;
    bool any = false;
    for (size_t i = 0; term_input_help(table, i, &line, &input); i++) {
        if (line.keys[0] == '\0' || !term_help_offers(session, &line, input.action)) {
            continue;
        }
        if (!any && heading != TEXTS) {
            add_line(&pages->keys, texts_get(heading), 0, L"");
        }
        any = true;
        add_entry(&pages->keys, pages->width, line.keys, texts_get(line.text));
    }
    return any;
}

/* Adds all keys, and divides them into columns. */
static void describe_keys(struct pages *pages, const struct term_session *session)
{
    add_entry(&pages->keys, pages->width, texts_get(TEXT_KEYS_MOUSE), steering(session));
    add_entry(&pages->keys, pages->width, "", texts_get(TEXT_HELP_CLICK));
    add_entry(&pages->keys, pages->width, "", texts_get(TEXT_HELP_DRAG));
    add_table(pages, session, TERM_KEYS_ANYWHERE, TEXTS);
    add_table(pages, session, TERM_KEYS_PANEL, TEXT_HELP_PANEL);
    if (!session->alone) {
        add_table(pages, session, TERM_KEYS_LIST, TEXT_HELP_ROOM);
    }
    const int count = pages->keys.box.count;
    pages->split = count;
    if (pages->columns > 1) {
        pages->split = (count + 1) / 2;
        /* An entry stays in one column. */
        while (pages->split < count && pages->keys.named[pages->split] == 0) {
            pages->split++;
        }
    }
}

static void describe_server(struct pages *pages, const struct term_help *help,
                            const struct term_session *session, int64_t now)
{
    int64_t trip = 0;
    int64_t offset = 0;
    add_line(&pages->facts, "", 0, L""); /* apart from the keys */
    add_fact(pages, texts_get(TEXT_FACT_SERVER), help->url);
    if (!term_screen_unicode()) {
        add_fact(pages, texts_get(TEXT_FACT_LETTERS), texts_get(TEXT_FACT_ASCII));
    }
    if (!session->known) {
        return;
    }
    add_fact(pages, "", session->welcome.server);
    describe_room(pages, session);
    describe_stream(pages, session);
    if (term_clock_read(&session->clock, &trip, &offset) && timeline_time(session->timeline) > 0) {
        char text[TEXT_SIZE];
        double behind = (double)(now + offset - timeline_time(session->timeline)) / 1000;
        texts_fill(text, sizeof text, TEXT_FACT_BEHIND, texts_decimal(behind, 0).digits);
        add_fact(pages, texts_get(TEXT_FACT_PICTURE), text);
    }
}

static void describe_help(struct pages *pages, const struct term_help *help,
                          const struct term_session *session, int64_t now)
{
    int width = COLS - 4;
    pages->columns = width >= 2 * COLUMN_MIN + GAP ? 2 : 1;
    pages->width = (width - GAP * (pages->columns - 1)) / pages->columns;
    pages->width = pages->width < COLUMN_MAX ? pages->width : COLUMN_MAX;
    describe_keys(pages, session);
    describe_server(pages, help, session, now);
}

static int count_rows(const struct pages *pages)
{
    return pages->split + pages->facts.box.count;
}

/* Returns how many rows are shown at a time. If that is fewer than there are, the last row of the
 * box says so. */
static int count_shown(const struct pages *pages)
{
    int rows = LINES - 3 > 2 ? LINES - 3 : 2;
    return count_rows(pages) > rows ? rows - 1 : rows;
}

/* Returns the nearest first row that leaves no row of the box empty. */
static int limit_first(const struct pages *pages, int first)
{
    int last = count_rows(pages) - count_shown(pages);
    first = first < last ? first : last;
    return first > 0 ? first : 0;
}

/* Draws a line at a cell, its name in the colour of bars. */
static void draw_line(const struct entries *entries, int index, int row, int column, int width)
{
    const int named = entries->named[index] < width ? entries->named[index] : width;
    term_print(row, column, entries->box.lines[index], width);
    if (named > 0) {
        mvchgat(row, column, named, A_BOLD, inks_role(INK_BAR), NULL);
    }
}

/* Draws a row of the help at a row of the screen. */
static void draw_row(const struct pages *pages, const struct term_box_place *place, int index,
                     int row)
{
    int right = pages->split + index;
    if (index >= pages->split) {
        draw_line(&pages->facts, index - pages->split, row, place->left, place->width);
        return;
    }
    draw_line(&pages->keys, index, row, place->left, pages->width);
    if (right < pages->keys.box.count) {
        draw_line(&pages->keys, right, row, place->left + pages->width + GAP, pages->width);
    }
}

void term_help_draw(const struct term_help *help, const struct term_session *session, int64_t now)
{
    struct pages pages = {0};
    assert(help->open);
    describe_help(&pages, help, session, now);
    int rows = count_rows(&pages);
    int shown = count_shown(&pages);
    int first = limit_first(&pages, help->first);
    bool scrolls = rows > shown;
    term_zones_add(&(struct term_zone){0, 0, LINES, COLS, {TERM_CANCEL, 0, 0}, false});
    struct term_box_place place = term_box_frame(
        scrolls ? shown + 1 : rows, pages.columns * pages.width + GAP * (pages.columns - 1));
    for (int i = 0; i < shown && i < place.height && first + i < rows; i++) {
        draw_row(&pages, &place, first + i, place.top + i);
    }
    if (scrolls && place.height > 0) {
        char text[TEXT_SIZE];
        texts_fill(text, sizeof text, TEXT_HELP_SCROLL, texts_plain(first + 1).digits,
                   texts_plain(first + shown).digits, texts_plain(rows).digits);
        attr_set(A_DIM, 0, NULL);
        term_print(place.top + place.height - 1, place.left, text, place.width);
        attr_set(A_NORMAL, 0, NULL);
    }
}

bool term_help_act(struct term_help *help, const struct term_session *session,
                   struct term_input input, int64_t now)
{
    struct pages pages = {0};
    int rows = input.action == TERM_WHEEL_UP     ? -WHEEL
               : input.action == TERM_WHEEL_DOWN ? WHEEL
                                                 : input.y;
    if (input.action == TERM_HELP) {
        help->open = !help->open;
        help->first = 0;
        return true;
    }
    if (!help->open) {
        return false;
    }
    switch (input.action) {
    case TERM_CANCEL:
        help->open = false;
        return true;
    case TERM_SCROLL:
    case TERM_WHEEL_UP:
    case TERM_WHEEL_DOWN:
        describe_help(&pages, help, session, now);
        /* A row beyond the last one: rows that come later are shown, too. */
        rows += limit_first(&pages, help->first);
        help->first = rows > 0 ? rows : 0;
        return true;
    default:
        return false;
    }
}
