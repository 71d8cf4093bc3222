/* The people of a room as part of its bytes. For the room's own files. */
#ifndef PEOPLE_STATE_H
#define PEOPLE_STATE_H

#include "scene/people.h"
#include "scene/saved.h"

/* As the value of that key; times are the room's. bare: without names and tokens. */
void people_put(struct saved *saved, const char *key, const struct people *people, bool bare);

/* Reads them into `people`, made by people_init(). What is read may be anything: the reader fails
 * if it is out of range, and people_finish() is due either way. */
void people_read(struct saved_reader *reader, const msgpack_object *value, struct people *people);

/* Bytes that they will take, about. */
size_t people_state_size(const struct people *people);

#endif
