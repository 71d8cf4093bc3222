#include "scene/things.h"

#include <math.h>
#include <string.h>

#include "base/refusal.h"
#include "scene/control.h"
#include "scene/inside.h"

/* Gives the flock those things, which are valid. what: how the error begins. */
static bool put_things(struct scene *scene, const struct flock_things *things, const char *what,
                       struct proto_error *error)
{
    return flock_set_things(scene->flock, things) ||
           refuse_message(error, PROTO_E_FULL, "", "%s: out of memory", what);
}

bool things_food(struct scene *scene, const struct proto_food *message, struct change *change,
                 struct proto_error *error)
{
    struct flock_things things = *flock_things_of(scene->flock);

    if (!cursor_reaches(flock_settings_of(scene->flock), message->x, message->y, error)) {
        return false;
    }
    if (things.food_count == FLOCK_FOOD_MAX) {
        return refuse_message(error, PROTO_E_FULL, "", "food: there are %u pieces, the most",
                              FLOCK_FOOD_MAX);
    }
    things.food[things.food_count++] = (struct flock_food){message->x, message->y, message->amount};
    change->changed = put_things(scene, &things, "food", error);
    return change->changed;
}

bool things_hunter(struct scene *scene, const struct proto_hunter *message, struct change *change,
                   struct proto_error *error)
{
    struct flock_things things = *flock_things_of(scene->flock);

    if (!cursor_reaches(flock_settings_of(scene->flock), message->x, message->y, error)) {
        return false;
    }
    if (things.hunter_count == FLOCK_HUNTERS_MAX) {
        return refuse_message(error, PROTO_E_FULL, "", "hunter: there are %u, the most",
                              FLOCK_HUNTERS_MAX);
    }
    things.hunters[things.hunter_count++] = (struct flock_point){message->x, message->y};
    if (!put_things(scene, &things, "hunter", error)) {
        return false;
    }
    scene_frighten(scene);
    change->changed = true;
    return true;
}

/* ---- walls ---- */

/* Notes that the flock has other walls, or another boundary, than its preset. */
static void note_walls(struct scene *scene)
{
    scene->versions.controls++;
    scene->versions.facts += scene->preset != NULL;
    scene->preset = NULL;
}

static bool wall_is_valid(const struct flock_settings *world, const struct flock_wall *wall,
                          struct proto_error *error)
{
    if (!cursor_reaches(world, wall->x1, wall->y1, error) ||
        !cursor_reaches(world, wall->x2, wall->y2, error)) {
        return false;
    }
    return flock_walls_valid(wall, 1) ||
           refuse_message(error, PROTO_E_RANGE, "x2",
                          "wall: expected two different points within %g units of the origin",
                          (double)FLOCK_WORLD_MAX);
}

bool things_wall(struct scene *scene, const struct proto_wall *message, struct change *change,
                 struct proto_error *error)
{
    const struct flock_wall wall = {message->x1, message->y1, message->x2, message->y2};
    struct flock_settings settings = *flock_settings_of(scene->flock);

    if (!wall_is_valid(&settings, &wall, error)) {
        return false;
    }
    if (settings.wall_count == FLOCK_WALLS_MAX) {
        return refuse_message(error, PROTO_E_FULL, "", "wall: there are %u walls, the most",
                              FLOCK_WALLS_MAX);
    }
    change->boundary_before = control_value(scene, "boundary");
    settings.boundary = FLOCK_WALLS;
    settings.walls[settings.wall_count++] = wall;
    if (!flock_set_settings(scene->flock, &settings)) {
        return refuse_message(error, PROTO_E_FULL, "", "wall: out of memory");
    }
    change->boundary_after = control_value(scene, "boundary");
    note_walls(scene);
    change->changed = true;
    return true;
}

static bool set_walls(struct scene *scene, const struct flock_wall *walls, uint32_t count,
                      const char *what, struct proto_error *error)
{
    if (!flock_set_walls(scene->flock, walls, count)) {
        return refuse_message(error, PROTO_E_FULL, "", "%s: out of memory", what);
    }
    note_walls(scene);
    return true;
}

/* ---- erasing ---- */

enum kind { KIND_FOOD, KIND_HUNTER, KIND_WALL };

static const char *const kind_names[] = {"food", "hunter", "wall"};

/* A thing, and its distance from a point. */
struct found {
    enum kind kind;
    uint32_t index;
    double far;
};

static void compare(struct found *nearest, enum kind kind, uint32_t index, double far)
{
    if (far < nearest->far) {
        *nearest = (struct found){kind, index, far};
    }
}

/* Returns the shorter way around a torus of that size; 0: a plane. */
static double apart(double a, double b, double size)
{
    double d = fabs(a - b);

    return size > 0.0 ? fmin(d, fabs(size - d)) : d;
}

