#include "term/ui/measures.h"

#include "term/texts/texts.h"
#include "term/tty/print.h"
#include "term/ui/graph.h"

#include <assert.h>
#include <curses.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

/* µs */
#define STANDS     200000
#define KEPT_EVERY 500000
#define HEADROOM   1.15F /* of the largest value in a history without a largest possible value */

enum {
    NAME = 13, /* columns of a name with the gap behind it */
    VALUE = 5,
    UNIT = 14,
    GRAPH_LEAST = 6, /* columns of a graph */
    ROWS_MOST = 6,   /* of a measure */
};

/* Measures without a unit are fractions from 0 to 1. */
static const struct {
    enum text name;
    const char *unit;
    size_t offset;
} gauges[] = {
    {TEXT_POLARIZATION, NULL, offsetof(struct proto_measures, polarization)},
    {TEXT_MILLING, NULL, offsetof(struct proto_measures, milling)},
    {TEXT_RADIUS, "units", offsetof(struct proto_measures, gyration)},
    {TEXT_SPEED, "units/tick", offsetof(struct proto_measures, speed)},
    {TEXT_NEAREST, "units", offsetof(struct proto_measures, nearest)},
};

enum { GAUGES = sizeof gauges / sizeof gauges[0], CLUSTERS = GAUGES };

_Static_assert(GAUGES + 1 == TERM_MEASURE_COUNT, "the clusters are behind the gauges");

/* ---- values ---- */

static float value_of(const struct proto_measures *measures, int gauge)
{
    float value = 0;
    memcpy(&value, (const char *)measures + gauges[gauge].offset, sizeof value);
    return value;
}

/* Returns a measure that is shown; NaN: not known. */
static float shown_value(const struct term_measures *measures, int index)
{
    if (index == CLUSTERS) {
        return measures->counted ? (float)measures->clusters : NAN;
    }
    return measures->known ? value_of(&measures->shown, index) : NAN;
}

/* Adds the shown measures to the histories. */
static void keep_sample(struct term_measures *measures, int64_t now)
{
    const uint32_t at = measures->kept++ % TERM_MEASURE_SAMPLES;
    for (int i = 0; i < TERM_MEASURE_COUNT; i++) {
        measures->history[i][at] = shown_value(measures, i);
    }
    measures->kept_at = now;
}

void term_measures_follow(struct term_measures *measures, const struct term_session *session,
                          int64_t now)
{
    measures->counted = session->clusters_known;
    measures->clusters = session->clusters.count;
    measures->sampled = session->clusters.boids < timeline_flock(session->timeline);
    if (!measures->known || now - measures->taken_at >= STANDS) {
        measures->known = timeline_measures(session->timeline, &measures->shown);
        measures->taken_at = now;
    }
    if (now - measures->kept_at >= KEPT_EVERY) {
        keep_sample(measures, now);
    }
}

/* Returns a sample of a history; age 0: the newest one; NaN: there is none. */
static float sample_of(const struct term_measures *measures, int index, uint32_t age)
{
    if (age >= measures->kept || age >= TERM_MEASURE_SAMPLES) {
        return NAN;
    }
    return measures->history[index][(measures->kept - 1 - age) % TERM_MEASURE_SAMPLES];
}

/* Returns the value at the top of a graph. */
static float top_of(const struct term_measures *measures, int index)
{
    float most = 0;
    if (term_measures_share((uint32_t)index)) {
        return 1;
    }
    for (uint32_t age = 0; age < TERM_MEASURE_SAMPLES; age++) {
        most = fmaxf(most, sample_of(measures, index, age));
    }
    return most > 0 ? HEADROOM * most : 1;
}

/* ---- drawing ---- */

void term_measures_print(char out[TERM_MEASURE_DIGITS], float value)
{
    float size = fabsf(value);
    if (isnan(value)) {
        snprintf(out, TERM_MEASURE_DIGITS, "-");
    } else if (size < 99.95F) {
        snprintf(out, TERM_MEASURE_DIGITS, "%s",
                 texts_decimal((double)value, size < 9.995F ? 2 : 1).digits);
    } else {
        snprintf(out, TERM_MEASURE_DIGITS, size < 9999.5F ? "%.0f" : "%.0e", (double)value);
    }
}

