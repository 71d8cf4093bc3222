/* Makes a room of a recording again, at any moment of it: a checkpoint is loaded, and its inputs
 * are done again, with the times that they were given. It is the same room bit for bit: the same
 * flock, cursors, roles and controls, whatever threads and lanes there are; but for names, tokens
 * and keys, which a recording does not have. Nobody is told anything. It reads no clock; one thread
 * at a time.
 *
 * A moment is named by the rounds (room_tick() calls) made before it. */
#ifndef REPLAY_H
#define REPLAY_H

#include <stdbool.h>
#include <stdint.h>

#include "past/recording.h"
#include "room/room.h"

#define REPLAY_PROBLEM_MAX 256u

struct keyframes;
struct replay;

/* Of the recording, which stays the caller's and outlives it, and has at least one part. NULL when
 * memory runs out; destroy takes NULL. lanes: see struct flock_definition. */
struct replay *replay_create(const struct recording *recording, uint32_t lanes);
void replay_destroy(struct replay *replay);

enum replay_result {
    REPLAY_MORE, /* a step was made, and there are more to make */
    REPLAY_THERE,
    REPLAY_FAILED, /* replay_problem() says why; seeking elsewhere may do */
};

/* Wants the moment after so many rounds, or the nearest to it that the recording has. */
void replay_seek(struct replay *replay, uint64_t round);

/* Does one step of the way: loads a checkpoint, makes a round, or does some of the inputs before
 * it. */
enum replay_result replay_step(struct replay *replay, struct room_workspace *workspace);

/* What all steps so far have taken, in boids times rounds: some 0.1 µs each. */
uint64_t replay_work(const struct replay *replay);

/* The room as it is; NULL before the first step. Valid until the next one. */
const struct room *replay_room(const struct replay *replay);

/* Its flock, and the ticks that this has made. As above. */
const struct flock *replay_flock(const struct replay *replay);
uint64_t replay_tick(const struct replay *replay);

/* The time of the moment on the room's clock: µs. */
uint64_t replay_clock(const struct replay *replay);

/* Makes that room go on from the moment: it gets the flock and the controls. Nothing but
 * replay_destroy() is then possible. */
void replay_give(struct replay *replay, struct room *room);

/* Rounds made before the moment that it is at. */
uint64_t replay_round(const struct replay *replay);

/* The part that it is in. */
size_t replay_part(const struct replay *replay);

const char *replay_problem(const struct replay *replay);

/* Adds the moment that it is at to the keyframes: see keyframes_add(). */
bool replay_note(const struct replay *replay, struct keyframes *keyframes);

/* What inputs say without being done. */
struct replay_scan {
    uint64_t clock; /* µs: the room's, after the last */
    uint64_t ticks; /* of the flock, at most */
    uint32_t joins;
};

/* Whether that part is whole, without making it again: it loads its checkpoint, and reads its
 * inputs. */
bool replay_check(struct replay *replay, size_t part, struct replay_scan *scan);

/* Whether that part of the recording can be made again to its end, and is then what the next part
 * begins with, if that follows. */
bool replay_verify(struct replay *replay, struct room_workspace *workspace, size_t part);

/* A number that is the same of two rooms if they are, as far as what they do next is concerned:
 * flock, controls, and the cursors and roles of those who are there. */
uint64_t room_hash(const struct room *room);

#endif
