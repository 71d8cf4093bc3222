/* The class mode that a preset brings: control.h. */
#include "scene/control.h"
#include "scene/cursor.h"

static void set_aside(uint32_t *value, uint32_t *before, uint32_t next)
{
    if (*before == 0) {
        *before = *value + 1;
    }
    *value = next;
}

static void put_back(uint32_t *value, uint32_t *before)
{
    if (*before > 0) {
        *value = *before - 1;
        *before = 0;
    }
}

void control_follow_preset(struct scene_controls *values, const struct flock_preset *preset,
                           struct control_chosen chosen)
{
    if (preset == NULL || !preset->flees) {
        put_back(&values->policy, &values->policy_before);
        put_back(&values->cursors, &values->cursors_before);
        return;
    }
    if (!chosen.policy && !chosen.cursors) {
        set_aside(&values->policy, &values->policy_before, CURSOR_NEAREST);
    }
    if (!chosen.cursors) {
        set_aside(&values->cursors, &values->cursors_before, CURSORS_SCARE);
    }
}
