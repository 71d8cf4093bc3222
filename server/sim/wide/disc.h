/* Asking a disc.h for the sums of many discs, WIDE rows or points at a time. Part of kernel.c. */

/* A float cannot tell on which side of the circle a point lies that is this close to it. */
#define DOUBT 0x1p-22f

enum { LIST_MAX = 512 /* blocks: few enough for a lane's sum of displacements to fit */ };

struct disc_sums {
    int64_t count, x, y; /* of displacements, fixed-point */
};

/* A disc being asked for. */
struct query {
    const struct disc *disc;
    int32_t x, y;
    double square; /* of the radius */
    float reach;
    uint32_t listed;
    uint32_t list[LIST_MAX + WIDE]; /* blocks to test */
    struct disc_sums sums;
};

/* The points of one block, with no doubt left. */
static void add_block_exactly(struct query *query, uint32_t block)
{
    for (uint32_t k = block * DISC_BLOCK; k < (block + 1) * DISC_BLOCK; k++) {
        double dx = (double)query->disc->x[k] - query->x;
        double dy = (double)query->disc->y[k] - query->y;
        if (dx * dx + dy * dy < query->square) {
            query->sums.count++;
            query->sums.x += (int64_t)dx;
            query->sums.y += (int64_t)dy;
        }
    }
}

WIDE_INLINE int64_t sum_of_lanes(wide_int a)
{
    int64_t sum = 0;
    for (int lane = 0; lane < WIDE; lane++) {
        sum += a[lane];
    }
    return sum;
}

static void test_blocks(struct query *query)
{
    const struct disc *disc = query->disc;
    wide near = wide_all((float)query->square * (1.0f - DOUBT));
    wide far = wide_all((float)query->square * (1.0f + DOUBT));
    wide_int count = {0};
    wide_int sum_x = {0};
    wide_int sum_y = {0};
    for (uint32_t i = 0; i < query->listed; i++) {
        uint32_t first = query->list[i] * DISC_BLOCK;
        wide_int before[3] = {count, sum_x, sum_y};
        bool doubt = false;
        for (uint32_t k = first; k < first + DISC_BLOCK; k += WIDE) {
            wide_int dx = wide_load_int(disc->x + k) - query->x;
            wide_int dy = wide_load_int(disc->y + k) - query->y;
            wide fx = __builtin_convertvector(dx, wide);
            wide fy = __builtin_convertvector(dy, wide);
            wide square = fx * fx + fy * fy;
            wide_mask inside = wide_less(square, near);
            doubt = doubt || wide_differ(inside, wide_less(square, far));
            count = wide_plus_int(count, inside, (wide_int){0} + 1);
            sum_x = wide_plus_int(sum_x, inside, dx);
            sum_y = wide_plus_int(sum_y, inside, dy);
        }
        if (doubt) {
            count = before[0];
            sum_x = before[1];
            sum_y = before[2];
            add_block_exactly(query, query->list[i]);
        }
    }
    query->sums.count += sum_of_lanes(count);
    query->sums.x += sum_of_lanes(sum_x);
    query->sums.y += sum_of_lanes(sum_y);
    query->listed = 0;
}

WIDE_INLINE void list_blocks(struct query *query, uint32_t from, uint32_t to)
{
    while (from < to) {
        if (query->listed >= LIST_MAX) {
            test_blocks(query);
        }
        uint32_t room = LIST_MAX - query->listed;
        uint32_t count = to - from < 4 ? to - from : 4;
        count = count < room ? count : room;
        for (uint32_t k = 0; k < 4; k++) {
            query->list[query->listed + k] = from + k;
        }
        query->listed += count;
        from += count;
    }
}

/* Slots of `at`, as in disc.c. */
WIDE_INLINE wide_int slots_of(wide at, float step, uint32_t slots)
{
    wide s = at * step;
    s = wide_max(s, (wide){0});
    s = wide_min(s, wide_all((float)(slots - 1)));
    return __builtin_convertvector(s, wide_int);
}

/* What a row's cells are to a disc: those from outer[0] to outer[1] could hold points inside, those
 * between inner[0] and inner[1] hold no others. A cell holds exactly the points of a half-open
 * range of x, so what is true of the range is true of them. */
struct row_slots {
    int32_t outer[2][WIDE], inner[2][WIDE];
};

