/* Every preset follows the class and stays a flock: 30 people lead the flock of a scene together on
 * an ellipse, and one person alone jumps across the world. Every preset flees from that person in
 * the class mode scare. docs/flocks.md has the figures. */
#include "character.h"
#include "scene/scene.h"

#include <assert.h>

#define TWO_PI    6.283185307179586
#define RATE      30u
#define TICK_TIME 33333u /* µs */
#define MEADOW    560.0F /* units: where the wings of the sheep's pen begin */

enum {
    CLASS = 30,            /* people */
    TURN = 15 * RATE,      /* ticks in which the class leads once around */
    GATHERING = 20 * RATE, /* ticks for the flock to gather */
    TURNS_BEFORE = 3,      /* for the same, until the distances are measured */
    TURNS = 5,             /* that are measured */
    LAG_STEP = 5,          /* ticks */
    LAGS = TURN / LAG_STEP,
    SAMPLE = 400, /* boids that are measured */
    BOIDS = 4000, /* of a preset, at most */
    JUMPS = 8,
    JUMP_TURN = RATE / 2,  /* ticks after a jump, … */
    JUMP_NEAR = 4 * RATE,  /* … and after the same jump … */
    JUMP_REST = 10 * RATE, /* … until the next */
    FLIGHT = 3 * RATE      /* ticks that boids have to flee */
};

/* The least that every preset does. */
#define RATIO_MAX  0.5             /* 1: the flock takes no notice of the class */
#define LAG_MAX    2.0             /* s */
#define PAST       (TWO_PI / 12.0) /* a boid that heads 30° past the cursor can turn visibly: … */
#define NOTICED    (TWO_PI / 24.0) /* … by 15° */
#define TURNED_MIN 0.5             /* share of those boids that turn in 0.5 s */
#define NEARER_MIN 0.8             /* share of the boids that are nearer after 4 s */
#define CHANGE_MIN 0.6             /* of the spread and of the distance to the nearest boid, … */
#define CHANGE_MAX 2.0             /* … compared with the flock alone */
#define ORDER_LOSS 0.05            /* of polarization, behind a class */
#define FEAR       80.0F           /* units: nearer boids are near the cursor */
#define STAY_MAX   0.25            /* share of the boids near the cursor that stay when it scares */

/* ---- a scene ---- */

struct lead {
    struct scene *scene;
    struct flock_workspace *workspace;
    float width, height;
    float open_width; /* units from the left, up to a pen that the flock cannot cross */
    bool torus;
    uint32_t people;
    uint64_t time;
    struct looks looks; /* since the flock has gathered */
};

static void apply(struct lead *lead, const struct input *input)
{
    struct proto_error error = {0};
    struct change change;

    if (!scene_apply(lead->scene, input, &change, &error)) {
        fail_msg("%s", error.message);
    }
}

static void choose(struct lead *lead, const char *name, const char *value)
{
    struct proto_client_message message = {.type = PROTO_SET};

    snprintf(message.set.name, sizeof message.set.name, "%s", name);
    snprintf(message.set.value, sizeof message.set.value, "%s", value);
    apply(lead, &(struct input){.type = INPUT_MESSAGE, .time = lead->time, .message = &message});
}

/* A scene with that preset and people, whose cursors lead together. */
static struct lead begin(const struct flock_preset *preset, const struct flock_settings *settings,
                         uint32_t people)
{
    struct flock_definition flock = flock_definition_default();
    struct scene_definition definition = {.preset = preset,
                                          .tick_rate = RATE,
                                          .cursor_timeout = 10000000,
                                          .boids_max = SCENE_BOIDS_MAX};
    struct lead lead = {.width = settings->width,
                        .height = settings->height,
                        .open_width = strcmp(preset->name, "sheep") == 0 ? MEADOW : settings->width,
                        .torus = settings->boundary == FLOCK_WRAP,
                        .people = people,
                        .workspace = flock_workspace_create(1)};

    assert(preset->boids <= BOIDS);
    flock.settings = *settings;
    flock.boids = preset->boids;
    lead.scene = scene_create(&definition, &flock);
    assert_non_null(lead.scene);
    for (uint32_t i = 0; i < people; i++) {
        apply(&lead, &(struct input){.type = INPUT_JOIN, .slot = INPUT_NEW, .role = PROTO_VIEWER});
    }
    choose(&lead, "cursors", "lead"); /* sheep and sardines flee at first */
    choose(&lead, "policy", "mean");
    return lead;
}

