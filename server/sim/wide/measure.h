/* A flock's measures, WIDE boids at a time. Part of kernel.c. */

/* Sums have 16 lanes at every width, so their results are equal. */
enum { MEASURE_LANES = 16, MEASURE_PARTS = MEASURE_LANES / WIDE, MEASURE_CHUNK = 2048 };

struct measure_lanes {
    wide heading_x[MEASURE_PARTS], heading_y[MEASURE_PARTS];
    wide spin[MEASURE_PARTS], square[MEASURE_PARTS], speed[MEASURE_PARTS];
};

WIDE_INLINE double sum_of_parts(const wide parts[MEASURE_PARTS])
{
    float lanes[MEASURE_LANES];
    double sum = 0.0;
    memcpy(lanes, parts, sizeof lanes);
    for (int lane = 0; lane < MEASURE_LANES; lane++) {
        sum += (double)lanes[lane];
    }
    return sum;
}

WIDE_INLINE wide_mask first_lanes(uint32_t count)
{
    static const float lane[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
    return wide_less(wide_load(lane), wide_all((float)count));
}

/* Loads the first `count` floats, and `otherwise` into the other lanes. Reads up to FLOCK_SLACK
 * floats past the end. */
WIDE_INLINE wide load_some(const float *from, uint32_t count, float otherwise)
{
    return wide_pick(first_lanes(count), wide_load(from), wide_all(otherwise));
}

/* Returns 1 / sqrt(a) with a relative error of 1e-6; finite for 0. Divisions would take most of the
 * time, so it uses Newton's method from a guess at the exponent. The constants centre its error
 * (Moroz et al., Fast calculation of inverse square root with the use of magic constant, 2018). */
WIDE_INLINE wide inverse_root(wide a)
{
    wide half = 0.5f * a;
    wide root = (wide)(0x5f376908 - ((wide_int)a >> 1));
    root *= 1.5008789f - half * root * root;
    return root * (1.5000006f - half * root * root);
}

WIDE_INLINE void measure_group(const struct measure_job *job, uint32_t from, uint32_t count,
                               struct measure_lanes *lanes, int part)
{
    struct wide_vec p;
    struct wide_vec v;
    if (count >= WIDE) {
        p = (struct wide_vec){wide_load(job->x + from), wide_load(job->y + from)};
        v = (struct wide_vec){wide_load(job->vx + from), wide_load(job->vy + from)};
    } else { /* empty lanes are at the centroid, and so add nothing */
        p = (struct wide_vec){load_some(job->x + from, count, job->centroid_x),
                              load_some(job->y + from, count, job->centroid_y)};
        v = (struct wide_vec){load_some(job->vx + from, count, 0.0f),
                              load_some(job->vy + from, count, 0.0f)};
    }
    wide width = wide_all(job->width);
    wide height = wide_all(job->height);
    struct wide_vec r = {wide_nearest(p.x - job->centroid_x, 0.5f * width, width),
                         wide_nearest(p.y - job->centroid_y, 0.5f * height, height)};
    wide square = wide_dot(v, v);
    wide slow = inverse_root(square);
    wide far = wide_dot(r, r);
    wide away = wide_only(wide_less(wide_all(job->blur * job->blur), far), inverse_root(far));
    lanes->heading_x[part] += v.x * slow;
    lanes->heading_y[part] += v.y * slow;
    lanes->spin[part] += (r.x * v.y - r.y * v.x) * slow * away;
    lanes->square[part] += far;
    lanes->speed[part] += square * slow;
}

static void measure(const struct measure_job *job, uint32_t count, struct measure_sums *sums)
{
    *sums = (struct measure_sums){0};
    for (uint32_t chunk = 0; chunk < count; chunk += MEASURE_CHUNK) {
        struct measure_lanes lanes = {0};
        uint32_t end = count - chunk < MEASURE_CHUNK ? count : chunk + MEASURE_CHUNK;
        for (uint32_t from = chunk; from < end; from += MEASURE_LANES) {
            for (int part = 0; part < MEASURE_PARTS; part++) {
                uint32_t first = from + (uint32_t)part * WIDE;
                measure_group(job, first, first < end ? end - first : 0, &lanes, part);
            }
        }
        sums->heading_x += sum_of_parts(lanes.heading_x);
        sums->heading_y += sum_of_parts(lanes.heading_y);
        sums->spin += sum_of_parts(lanes.spin);
        sums->square += sum_of_parts(lanes.square);
        sums->speed += sum_of_parts(lanes.speed);
    }
}

/* Returns the direction at half a turn plus `turns`, at most half: computes half of that by a
 * series, then doubles it. */
WIDE_INLINE struct wide_vec quick_direction(wide turns)
{
    wide b = turns * turns;
    wide sine =
        turns * (3.14159264f +
                 b * (-5.16771008f + b * (2.55007739f + b * (-0.598290411f + b * 0.0776559123f))));
    wide cosine = 0.999999953f +
                  b * (-4.9347928f + b * (4.05841079f + b * (-1.33187297f + b * 0.219682424f)));
    wide twice = sine + sine;
    return (struct wide_vec){1.0f - twice * sine, twice * cosine};
}

WIDE_INLINE struct wide_vec direction_of(wide at, float size, bool quick)
{
    return quick ? quick_direction(at * (1.0f / size) - 0.5f)
                 : wide_direction((at / size - 0.5f) * 6.28318531f);
}

/* Adds half a turn at the end, so that angles are within half a turn. */
WIDE_INLINE void sum_circles(const struct measure_job *job, uint32_t count, bool quick,
                             struct circle_sums *sums)
{
    *sums = (struct circle_sums){0};
    for (uint32_t chunk = 0; chunk < count; chunk += MEASURE_CHUNK) {
        wide parts[4][MEASURE_PARTS] = {0};
        uint32_t end = count - chunk < MEASURE_CHUNK ? count : chunk + MEASURE_CHUNK;
        for (uint32_t from = chunk; from < end; from += WIDE) {
            wide x = wide_load(job->x + from);
            wide y = wide_load(job->y + from);
            struct wide_vec along_x = direction_of(x, job->width, quick);
            struct wide_vec along_y = direction_of(y, job->height, quick);
            if (end - from < WIDE) {
                wide_mask there = first_lanes(end - from);
                along_x = wide_pick_vec(there, along_x, (struct wide_vec){{0}, {0}});
                along_y = wide_pick_vec(there, along_y, (struct wide_vec){{0}, {0}});
            }
            uint32_t part = from / WIDE % MEASURE_PARTS;
            parts[0][part] += along_x.x;
            parts[1][part] += along_x.y;
            parts[2][part] += along_y.x;
            parts[3][part] += along_y.y;
        }
        sums->cosine_x -= sum_of_parts(parts[0]);
        sums->sine_x -= sum_of_parts(parts[1]);
        sums->cosine_y -= sum_of_parts(parts[2]);
        sums->sine_y -= sum_of_parts(parts[3]);
    }
}

static void circles(const struct measure_job *job, uint32_t count, struct circle_sums *sums)
{
    sum_circles(job, count, false, sums);
}

static void quick_circles(const struct measure_job *job, uint32_t count, struct circle_sums *sums)
{
    sum_circles(job, count, true, sums);
}
