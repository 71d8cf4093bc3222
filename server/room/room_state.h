/* A room as bytes, from which it goes on bit for bit as if it had not stopped: its flock, its
 * settings, its people with their cursors and roles, and its clock. Secrets are in it as digests.
 * Pure: no files, no clock. */
#ifndef ROOM_SAVED_H
#define ROOM_SAVED_H

#include <stddef.h>
#include <stdint.h>

#include "room/room.h"

/* The room's bytes as of `now`, the caller's to free, and *size; NULL when memory runs out. It
 * takes about as long as copying them. They lack the checksum, which takes some time more:
 * saved_seal() (scene/saved.h) writes it, on any thread. */
uint8_t *room_save(struct room *room, uint64_t now, size_t *size);

/* A room of such bytes, which may be anything: NULL, and `problem` says what is wrong with them.
 *
 * Of the definition there stay number, code, instance, the limits, the budget, the tries, and what
 * the server can do; a room that is beyond a limit gets no more, and keeps what it has. Everything
 * else is as it was. The room's clock goes on from where it was saved, whatever `now` is.
 *
 * The people who were there are there, with their handles, and their cursors steer until they time
 * out; nobody is told anything, and who comes back with a token takes over. */
struct room *room_load(const struct room_definition *definition, const struct room_sink *sink,
                       const uint8_t *bytes, size_t size, uint64_t now, char *problem,
                       size_t problem_size);

/* A new room that begins as such bytes say, with nobody in it: like room_load(), but that keys,
 * open controls, and the title unless it is empty, are the definition's. */
struct room *room_begin(const struct room_definition *definition, const struct room_sink *sink,
                        const uint8_t *bytes, size_t size, uint64_t now, char *problem,
                        size_t problem_size);

/* Whether it plays a film, so that its bytes are of what it shows, and of which moment that is. */
bool room_plays(const struct room *room);

/* What the room was made of, as it is now: title, key (concealed), rates and settings. */
const struct room_definition *room_definition_of(const struct room *room);

/* Everybody who is there has left: nobody's connection has outlived the process that saved the
 * room. Nobody is told; they are remembered, and may come back. */
void room_vacate(struct room *room, uint64_t now);

/* Whether everyone is a presenter from now on, whatever was so when the room was saved; with nobody
 * in it. Those who were presenters in an open room are none when it is open no more. */
void room_open_controls(struct room *room, bool open);

/* From now on that is its key; with nobody in it. made: by flockd, as at each start without a key;
 * when somebody chose it, and another one before, those who were presenters are none any more. */
void room_set_key(struct room *room, const char *key, bool made);

#endif
