/* A room of a hub that plays the recording of another room. */
#ifndef FILM_ROOM_H
#define FILM_ROOM_H

#include "room_life.h"

#include "hub_session.h"

#include "past/film_open.h"
#include "past/history_budget.h"
#include "past/recording.h"
#include "scene/scene.h"

#define FILM_TICKS 60u

/* Returns the recording of a small room. */
static inline uint8_t *record_film_of(uint32_t boids, size_t *size)
{
    struct room_definition definition = room_definition_default();
    struct room_workspace *workspace = room_workspace_create(1);
    struct life life = {.now = UINT64_C(7000000000), .random = 1, .people = 3};

    definition.flock.boids = boids;
    definition.rewind = UINT64_C(600000000);
    life_begin(&life, &definition);
    for (uint32_t tick = 0; tick < FILM_TICKS; tick++) {
        life_round(&life, workspace);
    }
    struct recording *recording = room_hold_past(life.room);
    assert_non_null(recording);
    uint8_t *bytes = recording_write(recording, false, size);
    assert_non_null(bytes);
    recording_destroy(recording);
    life_end(&life);
    room_workspace_destroy(workspace);
    return bytes;
}

static inline uint8_t *record_film(size_t *size)
{
    return record_film_of(20, size);
}

/* Makes a room of that address that plays the recording (malloc'ed). */
static inline struct directory_entry play_bytes(const char *address, bool trusted, uint8_t *bytes,
                                                size_t size, uint32_t boids_max)
{
    struct proto_error error = {0};
    struct history_budget *budget = hub_room_budget(hub, address, trusted);
    struct film *film =
        film_open(bytes, size, &(struct recording_limits){.boids = boids_max}, budget, &error);
    struct hub_making making = {
        .definition = room_definition_default(), .address = address, .budget = budget};
    struct hub_made made;

    assert_non_null(film);
    making.origin = (struct room_origin){.state = film->recording->parts[0].state,
                                         .size = film->recording->parts[0].state_size,
                                         .film = film};
    making.definition.trusted = trusted;
    making.definition.people_max = SESSIONS;
    making.definition.boids_max = boids_max;
    making.definition.flock.boids = film->boids;
    assert_int_equal(hub_make_room(hub, &making, &made), DIRECTORY_OK);
    film_release(film);
    history_budget_release(budget);
    return made.entry;
}

/* As above, of a recording of few boids. Stores its size. */
static inline struct directory_entry play_film(const char *address, uint32_t boids_max,
                                               size_t *size)
{
    uint8_t *bytes = record_film(size);

    return play_bytes(address, false, bytes, *size, boids_max);
}

#endif
