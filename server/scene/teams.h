/* The teams of the policy `teams`: who is in which one, and their targets. For the files of scene/
 * alone. */
#ifndef SCENE_TEAMS_H
#define SCENE_TEAMS_H

#include <stdbool.h>
#include <stdint.h>

#include "protocol.h"
#include "scene/people.h"

struct scene;

struct team_target {
    uint32_t people; /* with active cursors; 0: no target */
    float x, y;      /* world units */
};

/* All zeros while the policy is another one. */
struct teams {
    uint32_t count; /* of teams in the last round; 0: none yet */
    struct team_target targets[PROTO_TEAMS_MAX];
};

/* Gives each person here a team of 1 to `count`: people without one go to the smallest team. If
 * `count` is new, moves people with the greatest ids from the largest teams into empty ones. */
void teams_deal(struct teams *teams, struct people *people, uint32_t count);

/* Must be called once in each round: deals people, and makes the teams' targets. */
void teams_round(struct scene *scene, uint64_t time);

#endif
