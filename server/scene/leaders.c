/* The leaders of a scene's boids: scene.h. */
#include "scene/inside.h"

static uint32_t list_cursors(const struct scene *scene, uint64_t time,
                             struct scene_leader out[PROTO_LEADERS_MAX])
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < scene->people.shown_count; i++) {
        const struct person *person = &scene->people.slots[scene->people.shown[i]];
        if (scene_steers(scene, person, time)) {
            out[count++] = (struct scene_leader){
                .who = person->id, .x = person->cursor.x, .y = person->cursor.y, .people = 1};
        }
    }
    return count;
}

static uint32_t list_teams(const struct scene *scene, struct scene_leader out[PROTO_LEADERS_MAX])
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < PROTO_TEAMS_MAX; i++) {
        const struct team_target *target = &scene->teams.targets[i];
        if (target->people > 0) {
            out[count++] = (struct scene_leader){
                .who = i + 1, .x = target->x, .y = target->y, .people = target->people};
        }
    }
    return count;
}

uint32_t scene_leaders(const struct scene *scene, uint64_t time,
                       struct scene_leader out[PROTO_LEADERS_MAX])
{
    if (scene->controls.cursors == CURSORS_SCARE) {
        return 0;
    }
    switch (scene->controls.policy) {
    case CURSOR_NEAREST:
        return list_cursors(scene, time, out);
    case CURSOR_TEAMS:
        return list_teams(scene, out);
    default:
        return 0;
    }
}

bool scene_turn(const struct scene *scene, struct proto_turn *turn)
{
    const uint32_t rate = scene->definition.tick_rate;

    *turn = (struct proto_turn){0};
    if (scene->controls.policy != CURSOR_RELAY || scene->controls.cursors == CURSORS_SCARE) {
        return false;
    }
    if (scene->people.leader > 0) {
        turn->id = scene->people.leader;
        turn->seconds = (scene->turn_left + rate - 1) / rate;
        turn->next = relay_next(scene);
    }
    return true;
}

uint32_t scene_team(const struct scene *scene, const struct person *person)
{
    return scene->controls.policy == CURSOR_TEAMS ? person->team : 0;
}
