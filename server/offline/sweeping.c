#include "offline/sweeping.h"

unsigned long sweeping_ticks(const struct options *options)
{
    return options->sweep.steps * ((unsigned long)options->warm_up + options->ticks);
}

static void set_value(struct sweeping *sweeping, float value)
{
    if (!flock_param_set(sweeping->flock, sweeping->param, value)) {
        refuse("--sweep: out of range"); /* never happens: the ends are checked */
    }
}

/* Refuses a value that the parameter cannot have, or that is on the wrong side of the other
 * parameter of a pair. */
static void check_value(const struct sweeping *sweeping, float value)
{
    const struct flock_model *model = flock_settings_of(sweeping->flock)->model;
    const struct flock_param *param = &model->params[sweeping->param];
    bool least;
    int other = flock_param_pair(model, sweeping->param, &least);

    if (!(value >= param->min && value <= param->max)) {
        refuse("--sweep: %s: expected %g to %g, not %g", param->name, (double)param->min,
               (double)param->max, (double)value);
    }
    if (other >= 0) {
        const float limit = flock_param_get(sweeping->flock, (size_t)other);
        if (least ? value > limit : value < limit) {
            refuse("--sweep: %s: expected at %s %s, which is %g, not %g", param->name,
                   least ? "most" : "least", model->params[other].name, (double)limit,
                   (double)value);
        }
    }
}

void sweeping_begin(struct sweeping *sweeping, const struct options *options, struct flock *flock)
{
    const struct options_sweep *given = &options->sweep;
    const struct sweep_plan plan = {.from = given->from,
                                    .to = given->to,
                                    .steps = given->steps,
                                    .warm_up = options->warm_up,
                                    .ticks = options->ticks,
                                    .every = options->every};
    const struct flock_model *model = flock_settings_of(flock)->model;
    int index = flock_param_find(model, given->name);

    if (index < 0) {
        refuse("--sweep: the model %s has no parameter %s", model->name, given->name);
    }
    sweeping->flock = flock;
    sweeping->param = (size_t)index;
    sweeping->before = flock_param_get(flock, sweeping->param);
    check_value(sweeping, plan.from);
    check_value(sweeping, plan.to);
    sweep_begin(&sweeping->sweep, &plan);
    set_value(sweeping, sweep_value(&plan, 0));
}

void sweeping_tick(struct sweeping *sweeping, struct flock_workspace *workspace,
                   struct flock_output *output)
{
    struct sweep *sweep = &sweeping->sweep;

    if (!sweep_tick(sweep, sweeping->flock, workspace)) {
        return;
    }
    output_sweep(output, &sweep->points[sweep->count - 1]);
    if (!sweep_is_complete(sweep)) {
        set_value(sweeping, sweep_value(&sweep->plan, sweep->count));
    }
}

void sweeping_end(struct sweeping *sweeping)
{
    set_value(sweeping, sweeping->before);
}
