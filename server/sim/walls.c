#include "sim/walls.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#define BOUNCES_MAX 256  /* in one tick; after that a boid stays at the wall it reached */
#define SKIN        0.01 /* units that a boid stops short of a segment */

struct place {
    double x, y;
};

struct hit {
    double at;          /* the part of the way before the hit */
    double nx, ny;      /* normal, of any length */
    int edge_x, edge_y; /* -1 or 1: the hit is at the world's edge on that side */
};

/* Monotone, which is all that the map needs. */
static inline uint32_t cell_of(float at, float per)
{
    float cell = at * per;
    cell = cell > 0.0f ? cell : 0.0f;
    cell = cell < (float)(WALLS_CELLS - 1) ? cell : (float)(WALLS_CELLS - 1);
    return (uint32_t)(int32_t)cell;
}

static inline uint32_t lesser(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

static inline uint32_t greater(uint32_t a, uint32_t b)
{
    return a < b ? b : a;
}

static inline uint64_t walls_between(const struct walls *walls, struct place p, struct place q)
{
    if (walls->count == 0) {
        return 0;
    }
    uint32_t px = cell_of((float)p.x, walls->per_x);
    uint32_t qx = cell_of((float)q.x, walls->per_x);
    uint32_t py = cell_of((float)p.y, walls->per_y);
    uint32_t qy = cell_of((float)q.y, walls->per_y);
    if (px == qx && py == qy) {
        return walls->map->near[py][px];
    }
    uint64_t found = 0;
    for (uint32_t row = lesser(py, qy); row <= greater(py, qy); row++) {
        for (uint32_t column = lesser(px, qx); column <= greater(px, qx); column++) {
            found |= walls->map->near[row][column];
        }
    }
    return found;
}

/* Returns the side of the line from a to b on which the point c lies, as its distance times |b -
 * a|. */
static double side(struct place a, struct place b, struct place c)
{
    return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

/* Returns whether the wall's line passes through a cell or within the skin of it. */
static bool passes(const struct walls *walls, const struct flock_wall *wall, uint32_t column,
                   uint32_t row)
{
    struct place a = {(double)wall->x1, (double)wall->y1};
    struct place b = {(double)wall->x2, (double)wall->y2};
    double w = 1.0 / (double)walls->per_x;
    double h = 1.0 / (double)walls->per_y;
    double x = (column + 0.5) * w;
    double y = (row + 0.5) * h;
    w = 0.51 * w + 2.0 * SKIN; /* half the cell, and a little more because of rounding */
    h = 0.51 * h + 2.0 * SKIN;
    double one = side(a, b, (struct place){x - w, y - h});
    double two = side(a, b, (struct place){x + w, y - h});
    double three = side(a, b, (struct place){x - w, y + h});
    double four = side(a, b, (struct place){x + w, y + h});
    bool left = one < 0.0 && two < 0.0 && three < 0.0 && four < 0.0;
    bool right = one > 0.0 && two > 0.0 && three > 0.0 && four > 0.0;
    return !left && !right;
}

static void note_wall(struct walls *walls, uint32_t index)
{
    const struct flock_wall *w = &walls->map->wall[index];
    float skin = (float)(2.0 * SKIN);
    uint32_t left = cell_of((w->x1 < w->x2 ? w->x1 : w->x2) - skin, walls->per_x);
    uint32_t right = cell_of((w->x1 < w->x2 ? w->x2 : w->x1) + skin, walls->per_x);
    uint32_t top = cell_of((w->y1 < w->y2 ? w->y1 : w->y2) - skin, walls->per_y);
    uint32_t bottom = cell_of((w->y1 < w->y2 ? w->y2 : w->y1) + skin, walls->per_y);
    for (uint32_t row = top; row <= bottom; row++) {
        for (uint32_t column = left; column <= right; column++) {
            if (passes(walls, w, column, row)) {
                walls->map->near[row][column] |= (uint64_t)1 << index;
            }
        }
    }
}

void walls_build(struct walls *walls, float width, float height, const struct flock_wall *wall,
                 uint32_t count)
{
    assert(count <= FLOCK_WALLS_MAX && (count == 0 || walls->map != NULL));
    walls->width = width;
    walls->height = height;
    walls->per_x = (float)WALLS_CELLS / width;
    walls->per_y = (float)WALLS_CELLS / height;
    walls->count = count;
    if (count > 0) {
        memset(walls->map->near, 0, sizeof walls->map->near);
    }
    for (uint32_t i = 0; i < count; i++) {
        walls->map->wall[i] = wall[i];
        note_wall(walls, i);
    }
}

bool walls_in_way(const struct walls *walls, double x, double y, double to_x, double to_y)
{
    bool inside =
        to_x >= 0.0 && to_x <= (double)walls->width && to_y >= 0.0 && to_y <= (double)walls->height;
    return !inside || walls_between(walls, (struct place){x, y}, (struct place){to_x, to_y}) != 0;
}

/* Returns whether the ranges from a to b and from c to d overlap. */
static inline bool ranges_meet(double a, double b, double c, double d)
{
    double low = a < b ? a : b;
    double high = a < b ? b : a;
    return (c < d ? c : d) <= high && (c < d ? d : c) >= low;
}

/* Returns whether the way from p to q touches the wall, and stores after which part of the way. */
static bool touches(const struct flock_wall *wall, struct place p, struct place q, double *at)
{
    struct place a = {(double)wall->x1, (double)wall->y1};
    struct place b = {(double)wall->x2, (double)wall->y2};
    if (!ranges_meet(p.x, q.x, a.x, b.x) || !ranges_meet(p.y, q.y, a.y, b.y)) {
        return false;
    }
    double from = side(a, b, p);
    double to = side(a, b, q);
    double low = side(p, q, a);
    double high = side(p, q, b);
    if ((from > 0.0 && to > 0.0) || (from < 0.0 && to < 0.0) || (low > 0.0 && high > 0.0) ||
        (low < 0.0 && high < 0.0)) {
        return false;
    }
    /* from == to: the way is on the wall's own line and meets its end. */
    *at = from != to ? from / (from - to) : 0.0;
    return true;
}

static bool way_is_free(const struct walls *walls, struct place p, struct place q)
{
    double at;
    for (uint64_t left = walls_between(walls, p, q); left != 0; left &= left - 1) {
        if (touches(&walls->map->wall[__builtin_ctzll(left)], p, q, &at)) {
            return false;
        }
    }
    return true;
}

static void meet_edge(double p, double q, double size, double nx, double ny, struct hit *hit)
{
    if (q >= 0.0 && q <= size) {
        return;
    }
    int which = q < 0.0 ? -1 : 1;
    double at = ((which < 0 ? 0.0 : size) - p) / (q - p);
    if (at < hit->at) {
        *hit = (struct hit){at, nx, ny, nx != 0.0 ? which : 0, ny != 0.0 ? which : 0};
    }
}

/* Returns the first wall on the way from p to q; `at` is above 1 if there is none. */
static struct hit first_hit(const struct walls *walls, struct place p, struct place q)
{
    struct hit hit = {.at = 2.0};
    meet_edge(p.x, q.x, (double)walls->width, 1.0, 0.0, &hit);
    meet_edge(p.y, q.y, (double)walls->height, 0.0, 1.0, &hit);
    for (uint64_t left = walls_between(walls, p, q); left != 0; left &= left - 1) {
        const struct flock_wall *wall = &walls->map->wall[__builtin_ctzll(left)];
        double at;
        if (touches(wall, p, q, &at) && at < hit.at) {
            hit = (struct hit){at, (double)wall->y1 - (double)wall->y2,
                               (double)wall->x2 - (double)wall->x1, 0, 0};
            if (at == 0.0) { /* at the wall's end: the boid turns straight back */
                hit.nx = q.x - p.x;
                hit.ny = q.y - p.y;
            }
        }
    }
    return hit;
}

static double within(double value, double size)
{
    return (double)(float)fmin(fmax(value, 0.0), size);
}

/* Returns the farthest point on the way from p to q, at about `at` of it, before any wall. Computes
 * with floats, because positions are stored as floats. */
static struct place go(const struct walls *walls, struct place p, struct place q, double at,
                       const struct hit *hit)
{
    double length = sqrt((q.x - p.x) * (q.x - p.x) + (q.y - p.y) * (q.y - p.y));
    if (hit->edge_x == 0 && hit->edge_y == 0 && at < 1.0) {
        at -= SKIN / length;
    }
    for (int tries = 0; at > 0.0 && tries < 8; tries++) {
        struct place to = {within(p.x + (q.x - p.x) * at, (double)walls->width),
                           within(p.y + (q.y - p.y) * at, (double)walls->height)};
        if (tries == 0 && hit->edge_x != 0) {
            to.x = hit->edge_x < 0 ? 0.0 : (double)walls->width;
        }
        if (tries == 0 && hit->edge_y != 0) {
            to.y = hit->edge_y < 0 ? 0.0 : (double)walls->height;
        }
        if (way_is_free(walls, p, to)) {
            return to;
        }
        at = 0.75 * at - SKIN / length;
    }
    return p;
}

static void mirror(double *x, double *y, double nx, double ny)
{
    double twice = 2.0 * (*x * nx + *y * ny) / (nx * nx + ny * ny);
    *x -= twice * nx;
    *y -= twice * ny;
}

bool walls_move(const struct walls *walls, struct mover *mover)
{
    struct place p = {(double)mover->x, (double)mover->y};
    double vx = (double)mover->vx;
    double vy = (double)mover->vy;
    double rest_x = vx; /* the rest of the way */
    double rest_y = vy;
    bool met = false;
    for (int bounce = 0; bounce < BOUNCES_MAX; bounce++) {
        struct place q = {p.x + rest_x, p.y + rest_y};
        struct hit hit = first_hit(walls, p, q);
        if (hit.at > 1.0) {
            p = go(walls, p, q, 1.0, &hit);
            break;
        }
        met = true;
        p = go(walls, p, q, hit.at, &hit);
        rest_x *= 1.0 - hit.at;
        rest_y *= 1.0 - hit.at;
        mirror(&rest_x, &rest_y, hit.nx, hit.ny);
        mirror(&vx, &vy, hit.nx, hit.ny);
    }
    *mover = (struct mover){(float)p.x, (float)p.y, (float)vx, (float)vy};
    return met;
}

void walls_approach(const struct walls *walls, struct mover *mover)
{
    struct place p = {(double)mover->x, (double)mover->y};
    struct place q = {p.x + (double)mover->vx, p.y + (double)mover->vy};
    struct hit hit = first_hit(walls, p, q);
    p = go(walls, p, q, fmin(hit.at, 1.0), &hit);
    mover->x = (float)p.x;
    mover->y = (float)p.y;
}

void walls_free(const struct walls *walls, float *x, float *y)
{
    static const double ways[8][2] = {{1, 0}, {0, 1},  {-1, 0},  {0, -1},
                                      {1, 1}, {-1, 1}, {-1, -1}, {1, -1}};
    struct place p = {within((double)*x, (double)walls->width),
                      within((double)*y, (double)walls->height)};
    struct place from = p;
    for (int tries = 0; tries < 64 && !way_is_free(walls, p, p); tries++) {
        int ring = 1 + tries / 8;
        double far = SKIN * ring;
        p.x = within(from.x + ways[tries % 8][0] * far, (double)walls->width);
        p.y = within(from.y + ways[tries % 8][1] * far, (double)walls->height);
    }
    *x = (float)p.x;
    *y = (float)p.y;
}

/* Returns the value within [0, size). Far faster than fmodf() for the usual step across one
 * edge. */
static float wrap(float value, float size)
{
    value = value < 0.0f ? value + size : value >= size ? value - size : value;
    if (!(value >= 0.0f && value < size)) {
        value -= size * floorf(value / size);
    }
    return value >= 0.0f && value < size ? value : 0.0f;
}

static float clamp_far(float value)
{
    value = value > -FLOCK_FAR ? value : -FLOCK_FAR;
    return value < FLOCK_FAR ? value : FLOCK_FAR;
}

void walls_admit(const struct walls *walls, const struct flock_settings *world, float *x, float *y)
{
    switch (world->boundary) {
    case FLOCK_OPEN:
        *x = clamp_far(*x);
        *y = clamp_far(*y);
        break;
    case FLOCK_WRAP:
        *x = wrap(*x, world->width);
        *y = wrap(*y, world->height);
        break;
    case FLOCK_WALLS:
        walls_free(walls, x, y);
        break;
    }
}
