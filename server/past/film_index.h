/* Makes the keyframes of a film (keyframes.h). This plays the whole film, so it runs on a thread of
 * its own. */
#ifndef FILM_INDEX_H
#define FILM_INDEX_H

#include "past/film.h"

/* Plays the film until its end, until a keyframe does not fit, or until may_go_on(argument) returns
 * false, which is called before each
 * round and between its steps. No other thread may add keyframes to the film. */
void film_index(struct film *film, struct flock_workspace *workspace,
                bool (*may_go_on)(void *argument), void *argument);

#endif
