#include "room/rehearse.h"

#include <stdlib.h>

#include "base/refusal.h"
#include "room/state.h"
#include "scene/budget.h"
#include "scene/scene_state.h"

#define SCENE_ROW(number, name) [number] = true,
static const bool of_scene[PROTO_SERVER_TYPES] = {PROTO_SCENE_MESSAGES(SCENE_ROW)};
#undef SCENE_ROW

/* Returns a copy of the scene that takes no boids from the budget and cannot undo; NULL without
 * memory. */
static struct scene *copy_scene(const struct scene *scene, uint64_t time)
{
    struct scene_definition definition = *scene_definition_of(scene);
    char problem[256]; /* unread */
    struct scene *copy = NULL;
    uint64_t clock;
    size_t size;
    uint8_t *state = scene_save(scene, time, &size);

    definition.budget = NULL;
    definition.undo = false;
    if (state != NULL) {
        saved_seal(state, size);
        copy = scene_load(&definition, state, size, &clock, problem, sizeof problem);
        free(state);
    }
    return copy;
}

bool rehearse(const struct room *room, const struct proto_client_message *messages, uint32_t count,
              uint64_t time, uint32_t *refused, struct proto_error *error)
{
    struct scene *copy = copy_scene(room->present, time);
    struct change change;
    bool accepted = copy != NULL;

    *refused = 0;
    if (copy == NULL) {
        return refuse_message(error, PROTO_E_FULL, "", "out of memory");
    }
    for (uint32_t i = 0; i < count && accepted; i++) {
        const struct input input = {.type = INPUT_MESSAGE, .time = time, .message = &messages[i]};
        change = (struct change){.slot = PEOPLE_NONE};
        *refused = i;
        accepted = !of_scene[messages[i].type] || scene_apply(copy, &input, &change, error);
    }
    scene_destroy(copy);
    if (!accepted && error->code == PROTO_E_FULL) {
        budget_count_refusal(room->definition.budget);
    }
    return accepted;
}
