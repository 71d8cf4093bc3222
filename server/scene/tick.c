/* The ticks of a scene: scene.h. */
#include "scene/inside.h"

/* Makes one target for all boids, or none. */
static void choose_target(struct scene *scene, uint64_t time)
{
    const struct flock_settings *flock = flock_settings_of(scene->flock);
    bool torus = flock->boundary == FLOCK_WRAP;
    struct cursor_target target = {.policy = (enum cursor_policy)scene->controls.policy,
                                   .has_last = scene->has_target,
                                   .last_x = scene->target.x,
                                   .last_y = scene->target.y,
                                   .width = torus ? flock->width : 0.0F,
                                   .height = torus ? flock->height : 0.0F};
    const struct person *person;
    uint32_t next = 0;

    while ((person = people_each(&scene->people, &next)) != NULL) {
        if (scene_steers(scene, person, time)) {
            cursor_gather(&target, &person->cursor);
        }
    }
    scene->has_target = cursor_resolve(&target, &scene->target.x, &scene->target.y);
    if (!scene->has_target && scene->controls.idle == CURSOR_WANDER) {
        cursor_wander(time, flock->width, flock->height, &scene->target.x, &scene->target.y);
        scene->has_target = true;
    }
}

/* Makes a predator of each shown person's active cursor. Returns how many. */
static size_t choose_predators(const struct scene *scene, uint64_t time,
                               struct flock_target targets[FLOCK_TARGETS_MAX])
{
    size_t count = 0;

    for (uint32_t i = 0; i < scene->people.shown_count; i++) {
        const struct person *person = &scene->people.slots[scene->people.shown[i]];
        if (scene_steers(scene, person, time)) {
            targets[count++] = (struct flock_target){
                .x = person->cursor.x, .y = person->cursor.y, .predator = true};
        }
    }
    return count;
}

/* Makes a target of each leader. Returns how many. */
static size_t choose_leaders(const struct scene *scene, uint64_t time,
                             struct flock_target targets[FLOCK_TARGETS_MAX])
{
    struct scene_leader leaders[PROTO_LEADERS_MAX];
    size_t count = scene_leaders(scene, time, leaders);

    for (size_t i = 0; i < count; i++) {
        targets[i] = (struct flock_target){.x = leaders[i].x, .y = leaders[i].y};
    }
    return count;
}

/* Stores the targets of people or teams, unless there is one target for all. Returns how many. */
static size_t choose_several(const struct scene *scene, uint64_t time,
                             struct flock_target targets[FLOCK_TARGETS_MAX])
{
    return scene->controls.cursors == CURSORS_SCARE ? choose_predators(scene, time, targets)
                                                    : choose_leaders(scene, time, targets);
}

/* Adds the scene's one target if there are no others. Returns the number of targets. */
static size_t add_target(const struct scene *scene, size_t count,
                         struct flock_target targets[FLOCK_TARGETS_MAX])
{
    if (count == 0 && scene->has_target) {
        targets[count++] = (struct flock_target){.x = scene->target.x, .y = scene->target.y};
    }
    return count;
}

/* Turns the cursors into the scene's one target (returns 0) or into several (returns how many). */
static size_t aim_at_each(struct scene *scene, uint64_t time,
                          struct flock_target targets[FLOCK_TARGETS_MAX])
{
    size_t count;

    relay_round(scene);
    teams_round(scene, time);
    count = choose_several(scene, time, targets);
    if (count == 0) {
        choose_target(scene, time);
    } else {
        scene->has_target = false;
    }
    scene->rounds++;
    return count;
}

size_t scene_aim(struct scene *scene, uint64_t time, struct flock_target targets[FLOCK_TARGETS_MAX])
{
    return add_target(scene, aim_at_each(scene, time, targets), targets);
}

/* Returns how many boids are in the pen; with `whole`, stops at the first boid outside. */
static uint32_t count_inside(const struct flock *flock, const struct flock_box *pen, bool whole)
{
    const struct flock_slots slots = flock_slots(flock);
    uint32_t inside = 0;

    for (uint32_t i = 0; i < flock_count(flock); i++) {
        bool in = slots.x[i] >= pen->left && slots.x[i] <= pen->right && slots.y[i] >= pen->top &&
                  slots.y[i] <= pen->bottom;
        if (!in && whole) {
            break;
        }
        inside += in;
    }
    return inside;
}

/* Measures how long it takes until all boids are in the pen. */
static void herd(struct scene *scene)
{
    const struct flock_box *pen = scene_pen(scene);

    if (pen != NULL && !scene->herding.done) {
        scene->herding.ticks++;
        scene->herding.done = count_inside(scene->flock, pen, true) == flock_count(scene->flock);
    }
}

void scene_penned(const struct scene *scene, struct proto_penned *penned)
{
    const struct flock_box *pen = scene_pen(scene);

    *penned = (struct proto_penned){0};
    if (pen != NULL) {
        penned->inside = count_inside(scene->flock, pen, false);
        penned->boids = flock_count(scene->flock);
        penned->seconds = (uint32_t)(scene->herding.ticks / scene->definition.tick_rate);
        penned->done = scene->herding.done;
    }
}

static float clearance_of(const struct scene *scene, size_t targets)
{
    return scene->controls.clearance > 0 ? flock_clearance(scene->flock, targets) : 0.0F;
}

bool scene_explain(const struct scene *scene, struct flock_workspace *workspace, uint64_t time,
                   struct flock_why *why, uint32_t count)
{
    struct flock_target targets[FLOCK_TARGETS_MAX];
    const size_t aimed = add_target(scene, choose_several(scene, time, targets), targets);

    return flock_explain(scene->flock, workspace, targets, aimed, clearance_of(scene, aimed), why,
                         count);
}

/* Returns false, with the flock unchanged, if the tick was stopped. */
static bool move(struct scene *scene, struct flock_workspace *workspace,
                 const struct flock_target *targets, size_t count)
{
    bool moved =
        flock_tick_clear(scene->flock, workspace, targets, count, clearance_of(scene, count));

    if (moved) {
        scene->ticks++;
        herd(scene);
        scene->steps -= scene->controls.run == RUN_PAUSED;
    }
    return moved;
}

enum scene_tick_result scene_move(struct scene *scene, struct flock_workspace *workspace,
                                  const struct flock_target *targets, size_t count)
{
    if (scene->controls.run == RUN_PAUSED && scene->steps == 0) {
        return SCENE_TICK_DONE;
    }
    if (!flock_workspace_reserve(workspace, flock_count(scene->flock))) {
        return SCENE_TICK_NO_MEMORY;
    }
    return move(scene, workspace, targets, count) ? SCENE_TICK_DONE : SCENE_TICK_GIVEN_UP;
}

enum scene_tick_result scene_tick(struct scene *scene, struct flock_workspace *workspace,
                                  uint64_t time)
{
    struct flock_target targets[FLOCK_TARGETS_MAX];
    size_t count = scene_aim(scene, time, targets);

    return scene_move(scene, workspace, targets, count);
}

void scene_tick_still(struct scene *scene, uint64_t time)
{
    struct flock_target targets[FLOCK_TARGETS_MAX];

    (void)scene_aim(scene, time, targets);
}
