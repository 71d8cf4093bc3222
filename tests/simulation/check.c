#include "check.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hub/hub.h"
#include "hub/link.h"
#include "hub/turns.h"
#include "room/describe.h"
#include "room/room_state.h"
#include "room/state.h"
#include "scene/control.h"
#include "scene/inside.h"
#include "shares.h"
#include "threads.h"
#include "witness.h"

#define TRUTHS        8192u /* snapshots that are stored for comparison */
#define SAVES         512u
#define ROOMS_MAX     64u
#define TICK_TIME     (40 * UINT64_C(1000)) /* ns that a tick takes */
#define COSTLY_TIME   (60 * MS)             /* ns at most of a slow tick */
#define COSTLY_CHANCE 2u                    /* slow ticks, in a thousand */
#define HASH_BEGIN    UINT64_C(0xcbf29ce484222325)

static uint64_t seed;
static enum fault fault;
static bool tells;
static uint64_t moved_at; /* ns: when a room last moved */

void check_failed(const char *format, ...)
{
    va_list arguments;

    printf("seed %" PRIu64 ", after %.3f s: ", seed, (double)threads_now() / 1e9);
    va_start(arguments, format);
    vprintf(format, arguments);
    va_end(arguments);
    printf("\n");
    fflush(stdout);
    _Exit(1);
}

void check_tell(void)
{
    tells = true;
}

/* ---- pictures ---- */

/* A room's flock at the time of a snapshot. */
struct truth {
    char code[PROTO_ROOM_MAX + 1];
    uint64_t time;
    uint32_t epoch, count;
    int32_t period_x, period_y;
    int16_t *steps; /* x and y of each boid */
};

static struct truth truths[TRUTHS];
static uint32_t truth_next;

static void remember(const struct room *room, uint64_t now)
{
    const struct scene *scene = room->present;
    const struct flock_definition *flock = flock_definition_of(scene_flock(scene));
    struct truth *truth = &truths[truth_next++ % TRUTHS];
    uint32_t count = flock_count(scene_flock(scene));
    float *x = malloc(2 * count * sizeof *x);
    float *y = x + count;

    free(truth->steps);
    truth->steps = malloc(2 * count * sizeof *truth->steps);
    check(x != NULL && truth->steps != NULL, "out of memory");
    flock_positions(scene_flock(scene), x, y);
    for (uint32_t i = 0; i < count; i++) {
        truth->steps[2 * i] = proto_quantise(x[i], flock->settings.width, scene_quantum(scene));
        truth->steps[2 * i + 1] =
            proto_quantise(y[i], flock->settings.height, scene_quantum(scene));
    }
    free(x);
    memcpy(truth->code, room->definition.code, sizeof truth->code);
    truth->time = now;
    truth->count = count;
    truth->epoch = flock_epoch(scene_flock(scene));
    truth->period_x = describe_scale(scene).period_x;
    truth->period_y = describe_scale(scene).period_y;
}

static const struct truth *truth_of(const char *code, uint64_t time)
{
    for (uint32_t i = 1; i <= TRUTHS; i++) { /* the newest first */
        const struct truth *truth = &truths[(truth_next - i) % TRUTHS];
        if (truth->time == time && strcmp(truth->code, code) == 0) {
            return truth;
        }
    }
    return NULL;
}

/* Whether two coordinates are the same position. On a torus they may differ by periods. */
static bool same(int32_t a, int32_t b, int32_t period)
{
    return a == b || (period > 0 && (a - b) % period == 0);
}

void check_moves(void)
{
    moved_at = threads_now();
}

uint64_t check_moved(void)
{
    return moved_at;
}

