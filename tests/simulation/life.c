/* A life is a run of the server in simulated time. Rooms are created and end, people join and
 * leave, the disk fails, and the process is killed. A seed determines all events of a life. The
 * server's own directory, runners, rooms, links, outlets and store run in one thread.
 *
 *   simulation [--cluster] [--seed N] [--lives N] [--seconds S] [--fault NAME] [--verbose]
 *
 * Runs lives with this seed (default 1) and the seeds after it: this number of lives (default 300),
 * or for this many seconds of real time. In each second life, rooms of two creators are hostile:
 * see shares.h. The first failed check prints its seed, with which the life can be repeated, and
 * ends with status 1.
 *
 * --fault inserts a fault, which the checks must find: want-key, reply, checkpoint, trust, charge.
 * --cluster runs lives of a cluster: see cluster.h. Its faults are epoch, picture and forget. */
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "check.h"
#include "client.h"
#include "cluster.h"
#include "disk.h"
#include "hub/hub.h"
#include "shard.h"
#include "shares.h"
#include "threads.h"
#include "visitor.h"

#define ROOMS_MAX     8u
#define PLACES_MAX    64u
#define CLIENTS       16u
#define LIFE_TIME     (60 * S)
#define KILL_TIME     (25 * S) /* between kills, on average */
#define CREATE_TIME   (8 * S)
#define END_TIME      (20 * S)
#define DISK_TIME     (10 * S)
#define INTERVAL      (2 * S) /* between checkpoints */
#define PAST_INTERVAL (5 * S) /* between two times that a room's past is stored */
#define WRITE_TIME    (3 * S) /* within which a working disk has written a room */
#define STARVED       6u      /* writes of a slow disk, of which one has the room */
#define PATIENCE      60.0    /* s */
#define MOVE_EVERY    (6 * S)
#define MOVE_TIME     (2 * S) /* for which a room that moves is in no hub, at most */
#define SLOW_DISK     (400 * MS)

/* A room that was created and has not ended. */
struct known {
    struct place place;
    uint64_t since; /* ns: when it was created; WIRE_NEVER after a request to end it */
    bool trusted;
};

static struct hub *hub;
static struct store *store;
static struct known known[PLACES_MAX];
static uint32_t known_count;
static struct client *clients[CLIENTS];
static uint64_t disk_works_since;
static uint64_t disk_failed_until;
static enum fault planted;
static bool verbose;

static void log_event(const char *what)
{
    if (verbose) {
        printf("%9.3f s: %s\n", (double)threads_now() / 1e9, what);
    }
}

/* ---- the process ---- */

/* A room that the hub has released and not yet adopted. */
static struct {
    bool asked, here;
    struct store_room kept;
    struct recording *past;
    uint64_t adopt_at; /* ns */
} moving;

static void forget_moving(void)
{
    free(moving.here ? moving.kept.state : NULL);
    recording_destroy(moving.past);
    memset(&moving, 0, sizeof moving);
}

static void start(void)
{
    char text[STORE_REASON_MAX];
    struct hub_definition definition = {
        .shards = SHARDS,
        .runners = shares_hostile() ? 1 : 2,
        .threads = 1,
        .sessions_max = 4 * CLIENTS,
        .limits = {.rooms_max = ROOMS_MAX, .rooms_per_hour = 100000},
        .tries = {.connection = 6, .address = 30, .all = 300},
        .boids_max = 100000,
        .room_idle = 3600 * S / 1000,
        .room_boids = 120,
        .checkpoint_interval = INTERVAL / 1000,
        .past_interval = PAST_INTERVAL / 1000,
        .history_bytes = 8u << 20,
        .fingerprint = 1,
        .lobby = room_definition_default(),
        .wake = shard_wake,
    };

    check(store_open("/disk", &store, text) == STORE_OK, "%s", text);
    definition.store = store;
    definition.lobby.people_max = CLIENTS - 4;
    definition.lobby.boids_max = 120;
    definition.lobby.rewind = 60 * S / 1000;
    hub = hub_create(&definition);
    check(hub != NULL, "the hub cannot be made");
    shards_serve(hub);
    shares_serve(hub);
}

static void stop(void)
{
    for (uint32_t i = 0; i < CLIENTS; i++) {
        client_cut(clients[i]);
    }
    shares_serve(NULL);
    hub_stop(hub);
    forget_moving();
    hub_destroy(hub);
    (void)store_close(store, PATIENCE);
}

