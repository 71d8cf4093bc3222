/* Makes the keyframes of a film (keyframes.h). This plays the whole film, so it runs on a thread of
 * its own, which may work on several films in turn. */
#ifndef FILM_INDEX_H
#define FILM_INDEX_H

#include "past/film.h"

struct film_index;

/* Begins to play the film, which must outlive the result. Returns NULL when memory runs out; end
 * takes NULL. */
struct film_index *film_index_begin(struct film *film);
void film_index_end(struct film_index *index);

/* Plays the film until its end, or until a keyframe does not fit: then it returns true. Returns
 * false if may_go_on(argument) does, which is called before each round and between its steps;
 * another call continues there. No other thread may add keyframes to the film. */
bool film_index_work(struct film_index *index, struct flock_workspace *workspace,
                     bool (*may_go_on)(void *argument), void *argument);

#endif
