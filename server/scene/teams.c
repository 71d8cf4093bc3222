#include "scene/teams.h"

#include <assert.h>
#include <string.h>

#include "scene/inside.h"

/* ---- dealing ---- */

/* The people here in each team; [0]: in none. */
struct sizes {
    uint32_t people[1 + PROTO_TEAMS_MAX];
};

static struct sizes count_people(const struct people *people)
{
    struct sizes sizes = {{0}};
    const struct person *person;
    uint32_t next = 0;

    while ((person = people_each(people, &next)) != NULL) {
        assert(person->team <= PROTO_TEAMS_MAX);
        sizes.people[person->team]++;
    }
    return sizes;
}

/* Returns the team with the fewest people; of several, the first. */
static uint32_t smallest_of(const struct sizes *sizes, uint32_t count)
{
    uint32_t best = 1;

    for (uint32_t team = 2; team <= count; team++) {
        best = sizes->people[team] < sizes->people[best] ? team : best;
    }
    return best;
}

static uint32_t largest_of(const struct sizes *sizes, uint32_t count)
{
    uint32_t best = 1;

    for (uint32_t team = 2; team <= count; team++) {
        best = sizes->people[team] > sizes->people[best] ? team : best;
    }
    return best;
}

/* For each team, an id. */
struct ids {
    uint32_t of[1 + PROTO_TEAMS_MAX];
};

/* Counts the people of each team whose ids are not below the team's. */
static struct sizes count_from(const struct people *people, const struct ids *ids)
{
    struct sizes sizes = {{0}};
    const struct person *person;
    uint32_t next = 0;

    while ((person = people_each(people, &next)) != NULL) {
        sizes.people[person->team] += person->id >= ids->of[person->team];
    }
    return sizes;
}

/* Returns for each team the id of the last person who leaves it, if the people with the greatest
 * ids leave. Reads the people 32 times, however many leave. */
static struct ids last_to_leave(const struct people *people, const struct sizes *leaving)
{
    struct ids ids = {{0}};

    for (uint32_t bit = UINT32_C(1) << 31; bit > 0; bit >>= 1) {
        struct ids higher = ids;
        for (uint32_t team = 1; team <= PROTO_TEAMS_MAX; team++) {
            higher.of[team] |= bit;
        }
        const struct sizes sizes = count_from(people, &higher);
        for (uint32_t team = 1; team <= PROTO_TEAMS_MAX; team++) {
            if (sizes.people[team] >= leaving->people[team]) {
                ids.of[team] = higher.of[team];
            }
        }
    }
    return ids;
}

/* Moves the people of each team with the greatest ids into that team. Of equal ids, which a crafted
 * recording may have, the first leaves. */
static void move_people(const struct people *people, struct sizes *leaving, uint32_t team)
{
    const struct ids ids = last_to_leave(people, leaving);

    for (unsigned equal = 0; equal < 2; equal++) {
        struct person *person;
        uint32_t next = 0;
        while ((person = people_each(people, &next)) != NULL) {
            const uint32_t from = person->team;
            if (leaving->people[from] > 0 &&
                (equal ? person->id == ids.of[from] : person->id > ids.of[from])) {
                person->team = (uint8_t)team;
                leaving->people[from]--;
            }
        }
    }
}

/* Moves people from the largest teams into that team until no team has two more. */
static void fill(const struct people *people, struct sizes *sizes, uint32_t team, uint32_t count)
{
    struct sizes leaving = {{0}};
    uint32_t from = largest_of(sizes, count);

    while (sizes->people[from] > sizes->people[team] + 1) {
        leaving.people[from]++;
        sizes->people[from]--;
        sizes->people[team]++;
        from = largest_of(sizes, count);
    }
    move_people(people, &leaving, team);
}

static void dissolve(const struct people *people, uint32_t count)
{
    struct person *person;
    uint32_t next = 0;

    while ((person = people_each(people, &next)) != NULL) {
        person->team = person->team <= count ? person->team : 0;
    }
}

void teams_deal(struct teams *teams, struct people *people, uint32_t count)
{
    struct sizes sizes;
    struct person *person;
    uint32_t next = 0;

    assert(count > 0 && count <= PROTO_TEAMS_MAX);
    dissolve(people, count);
    sizes = count_people(people);
    while (sizes.people[0] > 0 && (person = people_each(people, &next)) != NULL) {
        if (person->team == 0) {
            person->team = (uint8_t)smallest_of(&sizes, count);
            sizes.people[person->team]++;
            sizes.people[0]--;
        }
    }
    for (uint32_t team = 1; team <= count && teams->count != count; team++) {
        if (sizes.people[team] == 0) {
            fill(people, &sizes, team, count);
        }
    }
    teams->count = count;
}

/* ---- targets ---- */

static void aim(struct scene *scene, uint64_t time)
{
    const struct flock_settings *flock = flock_settings_of(scene->flock);
    const bool torus = flock->boundary == FLOCK_WRAP;
    struct cursor_target gathered[PROTO_TEAMS_MAX];
    const struct person *person;
    uint32_t next = 0;

    for (uint32_t i = 0; i < PROTO_TEAMS_MAX; i++) {
        const struct team_target *last = &scene->teams.targets[i];
        gathered[i] = (struct cursor_target){.policy = CURSOR_MEAN,
                                             .has_last = last->people > 0,
                                             .last_x = last->x,
                                             .last_y = last->y,
                                             .width = torus ? flock->width : 0.0F,
                                             .height = torus ? flock->height : 0.0F};
    }
    while ((person = people_each(&scene->people, &next)) != NULL) {
        if (scene_cursor_is_active(scene, person, time)) {
            assert(person->team > 0);
            cursor_gather(&gathered[person->team - 1], &person->cursor);
        }
    }
    for (uint32_t i = 0; i < PROTO_TEAMS_MAX; i++) {
        struct team_target *target = &scene->teams.targets[i];
        target->people = gathered[i].count;
        (void)cursor_resolve(&gathered[i], &target->x, &target->y);
    }
}

void teams_round(struct scene *scene, uint64_t time)
{
    if (scene->controls.policy != CURSOR_TEAMS) {
        scene->teams = (struct teams){0};
        return;
    }
    teams_deal(&scene->teams, &scene->people, control_teams(&scene->controls));
    if (scene->controls.cursors == CURSORS_LEAD) {
        aim(scene, time);
    } else {
        memset(scene->teams.targets, 0, sizeof scene->teams.targets);
    }
}
