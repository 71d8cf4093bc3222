#include "sidebar.h"

#include "label.h"
#include "screen.h"

#include <curses.h>
#include <stdio.h>
#include <string.h>

enum {
    WIDTH_MIN = 42,
    WIDTH_MAX = 52,
    BESIDE_MIN = 28, /* columns that a flock beside it must have */
    NAME_MAX_SHOWN = 18,
    VALUE = 6,
    BAR_MIN = 6,
    BAR_MAX = 16,
    UNIT_MIN = 3,
    HINT_ROWS_MIN = 16, /* with fewer rows there is no line that lists the keys */
    LIST_MIN = 6,       /* rows of the list that measures leave */
    ALONE_WIDTH = 24,   /* columns of a bar that has measures only */
    ALONE_ROWS = 12,
    ALONE_ROWS_WIDE = 17, /* with a blank row between two of them */
    NUMBER_SIZE = 32,
    LINE_SIZE = 256,
};

#define COLOR_BAD 0xff5f5fu

/* Where things are, in cells of the screen. */
struct layout {
    int left, width; /* of the text */
    int first, rows; /* of the list */
    int measures;    /* the first row of them; 0: they are not shown */
    int text, text_rows;
    int hint;                          /* the row of the line that lists the keys; -1: none */
    int name, value, unit, bar, track; /* columns of a row, from its left; track: the bar's width */
};

int term_sidebar_width(const struct term_controls *controls, const struct term_panel *panel)
{
    if (!controls->open) {
        bool fits = COLS - ALONE_WIDTH >= BESIDE_MIN && LINES > ALONE_ROWS;
        return panel->measures && fits ? ALONE_WIDTH : 0;
    }
    int width = COLS * 2 / 5;
    width = width > WIDTH_MIN ? width : WIDTH_MIN;
    width = width < WIDTH_MAX ? width : WIDTH_MAX;
    return COLS - width >= BESIDE_MIN ? width : COLS;
}

static int at_most(int value, int most)
{
    return value < most ? value : most;
}

/* The columns: the name as wide as the longest, the value, the unit and the bar in what is left. */
static void lay_columns(struct layout *layout, const struct term_session *session)
{
    const struct proto_room *room = &session->welcome.room;
    int name = layout->measures > 0 ? TERM_MEASURES_NAME : 0;
    int unit = 0;
    for (uint32_t i = 0; i < term_controls_count(session); i++) {
        int width = term_panel_width(term_controls_row(session, i).name);
        name = width > name ? width : name;
    }
    for (uint32_t i = 0; i < room->param_count; i++) {
        int width = term_panel_width(room->params[i].unit);
        unit = width > unit ? width : unit;
    }
    layout->name = at_most(at_most(name, NAME_MAX_SHOWN), layout->width / 2);
    layout->value = layout->name + 1;
    layout->unit = layout->value + VALUE + 1;
    int left = layout->width - layout->unit;
    layout->track = at_most(left - unit - 1, BAR_MAX);
    layout->track = layout->track > BAR_MIN ? layout->track : at_most(left, BAR_MIN);
    layout->bar = layout->width - layout->track;
}

/* Measures stand below the list: where it is whole all the same or, if they are wanted, where
 * enough of it is left. */
static void lay_measures(struct layout *layout, const struct term_panel *panel, int list)
{
    int left = layout->rows - TERM_MEASURES_ROWS - 1;
    if (left >= list || (panel->measures && left >= LIST_MIN)) {
        layout->rows = left;
        layout->measures = layout->first + left + 1;
    }
}

static struct layout lay_out(const struct term_controls *controls, const struct term_panel *panel,
                             const struct term_session *session)
{
    int height = LINES - 1;
    int width = term_sidebar_width(controls, panel);
    bool hint = height >= HINT_ROWS_MIN;
    struct layout layout = {.left = COLS - width + 2, .width = width - 3, .first = 1, .hint = -1};
    if (width == COLS) {
        layout.left = 1;
        layout.width = width - 2;
    }
    layout.text_rows = height >= HINT_ROWS_MIN ? 4 : height >= 11 ? 3 : 2;
    layout.text_rows = at_most(layout.text_rows, height > 5 ? height - 4 : 0);
    layout.text = height - layout.text_rows - (hint ? 1 : 0);
    layout.rows = layout.text - 1 - layout.first;
    if (hint) {
        layout.hint = height - 1;
    }
    lay_measures(&layout, panel, (int)term_controls_count(session));
    lay_columns(&layout, session);
    return layout;
}

/* How many characters of text make a line of that width: whole words, where one fits. */
static int measure_line(const wchar_t *text, int width)
{
    int used = 0;
    int length = 0;
    int words = 0;
    while (text[length] != L'\0' && used + wcwidth(text[length]) <= width) {
        used += wcwidth(text[length]);
        length++;
        words = text[length] == L' ' || text[length] == L'\0' ? length : words;
    }
    return words > 0 ? words : length;
}

