#include "sim/plain.h"

#include "sim/things.h"
#include "sim/trig.h"
#include "sim/wide/kernel.h"

#include <assert.h>
#include <string.h>

#define NONE UINT32_MAX

/* The work of this engine, in pairs of the fast engine, which the limit of a tick counts: to read a
 * boid of a cell, to compute a pair, to let a boid bounce off one of many walls. A scan takes an
 * eighth of a pair for a boid. */
#define CELL_WORK     3u
#define PAIR_WORK     16u
#define WALL_WORK     128u
#define SCANNED_BOIDS 8u

void plain_take(struct plain *plain, struct arena *arena, uint32_t boids)
{
    /* The number of cells determines the order in which neighbours are added up. */
    uint32_t cells = 16;
    while (cells < boids) {
        cells *= 2;
    }
    plain->count = boids;
    plain->mask = cells - 1;
    plain->bodies = arena_take(arena, boids, sizeof *plain->bodies);
    plain->before = arena_take(arena, boids, sizeof *plain->before);
    plain->near = arena_take(arena, boids, sizeof *plain->near);
    plain->found = arena_take(arena, (size_t)boids + FLOCK_SLACK, sizeof *plain->found);
    plain->x = arena_take(arena, (size_t)boids + FLOCK_SLACK, sizeof *plain->x);
    plain->y = arena_take(arena, (size_t)boids + FLOCK_SLACK, sizeof *plain->y);
    plain->next = arena_take(arena, boids, sizeof *plain->next);
    plain->cell = arena_take(arena, boids, sizeof *plain->cell);
    plain->first = arena_take(arena, cells, sizeof *plain->first);
    for (int i = 0; i < PLACE_COUNT; i++) {
        plain->own[i] = arena_take(arena, boids, sizeof *plain->own[i]);
    }
}

void plain_load(struct plain *plain, const struct flock *flock)
{
    assert(plain->count == flock->count);
    plain->ticks = flock->ticks;
    plain->things = *flock_things_of(flock);
    for (uint32_t slot = 0; slot < flock->count; slot++) {
        uint32_t i = flock->id[slot];
        struct body *body = &plain->bodies[i];
        body->p = (struct vec){(double)flock->x[slot], (double)flock->y[slot]};
        body->v = (struct vec){(double)flock->vx[slot], (double)flock->vy[slot]};
        body->h = vec_unit(body->v);
    }
    for (int place = 0; place < PLACE_COUNT; place++) {
        memcpy(plain->own[place], flock->place[place], flock->count * sizeof *plain->own[place]);
    }
}

static double clamp_far(double value)
{
    return fmin(fmax(value, (double)-FLOCK_FAR), (double)FLOCK_FAR);
}

static double wrapped(double value, double size)
{
    value -= size * floor(value / size);
    return value < size ? value : 0.0;
}

/* Sets a boid's velocity and moves it. */
static void advance(const struct flock *flock, struct body *body, struct vec v)
{
    const struct flock_settings *world = &flock->definition.settings;
    struct vec from = body->p;
    body->v = (struct vec){clamp_far(v.x), clamp_far(v.y)};
    body->p = vec_add(from, body->v);
    if (world->boundary == FLOCK_WRAP) {
        body->p.x = wrapped(body->p.x, (double)world->width);
        body->p.y = wrapped(body->p.y, (double)world->height);
    } else if (world->boundary == FLOCK_OPEN) {
        body->p = (struct vec){clamp_far(body->p.x), clamp_far(body->p.y)};
    } else if (walls_in_way(&flock->walls, from.x, from.y, body->p.x, body->p.y)) {
        struct mover mover = {(float)from.x, (float)from.y, (float)body->v.x, (float)body->v.y};
        walls_move(&flock->walls, &mover);
        body->p = (struct vec){(double)mover.x, (double)mover.y};
        body->v = (struct vec){(double)mover.vx, (double)mover.vy};
    }
    body->h = vec_unit(body->v);
}

/* Turns a boid's new velocity by its noise. */
static struct vec disturbed(const struct noise *noise, uint32_t number, struct vec v)
{
    double sine;
    double cosine;
    trig_sincos((double)noise_share(noise, number) * (double)noise->span, &sine, &cosine);
    return vec_turn(v, sine, cosine);
}

static double mean_on_circle(const struct body *bodies, uint32_t count, double size, bool vertical)
{
    double sum_sine = 0.0;
    double sum_cosine = 0.0;
    for (uint32_t i = 0; i < count; i++) {
        double sine;
        double cosine;
        double at = vertical ? bodies[i].p.y : bodies[i].p.x;
        trig_sincos(at * (2.0 * TRIG_PI / size), &sine, &cosine);
        sum_sine += sine;
        sum_cosine += cosine;
    }
    return trig_atan2(sum_sine, sum_cosine) * (size / (2.0 * TRIG_PI));
}

