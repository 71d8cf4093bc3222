#include "cluster/lease.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"

void lease_init(struct lease *lease, const char *name, enum node_role role, uint32_t version,
                uint64_t (*random)(void *argument), void *argument)
{
    assert(node_name_is_valid(name));
    *lease = (struct lease){
        .value = {.role = role, .version = version}, .random = random, .argument = argument};
    snprintf(lease->name, sizeof lease->name, "%s", name);
    lease->value.incarnation = random(argument);
    assert(lease->value.incarnation != 0);
}

void lease_finish(struct lease *lease)
{
    free(lease->others);
}

/* ---- other nodes ---- */

static struct lease_other *find_other(const struct lease *lease, const char *node)
{
    for (size_t i = 0; i < lease->other_count; i++) {
        if (strcmp(lease->others[i].name, node) == 0) {
            return &lease->others[i];
        }
    }
    return NULL;
}

/* Returns the dead node that was heard of longest ago, or NULL. */
static struct lease_other *oldest_dead(const struct lease *lease)
{
    struct lease_other *oldest = NULL;

    for (size_t i = 0; i < lease->other_count; i++) {
        struct lease_other *other = &lease->others[i];
        if (other->dead && (oldest == NULL || other->heard < oldest->heard)) {
            oldest = other;
        }
    }
    return oldest;
}

/* Returns the other node of that name. A new one takes the place of a dead one if there are too
 * many. Returns NULL when memory runs out, or if all are alive. */
static struct lease_other *need_other(struct lease *lease, const char *node)
{
    struct lease_other *other = find_other(lease, node);
    struct lease_other *others;

    if (other != NULL) {
        return other;
    }
    others = grow_array(lease->others, &lease->other_capacity, lease->other_count + 1, NODES_MAX,
                        sizeof *others);
    if (others != NULL) {
        lease->others = others;
        other = &others[lease->other_count++];
    } else {
        other = oldest_dead(lease);
    }
    if (other != NULL) {
        *other = (struct lease_other){.heard = lease->renewals};
        snprintf(other->name, sizeof other->name, "%s", node);
    }
    return other;
}

static void note_dead(struct lease_other *other, uint64_t incarnation)
{
    other->dead_before[other->dead_next++ % LEASE_DEAD_MAX] = incarnation;
}

static bool was_dead(const struct lease_other *other, uint64_t incarnation)
{
    for (size_t i = 0; i < LEASE_DEAD_MAX; i++) {
        if (other->dead_before[i] == incarnation) {
            return true;
        }
    }
    return false;
}

void lease_take_key(struct lease *lease, const char *node, const struct node_lease *value,
                    uint64_t revision)
{
    struct lease_other *other = strcmp(node, lease->name) != 0 ? need_other(lease, node) : NULL;

    if (other == NULL || revision < other->revision) {
        return;
    }
    other->doubt = false;
    if (revision == other->revision) {
        return;
    }
    if (other->incarnation != 0 && other->incarnation != value->incarnation && !other->dead) {
        note_dead(other, other->incarnation);
    }
    if (value->dead && !(other->dead && other->incarnation == value->incarnation)) {
        note_dead(other, value->incarnation);
    }
    other->incarnation = value->incarnation;
    other->revision = revision;
    other->role = value->role;
    other->dead = value->dead;
    other->heard = lease->renewals;
}

void lease_take_beat(struct lease *lease, const struct node_beat *beat)
{
    const struct node_lease value = {
        .incarnation = beat->incarnation, .role = beat->role, .version = beat->version};
    struct lease_other *other;

    if (beat->revision == 0) {
        return; /* it has no lease */
    }
    lease_take_key(lease, beat->name, &value, beat->revision);
    other = find_other(lease, beat->name);
    if (other != NULL && other->incarnation == beat->incarnation && !other->dead) {
        other->heard = lease->renewals;
    }
}

bool lease_is_dead(const struct lease *lease, const char *node, uint64_t incarnation)
{
    const struct lease_other *other = find_other(lease, node);

    if (strcmp(node, lease->name) == 0) {
        return lease->held && incarnation != lease->value.incarnation;
    }
    return other != NULL && was_dead(other, incarnation);
}

