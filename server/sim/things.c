#include "sim/things.h"

#include "sim/wide/kernel.h"

#include <assert.h>
#include <stdlib.h>

double things_pace(double mean_speed)
{
    return fmax(FLOCK_HUNTER_PACE * mean_speed, FLOCK_HUNTER_SPEED);
}

/* Rounds a position and moves it into the world. */
static struct flock_point place_hunter(const struct flock *flock, struct vec to)
{
    struct flock_point point = {(float)to.x, (float)to.y};
    walls_admit(&flock->walls, &flock->definition.settings, &point.x, &point.y);
    return point;
}

void things_hunt(const struct flock *flock, struct flock_point *hunter, struct vec way, double pace)
{
    struct vec step = vec_limit(way, pace);
    struct mover mover = {hunter->x, hunter->y, (float)step.x, (float)step.y};
    if (flock->definition.settings.boundary == FLOCK_WALLS) {
        walls_approach(&flock->walls, &mover);
        *hunter = (struct flock_point){mover.x, mover.y};
    } else {
        struct vec to = {(double)hunter->x + step.x, (double)hunter->y + step.y};
        *hunter = place_hunter(flock, to);
    }
}

static void move_hunters(const struct flock *flock, struct flock_things *things)
{
    struct vec torus = flock_torus(flock);
    double speeds = (double)flock->kernel->speeds(flock->vx, flock->vy, flock->count);
    double pace = things_pace(speeds / SPEED_PARTS / flock->count);
    const struct hunt hunt = {.x = flock->x,
                              .y = flock->y,
                              .number = flock->id,
                              .count = flock->count,
                              .width = (float)torus.x,
                              .height = (float)torus.y};
    for (uint32_t i = 0; i < things->hunter_count; i++) {
        struct flock_point *hunter = &things->hunters[i];
        struct vec at = {(double)hunter->x, (double)hunter->y};
        uint32_t prey = flock->kernel->prey(&hunt, hunter->x, hunter->y);
        struct vec way = {nearest_image((double)flock->x[prey] - at.x, torus.x),
                          nearest_image((double)flock->y[prey] - at.y, torus.y)};
        things_hunt(flock, hunter, way, pace);
    }
}

void things_begin(const struct flock *flock, struct flock_things *things, struct bites *bites)
{
    assert(flock->things != NULL);
    *things = *flock->things;
    for (uint32_t i = 0; i < things->food_count; i++) {
        atomic_init(&bites->of[i], 0);
    }
    if (things->hunter_count > 0) {
        move_hunters(flock, things);
    }
}

void things_eat(struct flock_things *things, const uint32_t bites[FLOCK_FOOD_MAX])
{
    uint32_t left = 0;
    for (uint32_t i = 0; i < things->food_count; i++) {
        struct flock_food food = things->food[i];
        if (food.amount > bites[i]) {
            food.amount -= bites[i];
            things->food[left++] = food;
        }
    }
    things->food_count = left;
}

void things_end(struct flock *flock, struct flock_things *things, const struct bites *bites)
{
    uint32_t counts[FLOCK_FOOD_MAX];
    for (uint32_t i = 0; i < things->food_count; i++) {
        counts[i] = atomic_load_explicit(&bites->of[i], memory_order_relaxed);
    }
    things_eat(things, counts);
    *flock->things = *things;
}

void things_admit(struct flock *flock)
{
    struct flock_things *things = flock->things;
    if (things == NULL) {
        return;
    }
    for (uint32_t i = 0; i < things->food_count; i++) {
        walls_admit(&flock->walls, &flock->definition.settings, &things->food[i].x,
                    &things->food[i].y);
    }
    for (uint32_t i = 0; i < things->hunter_count; i++) {
        walls_admit(&flock->walls, &flock->definition.settings, &things->hunters[i].x,
                    &things->hunters[i].y);
    }
}

static bool is_near(float x, float y)
{
    return fabsf(x) <= FLOCK_FAR && fabsf(y) <= FLOCK_FAR;
}

const char *things_problem(const struct flock_things *things)
{
    bool valid = things->food_count <= FLOCK_FOOD_MAX && things->hunter_count <= FLOCK_HUNTERS_MAX;
    for (uint32_t i = 0; valid && i < things->food_count; i++) {
        const struct flock_food *food = &things->food[i];
        valid = is_near(food->x, food->y) && food->amount > 0 && food->amount <= FLOCK_AMOUNT_MAX;
    }
    for (uint32_t i = 0; valid && i < things->hunter_count; i++) {
        valid = is_near(things->hunters[i].x, things->hunters[i].y);
    }
    return valid ? NULL : "food or a hunter is out of range";
}

const struct flock_things *flock_things_of(const struct flock *flock)
{
    static const struct flock_things none;
    return flock->things != NULL ? flock->things : &none;
}

bool flock_set_things(struct flock *flock, const struct flock_things *things)
{
    if (things_problem(things) != NULL) {
        return false;
    }
    if (things->food_count + things->hunter_count == 0) {
        free(flock->things);
        flock->things = NULL;
        return true;
    }
    if (flock->things == NULL) {
        flock->things = malloc(sizeof *flock->things);
    }
    if (flock->things == NULL) {
        return false;
    }
    *flock->things = *things;
    things_admit(flock);
    return true;
}

bool flock_frighten(struct flock *flock)
{
    const struct flock_model *model = flock->definition.settings.model;
    float *weight = &flock->definition.settings.params[model->common[FLOCK_FLEE_WEIGHT]];
    bool fearless = *weight == 0.0f;
    *weight = fearless ? model->flight : *weight;
    return fearless;
}
