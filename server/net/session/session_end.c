/* The end of a session: its goodbye says why it ends and when to come back. See session_ending.c.
 */
#include <assert.h>
#include <string.h>
#include <uv.h>

#include "net/gate/connection.h"
#include "net/gate/place.h"
#include "net/session/pending.h"
#include "net/session/roster.h"
#include "net/session/session_parts.h"

#define CLOSE_TIME 2000u /* ms to send what is pending and the close frame */

/* ms until clients come back, spread so that they do not come back all at once. */
#define BACK_STOPPED 250u  /* at least, when the server stops; then 1,000 clients per second … */
#define BACK_SPREAD  1000u /* … and within this time if there are fewer clients */
#define BACK_FULL    5000u /* up to 3 times this, when the server is full */

static void retire_session(struct context *context, struct session *session, enum end_reason why)
{
    outlet_end(&session->outlet, &context->counts);
    roster_leave(context->roster, &session->entry);
    later_finish(&session->later);
    if (session->stage != SESSION_LIVE) {
        pending_finish(context, session);
    }
    if (session->link != NULL) {
        link_leave(session->link, why);
        session->link = NULL;
    }
    session_uneased(context, session);
}

void session_retire(struct context *context, struct session *session)
{
    retire_session(context, session, END_NONE);
}

/* Returns a number below `bound` that differs between sessions. */
static uint32_t spread_number(const struct context *context, const struct session *session,
                              uint32_t bound)
{
    uint64_t x = (session->entry.id + links_now(context->links)) * 0x9E3779B97F4A7C15u;

    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9u; /* splitmix64 */
    x = (x ^ x >> 27) * 0x94D049BB133111EBu;
    return (uint32_t)((x ^ x >> 31) % bound);
}

static struct frame *make_goodbye(const struct context *context, const struct session *session,
                                  unsigned code)
{
    struct proto_goodbye goodbye = {.code = code};
    struct frame *frame = frame_create(PROTO_MESSAGE_MAX);
    uint32_t clients = places_count(context->service->places);

    if (frame == NULL) {
        return NULL;
    }
    if (code == PROTO_CLOSE_SHUTDOWN) {
        goodbye.has_after = true;
        goodbye.after = BACK_STOPPED + spread_number(context, session,
                                                     clients > BACK_SPREAD ? clients : BACK_SPREAD);
    } else if (code == PROTO_CLOSE_FULL) {
        goodbye.has_after = true;
        goodbye.after = BACK_FULL + spread_number(context, session, 2 * BACK_FULL);
    }
    return frame_end(frame, proto_encode_goodbye(frame_data(frame), frame->capacity, &goodbye));
}

/* ---- closed sessions ---- */

void session_enter_closing(struct session *session)
{
    if (session->stage != SESSION_CLOSING) {
        session->stage = SESSION_CLOSING;
        memset(&session->ending, 0, sizeof session->ending);
        session->ending.list = SESSION_NO_ENDING;
    }
}

void session_leave_ending(struct context *context, struct session *session)
{
    if (session->stage == SESSION_CLOSING && session->ending.list != SESSION_NO_ENDING) {
        list_remove(&context->endings[session->ending.list], &session->ending.item);
        session->ending.list = SESSION_NO_ENDING;
    }
}

void session_enter_ending(struct context *context, struct session *session,
                          enum session_ending list)
{
    session_leave_ending(context, session);
    list_append(&context->endings[list], &session->ending.item);
    session->ending.list = (uint8_t)list;
}

/* With 0 ms, the loop would not read from its sockets before the turn. */
void session_turn_after(const struct context *context, uint64_t time)
{
    uv_timer_set_repeat(context->ender, time);
    uv_timer_again(context->ender);
}

/* Ends the session soon, not at once: libwebsockets may be using the connection. */
static void end_later(struct context *context, struct session *session)
{
    if (context->endings[SESSION_ENDS].first == NULL) {
        session_turn_after(context, 1);
    }
    session_enter_ending(context, session, SESSION_ENDS);
}

/* ---- reasons ---- */

void session_close(struct context *context, struct session *session, enum end_reason why)
{
    if (session->stage == SESSION_CLOSING) {
        return;
    }
    assert(why != END_NONE);
    retire_session(context, session, why);
    outlet_push(&session->outlet, make_goodbye(context, session, end_code(why)));
    session_enter_closing(session);
    session->close_code = (uint16_t)end_code(why);
    session->end = (uint8_t)why;
    session->ending.due = session_ms(context) + CLOSE_TIME;
    end_later(context, session);
}

void session_displaced(struct context *context, struct session *session)
{
    connection_unsettle(context, session->wsi);
    counter_add(&context->counts.clients_displaced, 1);
    session_close(context, session, END_DISPLACED);
}

void session_drop(struct context *context, struct session *session)
{
    outlet_end(&session->outlet, &context->counts);
    session->dropped = true;
    session_enter_closing(session);
    end_later(context, session);
}
