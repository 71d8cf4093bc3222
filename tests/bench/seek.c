/* Measures the time to show a moment of a long past. A room runs for some minutes of simulated time
 * and records its past like flockd --rewind. The program then seeks to moments in random order: in
 * the room, in its recording with the file's checkpoints alone, and with keyframes. Times are
 * processor time, so other work of the machine does not count.
 *
 *   build/seek [MINUTES [BOIDS [MODEL [FILE]]]]       FILE: only writes the recording to this file
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "past/film_index.h"
#include "past/film_open.h"
#include "past/history.h"
#include "past/history_budget.h"
#include "past/keyframes.h"
#include "past/replay.h"
#include "room/rewind.h"
#include "room/room_state.h"
#include "room/state.h"
#include "room/workspace.h"

#define TICK_RATE 30u
#define SEEKS     60u
#define MIB       1048576.0

static struct room_workspace *workspace;

/* Returns the processor time of this process, ms. */
static double spent(void)
{
    struct timespec time;

    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return (double)time.tv_sec * 1e3 + (double)time.tv_nsec / 1e6;
}

/* Returns a room with a wandering target, which presenters may rewind. */
static struct room *live(const struct flock_model *model, uint32_t boids, uint32_t minutes,
                         struct history_budget *budget)
{
    struct room_definition definition = room_definition_default();
    uint64_t ticks = (uint64_t)minutes * 60 * TICK_RATE;
    double begin = spent();

    flock_settings_choose(&definition.flock.settings, model);
    definition.flock.settings.boundary = FLOCK_WRAP;
    definition.flock.settings.width = 2000;
    definition.flock.settings.height = 1500;
    definition.flock.boids = boids;
    definition.rewind = minutes * UINT64_C(60000000);
    definition.history_budget = budget;
    struct room *room = room_create(&definition, &room_sink_none, NULL, NULL);
    for (uint64_t tick = 0; room != NULL && tick < ticks; tick++) {
        (void)room_tick(room, workspace, tick * 1000000 / TICK_RATE);
    }
    if (room != NULL) {
        printf("%u min of %u %s: %.2f ms a tick, %.1f MiB in memory\n", minutes, boids, model->name,
               (spent() - begin) / (double)ticks, (double)budget->bytes / MIB);
    }
    return room;
}

/* Returns the room's recording. */
static uint8_t *record(struct room *room, size_t *size)
{
    struct recording *recording = room_hold_past(room);
    uint8_t *bytes = recording != NULL ? recording_write(recording, false, size) : NULL;

    if (bytes != NULL) {
        printf("its file: %zu checkpoints, %.1f MiB\n", recording->count, (double)*size / MIB);
    }
    recording_destroy(recording);
    return bytes;
}

static int write_file(const char *path, uint8_t *bytes, size_t size)
{
    FILE *file = fopen(path, "wb");
    bool well = file != NULL && fwrite(bytes, 1, size, file) == size;

    well = file != NULL && fclose(file) == 0 && well;
    if (!well) {
        perror(path);
    }
    free(bytes);
    return well ? EXIT_SUCCESS : EXIT_FAILURE;
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a;
    double y = *(const double *)b;

    return (x > y) - (x < y);
}

static void print(const char *what, double times[SEEKS])
{
    qsort(times, SEEKS, sizeof times[0], by_value);
    printf("%-18s a moment is there after %.0f ms (median), %.0f (95 %%), %.0f (worst)\n", what,
           times[SEEKS / 2], times[SEEKS * 95 / 100], times[SEEKS - 1]);
}

static bool seek_all(const struct recording *recording, const char *what)
{
    struct replay *replay = replay_create(recording, 0);
    double times[SEEKS] = {0.0};
    uint64_t first = recording->parts[0].round;
    uint64_t rounds = recording_end(recording) - first;

    for (uint32_t i = 0; replay != NULL && i < SEEKS; i++) {
        enum replay_result result = REPLAY_MORE;
        double begin = spent();
        replay_seek(replay, first + i * UINT64_C(2654435761) % rounds);
        while (result == REPLAY_MORE) {
            result = replay_step(replay, workspace->engine);
        }
        times[i] = spent() - begin;
        if (result == REPLAY_FAILED) {
            fprintf(stderr, "seek: %s\n", replay_problem(replay));
            return false;
        }
    }
    replay_destroy(replay);
    print(what, times);
    return replay != NULL;
}