/* ---- rooms ---- */

static const struct place *choose_place(void)
{
    return &known[chance_below(known_count)].place;
}

static void create_room(void)
{
    static const char *const models[] = {"swarm", "boids", "vision", "birds", "steering"};
    static const char *const addresses[] = {[SHARES_TRUSTED] = "192.0.2.3",
                                            [SHARES_FIRST] = "192.0.2.1",
                                            [SHARES_SECOND] = "192.0.2.2"};
    const enum shares_creator creator =
        shares_hostile() ? (enum shares_creator)chance_below(3) : SHARES_FIRST;
    struct hub_making making = {.definition = room_definition_default(),
                                .address = addresses[creator]};
    struct room_definition *definition = &making.definition;
    struct hub_made made;

    definition->trusted = creator == SHARES_TRUSTED && planted != FAULT_TRUST;
    flock_settings_choose(&definition->flock.settings, flock_model_find(models[chance_below(5)]));
    definition->flock.settings.boundary = (enum flock_boundary)chance_below(3);
    definition->flock.boids = 1 + (uint32_t)chance_below(80);
    definition->flock.seed = chance_below(1000);
    definition->boids_max = 120;
    definition->people_max = CLIENTS - 4;
    if (moving.asked || moving.here) {
        return; /* keeps a slot for the room that moves */
    }
    if (known_count == PLACES_MAX || hub_make_room(hub, &making, &made) != DIRECTORY_OK) {
        return; /* the maximum is reached */
    }
    struct known *room = &known[known_count++];
    *room = (struct known){.since = threads_now(), .trusted = definition->trusted};
    memcpy(room->place.code, made.entry.code, sizeof room->place.code);
    memcpy(room->place.key, made.key, sizeof room->place.key);
    shares_made(room->place.code, creator);
    log_event("a room is created");
}

static void end_room(void)
{
    uint32_t index = (uint32_t)chance_below(known_count);
    struct directory_entry entry;
    struct hub_request *request = calloc(1, sizeof *request);

    check(request != NULL, "out of memory");
    if (index == 0 || !directory_find(hub_directory(hub), known[index].place.code, &entry)) {
        free(request); /* the lobby cannot end */
        return;
    }
    memcpy(request->key, known[index].place.key, sizeof request->key);
    snprintf(request->address, sizeof request->address, "192.0.2.1");
    request->listed = -1;
    request->end = true;
    check(hub_ask(hub, 0, 1, entry.number, request), "a runner is too busy");
    known[index] = known[--known_count];
    log_event("a room is ended");
}

/* ---- rooms that move ---- */

static void take_released(void *argument, const struct store_room *kept, struct film *film,
                          struct recording *past)
{
    (void)argument;
    (void)film;
    moving.asked = false;
    moving.here = kept->state != NULL;
    moving.kept = *kept;
    moving.past = past;
    moving.adopt_at = threads_now() + chance_below(MOVE_TIME);
}

static void move_room(void)
{
    const char *code = known[chance_below(known_count)].place.code;

    if (!moving.asked && !moving.here) {
        moving.asked = hub_release_room(hub, code, take_released, NULL);
        check_moves();
        log_event("a room moves");
    }
}

/* Lets the hub adopt the released room, unchanged. */
static void adopt_room(void)
{
    struct hub_made made;
    uint64_t signature, saved_at;

    if (!moving.here || threads_now() < moving.adopt_at) {
        return;
    }
    check(check_saved(moving.kept.state, &signature, &saved_at), "a state is of no room");
    check_loads(moving.kept.state, signature);
    check(hub_adopt(hub, &moving.kept, NULL, moving.past, true, &made) == DIRECTORY_OK,
          "the room %s cannot come back: %s", moving.kept.code, made.error.message);
    moving.here = false;
    free(moving.kept.state);
    recording_destroy(moving.past);
    moving.past = NULL;
    check_moves();
    log_event("the room is back");
}

/* ---- failures ---- */

/* Returns whether the room has given way to another one. */
static bool has_given_way(const char *code)
{
    struct directory_entry entry;
    const bool moves = moving.asked || (moving.here && strcmp(moving.kept.code, code) == 0);

    return !moves && !directory_find(hub_directory(hub), code, &entry);
}

/* Returns whether a room that is not trusted still waits for its first write. While trusted rooms
 * keep a slow disk busy, others have each fifth part (docs/data.md, "A slow disk"), and all of a
 * life fit into one. The store's status must have the delay. */
