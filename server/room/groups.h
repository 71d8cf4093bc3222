/* The groups of a room's people: people of one address have the same small number, from which no
 * one learns the address. The scene and its recordings hold the number; see scene/people.h. A
 * number is free again when its last person has left. Zeros are an empty table. */
#ifndef GROUPS_H
#define GROUPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct groups {
    /* By number; [0] stays free. */
    struct group {
        uint64_t origin; /* see tries_origin() */
        uint32_t people; /* here; 0: the number is free */
        bool unknown;    /* of a room that was saved: the origin is unknown */
        bool presents;   /* has a presenter; up to date only in displace_find() */
    } * groups;
    size_t capacity;
    uint32_t used; /* numbers below that may not be free */
};

void groups_finish(struct groups *groups);

/* Returns the number of the group of that origin; 0: it has no people here. */
uint32_t groups_find(const struct groups *groups, uint64_t origin);

/* Counts a person of that origin. Returns the number, the lowest free one for the first person; 0
 * when memory runs out. */
uint32_t groups_enter(struct groups *groups, uint64_t origin);

/* Counts a person whom a saved room has in that group, 0 to PEOPLE_GROUP_MAX. Returns false if
 * memory runs out. */
bool groups_restore(struct groups *groups, uint32_t number);

/* Counts the person in that group no longer. Does nothing for group 0. */
void groups_leave(struct groups *groups, uint32_t number);

#endif