static void end(struct lead *lead)
{
    scene_destroy(lead->scene);
    flock_workspace_destroy(lead->workspace);
}

/* A tick with the cursors of all around that point, each at its own distance. */
static void tick(struct lead *lead, struct flock_point at)
{
    for (uint32_t i = 0; i < lead->people; i++) {
        double angle = TWO_PI * i / lead->people;
        double apart = lead->people > 1 ? 0.08 : 0.0;
        apply(lead, &(struct input){.type = INPUT_MOVE,
                                    .slot = i,
                                    .time = lead->time,
                                    .x = at.x + (float)(apart * cos(angle)) * lead->width,
                                    .y = at.y + (float)(apart * sin(angle)) * lead->height});
    }
    assert_int_equal(scene_tick(lead->scene, lead->workspace, lead->time), SCENE_TICK_DONE);
    lead->time += TICK_TIME;
    if (lead->time > GATHERING * TICK_TIME && lead->time % (LOOK_TIME * TICK_TIME) == 0) {
        look_at(&lead->looks, scene_flock(lead->scene), lead->workspace);
    }
}

/* From one point to another; around the torus the short way. */
static struct flock_point way(const struct lead *lead, struct flock_point from,
                              struct flock_point to)
{
    struct flock_point way = {to.x - from.x, to.y - from.y};

    if (lead->torus) {
        way.x = remainderf(way.x, lead->width);
        way.y = remainderf(way.y, lead->height);
    }
    return way;
}

/* ---- the flock stays a flock ---- */

static void assert_spread(const struct character *now)
{
    const struct character *before = find_alone(now->preset);
    const double radius = (double)(now->radius / before->radius);
    const double nearest = (double)(now->nearest / before->nearest);

    assert_true(radius >= CHANGE_MIN && radius <= CHANGE_MAX);
    assert_true(nearest >= CHANGE_MIN && nearest <= CHANGE_MAX);
}

static void assert_stays_behind_class(const struct lead *lead, const char *preset)
{
    const struct character now = mean_of(&lead->looks, preset, "a class leads");

    assert_spread(&now);
    assert_true((double)now.order >= (double)find_alone(preset)->order - ORDER_LOSS);
}

/* Between two jumps the flock turns, and goes around the cursor that rests. So its polarization is
 * another one. */
static void assert_stays_at_cursor(const struct lead *lead, const char *preset)
{
    const struct character now = mean_of(&lead->looks, preset, "a cursor jumps");

    assert_spread(&now);
}

/* ---- the class leads ---- */

/* An ellipse around the middle of the open part of the world, 0.3 of it to each side. */
static struct flock_point on_ellipse(const struct lead *lead, uint32_t tick)
{
    double angle = TWO_PI * tick / TURN;

    return (struct flock_point){lead->open_width * (float)(0.5 + 0.3 * cos(angle)),
                                lead->height * (float)(0.5 + 0.3 * sin(angle))};
}

struct led {
    double ratio; /* the mean distance to where the class was `lag` ago, to that at other times */
    double lag;   /* s, at which the distance is least */
};

