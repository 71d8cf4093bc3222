#include "net/fanout.h"

#include <uv.h>

#include "base/prefetch.h"
#include "net/api/api.h"
#include "net/gate/context.h"
#include "net/session/roster.h"
#include "net/session/session.h"

#define CLOCK_SESSIONS   16u /* sessions between readings of the clock: 0.1 ms of small snapshots */
#define SEND_TIME        UINT64_C(20000) /* µs */
#define OTHERS_TIME      UINT64_C(4000) /* µs: to clients in strangers' rooms, or of later ranks */
#define REPLIES_TIME     UINT64_C(4000) /* µs: for replies while no view is due */
#define CONNECTION_BYTES 768u           /* bytes of a libwebsockets connection that sending reads */
#define WEBSOCKET_BYTES  192u           /* bytes of its WebSocket that sending reads */

static void take_reply(struct context *context, struct hub_reply *reply)
{
    struct roster_entry *entry;

    if (reply->type == HUB_ANSWER) {
        api_answer(context, reply);
        context_free_work(context);
        return;
    }
    entry = roster_find(context->roster, reply->session);
    if (entry != NULL) {
        const bool joins = session_of(entry)->stage == SESSION_JOINING;
        session_reply(context, session_of(entry), reply);
        const struct reader *reader = &session_of(entry)->reader;
        const struct meter_part part = meter_take(&context->meter);
        if (joins) {
            readers_charge_welcome(&context->readers, reader, part);
        } else {
            readers_charge(&context->readers, reader, part);
        }
    } else {
        frame_release(reply->frame);
    }
}

/* Returns the µs that a turn has for replies. While views are due, replies have the slice of one
 * class, or of two while pupils are in line. A turn reads no more than a slice suffices to answer.
 */
static uint64_t time_for_replies(const struct context *context, bool by_server)
{
    const struct readers *readers = &context->readers;
    const uint32_t classes = readers->classes[READERS_PUPILS].waiting > 0 ? 2 : 1;

    return roster_is_due(context->roster, by_server) || links_view_waits(context->links, by_server)
               ? classes * readers->short_slice / 1000
               : REPLIES_TIME;
}

/* Takes the replies of a turn that began at that time. Returns false if there may be more. */
static bool take_replies(struct context *context, bool by_server, uint64_t begun)
{
    struct hub_reply reply;

    (void)meter_take(&context->meter);
    while (links_take_reply_of(context->links, by_server, &reply)) {
        take_reply(context, &reply);
        if (links_now(context->links) - begun >= time_for_replies(context, by_server)) {
            return false;
        }
    }
    return true;
}

/* Takes the replies of a turn that began at that time, and views until `end`. Takes a room's
 * replies before its newer view: else a member who has just switched streams would get the same
 * snapshot in both. Returns false if there may be more. */
static bool take_data(struct context *context, bool by_server, uint64_t begun, uint64_t end)
{
    bool all = take_replies(context, by_server, begun);
    struct room_view *view;

    while ((view = links_take_view_of(context->links, by_server)) != NULL) {
        all = all && take_replies(context, by_server, begun);
        roster_take(context->roster, view, by_server);
        if (links_now(context->links) >= end) {
            return false;
        }
    }
    return all;
}

static struct session *session_in(struct list_item *item)
{
    return session_of(list_entry(item, struct roster_entry, item));
}

/* Prefetches what sending to the next three sessions of a rank reads: of the third the session, of
 * the second its connection, of the first the connection's WebSocket. The address of each is in
 * memory that an earlier call has prefetched. Connection and WebSocket are read only if
 * libwebsockets may have something to write. */
static void prefetch_sessions(const struct roster_entry *sent)
{
    struct list_item *first = sent->room->ranks[sent->rank].entries.first;
    struct list_item *second = first->next;

    if (!session_in(first)->quiet) {
        prefetch_bytes(lws_get_close_payload(session_in(first)->wsi), WEBSOCKET_BYTES);
    }
    if (second == NULL) {
        return;
    }
    if (!session_in(second)->quiet) {
        prefetch_bytes(session_in(second)->wsi, CONNECTION_BYTES);
    }
    if (second->next != NULL) {
        prefetch_bytes(session_in(second->next), SESSION_SENT);
    }
}

/* Returns true if the room has sessions of an earlier rank, and none of them waits. */
static bool is_behind(const struct roster_entry *entry)
{
    const struct roster_rank *ranks = entry->room->ranks;
    uint32_t before = 0;

    for (uint32_t i = 0; i < entry->rank; i++) {
        if (ranks[i].due > 0) {
            return false;
        }
        before += ranks[i].count;
    }
    return before > 0;
}

/* Sends due views until that time, and to at least CLOCK_SESSIONS sessions, or one newcomer. A
 * session may leave its room in this loop, and the last session frees the room. Returns false if
 * views may still be due.
 */
static bool send_views(struct context *context, bool by_server, uint64_t end)
{
    const uint64_t begun = links_now(context->links);
    struct roster_entry *entry;
    uint64_t now = begun;

    for (uint32_t i = 0; (entry = roster_due(context->roster, by_server)) != NULL; i++) {
        const bool behind = is_behind(entry);
        const bool fresh = entry->rank == ROSTER_FRESH; /* gets much */
        if (i % CLOCK_SESSIONS == 0) {
            now = links_now(context->links);
        }
        prefetch_sessions(entry);
        session_flush_at(context, session_of(entry), now);
        if ((i % CLOCK_SESSIONS == CLOCK_SESSIONS - 1 || fresh) &&
            links_now(context->links) >= (behind ? begun + OTHERS_TIME : end)) {
            return false;
        }
    }
    return true;
}

/* Sends data for about `time` µs. by_server: only data of the lobby and of rooms made with the
 * server's key. Adds the ns for which it sent views. Returns false if there may be more. */
static bool send_data(struct context *context, bool by_server, uint64_t time, uint64_t *sent)
{
    const uint64_t begun = links_now(context->links);
    const bool taken = take_data(context, by_server, begun, begun + time / 2);
    const uint64_t viewed = uv_hrtime();
    const bool all = send_views(context, by_server, begun + time);

    *sent += uv_hrtime() - viewed;
    return all && taken;
}

bool fanout_turn(struct context *context, uint64_t *sent)
{
    const bool first = send_data(context, true, SEND_TIME, sent);

    /* Strangers' rooms get less time: the next data of the server's rooms waits for them. */
    return send_data(context, false, OTHERS_TIME, sent) && first;
}