bool lease_knows(const struct lease *lease, const char *node, uint64_t incarnation)
{
    const struct lease_other *other = find_other(lease, node);

    if (strcmp(node, lease->name) == 0) {
        return true;
    }
    return other != NULL && (other->incarnation == incarnation || was_dead(other, incarnation));
}

void lease_look(struct lease *lease, const char *node, uint64_t incarnation,
                enum broker_result result, const struct node_lease *value, uint64_t revision)
{
    struct lease_other *other;

    if (result == BROKER_OK && value != NULL) {
        lease_take_key(lease, node, value, revision);
    }
    other = strcmp(node, lease->name) != 0 ? need_other(lease, node) : NULL;
    if (other != NULL && !was_dead(other, incarnation) &&
        (result == BROKER_NONE || (value != NULL && value->incarnation != incarnation))) {
        note_dead(other, incarnation);
    }
}

static bool is_suspect(const struct lease *lease, const struct lease_other *other)
{
    return !other->dead && other->revision != 0 && (other->role & NODE_SIM) != 0 &&
           lease->renewals - other->heard >= LEASE_PATIENCE;
}

/* Returns a suspect, or NULL. */
static const struct lease_other *next_suspect(const struct lease *lease)
{
    for (size_t i = 0; i < lease->other_count; i++) {
        if (is_suspect(lease, &lease->others[i])) {
            return &lease->others[i];
        }
    }
    return NULL;
}

/* ---- steps ---- */

static void name_key(struct lease_step *step, const char *node)
{
    memcpy(step->node, node, sizeof step->node);
}

/* Sets the step that declares the suspect dead. */
static void declare_dead(const struct lease_other *suspect, struct lease_step *step)
{
    name_key(step, suspect->name);
    step->ask = suspect->doubt ? LEASE_READ : LEASE_SET;
    step->revision = suspect->revision;
    step->value = (struct node_lease){
        .dead = true, .incarnation = suspect->incarnation, .role = suspect->role};
}

/* Sets the step for the own key, whose time has come. */
static void keep_own(const struct lease *lease, struct lease_step *step)
{
    name_key(step, lease->name);
    step->ask = lease->state == LEASE_SEEKS || lease->state == LEASE_DOUBT ? LEASE_READ : LEASE_SET;
    step->revision = lease->revision;
    step->value = lease->value;
}

void lease_next(const struct lease *lease, uint64_t now, struct lease_step *step)
{
    const struct lease_other *suspect =
        lease->state == LEASE_HELD && now < lease->next_at ? next_suspect(lease) : NULL;

    *step = (struct lease_step){.ask = LEASE_WAIT, .asked_at = now, .until = lease->next_at};
    if ((lease->value.role & NODE_SIM) == 0) {
        step->until = now + LEASE_PERIOD;
    } else if (suspect != NULL) {
        declare_dead(suspect, step);
    } else if (now >= lease->next_at) {
        keep_own(lease, step);
    }
}

/* ---- results of the own key ---- */

/* The lease was good when that was asked: this node may have stood still since then. */
static void note_renewal(struct lease *lease, uint64_t revision, uint64_t asked_at)
{
    lease->state = LEASE_HELD;
    lease->held = true;
    lease->namesake = false;
    lease->revision = revision;
    lease->renewals++;
    lease->renewed_at = asked_at;
    lease->next_at = asked_at + LEASE_PERIOD;
}

/* Begins again with another incarnation. */
static void lose_lease(struct lease *lease)
{
    lease->losses += lease->held;
    lease->lost |= lease->held;
    lease->held = false;
    lease->state = LEASE_SEEKS;
    lease->seen = 0;
    lease->value.incarnation = lease->random(lease->argument);
    assert(lease->value.incarnation != 0);
}

/* The next step sets the key, which has that revision. */
static void take_lease_at(struct lease *lease, uint64_t revision, uint64_t now)
{
    lease->revision = revision;
    lease->state = LEASE_TAKES;
    lease->next_at = now;
    lease->seen = 0;
}