void check_picture(const struct picture *picture)
{
    const struct truth *truth = truth_of(picture->code, picture->time);

    check(truth != NULL, "a snapshot is of a time at which the room had none, or is very old");
    check(picture->flock == truth->count, "a snapshot is of %u boids instead of %u", picture->flock,
          truth->count);
    check(picture->count == (truth->count + picture->stride - 1) / picture->stride,
          "a snapshot has %u of %u boids, with a stride of %u", picture->count, truth->count,
          picture->stride);
    for (uint32_t i = 0; i < picture->count; i++) {
        const int16_t *expected = &truth->steps[2 * (size_t)i * picture->stride];
        int16_t x, y;
        proto_get_position(picture->positions + 4 * (size_t)i, &x, &y);
        check(same(x, expected[0], truth->period_x) && same(y, expected[1], truth->period_y),
              "boid %u is shown at %d,%d instead of %d,%d", i * picture->stride, x, y, expected[0],
              expected[1]);
    }
}

/* ---- the store ---- */

static bool store_fails;
static uint64_t store_since; /* ns: when it began to, or to be well again */

void check_store(bool failing)
{
    store_since = failing != store_fails ? threads_now() : store_since;
    store_fails = failing;
}

void check_store_told(bool failing)
{
    check(failing == store_fails || threads_now() < store_since + OLD_TIME + S,
          "somebody is told that the store %s, which it does not", failing ? "fails" : "is well");
}

/* ---- saved rooms ---- */

struct save {
    const uint8_t *state;
    uint64_t signature, at;
};

static struct save saves[SAVES];
static uint32_t save_next;
static const uint8_t *loading;
static uint64_t loading_signature;

static void mix(uint64_t *hash, const void *bytes, size_t size)
{
    const uint8_t *from = bytes;

    for (size_t i = 0; i < size; i++) {
        *hash = (*hash ^ from[i]) * UINT64_C(0x100000001b3);
    }
}

static void mix_text(uint64_t *hash, const char *text)
{
    mix(hash, text, strlen(text) + 1);
}

static void mix_flock(uint64_t *hash, const struct flock *flock)
{
    const struct flock_definition *definition = flock_definition_of(flock);
    uint32_t count = flock_count(flock);
    float *values = malloc(2 * count * sizeof *values);

    check(values != NULL, "out of memory");
    flock_positions(flock, values, values + count);
    mix(hash, values, 2 * count * sizeof *values);
    flock_velocities(flock, values, values + count);
    mix(hash, values, 2 * count * sizeof *values);
    free(values);
    mix_text(hash, definition->settings.model->name);
    mix(hash, &definition->settings.boundary, sizeof definition->settings.boundary);
    for (size_t i = 0; i < definition->settings.model->param_count; i++) {
        float value = flock_param_get(flock, i);
        mix(hash, &value, sizeof value);
    }
}

/* Returns a hash of the parts of a room that people would miss. */
static uint64_t signature_of(const struct room *room)
{
    const struct scene *scene = room->present;
    uint64_t hash = HASH_BEGIN;

    mix_flock(&hash, scene->flock);
    for (size_t i = presets_built_in_count(); presets_at(scene, i) != NULL; i++) {
        mix_text(&hash, presets_at(scene, i)->name);
        mix(&hash, &presets_at(scene, i)->boids, sizeof(uint32_t));
    }
    mix_text(&hash, control_value(scene, "preset"));
    mix_text(&hash, scene->definition.title);
    mix_text(&hash, room->definition.key);
    mix(&hash, &scene->ticks, sizeof scene->ticks);
    mix(&hash, &scene->controls, sizeof scene->controls);
    for (uint32_t slot = 0; slot < scene->people.used; slot++) {
        const struct person *person = &scene->people.slots[slot];
        if (person->id != 0) {
            mix(&hash, &person->id, sizeof person->id);
            const enum proto_role role = person->role;
            mix(&hash, &role, sizeof role);
            mix(&hash, &person->expelled, sizeof person->expelled);
            mix(&hash, &person->color, sizeof person->color);
            mix_text(&hash, room->identities[slot].name);
        }
    }
    return hash;
}

bool check_saved(const uint8_t *state, uint64_t *signature, uint64_t *saved_at)
{
    for (uint32_t i = 1; i <= SAVES; i++) { /* newest first, because memory is reused */
        const struct save *save = &saves[(save_next - i) % SAVES];
        if (save->state == state) {
            *signature = save->signature;
            *saved_at = save->at;
            return true;
        }
    }
    return false;
}