static const wchar_t *next_line(const wchar_t *text, int width)
{
    text += measure_line(text, width);
    return *text == L' ' ? text + 1 : text;
}

/* How many lines of that width a text takes, at most `most`. */
static int count_lines(const char *text, int width, int most)
{
    wchar_t label[TERM_LABEL_MAX];
    int lines = 0;
    term_label(label, text, (int)TERM_LABEL_MAX, 0);
    for (const wchar_t *rest = label; *rest != L'\0' && lines < most; lines++) {
        rest = next_line(rest, width);
    }
    return lines;
}

/* Writes text over so many rows; what is left then is cut. */
static void draw_text(const struct term_panel *panel, int row, int column, int width, int rows,
                      const char *text)
{
    wchar_t label[TERM_LABEL_MAX];
    term_label(label, text, (int)TERM_LABEL_MAX, 0);
    const wchar_t *rest = label;
    for (int i = 0; i < rows && *rest != L'\0'; i++) {
        int length = measure_line(rest, width);
        bool cut = i + 1 == rows && *next_line(rest, width) != L'\0';
        if (cut) {
            length = measure_line(rest, width - 1);
        }
        mvaddnwstr(row + i, column, rest, length);
        if (cut) {
            addwstr(panel->unicode ? L"…" : L"~");
        }
        rest = next_line(rest, width);
    }
}

/* The value in as many digits as there is room for. */
static void print_value(char out[NUMBER_SIZE], float value)
{
    for (int digits = 6; digits > 0; digits--) {
        snprintf(out, NUMBER_SIZE, "%.*g", digits, (double)value);
        if (strlen(out) <= VALUE) {
            return;
        }
    }
}

/* A value that is not the default stands out. */
static void draw_param(const struct layout *layout, const struct term_panel *panel,
                       const struct term_row *row, int at, bool selected)
{
    char value[NUMBER_SIZE];
    print_value(value, row->value);
    int width = (int)strlen(value);
    int unit = layout->bar - layout->unit - 1;
    attr_t attributes = selected ? A_REVERSE : A_NORMAL;
    attr_set(row->value != row->param->initial ? attributes | A_BOLD : attributes, 0, NULL);
    term_panel_text(panel, at, layout->left + layout->value + (width < VALUE ? VALUE - width : 0),
                    value, VALUE);
    attr_set(attributes, 0, NULL);
    if (unit >= UNIT_MIN) {
        term_panel_text(panel, at, layout->left + layout->unit, row->param->unit, unit);
    }
    term_panel_bar(panel, at, layout->left + layout->bar, layout->track, row->share);
}

static void draw_row(const struct term_controls *controls, const struct layout *layout,
                     const struct term_panel *panel, const struct term_row *row, int at,
                     bool selected)
{
    char text[LINE_SIZE];
    int column = layout->left + layout->value;
    int width = layout->width - layout->value;
    attr_set(selected ? A_REVERSE : A_NORMAL, 0, NULL);
    mvhline(at, layout->left - 1, ' ', layout->width + 2);
    term_panel_text(panel, at, layout->left, row->name, layout->name);
    if (selected && controls->typing) {
        snprintf(text, sizeof text, "%s_", controls->typed);
        term_panel_text(panel, at, column, text, width);
    } else if (row->param != NULL) {
        draw_param(layout, panel, row, at, selected);
    } else {
        const char *word = *row->word != '\0' ? row->word : "-";
        snprintf(text, sizeof text, panel->unicode ? "‹ %s ›" : "< %s >", word);
        term_panel_text(panel, at, column, text, width);
    }
    attr_set(A_NORMAL, 0, NULL);
}

/* What the last line says of the selected row. */
static void describe(const struct term_controls *controls, const struct term_row *row,
                     char out[LINE_SIZE])
{
    const struct proto_param *param = row->param;
    if (controls->typing) {
        snprintf(out, LINE_SIZE, "Enter: set, Esc: leave it");
    } else if (param != NULL) {
        snprintf(out, LINE_SIZE, "%g to %g%s%s, at first %g", (double)param->min,
                 (double)param->max, *param->unit != '\0' ? " " : "", param->unit,
                 (double)param->initial);
    } else if (row->choice != NULL) {
        snprintf(out, LINE_SIZE, "%s: %s", row->word, row->choice->text);
    } else {
        snprintf(out, LINE_SIZE, "none of its %u choices", row->control->choice_count);
    }
}

