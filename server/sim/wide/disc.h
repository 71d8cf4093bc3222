/* Queries of disc.h: the sums of many discs, WIDE rows or points at a time. Loops of a model whose
 * boids have separation distances of their own call disc_ask(). */
#ifndef WIDE_DISC_H
#define WIDE_DISC_H

#include "sim/wide/kernel.h"
#include "sim/wide/wide.h"

/* A float cannot tell on which side of the circle a point is if it is this close to the circle. */
#define DOUBT 0x1p-22f

/* LIST_SIDE: blocks that a row usually has on either side of its inner blocks, at most. LIST_MAX:
 * blocks that are listed before they are tested, at most. */
enum { LIST_SIDE = WIDE < 8 ? 8 : WIDE, LIST_MAX = 512, QUERIES = 8, COUNT_FAR = 1 << 16 };

struct disc_sums {
    int64_t count, x, y; /* of displacements, fixed-point */
};

/* The cells of WIDE rows that a disc meets, as indexes of disc->start. Cells from outer[0] to
 * outer[1] may hold points inside the disc; cells between inner[0] and inner[1] hold only such
 * points. A cell holds exactly the points of a half-open range of x, so what holds for the range
 * holds for them. */
struct row_cells {
    int32_t outer[2][WIDE], inner[2][WIDE];
};

/* A disc being asked for. */
struct query {
    const struct disc *disc;
    uint32_t owner;
    int32_t x, y;
    double square; /* of the radius */
    float reach;
    uint32_t row, last;         /* rows to ask */
    struct row_cells cells;     /* for the rows from `row` on */
    struct disc_sums total;     /* the sum so far */
    uint32_t listed, list_full; /* with one more row, blocks or their sum may not fit an integer */
    uint32_t list[LIST_MAX + LIST_SIDE]; /* blocks to test */
};

/* Tests the listed blocks again, exactly. */
static struct disc_sums test_exactly(const struct query *query)
{
    struct disc_sums sums = {0, 0, 0};
    for (uint32_t i = 0; i < query->listed; i++) {
        uint32_t first = query->list[i] * DISC_BLOCK;
        for (uint32_t k = first; k < first + DISC_BLOCK; k++) {
            double dx = (double)query->disc->x[k] - query->x;
            double dy = (double)query->disc->y[k] - query->y;
            if (dx * dx + dy * dy < query->square) {
                sums.count++;
                sums.x += (int64_t)dx;
                sums.y += (int64_t)dy;
            }
        }
    }
    return sums;
}

/* Adds the points of the disc in the listed blocks. */
static void test_blocks(struct query *query)
{
    wide near = wide_all((float)query->square * (1.0f - DOUBT));
    wide far = wide_all((float)query->square * (1.0f + DOUBT));
    wide_int one = (wide_int){0} + 1;
    /* The low half counts points inside by the first measure, the high half by the second. */
    wide_int counts = {0};
    wide_int sum_x = {0};
    wide_int sum_y = {0};
    const int32_t *x = query->disc->x;
    const int32_t *y = query->disc->y;
    for (uint32_t i = 0; i < query->listed; i++) {
        const uint32_t first = query->list[i] * DISC_BLOCK;
        for (uint32_t k = first; k < first + DISC_BLOCK; k += WIDE) {
            wide_int dx = wide_load_int(x + k) - query->x;
            wide_int dy = wide_load_int(y + k) - query->y;
            wide fx = __builtin_convertvector(dx, wide);
            wide fy = __builtin_convertvector(dy, wide);
            wide square = fx * fx + fy * fy;
            wide_mask inside = wide_less(square, near);
            counts = wide_plus_int(counts, inside, one);
            counts = wide_plus_int(counts, wide_less(square, far), one * COUNT_FAR);
            sum_x = wide_plus_int(sum_x, inside, dx);
            sum_y = wide_plus_int(sum_y, inside, dy);
        }
    }
    wide_four found = wide_sums_int(counts, sum_x, sum_y);
    struct disc_sums sums = {found[0] % COUNT_FAR, found[1], found[2]};
    if (found[0] / COUNT_FAR != sums.count) {
        sums = test_exactly(query);
    }
    query->total.count += sums.count;
    query->total.x += sums.x;
    query->total.y += sums.y;
    query->listed = 0;
}

