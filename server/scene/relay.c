#include "scene/relay.h"

#include <assert.h>

#include "scene/inside.h"

_Static_assert(RELAY_UNIT / (RELAY_CLASS * PEOPLE_HERE_MAX) > 0, "each turn makes a debt");

/* A finger that was lifted has withdrawn its cursor, and still has its turn. So a cursor must have
 * moved at some time only. */
static bool may_lead(const struct scene *scene, const struct person *person)
{
    return person->member != 0 && person->cursor.moved_at > 0 &&
           (scene->controls.viewers == VIEWERS_STEER || person->role == PROTO_PRESENTER);
}

static bool has_shares(const struct scene *scene)
{
    return scene->edition > 5;
}

static enum people_side side_of(const struct people_group *group, enum proto_role role)
{
    return group->class && role == PROTO_VIEWER ? PEOPLE_CLASS : PEOPLE_OTHERS;
}

/* Whether the group of `a` leads before the group of `b`, who has the same role. */
static bool is_group_before(const struct people *people, const struct person *a,
                            const struct person *b)
{
    const struct people_group *group = &people->groups[a->group];
    const struct people_group *other = &people->groups[b->group];
    const enum people_side side = side_of(group, a->role);
    const uint32_t debt = people->debts[side];
    const uint32_t other_debt = people->debts[side_of(other, b->role)];

    if (side != side_of(other, b->role)) {
        return debt != other_debt ? debt < other_debt : side == PEOPLE_CLASS;
    }
    return group->debt != other->debt ? group->debt < other->debt : a->group < b->group;
}

/* Whether `a` leads before `b`. */
static bool is_before(const struct scene *scene, const struct person *a, const struct person *b)
{
    if (a->role != b->role) {
        return a->role == PROTO_VIEWER;
    }
    if (has_shares(scene) && a->group != b->group) {
        return is_group_before(&scene->people, a, b);
    }
    return a->turns != b->turns ? a->turns < b->turns : a->id < b->id;
}

/* Notes which groups have a presenter, or that none has. An unknown group, 0, counts as none. */
static void mark_class(const struct people *people, bool class)
{
    for (uint32_t i = 0; i < people->shown_count; i++) { /* presenters are shown */
        const struct person *person = &people->slots[people->shown[i]];
        if (person->role == PROTO_PRESENTER) {
            people->groups[person->group].class = class && person->group > 0;
        }
    }
}

/* Returns the person who leads next, or NULL. The person with the id `except` is next only without
 * another person of the same role. */
static struct person *find_next(const struct scene *scene, uint32_t except)
{
    struct person *best = NULL;
    struct person *leader = NULL;
    struct person *person;
    uint32_t next = 0;