/* What the selected row means, or why something was refused. */
static void draw_meaning(const struct term_controls *controls, const struct layout *layout,
                         const struct term_panel *panel, const struct term_session *session,
                         int64_t now)
{
    char line[LINE_SIZE];
    struct term_row row = term_controls_row(session, controls->selected);
    const char *text = row.param != NULL ? row.param->text : row.control->text;
    if (term_panel_notice(session, now) && session->notice_kind != TERM_NEWS) {
        attr_set(A_BOLD, term_screen_pair(COLOR_BAD), NULL);
        draw_text(panel, layout->text, layout->left, layout->width, layout->text_rows,
                  session->notice);
        attr_set(A_NORMAL, 0, NULL);
        return;
    }
    describe(controls, &row, line);
    int rows = count_lines(line, layout->width, layout->text_rows - 1);
    draw_text(panel, layout->text, layout->left, layout->width, layout->text_rows - rows, text);
    draw_text(panel, layout->text + layout->text_rows - rows, layout->left, layout->width, rows,
              line);
}

/* Clears the ground and draws the line that divides it from the flock. */
static void draw_ground(const struct layout *layout, const struct term_panel *panel)
{
    cchar_t cell;
    wchar_t symbol[2] = {panel->unicode ? L'│' : L'|', 0};
    for (int row = 0; row < LINES - 1; row++) {
        mvhline(row, layout->left - 1, ' ', layout->width + 2);
    }
    setcchar(&cell, symbol, A_DIM, 0, NULL);
    if (layout->left >= 2) {
        mvvline_set(0, layout->left - 2, &cell, LINES - 1);
    }
}

static void draw_rule(const struct layout *layout, const struct term_panel *panel, int row)
{
    cchar_t cell;
    wchar_t symbol[2] = {panel->unicode ? L'─' : L'-', 0};
    setcchar(&cell, symbol, A_DIM, 0, NULL);
    mvhline_set(row, layout->left - 1, &cell, layout->width + 2);
}

static void draw_title(const struct layout *layout, const struct term_panel *panel,
                       const char *title)
{
    attr_set(A_BOLD, 0, NULL);
    term_panel_text(panel, 0, layout->left, title, layout->width);
    attr_set(A_NORMAL, 0, NULL);
}

/* The measures in the columns of the parameters above them. */
static void draw_measures(const struct layout *layout, const struct term_panel *panel,
                          const struct term_measures *measures)
{
    struct term_measures_layout place = {
        .row = layout->measures,
        .left = layout->left,
        .width = layout->width,
        .value = layout->value + 1, /* its digits end where theirs do */
        .unit = layout->unit,
        .bar = layout->bar,
        .rows = 1,
    };
    draw_rule(layout, panel, layout->measures - 1);
    term_measures_draw(measures, panel, &place);
}

static void draw_controls(const struct term_controls *controls, const struct term_panel *panel,
                          const struct term_measures *measures, const struct term_session *session,
                          int64_t now)
{
    struct layout layout = lay_out(controls, panel, session);
    int count = (int)term_controls_count(session);
    int selected = (int)controls->selected;
    int first = at_most(selected - layout.rows / 2, count - layout.rows);
    first = first > 0 ? first : 0;
    char place[NUMBER_SIZE];
    snprintf(place, sizeof place, "%d/%d", count > 0 ? selected + 1 : 0, count);
    draw_ground(&layout, panel);
    draw_title(&layout, panel, "Controls");
    term_panel_text(panel, 0, layout.left + layout.width - (int)strlen(place), place, NUMBER_SIZE);
    for (int i = 0; i < layout.rows && first + i < count; i++) {
        struct term_row row = term_controls_row(session, (uint32_t)(first + i));
        draw_row(controls, &layout, panel, &row, layout.first + i, first + i == selected);
    }
    if (layout.measures > 0) {
        draw_measures(&layout, panel, measures);
    }
    draw_rule(&layout, panel, layout.text - 1);
    if (count > 0) {
        draw_meaning(controls, &layout, panel, session, now);
    }
    if (layout.hint >= 0) {
        attr_set(A_DIM, 0, NULL);
        term_panel_text(panel, layout.hint, layout.left, "hjkl change  0-9 type  Bksp default",
                        layout.width);
        attr_set(A_NORMAL, 0, NULL);
    }
}

/* The measures with nothing else: each below its name. */
static void draw_alone(const struct term_panel *panel, const struct term_measures *measures)
{
    struct layout layout = {.left = COLS - ALONE_WIDTH + 2, .width = ALONE_WIDTH - 3};
    bool wide = LINES > ALONE_ROWS_WIDE;
    struct term_measures_layout place = {
        .row = wide ? 2 : 1,
        .left = layout.left,
        .width = layout.width,
        .unit = 6,
        .bar = 6,
        .below = 1,
        .rows = wide ? 3 : 2,
    };
    draw_ground(&layout, panel);
    draw_title(&layout, panel, "The flock");
    term_measures_draw(measures, panel, &place);
}

void term_sidebar_draw(const struct term_controls *controls, const struct term_panel *panel,
                       const struct term_measures *measures, const struct term_session *session,
                       int64_t now)
{
    if (controls->open) {
        draw_controls(controls, panel, measures, session, now);
    } else if (term_sidebar_width(controls, panel) > 0) {
        draw_alone(panel, measures);
    }
}
