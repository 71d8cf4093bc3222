/* Exact count and sum of the displacements to all points within a disc, for many discs over one set
 * of points, without visiting the points deep inside.
 *
 * The points lie in rows; within a row they are sorted by x in blocks of 16, and every block knows
 * the sum of all before it. A disc takes a row's inner blocks as the difference of two such sums
 * and tests only the blocks that the circle crosses, so a disc over n points costs about the square
 * root of n. Positions are integers (a unit's 2^-14, coarser for a vast set), so sums are exact and
 * do not depend on the order of adding.
 *
 * disc_create() allocates; building and asking do not. Used by one thread at a time. */
#ifndef DISC_H
#define DISC_H

#include <stdbool.h>
#include <stdint.h>

struct disc;

/* For up to `points` points; in a torus a point may count for four, being seen across the edges.
 * NULL if memory runs out. disc_destroy() takes NULL. */
struct disc *disc_create(uint32_t points, bool torus);
void disc_destroy(struct disc *disc);

/* Sorts the points. In a torus of width x height (0 x 0: a plane) displacements are to the nearest
 * image; the radius of any disc asked for later is at most `radius`, and 2 radius <= width, height.
 */
void disc_build(struct disc *disc, const float *x, const float *y, uint32_t count, float width,
                float height, float radius);

struct disc_sum {
    uint32_t count;
    double dx, dy; /* sum of (point - centre), world units */
};

/* Sums over the points nearer than `radius` to (x, y). */
struct disc_sum disc_ask(const struct disc *disc, float x, float y, float radius);

#endif
