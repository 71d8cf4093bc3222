/* Names beside cursors, as on the page (labels.ts). A name is on a side of its cursor where it
 * covers no other name and no cursor, or it is hidden. A larger picture has room for more names.
 * The names of a class leave the middle of the flock free.
 *
 * Pure. Columns and rows are cells of the picture. */
#ifndef TERM_NAMES_H
#define TERM_NAMES_H

#include <stdbool.h>
#include <stdint.h>

#define NAMES_MAX 32u /* in a picture: more names would hide the flock */

/* A higher rank is placed earlier. */
enum names_rank {
    NAMES_OTHER,
    NAMES_NEAR,  /* near our own cursor */
    NAMES_FIRST, /* the spotlight, presenters and the leader of a relay */
};

struct names_cursor {
    uint32_t id;
    int column, row;
    int width; /* of the name with a space at each end; 0: there is no name */
    enum names_rank rank;
};

/* A name that is shown. */
struct names_place {
    uint32_t id;
    int column, row, width;
    bool left; /* of its cursor */
};

/* The middle of the flock, dots of the picture. radius 0: unknown. */
struct names_core {
    float x, y, radius;
};

/* The names in a picture. All zero: none. */
struct names {
    uint32_t count;
    struct names_place places[NAMES_MAX];
};

/* Places the names of `count` cursors in a picture. Within a rank, names in the last picture come
 * first and keep their side of the cursor if they can. */
void names_place(struct names *names, const struct names_cursor *cursors, uint32_t count,
                 int columns, int rows, struct names_core core);

/* Returns the place of a name, or NULL if it is hidden. */
const struct names_place *names_find(const struct names *names, uint32_t id);

/* Returns whether a name is at a cell. */
bool names_covers(const struct names_place *place, int column, int row);

/* Returns NAMES_NEAR or NAMES_OTHER by the cells between a person's cursor and our own. */
enum names_rank names_near(int columns, int rows);

#endif
