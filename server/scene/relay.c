#include "scene/relay.h"

#include <assert.h>

#include "scene/inside.h"

/* A finger that was lifted has withdrawn its cursor, and still has its turn. So a cursor must have
 * moved at some time only. */
static bool may_lead(const struct scene *scene, const struct person *person)
{
    return person->member != 0 && person->cursor.moved_at > 0 &&
           (scene->controls.viewers == VIEWERS_STEER || person->role == PROTO_PRESENTER);
}

/* Whether `a` leads before `b`: viewers first, then the fewest turns, then the lowest id. */
static bool is_before(const struct person *a, const struct person *b)
{
    if (a->role != b->role) {
        return a->role == PROTO_VIEWER;
    }
    return a->turns != b->turns ? a->turns < b->turns : a->id < b->id;
}

/* Returns the person who leads next, or NULL. The person with the id `except` is next only without
 * another person of the same role. */
static struct person *find_next(const struct scene *scene, uint32_t except)
{
    struct person *best = NULL;
    struct person *leader = NULL;
    struct person *person;
    uint32_t next = 0;

    while ((person = people_each(&scene->people, &next)) != NULL) {
        if (!may_lead(scene, person)) {
            continue;
        }
        if (person->id == except) {
            leader = person;
        } else if (best == NULL || is_before(person, best)) {
            best = person;
        }
    }
    return leader != NULL &&
                   (best == NULL || (leader->role == PROTO_VIEWER && best->role == PROTO_PRESENTER))
               ? leader
               : best;
}

uint32_t relay_next(const struct scene *scene)
{
    const struct person *person = find_next(scene, scene->people.leader);

    return person != NULL && person->id != scene->people.leader ? person->id : 0;
}

static uint32_t turn_ticks(const struct scene *scene)
{
    return control_turn(&scene->controls) * scene->definition.tick_rate;
}

/* Raises everyone's turns to that number: a person who could not lead has missed the turns. */
static void even_out(const struct people *people, uint32_t turns)
{
    struct person *person;
    uint32_t next = 0;

    while ((person = people_each(people, &next)) != NULL) {
        person->turns = person->turns < turns ? turns : person->turns;
    }
}

static uint32_t fewest_turns(const struct people *people)
{
    const struct person *person;
    uint32_t fewest = UINT32_MAX;
    uint32_t next = 0;

    while ((person = people_each(people, &next)) != NULL) {
        fewest = person->turns < fewest ? person->turns : fewest;
    }
    return fewest;
}

void relay_skip(struct scene *scene)
{
    struct people *people = &scene->people;
    struct person *person = find_next(scene, people->leader);

    people->leader = 0;
    scene->turn_left = 0;
    if (person == NULL) {
        return;
    }
    even_out(people, person->turns);
    person->turns++;
    people->turns = fewest_turns(people);
    scene->turn_left = turn_ticks(scene);
    people_lead(people, (uint32_t)(person - people->slots));
}

void relay_round(struct scene *scene)
{
    struct people *people = &scene->people;
    const bool moves = scene->controls.run == RUN_ON || scene->steps > 0;
    uint32_t slot;

    if (scene->controls.policy != CURSOR_RELAY) {
        people->leader = 0;
        scene->turn_left = 0;
        return;
    }
    slot = people->leader > 0 ? people_find_id(people, people->leader) : PEOPLE_NONE;
    if (scene->turn_left > turn_ticks(scene)) {
        scene->turn_left = turn_ticks(scene); /* the control `turn` has changed */
    }
    scene->turn_left -= moves && scene->turn_left > 0;
    if (slot == PEOPLE_NONE || !may_lead(scene, &people->slots[slot]) || scene->turn_left == 0) {
        relay_skip(scene);
    }
}

void relay_joined(struct people *people, uint32_t slot)
{
    struct person *person = &people->slots[slot];

    assert(person->member != 0);
    person->turns = person->turns < people->turns ? people->turns : person->turns;
}