static struct vec centroid(const struct plain *plain, struct vec torus)
{
    struct vec sum = {0};
    if (torus.x > 0.0) {
        return (struct vec){mean_on_circle(plain->bodies, plain->count, torus.x, false),
                            mean_on_circle(plain->bodies, plain->count, torus.y, true)};
    }
    for (uint32_t i = 0; i < plain->count; i++) {
        sum = vec_add(sum, plain->bodies[i].p);
    }
    return vec_scale(sum, 1.0 / plain->count);
}

static int64_t cell_at(double at, double size)
{
    return (int64_t)floor(at / size);
}

static uint32_t cell_index(const struct plain *plain, int64_t column, int64_t row)
{
    if (plain->columns > 0) {
        column = (column + plain->columns) % plain->columns;
        row = (row + plain->rows) % plain->rows;
    }
    return ((uint32_t)column * 0x9e3779b1u ^ (uint32_t)row * 0x85ebca77u) * 0xc2b2ae35u >> 7 &
           plain->mask;
}

static uint32_t cell_of(const struct plain *plain, struct vec p)
{
    return cell_index(plain, cell_at(p.x, plain->cell_w), cell_at(p.y, plain->cell_h));
}

static void link_boid(struct plain *plain, uint32_t i, uint32_t cell)
{
    plain->cell[i] = cell;
    plain->next[i] = plain->first[cell];
    plain->first[cell] = i;
}

static void relink_boid(struct plain *plain, uint32_t i)
{
    uint32_t cell = cell_of(plain, plain->bodies[i].p);
    if (cell == plain->cell[i]) {
        return;
    }
    uint32_t *link = &plain->first[plain->cell[i]];
    while (*link != i) {
        link = &plain->next[*link];
    }
    *link = plain->next[i];
    link_boid(plain, i, cell);
}

/* Lays cells no smaller than the reach. Returns false if fewer than 4 x 4 cells fit into the torus:
 * looking at every boid is then as fast. */
static bool lay_cells(struct plain *plain, double reach, struct vec torus)
{
    plain->cell_w = plain->cell_h = reach;
    plain->columns = plain->rows = 0;
    if (torus.x > 0.0) {
        plain->columns = (uint32_t)(torus.x / plain->cell_w);
        plain->rows = (uint32_t)(torus.y / plain->cell_h);
        if (plain->columns < 4 || plain->rows < 4) {
            return false;
        }
        plain->cell_w = torus.x / plain->columns;
        plain->cell_h = torus.y / plain->rows;
    }
    memset(plain->first, 0xff, (plain->mask + 1) * sizeof *plain->first);
    for (uint32_t i = 0; i < plain->count; i++) {
        link_boid(plain, i, cell_of(plain, plain->bodies[i].p));
    }
    return true;
}

/* Adds another boid, unless it is farther away than a little more than the boid's reach. */
static inline void add_glimpse(const struct plain *plain, struct sight *sight, uint32_t other)
{
    struct vec d = sight_of(sight, &sight->bodies[other]);
    double square = vec_dot(d, d);
    if (square <= plain->reach_square && other != sight->self) {
        sight->near[sight->near_count++] = (struct glimpse){d, sqrt(square), other};
    }
}

/* Adds the near boids of a list. Returns how many boids the list has. */
static uint32_t gather_list(struct plain *plain, struct sight *sight, uint32_t list)
{
    uint32_t listed = 0;
    for (uint32_t i = plain->first[list]; i != NONE; i = plain->next[i]) {
        add_glimpse(plain, sight, i);
        listed++;
    }
    return listed;
}

/* Collects the boids near a boid, from the nine cells around it. Reads cells that share a list only
 * once. Returns how many boids the cells have. */
static uint32_t gather(struct plain *plain, struct sight *sight)
{
    const struct vec p = sight->bodies[sight->self].p;
    uint32_t lists[9] = {0};
    uint32_t list_count = 0;
    uint32_t listed = 0;
    int64_t column = cell_at(p.x, plain->cell_w);
    int64_t row = cell_at(p.y, plain->cell_h);
    for (int k = 0; k < 9; k++) {
        uint32_t list = cell_index(plain, column + k % 3 - 1, row + k / 3 - 1);
        bool taken = false;
        for (uint32_t before = 0; before < list_count; before++) {
            taken = taken || lists[before] == list;
        }
        if (taken) {
            continue;
        }
        lists[list_count++] = list;
        listed += gather_list(plain, sight, list);
    }
    return listed;
}

