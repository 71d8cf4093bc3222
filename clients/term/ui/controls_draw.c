#include "term/ui/controls_draw.h"

#include "term/texts/texts.h"
#include "term/tty/print.h"
#include "term/tty/screen.h"
#include "term/ui/keys.h"
#include "term/ui/zones.h"

#include <curses.h>
#include <stdio.h>
#include <string.h>

enum {
    NAME_MAX_SHOWN = 18,
    VALUE = 6,
    BAR_MIN = 6,
    BAR_MAX = 16,
    UNIT_MIN = 3,
    HINT_ROWS_MIN = 14, /* with fewer rows the line of keys is not shown */
    LIST_MIN = 6,       /* rows that other panels leave to the list */
    NUMBER_SIZE = 32,
    LINE_SIZE = TEXTS_LINE,
};

/* Returns the name of a row in the language of the texts. */
static const char *shown_name(const struct term_row *row)
{
    return row->param != NULL ? texts_param(row->name) : texts_control(row->name);
}

/* The panel's layout, in cells of the screen. */
struct layout {
    struct term_side side;
    int first, rows; /* of the list */
    int text, text_rows;
    int hint;                          /* the row of the line of keys; -1: not shown */
    int name, value, unit, bar, track; /* columns of a row, from its left; track: the bar's width */
};

static int at_most(int value, int most)
{
    return value < most ? value : most;
}

/* Divides the columns: as many for names as the longest has, then value, unit and bar. */
static void lay_columns(struct layout *layout, const struct term_session *session)
{
    const struct proto_room *room = &session->welcome.room;
    int name = 0;
    int unit = 0;
    for (uint32_t i = 0; i < term_controls_count(session); i++) {
        struct term_row row = term_controls_row(session, i);
        int width = term_print_width(shown_name(&row));
        name = width > name ? width : name;
    }
    for (uint32_t i = 0; i < room->param_count; i++) {
        int width = term_print_width(texts_unit(room->params[i].unit));
        unit = width > unit ? width : unit;
    }
    layout->name = at_most(at_most(name, NAME_MAX_SHOWN), layout->side.width / 2);
    layout->value = layout->name + 1;
    layout->unit = layout->value + VALUE + 1;
    int left = layout->side.width - layout->unit;
    layout->track = at_most(left - unit - 1, BAR_MAX);
    layout->track = layout->track > BAR_MIN ? layout->track : at_most(left, BAR_MIN);
    layout->bar = layout->side.width - layout->track;
}

/* Returns how many rows of a panel tell about the selected row. */
static int rows_of_text(int height)
{
    return at_most(height >= HINT_ROWS_MIN ? 4 : height >= 11 ? 3 : 2, height > 5 ? height - 4 : 0);
}

static struct layout lay_controls(const struct term_side *side, const struct term_session *session)
{
    int height = side->end - side->top;
    bool hint = height >= HINT_ROWS_MIN;
    struct layout layout = {
        .side = *side, .first = side->top + 1, .hint = hint ? side->end - 1 : -1};
    layout.text_rows = rows_of_text(height);
    layout.text = side->end - layout.text_rows - (hint ? 1 : 0);
    layout.rows = layout.text - 1 - layout.first;
    lay_columns(&layout, session);
    return layout;
}

int term_controls_rows(const struct term_session *session, bool whole)
{
    int list = (int)term_controls_count(session);
    int other = 2 + 1 + rows_of_text(HINT_ROWS_MIN); /* title, rule, text and hint */
    return other + (whole || list < LIST_MIN ? list : LIST_MIN);
}

/* Writes a value with as many digits as fit into `columns`. */
static void print_number(char out[NUMBER_SIZE], float value, size_t columns)
{
    for (int digits = 6; digits > 0; digits--) {
        snprintf(out, NUMBER_SIZE, "%.*g", digits, (double)value);
        if (strlen(out) <= columns) {
            break;
        }
    }
    texts_point(out);
}

/* Draws a parameter. A value other than the default is bold. */
static void draw_param(const struct layout *layout, const struct term_row *row, int at,
                       bool selected)
{
    char value[NUMBER_SIZE];
    print_number(value, row->value, VALUE);
    int width = (int)strlen(value);
    int unit = layout->bar - layout->unit - 1;
    attr_t attributes = selected ? A_REVERSE : A_NORMAL;
    attr_set(row->value != row->param->initial ? attributes | A_BOLD : attributes, 0, NULL);
    term_print(at, layout->side.left + layout->value + (width < VALUE ? VALUE - width : 0), value,
               VALUE);
    attr_set(attributes, 0, NULL);
    if (unit >= UNIT_MIN) {
        term_print(at, layout->side.left + layout->unit, texts_unit(row->param->unit), unit);
    }
    term_print_bar(at, layout->side.left + layout->bar, layout->track, row->share);
}

static void draw_control(const struct term_controls *controls, const struct layout *layout,
                         const struct term_row *row, int at, bool selected)
{
    char text[LINE_SIZE];
    int column = layout->side.left + layout->value;
    int width = layout->side.width - layout->value;
    attr_set(selected ? A_REVERSE : A_NORMAL, 0, NULL);
    mvhline(at, layout->side.left - 1, ' ', layout->side.width + 2);
    term_print(at, layout->side.left, shown_name(row), layout->name);
    if (selected && controls->typing) {
        snprintf(text, sizeof text, "%s_", term_print_tail(controls->typed, width - 1));
        term_print(at, column, text, width);
    } else if (row->param != NULL) {
        draw_param(layout, row, at, selected);
    } else {
        const char *word = *row->word != '\0' ? texts_choice(row->name, row->word) : "-";
        snprintf(text, sizeof text, term_screen_unicode() ? "‹ %s ›" : "< %s >", word);
        term_print(at, column, text, width);
    }
    attr_set(A_NORMAL, 0, NULL);
}

