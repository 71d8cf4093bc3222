/* Closed sessions, until their connections end.
 *
 * libwebsockets has a timer for each connection that it closes, in a sorted list. It walks through
 * the list to add one, which takes too long if thousands of sessions end together. So the session
 * sends its close frame itself, and waits for the answer in lists of the shard. Only when the
 * client breaks the protocol, libwebsockets closes the session by itself: see session_break(). */
#include <string.h>
#include <sys/socket.h>
#include <uv.h>

#include "net/session/session_parts.h"

#define ANSWER_TIME   5000u             /* ms for the client to answer the close frame */
#define TURN_TIME     20u               /* ms between two turns without news */
#define TURN_MOST     UINT64_C(2000000) /* ns of a turn, about */
#define REASON_MAX    123u              /* bytes of the text in a close frame */
#define BREAKING_MOST 256u              /* sessions that libwebsockets may close in its own way */

_Static_assert(sizeof((struct context *)0)->endings == SESSION_NO_ENDING * sizeof(struct list),
               "a list for each");

static struct session *session_of_item(struct list_item *item)
{
    return (struct session *)list_entry_at(item, offsetof(struct session, ending.item));
}

static void end_connection(struct session *session)
{
    session_give_up(session);
    lws_set_timeout(session->wsi, PENDING_TIMEOUT_CLOSE_SEND, LWS_TO_KILL_SYNC);
}

static void write_reason(struct session *session)
{
    const char *text = end_text((enum end_reason)session->end);
    uint8_t bytes[LWS_PRE + 2 + REASON_MAX];
    uint8_t *payload = bytes + LWS_PRE;
    size_t size = strlen(text) < REASON_MAX ? strlen(text) : REASON_MAX;

    payload[0] = (uint8_t)(session->close_code >> 8);
    payload[1] = (uint8_t)(session->close_code & 255);
    memcpy(payload + 2, text, size);
    session_write_close(session, payload, 2 + size);
}

/* Sends what is pending and then the close frame, or ends the connection. */
static void end_session(struct context *context, struct session *session, uint32_t now)
{
    const bool over = (int32_t)(now - session->ending.due) >= 0;

    if (session->dropped || (over && session->ending.list == SESSION_UNANSWERED)) {
        session_leave_ending(context, session);
        end_connection(session);
        return;
    }
    session_flush(context, session);
    if (session->dropped) {
        return; /* until the next turn */
    }
    if (!over && (outlet_is_pending(&session->outlet) || lws_partial_buffered(session->wsi))) {
        session_enter_ending(context, session, SESSION_UNSENT);
        return;
    }
    outlet_finish(&session->outlet);
    if (lws_partial_buffered(session->wsi)) {
        session_leave_ending(context, session);
        end_connection(session);
        return;
    }
    write_reason(session);
    session->ending.due = now + ANSWER_TIME;
    session_enter_ending(context, session, SESSION_UNANSWERED);
}

/* Ends sessions of the list until `most` ns have passed. Returns false if there are more. */
static bool end_some(struct context *context, enum session_ending list, bool overdue, uint64_t most)
{
    const uint64_t began = uv_hrtime();
    const uint32_t now = session_ms(context);
    const struct list_item *last = context->endings[list].last;
    struct list_item *item;

    while ((item = context->endings[list].first) != NULL) {
        struct session *session = session_of_item(item);
        if (overdue && (int32_t)(now - session->ending.due) < 0) {
            return true;
        }
        if (uv_hrtime() - began >= most) {
            return false;
        }
        end_session(context, session, now);
        if (item == last) {
            return true;
        }
    }
    return true;
}

void session_end_turn(struct context *context)
{
    const uint64_t most = context->stopping ? UINT64_MAX : TURN_MOST;
    const bool all = end_some(context, SESSION_ENDS, false, most);
    const bool answered = end_some(context, SESSION_UNANSWERED, true, TURN_MOST);

    (void)end_some(context, SESSION_UNSENT, false, TURN_MOST / 4);
    if (!all || !answered || context->endings[SESSION_ENDS].first != NULL) {
        session_turn_after(context, 1);
    } else if (context->endings[SESSION_UNSENT].first != NULL ||
               context->endings[SESSION_UNANSWERED].first != NULL) {
        session_turn_after(context, TURN_TIME);
    } else {
        uv_timer_stop(context->ender);
    }
    context_free_work(context);
}

/* libwebsockets closes the session by itself: with a close frame that it sends when the socket is
 * writable, and a timer. If it closes many, the client gets the close frame now. Then libwebsockets
 * cannot send another, ends the connection for that, and needs no timer. */
void session_break(struct context *context, struct session *session)
{
    int size;

    if (session == NULL || session->wsi == NULL) {
        return; /* closed before its upgrade was answered */
    }
    size = lws_get_close_length(session->wsi);
    if (size <= 0 || session->said || session->breaks) {
        return;
    }
    session->breaks = true;
    if (context->breaking++ < BREAKING_MOST) {
        return;
    }
    session_write_close(session, lws_get_close_payload(session->wsi), (size_t)size);
    shutdown(lws_get_socket_fd(session->wsi), SHUT_WR);
    if (context->broken != NULL) {
        lws_set_timeout(context->broken, NO_PENDING_TIMEOUT, 0);
    }
    context->broken = session->wsi;
}

void session_broken(struct context *context, struct session *session)
{
    context->breaking -= session->breaks;
    if (context->broken == session->wsi) {
        context->broken = NULL;
    }
}
