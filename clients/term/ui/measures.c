#include "term/ui/measures.h"

#include "term/texts/texts.h"
#include "term/tty/print.h"

#include <curses.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

enum { STANDS = 200000 /* µs */, VALUE = 5, VALUE_SIZE = 32 };

/* Measures without a unit are fractions from 0 to 1 and have a bar. */
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

enum { GAUGES = sizeof gauges / sizeof gauges[0] };

_Static_assert(GAUGES + 1 == TERM_MEASURES_ROWS, "the clusters have a row below the gauges");

void term_measures_follow(struct term_measures *measures, const struct term_session *session,
                          int64_t now)
{
    measures->counted = session->clusters_known;
    measures->clusters = session->clusters.count;
    measures->sampled = session->clusters.boids < timeline_flock(session->timeline);
    if (measures->known && now - measures->taken_at < STANDS) {
        return;
    }
    measures->known = timeline_measures(session->timeline, &measures->shown);
    measures->taken_at = now;
}

/* Writes a value with at most 5 characters. */
static void print_measure(char out[VALUE_SIZE], float value)
{
    float size = fabsf(value);
    if (size < 99.95F) {
        snprintf(out, VALUE_SIZE, "%s", texts_decimal((double)value, size < 9.995F ? 2 : 1).digits);
    } else {
        snprintf(out, VALUE_SIZE, size < 9999.5F ? "%.0f" : "%.0e", (double)value);
    }
}

static float value_of(const struct proto_measures *measures, int gauge)
{
    float value = 0;
    memcpy(&value, (const char *)measures + gauges[gauge].offset, sizeof value);
    return value;
}

/* Draws a row: its name and its value; unit "": none. */
static void draw_row(const struct term_measures_layout *layout, int index, const char *name,
                     const char *value, const char *unit)
{
    int row = layout->row + index * layout->rows;
    term_print(row, layout->left, name, layout->below > 0 ? layout->width : layout->value - 1);
    row += layout->below;
    term_print(row, layout->left + layout->value + VALUE - term_print_width(value), value, VALUE);
    term_print(row, layout->left + layout->unit, unit, layout->width - layout->unit);
}

void term_measures_draw(const struct term_measures *measures,
                        const struct term_measures_layout *layout)
{
    char text[VALUE_SIZE];
    for (int i = 0; i < GAUGES; i++) {
        const char *unit = gauges[i].unit;
        float value = measures->known ? value_of(&measures->shown, i) : 0;
        snprintf(text, sizeof text, "-");
        if (measures->known) {
            print_measure(text, value);
        }
        draw_row(layout, i, texts_get(gauges[i].name), text, unit != NULL ? texts_unit(unit) : "");
        if (unit == NULL) {
            int row = layout->row + i * layout->rows + layout->below;
            term_print_bar(row, layout->left + layout->bar, layout->width - layout->bar, value);
        }
    }
    snprintf(text, sizeof text, "-");
    if (measures->counted) {
        snprintf(text, sizeof text, "%u", measures->clusters);
    }
    draw_row(layout, GAUGES, texts_get(TEXT_CLUSTERS), text,
             measures->counted && measures->sampled ? texts_get(TEXT_SAMPLED) : "");
}