/* Seeks in a room that shows its past. The room seeks in pieces between ticks, so that other rooms
 * wait only for one piece. */
static bool seek_in_room(struct room *room, const char *what)
{
    struct proto_client_message message = {.type = PROTO_REWIND};
    struct proto_error error;
    double times[SEEKS] = {0.0};
    double worst = 0.0;
    float span = 0.0F;

    for (uint32_t i = 0; i < SEEKS; i++) {
        bool more = true;
        double first = spent();
        message.rewind.back = span * (float)(i * 997 % 3600) / 3600.0F;
        if (!room_direct(room, &message, 0, &error)) {
            fprintf(stderr, "seek: %s\n", error.message);
            return false;
        }
        while (more) {
            double begin = spent();
            more = room_seek(room, workspace);
            worst = spent() - begin > worst ? spent() - begin : worst;
        }
        times[i] = spent() - first;
        span = room->shown.past.span;
    }
    print(what, times);
    printf("%-18s the longest piece of work takes %.0f ms\n", "", worst);
    return true;
}

/* Returns a room that plays the film. */
static struct room *replay_room_of(struct film *film)
{
    const struct recording_part *first = &film->recording->parts[0];
    struct room_definition definition = room_definition_default();

    definition.boids_max = film->recording->boids_max;
    const struct room_origin origin = {
        .state = first->state, .size = first->state_size, .film = film};
    struct room *room = room_create(&definition, &room_sink_none, &origin, NULL);
    if (room == NULL) {
        fputs("seek: no room can play it\n", stderr);
        room_destroy(room);
        return NULL;
    }
    return room;
}

static bool always(void *argument)
{
    (void)argument;
    return true;
}

int main(int argc, char **argv)
{
    uint32_t minutes = argc > 1 ? (uint32_t)strtoul(argv[1], NULL, 10) : 60;
    uint32_t boids = argc > 2 ? (uint32_t)strtoul(argv[2], NULL, 10) : 5000;
    const struct flock_model *model = flock_model_find(argc > 3 ? argv[3] : "boids");
    struct history_budget budget = {.bytes_max = UINT64_C(512) << 20};
    struct proto_error error;
    size_t size = 0;

    (void)setvbuf(stdout, NULL, _IOLBF, 0);
    workspace = room_workspace_create(1);
    struct room *room =
        model != NULL && workspace != NULL ? live(model, boids, minutes, &budget) : NULL;
    uint8_t *bytes = room != NULL ? record(room, &size) : NULL;
    if (bytes == NULL) {
        fputs("seek: no such room can be\n", stderr);
        return EXIT_FAILURE;
    }
    if (argc > 4) {
        room_destroy(room);
        room_workspace_destroy(workspace);
        return write_file(argv[4], bytes, size);
    }
    bool well = seek_in_room(room, "the live room:");
    room_destroy(room);
    double begin = spent();
    struct film *film =
        film_open(bytes, size, &(struct recording_limits){.boids = boids}, &budget, &error);
    if (film == NULL) {
        fprintf(stderr, "seek: %s\n", error.message);
        return EXIT_FAILURE;
    }
    printf("checked in %.0f ms\n", spent() - begin);
    well = well && seek_all(film->recording, "checkpoints alone:");
    begin = spent();
    struct film_index *index = film_index_begin(film);
    if (index != NULL) {
        (void)film_index_work(index, workspace->engine, always, NULL);
    }
    film_index_end(index);
    printf("%zu keyframes in %.0f s, %.0f MiB with the file\n", keyframes_count(film->keyframes),
           (spent() - begin) / 1e3, (double)budget.bytes / MIB);
    room = replay_room_of(film);
    well = well && room != NULL && seek_in_room(room, "in a replay room:");
    room_destroy(room);
    well = well && seek_all(film->recording, "with keyframes:");
    film_release(film);
    room_workspace_destroy(workspace);
    return well ? EXIT_SUCCESS : EXIT_FAILURE;
}
