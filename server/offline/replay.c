#include "offline/replay.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "offline/file.h"
#include "offline/output.h"
#include "offline/run.h"
#include "past/replay.h"

struct replaying {
    const struct options *options;
    uint8_t *file; /* the file's bytes, which contain the recording */
    struct recording *recording;
    struct replay *replay;
    struct flock_workspace *workspace;
    struct flock_output output;
    bool begun;     /* something has been written */
    uint64_t tick;  /* the tick that was written last */
    uint64_t first; /* the round from which it continues */
    bool progress;
    double started;
};

static void open_recording(struct replaying *run)
{
    const struct options *options = run->options;
    char problem[256];
    size_t size;

    run->file = flock_file_read("--replay", options->replay, &size);
    run->recording = recording_read(run->file, size, problem, sizeof problem);
    if (run->recording == NULL) {
        refuse("--replay: %s: %s", options->replay, problem);
    }
    if (strcmp(run->recording->version, FLOCKD_VERSION) != 0) {
        fprintf(stderr, "flock-sim: %s was recorded by flockd %s, this is %s\n", options->replay,
                run->recording->version, FLOCKD_VERSION);
    }
    run->replay = replay_create(run->recording, options->definition.lanes);
    run->workspace = flock_workspace_create(options->threads);
    if (run->replay == NULL || run->workspace == NULL) {
        refuse("--replay: out of memory, or of threads");
    }
}

static int complain(const struct replaying *run)
{
    fprintf(stderr, "flock-sim: --replay: %s: %s\n", run->options->replay,
            replay_problem(run->replay));
    return EXIT_FAILURE;
}

static void show(const struct replaying *run, uint64_t round, uint64_t end)
{
    if (run->progress && end > run->first) {
        run_show(round - run->first, end - run->first, run->started);
    }
}

/* ---- verifying ---- */

static int verify(struct replaying *run)
{
    const struct recording *recording = run->recording;
    size_t count = recording->count;

    for (size_t part = 0; part < count; part++) {
        if (!replay_verify(run->replay, run->workspace, part)) {
            return complain(run);
        }
        show(run, recording->parts[part].round, recording_end(recording));
    }
    output_row(&run->output,
               "sound: %zu parts, %" PRIu64 " rounds, ticks %" PRIu64 " to %" PRIu64
               ", %u Hz, by flockd %s; it ends with %016" PRIx64 "\n",
               count, recording_end(recording) - recording->parts[0].round,
               recording->parts[0].tick, scene_ticks(replay_scene(run->replay)),
               recording->tick_rate, recording->version, scene_hash(replay_scene(run->replay)));
    return EXIT_SUCCESS;
}

/* ---- writing ---- */

/* Writes the replay's present moment if its tick is asked for. Returns whether more ticks may be
 * asked for. */
static bool write_moment(struct replaying *run)
{
    const struct options *options = run->options;
    uint64_t tick = scene_ticks(replay_scene(run->replay));

    if (tick > options->to) {
        return false;
    }
    if (tick >= options->from &&
        (!run->begun || (tick != run->tick && tick % options->every == 0))) {
        run->begun = true;
        if (options->measures) {
            output_measures(&run->output, scene_flock(replay_scene(run->replay)), run->workspace,
                            tick);
        } else {
            output_boids(&run->output, scene_flock(replay_scene(run->replay)), tick);
        }
    }
    run->tick = tick;
    return !output_failed(&run->output);
}

/* Advances the replay to that round. */
static bool go_to(struct replaying *run, uint64_t round)
{
    enum replay_result result;

    replay_seek(run->replay, round);
    do {
        result = replay_step(run->replay, run->workspace);
    } while (result == REPLAY_MORE);
    return result == REPLAY_THERE;
}

/* Runs a part. *more says whether later parts may be asked for. Returns false if it cannot be
 * run. */
static bool run_part(struct replaying *run, const struct recording_part *part, bool *more)
{
    uint64_t end = recording_end(run->recording);

    for (uint64_t round = part->round; round <= part->round + part->rounds && *more; round++) {
        if (!go_to(run, round)) {
            return false;
        }
        *more = write_moment(run) && !run_asked_to_stop();
        show(run, round, end);
    }
    return true;
}

static int write_ticks(struct replaying *run)
{
    const struct recording *recording = run->recording;
    bool more = true;

    output_header(&run->output, run->options->measures);
    for (size_t part = recording_find_tick(recording, run->options->from);
         part < recording->count && more; part++) {
        run->first = run->first > 0 ? run->first : recording->parts[part].round;
        if (!run_part(run, &recording->parts[part], &more)) {
            return complain(run);
        }
    }
    return EXIT_SUCCESS;
}

int flock_replay(const struct options *options)
{
    struct replaying run = {.options = options, .started = run_seconds(CLOCK_MONOTONIC)};
    int status;

    open_recording(&run);
    FILE *save = options->save[0] != '\0' ? flock_file_open(options->save) : NULL;
    output_open(&run.output, options->output);
    run.progress = isatty(STDERR_FILENO) && !output_is_seen(&run.output);
    run_catch_stop();
    status = options->verify ? verify(&run) : write_ticks(&run);
    if (output_close(&run.output) != EXIT_SUCCESS ||
        (save != NULL && status == EXIT_SUCCESS &&
         !flock_file_save(save, options->save, scene_flock(replay_scene(run.replay))))) {
        status = EXIT_FAILURE;
    }
    replay_destroy(run.replay);
    recording_destroy(run.recording);
    free(run.file);
    flock_workspace_destroy(run.workspace);
    run_end_as_asked();
    return status;
}
