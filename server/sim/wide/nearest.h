/* The distances from boids to the nearest other boid. Part of kernel.c.
 *
 * The search walks from a boid along the sorted line, block by block, to either side. It ends where
 * the line alone is as far as the nearest boid so far. Of n evenly spread boids it looks at about
 * the square root of n. */

/* Returns the distance along one axis. A plane is an infinite torus: for a boid of the padding
 * size - d is no number, and wide_min() returns d. */
WIDE_INLINE wide apart(wide a, float b, float size)
{
    wide d = wide_abs(a - b);
    return wide_min(size - d, d);
}

WIDE_INLINE wide squares_of(const struct line *line, uint32_t from, uint32_t boid)
{
    struct wide_vec d = {apart(wide_load(line->along + from), line->along[boid], line->length),
                         apart(wide_load(line->across + from), line->across[boid], line->width)};
    return wide_dot(d, d);
}

/* Returns the square of the distance to the nearest boid of the block, or `square` if that is
 * less. */
WIDE_INLINE float nearest_in(const struct line *line, uint32_t block, uint32_t boid, float square)
{
    wide best = wide_all(square);
    for (uint32_t k = 0; k < LINE_BLOCK; k += WIDE) {
        best = wide_min(squares_of(line, block * LINE_BLOCK + k, boid), best);
    }
    return wide_least(best);
}

/* Returns the square of the distance to the nearest other boid of the boid's own block. */
WIDE_INLINE float nearest_beside(const struct line *line, uint32_t boid)
{
    float squares[LINE_BLOCK];
    uint32_t first = boid / LINE_BLOCK * LINE_BLOCK;
    for (uint32_t k = 0; k < LINE_BLOCK; k += WIDE) {
        wide_store(squares + k, squares_of(line, first + k, boid));
    }
    squares[boid - first] = __builtin_inff();
    wide best = wide_load(squares);
    for (uint32_t k = WIDE; k < LINE_BLOCK; k += WIDE) {
        best = wide_min(wide_load(squares + k), best);
    }
    return wide_least(best);
}

/* Returns the square of the distance to the nearest boid in the blocks to one side of the boid, or
 * `square` if that is less. In a torus the line is a circle. Adds the boids it looks at to *work.
 */
WIDE_INLINE float nearest_aside(const struct line *line, uint32_t boid, bool right, float square,
                                uint32_t *work)
{
    bool torus = line->length < __builtin_inff();
    uint32_t block = boid / LINE_BLOCK;
    float round = 0.0f;
    for (uint32_t k = 1; k < line->blocks; k++) {
        if (block == (right ? line->blocks - 1 : 0)) {
            if (!torus) {
                break;
            }
            block = right ? 0 : line->blocks - 1;
            round = line->length;
        } else {
            block += right ? 1 : UINT32_MAX;
        }
        uint32_t end =
            (block + 1) * LINE_BLOCK < line->count ? (block + 1) * LINE_BLOCK : line->count;
        float gap = right ? line->along[block * LINE_BLOCK] - line->along[boid] + round
                          : line->along[boid] - line->along[end - 1] + round;
        if (gap * gap >= square) {
            break;
        }
        square = nearest_in(line, block, boid, square);
        *work += LINE_BLOCK;
    }
    return square;
}

/* Adds up the distances of the boids whose number is a multiple of `stride`, a power of two, and
 * counts them. Boids can lie so that each is compared with all others. */
static double sum_nearest(const struct line *line, uint32_t stride, struct limit *limit,
                          uint32_t *counted)
{
    double sum = 0.0;
    uint32_t work = 0;
    for (uint32_t boid = 0; boid < line->count; boid++) {
        if ((line->number[boid] & (stride - 1)) == 0) {
            float square = nearest_beside(line, boid);
            square = nearest_aside(line, boid, true, square, &work);
            square = nearest_aside(line, boid, false, square, &work);
            sum += __builtin_sqrt((double)square);
            ++*counted;
            if (limit_count(limit, &work, LINE_BLOCK)) {
                break;
            }
        }
    }
    return sum;
}
