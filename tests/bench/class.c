/* Measures the ticks of two rooms with the same people, whose cursors move: with the policy `mean`,
 * where all boids follow one target, and with `nearest`, where each boid follows the cursor nearest
 * to it. The rooms tick in turn, so that other work of the machine slows both. Times are processor
 * time.
 *
 * In the first pair of rooms boids gather where they are led, so they have unequal numbers of
 * neighbours. In the second pair the pull of the target is 0, so both flocks are the same.
 *
 *   build/class [MODEL [BOIDS [PEOPLE [LANES [BOUNDARY [UPDATE]]]]]]   LANES: 0 as many as there
 * are
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "room/room.h"
#include "scene/cursor.h"

enum { RATE = 30, WARM = 300, TICKS = 600, PEOPLE = 128 };

#define WIDTH  2000.0
#define HEIGHT 1500.0
#define TURN   20.0 /* s: a cursor's way around its circle */

struct course {
    struct room *room;
    room_member members[PEOPLE];
    double times[TICKS];
};

/* Returns the processor time of this thread, us. */
static double spent(void)
{
    struct timespec time;

    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return (double)time.tv_sec * 1e6 + (double)time.tv_nsec / 1e3;
}

static void join_all(struct course *course, uint32_t people)
{
    struct proto_hello hello = {.version = 1, .encoding_count = 1, .encodings = {"plain"}};
    struct room_end refused = {0};

    for (uint32_t i = 0; i < people; i++) {
        course->members[i] = room_join(course->room, &hello, 0, 0, &refused);
        if (course->members[i] == 0) {
            fputs("class: a person cannot join\n", stderr);
            exit(EXIT_FAILURE);
        }
        room_welcome(course->room, course->members[i], 0);
    }
}

static void begin(struct course *course, const struct room_definition *definition,
                  enum cursor_policy policy)
{
    struct room_definition own = *definition;

    own.controls.policy = policy;
    course->room = room_create(&own, &room_sink_none, NULL, NULL);
    if (course->room == NULL) {
        fputs("class: no such room can be\n", stderr);
        exit(EXIT_FAILURE);
    }
    join_all(course, definition->people_max);
}

/* Moves every cursor on a circle of its own. */
static void point_all(const struct course *course, uint32_t people, uint32_t tick, uint64_t now)
{
    for (uint32_t i = 0; i < people; i++) {
        const double angle = 6.283185307 * ((double)tick / (RATE * TURN) + i * 0.618);
        struct proto_client_message message = {.type = PROTO_CURSOR};
        message.cursor.x = (float)(WIDTH * (0.1 + 0.8 * fmod(i * 0.7549, 1)) + 150 * cos(angle));
        message.cursor.y = (float)(HEIGHT * (0.1 + 0.8 * fmod(i * 0.5698, 1)) + 150 * sin(angle));
        room_receive(course->room, course->members[i], &message, now);
    }
}

static double tick_room(const struct course *course, struct room_workspace *workspace, uint64_t now)
{
    const double start = spent();

    if (!room_tick(course->room, workspace, now)) {
        fputs("class: a tick was stopped\n", stderr);
        exit(EXIT_FAILURE);
    }
    return spent() - start;
}

static int by_value(const void *a, const void *b)
{
    const double x = *(const double *)a;
    const double y = *(const double *)b;

    return (x > y) - (x < y);
}

static double median(double times[TICKS])
{
    qsort(times, TICKS, sizeof times[0], by_value);
    return times[TICKS / 2];
}

/* Takes the pull of the target away. */
static void let_go(struct flock_settings *settings)
{
    const char *const names[] = {"seek_weight", "alignment_min", "alignment_max"};

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const int index = flock_param_find(settings->model, names[i]);
        if (index >= 0) {
            settings->params[index] = 0.0F;
        }
    }
}

static void measure(const struct room_definition *definition, struct room_workspace *workspace,
                    const char *what)
{
    static struct course mean;
    static struct course nearest;
    static double ratios[TICKS];

    begin(&mean, definition, CURSOR_MEAN);
    begin(&nearest, definition, CURSOR_NEAREST);
    for (uint32_t tick = 0; tick < WARM + TICKS; tick++) {
        const uint64_t now = (uint64_t)tick * 1000000 / RATE;
        point_all(&mean, definition->people_max, tick, now);
        point_all(&nearest, definition->people_max, tick, now);
        const double one = tick_room(&mean, workspace, now);
        const double each = tick_room(&nearest, workspace, now);
        if (tick >= WARM) {
            mean.times[tick - WARM] = one;
            nearest.times[tick - WARM] = each;
            ratios[tick - WARM] = each / one;
        }
    }
    printf("%-12s mean %5.0f us a tick, nearest %5.0f; nearest / mean of pairs of ticks %.2f\n",
           what, median(mean.times), median(nearest.times), median(ratios));
    room_destroy(mean.room);
    room_destroy(nearest.room);
}

int main(int argc, char **argv)
{
    const struct flock_model *model = flock_model_find(argc > 1 ? argv[1] : "boids");
    struct room_workspace *workspace = room_workspace_create(1);
    struct room_definition definition = room_definition_default();
    struct flock_settings *settings = &definition.flock.settings;
    const uint32_t people = argc > 3 ? (uint32_t)strtoul(argv[3], NULL, 10) : PEOPLE;
    int boundary = FLOCK_WRAP;

    while (argc > 5 && boundary >= 0 &&
           strcmp(flock_boundary_name((size_t)boundary), argv[5]) != 0) {
        boundary = boundary == FLOCK_WRAP ? FLOCK_OPEN : boundary == FLOCK_OPEN ? FLOCK_WALLS : -1;
    }
    if (model == NULL || boundary < 0 || workspace == NULL || people > PEOPLE) {
        fputs("class: no such model or boundary, too many people, or no memory\n", stderr);
        return EXIT_FAILURE;
    }
    flock_settings_choose(settings, model);
    settings->boundary = (enum flock_boundary)boundary;
    settings->width = (float)WIDTH;
    settings->height = (float)HEIGHT;
    settings->update =
        argc > 6 && strcmp(argv[6], "sequential") == 0 ? FLOCK_SEQUENTIAL : FLOCK_SYNCHRONOUS;
    definition.flock.boids = argc > 2 ? (uint32_t)strtoul(argv[2], NULL, 10) : 5000;
    definition.flock.lanes = argc > 4 ? (uint32_t)strtoul(argv[4], NULL, 10) : 0;
    definition.people_max = people;
    printf("%s, %u boids, %u people\n", model->name, definition.flock.boids, people);
    measure(&definition, workspace, "led");
    let_go(settings);
    measure(&definition, workspace, "same flock");
    room_workspace_destroy(workspace);
    return EXIT_SUCCESS;
}
