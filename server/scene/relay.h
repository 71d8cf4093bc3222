/* The relay of the policy `relay`: one person leads at a time. people->leader is the id of the
 * person who leads. For the files of scene/ alone. */
#ifndef SCENE_RELAY_H
#define SCENE_RELAY_H

#include <stdint.h>

#include "scene/people.h"

struct scene;

/* Must be called once in each round, before the cursors become targets: counts the turn's ticks,
 * and chooses the next person to lead when they are over or the leader cannot lead. */
void relay_round(struct scene *scene);

/* Begins the turn of the next person, or a new turn of the only one. */
void relay_skip(struct scene *scene);

/* Returns the id of the person who leads after the present turn; 0: no other person. */
uint32_t relay_next(const struct scene *scene);

/* Must be called for a person who has joined: the person starts with the fewest turns of a
 * person here when the present turn began. So no person waits twice while another leads twice. */
void relay_joined(struct people *people, uint32_t slot);

#endif
