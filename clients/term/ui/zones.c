#include "term/ui/zones.h"

enum { ZONES_MAX = 512, THOUSAND = 1000 };

static struct term_zone zones[ZONES_MAX];
static int count;

void term_zones_clear(void)
{
    count = 0;
}

void term_zones_add(const struct term_zone *zone)
{
    if (count < ZONES_MAX) {
        zones[count++] = *zone;
    }
}

void term_zones_add_row(int row, int column, int columns, struct term_input input)
{
    term_zones_add(&(struct term_zone){row, column, 1, columns, input, false});
}

bool term_zones_find(int column, int row, struct term_zone *zone)
{
    for (int i = count; i > 0; i--) {
        const struct term_zone *each = &zones[i - 1];
        if (row >= each->row && row < each->row + each->rows && column >= each->column &&
            column < each->column + each->columns) {
            *zone = *each;
            return true;
        }
    }
    return false;
}

struct term_input term_zones_input(const struct term_zone *zone, int column)
{
    struct term_input input = zone->input;
    if (zone->slides) {
        int last = zone->columns > 1 ? zone->columns - 1 : 1;
        int share = (column - zone->column) * THOUSAND / last;
        input.x = share < 0 ? 0 : share > THOUSAND ? THOUSAND : share;
    }
    return input;
}

struct term_input term_zones_point(struct term_pointer *pointer, struct term_input input)
{
    struct term_zone zone;
    switch (input.action) {
    case TERM_PRESS:
        pointer->held = term_zones_find(input.x, input.y, &zone);
        if (pointer->held) {
            pointer->zone = zone;
            return term_zones_input(&zone, input.x);
        }
        return input;
    case TERM_RELEASE:
        pointer->held = false;
        return input;
    case TERM_POINT:
        if (pointer->held) {
            return pointer->zone.slides ? term_zones_input(&pointer->zone, input.x)
                                        : (struct term_input){.action = TERM_IGNORED};
        }
        return input;
    default:
        return input;
    }
}
