#include "term/flock/why.h"

#include "term/texts/texts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define ANGLE 0.0025F /* radians a tick: with a smaller turn a boid flies straight on */
#define SPEED 0.005F  /* share of the speed: a smaller change does not count */
#define WEAK  0.15F   /* share of the main push: a weaker opposite push is left out */
#define EQUAL 0.5F    /* share of the main push: a stronger opposite push cancels it out */
#define IDLE  1e-6F   /* world units a tick: a shorter vector is no push */

enum { REASON_SIZE = 256 };

enum turn { TURN_LEFT, TURN_RIGHT, TURN_STRAIGHT, TURN_FASTER, TURN_SLOWER };

/* The strongest push to a side; NULL: none. */
struct reason {
    const struct proto_push *push;
    float strength;
};

/* Returns how far (x, y) points to the right of the boid's heading, as seen from above. */
static float across(const struct proto_motion *motion, float x, float y)
{
    bool rests = motion->vx == 0.0F && motion->vy == 0.0F;
    float hx = rests ? motion->next_x : motion->vx;
    float hy = rests ? motion->next_y : motion->vy;
    float length = hypotf(hx, hy);
    return length > 0.0F ? (hx * y - hy * x) / length : 0.0F;
}

static enum turn turn_of(const struct proto_motion *m)
{
    float angle =
        atan2f(m->vx * m->next_y - m->vy * m->next_x, m->vx * m->next_x + m->vy * m->next_y);
    float before = hypotf(m->vx, m->vy);
    float after = hypotf(m->next_x, m->next_y);
    if (fabsf(angle) > ANGLE) {
        return angle < 0.0F ? TURN_LEFT : TURN_RIGHT;
    }
    if (fabsf(after - before) <= SPEED * before) {
        return TURN_STRAIGHT;
    }
    return after > before ? TURN_FASTER : TURN_SLOWER;
}

/* Finds the strongest rule to each side. Limits and inertia are no rules. */
static void find_reasons(const struct proto_why *why, struct reason reasons[2])
{
    for (uint32_t i = 0; i < why->push_count; i++) {
        const struct proto_push *push = &why->pushes[i];
        float strength = across(&why->motion, push->x, push->y);
        struct reason *reason = &reasons[strength < 0.0F ? 0 : 1];
        bool derived = strcmp(push->name, "limits") == 0 || strcmp(push->name, "inertia") == 0;
        if (!derived && fabsf(strength) > fmaxf(reason->strength, IDLE)) {
            *reason = (struct reason){push, fabsf(strength)};
        }
    }
}

/* Returns on which side most neighbours are too close: negative to the left, 0 for neither. */
static int crowded_side(const struct proto_why *why)
{
    int balance = 0;
    for (uint32_t i = 0; i < why->near_count; i++) {
        const struct proto_near *near = &why->near[i];
        float strength = near->close ? across(&why->motion, near->x, near->y) : 0.0F;
        balance += (strength > 0.0F) - (strength < 0.0F);
    }
    return balance;
}

static void say_separation(char out[REASON_SIZE], const struct proto_why *why)
{
    int side = crowded_side(why);
    texts_fill(out, REASON_SIZE,
               side < 0   ? TEXT_WHY_CROWD_LEFT
               : side > 0 ? TEXT_WHY_CROWD_RIGHT
                          : TEXT_WHY_CROWD,
               texts_plain(why->crowding).digits);
}

/* side: 0 left, 1 right. */
static void say_reason(char out[REASON_SIZE], const struct proto_why *why, const char *name,
                       int side, bool swarm, bool cursors)
{
    const struct {
        const char *name;
        enum text sides[2];
    } reasons[] = {
        {"alignment", {TEXT_WHY_ALIGNMENT_LEFT, TEXT_WHY_ALIGNMENT_RIGHT}},
        {swarm ? "cohesion" : "", {TEXT_WHY_MIDDLE_LEFT, TEXT_WHY_MIDDLE_RIGHT}},
        {"cohesion", {TEXT_WHY_COHESION_LEFT, TEXT_WHY_COHESION_RIGHT}},
        {cursors ? "seek" : "", {TEXT_WHY_CURSOR_LEFT, TEXT_WHY_CURSOR_RIGHT}},
        {"seek", {TEXT_WHY_TARGET_LEFT, TEXT_WHY_TARGET_RIGHT}},
        {"food", {TEXT_WHY_FOOD_LEFT, TEXT_WHY_FOOD_RIGHT}},
        {"flee", {TEXT_WHY_FLEE_LEFT, TEXT_WHY_FLEE_RIGHT}},
        {"noise", {TEXT_WHY_NOISE_LEFT, TEXT_WHY_NOISE_RIGHT}},
        {"walls", {TEXT_WHY_WALLS, TEXT_WHY_WALLS}},
    };
    if (strcmp(name, "separation") == 0) {
        say_separation(out, why);
        return;
    }
    for (size_t i = 0; i < sizeof reasons / sizeof reasons[0]; i++) {
        if (strcmp(name, reasons[i].name) == 0) {
            snprintf(out, REASON_SIZE, "%s", texts_get(reasons[i].sides[side]));
            return;
        }
    }
    snprintf(out, REASON_SIZE, "%s", name);
}

