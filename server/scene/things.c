#include "scene/things.h"

#include <assert.h>
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

static bool is_within(const struct flock *flock, float x, float y, struct proto_error *error)
{
    return cursor_reaches(flock_settings_of(flock), x, y, error);
}

bool things_food(struct scene *scene, const struct proto_food *message, struct change *change,
                 struct proto_error *error)
{
    struct flock_things things = *flock_things_of(scene->flock);

    if (!is_within(scene->flock, message->x, message->y, error)) {
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

    if (!is_within(scene->flock, message->x, message->y, error)) {
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

static struct flock_wall wall_of(const struct proto_wall *message)
{
    return (struct flock_wall){message->x1, message->y1, message->x2, message->y2};
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
    const struct flock_wall wall = wall_of(message);
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

/* ---- all kinds ---- */

bool things_accept(const struct flock *flock, const struct proto_client_message *message,
                   struct proto_error *error)
{
    struct flock_wall wall;

    switch (message->type) {
    case PROTO_WALL:
        wall = wall_of(&message->wall);
        return wall_is_valid(flock_settings_of(flock), &wall, error);
    case PROTO_FOOD:
        return is_within(flock, message->food.x, message->food.y, error);
    default:
        assert(message->type == PROTO_HUNTER);
        return is_within(flock, message->hunter.x, message->hunter.y, error);
    }
}

uint32_t things_count(const struct flock *flock, enum input_thing kind)
{
    switch (kind) {
    case INPUT_WALL:
        return flock_settings_of(flock)->wall_count;
    case INPUT_FOOD:
        return flock_things_of(flock)->food_count;
    default:
        return flock_things_of(flock)->hunter_count;
    }
}

/* ---- erasing ---- */

static const char *const kind_names[INPUT_THINGS] = {
    [INPUT_WALL] = "wall", [INPUT_FOOD] = "food", [INPUT_HUNTER] = "hunter"};

/* A thing, and its distance from a point. */
struct found {
    enum input_thing kind;
    uint32_t index;
    double far;
};

static void compare(struct found *nearest, enum input_thing kind, uint32_t index, double far)
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
        compare(&nearest, INPUT_FOOD, i,
                hypot(apart((double)things->food[i].x, x, width),
                      apart((double)things->food[i].y, y, height)));
    }
    for (uint32_t i = 0; i < things->hunter_count; i++) {
        compare(&nearest, INPUT_HUNTER, i,
                hypot(apart((double)things->hunters[i].x, x, width),
                      apart((double)things->hunters[i].y, y, height)));
    }
    for (uint32_t i = 0; i < settings->wall_count; i++) {
        compare(&nearest, INPUT_WALL, i, distance_to_wall(&settings->walls[i], x, y));
    }
    return nearest;
}

void things_remove_hunter(struct flock_things *things, uint32_t index)
{
    things->hunter_count--;
    memmove(&things->hunters[index], &things->hunters[index + 1],
            (things->hunter_count - index) * sizeof things->hunters[0]);
}

static bool erase_wall(struct scene *scene, uint32_t index, const char *what,
                       struct proto_error *error)
{
    struct flock_wall walls[FLOCK_WALLS_MAX];
    const struct flock_settings *settings = flock_settings_of(scene->flock);
    uint32_t after = settings->wall_count - index - 1;

    memcpy(walls, settings->walls, index * sizeof walls[0]);
    memcpy(walls + index, settings->walls + index + 1, after * sizeof walls[0]);
    return set_walls(scene, walls, index + after, what, error);
}

static bool erase_point(struct scene *scene, enum input_thing kind, uint32_t index,
                        const char *what, struct proto_error *error)
{
    struct flock_things things = *flock_things_of(scene->flock);

    if (kind == INPUT_FOOD) {
        things.food_count--;
        memmove(&things.food[index], &things.food[index + 1],
                (things.food_count - index) * sizeof things.food[0]);
    } else {
        things_remove_hunter(&things, index);
    }
    return put_things(scene, &things, what, error);
}

static bool erase_thing(struct scene *scene, enum input_thing kind, uint32_t index,
                        const char *what, struct proto_error *error)
{
    return kind == INPUT_WALL ? erase_wall(scene, index, what, error)
                              : erase_point(scene, kind, index, what, error);
}

bool things_discard(struct scene *scene, enum input_thing kind, uint32_t index,
                    struct proto_error *error)
{
    assert(index < things_count(scene->flock, kind));
    return erase_thing(scene, kind, index, kind_names[kind], error);
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
    if (!erase_thing(scene, found.kind, found.index, "erase", error)) {
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

bool things_restore(struct scene *scene, const struct flock_things *before,
                    struct proto_error *error)
{
    return put_things(scene, before, "undo", error);
}

/* New food is the last piece until it is eaten. Undo has taken back the later changes before. */
bool things_take_back(struct scene *scene, uint32_t foods, const struct flock_things *before,
                      struct proto_error *error)
{
    struct flock_things things = *flock_things_of(scene->flock);

    while (foods-- > 0 && has_new_food(&things, before)) {
        things.food_count--;
    }
    things.hunter_count =
        before->hunter_count < things.hunter_count ? before->hunter_count : things.hunter_count;
    return put_things(scene, &things, "undo", error);
}
