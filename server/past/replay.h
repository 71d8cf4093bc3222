/* A replay computes the scene of a recording again, at any moment: it loads a checkpoint and
 * applies the inputs after it, with their recorded times. The scene is the same bit for bit, with
 * any number of threads and lanes. It reads no clock; one thread at a time.
 *
 * The rounds (scene_tick() calls) before a moment are its name. */
#ifndef REPLAY_H
#define REPLAY_H

#include <stdbool.h>
#include <stdint.h>

#include "past/recording.h"
#include "scene/scene.h"

#define REPLAY_PROBLEM_MAX 256u

struct keyframes;
struct replay;

/* Makes a replay of a recording with at least one part, which must outlive it. Returns NULL when
 * memory runs out; destroy takes NULL. lanes: see struct flock_definition. */
struct replay *replay_create(const struct recording *recording, uint32_t lanes);
void replay_destroy(struct replay *replay);

enum replay_result {
    REPLAY_MORE, /* more steps are needed */
    REPLAY_THERE,
    REPLAY_STOPPED, /* a tick took longer than flock_workspace_limit(); the next step repeats it */
    REPLAY_FAILED,  /* replay_problem() says why; another moment may be reached */
};

/* Sets the moment to reach: after `round` rounds, or the nearest one that the recording has. */
void replay_seek(struct replay *replay, uint64_t round);

/* Does one step: loads a checkpoint, makes a round, or applies some of the inputs before it. */
enum replay_result replay_step(struct replay *replay, struct flock_workspace *workspace);

/* Returns the work of all steps, in boids times rounds: about 0.1 µs each. */
uint64_t replay_work(const struct replay *replay);

/* Returns the scene; NULL before the first step. Valid until the next step. */
const struct scene *replay_scene(const struct replay *replay);

/* Returns the scene, for scene_take_over(). Only replay_destroy() may be called afterwards. */
struct scene *replay_give(struct replay *replay);

/* Returns the time of the moment on the scene's clock: µs. */
uint64_t replay_clock(const struct replay *replay);

/* Returns the rounds before the present moment. */
uint64_t replay_round(const struct replay *replay);

/* Returns the index of the part with the present moment. */
size_t replay_part(const struct replay *replay);

const char *replay_problem(const struct replay *replay);

/* Adds a keyframe of the present moment: see keyframes_add(). */
bool replay_note(const struct replay *replay, struct keyframes *keyframes);

/* A summary of the inputs of a part. */
struct replay_scan {
    uint64_t clock; /* µs: the scene's, after the last input */
    uint64_t ticks; /* of the flock, at most */
    uint32_t joins;
};

/* Checks a part without repeating it: loads its checkpoint and reads its inputs. */
bool replay_check(struct replay *replay, size_t part, struct replay_scan *scan);

/* Repeats a part to its end, and compares the scene with the next part's checkpoint if that part
 * follows it. */
bool replay_verify(struct replay *replay, struct flock_workspace *workspace, size_t part);

#endif