WIDE_INLINE void ask_row(struct query *query, uint32_t row, const struct row_slots *slots, int lane)
{
    const struct disc *disc = query->disc;
    const uint32_t *start = disc->start + (size_t)row * (disc->cells + 1);
    uint32_t left = start[slots->outer[0][lane]] / DISC_BLOCK;
    uint32_t right = (start[slots->outer[1][lane] + 1] + DISC_BLOCK - 1) / DISC_BLOCK;
    uint32_t first = (start[slots->inner[0][lane] + 1] + DISC_BLOCK - 1) / DISC_BLOCK;
    uint32_t last = start[slots->inner[1][lane]] / DISC_BLOCK;
    bool deep = first < last;
    first = deep ? first : right;
    last = deep ? last : right;
    int64_t count = (int64_t)(last - first) * DISC_BLOCK;
    query->sums.count += count;
    query->sums.x += disc->sum_x[last] - disc->sum_x[first] - count * query->x;
    query->sums.y += disc->sum_y[last] - disc->sum_y[first] - count * query->y;
    list_blocks(query, left, first);
    list_blocks(query, last, right);
}

/* The slots of WIDE rows; returns a bit for each row that the disc touches. */
WIDE_INLINE unsigned find_slots(const struct query *query, uint32_t row, struct row_slots *slots)
{
    const struct disc *disc = query->disc;
    wide x = wide_all((float)query->x);
    wide y = wide_all((float)query->y);
    wide margin = wide_all(disc->margin);
    wide square = wide_all(query->reach * query->reach);
    wide above = wide_load(disc->row_low + row) - y;
    wide below = y - wide_load(disc->row_high + row);
    wide near = wide_max(wide_max(above, below) - margin, (wide){0});
    wide far = wide_max(wide_abs(above), wide_abs(below)) + margin;
    /* The factors cover the rounding of squares, here and in the test of a point. */
    wide outer = square * (1.0f + 4.0f * DOUBT) - near * near;
    wide inner = wide_max(square * (1.0f - 4.0f * DOUBT) - far * far, (wide){0});
    outer = wide_sqrt(wide_max(outer, (wide){0})) + margin;
    inner = wide_max(wide_sqrt(inner) - margin, (wide){0});
    wide_store_int(slots->outer[0], slots_of(x - outer, disc->step_cell, disc->cells));
    wide_store_int(slots->outer[1], slots_of(x + outer, disc->step_cell, disc->cells));
    wide_store_int(slots->inner[0], slots_of(x - inner, disc->step_cell, disc->cells));
    wide_store_int(slots->inner[1], slots_of(x + inner, disc->step_cell, disc->cells));
    return wide_bits(wide_at_most(near, wide_all(query->reach)));
}

WIDE_INLINE uint32_t row_of(const struct disc *disc, float y)
{
    float s = y * disc->step_row;
    s = s > 0.0f ? s : 0.0f;
    s = s < (float)(disc->rows - 1) ? s : (float)(disc->rows - 1);
    return (uint32_t)(int32_t)s;
}

static void ask(struct query *query)
{
    const struct disc *disc = query->disc;
    uint32_t row = row_of(disc, (float)query->y - query->reach - disc->margin);
    uint32_t last = row_of(disc, (float)query->y + query->reach + disc->margin);
    for (; row <= last; row += WIDE) {
        struct row_slots slots;
        unsigned touched = find_slots(query, row, &slots);
        int rows = last - row < WIDE ? (int)(last - row) + 1 : WIDE;
        for (int lane = 0; lane < rows; lane++) {
            if (touched >> lane & 1) {
                ask_row(query, row + (uint32_t)lane, &slots, lane);
            }
        }
    }
    test_blocks(query);
}

/* The swarm's separation, of the boids that the disc's blocks from `first` to before `end` hold. */
static void separate(const struct separate_job *job, uint32_t first, uint32_t end)
{
    const struct disc *disc = job->disc;
    struct query query;
    query.disc = disc;
    query.listed = 0;
    for (uint32_t k = first * DISC_BLOCK; k < end * DISC_BLOCK; k++) {
        uint32_t i = disc->owner[k];
        if (i == DISC_NOBODY) {
            continue;
        }
        float radius = job->low + job->place[job->id[i]] * (job->high - job->low);
        double exact = (double)radius * (double)disc->scale;
        query.x = disc->x[k];
        query.y = disc->y[k];
        query.square = exact * exact;
        query.reach = (float)exact;
        query.sums = (struct disc_sums){0, 0, 0};
        ask(&query);
        /* The boid itself is in the count, unless its radius is 0; it adds no displacement. */
        double others = (double)query.sums.count - 1.0;
        double dx = (double)query.sums.x / (double)disc->scale;
        double dy = (double)query.sums.y / (double)disc->scale;
        double d = __builtin_sqrt(dx * dx + dy * dy);
        double factor = others > 0.0 && d > 0.0 ? -((double)radius - d / others) / d : 0.0;
        job->push_x[i] = (float)(dx * factor);
        job->push_y[i] = (float)(dy * factor);
    }
}