void check_loads(const uint8_t *state, uint64_t signature)
{
    loading = state;
    loading_signature = signature;
}

/* ---- the server's calls ---- */

bool __real_room_tick(struct room *room, struct room_workspace *workspace, uint64_t now);
bool __wrap_room_tick(struct room *room, struct room_workspace *workspace, uint64_t now);
struct room_view *__real_room_snapshot(struct room *room, struct room_workspace *workspace,
                                       uint64_t now);
struct room_view *__wrap_room_snapshot(struct room *room, struct room_workspace *workspace,
                                       uint64_t now);
uint8_t *__real_room_save(const struct room *room, uint64_t now, size_t *size);
uint8_t *__wrap_room_save(const struct room *room, uint64_t now, size_t *size);
uint8_t *__real_room_save_leaving(const struct room *room, uint64_t now, size_t *size);
uint8_t *__wrap_room_save_leaving(const struct room *room, uint64_t now, size_t *size);
struct room *__real_room_create(const struct room_definition *definition,
                                const struct room_sink *sink, const struct room_origin *origin,
                                struct proto_error *error);
struct room *__wrap_room_create(const struct room_definition *definition,
                                const struct room_sink *sink, const struct room_origin *origin,
                                struct proto_error *error);
void __real_room_receive(struct room *room, room_member member,
                         const struct proto_client_message *message, uint64_t now);
void __wrap_room_receive(struct room *room, room_member member,
                         const struct proto_client_message *message, uint64_t now);
bool __real_link_want_key(struct link *link, uint32_t stream);
bool __wrap_link_want_key(struct link *link, uint32_t stream);
bool __real_links_take_reply(struct links *links, struct hub_reply *reply);
bool __wrap_links_take_reply(struct links *links, struct hub_reply *reply);
void __wrap_log_line(int level, const char *format, ...);
void __real_turns_charge(struct turns *turns, struct turn *turn, uint64_t time);
void __wrap_turns_charge(struct turns *turns, struct turn *turn, uint64_t time);

static size_t room_index(const struct room *room)
{
    return (size_t)(uint32_t)room->definition.number % ROOMS_MAX;
}

/* The last time that the server passed to each room. */
static struct times {
    uint64_t room; /* the room's number; 0: none */
    uint64_t last; /* µs */
} room_times[ROOMS_MAX];

/* Checks that a room's clock does not go back. */
static void check_time(const struct room *room, uint64_t now)
{
    struct times *times = &room_times[room_index(room)];

    if (times->room != room->definition.number) {
        *times = (struct times){.room = room->definition.number};
    }
    check(now >= times->last, "the clock of a room goes back");
    times->last = now;
}

bool __wrap_room_tick(struct room *room, struct room_workspace *workspace, uint64_t now)
{
    if (witness_looks()) {
        witness_tick(room);
        threads_spend(TICK_TIME);
        return __real_room_tick(room, workspace, now);
    }
    check_time(room, now);
    if (shares_hostile()) {
        shares_tick(room->definition.code, now);
    } else {
        threads_spend(chance(COSTLY_CHANCE) ? chance_below(COSTLY_TIME) : TICK_TIME);
    }
    return __real_room_tick(room, workspace, now);
}

struct room_view *__wrap_room_snapshot(struct room *room, struct room_workspace *workspace,
                                       uint64_t now)
{
    if (witness_looks()) {
        witness_snapshot(room);
    } else {
        remember(room, now);
    }
    return __real_room_snapshot(room, workspace, now);
}

/* For FAULT_CHECKPOINT: the state of each room before its last input. */
static uint8_t *stale[ROOMS_MAX];
static size_t stale_size[ROOMS_MAX];

typedef uint8_t *save_room(const struct room *room, uint64_t now, size_t *size);

