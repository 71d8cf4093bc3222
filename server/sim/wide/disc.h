/* Asking a disc.h for the sums of many discs, WIDE rows or points at a time. Part of kernel.c. */

/* A float cannot tell on which side of the circle a point lies that is this close to it. */
#define DOUBT 0x1p-22f

enum {
    LIST_MAX = 512,
    LIST_SIDE = 4, /* blocks that a row usually has on either side of its inner ones, at most */
    LIST_SLACK = 2 * LIST_SIDE * WIDE
};

struct disc_sums {
    int64_t count, x, y; /* of displacements, fixed-point */
};

/* A disc being asked for. */
struct query {
    const struct disc *disc;
    int32_t x, y;
    double square; /* of the radius */
    float reach;
    uint32_t list_full; /* so few blocks that their displacements' sum fits an integer */
    uint32_t listed;
    uint32_t list[LIST_MAX + LIST_SLACK]; /* blocks to test */
    struct disc_sums sums;
};

/* The listed blocks again, with no doubt left. */
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

static void test_blocks(struct query *query)
{
    const struct disc *disc = query->disc;
    wide near = wide_all((float)query->square * (1.0f - DOUBT));
    wide far = wide_all((float)query->square * (1.0f + DOUBT));
    wide_int one = (wide_int){0} + 1;
    wide_int count_near = {0};
    wide_int count_far = {0};
    wide_int sum_x = {0};
    wide_int sum_y = {0};
    for (uint32_t i = 0; i < query->listed; i++) {
        const uint32_t first = query->list[i] * DISC_BLOCK;
        for (uint32_t k = first; k < first + DISC_BLOCK; k += WIDE) {
            wide_int dx = wide_load_int(disc->x + k) - query->x;
            wide_int dy = wide_load_int(disc->y + k) - query->y;
            wide fx = __builtin_convertvector(dx, wide);
            wide fy = __builtin_convertvector(dy, wide);
            wide square = fx * fx + fy * fy;
            wide_mask inside = wide_less(square, near);
            count_near = wide_plus_int(count_near, inside, one);
            count_far = wide_plus_int(count_far, wide_less(square, far), one);
            sum_x = wide_plus_int(sum_x, inside, dx);
            sum_y = wide_plus_int(sum_y, inside, dy);
        }
    }
    struct disc_sums sums = {wide_sum_int(count_near), wide_sum_int(sum_x), wide_sum_int(sum_y)};
    if (wide_sum_int(count_far) != sums.count) {
        sums = test_exactly(query);
    }
    query->sums.count += sums.count;
    query->sums.x += sums.x;
    query->sums.y += sums.y;
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

/* Lists a few blocks without a branch, which would be one that cannot be predicted. */
WIDE_INLINE void list_few(struct query *query, uint32_t from, uint32_t count)
{
    typedef uint32_t blocks __attribute__((vector_size(LIST_SIDE * 4)));
    blocks listed = (blocks){0, 1, 2, 3} + from;
    memcpy(query->list + query->listed, &listed, sizeof listed);
    query->listed += count;
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
    query->sums.x += disc->sum[last].x - disc->sum[first].x - count * query->x;
    query->sums.y += disc->sum[last].y - disc->sum[first].y - count * query->y;
    if (first - left <= LIST_SIDE && right - last <= LIST_SIDE) {
        list_few(query, left, first - left);
        list_few(query, last, right - last);
    } else {
        list_many(query, left, first);
        list_many(query, last, right);
    }
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
        if (query->listed >= query->list_full) {
            test_blocks(query);
        }
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

/* Sums over the discs of the boids that the blocks from `first` to before `end` hold. */
static void separate(const struct kernel_job *job, uint32_t first, uint32_t end)
{
    const struct disc *disc = job->disc;
    struct query query;
    query.disc = disc;
    query.listed = 0;
    float low = job->params[SWARM_SEPARATION_MIN];
    float high = job->params[SWARM_SEPARATION_MAX];
    double unit = 1.0 / (double)disc->scale;
    for (uint32_t k = first * DISC_BLOCK; k < end * DISC_BLOCK; k++) {
        uint32_t i = disc->owner[k];
        if (i == DISC_NOBODY) {
            continue;
        }
        float radius = low + job->place[PLACE_SEPARATION][job->id[i]] * (high - low);
        double exact = (double)radius * (double)disc->scale;
        double full = 0x1p31 / (DISC_BLOCK * (exact + 1.0)) - LIST_SLACK;
        query.x = disc->x[k];
        query.y = disc->y[k];
        query.square = exact * exact;
        query.reach = (float)exact;
        query.list_full = full < LIST_MAX ? (uint32_t)full : LIST_MAX;
        query.sums = (struct disc_sums){0, 0, 0};
        ask(&query);
        job->sum_x[i] = (float)((double)query.sums.x * unit);
        job->sum_y[i] = (float)((double)query.sums.y * unit);
        job->counted[i] = (float)query.sums.count;
    }
}
