/* The boid nearest to a hunter, and the boids near a point. Part of kernel.c.
 *
 * The search computes the distances to all boids as floats, and keeps the least of each block. It
 * then compares, in double precision, the boids that rounding could have put behind the nearest
 * one. So the result is exact, and any number of lanes finds the same boid. */

/* A flock has at most PREY_BLOCKS blocks. Each has a multiple of 16 boids, PREY_BLOCK_MIN at least.
 */
enum { PREY_BLOCKS = 1024, PREY_BLOCK_MIN = 128 };

/* A hunter's position, and half and whole size of the torus; infinite in a plane. */
struct hunter {
    float x, y;
    struct wide_vec half, size;
};

struct prey {
    double square;
    uint32_t number, slot;
};

/* `torus` is a constant: a plane has no images to look for, which take most of the time. */
WIDE_INLINE wide prey_squares(const struct hunt *hunt, const struct hunter *hunter, uint32_t from,
                              bool torus)
{
    struct wide_vec d = {wide_load(hunt->x + from) - hunter->x,
                         wide_load(hunt->y + from) - hunter->y};
    if (torus) {
        d.x = wide_nearest(d.x, hunter->half.x, hunter->size.x);
        d.y = wide_nearest(d.y, hunter->half.y, hunter->size.y);
    }
    return wide_dot(d, d);
}

/* Returns the least square of the distances to the boids from `from` to before `end`. */
WIDE_INLINE float least_prey(const struct hunt *hunt, const struct hunter *hunter, uint32_t from,
                             uint32_t end, bool torus)
{
    const float lanes[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
    wide best = wide_all(__builtin_inff());
    for (; from + WIDE <= end; from += WIDE) {
        best = wide_min(prey_squares(hunt, hunter, from, torus), best);
    }
    if (from < end) {
        wide_mask used = wide_less(wide_load(lanes), wide_all((float)(end - from)));
        best = wide_min(
            wide_pick(used, prey_squares(hunt, hunter, from, torus), wide_all(__builtin_inff())),
            best);
    }
    return wide_least(best);
}

/* Of boids at the same distance, the one with the lowest number is the nearest. */
static void compare_prey(const struct hunt *hunt, const struct hunter *hunter, uint32_t slot,
                         struct prey *best)
{
    struct vec d = {nearest_image((double)hunt->x[slot] - (double)hunter->x, (double)hunt->width),
                    nearest_image((double)hunt->y[slot] - (double)hunter->y, (double)hunt->height)};
    double square = vec_dot(d, d);
    if (square < best->square || (square == best->square && hunt->number[slot] < best->number)) {
        *best = (struct prey){square, hunt->number[slot], slot};
    }
}

static void compare_block(const struct hunt *hunt, const struct hunter *hunter, uint32_t from,
                          uint32_t end, float most, struct prey *best)
{
    for (; from < end; from += WIDE) {
        uint32_t count = end - from < WIDE ? end - from : WIDE;
        unsigned near =
            wide_bits(wide_at_most(prey_squares(hunt, hunter, from, true), wide_all(most)));
        near &= (1u << count) - 1u;
        for (; near != 0; near &= near - 1) {
            compare_prey(hunt, hunter, from + (uint32_t)__builtin_ctz(near), best);
        }
    }
}

/* Returns a limit for the squares, as floats: a boid beyond it is farther, even without rounding,
 * than a boid of the square `least`. */
static float prey_margin(const struct hunt *hunt, float least)
{
    float near = __builtin_sqrtf(least);
    float size = hunt->width > hunt->height ? hunt->width : hunt->height;
    near += (near + size) * 0x1p-20f + 1e-15f;
    return near * near;
}

static struct hunter hunter_at(const struct hunt *hunt, float x, float y)
{
    float width = hunt->width > 0.0f ? hunt->width : __builtin_inff();
    float height = hunt->height > 0.0f ? hunt->height : __builtin_inff();
    return (struct hunter){x,
                           y,
                           {wide_all(0.5f * width), wide_all(0.5f * height)},
                           {wide_all(width), wide_all(height)}};
}

WIDE_INLINE uint32_t list_within(const struct hunt *hunt, const struct hunter *hunter, float most,
                                 uint32_t *found, bool torus)
{
    uint32_t count = 0;
    for (uint32_t from = 0; from < hunt->count; from += WIDE) {
        unsigned near =
            wide_bits(wide_at_most(prey_squares(hunt, hunter, from, torus), wide_all(most)));
        uint32_t left = hunt->count - from;
        near &= left < WIDE ? (1u << left) - 1u : UINT32_MAX;
        count += wide_store_lanes(found + count, near, from);
    }
    return count;
}

static uint32_t find_within_reach(const struct hunt *hunt, float x, float y, float reach,
                                  uint32_t *found)
{
    const struct hunter hunter = hunter_at(hunt, x, y);
    const float most = prey_margin(hunt, reach * reach);
    return hunt->width > 0.0f ? list_within(hunt, &hunter, most, found, true)
                              : list_within(hunt, &hunter, most, found, false);
}

static uint32_t find_prey(const struct hunt *hunt, float x, float y)
{
    float least[PREY_BLOCKS] = {0};
    const struct hunter hunter = hunter_at(hunt, x, y);
    uint32_t block = (hunt->count / PREY_BLOCKS + 16) / 16 * 16;
    block = block > PREY_BLOCK_MIN ? block : PREY_BLOCK_MIN;
    float nearest = __builtin_inff();
    for (uint32_t from = 0; from < hunt->count; from += block) {
        uint32_t end = from + block < hunt->count ? from + block : hunt->count;
        least[from / block] = hunt->width > 0.0f ? least_prey(hunt, &hunter, from, end, true)
                                                 : least_prey(hunt, &hunter, from, end, false);
        nearest = least[from / block] < nearest ? least[from / block] : nearest;
    }
    float most = prey_margin(hunt, nearest);
    struct prey best = {(double)__builtin_inff(), 0, 0};
    for (uint32_t from = 0; from < hunt->count; from += block) {
        if (least[from / block] <= most) {
            uint32_t end = from + block < hunt->count ? from + block : hunt->count;
            compare_block(hunt, &hunter, from, end, most, &best);
        }
    }
    return best.slot;
}

/* Boids whose speeds a lane adds up before they could exceed an integer. */
enum { SPEED_BLOCK = 64 * WIDE };

/* Returns the sum of the speeds of all boids, in SPEED_PARTS of a unit. A sum of integers is the
 * same in any order. */
static int64_t sum_speeds(const float *vx, const float *vy, uint32_t count)
{
    const float lanes[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
    int64_t sum = 0;
    for (uint32_t first = 0; first < count; first += SPEED_BLOCK) {
        uint32_t end = count - first < SPEED_BLOCK ? count : first + SPEED_BLOCK;
        wide_int units = {0};
        wide_int parts = {0};
        for (uint32_t from = first; from < end; from += WIDE) {
            struct wide_vec v = {wide_load(vx + from), wide_load(vy + from)};
            wide_mask used = wide_less(wide_load(lanes), wide_all((float)(end - from)));
            wide speed = wide_only(used, wide_sqrt(wide_dot(v, v)));
            wide_int whole = __builtin_convertvector(speed, wide_int);
            wide rest = speed - __builtin_convertvector(whole, wide);
            units += whole;
            parts += __builtin_convertvector(rest * (float)SPEED_PARTS, wide_int);
        }
        for (int lane = 0; lane < WIDE; lane++) {
            sum += (int64_t)units[lane] * SPEED_PARTS + parts[lane];
        }
    }
    return sum;
}
