#include "term/flock/leads.h"

#include "term/flock/schema.h"
#include "term/texts/texts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINE_SIZE = 256 };

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
        snprintf(out, capacity, "%s", texts_get(TEXT_LEAD_FOLLOW_ME));
    } else {
        texts_fill(out, capacity, TEXT_LEAD_NEAREST, texts_plain(own->boids).digits);
    }
}

/* own: the reader's team; 0: none. */
static void describe_teams(char *out, size_t capacity, const struct proto_leads *leads,
                           uint32_t count, uint32_t own)
{
    static const enum text names[PROTO_TEAMS_MAX] = {TEXT_LEAD_TEAM_1, TEXT_LEAD_TEAM_2,
                                                     TEXT_LEAD_TEAM_3, TEXT_LEAD_TEAM_4};
    out[0] = '\0';
    for (uint32_t team = 1; team <= count && team <= PROTO_TEAMS_MAX; team++) {
        const struct proto_lead *lead = find_lead(leads, team);
        char line[LINE_SIZE];
        texts_fill(line, sizeof line, names[team - 1], "",
                   texts_plain(lead != NULL ? lead->boids : 0).digits);
        if (team == own) {
            texts_append(line, sizeof line, TEXT_LEAD_OWN_TEAM, "");
        }
        if (team > 1) {
            texts_append(out, capacity, TEXT_LIST, line);
        } else {
            snprintf(out, capacity, "%s", line);
        }
    }
}

/* Writes a person's name; that of an unknown person, too. */
static void name_person(char out[LINE_SIZE], const struct term_people *people, uint32_t id)
{
    const struct proto_person *person = term_people_find(people, id);
    if (person != NULL && person->name[0] != '\0') {
        texts_person(out, LINE_SIZE, person->name);
    } else {
        snprintf(out, LINE_SIZE, "%s", texts_get(TEXT_LEAD_SOMEONE));
    }
}

static void describe_relay(char *out, size_t capacity, const struct proto_leads *leads,
                           uint32_t passed, const struct term_people *people)
{
    const struct proto_turn *turn = &leads->turn;
    const uint32_t self = people->list[0].id;
    const uint32_t left = turn->seconds > passed ? turn->seconds - passed : 0;
    const struct texts_number seconds = texts_plain(left);
    char name[LINE_SIZE];
    char next[LINE_SIZE];
    if (!leads->has_turn || turn->id == 0) {
        snprintf(out, capacity, "%s", texts_get(TEXT_LEAD_MOVE));
        return;
    }
    name_person(name, people, turn->id);
    if (turn->id == self) {
        texts_fill(out, capacity, TEXT_LEAD_OWN, seconds.digits);
    } else {
        texts_fill(out, capacity, TEXT_LEAD_OTHER, name, seconds.digits);
    }
    if (turn->next != 0) {
        name_person(name, people, turn->next);
        texts_fill(next, sizeof next, turn->next == self ? TEXT_LEAD_OWN_NEXT : TEXT_LEAD_NEXT,
                   name);
        texts_append(out, capacity, TEXT_LIST, next);
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