/* Saves the room with that function, and notes its state. */
static uint8_t *save_and_note(save_room *real, const struct room *room, uint64_t now, size_t *size)
{
    struct save *save;
    uint8_t *state = NULL;

    if (witness_looks()) {
        state = real(room, now, size);
        witness_save(room, state, *size);
        return state;
    }
    save = &saves[save_next++ % SAVES];
    if (fault == FAULT_CHECKPOINT) {
        state = stale[room_index(room)];
        stale[room_index(room)] = NULL;
        *size = stale_size[room_index(room)];
    }
    if (state == NULL) {
        state = real(room, now, size);
    }
    *save = (struct save){.state = state, .signature = signature_of(room), .at = threads_now()};
    return state;
}

uint8_t *__wrap_room_save(const struct room *room, uint64_t now, size_t *size)
{
    return save_and_note(__real_room_save, room, now, size);
}

uint8_t *__wrap_room_save_leaving(const struct room *room, uint64_t now, size_t *size)
{
    return save_and_note(__real_room_save_leaving, room, now, size);
}

void __wrap_room_receive(struct room *room, room_member member,
                         const struct proto_client_message *message, uint64_t now)
{
    if (witness_looks()) {
        __real_room_receive(room, member, message, now);
        return;
    }
    check_time(room, now);
    if (shares_hostile()) {
        shares_message(room->definition.code);
    }
    if (fault == FAULT_CHECKPOINT && message->type == PROTO_PARAM) {
        free(stale[room_index(room)]);
        stale[room_index(room)] = __real_room_save(room, now, &stale_size[room_index(room)]);
    }
    __real_room_receive(room, member, message, now);
}

struct room *__wrap_room_create(const struct room_definition *definition,
                                const struct room_sink *sink, const struct room_origin *origin,
                                struct proto_error *error)
{
    struct room *room = __real_room_create(definition, sink, origin, error);

    if (witness_looks()) {
        if (room != NULL && origin->continues) {
            witness_load(room, origin);
        }
        return room;
    }
    check(room != NULL || !origin->continues, "the room %s cannot be restored: %s",
          definition->code, error->message);
    check(!origin->continues || origin->state != loading || signature_of(room) == loading_signature,
          "the room %s did not come back as it was saved", definition->code);
    return room;
}

bool __wrap_link_want_key(struct link *link, uint32_t stream)
{
    return fault == FAULT_WANT_KEY || __real_link_want_key(link, stream);
}

bool __wrap_links_take_reply(struct links *links, struct hub_reply *reply)
{
    bool taken = __real_links_take_reply(links, reply);

    if (taken && fault == FAULT_REPLY && reply->type == HUB_TOLD && chance(20)) {
        reply->session ^= 1;
    }
    return taken;
}

void __wrap_turns_charge(struct turns *turns, struct turn *turn, uint64_t time)
{
    const bool free_of_charge = shares_had_messages() && fault == FAULT_CHARGE;

    __real_turns_charge(turns, turn, free_of_charge ? 0 : time);
}

/* With --verbose, prints the log. */
void __wrap_log_line(int level, const char *format, ...)
{
    va_list arguments;

    (void)level;
    if (tells) {
        printf("%9.3f s, group %u: ", (double)threads_now() / 1e9, threads_group());
        va_start(arguments, format);
        vprintf(format, arguments);
        va_end(arguments);
        printf("\n");
    }
    check(strstr(format, "without its past") == NULL, "a room has lost its past");
}

/* ---- life ---- */

void check_begin(uint64_t life_seed, enum fault life_fault)
{
    seed = life_seed;
    fault = life_fault;
    store_fails = false;
    store_since = 0;
    memset(saves, 0, sizeof saves);
    save_next = 0;
    moved_at = 0;
    loading = NULL;
}

void check_next_process(void)
{
    for (uint32_t i = 0; i < TRUTHS; i++) {
        truths[i].code[0] = '\0'; /* times of an earlier life are invalid */
    }
    for (uint32_t i = 0; i < ROOMS_MAX; i++) {
        free(stale[i]);
        stale[i] = NULL;
        room_times[i].room = 0;
    }
}

void check_end(void)
{
    check_next_process();
    for (uint32_t i = 0; i < TRUTHS; i++) {
        free(truths[i].steps);
        truths[i] = (struct truth){0};
    }
}