/* The key has the lease of another process by this name, or one before this one: its revision tells
 * whether it lives. */
static void watch_namesake(struct lease *lease, uint64_t revision, uint64_t now)
{
    if (lease->seen == revision && now - lease->seen_at >= LEASE_NAMESAKE) {
        take_lease_at(lease, revision, now);
        return;
    }
    if (lease->seen != revision) {
        lease->namesake |= lease->seen != 0;
        lease->seen = revision;
        lease->seen_at = now;
    }
    lease->next_at = now + LEASE_NAMESAKE;
}

/* Handles the result of reading the own key. none: the key does not exist. value NULL: its bytes
 * cannot be read. */
static void take_own(struct lease *lease, const struct lease_step *step, bool none,
                     uint64_t revision, const struct node_lease *value, uint64_t now)
{
    if (value != NULL && !value->dead && value->incarnation == lease->value.incarnation) {
        note_renewal(lease, revision, step->asked_at); /* its answer was lost */
        return;
    }
    if (lease->state == LEASE_DOUBT && !none) {
        lose_lease(lease);
    }
    if (none || (value != NULL && value->dead)) {
        take_lease_at(lease, revision, now);
    } else {
        watch_namesake(lease, revision, now);
    }
}

static void own_answered(struct lease *lease, const struct lease_step *step,
                         enum broker_result result, uint64_t revision,
                         const struct node_lease *value, uint64_t now)
{
    const bool read = step->ask == LEASE_READ;

    lease->next_at = now + LEASE_PERIOD;
    if (lease->state == LEASE_GIVEN) {
        return;
    }
    if (result == BROKER_OK && !read) {
        note_renewal(lease, revision, step->asked_at);
    } else if (read && (result == BROKER_OK || result == BROKER_NONE)) {
        take_own(lease, step, result == BROKER_NONE, revision, result == BROKER_OK ? value : NULL,
                 now);
    } else if (result == BROKER_CONFLICT || result == BROKER_NONE) {
        lease->state = LEASE_DOUBT;
        lease->next_at = now;
    }
    /* Else again with the same revision: if the write was done, it is refused then, and the key is
     * read. */
}

/* ---- results of other nodes' keys ---- */

static void other_answered(struct lease *lease, const struct lease_step *step,
                           enum broker_result result, uint64_t revision,
                           const struct node_lease *value)
{
    struct lease_other *other = find_other(lease, step->node);

    if (other == NULL) {
        return;
    }
    if (step->ask == LEASE_SET && result == BROKER_OK) {
        lease_take_key(lease, step->node, &step->value, revision);
    } else if (step->ask == LEASE_READ && result == BROKER_OK && value != NULL) {
        lease_take_key(lease, step->node, value, revision);
    } else if (step->ask == LEASE_READ && result == BROKER_OK) {
        other->heard = lease->renewals; /* of a version that this node does not know */
        other->revision = revision;
    } else if (result == BROKER_NONE) {
        note_dead(other, other->incarnation); /* its key was deleted */
        other->dead = true;
    } else {
        other->doubt = true;
        if (result != BROKER_CONFLICT) { /* try again after the next renewal */
            other->heard = lease->renewals - (LEASE_PATIENCE - 1);
        }
    }
}

void lease_answered(struct lease *lease, const struct lease_step *step, enum broker_result result,
                    uint64_t revision, const struct node_lease *value, uint64_t now)
{
    assert(step->ask != LEASE_WAIT);
    if (strcmp(step->node, lease->name) == 0) {
        own_answered(lease, step, result, revision, value, now);
    } else {
        other_answered(lease, step, result, revision, value);
    }
}

/* ---- */

bool lease_stands(const struct lease *lease, uint64_t now)
{
    return lease->held && !lease->lost && lease->state != LEASE_GIVEN &&
           now - lease->renewed_at < LEASE_STAND;
}

void lease_dropped(struct lease *lease)
{
    lease->lost = false;
}

void lease_give_up(struct lease *lease)
{
    lease->value.dead = true;
    lease->state = LEASE_GIVEN;
    lease->next_at = 0;
}
