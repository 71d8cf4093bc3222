/* The nearest others of a sample of boids. Part of kernel.c.
 *
 * Boids are divided into blocks of consecutive slots, each with its bounding box. A block is
 * searched if its box is nearer than the nearest boid so far. This is exact in any order of slots.
 * It takes little time if neighbours lie in adjacent slots, as a tick over a grid leaves them. */

enum { BOX_BOIDS = 128, BOXES = 16, BOX_CHUNK = BOX_BOIDS * BOXES };

/* Centres, and from there to the edges; a little more, to cover rounding. */
struct boxes {
    float x[BOXES], y[BOXES], half_w[BOXES], half_h[BOXES];
};

/* Returns the distance along one axis; a plane is an infinite torus. */
WIDE_INLINE wide apart(wide a, float b, float size)
{
    wide d = wide_abs(a - b);
    return wide_min(d, size - d);
}

static void make_box(float low, float high, float *centre, float *half)
{
    *centre = 0.5f * (low + high);
    *half = 0.5f * (high - low) + (__builtin_fabsf(low) + __builtin_fabsf(high)) * 0x1p-22f;
}

static void box_block(const struct measure_job *job, uint32_t first, uint32_t end,
                      struct boxes *boxes, uint32_t block)
{
    wide left = wide_all(job->x[first]);
    wide top = wide_all(job->y[first]);
    wide right = left;
    wide bottom = top;
    for (uint32_t from = first; from < end; from += WIDE) {
        wide x = wide_load(job->x + from);
        wide y = wide_load(job->y + from);
        if (end - from < WIDE) {
            x = load_some(job->x + from, end - from, job->x[first]);
            y = load_some(job->y + from, end - from, job->y[first]);
        }
        left = wide_min(x, left);
        right = wide_max(x, right);
        top = wide_min(y, top);
        bottom = wide_max(y, bottom);
    }
    make_box(wide_least(left), -wide_least(-right), &boxes->x[block], &boxes->half_w[block]);
    make_box(wide_least(top), -wide_least(-bottom), &boxes->y[block], &boxes->half_h[block]);
}

/* Returns a bit for each box that may hold a boid nearer than that distance. */
WIDE_INLINE unsigned boxes_within(const struct measure_job *job, const struct boxes *boxes,
                                  uint32_t boid, float square)
{
    unsigned bits = 0;
    for (uint32_t k = 0; k < BOXES; k += WIDE) {
        struct wide_vec d = {apart(wide_load(boxes->x + k), job->x[boid], job->width),
                             apart(wide_load(boxes->y + k), job->y[boid], job->height)};
        d.x = wide_max(d.x - wide_load(boxes->half_w + k), (wide){0});
        d.y = wide_max(d.y - wide_load(boxes->half_h + k), (wide){0});
        wide least = wide_dot(d, d) * (1.0f - 0x1p-20f);
        bits |= wide_bits(wide_less(least, wide_all(square))) << k;
    }
    return bits;
}

/* Returns the square of the distance to the nearest other in the slots from `first` to before
 * `end`, or `square` if that is less. */
static float nearest_within(const struct measure_job *job, uint32_t first, uint32_t end,
                            uint32_t boid, float square)
{
    wide best = wide_all(square);
    for (uint32_t from = first; from < end; from += WIDE) {
        struct wide_vec d = {apart(wide_load(job->x + from), job->x[boid], job->width),
                             apart(wide_load(job->y + from), job->y[boid], job->height)};
        wide squares = wide_dot(d, d);
        if (end - from < WIDE || boid - from < WIDE) {
            float lanes[WIDE];
            wide_store(lanes, squares);
            for (uint32_t lane = 0; lane < WIDE; lane++) {
                bool other = from + lane < end && from + lane != boid;
                lanes[lane] = other ? lanes[lane] : square;
            }
            squares = wide_load(lanes);
        }
        best = wide_min(squares, best);
    }
    return wide_least(best);
}

static uint32_t end_of(uint32_t first, uint32_t size, uint32_t count)
{
    return count - first < size ? count : first + size;
}

static void nearest_others(const struct measure_job *job, uint32_t count, const uint32_t *boids,
                           uint32_t sample, float *squares)
{
    for (uint32_t k = 0; k < sample; k++) {
        uint32_t own = boids[k] / BOX_BOIDS * BOX_BOIDS;
        squares[k] =
            nearest_within(job, own, end_of(own, BOX_BOIDS, count), boids[k], __builtin_inff());
    }
    for (uint32_t chunk = 0; chunk < count; chunk += BOX_CHUNK) {
        struct boxes boxes = {0};
        uint32_t end = end_of(chunk, BOX_CHUNK, count);
        uint32_t blocks = 0;
        for (uint32_t from = chunk; from < end; from += BOX_BOIDS) {
            box_block(job, from, end_of(from, BOX_BOIDS, count), &boxes, blocks++);
        }
        for (uint32_t k = 0; k < sample; k++) {
            unsigned bits = boxes_within(job, &boxes, boids[k], squares[k]) & ((1u << blocks) - 1);
            if (boids[k] - chunk < BOX_CHUNK) {
                bits &= ~(1u << (boids[k] - chunk) /
                                    BOX_BOIDS); /* the boid's own block is done already */
            }
            while (bits != 0) {
                uint32_t block = (uint32_t)__builtin_ctz(bits);
                uint32_t run = (uint32_t)__builtin_ctz(~(bits >> block));
                uint32_t from = chunk + block * BOX_BOIDS;
                squares[k] = nearest_within(job, from, end_of(from, run * BOX_BOIDS, count),
                                            boids[k], squares[k]);
                bits &= ~0u << (block + run);
            }
        }
    }
}
