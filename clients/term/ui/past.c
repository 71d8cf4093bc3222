#include "term/ui/past.h"

#include "term/flock/news.h"
#include "term/texts/texts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { LEAP = 5 /* s */ };

#define MARK_NEAR 0.05 /* s: a change this much later counts as before the shown moment */

double term_past_back(const struct term_session *session, int64_t now)
{
    const struct proto_past *past = &session->past;
    const struct proto_rewind *wanted = term_changes_rewind(&session->changes);
    double passed = (double)(now - session->past_at) / 1e6;
    if (wanted != NULL) {
        return past->shown ? fmin((double)wanted->back, (double)past->span) : (double)wanted->back;
    }
    if (!past->shown) {
        return 0;
    }
    return fmin(fmax((double)past->back - (double)past->speed * passed, 0), (double)past->span);
}

double term_past_share(const struct term_session *session, double back)
{
    double span = (double)session->past.span;
    return span > 0 ? 1 - fmin(fmax(back / span, 0), 1) : 1;
}

bool term_past_line(const struct term_session *session, int64_t now, char *out, size_t capacity)
{
    const struct proto_past *past = &session->past;
    char speed[32];
    if (!past->shown) {
        return false;
    }
    texts_fill(out, capacity, TEXT_PAST, texts_decimal(term_past_back(session, now), 1).digits);
    if (past->speed != 0.0F) {
        snprintf(speed, sizeof speed, "%gx", (double)past->speed);
        texts_append(out, capacity, TEXT_LIST, speed);
    }
    return true;
}

bool term_past_mark(const struct term_session *session, int64_t now, char *out, size_t capacity)
{
    static const struct term_people nobody; /* so that a change of the reader has a name, too */
    const double back = term_past_back(session, now) - MARK_NEAR;
    const struct proto_mark *last = NULL;
    char text[TERM_SESSION_REASON_MAX];
    for (uint32_t i = 0; i < session->marks.count; i++) {
        const struct proto_mark *mark = &session->marks.marks[i];
        last = (double)mark->back >= back ? mark : last;
    }
    if (!session->past.shown || last == NULL ||
        !news_title(text, sizeof text, &last->event, &session->welcome.room, &nobody)) {
        return false;
    }
    texts_fill(out, capacity, TEXT_EARLIER,
               texts_decimal(fmax((double)last->back - back - MARK_NEAR, 0), 1).digits, text);
    return true;
}

/* Asks for a moment. While keys repeat, or a bar is dragged, only the last one is sent. */
static void rewind_to(struct term_session *session, double back, int64_t now)
{
    back = fmax(back, 0);
    back = session->past.shown ? fmin(back, (double)session->past.span) : back;
    term_session_ask(
        session,
        &(struct proto_client_message){.type = PROTO_REWIND, .rewind = {.back = (float)back}}, now);
}

static void play_past(struct term_session *session, float speed, int64_t now)
{
    term_session_ask(
        session, &(struct proto_client_message){.type = PROTO_PLAY, .play = {.speed = speed}}, now);
}

void term_past_act(struct term_session *session, struct term_input input, int64_t now)
{
    const struct proto_past *past = &session->past;
    bool begins = input.action == TERM_REWIND && input.x > 0;
    bool begun = past->shown || term_changes_rewind(&session->changes) != NULL;
    double back = term_past_back(session, now);
    if (!begun && !begins) {
        char notice[TERM_SESSION_REASON_MAX];
        texts_fill(notice, sizeof notice, TEXT_IN_PRESENT, texts_key(TEXT_DO_REWIND));
        term_session_notify(session, now, TERM_MISTAKE, notice);
        return;
    }
    switch (input.action) {
    case TERM_REWIND:
        rewind_to(session, back + LEAP * (double)input.x, now);
        break;
    case TERM_FRAME:
        if (past->speed != 0.0F) {
            play_past(session, 0.0F, now);
        }
        rewind_to(session, back + (double)input.x / session->welcome.room.tick_rate, now);
        break;
    case TERM_SEEK:
        rewind_to(session, (double)past->span * (1 - (double)input.x / 1000), now);
        break;
    case TERM_PLAY:
        play_past(session, past->speed == (float)input.x ? 0.0F : (float)input.x, now);
        break;
    case TERM_NOW:
        term_session_ask(session, &(struct proto_client_message){.type = PROTO_LIVE}, now);
        break;
    case TERM_RESUME:
        term_session_ask(session, &(struct proto_client_message){.type = PROTO_RESUME}, now);
        break;
    default:
        break;
    }
}
