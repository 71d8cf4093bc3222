#include "sim/rules.h"

#include "sim/trig.h"

#include <string.h>

double sight_cosine(float degrees)
{
    double sine;
    double cosine;
    trig_sincos((double)degrees * (TRIG_PI / 360.0), &sine, &cosine);
    return degrees >= 360.0f ? -2.0 : cosine;
}

/* Lets the boid seek food that it sees instead of its target. */
static void sight_food(struct sight *sight, const struct aim *aim)
{
    const struct vec torus = {sight->width, sight->height};
    const struct vec p = sight->bodies[sight->self].p;
    double square = INFINITY;
    uint32_t food = FOOD_NONE;
    for (uint32_t i = 0; i < aim->foods; i++) {
        if (aim_square(aim, i, p, torus) < square) {
            square = aim_square(aim, i, p, torus);
            food = i;
        }
    }
    sight->keenness = 1.0;
    sight->bite = FOOD_NONE;
    if (square < (double)FLOCK_FOOD_SIGHT * (double)FLOCK_FOOD_SIGHT &&
        is_informed(sight->self, aim->informed)) {
        sight->target = &aim->food[food];
        sight->keenness = FOOD_KEENNESS;
        sight->bite = square < (double)FLOCK_FOOD_BITE * (double)FLOCK_FOOD_BITE ? food : FOOD_NONE;
    }
}

static void sight_target(struct sight *sight, const struct aim *aim)
{
    struct vec p = sight->bodies[sight->self].p;
    double nearest = INFINITY;
    sight->target = NULL;
    for (uint32_t i = 0; i < aim->targets; i++) {
        struct vec d = sight_between(sight, p, aim->target[i]);
        if (vec_dot(d, d) < nearest) {
            nearest = vec_dot(d, d);
            sight->target = &aim->target[i];
        }
    }
    if (nearest < (double)aim->clearance * (double)aim->clearance ||
        !is_informed(sight->self, aim->informed)) {
        sight->target = NULL;
    }
}

void sight_aim(struct sight *sight, const struct aim *aim, double flee_distance)
{
    struct vec p = sight->bodies[sight->self].p;
    sight_target(sight, aim);
    sight_food(sight, aim);
    sight->flight = (struct vec){0.0, 0.0};
    for (uint32_t i = 0; i < aim->predators; i++) {
        struct vec d = sight_between(sight, p, aim->predator[i]);
        double length = vec_length(d);
        if (length < flee_distance) {
            struct vec away = vec_scale(vec_unit(d), 1.0 - length / flee_distance);
            sight->flight = vec_sub(sight->flight, away);
        }
    }
}

static double clamp_far(float value)
{
    return (double)fminf(fmaxf(value, -FLOCK_FAR), FLOCK_FAR);
}

static void take_things(struct aim *aim, const struct flock_things *things)
{
    aim->foods = things->food_count;
    for (uint32_t i = 0; i < things->food_count; i++) {
        aim->food[i] = (struct vec){(double)things->food[i].x, (double)things->food[i].y};
    }
    for (uint32_t i = 0; i < things->hunter_count; i++) {
        aim->predator[aim->predators++] =
            (struct vec){(double)things->hunters[i].x, (double)things->hunters[i].y};
    }
}

void aim_take(struct aim *aim, const struct flock_settings *settings,
              const struct flock_things *things, const struct flock_target *targets, size_t count,
              float clearance)
{
    aim->clearance = clearance;
    aim->informed = common_param(settings->model, FLOCK_INFORMED, settings->params);
    aim->targets = 0;
    aim->predators = 0;
    aim->foods = 0;
    for (size_t i = 0; i < count && i < FLOCK_TARGETS_MAX; i++) {
        if (isnan(targets[i].x) || isnan(targets[i].y)) {
            continue;
        }
        struct vec at = {clamp_far(targets[i].x), clamp_far(targets[i].y)};
        if (targets[i].predator) {
            aim->predator[aim->predators++] = at;
        } else {
            aim->target[aim->targets++] = at;
        }
    }
    if (things->food_count + things->hunter_count > 0) {
        take_things(aim, things);
    }
}

void aim_wrap(struct aim *aim, struct vec torus)
{
    for (uint32_t i = 0; i < aim->targets; i++) {
        aim->target[i].x -= torus.x * floor(aim->target[i].x / torus.x);
        aim->target[i].y -= torus.y * floor(aim->target[i].y / torus.y);
    }
    for (uint32_t i = 0; i < aim->predators; i++) {
        aim->predator[i].x -= torus.x * floor(aim->predator[i].x / torus.x);
        aim->predator[i].y -= torus.y * floor(aim->predator[i].y / torus.y);
    }
}

static void round_points(struct aim_points *points, const struct vec *from)
{
    const uint32_t count = points->count;
    if (count == 0) {
        return;
    }
    const uint32_t block = (count - 1) / 16 * 16;
    for (uint32_t i = block; i < block + 16; i++) {
        points->x[i] = (float)from[count - 1].x;
        points->y[i] = (float)from[count - 1].y;
    }
    for (uint32_t i = 0; i + 1 < count; i++) {
        points->x[i] = (float)from[i].x;
        points->y[i] = (float)from[i].y;
    }
}

void aim_round(struct aim *aim)
{
    aim->goals.count = aim->targets;
    aim->meals.count = aim->foods;
    aim->fears.count = aim->predators;
    aim->many = aim->targets >= TARGETS_MANY || aim->foods >= TARGETS_MANY ||
                aim->predators >= PREDATORS_MANY;
    round_points(&aim->goals, aim->target);
    round_points(&aim->meals, aim->food);
    round_points(&aim->fears, aim->predator);
}

void parts_list(struct parts *parts, const struct parts_neighbour *neighbour)
{
    struct parts_neighbour *list = parts->nearest;
    uint32_t at = parts->listed;
    while (at > 0 &&
           (neighbour->square < list[at - 1].square || (neighbour->square <= list[at - 1].square &&
                                                        neighbour->number < list[at - 1].number))) {
        at--; /* equally near ones are in the order of their numbers, not of the search */
    }
    if (at == WHY_NEIGHBOURS) {
        return;
    }
    parts->listed += parts->listed < WHY_NEIGHBOURS;
    memmove(&list[at + 1], &list[at], (parts->listed - at - 1) * sizeof *list);
    list[at] = *neighbour;
    if (parts->listed == WHY_NEIGHBOURS) {
        parts->farthest = list[WHY_NEIGHBOURS - 1].square;
    }
}

void parts_scale(struct parts *parts, double factor)
{
    for (size_t cause = 0; parts != NULL && cause < CAUSE_COUNT; cause++) {
        parts->push[cause] = vec_scale(parts->push[cause], factor);
    }
}

struct vec parts_sum(const struct parts *parts)
{
    struct vec sum = {0};
    for (size_t cause = 0; cause < CAUSE_COUNT; cause++) {
        sum = vec_add(sum, parts->push[cause]);
    }
    return sum;
}
