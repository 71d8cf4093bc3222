/* A server's answers about its rooms (docs/API.md): the listed rooms, its presets, who may create
 * rooms; and the room that it has made.
 *
 * Pure: reads and writes JSON. Texts come from outside and are cut to their fields. */
#ifndef TERM_LISTING_H
#define TERM_LISTING_H

#include "protocol.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TERM_LISTING_ROOMS   200u
#define TERM_LISTING_PRESETS 64u
#define TERM_LISTING_NOTE    256u

struct term_listed {
    char code[PROTO_ROOM_MAX + 1];
    char title[PROTO_TITLE_MAX + 1]; /* without a title, the code as people read it */
    char note[TERM_LISTING_NOTE];    /* preset, people, boids, lock */
};

struct term_listing {
    bool known;      /* the server has answered */
    bool may_create; /* everyone may create rooms */
    uint32_t room_count, preset_count;
    struct term_listed rooms[TERM_LISTING_ROOMS];
    struct proto_choice presets[TERM_LISTING_PRESETS];
};

/* Reads the answer to GET /api/rooms. Returns false, and changes nothing, if it is malformed. */
bool term_listing_read(struct term_listing *listing, const char *json);

/* Writes the body of POST /api/rooms. preset: "": none. */
void term_listing_ask(char *out, size_t capacity, const char *preset);

/* Reads the answer to that: the new room's code and presenter key. */
bool term_listing_made(const char *json, char code[PROTO_ROOM_MAX + 1],
                       char key[PROTO_KEY_MAX + 1]);

/* Reads the server's words about a refused request into out; returns false if there are none. */
bool term_listing_refusal(const char *json, char *out, size_t capacity);

#endif