static void list_many(struct query *query, uint32_t from, uint32_t to)
{
    for (; from < to; from++) {
        if (query->listed >= query->list_full) {
            test_blocks(query);
        }
        query->list[query->listed++] = from;
    }
}

/* Lists at most LIST_SIDE blocks without a branch, because the processor could not predict it. */
WIDE_INLINE void list_few(uint32_t *list, uint32_t from)
{
    static const int32_t next[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
    for (int k = 0; k < LIST_SIDE; k += WIDE) {
        wide_int blocks = wide_load_int(next + k) + (int32_t)from;
        memcpy(list + k, &blocks, sizeof blocks);
    }
}

/* Returns the slots of `at`, as in disc.c. */
WIDE_INLINE wide_int slots_of(wide at, float step, uint32_t slots)
{
    wide s = at * step;
    s = wide_max(s, (wide){0});
    s = wide_min(s, wide_all((float)(slots - 1)));
    return __builtin_convertvector(s, wide_int);
}

WIDE_INLINE void find_cells(struct query *query)
{
    static const int32_t next[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
    const struct disc *disc = query->disc;
    wide x = wide_all((float)query->x);
    wide y = wide_all((float)query->y);
    wide margin = wide_all(disc->margin);
    wide square = wide_all(query->reach * query->reach);
    wide above = wide_load(disc->row_low + query->row) - y;
    wide below = y - wide_load(disc->row_high + query->row);
    wide near = wide_max(wide_max(above, below) - margin, (wide){0});
    wide far = wide_max(wide_abs(above), wide_abs(below)) + margin;
    /* The factors cover the rounding of squares, here and in the test of a point. */
    wide outer = square * (1.0f + 4.0f * DOUBT) - near * near;
    wide inner = wide_max(square * (1.0f - 4.0f * DOUBT) - far * far, (wide){0});
    outer = wide_sqrt(wide_max(outer, (wide){0})) + margin;
    inner = wide_max(wide_sqrt(inner) - margin, (wide){0});
    wide_int first = (wide_load_int(next) + (int32_t)query->row) * (int32_t)(disc->cells + 1);
    wide_store_int(query->cells.outer[0],
                   first + slots_of(x - outer, disc->step_cell, disc->cells));
    wide_store_int(query->cells.outer[1],
                   first + slots_of(x + outer, disc->step_cell, disc->cells));
    wide_store_int(query->cells.inner[0],
                   first + slots_of(x - inner, disc->step_cell, disc->cells));
    wide_store_int(query->cells.inner[1],
                   first + slots_of(x + inner, disc->step_cell, disc->cells));
}

WIDE_INLINE uint32_t row_of(const struct disc *disc, float y)
{
    float s = y * disc->step_row;
    s = s > 0.0f ? s : 0.0f;
    s = s < (float)(disc->rows - 1) ? s : (float)(disc->rows - 1);
    return (uint32_t)(int32_t)s;
}

/* Adds the inner blocks of at most WIDE rows, and lists the outer blocks. A row that the disc does
 * not touch has no inner blocks; testing some of its points does no harm. */
static void ask_rows(struct query *query)
{
    const uint32_t *start = query->disc->start;
    const struct disc_total *sum = query->disc->sum;
    int64_t blocks = 0;
    int64_t x = 0;
    int64_t y = 0;
    uint32_t listed = query->listed;
    uint32_t rows = query->last - query->row < WIDE ? query->last - query->row + 1 : WIDE;
    for (uint32_t lane = 0; lane < rows; lane++) {
        uint32_t left = start[query->cells.outer[0][lane]] / DISC_BLOCK;
        uint32_t right = (start[query->cells.outer[1][lane] + 1] + DISC_BLOCK - 1) / DISC_BLOCK;
        uint32_t first = (start[query->cells.inner[0][lane] + 1] + DISC_BLOCK - 1) / DISC_BLOCK;
        uint32_t last = start[query->cells.inner[1][lane]] / DISC_BLOCK;
        bool deep = first < last;
        first = deep ? first : right;
        last = deep ? last : right;
        blocks += last - first;
        x += sum[last].x - sum[first].x;
        y += sum[last].y - sum[first].y;
        if (first - left > LIST_SIDE || right - last > LIST_SIDE || listed > query->list_full) {
            query->listed = listed;
            list_many(query, left, first);
            list_many(query, last, right);
            listed = query->listed;
            continue;
        }
        list_few(query->list + listed, left);
        listed += first - left;
        list_few(query->list + listed, last);
        listed += right - last;
    }
    query->listed = listed;
    query->total.count += blocks * DISC_BLOCK;
    query->total.x += x - blocks * DISC_BLOCK * query->x;
    query->total.y += y - blocks * DISC_BLOCK * query->y;
}

/* Begins the query for the disc of the boid with index k in the disc. */
WIDE_INLINE void begin(struct query *query, const struct kernel_job *job, uint32_t k)
{
    const struct disc *disc = job->disc;
    uint32_t owner = disc->owner[k];
    float low = job->params[2 * PLACE_SEPARATION];
    float high = job->params[2 * PLACE_SEPARATION + 1];
    float radius = low + job->place[PLACE_SEPARATION][job->id[owner]] * (high - low);
    double exact = (double)radius * (double)disc->scale;
    query->owner = owner;
    query->x = disc->x[k];
    query->y = disc->y[k];
    query->square = exact * exact;
    query->reach = (float)exact;
    query->total = (struct disc_sums){0, 0, 0};
    if (disc->few) {
        query->listed = disc->blocks; /* these are listed already */
        return;
    }
    query->listed = 0;
    query->row = row_of(disc, (float)query->y - query->reach - disc->margin);
    query->last = row_of(disc, (float)query->y + query->reach + disc->margin);
    find_cells(query);
}

/* Runs several queries step by step, so that no step waits for the step before it. */
static void ask(struct query *queries, uint32_t count, const struct kernel_job *job)
{
    double unit = 1.0 / (double)job->disc->scale;
    for (uint32_t i = 0; i < count && !job->disc->few; i++) {
        struct query *query = &queries[i];
        ask_rows(query);
        while (query->last - query->row >= WIDE) {
            query->row += WIDE;
            find_cells(query);
            ask_rows(query);
        }
    }
    for (uint32_t i = 0; i < count; i++) {
        struct query *query = &queries[i];
        test_blocks(query);
        job->sums.x[query->owner] = (float)((double)query->total.x * unit);
        job->sums.y[query->owner] = (float)((double)query->total.y * unit);
        job->sums.counted[query->owner] = (float)query->total.count;
    }
}

static void prepare(struct query *query, const struct kernel_job *job)
{
    const float *range = &job->params[2 * PLACE_SEPARATION];
    float most = range[0] > range[1] ? range[0] : range[1];
    double reach = (double)most * (double)job->disc->scale + 1.0;
    uint32_t full = (uint32_t)(0x1p31 / (DISC_BLOCK * reach)); /* 40 at the greatest radius */
    query->disc = job->disc;
    query->list_full = (full < LIST_MAX ? full : LIST_MAX) - 2 * LIST_SIDE;
    for (uint32_t block = 0; job->disc->few && block < job->disc->blocks; block++) {
        query->list[block] = block;
    }
}

/* Adds up the discs of the boids in the blocks from `first` to before `end`. */
static void disc_ask(const struct kernel_job *job, uint32_t first, uint32_t end)
{
    struct query queries[QUERIES];
    uint32_t count = 0;
    for (uint32_t i = 0; i < QUERIES; i++) {
        prepare(&queries[i], job);
    }
    for (uint32_t k = first * DISC_BLOCK; k < end * DISC_BLOCK; k++) {
        if (job->disc->owner[k] != DISC_NOBODY) {
            begin(&queries[count++], job, k);
        }
        if (count == QUERIES) {
            ask(queries, count, job);
            count = 0;
        }
    }
    ask(queries, count, job);
}

#endif
