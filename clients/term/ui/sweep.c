#include "term/ui/sweep.h"

#include "term/flock/schema.h"
#include "term/flock/swept.h"
#include "term/texts/texts.h"
#include "term/tty/print.h"
#include "term/tty/screen.h"
#include "term/ui/graph.h"
#include "term/ui/measures.h"
#include "term/ui/zones.h"

#include <curses.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Order against noise in two minutes, as the page offers it. */
enum { STEPS = 11, WARM_UP = 3, SECONDS = 8 };

enum {
    NAME = 13, /* columns of a measure's name with the gap behind it */
    FIGURE = 14,
    TEXT_ROWS = 2,
    ROWS_MOST = 6, /* of a measure */
    LINE_SIZE = TEXTS_LINE,
};

#define HEADROOM 1.1F

_Static_assert(PROTO_SWEEP_MEASURES == TERM_MEASURE_COUNT, "a point has all measures");

static bool is_state(const struct term_session *session, const char *state)
{
    return strcmp(session->swept.state, state) == 0;
}

/* ---- keys ---- */

/* Returns whether this person may start and stop sweeps; says why not. */
static bool may_sweep(struct term_session *session, int64_t now)
{
    bool may = session->phase == TERM_LIVE && session->welcome.role == PROTO_PRESENTER;
    if (session->phase == TERM_LIVE && !may) {
        term_session_refuse(session, now);
    }
    return may;
}

bool term_sweep_act(struct term_sweep *sweep, struct term_session *session, struct term_input input,
                    int64_t now)
{
    const struct proto_client_message stop = {.type = PROTO_UNSWEEP};
    switch (input.action) {
    case TERM_SWEEP:
        sweep->open = session->known && !sweep->open;
        return true;
    case TERM_UNSWEEP:
        if (may_sweep(session, now)) {
            term_session_ask(session, &stop, now);
        }
        return true;
    case TERM_CANCEL: {
        bool closes = sweep->open;
        sweep->open = false;
        return closes;
    }
    default:
        return false;
    }
}

void term_sweep_start(struct term_sweep *sweep, struct term_session *session, const char *param,
                      int64_t now)
{
    const struct proto_room_param *found = schema_param(&session->welcome.room, param);
    struct proto_client_message message = {.type = PROTO_SWEEP};
    if (found == NULL || !may_sweep(session, now)) {
        return;
    }
    snprintf(message.sweep.name, sizeof message.sweep.name, "%s", found->name);
    schema_limits(&session->welcome.room, found, &message.sweep.from, &message.sweep.to);
    message.sweep.steps = STEPS;
    message.sweep.warm_up = WARM_UP;
    message.sweep.seconds = SECONDS;
    term_session_ask(session, &message, now);
    sweep->open = true;
}

/* ---- drawing ---- */

/* Writes what became of the sweep. */
static void describe_state(const struct term_session *session, char out[LINE_SIZE])
{
    static const struct {
        const char *state;
        enum text text;
    } ends[] = {
        {"param", TEXT_SWEEP_PARAM},
        {"preset", TEXT_SWEEP_PRESET},
        {"past", TEXT_SWEEP_PAST},
        {"refused", TEXT_SWEEP_REFUSED},
    };
    const struct proto_swept *swept = &session->swept;
    if (swept_runs(&session->swept)) {
        texts_fill(out, LINE_SIZE, TEXT_SWEEP_STEP, texts_plain((long)swept->count + 1).digits,
                   texts_plain((long)swept->steps).digits, swept->who);
        return;
    }
    if (is_state(session, "done")) {
        texts_fill(out, LINE_SIZE, TEXT_SWEEP_DONE, swept->who);
        return;
    }
    snprintf(out, LINE_SIZE, "%s",
             texts_get(swept_exists(&session->swept) ? TEXT_SWEEP_STOPPED : TEXT_SWEEP_NONE));
    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++) {
        if (is_state(session, ends[i].state)) {
            snprintf(out, LINE_SIZE, "%s", texts_get(ends[i].text));
        }
    }
}

/* Writes the parameter and its values. */
static void describe_range(const struct term_session *session, char out[LINE_SIZE])
{
    const struct proto_swept *swept = &session->swept;
    const struct proto_room_param *param = schema_param(&session->welcome.room, swept->name);
    char values[LINE_SIZE];
    snprintf(values, sizeof values, "%g %s %g %s", (double)swept->from,
             term_screen_unicode() ? "…" : "..", (double)swept->to,
             param != NULL ? texts_unit(param->unit) : "");
    texts_point(values);
    texts_fill(out, LINE_SIZE, TEXT_PAIR, texts_param(swept->name), values);
}

