#include "term/draw/plot.h"

#include "term/tty/palette.h"

#include <math.h>
#include <string.h>

enum {
    BATCH = 512,
    BODIES_MAX = 5000, /* of a larger flock each boid is a dot */
    JOINED_MAX = 600,  /* in a larger flock lines of trails would cover all */
    FLEETING = 2000,   /* boids of a larger flock leave shorter trails */
    SAMPLES = 512,     /* boids that say where the flock is */
};

#define TURN         6.28318530718F
#define LENGTH_LEAST 2.0F /* dots: a shorter body is a dot */
#define LENGTH_MOST  10.0F
#define BY_SPACING   0.42F /* of the distance between boids */
#define LIGHT_LEAST  0.06F /* diameter of a light, as a share of the pane's shorter side */
#define REACHES      2.2F  /* mean distances from the middle within which most boids are */

/* A trail fades in this time, ms. */
enum { TRAIL_LIGHT = 1200, TRAIL = 900, TRAIL_FLEETING = 450 };

/* Returns whether the shape is round and shows no heading, as on the page. */
static bool is_round(const char *shape)
{
    static const char *const shapes[] = {"blur", "ball", "sheep", "person"};
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
        if (strcmp(shape, shapes[i]) == 0) {
            return true;
        }
    }
    return false;
}

/* Returns the distance between boids that are spread over the world, dots. */
static float spacing_of(const struct timeline *timeline, const struct viewport *viewport)
{
    float count = (float)timeline_boid_count(timeline);
    return sqrtf(viewport->width * viewport->height / fmaxf(count, 1)) * viewport->scale;
}

static float length_of_light(const struct proto_room *room, const struct viewport *viewport,
                             float spacing)
{
    float side = fminf((float)(viewport->columns * VIEWPORT_DOTS_X),
                       (float)(viewport->rows * VIEWPORT_DOTS_Y));
    return fminf(fmaxf(room->look_size * viewport->scale, LIGHT_LEAST * side), spacing);
}

struct plot plot_choose(const struct proto_room *room, const struct timeline *timeline,
                        const struct viewport *viewport, bool with_headings)
{
    uint32_t count = timeline_boid_count(timeline);
    float spacing = spacing_of(timeline, viewport);
    bool round = is_round(room->look) && !with_headings;
    bool light = round && strcmp(room->look, "blur") == 0;
    struct plot plot = {
        .body = light ? canvas_light : (round ? canvas_round : canvas_body),
        .length = fminf(BY_SPACING * spacing, LENGTH_MOST),
        .own = round,
        .trail = light ? TRAIL_LIGHT : (count > FLEETING ? TRAIL_FLEETING : TRAIL),
        .joined = count <= JOINED_MAX,
    };
    if (light) {
        plot.length = length_of_light(room, viewport, spacing);
    } else if (round) {
        plot.length =
            fminf(plot.length, fmaxf(room->look_size * viewport->scale / 2, LENGTH_LEAST));
    }
    if (plot.length < LENGTH_LEAST || count > BODIES_MAX) {
        plot.length = 0;
    }
    return plot;
}

/* Gives a boid with a colour of its own a heading that stands for the colour, because cells are
 * coloured by heading. The colour depends on the boid's number alone. */
static void take_own_heading(struct timeline_boid *boid, uint32_t number)
{
    uint32_t hue = (number * 2654435761u >> 16) % PALETTE_HUES;
    float angle = TURN * (float)hue / (float)PALETTE_HUES;
    boid->dx = cosf(angle);
    boid->dy = sinf(angle);
}

/* Draws a boid, or its body. */
static void plot_boid(struct canvas *canvas, const struct timeline_boid *boid,
                      const struct viewport *viewport, const struct plot *plot, bool body)
{
    int column = -1;
    int row = -1;
    float x = 0;
    float y = 0;
    viewport_dot(viewport, boid->x, boid->y, &column, &row);
    if (column < 0 || boid->hidden) {
        return;
    }
    if (body) {
        viewport_point(viewport, boid->x, boid->y, &x, &y);
        plot->body(canvas, x, y, boid->dx, boid->dy, plot->length);
    } else {
        canvas_boid(canvas, column, row, boid->dx, boid->dy);
    }
}

/* Draws all boids, or their bodies. */
static void plot_boids(struct canvas *canvas, const struct timeline *timeline,
                       const struct viewport *viewport, const struct plot *plot, bool body)
{
    struct timeline_boid batch[BATCH];
    uint32_t total = timeline_boid_count(timeline);
    for (uint32_t first = 0; first < total; first += BATCH) {
        uint32_t count = timeline_boids(timeline, first, BATCH, batch);
        for (uint32_t i = 0; i < count; i++) {
            if (plot->own) {
                take_own_heading(&batch[i], first + i);
            }
            plot_boid(canvas, &batch[i], viewport, plot, body);
        }
    }
}

void plot_flock(struct canvas *canvas, const struct timeline *timeline,
                const struct viewport *viewport, const struct plot *plot)
{
    plot_boids(canvas, timeline, viewport, plot, false);
    if (plot->length > 0) {
        plot_boids(canvas, timeline, viewport, plot, true);
    }
}

/* Returns the way from a to b; on a torus of that size the shorter one. */
static float way_between(float a, float b, float size, bool torus)
{
    float way = b - a;
    return torus ? way - size * roundf(way / size) : way;
}

bool plot_find(const struct timeline *timeline, const struct viewport *viewport, bool torus,
               float *x, float *y, float *reach)
{
    struct timeline_boid boids[SAMPLES];
    float sum_x = 0;
    float sum_y = 0;
    float away = 0;
    uint32_t count = timeline_boids(timeline, 0, SAMPLES, boids);
    if (count == 0) {
        return false;
    }
    for (uint32_t i = 0; i < count; i++) {
        sum_x += way_between(boids[0].x, boids[i].x, viewport->width, torus);
        sum_y += way_between(boids[0].y, boids[i].y, viewport->height, torus);
    }
    *x = boids[0].x + sum_x / (float)count;
    *y = boids[0].y + sum_y / (float)count;
    for (uint32_t i = 0; i < count; i++) {
        away += hypotf(way_between(*x, boids[i].x, viewport->width, torus),
                       way_between(*y, boids[i].y, viewport->height, torus));
    }
    *x = torus ? *x - viewport->width * floorf(*x / viewport->width) : *x;
    *y = torus ? *y - viewport->height * floorf(*y / viewport->height) : *y;
    *reach = REACHES * away / (float)count;
    return isfinite(*x) && isfinite(*y) && isfinite(*reach);
}
