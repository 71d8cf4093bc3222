#include "net/session/intake.h"

#include <string.h>

#define S 1000u /* ms */

/* PROTOCOL.md, Limits; rates are per second */
#define MESSAGES_RATE  240.0F
#define MESSAGES_BURST 480.0F
#define IGNORED_RATE   20.0F
#define IGNORED_MAX    2000.0F
#define ERRORS_RATE    4.0F
#define ERRORS_MAX     32.0F
#define BESIDES_RATE   4096.0F /* bytes */
#define BESIDES_BURST  16384.0F
#define TELL_TIME      (10 * S)

void intake_init(struct intake *intake, uint32_t now)
{
    *intake = (struct intake){.messages = MESSAGES_BURST, .besides = BESIDES_BURST, .at = now};
}

/* Refills an allowance up to `most`. Keeps an excess, which a standstill may have granted. */
static void refill_allowance(float *allowance, float more, float most)
{
    if (*allowance < most) {
        *allowance = *allowance + more < most ? *allowance + more : most;
    }
}

static void decay_count(float *count, float less)
{
    *count = *count > less ? *count - less : 0.0F;
}

static void advance_time(struct intake *intake, uint32_t now)
{
    float seconds = (float)(now - intake->at) / 1e3F;

    refill_allowance(&intake->messages, seconds * MESSAGES_RATE, MESSAGES_BURST);
    refill_allowance(&intake->besides, seconds * BESIDES_RATE, BESIDES_BURST);
    decay_count(&intake->ignored, seconds * IGNORED_RATE);
    decay_count(&intake->errors, seconds * ERRORS_RATE);
    if (intake->told_at != 0 && now - intake->told_at >= TELL_TIME) {
        intake->told_at = 0;
    }
    intake->at = now;
}

enum intake_verdict intake_message(struct intake *intake, uint32_t now)
{
    advance_time(intake, now);
    if (intake->messages >= 1.0F) {
        intake->messages -= 1.0F;
        return INTAKE_READ;
    }
    intake->ignored += 1.0F;
    if (intake->ignored > IGNORED_MAX) {
        return INTAKE_END;
    }
    if (intake->told_at != 0) {
        return INTAKE_IGNORE;
    }
    intake->told_at = now != 0 ? now : UINT32_MAX;
    return INTAKE_TELL;
}

bool intake_error(struct intake *intake, uint32_t now)
{
    advance_time(intake, now);
    intake->errors += 1.0F;
    return intake->errors <= ERRORS_MAX;
}

bool intake_besides(struct intake *intake, int32_t bytes, uint32_t now)
{
    advance_time(intake, now);
    if (bytes < 0) {
        refill_allowance(&intake->besides, -(float)bytes, BESIDES_BURST);
    } else {
        intake->besides -= (float)bytes;
    }
    return intake->besides >= 0.0F;
}

void intake_skip(struct intake *intake, uint32_t time)
{
    float seconds = (float)time / 1e3F;

    intake->messages += seconds * MESSAGES_RATE;
    intake->besides += seconds * BESIDES_RATE;
    intake->at += time;
    intake->told_at += intake->told_at != 0 ? time : 0;
}
