/* People as part of a scene's bytes. For the files of scene/ and for what saves rooms. */
#ifndef PEOPLE_STATE_H
#define PEOPLE_STATE_H

#include "base/digest.h"
#include "scene/people.h"
#include "scene/saved.h"

/* A room's facts of the person in a slot, which it saves. */
struct person_identity {
    uint64_t renamed_at; /* µs; 0: the person has its first name */
    uint8_t token_digest[DIGEST_SIZE];
    char name[PROTO_NAME_MAX + 1];
    bool owner;         /* a presenter who has shown the room's key; saved by the room */
    uint32_t name_hash; /* see names_hash(); not saved */
};

/* Writes people as the value of that key. identities: by slot; NULL: people get the names of people
 * who come without one, and tokens that fit no one. */
void people_put(struct saved *saved, const char *key, const struct people *people,
                const struct person_identity *identities);

/* Reads people into `people`, made by people_init() and with the greatest number of people, and,
 * unless `identities` is NULL, their identities into *identities, as many as people->capacity. The
 * reader fails if the bytes are out of range. The caller must call people_finish() and
 * free(*identities) either way. */
void people_read(struct saved_reader *reader, const msgpack_object *value, struct people *people,
                 struct person_identity **identities);

/* Returns about how many bytes people_put() writes. */
size_t people_state_size(const struct people *people);

#endif
