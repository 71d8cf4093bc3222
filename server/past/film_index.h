/* Makes the keyframes of a film (keyframes.h): the whole of it is played, which takes as long as
 * its ticks do, so on a thread of its own. */
#ifndef FILM_INDEX_H
#define FILM_INDEX_H

#include "past/film.h"

/* Plays it until all are made, or one more would not fit, or may_go_on(argument), asked before each
 * round, says no. The film's keyframes are there, and nobody else makes them. */
void film_index(struct film *film, struct flock_workspace *workspace,
                bool (*may_go_on)(void *argument), void *argument);

#endif
