/* The topic `leads`: who leads how many boids, and whose turn it is. */
#ifndef LEADS_H
#define LEADS_H

#include <stdint.h>

#include "room/frame.h"
#include "scene/scene.h"

/* Boids up to which the numbers are exact. Of more, every nth is counted. */
#define LEADS_EXACT 20000u

/* Fills in the leaders and the turn. time: on the scene's clock. */
void leads_describe(const struct scene *scene, uint64_t time, struct proto_leads *leads);

/* Returns the message as a frame; NULL when memory runs out. */
struct frame *leads_frame(const struct scene *scene, uint64_t time);

#endif
