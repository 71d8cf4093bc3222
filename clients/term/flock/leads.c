#include "term/flock/leads.h"

#include "term/flock/schema.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct proto_lead *find_lead(const struct proto_leads *leads, uint32_t who)
{
    for (uint32_t i = 0; i < leads->count; i++) {
        if (leads->leaders[i].who == who) {
            return &leads->leaders[i];
        }
    }
    return NULL;
}

static void describe_nearest(char *out, size_t capacity, const struct proto_leads *leads,
                             uint32_t self)
{
    const struct proto_lead *own = find_lead(leads, self);
    if (own == NULL) {
        snprintf(out, capacity, "move: the boids near you follow");
    } else {
        snprintf(out, capacity, "%u %s you", own->boids,
                 own->boids == 1 ? "boid follows" : "boids follow");
    }
}

/* own: the reader's team; 0: none. */
static void describe_teams(char *out, size_t capacity, const struct proto_leads *leads,
                           uint32_t count, uint32_t own)
{
    static const char *const names[PROTO_TEAMS_MAX] = {"red", "blue", "yellow", "green"};
    size_t size = 0;
    out[0] = '\0';
    for (uint32_t team = 1; team <= count && team <= PROTO_TEAMS_MAX && size < capacity; team++) {
        const struct proto_lead *lead = find_lead(leads, team);
        size += (size_t)snprintf(out + size, capacity - size, "%s%s %u%s", team > 1 ? ", " : "",
                                 names[team - 1], lead != NULL ? lead->boids : 0,
                                 team == own ? " (your team)" : "");
    }
}

static const char *name_person(const struct term_people *people, uint32_t id)
{
    const struct proto_person *person = term_people_find(people, id);
    return person != NULL && person->name[0] != '\0' ? person->name : "someone";
}

static void describe_relay(char *out, size_t capacity, const struct proto_leads *leads,
                           uint32_t passed, const struct term_people *people)
{
    const struct proto_turn *turn = &leads->turn;
    const uint32_t self = people->list[0].id;
    const uint32_t left = turn->seconds > passed ? turn->seconds - passed : 0;
    int size;
    if (!leads->has_turn || turn->id == 0) {
        snprintf(out, capacity, "move: you lead the flock");
        return;
    }
    if (turn->id == self) {
        size = snprintf(out, capacity, "you lead, %u s", left);
    } else {
        size = snprintf(out, capacity, "%.64s leads, %u s", name_person(people, turn->id), left);
    }
    if (turn->next != 0 && (size_t)size < capacity) {
        snprintf(out + size, capacity - (size_t)size, ", next: %.64s",
                 turn->next == self ? "you" : name_person(people, turn->next));
    }
}

bool leads_line(char *out, size_t capacity, const struct proto_leads *leads, uint32_t passed,
                const struct proto_room *room, const struct term_people *people)
{
    if (people->count == 0 || strcmp(schema_value(room, "cursors"), "scare") == 0) {
        return false;
    }
    const struct proto_person *self = &people->list[0];
    if (strcmp(room->policy, "nearest") == 0) {
        describe_nearest(out, capacity, leads, self->id);
    } else if (strcmp(room->policy, "teams") == 0) {
        uint32_t count = (uint32_t)strtoul(schema_value(room, "teams"), NULL, 10);
        uint32_t own = (self->flags & PROTO_FLAG_TEAM) >> PROTO_TEAM_SHIFT;
        describe_teams(out, capacity, leads, count, own);
    } else if (strcmp(room->policy, "relay") == 0) {
        describe_relay(out, capacity, leads, passed, people);
    } else {
        return false;
    }
    return true;
}
