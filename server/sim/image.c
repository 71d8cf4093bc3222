/* A flock as an image, which can be saved and made into a flock again. */
#include "sim/state.h"
#include "sim/things.h"
#include "sim/wide/kernel.h"

#include <stdlib.h>
#include <string.h>

_Static_assert(sizeof((struct flock_image *)0)->place / sizeof(float *) == PLACE_COUNT,
               "an image has the places that a flock has");

void flock_image_of(const struct flock *flock, struct flock_image *image)
{
    *image = (struct flock_image){
        .definition = flock->definition,
        .epoch = flock->epoch,
        .ticks = flock->ticks,
        .things = *flock_things_of(flock),
        .boids = flock_slots(flock),
    };
    for (size_t place = 0; flock->own_places && place < PLACE_COUNT; place++) {
        image->place[place] = flock->place[place];
    }
}

/* Returns whether each number from 0 on occurs once. */
static const char *check_numbers(const uint32_t *number, uint32_t count)
{
    uint64_t *seen = calloc(count / 64 + 1, sizeof *seen);
    bool whole = true;
    if (seen == NULL) {
        return "out of memory";
    }
    for (uint32_t slot = 0; slot < count && whole; slot++) {
        uint32_t i = number[slot];
        whole = i < count && (seen[i / 64] >> i % 64 & 1) == 0;
        seen[whole ? i / 64 : 0] |= (uint64_t)1 << i % 64;
    }
    free(seen);
    return whole ? NULL : "a boid's number occurs twice, or is missing";
}

/* Returns whether all values are numbers from low to high; `below`: high itself is out of range. */
static bool within(const float *values, uint32_t count, float low, float high, bool below)
{
    for (uint32_t i = 0; i < count; i++) {
        if (!(values[i] >= low && values[i] <= high) || (below && values[i] == high)) {
            return false;
        }
    }
    return true;
}

static const char *check(const struct flock_image *image)
{
    const struct flock_definition *definition = &image->definition;
    const struct flock_slots *boids = &image->boids;
    const struct flock_settings *settings = &definition->settings;
    const char *problem = flock_settings_problem(settings);
    if (problem != NULL) {
        return problem;
    }
    if (definition->boids < 1 || definition->boids > FLOCK_BOIDS_MAX) {
        return "the flock's definition is out of range";
    }
    uint32_t count = definition->boids;
    bool open = settings->boundary == FLOCK_OPEN;
    bool torus = settings->boundary == FLOCK_WRAP;
    float low = open ? -FLOCK_FAR : 0.0f;
    if (!within(boids->x, count, low, open ? FLOCK_FAR : settings->width, torus) ||
        !within(boids->y, count, low, open ? FLOCK_FAR : settings->height, torus)) {
        return "a boid is outside the world";
    }
    if (!within(boids->vx, count, -FLOCK_FAR, FLOCK_FAR, false) ||
        !within(boids->vy, count, -FLOCK_FAR, FLOCK_FAR, false)) {
        return "a boid is too fast";
    }
    for (size_t place = 0; place < PLACE_COUNT; place++) {
        if (image->place[place] != NULL && !within(image->place[place], count, 0.0f, 1.0f, false)) {
            return "a boid's coefficient is out of its range";
        }
    }
    problem = things_problem(&image->things);
    return problem != NULL ? problem : check_numbers(boids->number, count);
}

/* Copies the boids' positions and velocities; flock_hatch() has made each boid under its number. */
static void take_boids(struct flock *flock, const struct flock_image *image)
{
    size_t size = flock->count * sizeof *flock->x;
    memcpy(flock->id, image->boids.number, flock->count * sizeof *flock->id);
    memcpy(flock->x, image->boids.x, size);
    memcpy(flock->y, image->boids.y, size);
    memcpy(flock->vx, image->boids.vx, size);
    memcpy(flock->vy, image->boids.vy, size);
    flock->own_places = image->place[0] != NULL;
    for (size_t place = 0; place < PLACE_COUNT && flock->own_places; place++) {
        memcpy(flock->place[place], image->place[place], size);
    }
}

struct flock *flock_create_image(const struct flock_image *image, const char **problem)
{
    *problem = check(image);
    if (*problem != NULL) {
        return NULL;
    }
    struct flock *flock = flock_create(&image->definition);
    if (flock == NULL) {
        *problem = "out of memory";
        return NULL;
    }
    /* Moves no boid, because the image's boids are off the walls. */
    take_boids(flock, image);
    flock->epoch = image->epoch;
    flock->ticks = image->ticks;
    if (!flock_set_things(flock, &image->things)) {
        flock_destroy(flock);
        *problem = "out of memory";
        return NULL;
    }
    return flock;
}