static bool may_wait(const struct known *room)
{
    const uint64_t since = room->since + INTERVAL;
    struct store_status status;

    store_status(store, &status);
    return !room->trusted && status.late >= (double)WRITE_TIME / 1e9 &&
           !disk_has_written(STARVED, since > disk_failed_until ? since : disk_failed_until);
}

/* Checks that every room is on the disk after INTERVAL + WRITE_TIME on a working disk. */
static void check_disk(void)
{
    uint64_t now = threads_now();
    uint64_t sure = INTERVAL + WRITE_TIME;

    if (now < disk_works_since + sure) {
        return;
    }
    for (uint32_t i = 1; i < known_count; i++) {
        uint64_t saved_at;
        check(now < known[i].since + sure || has_given_way(known[i].place.code) ||
                  disk_has(known[i].place.code, &saved_at) || may_wait(&known[i]),
              "the room %s was not kept", known[i].place.code);
    }
}

static void check_restored(void)
{
    struct directory_entry entry;
    uint64_t saved_at;

    for (uint32_t i = 0; i < known_count; i++) {
        if (disk_has(known[i].place.code, &saved_at)) {
            check(directory_find(hub_directory(hub), known[i].place.code, &entry),
                  "the room %s did not come back", known[i].place.code);
        }
    }
}

/* Forgets rooms that were never written to the disk. */
static void forget_unkept(void)
{
    uint64_t saved_at;

    for (uint32_t i = known_count; i-- > 1;) {
        if (!disk_has(known[i].place.code, &saved_at)) {
            known[i] = known[--known_count];
        }
    }
}

static void restart(bool killed)
{
    log_event(killed ? "the process is killed" : "the process stops");
    if (killed) {
        check_disk();
        disk_kill();
    } else {
        disk_fail(false);
        disk_slow(0);
        disk_works_since = threads_now();
    }
    stop();
    disk_next_process();
    check_next_process();
    start();
    check_restored();
    forget_unkept();
    disk_works_since = disk_works_since > threads_now() ? disk_works_since : threads_now();
    for (uint32_t i = 0; i < CLIENTS; i++) {
        client_next_process(clients[i]);
    }
}

static void trouble_disk(void)
{
    bool fails = chance(300);

    disk_failed_until = disk_works_since > threads_now() ? threads_now() : disk_failed_until;
    disk_fail(fails);
    disk_slow(chance(300) ? SLOW_DISK : 0);
    disk_works_since = fails ? WIRE_NEVER / 2 : threads_now();
    log_event(fails ? "the disk fails" : "the disk works");
}

/* ---- life ---- */