static void add_distances(const struct lead *lead, uint32_t at, double sums[LAGS])
{
    const struct flock *flock = scene_flock(lead->scene);
    const struct flock_slots slots = flock_slots(flock);
    const uint32_t step = 1 + flock_count(flock) / SAMPLE;

    for (uint32_t lag = 0; lag < LAGS; lag++) {
        const struct flock_point was = on_ellipse(lead, at - lag * LAG_STEP);
        for (uint32_t i = 0; i < flock_count(flock); i += step) {
            const struct flock_point to =
                way(lead, (struct flock_point){slots.x[i], slots.y[i]}, was);
            sums[lag] += (double)hypotf(to.x, to.y);
        }
    }
}

static struct led lead_around(const struct flock_preset *preset,
                              const struct flock_settings *settings)
{
    struct lead lead = begin(preset, settings, CLASS);
    double sums[LAGS] = {0.0};
    double mean = 0.0;
    uint32_t best = 0;

    for (uint32_t at = 0; at < TURN * (TURNS_BEFORE + TURNS); at++) {
        tick(&lead, on_ellipse(&lead, at));
        if (at >= TURN * TURNS_BEFORE && at % 9 == 0) {
            add_distances(&lead, at, sums);
        }
    }
    for (uint32_t lag = 0; lag < LAGS; lag++) {
        mean += sums[lag] / LAGS;
        best = sums[lag] < sums[best] ? lag : best;
    }
    assert_stays_behind_class(&lead, preset->name);
    end(&lead);
    return (struct led){sums[best] / mean, (double)best * LAG_STEP / RATE};
}

/* ---- one person jumps ---- */

struct jumped {
    double turned, nearer; /* shares, the mean of all jumps */
};

/* Stores each boid's way to the cursor and how far it heads past it, in the order of numbers. */
static uint32_t look(const struct lead *lead, struct flock_point cursor, float distance[BOIDS],
                     double past[BOIDS])
{
    const struct flock *flock = scene_flock(lead->scene);
    const struct flock_slots slots = flock_slots(flock);

    for (uint32_t i = 0; i < flock_count(flock); i++) {
        const struct flock_point to =
            way(lead, (struct flock_point){slots.x[i], slots.y[i]}, cursor);
        const double heading = atan2((double)slots.vy[i], (double)slots.vx[i]);
        distance[slots.number[i]] = hypotf(to.x, to.y);
        past[slots.number[i]] =
            fabs(remainder(heading - atan2((double)to.y, (double)to.x), TWO_PI));
    }
    return flock_count(flock);
}

static void jump(struct lead *lead, struct flock_point cursor, struct jumped *sum)
{
    static float distance[2][BOIDS];
    static double past[2][BOIDS];
    uint32_t could = 0;
    uint32_t turned = 0;
    uint32_t nearer = 0;
    uint32_t count = look(lead, cursor, distance[0], past[0]);

    for (uint32_t i = 0; i < JUMP_TURN; i++) {
        tick(lead, cursor);
    }
    look(lead, cursor, distance[1], past[1]);
    for (uint32_t i = 0; i < count; i++) {
        could += past[0][i] > PAST;
        turned += past[0][i] > PAST && past[1][i] < past[0][i] - NOTICED;
    }
    sum->turned += could > count / 20 ? (double)turned / could : 1.0;
    for (uint32_t i = JUMP_TURN; i < JUMP_NEAR; i++) {
        tick(lead, cursor);
    }
    look(lead, cursor, distance[1], past[1]);
    for (uint32_t i = 0; i < count; i++) {
        nearer += distance[1][i] < distance[0][i];
    }
    sum->nearer += (double)nearer / count;
    for (uint32_t i = JUMP_NEAR; i < JUMP_REST; i++) {
        tick(lead, cursor);
    }
}