/* Returns the value at the top of a measure's graph. */
static float top_of(const struct proto_swept *swept, uint32_t measure)
{
    float most = 0;
    if (term_measures_share(measure)) {
        return 1;
    }
    for (uint32_t i = 0; i < swept->count; i++) {
        most = fmaxf(most, swept->points[i].means[measure] + swept->points[i].errors[measure]);
    }
    return most > 0 ? HEADROOM * most : 1;
}

/* Draws a measure by the values of the parameter: the means are joined, and each has its error. */
static void draw_curve(const struct proto_swept *swept, uint32_t measure, int row, int column,
                       int columns, int rows)
{
    struct graph graph;
    float top = top_of(swept, measure);
    int before = 0;
    graph_begin(&graph, columns, rows);
    for (uint32_t i = 0; i < swept->count; i++) {
        float mean = swept->points[i].means[measure];
        float error = swept->points[i].errors[measure];
        int x = (int)i * (graph_width(&graph) - 1) / (int)(swept->steps > 1 ? swept->steps - 1 : 1);
        graph_bar(&graph, x, (mean - error) / top, (mean + error) / top);
        graph_line(&graph, i > 0 ? before : x,
                   swept->points[i > 0 ? i - 1 : 0].means[measure] / top, x, mean / top);
        before = x;
    }
    graph_draw(&graph, row, column);
}

/* Writes the newest mean of a measure and its error. */
static void print_mean(const struct proto_swept *swept, uint32_t measure, char out[LINE_SIZE])
{
    char mean[TERM_MEASURE_DIGITS];
    char error[TERM_MEASURE_DIGITS];
    snprintf(out, LINE_SIZE, "-");
    if (swept->count > 0) {
        const struct proto_swept_point *point = &swept->points[swept->count - 1];
        term_measures_print(mean, point->means[measure]);
        term_measures_print(error, point->errors[measure]);
        snprintf(out, LINE_SIZE, "%s %s %s", mean, term_screen_unicode() ? "±" : "+-", error);
    }
}

/* Draws a measure over `rows` rows: its curve below its name, or behind its name in a single row.
 */
static void draw_measure(const struct term_side *side, const struct proto_swept *swept,
                         uint32_t measure, int row, int rows)
{
    char text[LINE_SIZE];
    print_mean(swept, measure, text);
    int width = term_print_width(text);
    int end = rows > 1 ? side->width : NAME + FIGURE;
    term_print(row, side->left, term_measures_name(measure), end - width - 1);
    term_print(row, side->left + end - width, text, width);
    if (rows > 1) {
        draw_curve(swept, measure, row + 1, side->left, side->width, rows - 1);
    } else if (side->width > end + 2) {
        draw_curve(swept, measure, row, side->left + end + 1, side->width - end - 1, 1);
    }
}

static void draw_measures(const struct term_side *side, int top, const struct proto_swept *swept)
{
    int rows = side->end - 1 - top;
    int each = rows / TERM_MEASURE_COUNT;
    each = each < ROWS_MOST ? each : ROWS_MOST;
    for (uint32_t i = 0; i < TERM_MEASURE_COUNT; i++) {
        int row = top + (int)i * (each > 0 ? each : 1);
        if (row < side->end - 1) {
            draw_measure(side, swept, i, row, each > 0 ? each : 1);
        }
    }
}

/* Draws the line of keys. */
static void draw_hint(const struct term_side *side, const struct term_session *session)
{
    char text[LINE_SIZE];
    bool runs = swept_runs(&session->swept);
    if (session->welcome.role != PROTO_PRESENTER) {
        return;
    }
    texts_fill(text, sizeof text, runs ? TEXT_SWEEP_STOP : TEXT_SWEEP_START,
               texts_key(runs ? TEXT_DO_UNSWEEP : TEXT_DO_PALETTE));
    term_side_hint(side, side->end - 1, text);
    term_zones_add_row(side->end - 1, side->left, term_print_width(text),
                       (struct term_input){runs ? TERM_UNSWEEP : TERM_PALETTE, 0, 0});
}

void term_sweep_draw(const struct term_side *side, const struct term_session *session)
{
    const struct proto_swept *swept = &session->swept;
    char text[LINE_SIZE] = "";
    int row = side->top + 1;
    if (swept_exists(&session->swept)) {
        swept_place(text, sizeof text, swept);
    }
    term_side_ground(side);
    term_side_title(side, texts_get(TEXT_SWEEP), text);
    describe_state(session, text);
    term_side_text(side, row, TEXT_ROWS, text);
    row += term_side_lines(side, text, TEXT_ROWS);
    if (swept_exists(&session->swept)) {
        describe_range(session, text);
        term_print(row, side->left, text, side->width);
        draw_measures(side, row + 1, swept);
    }
    draw_hint(side, session);
}