/* Makes a row a button that selects it, its word one for the choice before (the first two columns)
 * and the next choice, and its bar one that can be dragged. */
static void add_zones(const struct layout *layout, const struct term_row *row, int at, int index)
{
    const struct term_side *side = &layout->side;
    int column = side->left + layout->value;
    int width = 4 + term_print_width(texts_choice(row->name, row->word));
    width = at_most(width, side->width - layout->value);
    term_zones_add_row(at, side->left - 1, side->width + 2,
                       (struct term_input){TERM_PICK, 0, index});
    if (row->param != NULL) {
        term_zones_add(&(struct term_zone){
            at, side->left + layout->bar, 1, layout->track, {TERM_SLIDE, 0, index}, true});
    } else {
        term_zones_add_row(at, column, 2, (struct term_input){TERM_PICK, -1, index});
        term_zones_add_row(at, column + 2, width - 2, (struct term_input){TERM_PICK, 1, index});
    }
}

static void describe_range(const struct proto_room_param *param, char out[LINE_SIZE])
{
    char values[3][NUMBER_SIZE];
    char most[LINE_SIZE];
    print_number(values[0], param->min, NUMBER_SIZE);
    print_number(values[1], param->max, NUMBER_SIZE);
    print_number(values[2], param->initial, NUMBER_SIZE);
    snprintf(most, sizeof most, "%s%s%s", values[1], *param->unit != '\0' ? " " : "",
             texts_unit(param->unit));
    texts_fill(out, LINE_SIZE, TEXT_RANGE, values[0], most, values[2]);
}

/* Writes what the last line says about the selected row. */
static void describe_control(const struct term_controls *controls, const struct term_row *row,
                             char out[LINE_SIZE])
{
    const struct proto_room_param *param = row->param;
    const struct proto_choice *saved = term_row_saved(row);
    char line[LINE_SIZE];
    if (controls->asking && saved != NULL) {
        texts_fill(line, sizeof line, TEXT_FORGET_SURE, saved->value);
        texts_fill(out, LINE_SIZE, TEXT_SURE, line);
    } else if (controls->typing && param == NULL) {
        snprintf(out, LINE_SIZE, "%s", texts_get(TEXT_PRESET_NAME));
    } else if (saved != NULL) {
        texts_fill(line, sizeof line, TEXT_PAIR, row->word, saved->text);
        texts_fill(out, LINE_SIZE, TEXT_PRESET_KEYS, line);
    } else if (controls->typing) {
        snprintf(out, LINE_SIZE, "%s", texts_get(TEXT_TYPING_KEYS));
    } else if (param != NULL) {
        describe_range(param, out);
    } else if (row->choice != NULL) {
        texts_fill(out, LINE_SIZE, TEXT_PAIR, texts_choice(row->name, row->word),
                   texts_about_choice(row->name, row->word, row->choice->text));
    } else if (term_row_of_presets(row)) {
        snprintf(out, LINE_SIZE, "%s", texts_get(TEXT_PRESET_NONE));
    } else {
        texts_fill(out, LINE_SIZE, TEXT_NONE_OF, texts_plain(row->control->choice_count).digits);
    }
}

/* Draws the meaning of the selected row, or why the server refused something. */
static void draw_meaning(const struct term_controls *controls, const struct layout *layout,
                         const struct term_session *session, int64_t now)
{
    const struct term_side *side = &layout->side;
    char line[LINE_SIZE];
    struct term_row row = term_controls_row(session, controls->selected);
    if (term_side_notice(side, layout->text, layout->text_rows, session, now)) {
        return;
    }
    describe_control(controls, &row, line);
    int rows = term_side_lines(side, line, layout->text_rows - 1);
    term_side_text(side, layout->text, layout->text_rows - rows,
                   row.param != NULL ? texts_about_param(row.name, row.param->text)
                                     : texts_about_control(row.name, row.control->text));
    term_side_text(side, layout->text + layout->text_rows - rows, rows, line);
}

void term_controls_draw(struct term_controls *controls, const struct term_side *side,
                        const struct term_session *session, int64_t now)
{
    struct layout layout = lay_controls(side, session);
    int count = (int)term_controls_count(session);
    int selected = (int)controls->selected;
    int first = term_side_first(controls->first, selected, layout.rows, count);
    controls->first = first;
    char place[NUMBER_SIZE];
    snprintf(place, sizeof place, "%d/%d", count > 0 ? selected + 1 : 0, count);
    term_side_ground(side);
    term_side_title(side, texts_get(TEXT_CONTROLS), place);
    for (int i = 0; i < layout.rows && first + i < count; i++) {
        struct term_row row = term_controls_row(session, (uint32_t)(first + i));
        draw_control(controls, &layout, &row, layout.first + i, first + i == selected);
        add_zones(&layout, &row, layout.first + i, first + i);
    }
    term_side_rule(side, layout.text - 1);
    if (count > 0) {
        draw_meaning(controls, &layout, session, now);
    }
    if (layout.hint >= 0) {
        bool presenter = session->welcome.role == PROTO_PRESENTER;
        char hint[LINE_SIZE];
        texts_fill(hint, sizeof hint, presenter ? TEXT_CONTROLS_HINT : TEXT_CONTROLS_VIEWER,
                   presenter ? term_keys_moves() : texts_key(TEXT_DO_KEY));
        term_side_hint(side, layout.hint, hint);
    }
}
