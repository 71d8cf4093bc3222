/* Names beside cursors: each on a side where it covers no other name and no cursor, or hidden. A
 * picture has room for so many: the spotlight and leaders have names first, then people near the
 * own cursor, then those who had one. The names of a class leave the middle of the flock free. All
 * of this as on the page (labels.ts).
 *
 * Pure. Columns and rows are cells of the picture. */
#ifndef TERM_NAMES_H
#define TERM_NAMES_H

#include <stdbool.h>
#include <stdint.h>

#define NAMES_MAX 32u /* at a time: more would only hide the flock */

/* Others are placed behind those with a higher rank. */
enum names_rank { NAMES_OTHER, NAMES_NEAR, NAMES_FIRST };

/* A cursor. */
struct names_cursor {
    uint32_t id;
    int column, row;
    int width; /* of the name with a space at each end; 0: it has none */
    enum names_rank rank;
};

/* A name that is shown. */
struct names_place {
    uint32_t id;
    int column, row, width;
    bool left; /* of its cursor */
};

/* The middle of the flock, dots of the picture. A radius of 0: it is unknown. */
struct names_core {
    float x, y, radius;
};

/* All zero: none is shown. */
struct names {
    uint32_t count;
    struct names_place places[NAMES_MAX];
};

/* Places the names of `count` cursors in a picture. The names that are shown now keep their places
 * before others of their rank. */
void names_place(struct names *names, const struct names_cursor *cursors, uint32_t count,
                 int columns, int rows, struct names_core core);

/* Returns the place of a name, or NULL if it is hidden. */
const struct names_place *names_find(const struct names *names, uint32_t id);

/* Returns whether a name is at a cell. */
bool names_covers(const struct names_place *place, int column, int row);

/* Returns the rank of a person by the cells between the person's cursor and the own one. */
enum names_rank names_near(int columns, int rows);

#endif
