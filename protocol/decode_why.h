/* The message why of a server, from its parsed array. Private to the codec. */
#ifndef PROTOCOL_DECODE_WHY_H
#define PROTOCOL_DECODE_WHY_H

#include "reader.h"

/* The least number of the message's fields. */
#define WHY_FIELDS 10u

/* Fills *why, which is all 0. The array must have WHY_FIELDS fields. */
void decode_why(struct reader *reader, const msgpack_object_array *array, struct proto_why *why);
void decode_pushes(struct reader *reader, const msgpack_object_array *array,
                   struct proto_pushes *pushes);

#endif