static double distance_to_wall(const struct flock_wall *wall, double x, double y)
{
    double along_x = (double)wall->x2 - (double)wall->x1;
    double along_y = (double)wall->y2 - (double)wall->y1;
    double to_x = x - (double)wall->x1;
    double to_y = y - (double)wall->y1;
    double part = (to_x * along_x + to_y * along_y) / (along_x * along_x + along_y * along_y);

    part = fmin(fmax(part, 0.0), 1.0);
    return hypot(to_x - part * along_x, to_y - part * along_y);
}

static struct found find_thing(const struct flock *flock, double x, double y)
{
    const struct flock_settings *settings = flock_settings_of(flock);
    const struct flock_things *things = flock_things_of(flock);
    bool torus = settings->boundary == FLOCK_WRAP;
    double width = torus ? (double)settings->width : 0.0;
    double height = torus ? (double)settings->height : 0.0;
    struct found nearest = {.far = INFINITY};

    for (uint32_t i = 0; i < things->food_count; i++) {
        compare(&nearest, KIND_FOOD, i,
                hypot(apart((double)things->food[i].x, x, width),
                      apart((double)things->food[i].y, y, height)));
    }
    for (uint32_t i = 0; i < things->hunter_count; i++) {
        compare(&nearest, KIND_HUNTER, i,
                hypot(apart((double)things->hunters[i].x, x, width),
                      apart((double)things->hunters[i].y, y, height)));
    }
    for (uint32_t i = 0; i < settings->wall_count; i++) {
        compare(&nearest, KIND_WALL, i, distance_to_wall(&settings->walls[i], x, y));
    }
    return nearest;
}

static bool erase_wall(struct scene *scene, uint32_t index, struct proto_error *error)
{
    struct flock_wall walls[FLOCK_WALLS_MAX];
    const struct flock_settings *settings = flock_settings_of(scene->flock);
    uint32_t after = settings->wall_count - index - 1;

    memcpy(walls, settings->walls, index * sizeof walls[0]);
    memcpy(walls + index, settings->walls + index + 1, after * sizeof walls[0]);
    return set_walls(scene, walls, index + after, "erase", error);
}

static bool erase_point(struct scene *scene, const struct found *found, struct proto_error *error)
{
    struct flock_things things = *flock_things_of(scene->flock);

    if (found->kind == KIND_FOOD) {
        things.food_count--;
        memmove(&things.food[found->index], &things.food[found->index + 1],
                (things.food_count - found->index) * sizeof things.food[0]);
    } else {
        things.hunter_count--;
        memmove(&things.hunters[found->index], &things.hunters[found->index + 1],
                (things.hunter_count - found->index) * sizeof things.hunters[0]);
    }
    return put_things(scene, &things, "erase", error);
}

bool things_erase(struct scene *scene, const struct proto_erase *message, struct change *change,
                  struct proto_error *error)
{
    const struct found found = find_thing(scene->flock, (double)message->x, (double)message->y);

    if (!(found.far <= (double)message->within)) {
        return refuse_message(error, PROTO_E_STATE, "",
                              "erase: nothing is within %g units of that point",
                              (double)message->within);
    }
    if (found.kind == KIND_WALL ? !erase_wall(scene, found.index, error)
                                : !erase_point(scene, &found, error)) {
        return false;
    }
    change_before(change, kind_names[found.kind]);
    change->changed = true;
    return true;
}

bool things_clear(struct scene *scene, struct change *change, struct proto_error *error)
{
    const struct flock_things *things = flock_things_of(scene->flock);
    uint32_t walls = flock_settings_of(scene->flock)->wall_count;

    change->changed = things->food_count + things->hunter_count + walls > 0;
    if (walls > 0 && !set_walls(scene, NULL, 0, "clear", error)) {
        return false;
    }
    return put_things(scene, &(struct flock_things){0}, "clear", error);
}

/* ---- undo ---- */

static uint32_t count_food_at(const struct flock_things *things, const struct flock_food *food)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < things->food_count; i++) {
        count += things->food[i].x == food->x && things->food[i].y == food->y;
    }
    return count;
}

/* Returns whether the last food is new. Of pieces at one place, the new one counts as eaten first.
 */
static bool has_new_food(const struct flock_things *things, const struct flock_things *before)
{
    const struct flock_food *last;

    if (things->food_count == 0) {
        return false;
    }
    last = &things->food[things->food_count - 1];
    return count_food_at(things, last) > count_food_at(before, last);
}

/* New food is the last piece until it is eaten. Undo has taken back the later changes before. */
bool things_restore(struct scene *scene, enum proto_type type, const struct flock_things *before,
                    struct proto_error *error)
{
    struct flock_things things = *flock_things_of(scene->flock);

    if (type == PROTO_FOOD) {
        things.food_count -= has_new_food(&things, before);
    } else if (type == PROTO_HUNTER) {
        things.hunter_count =
            before->hunter_count < things.hunter_count ? before->hunter_count : things.hunter_count;
    } else {
        things = *before;
    }
    return put_things(scene, &things, "undo", error);
}