    mark_class(&scene->people, true);
    while ((person = people_each(&scene->people, &next)) != NULL) {
        if (!may_lead(scene, person)) {
            continue;
        }
        if (person->id == except) {
            leader = person;
        } else if (best == NULL || is_before(scene, person, best)) {
            best = person;
        }
    }
    mark_class(&scene->people, false);
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

/* ---- turns ---- */

/* Raises the turns of the group's people to that number: a person who could not lead has missed the
 * turns. Before edition 6, of all people. */
static void even_out(const struct scene *scene, uint32_t group, uint32_t turns)
{
    struct person *person;
    uint32_t next = 0;

    while ((person = people_each(&scene->people, &next)) != NULL) {
        if (person->turns < turns && (!has_shares(scene) || person->group == group)) {
            person->turns = turns;
        }
    }
}

/* Returns the fewest turns of all people, or of people of that group. */
static uint32_t fewest_turns(const struct scene *scene, uint32_t group)
{
    const struct person *person;
    uint32_t fewest = UINT32_MAX;
    uint32_t next = 0;

    while ((person = people_each(&scene->people, &next)) != NULL) {
        if (person->turns < fewest && (!has_shares(scene) || person->group == group)) {
            fewest = person->turns;
        }
    }
    return fewest;
}

/* ---- shares ---- */

static void count_leads(const struct scene *scene, enum proto_role role)
{
    const struct people *people = &scene->people;
    const struct person *person;
    uint32_t next = 0;

    for (size_t i = 0; i < people->group_capacity; i++) {
        people->groups[i].leads = 0;
    }
    while ((person = people_each(people, &next)) != NULL) {
        people->groups[person->group].leads += person->role == role && may_lead(scene, person);
    }
}

static uint32_t weight_of(const struct people_group *group, enum people_side side)
{
    return side == PEOPLE_CLASS || group->leads < RELAY_ADDRESS ? group->leads : RELAY_ADDRESS;
}

/* Stores the weights of the sides for people with that role. */
static void weigh_sides(const struct people *people, enum proto_role role,
                        uint32_t weights[PEOPLE_SIDES])
{
    uint32_t *class = &weights[PEOPLE_CLASS];
    const uint32_t *others = &weights[PEOPLE_OTHERS];

    weights[PEOPLE_CLASS] = weights[PEOPLE_OTHERS] = 0;
    for (size_t i = 0; i < people->group_capacity; i++) {
        const enum people_side side = side_of(&people->groups[i], role);
        weights[side] += weight_of(&people->groups[i], side);
    }
    if (*class < *others) {
        *class = *others < RELAY_CLASS * *class ? *others : RELAY_CLASS * *class;
    }
}

static void pay(uint32_t *debt, uint32_t paid)
{
    *debt = *debt > paid ? *debt - paid : 0;
}

/* Charges the turn of that person to the group and its side. */
static void charge(struct scene *scene, const struct person *leader)
{
    struct people *people = &scene->people;
    struct people_group *group = &people->groups[leader->group];
    uint32_t weights[PEOPLE_SIDES];

    mark_class(people, true);
    count_leads(scene, leader->role);
    weigh_sides(people, leader->role, weights);
    const enum people_side side = side_of(group, leader->role);
    const uint32_t debt = group->debt;
    const uint32_t side_debt = people->debts[side];
    for (size_t i = 0; i < people->group_capacity; i++) {
        if (side_of(&people->groups[i], leader->role) == side) {
            pay(&people->groups[i].debt, debt);
        }
    }
    for (size_t i = 0; i < PEOPLE_SIDES; i++) {
        pay(&people->debts[i], side_debt);
    }
    assert(group->leads > 0 && weights[side] > 0); /* the leader counts */
    group->debt += RELAY_UNIT / weight_of(group, side);
    people->debts[side] += RELAY_UNIT / weights[side];
    mark_class(people, false);
}

/* ---- rounds ---- */

void relay_skip(struct scene *scene)
{
    struct people *people = &scene->people;
    struct person *person = find_next(scene, people->leader);

    people->leader = 0;
    scene->turn_left = 0;
    if (person == NULL) {
        return;
    }
    even_out(scene, person->group, person->turns);
    person->turns++;
    if (has_shares(scene)) {
        people->groups[person->group].turns = fewest_turns(scene, person->group);
        charge(scene, person);
    } else {
        people->turns = fewest_turns(scene, person->group);
    }
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

void relay_joined(struct scene *scene, uint32_t slot)
{
    const struct people *people = &scene->people;
    struct person *person = &people->slots[slot];
    const uint32_t least = has_shares(scene) ? people->groups[person->group].turns : people->turns;

    assert(person->member != 0);
    if (person->turns < least) {
        person->turns = least;
    } else if (has_shares(scene) && person->turns > least) {
        person->turns = least + 1; /* the person may have come back from another address */
    }
}

void relay_modernize(struct people *people)
{
    for (uint32_t i = 0; i < people->used; i++) {
        pay(&people->slots[i].turns, people->turns);
    }
    people->turns = 0;
}
