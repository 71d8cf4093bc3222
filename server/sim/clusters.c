#include "sim/clusters.h"

#include <string.h>

#define NOTHING UINT32_MAX

/* The side of a cell, as a part of the distance: a little less than the square root of 1/2. */
#define SIDE 0.706

/* Entries of the hash for `boids` boids, each in a cell of its own. */
static uint32_t table_size(uint32_t boids)
{
    uint32_t size = 16;
    while (size < 2 * boids) {
        size *= 2;
    }
    return size;
}

void clusters_take(struct clusters *clusters, struct arena *arena, uint32_t boids)
{
    clusters->mask = table_size(boids) - 1;
    clusters->slot = arena_take(arena, boids, sizeof *clusters->slot);
    clusters->cell_of = arena_take(arena, boids, sizeof *clusters->cell_of);
    clusters->x = arena_take(arena, boids, sizeof *clusters->x);
    clusters->y = arena_take(arena, boids, sizeof *clusters->y);
    clusters->cell = arena_take(arena, boids, sizeof *clusters->cell);
    clusters->table = arena_take(arena, (size_t)clusters->mask + 1, sizeof *clusters->table);
}

static void lay_cells(struct clusters *clusters, const struct flock *flock)
{
    struct vec torus = flock_torus(flock);
    double side = SIDE * (double)clusters->distance;
    clusters->side_x = clusters->side_y = side;
    clusters->width = clusters->height = clusters->columns = clusters->rows = INFINITY;
    if (torus.x > 0.0) {
        clusters->width = torus.x;
        clusters->height = torus.y;
        clusters->columns = ceil(torus.x / side);
        clusters->rows = ceil(torus.y / side);
        clusters->side_x = torus.x / clusters->columns;
        clusters->side_y = torus.y / clusters->rows;
    }
}

/* Returns the column or row of a coordinate. It is a double, because a short distance makes very
 * many cells. */
static double cell_at(float at, double side, double cells)
{
    double cell = floor((double)at / side) + 0.0; /* no negative 0, whose hash differs */
    return cell < cells ? cell : cells - 1.0;
}

static uint32_t hash_of(double column, double row)
{
    uint64_t bits[2];
    memcpy(&bits[0], &column, sizeof column);
    memcpy(&bits[1], &row, sizeof row);
    uint64_t hash = (bits[0] ^ (bits[1] << 21 | bits[1] >> 43)) * 0x9e3779b97f4a7c15u;
    return (uint32_t)(hash >> 32) ^ (uint32_t)(hash >> 47);
}

/* Returns the entry of the table that holds that cell's index, or NOTHING if there is no such
 * cell. */
static uint32_t *entry_of(struct clusters *clusters, double column, double row)
{
    uint32_t at = hash_of(column, row) & clusters->mask;
    clusters->work++;
    while (clusters->table[at] != NOTHING) {
        const struct cluster_cell *cell = &clusters->cell[clusters->table[at]];
        if (cell->column == column && cell->row == row) {
            break;
        }
        at = (at + 1) & clusters->mask;
        clusters->work++;
    }
    return &clusters->table[at];
}

/* Adds a boid to the cell of its position, and makes the cell if there is none. */
static void add_boid(struct clusters *clusters, float x, float y, uint32_t slot)
{
    double column = cell_at(x, clusters->side_x, clusters->columns);
    double row = cell_at(y, clusters->side_y, clusters->rows);
    uint32_t *entry = entry_of(clusters, column, row);
    if (*entry == NOTHING) {
        *entry = clusters->cells++;
        clusters->cell[*entry] = (struct cluster_cell){
            column, row, .parent = *entry, .left = x, .right = x, .top = y, .bottom = y};
    }
    struct cluster_cell *cell = &clusters->cell[*entry];
    cell->boids++;
    cell->left = x < cell->left ? x : cell->left;
    cell->right = x > cell->right ? x : cell->right;
    cell->top = y < cell->top ? y : cell->top;
    cell->bottom = y > cell->bottom ? y : cell->bottom;
    clusters->slot[clusters->boids] = slot;
    clusters->cell_of[clusters->boids++] = *entry;
}

/* Polls the limit after much work. Returns whether it is exceeded. */
static bool is_over(struct clusters *clusters)
{
    return limit_count(clusters->limit, &clusters->work, 0);
}

/* Puts the boids in the order of their cells. */
static void order_boids(struct clusters *clusters, const struct flock *flock)
{
    uint32_t first = 0;
    for (uint32_t i = 0; i < clusters->cells; i++) {
        clusters->cell[i].first = first;
        first += clusters->cell[i].boids;
        clusters->cell[i].boids = 0;
    }
    for (uint32_t i = 0; i < clusters->boids; i++) {
        struct cluster_cell *cell = &clusters->cell[clusters->cell_of[i]];
        uint32_t to = cell->first + cell->boids++;
        clusters->x[to] = flock->x[clusters->slot[i]];
        clusters->y[to] = flock->y[clusters->slot[i]];
    }
}

/* Returns false if the limit is exceeded. */
static bool fill_cells(struct clusters *clusters, const struct flock *flock, uint32_t stride)
{
    clusters->boids = clusters->cells = 0;
    memset(clusters->table, 0xff, ((size_t)clusters->mask + 1) * sizeof *clusters->table);
    for (uint32_t slot = 0; slot < flock->count; slot++) {
        if ((flock->id[slot] & (stride - 1)) == 0) {
            add_boid(clusters, flock->x[slot], flock->y[slot], slot);
            if (is_over(clusters)) {
                return false;
            }
        }
    }
    order_boids(clusters, flock);
    return true;
}

