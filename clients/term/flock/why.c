#include "term/flock/why.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define ANGLE 0.0025F /* radians a tick: with a smaller turn a boid flies straight on */
#define SPEED 0.005F  /* share of the speed: a smaller change does not count */
#define WEAK  0.15F   /* share of the main push: a weaker opposite push is left out */
#define EQUAL 0.5F    /* share of the main push: a stronger opposite push cancels it out */
#define IDLE  1e-6F   /* world units a tick: a shorter vector is no push */

enum { REASON_SIZE = 96 };

enum turn { TURN_LEFT, TURN_RIGHT, TURN_STRAIGHT, TURN_FASTER, TURN_SLOWER };

/* The strongest push to a side; NULL: none. */
struct reason {
    const struct proto_push *push;
    float strength;
};

static const char *const sides[] = {"left", "right"};

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

/* Returns the side of most neighbours that are too close; NULL: as many on both sides. */
static const char *crowded_side(const struct proto_why *why)
{
    int balance = 0;
    for (uint32_t i = 0; i < why->near_count; i++) {
        const struct proto_near *near = &why->near[i];
        float strength = near->close ? across(&why->motion, near->x, near->y) : 0.0F;
        balance += (strength > 0.0F) - (strength < 0.0F);
    }
    return balance == 0 ? NULL : sides[balance > 0];
}

static void say_separation(char out[REASON_SIZE], const struct proto_why *why)
{
    const char *side = crowded_side(why);
    snprintf(out, REASON_SIZE, "%u %s too close%s%s", why->crowding,
             why->crowding == 1 ? "neighbour is" : "neighbours are", side != NULL ? " on its " : "",
             side != NULL ? side : "");
}

static void say_reason(char out[REASON_SIZE], const struct proto_why *why, const char *name,
                       const char *side, bool swarm, bool cursors)
{
    const struct {
        const char *name, *format;
    } texts[] = {
        {"alignment", "its neighbours head more to the %s"},
        {"cohesion",
         swarm ? "the middle of the flock is on its %s" : "most of its neighbours are on its %s"},
        {"seek", cursors ? "the cursor pulls %s" : "the target pulls %s"},
        {"food", "food pulls %s"},
        {"flee", "it flees %s"},
        {"noise", "chance turns it %s"},
    };
    snprintf(out, REASON_SIZE, "%s", strcmp(name, "walls") == 0 ? "a wall reflects it" : name);
    if (strcmp(name, "separation") == 0) {
        say_separation(out, why);
    }
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        const char *at = strstr(texts[i].format, "%s");
        if (strcmp(name, texts[i].name) == 0 && at != NULL) {
            snprintf(out, REASON_SIZE, "%.*s%s%s", (int)(at - texts[i].format), texts[i].format,
                     side, at + 2);
        }
    }
}

bool why_line(char *out, size_t capacity, const struct proto_why *why, const char *model,
              bool cursors)
{
    static const char *const turns[] = {
        [TURN_LEFT] = "Turns left",
        [TURN_RIGHT] = "Turns right",
        [TURN_STRAIGHT] = "Flies straight on",
        [TURN_FASTER] = "Flies straight on and speeds up",
        [TURN_SLOWER] = "Flies straight on and slows down",
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
            say_reason(text[side], why, reasons[side].push->name, sides[side],
                       strcmp(model, "swarm") == 0, cursors);
        }
    }
    if (!turned && !both) {
        snprintf(out, capacity, "%s.", turns[turn]);
    } else {
        bool first = text[main][0] != '\0';
        snprintf(out, capacity, "%s%s%s%s%s%s.", turns[turn], first ? ": " : "", text[main],
                 both ? "; " : "", both ? text[!main] : "",
                 !both    ? ""
                 : turned ? ", but that counts less"
                          : ". Both cancel out");
    }
    return true;
}