static uint64_t earlier_of(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static uint64_t next_of_all(void)
{
    uint64_t next = shards_next();

    for (uint32_t i = 0; i < CLIENTS; i++) {
        next = earlier_of(next, client_next(clients[i]));
    }
    return next;
}

static void turn_all(void)
{
    shards_turn();
    for (uint32_t i = 0; i < CLIENTS; i++) {
        if (client_next(clients[i]) <= threads_now()) {
            client_turn(clients[i], hub, choose_place);
        }
    }
}

/* Calls `what` when *at has come, and chooses the next time. mean: ns between calls. */
static void now_and_then(uint64_t *at, uint64_t mean, void (*what)(void))
{
    if (threads_now() >= *at) {
        what();
        *at = threads_now() + chance_time(mean) + 1;
    }
}

static void kill_or_stop(void)
{
    restart(chance(800));
}

static void begin(uint64_t seed, enum fault fault)
{
    planted = fault;
    threads_begin(seed);
    check_begin(seed, fault);
    shares_begin(seed % 2 == 0);
    disk_begin();
    shards_begin();
    for (uint32_t i = 0; i < CLIENTS; i++) {
        clients[i] = client_create(i);
    }
    known_count = 1;
    known[0] = (struct known){.place.code = ROOM_LOBBY};
    disk_works_since = disk_failed_until = 0;
    start();
}

static void end(void)
{
    stop();
    for (uint32_t i = 0; i < CLIENTS; i++) {
        client_destroy(clients[i]);
    }
    shards_end();
    disk_end();
    check_end();
}

static void live(uint64_t seed, enum fault fault)
{
    uint64_t kill_at, create_at = 0, end_at, disk_at, move_at;

    begin(seed, fault);
    kill_at = chance_time(KILL_TIME);
    end_at = chance_time(END_TIME);
    disk_at = chance_time(DISK_TIME);
    move_at = chance_time(MOVE_EVERY);
    while (threads_now() < LIFE_TIME) {
        uint64_t next = earlier_of(
            next_of_all(), earlier_of(earlier_of(kill_at, create_at), earlier_of(end_at, disk_at)));
        next = earlier_of(next, earlier_of(move_at, moving.here ? moving.adopt_at : WIRE_NEVER));
        threads_run(next, shards_woken);
        check_store(store_failing(store));
        turn_all();
        now_and_then(&create_at, CREATE_TIME, create_room);
        now_and_then(&end_at, END_TIME, end_room);
        now_and_then(&disk_at, DISK_TIME, trouble_disk);
        adopt_room();
        now_and_then(&move_at, MOVE_EVERY, move_room);
        now_and_then(&kill_at, KILL_TIME, kill_or_stop);
    }
    end();
}

/* ---- the program ---- */

static double real_time(void)
{
    struct timespec time;

    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

struct arguments {
    uint64_t seed, lives;
    double seconds;
    enum fault fault;
    bool cluster;
};

static bool read_fault(const char *name, enum fault *fault)
{
    static const char *const names[] = {"none",   "want-key", "reply",   "checkpoint", "trust",
                                        "charge", "epoch",    "picture", "forget"};

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (strcmp(name, names[i]) == 0) {
            *fault = (enum fault)i;
            return true;
        }
    }
    return false;
}

static bool read_arguments(int argc, char **argv, struct arguments *arguments)
{
    static const struct option options[] = {{"seed", required_argument, NULL, 's'},
                                            {"lives", required_argument, NULL, 'l'},
                                            {"seconds", required_argument, NULL, 't'},
                                            {"fault", required_argument, NULL, 'f'},
                                            {"verbose", no_argument, NULL, 'v'},
                                            {"cluster", no_argument, NULL, 'c'},
                                            {NULL, 0, NULL, 0}};
    int option;

    *arguments = (struct arguments){.seed = 1, .lives = 300};
    while ((option = getopt_long(argc, argv, "", options, NULL)) != -1) {
        switch (option) {
        case 's':
            arguments->seed = strtoull(optarg, NULL, 10);
            break;
        case 'l':
            arguments->lives = strtoull(optarg, NULL, 10);
            break;
        case 't':
            arguments->seconds = strtod(optarg, NULL);
            arguments->lives = UINT64_MAX;
            break;
        case 'f':
            if (!read_fault(optarg, &arguments->fault)) {
                fprintf(stderr,
                        "--fault: want-key, reply, checkpoint, trust or charge expected, or for "
                        "--cluster epoch, picture or forget\n");
                return false;
            }
            break;
        case 'v':
            verbose = true;
            check_tell();
            break;
        case 'c':
            arguments->cluster = true;
            break;
        default:
            return false;
        }
    }
    return optind == argc;
}

int main(int argc, char **argv)
{
    struct arguments arguments;
    double begun = real_time();
    uint64_t lives = 0;

    if (!read_arguments(argc, argv, &arguments)) {
        return 2;
    }
    while (lives < arguments.lives &&
           (arguments.seconds == 0 || real_time() < begun + arguments.seconds)) {
        if (arguments.cluster) {
            cluster_live(arguments.seed + lives++, arguments.fault, verbose);
        } else {
            live(arguments.seed + lives++, arguments.fault);
        }
    }
    if (arguments.cluster) {
        printf("%" PRIu64 " lives of a cluster from seed %" PRIu64 " on, %" PRIu64
               " pictures looked at, %" PRIu64 " rooms taken over, %" PRIu64 " given away\n",
               lives, arguments.seed, visitor_pictures(), cluster_takeovers(), cluster_handovers());
        return 0;
    }
    printf("%" PRIu64 " lives from seed %" PRIu64 " on, %" PRIu64
           " snapshots looked at, %.0f times as fast as real time\n",
           lives, arguments.seed, client_snapshots(),
           (double)lives * (double)LIFE_TIME / 1e9 / (real_time() - begun));
    printf(
        "beside hostile rooms: ticks of trusted rooms waited for %.1f ms at most, and no creator "
        "got more than %.1f ms beyond another one that waited\n",
        (double)shares_longest_wait() / 1e6, (double)shares_most_beyond() / 1e6);
    return 0;
}