/* Returns a cell that stands for the cell's cluster. */
static uint32_t root_of(struct clusters *clusters, uint32_t cell)
{
    struct cluster_cell *cells = clusters->cell;
    while (cells[cell].parent != cell) {
        cells[cell].parent = cells[cells[cell].parent].parent;
        cell = cells[cell].parent;
    }
    return cell;
}

/* Returns the distance along one axis; a plane is an infinite torus. */
static double apart(double a, double b, double size)
{
    double d = fabs(a - b);
    return d < size - d ? d : size - d;
}

/* Returns the distance along one axis to the nearest point from `low` to `high`. */
static double apart_from(double at, double low, double high, double size)
{
    double straight = fmax(fmax(low - at, at - high), 0.0);
    return fmin(straight, size - fmax(at - low, high - at));
}

/* Returns whether a boid of one cell and a boid of the other are neighbours. Returns false if the
 * limit is exceeded. */
static bool are_connected(struct clusters *clusters, const struct cluster_cell *one,
                          const struct cluster_cell *other)
{
    double most = (double)clusters->distance * (double)clusters->distance;
    for (uint32_t i = one->first; i < one->first + one->boids; i++) {
        double x = (double)clusters->x[i];
        double y = (double)clusters->y[i];
        struct vec least = {
            apart_from(x, (double)other->left, (double)other->right, clusters->width),
            apart_from(y, (double)other->top, (double)other->bottom, clusters->height)};
        if (is_over(clusters)) {
            break;
        }
        clusters->work += vec_dot(least, least) < most ? other->boids : 0;
        for (uint32_t k = other->first; vec_dot(least, least) < most; k++) {
            if (k == other->first + other->boids) {
                break;
            }
            struct vec d = {apart(x, (double)clusters->x[k], clusters->width),
                            apart(y, (double)clusters->y[k], clusters->height)};
            if (vec_dot(d, d) < most) {
                return true;
            }
        }
    }
    return false;
}

/* Returns a column or row of the torus; in a plane any is one. */
static double wrapped(double cell, double cells)
{
    while (cell < 0.0 && cells < INFINITY) {
        cell += cells;
    }
    while (cell >= cells) {
        cell -= cells;
    }
    return cell;
}

/* Connects a cell with the cell that many columns and rows away, unless no boid is there. */
static void connect_cells(struct clusters *clusters, uint32_t index, int right, int down)
{
    const struct cluster_cell *cell = &clusters->cell[index];
    double column = wrapped(cell->column + right, clusters->columns);
    double row = wrapped(cell->row + down, clusters->rows);
    uint32_t other = *entry_of(clusters, column, row);
    if (other == NOTHING) {
        return;
    }
    uint32_t root = root_of(clusters, index);
    uint32_t other_root = root_of(clusters, other);
    if (root != other_root && are_connected(clusters, cell, &clusters->cell[other])) {
        clusters->cell[other_root].parent = root;
    }
}

/* Returns how many cells away neighbours may be on one axis. In a small torus no more than there
 * are. */
static int reach_of(const struct clusters *clusters, double side, double cells)
{
    return (int)fmin(floor((double)clusters->distance / side) + 1.0, cells - 1.0);
}

/* Returns the number of clusters of connected cells. */
static uint32_t count_roots(struct clusters *clusters)
{
    uint32_t found = 0;
    for (uint32_t i = 0; i < clusters->cells; i++) {
        uint32_t root = root_of(clusters, i);
        if (root != i) {
            clusters->cell[root].boids += clusters->cell[i].boids;
        }
    }
    for (uint32_t i = 0; i < clusters->cells; i++) {
        found += clusters->cell[i].parent == i && clusters->cell[i].boids >= CLUSTER_BOIDS;
    }
    return found;
}

/* Connects a cell with its neighbours to the right and below. */
static void connect_cell(struct clusters *clusters, uint32_t index, int across, int down)
{
    for (int right = 1; right <= across; right++) {
        connect_cells(clusters, index, right, 0);
    }
    for (int row = 1; row <= down; row++) {
        for (int right = -across; right <= across; right++) {
            connect_cells(clusters, index, right, row);
        }
    }
}

/* Returns false if the limit is exceeded. */
static bool connect_all(struct clusters *clusters)
{
    const int across = reach_of(clusters, clusters->side_x, clusters->columns);
    const int down = reach_of(clusters, clusters->side_y, clusters->rows);
    for (uint32_t i = 0; i < clusters->cells && !limit_is_exceeded(clusters->limit); i++) {
        connect_cell(clusters, i, across, down);
        (void)is_over(clusters);
    }
    return !limit_is_exceeded(clusters->limit);
}

bool clusters_count(struct clusters *clusters, const struct flock *flock, uint32_t stride,
                    struct limit *limit, uint32_t *found)
{
    const struct flock_settings *settings = &flock->definition.settings;
    clusters->limit = limit;
    clusters->work = 0;
    clusters->distance = settings->params[settings->model->neighbour];
    lay_cells(clusters, flock);
    if (clusters->distance <= 0.0f) {
        clusters->boids = (flock->count + stride - 1) / stride;
        *found = 0;
        return true;
    }
    if (!fill_cells(clusters, flock, stride) || !connect_all(clusters)) {
        return false;
    }
    *found = count_roots(clusters);
    return true;
}
