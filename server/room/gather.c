#include "room/gather.h"

#include <endian.h>
#include <string.h>

#include "heading.h"
#include "room/describe.h"
#include "scene/scene.h"

#define PART_BOIDS  16384u /* that one thread takes at a time */
#define BLOCK_BOIDS 256u   /* their results stay in the cache until they are put in order */

/* A coordinate, on its way to steps. */
struct axis {
    float middle, steps_per_unit;
    int32_t low, end, period; /* of a torus: low <= step < end */
};

static struct axis axis_of(float side, float quantum, uint16_t period)
{
    const int32_t low = period > 0 ? -(period / 2) : INT16_MIN;

    return (struct axis){.middle = side * 0.5F,
                         .steps_per_unit = 1.0F / quantum, /* a power of two */
                         .low = low,
                         .end = period > 0 ? low + period : INT16_MAX + 1,
                         .period = period};
}

/* As proto_quantise() does, and around the torus; without a branch, for vectors of boids. */
static inline uint32_t step_of(const struct axis *axis, float at)
{
    const float rounding = 12582912.0F; /* 1.5 * 2^23: leaves no bits for fractions */
    float steps = (at - axis->middle) * axis->steps_per_unit;
    int32_t step;

    steps = steps > -32768.0F ? steps : -32768.0F;
    steps = steps < 32767.0F ? steps : 32767.0F;
    steps += rounding;
    memcpy(&step, &steps, sizeof step);
    step = (int16_t)step;
    step -= step >= axis->end ? axis->period : 0;
    step += step < axis->low ? axis->period : 0;
    return (uint32_t)step & 0xffff;
}

struct gathering {
    const struct flock *flock;
    struct flock_slots slots;
    struct axis x, y;
    uint32_t count;
    uint8_t *positions, *headings;
    struct flock_workspace *engine;
    struct flock_measures measures;
    float *nearest; /* NULL: it is not measured */
};

static uint32_t end_of(const struct gathering *gathering, uint32_t first, uint32_t size)
{
    return gathering->count - first < size ? gathering->count : first + size;
}

static void put_positions(const struct gathering *gathering, uint32_t first, uint32_t count)
{
    const struct axis x_axis = gathering->x;
    const struct axis y_axis = gathering->y;
    const float *x = gathering->slots.x + first;
    const float *y = gathering->slots.y + first;
    const uint32_t *number = gathering->slots.number + first;
    uint8_t *positions = gathering->positions;
    uint32_t block[BLOCK_BOIDS];

    for (uint32_t i = 0; i < count; i++) {
        block[i] = htole32(step_of(&x_axis, x[i]) | step_of(&y_axis, y[i]) << 16);
    }
    for (uint32_t i = 0; i < count; i++) {
        memcpy(positions + (size_t)PROTO_BOID_SIZE * number[i], &block[i], PROTO_BOID_SIZE);
    }
}

/* The first part measures the flock, the others are boids. */
static void do_position_part(void *context, uint32_t part)
{
    struct gathering *gathering = context;

    if (part == 0) {
        gathering->measures = flock_measure(gathering->flock);
        if (gathering->nearest != NULL) {
            (void)flock_nearest(gathering->flock, gathering->engine, gathering->nearest);
        }
        return;
    }
    const uint32_t first = (part - 1) * PART_BOIDS;
    const uint32_t end = end_of(gathering, first, PART_BOIDS);
    for (uint32_t i = first; i < end; i += BLOCK_BOIDS) {
        put_positions(gathering, i, end - i < BLOCK_BOIDS ? end - i : BLOCK_BOIDS);
    }
}

static void put_headings(const struct gathering *gathering, uint32_t first, uint32_t count)
{
    const float *x = gathering->slots.vx + first;
    const float *y = gathering->slots.vy + first;
    const uint32_t *number = gathering->slots.number + first;
    uint8_t *headings = gathering->headings;
    uint8_t block[BLOCK_BOIDS];

    for (uint32_t i = 0; i < count; i++) {
        block[i] = heading_of(x[i], y[i]);
    }
    for (uint32_t i = 0; i < count; i++) {
        headings[number[i]] = block[i];
    }
}

static void do_heading_part(void *context, uint32_t part)
{
    const struct gathering *gathering = context;
    const uint32_t first = part * PART_BOIDS;
    const uint32_t end = end_of(gathering, first, PART_BOIDS);

    for (uint32_t i = first; i < end; i += BLOCK_BOIDS) {
        put_headings(gathering, i, end - i < BLOCK_BOIDS ? end - i : BLOCK_BOIDS);
    }
}

static struct gathering begin(const struct scene *scene, const struct room_workspace *workspace)
{
    return (struct gathering){.flock = scene_flock(scene),
                              .slots = flock_slots(scene_flock(scene)),
                              .count = flock_count(scene_flock(scene)),
                              .engine = workspace->engine,
                              .positions = workspace->positions,
                              .headings = workspace->headings};
}

/* A thread for every part of boids: fewer boids are not worth waking any. */
static void run(const struct room_workspace *workspace, struct gathering *gathering,
                void (*task)(void *context, uint32_t part), uint32_t more_parts)
{
    const uint32_t parts = (gathering->count + PART_BOIDS - 1) / PART_BOIDS;

    flock_workspace_run(workspace->engine, parts, task, gathering, parts + more_parts);
}

struct flock_measures gather_positions(const struct scene *scene,
                                       const struct room_workspace *workspace, float *nearest)
{
    const struct room_scale scale = describe_scale(scene);
    struct gathering gathering = begin(scene, workspace);

    gathering.x = axis_of(scale.width, scale.quantum, scale.period_x);
    gathering.y = axis_of(scale.height, scale.quantum, scale.period_y);
    gathering.nearest = nearest;
    run(workspace, &gathering, do_position_part, 1);
    return gathering.measures;
}

void gather_headings(const struct scene *scene, const struct room_workspace *workspace)
{
    struct gathering gathering = begin(scene, workspace);

    run(workspace, &gathering, do_heading_part, 0);
}