/* Returns the displacement from a point to the nearest boid, of several to the one with the lowest
 * number. */
static struct vec way_to_prey(const struct plain *plain, struct vec at, struct vec torus)
{
    struct vec way = {0};
    double nearest = INFINITY;
    for (uint32_t i = 0; i < plain->count; i++) {
        struct vec d = {nearest_image(plain->bodies[i].p.x - at.x, torus.x),
                        nearest_image(plain->bodies[i].p.y - at.y, torus.y)};
        if (vec_dot(d, d) < nearest) {
            nearest = vec_dot(d, d);
            way = d;
        }
    }
    return way;
}

static void move_hunters(struct plain *plain, const struct flock *flock, struct vec torus)
{
    double speed = 0.0;
    for (uint32_t i = 0; i < plain->count; i++) {
        speed += vec_length(plain->bodies[i].v);
    }
    for (uint32_t i = 0; i < plain->things.hunter_count; i++) {
        struct flock_point *hunter = &plain->things.hunters[i];
        struct vec at = {(double)hunter->x, (double)hunter->y};
        things_hunt(flock, hunter, way_to_prey(plain, at, torus),
                    things_pace(speed / plain->count));
    }
}

/* How a turn finds the boids near a boid. */
enum search {
    SEARCH_ALL,   /* every boid is near: for the reference */
    SEARCH_CELLS, /* in the cells around it */
    SEARCH_SCAN   /* compares all boids, many at a time, which needs no cells; only before the boids
                     have moved */
};

/* The surroundings of a tick. */
struct turn {
    struct plain *plain;
    const struct flock *flock;
    const struct flock_rules *rules;
    const struct aim *aim;
    struct noise noise;
    double flee_distance;
    enum search search;
    bool synchronous;
    float reach;
    struct hunt hunt; /* the boids before the tick, for SEARCH_SCAN */
    struct sight sight;
    uint32_t work; /* of the last boid, in pairs of the fast engine: see CELL_WORK */
};

/* Stores the positions as the floats that they were before the tick. */
static void round_positions(struct plain *plain)
{
    for (uint32_t i = 0; i < plain->count; i++) {
        plain->x[i] = (float)plain->bodies[i].p.x;
        plain->y[i] = (float)plain->bodies[i].p.y;
    }
}

static void begin_search(struct turn *turn, enum search search)
{
    struct plain *plain = turn->plain;
    const struct flock_rules *rules = turn->rules;
    double reach = fmax((double)rules->reach(turn->sight.params) * 1.0001, 1.0);
    struct vec torus = flock_torus(turn->flock);
    plain->reach_square = search != SEARCH_ALL ? reach * reach : INFINITY;
    turn->search = search;
    if (search == SEARCH_CELLS && !lay_cells(plain, reach, torus)) {
        turn->search = SEARCH_ALL;
    }
    if (search == SEARCH_SCAN) {
        round_positions(plain);
        turn->hunt = (struct hunt){.x = plain->x,
                                   .y = plain->y,
                                   .count = plain->count,
                                   .width = (float)torus.x,
                                   .height = (float)torus.y};
        turn->reach = (float)reach;
    }
}

static struct turn begin_turn(struct plain *plain, const struct flock *flock, const struct aim *aim,
                              enum search search)
{
    const struct flock_settings *settings = &flock->definition.settings;
    struct vec torus = flock_torus(flock);
    struct turn turn = {
        .plain = plain,
        .flock = flock,
        .rules = settings->model->rules,
        .aim = aim,
        .noise = flock_noise(flock, plain->ticks),
        .flee_distance =
            (double)common_param(settings->model, FLOCK_FLEE_DISTANCE, settings->params),
        .synchronous = settings->update == FLOCK_SYNCHRONOUS,
        .sight = {.bodies = plain->bodies,
                  .near = plain->near,
                  .params = settings->params,
                  .width = torus.x,
                  .height = torus.y},
    };
    begin_search(&turn, search);
    return turn;
}

