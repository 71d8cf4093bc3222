/* The relay of the policy `relay`: one person leads at a time. people->leader is the id of the
 * person who leads. Viewers lead before presenters. For the files of scene/ alone.
 *
 * Groups share the turns, by start-time fair queueing (Goyal, Vin and Cheng, 1996) on two levels:
 *
 * - Viewers of groups with a presenter are one side, the class; all other people are the other
 *   side. A side's weight is the sum of its groups' weights. If the class has less weight than the
 *   others, each of its viewers counts as up to RELAY_CLASS, until both sides have the same weight.
 *   So a class at the address of its presenter has half of the turns beside many strangers.
 * - A group's weight is the number of people who may lead; of a group without a presenter,
 *   RELAY_ADDRESS at most. So a crowd at one address has no more turns than a class elsewhere.
 *
 * The side, and in it the group, with the smallest debt has the next turn; of equal ones, the class
 * and the lowest number. Debts then shrink by its debt, and it gets the debt RELAY_UNIT / weight.
 * In that group, the person with the fewest turns leads; of several, the one with the lowest id.
 *
 * Before edition 6 (SCENE_EDITION) groups had no shares: of all viewers, the one with the fewest
 * turns led. */
#ifndef SCENE_RELAY_H
#define SCENE_RELAY_H

#include <stdint.h>

#include "scene/people.h"

struct scene;

#define RELAY_ADDRESS 32u
#define RELAY_CLASS   4u
#define RELAY_UNIT    (1u << 20) /* more than RELAY_CLASS * PEOPLE_HERE_MAX */

/* Must be called once in each round, before the cursors become targets: counts the turn's ticks,
 * and chooses the next person to lead when they are over or the leader cannot lead. */
void relay_round(struct scene *scene);

/* Begins the turn of the next person, or a new turn of the only one. */
void relay_skip(struct scene *scene);

/* Returns the id of the person who leads after the present turn; 0: no other person. */
uint32_t relay_next(const struct scene *scene);

/* Must be called for a person who has joined: the person starts with the fewest turns that anyone
 * of the group had when its last turn began, or with one more if the person has led more often. So
 * no person waits twice while another of the group leads twice. */
void relay_joined(struct scene *scene, uint32_t slot);

/* Must be called when a scene of an earlier edition continues with the newest one. */
void relay_modernize(struct people *people);

#endif
