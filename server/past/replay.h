/* Makes the scene of a recording again, at any moment: loads a checkpoint and applies the inputs
 * after it, with their recorded times. The scene is the same bit for bit, whatever threads and
 * lanes there are. It reads no clock; one thread at a time.
 *
 * A moment is named by the rounds (scene_tick() calls) made before it. */
#ifndef REPLAY_H
#define REPLAY_H

#include <stdbool.h>
#include <stdint.h>

#include "past/recording.h"
#include "scene/scene.h"

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
enum replay_result replay_step(struct replay *replay, struct flock_workspace *workspace);

/* What all steps so far have taken, in boids times rounds: some 0.1 µs each. */
uint64_t replay_work(const struct replay *replay);

/* The scene as it is; NULL before the first step. Valid until the next one. */
const struct scene *replay_scene(const struct replay *replay);

/* The same scene, for scene_take_over(). Only replay_destroy() may be called afterwards. */
struct scene *replay_give(struct replay *replay);

/* The time of the moment on the scene's clock: µs. */
uint64_t replay_clock(const struct replay *replay);

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
bool replay_verify(struct replay *replay, struct flock_workspace *workspace, size_t part);

#endif
