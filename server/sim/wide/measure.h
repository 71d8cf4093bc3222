/* A flock's measures, WIDE boids at a time. Part of kernel.c. */

/* Sums are kept in as many lanes at every width, 16, and so are the same. */
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

/* Boids that are not there rest at the centroid and so add nothing. */
static wide load_some(const float *from, uint32_t count, float otherwise)
{
    float lanes[WIDE];
    for (uint32_t lane = 0; lane < WIDE; lane++) {
        lanes[lane] = lane < count ? from[lane] : otherwise;
    }
    return wide_load(lanes);
}

WIDE_INLINE void measure_group(const struct measure_job *job, uint32_t from, uint32_t count,
                               struct measure_lanes *lanes, int part)
{
    struct wide_vec p;
    struct wide_vec v;
    if (count >= WIDE) {
        p = (struct wide_vec){wide_load(job->x + from), wide_load(job->y + from)};
        v = (struct wide_vec){wide_load(job->vx + from), wide_load(job->vy + from)};
    } else {
        p = (struct wide_vec){load_some(job->x + from, count, job->centroid_x),
                              load_some(job->y + from, count, job->centroid_y)};
        v = (struct wide_vec){load_some(job->vx + from, count, 0.0f),
                              load_some(job->vy + from, count, 0.0f)};
    }
    wide width = wide_all(job->width);
    wide height = wide_all(job->height);
    struct wide_vec r = {nearest(p.x - job->centroid_x, 0.5f * width, width),
                         nearest(p.y - job->centroid_y, 0.5f * height, height)};
    wide speed = wide_sqrt(wide_dot(v, v));
    wide far = wide_dot(r, r);
    wide some = wide_only(wide_less((wide){0}, speed), 1.0f / speed);
    wide away = wide_only(wide_less(wide_all(job->blur * job->blur), far), 1.0f / wide_sqrt(far));
    lanes->heading_x[part] += v.x * some;
    lanes->heading_y[part] += v.y * some;
    lanes->spin[part] += (r.x * v.y - r.y * v.x) * some * away;
    lanes->square[part] += far;
    lanes->speed[part] += speed;
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

/* Sums of the directions that places have on a circle of that size. Half a turn is added at the
 * end, so that angles are within half a turn. */
static void circle(const float *at, uint32_t count, float size, double *sine, double *cosine)
{
    *sine = *cosine = 0.0;
    for (uint32_t chunk = 0; chunk < count; chunk += MEASURE_CHUNK) {
        struct wide_vec sums[MEASURE_PARTS] = {{{0}, {0}}};
        wide parts[2][MEASURE_PARTS];
        uint32_t end = count - chunk < MEASURE_CHUNK ? count : chunk + MEASURE_CHUNK;
        for (uint32_t from = chunk; from < end; from += WIDE) {
            uint32_t some = end - from < WIDE ? end - from : WIDE;
            wide here = some < WIDE ? load_some(at + from, some, -1.0f) : wide_load(at + from);
            wide angle = (here / size - 0.5f) * 6.28318531f;
            wide_mask real = wide_at_most((wide){0}, here);
            struct wide_vec one = {wide_only(real, wide_all(1.0f)), {0}};
            uint32_t part = from / WIDE % MEASURE_PARTS;
            sums[part] = wide_add(sums[part], turned_by(one, angle));
        }
        for (int part = 0; part < MEASURE_PARTS; part++) {
            parts[0][part] = sums[part].x;
            parts[1][part] = sums[part].y;
        }
        *cosine -= sum_of_parts(parts[0]);
        *sine -= sum_of_parts(parts[1]);
    }
}

/* Square of the distance from a boid to the nearest other. */
static float nearest_other(const struct measure_job *job, uint32_t count, uint32_t boid)
{
    wide width = wide_all(job->width);
    wide height = wide_all(job->height);
    float infinity = __builtin_inff();
    wide best = wide_all(infinity);
    for (uint32_t from = 0; from < count; from += WIDE) {
        bool rare = count - from < WIDE || boid - from < WIDE;
        struct wide_vec p = {wide_load(job->x + from), wide_load(job->y + from)};
        if (rare) {
            float lanes[WIDE];
            for (uint32_t lane = 0; lane < WIDE; lane++) {
                bool other = from + lane < count && from + lane != boid;
                lanes[lane] = other ? job->x[from + lane] : infinity;
            }
            p = (struct wide_vec){wide_load(lanes), load_some(job->y + from, count - from, 0.0f)};
        }
        struct wide_vec d = {nearest(p.x - job->x[boid], 0.5f * width, width),
                             nearest(p.y - job->y[boid], 0.5f * height, height)};
        best = wide_min(wide_dot(d, d), best);
    }
    float lanes[WIDE];
    wide_store(lanes, best);
    for (int lane = 0; lane < WIDE; lane++) {
        infinity = lanes[lane] < infinity ? lanes[lane] : infinity;
    }
    return infinity;
}