/* The rules; colours as on the page. */
static const struct rule {
    const char *name;
    enum text text;
    uint32_t color;
} rules[] = {
    {"separation", TEXT_PUSH_SEPARATION, 0xff6b5c},
    {"alignment", TEXT_PUSH_ALIGNMENT, 0x66b3ff},
    {"cohesion", TEXT_PUSH_COHESION, 0x5cdb8c},
    {"seek", TEXT_PUSH_SEEK, 0xffcc4d},
    {"food", TEXT_PUSH_FOOD, 0xcce64d},
    {"flee", TEXT_PUSH_FLEE, 0xc78fff},
    {"inertia", TEXT_PUSH_INERTIA, 0xa8b3c7},
    {"limits", TEXT_PUSH_LIMITS, 0x99a3b8},
    {"noise", TEXT_PUSH_NOISE, 0xff99d6},
    {"walls", TEXT_PUSH_WALLS, 0xdbad80},
};

#define COLOR_UNKNOWN 0xb3b3b3u

/* Returns the rule of that name; NULL: there is none. */
static const struct rule *find_rule(const char *name)
{
    for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++) {
        if (strcmp(rules[i].name, name) == 0) {
            return &rules[i];
        }
    }
    return NULL;
}

const char *why_push(const char *name)
{
    const struct rule *rule = find_rule(name);
    return rule != NULL ? texts_get(rule->text) : name;
}

uint32_t why_color(const char *name)
{
    const struct rule *rule = find_rule(name);
    return rule != NULL ? rule->color : COLOR_UNKNOWN;
}

float why_sum(const struct proto_why *why)
{
    const struct proto_motion *motion = &why->motion;
    return hypotf(motion->next_x - motion->vx, motion->next_y - motion->vy);
}

float why_longest(const struct proto_why *why)
{
    float longest = why_sum(why);
    for (uint32_t i = 0; i < why->push_count; i++) {
        longest = fmaxf(longest, hypotf(why->pushes[i].x, why->pushes[i].y));
    }
    return longest;
}

bool why_line(char *out, size_t capacity, const struct proto_why *why, const char *model,
              bool cursors)
{
    static const enum text turns[] = {
        [TURN_LEFT] = TEXT_TURN_LEFT,         [TURN_RIGHT] = TEXT_TURN_RIGHT,
        [TURN_STRAIGHT] = TEXT_TURN_STRAIGHT, [TURN_FASTER] = TEXT_TURN_FASTER,
        [TURN_SLOWER] = TEXT_TURN_SLOWER,
    };
    struct reason reasons[2] = {0};
    char text[2][REASON_SIZE] = {"", ""};
    if (!why->there) {
        return false;
    }
    enum turn turn = turn_of(&why->motion);
    bool turned = turn == TURN_LEFT || turn == TURN_RIGHT;
    find_reasons(why, reasons);
    int main = turned ? turn == TURN_RIGHT : reasons[1].strength > reasons[0].strength;
    const struct reason *other = &reasons[!main];
    bool both =
        other->push != NULL && other->strength >= (turned ? WEAK : EQUAL) * reasons[main].strength;
    for (int side = 0; side < 2; side++) {
        if (reasons[side].push != NULL) {
            say_reason(text[side], why, reasons[side].push->name, side, strcmp(model, "swarm") == 0,
                       cursors);
        }
    }
    bool first = text[main][0] != '\0';
    enum text sentence = !turned && both ? TEXT_WHY_BALANCE
                         : !turned       ? TEXT_WHY_PLAIN
                         : both && first ? TEXT_WHY_AGAINST
                         : both          ? TEXT_WHY_ONLY_AGAINST
                         : first         ? TEXT_WHY_REASON
                                         : TEXT_WHY_PLAIN;
    texts_fill(out, capacity, sentence, texts_get(turns[turn]), text[main], text[!main]);
    return true;
}
