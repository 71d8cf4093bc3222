/* Decodes swept, the longest message about a sweep. For decode_server.c. */
#ifndef DECODE_SWEPT_H
#define DECODE_SWEPT_H

#include "reader.h"

#define SWEPT_FIELDS 10u

/* The message has all of its fields; *swept is empty. */
void decode_swept(struct reader *r, const msgpack_object_array *a, struct proto_swept *swept);

#endif
