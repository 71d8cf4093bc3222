/* The settings of a flock as a value: compared and checked. */
#include "sim/state.h"

#include <string.h>

void flock_settings_choose(struct flock_settings *settings, const struct flock_model *model)
{
    settings->model = model;
    for (size_t i = 0; i < FLOCK_PARAMS_MAX; i++) {
        settings->params[i] = i < model->param_count ? model->params[i].initial : 0.0f;
    }
}

bool flock_settings_same(const struct flock_settings *a, const struct flock_settings *b)
{
    return a->model == b->model && a->boundary == b->boundary && a->width == b->width &&
           a->height == b->height && a->update == b->update && a->wall_count == b->wall_count &&
           memcmp(a->params, b->params, a->model->param_count * sizeof a->params[0]) == 0 &&
           memcmp(a->walls, b->walls, a->wall_count * sizeof a->walls[0]) == 0;
}

bool flock_world_valid(enum flock_boundary boundary, float width, float height)
{
    return boundary <= FLOCK_WALLS && width >= FLOCK_WORLD_MIN && width <= FLOCK_WORLD_MAX &&
           height >= FLOCK_WORLD_MIN && height <= FLOCK_WORLD_MAX;
}

bool flock_walls_valid(const struct flock_wall *walls, size_t count)
{
    if (count > FLOCK_WALLS_MAX) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        const float at[] = {walls[i].x1, walls[i].y1, walls[i].x2, walls[i].y2};
        for (int k = 0; k < 4; k++) {
            if (!(fabsf(at[k]) <= FLOCK_WORLD_MAX)) {
                return false;
            }
        }
        if (at[0] == at[2] && at[1] == at[3]) {
            return false;
        }
    }
    return true;
}

const char *flock_settings_problem(const struct flock_settings *settings)
{
    if (settings->model == NULL || settings->update > FLOCK_SEQUENTIAL ||
        !flock_world_valid(settings->boundary, settings->width, settings->height)) {
        return "the flock's definition is out of range";
    }
    for (size_t i = 0; i < settings->model->param_count; i++) {
        const struct flock_param *param = &settings->model->params[i];
        if (!(settings->params[i] >= param->min && settings->params[i] <= param->max)) {
            return "a parameter is out of its range";
        }
    }
    return flock_walls_valid(settings->walls, settings->wall_count) ? NULL
                                                                    : "a wall is out of range";
}
