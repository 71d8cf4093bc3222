/* What a room is made of; for the room's own files, not for its users. */
#ifndef ROOM_STATE_H
#define ROOM_STATE_H

#include "room/people.h"
#include "room/room.h"
#include "room/stream.h"

/* For a snapshot on its way out: of all boids, then of some of them. */
struct room_scratch {
    float x[ROOM_BOIDS_MAX], y[ROOM_BOIDS_MAX];
    uint8_t positions[PROTO_BOID_SIZE * ROOM_BOIDS_MAX], headings[ROOM_BOIDS_MAX];
    uint8_t some_positions[PROTO_BOID_SIZE * ROOM_BOIDS_MAX], some_headings[ROOM_BOIDS_MAX];
    uint8_t bytes[]; /* packed_bound(ROOM_BOIDS_MAX) */
};

struct room {
    char name[PROTO_ROOM_MAX + 1];
    char key[PROTO_KEY_MAX + 1];
    struct room_definition definition;
    const struct flock_preset *preset; /* in force, or NULL */
    uint32_t boids;                    /* of a reset */
    struct flock *flock;
    struct people people;
    float quantum;
    uint64_t ticks; /* of the flock */
    uint64_t turns; /* room_tick() calls: ticks, and those in which it was paused */
    uint32_t version, params_version;
    bool paused;
    bool cursors_scare;   /* the flock flees from them, instead of going there */
    uint32_t steps;       /* to make one by one, though paused */
    uint64_t presence_at; /* µs: when the last presence was made */
    bool has_target;
    struct flock_point target;
    struct streams streams;
    uint64_t snapshots; /* made, of whatever stream */
    struct room_scratch *scratch;
    uint8_t cursors[PROTO_PEOPLE_MAX * PROTO_CURSOR_SIZE];
};

/* Fills *error for a value of that field which may not be had; returns false. */
bool room_refuse(struct proto_error *error, enum proto_code code, const char *field,
                 const char *format, ...) __attribute__((format(printf, 4, 5)));

/* Whether a point lies in the range of positions (PROTOCOL.md) of this room. */
bool room_reaches(const struct room *room, float x, float y, struct proto_error *error);

/* What presenters do (control.c). */
bool control_receive(struct room *room, uint32_t slot, const struct proto_client_message *message,
                     struct proto_error *error);

/* The controls as they travel: what can be chosen, and what is. Returns how many. */
uint32_t control_describe(const struct room *room, struct proto_control out[PROTO_CONTROLS_MAX]);

#endif