const char *term_measures_name(uint32_t index)
{
    assert(index < TERM_MEASURE_COUNT);
    return texts_get(index == CLUSTERS ? TEXT_CLUSTERS : gauges[index].name);
}

bool term_measures_share(uint32_t index)
{
    return index < GAUGES && gauges[index].unit == NULL;
}

/* Writes a measure that is shown. */
static void print_shown(const struct term_measures *measures, int index,
                        char out[TERM_MEASURE_DIGITS])
{
    if (index == CLUSTERS && measures->counted) {
        snprintf(out, TERM_MEASURE_DIGITS, "%u", measures->clusters);
    } else {
        term_measures_print(out, shown_value(measures, index));
    }
}

/* Returns what stands behind a value. */
static const char *unit_of(const struct term_measures *measures, int index)
{
    if (index == CLUSTERS) {
        return measures->counted && measures->sampled ? texts_get(TEXT_SAMPLED) : "";
    }
    return gauges[index].unit != NULL ? texts_unit(gauges[index].unit) : "";
}

/* Draws the history of a measure, with the last minute over all columns. */
static void draw_history(const struct term_measures *measures, int index, int row, int column,
                         int columns, int rows)
{
    struct graph graph;
    float top = top_of(measures, index);
    graph_begin(&graph, columns, rows);
    const int width = graph_width(&graph);
    for (int x = 0; x < width; x++) {
        const uint32_t age = (uint32_t)((width - 1 - x) * TERM_MEASURE_SAMPLES / width);
        graph_bar(&graph, x, 0, sample_of(measures, index, age) / top);
    }
    graph_draw(&graph, row, column);
}

/* Draws a measure in one row. */
static void draw_flat(const struct term_measures *measures, const struct term_side *side, int index,
                      int row)
{
    char value[TERM_MEASURE_DIGITS];
    const int unit = NAME + VALUE + 1;
    const int graph = unit + UNIT;
    print_shown(measures, index, value);
    term_print(row, side->left, term_measures_name((uint32_t)index), NAME - 1);
    term_print(row, side->left + NAME + VALUE - term_print_width(value), value, VALUE);
    if (term_print_width(unit_of(measures, index)) < UNIT) { /* else the name says enough */
        term_print(row, side->left + unit, unit_of(measures, index), UNIT - 1);
    }
    if (side->width - graph >= GRAPH_LEAST) {
        draw_history(measures, index, row, side->left + graph, side->width - graph, 1);
    }
}

/* Draws a measure over `rows` rows: its history below its name and its value. The unit stands
 * behind the value if there is room for it. */
static void draw_tall(const struct term_measures *measures, const struct term_side *side, int index,
                      int row, int rows)
{
    char value[TERM_MEASURE_DIGITS];
    char text[TEXTS_LINE];
    const char *unit = unit_of(measures, index);
    print_shown(measures, index, value);
    snprintf(text, sizeof text, "%s%s%s", value, *unit != '\0' ? " " : "", unit);
    const int name = term_print_width(term_measures_name((uint32_t)index)) + 1;
    if (name + term_print_width(text) > side->width) {
        snprintf(text, sizeof text, "%s", value);
    }
    const int width = term_print_width(text);
    term_print(row, side->left, term_measures_name((uint32_t)index), side->width - width - 1);
    term_print(row, side->left + side->width - width, text, width);
    draw_history(measures, index, row + 1, side->left, side->width, rows - 1);
}

void term_measures_draw(const struct term_measures *measures, const struct term_side *side)
{
    const int rows = side->end - side->top - 1;
    int each = rows / TERM_MEASURE_COUNT;
    each = each < ROWS_MOST ? each : ROWS_MOST;
    assert(each > 0);
    term_side_ground(side);
    term_side_title(side, texts_get(TEXT_FLOCK), "");
    for (int i = 0; i < TERM_MEASURE_COUNT; i++) {
        const int row = side->top + 1 + i * each;
        if (each == 1) {
            draw_flat(measures, side, i, row);
        } else {
            draw_tall(measures, side, i, row, each);
        }
    }
}