static struct jumped jump_across(const struct flock_preset *preset,
                                 const struct flock_settings *settings)
{
    static const struct flock_point places[] = {
        {0.3F, 0.5F}, {0.7F, 0.5F}, {0.5F, 0.25F}, {0.5F, 0.75F}};
    struct lead lead = begin(preset, settings, 1);
    struct jumped sum = {0};

    for (uint32_t i = 0; i < GATHERING; i++) {
        tick(&lead, (struct flock_point){0.5F * lead.width, 0.75F * lead.height});
    }
    for (uint32_t i = 0; i < JUMPS; i++) {
        const struct flock_point place = places[i % 4];
        jump(&lead, (struct flock_point){place.x * lead.width, place.y * lead.height}, &sum);
    }
    assert_stays_at_cursor(&lead, preset->name);
    end(&lead);
    return (struct jumped){sum.turned / JUMPS, sum.nearer / JUMPS};
}

/* ---- one person scares the flock ---- */

/* The share of boids that are nearer to the cursor than FEAR. */
static double near(const struct lead *lead, struct flock_point cursor)
{
    static float distance[BOIDS];
    static double past[BOIDS];
    uint32_t count = look(lead, cursor, distance, past);
    uint32_t found = 0;

    for (uint32_t i = 0; i < count; i++) {
        found += distance[i] < FEAR;
    }
    return (double)found / count;
}

/* The cursor is put on a boid. Of the boids near it then, the share that is near it later. */
static double scare(const struct flock_preset *preset, const struct flock_settings *settings)
{
    struct lead lead = begin(preset, settings, 1);
    const struct flock_slots slots = flock_slots(scene_flock(lead.scene));
    struct flock_point place = {0.4F * lead.width, 0.5F * lead.height};
    double before;
    double after = 0.0;

    for (uint32_t i = 0; i < GATHERING; i++) {
        tick(&lead, place);
    }
    place = (struct flock_point){slots.x[0], slots.y[0]};
    before = near(&lead, place);
    choose(&lead, "policy", "presenter"); /* scare has every cursor scare the flock */
    choose(&lead, "cursors", "scare");
    for (uint32_t i = 0; i < 2 * FLIGHT; i++) {
        tick(&lead, place);
        after += i < FLIGHT ? 0.0 : near(&lead, place);
    }
    end(&lead);
    return after / FLIGHT / before;
}

/* ---- the tests ---- */

static void flees(void **state)
{
    const struct flock_preset *preset = *state;
    const struct flock_settings settings = flock_preset_settings(preset);
    const double left = scare(preset, &settings);

    print_message("%s: %.2f of the boids stay at a cursor that scares\n", preset->name, left);
    assert_true(left <= STAY_MAX);
}

static void follows(void **state)
{
    const struct flock_preset *preset = *state;
    const struct flock_settings settings = flock_preset_settings(preset);
    const struct led led = lead_around(preset, &settings);
    const struct jumped jumped = jump_across(preset, &settings);

    print_message("%s: ratio %.2f at a lag of %.1f s; turned %.2f, nearer %.2f\n", preset->name,
                  led.ratio, led.lag, jumped.turned, jumped.nearer);
    assert_true(led.ratio <= RATIO_MAX);
    assert_true(led.lag <= LAG_MAX);
    assert_true(jumped.turned >= TURNED_MIN);
    assert_true(jumped.nearer >= NEARER_MIN);
}

int main(void)
{
    enum { PRESETS_MAX_HERE = 64 };
    static char names[PRESETS_MAX_HERE][64];
    struct CMUnitTest tests[PRESETS_MAX_HERE];
    size_t count = 0;

    for (const struct flock_preset *preset = flock_presets; preset->name != NULL; preset++) {
        assert(count < PRESETS_MAX_HERE);
        for (int fear = 0; fear < 2; fear++) {
            snprintf(names[count], sizeof names[0], "test_%s_%s", preset->name,
                     fear ? "flees" : "follows");
            /* cmocka's state is not const; the test only reads it. */
            tests[count] = (struct CMUnitTest){names[count], fear ? flees : follows, NULL, NULL,
                                               (void *)(uintptr_t)preset};
            count++;
        }
    }
    return _cmocka_run_group_tests("follow", tests, count, NULL, NULL);
}