/* Collects the boids near the boid that looks. Returns the work. */
static uint32_t look_around(struct turn *turn)
{
    struct plain *plain = turn->plain;
    struct sight *sight = &turn->sight;
    sight->near_count = 0;
    if (turn->search == SEARCH_CELLS) {
        return CELL_WORK * gather(plain, sight);
    }
    if (turn->search == SEARCH_ALL) {
        for (uint32_t i = 0; i < plain->count; i++) {
            add_glimpse(plain, sight, i);
        }
        return 0;
    }
    uint32_t found = turn->flock->kernel->within(&turn->hunt, plain->x[sight->self],
                                                 plain->y[sight->self], turn->reach, plain->found);
    for (uint32_t i = 0; i < found; i++) {
        add_glimpse(plain, sight, plain->found[i]);
    }
    return plain->count / SCANNED_BOIDS;
}

/* Lets the rules look from boid i. */
static void look_from(struct turn *turn, uint32_t i)
{
    struct sight *sight = &turn->sight;
    sight->self = i;
    sight_aim(sight, turn->aim, turn->flee_distance);
    for (size_t place = 0; turn->rules->own && place < PLACE_COUNT; place++) {
        sight->own[place] = (double)flock_own_value(turn->flock, place, turn->plain->own[place][i]);
    }
    turn->work = look_around(turn) + PAIR_WORK * sight->near_count;
}

/* Moves boid i. */
static void move_boid(struct turn *turn, uint32_t i, struct parts *parts)
{
    const struct flock_settings *settings = &turn->flock->definition.settings;
    struct body *body = &turn->plain->bodies[i];
    look_from(turn, i);
    struct vec v = turn->rules->velocity(&turn->sight, parts);
    struct vec after = turn->noise.span > 0.0f ? disturbed(&turn->noise, i, v) : v;
    advance(turn->flock, body, after);
    parts_add(parts, CAUSE_NOISE, vec_sub(after, v));
    parts_add(parts, settings->boundary == FLOCK_WALLS ? CAUSE_WALLS : CAUSE_LIMITS,
              vec_sub(body->v, after));
    if (turn->search == SEARCH_CELLS && !turn->synchronous) {
        relink_boid(turn->plain, i);
    }
}

/* Returns the work of a boid among walls. */
static uint32_t work_of_walls(const struct flock *flock)
{
    return flock->walls.count * WALL_WORK;
}

void plain_tick(struct plain *plain, const struct flock *flock, const struct aim *aim,
                struct limit *limit)
{
    struct turn turn = begin_turn(plain, flock, aim, limit != NULL ? SEARCH_CELLS : SEARCH_ALL);
    uint32_t bites[FLOCK_FOOD_MAX] = {0};
    uint32_t work = 0;
    turn.sight.centroid = centroid(plain, flock_torus(flock));
    if (plain->things.hunter_count > 0) {
        move_hunters(plain, flock, flock_torus(flock));
    }
    if (turn.synchronous) {
        memcpy(plain->before, plain->bodies, plain->count * sizeof *plain->bodies);
        turn.sight.bodies = plain->before;
    }
    for (uint32_t i = 0; i < plain->count; i++) {
        move_boid(&turn, i, NULL);
        if (turn.sight.bite != FOOD_NONE) {
            bites[turn.sight.bite]++;
        }
        if (limit != NULL && limit_count(limit, &work, turn.work + work_of_walls(flock))) {
            return;
        }
    }
    things_eat(&plain->things, bites);
    plain->ticks++;
}

static void explain_boid(struct turn *turn, struct plain_boid *boid)
{
    struct body *body = &turn->plain->bodies[boid->number];
    boid->before = *body;
    boid->parts = (struct parts){.farthest = INFINITY};
    move_boid(turn, boid->number, &boid->parts);
    boid->after = *body;
    if (turn->synchronous) {
        *body = boid->before; /* the others read the flock before the tick */
    }
}

bool plain_explain(struct plain *plain, const struct flock *flock, const struct aim *aim,
                   struct limit *limit, const struct plain_question *question)
{
    struct turn turn = begin_turn(
        plain, flock, aim,
        flock->definition.settings.update == FLOCK_SYNCHRONOUS ? SEARCH_SCAN : SEARCH_CELLS);
    struct plain_boid *boids = question->boids;
    uint32_t work = 0;
    uint32_t next = 0; /* in the sequential order: the first boid that has not moved */
    turn.sight.centroid = question->centroid;
    for (uint32_t i = 0; i < question->count; i++) {
        assert(boids[i].number < plain->count && next <= boids[i].number);
        while (!turn.synchronous && next < boids[i].number) {
            move_boid(&turn, next++, NULL);
            if (limit_count(limit, &work, turn.work + work_of_walls(flock))) {
                return false;
            }
        }
        explain_boid(&turn, &boids[i]);
        next = boids[i].number + 1;
        if (limit_count(limit, &work, turn.work + work_of_walls(flock))) {
            return false;
        }
    }
    return true;
}
