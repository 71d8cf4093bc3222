#include "cluster/ends.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "base/log.h"
#include "base/thread_name.h"
#include "cluster/far_end.h"
#include "cluster/near_end.h"
#include "cluster/versions.h"
#include "cluster/wire.h"
#include "hub/event.h"
#include "hub/hub.h"
#include "hub/mailbox.h"

#define MAIL_BYTES     ((size_t)64 << 20) /* of messages that wait for the thread */
#define EVENTS_SESSION 3u                 /* events of one session that may wait */
#define EVENTS_MORE    4096u
#define MAIL_IN_TURN   4096u
#define GATHER         4u                 /* ms in which messages and views come together */
#define STILL_TIME     UINT64_C(500000)   /* µs by which a wait is too long */
#define VERSION_GAP    UINT64_C(60000000) /* µs between two lines about other versions */

enum mail_type {
    MAIL_MESSAGE,
    MAIL_TAKEN,
    MAIL_READY,
    MAIL_LOST,
    MAIL_MOVED,
    MAIL_ENDED,
    MAIL_BACK
};

/* Other threads leave this for the thread of the ends. */
struct mail {
    struct mail *next;
    enum mail_type type;
    char code[PROTO_ROOM_MAX + 1];
    uint64_t epoch;
    size_t size;
    uint8_t bytes[]; /* of a message */
};

struct ends {
    struct ends_definition definition;
    struct post post;
    struct hub *hub;
    struct hub_far far_rooms;
    struct mailbox events; /* of far rooms; the thread waits at it */
    struct far_end *far;
    struct near_end *near;
    struct wire_decoder *decoder;
    struct wire_message message; /* that was decoded last */
    uint64_t version_at;         /* µs: when a line about other versions was logged; 0: never */
    uv_mutex_t lock;             /* of the mail */
    struct mail *first, **last;
    size_t bytes;
    uv_thread_t thread;
    bool has_events; /* the mailbox was made */
    bool started;
    atomic_bool stopping;
};

/* ---- from other threads ---- */

static void put_mail(struct ends *ends, struct mail *mail)
{
    const size_t size = sizeof *mail + mail->size;
    bool fits;

    uv_mutex_lock(&ends->lock);
    fits = ends->bytes + size <= MAIL_BYTES || mail->type != MAIL_MESSAGE;
    if (fits) {
        mail->next = NULL;
        *ends->last = mail;
        ends->last = &mail->next;
        ends->bytes += size;
    }
    uv_mutex_unlock(&ends->lock);
    if (!fits) {
        free(mail);
    }
    mailbox_wake(&ends->events);
}

static void put_note(struct ends *ends, enum mail_type type, const char *code, uint64_t epoch)
{
    struct mail *mail = calloc(1, sizeof *mail);

    if (mail != NULL) {
        mail->type = type;
        mail->epoch = epoch;
        (void)snprintf(mail->code, sizeof mail->code, "%s", code);
        put_mail(ends, mail);
    }
}

/* Called on the broker's thread: what does not fit is lost, and its receiver notices the gap. */
static void on_message(void *argument, const struct broker_message *message)
{
    struct ends *ends = argument;
    struct mail *mail =
        message->size <= WIRE_MESSAGE_MAX ? malloc(sizeof *mail + message->size) : NULL;

    if (mail != NULL) {
        *mail = (struct mail){.type = MAIL_MESSAGE, .size = message->size};
        if (message->size > 0) {
            memcpy(mail->bytes, message->bytes, message->size);
        }
        put_mail(ends, mail);
    }
}

void ends_wake(struct ends *ends)
{
    mailbox_wake(&ends->events);
}

void ends_taken(struct ends *ends, const char *code, uint64_t epoch)
{
    put_note(ends, MAIL_TAKEN, code, epoch);
}

void ends_ready(struct ends *ends, const char *code, uint64_t epoch)
{
    put_note(ends, MAIL_READY, code, epoch);
}

void ends_lost(struct ends *ends, const char *code, uint64_t epoch)
{
    put_note(ends, MAIL_LOST, code, epoch);
}

void ends_moved(struct ends *ends, const char *code, uint64_t epoch, bool ended)
{
    put_note(ends, ended ? MAIL_ENDED : MAIL_MOVED, code, epoch);
}

void ends_connected(struct ends *ends, bool connected)
{
    if (connected) {
        put_note(ends, MAIL_BACK, "", 0);
    }
}

/* ---- the thread ---- */

/* Logs, once a minute, that another node's messages cannot be read. */
static void log_version(struct ends *ends, const struct mail *mail, uint64_t now)
{
    if (ends->version_at == 0 || now >= ends->version_at + VERSION_GAP) {
        ends->version_at = now;
        log_warn("a node speaks version %u of the messages between nodes, and this one %u: their "
                 "rooms and clients do not meet; upgrade the older one",
                 (unsigned)wire_version(mail->bytes, mail->size), version_of_messages());
    }
}

static void take_message(struct ends *ends, const struct mail *mail, uint64_t now)
{
    const enum wire_result result =
        wire_decode(ends->decoder, mail->bytes, mail->size, &ends->message);
    const struct wire_message *message = &ends->message;

    cluster_count(&ends->post.counts->messages_in, 1);
    cluster_count(&ends->post.counts->bytes_in, mail->size);
    if (result != WIRE_OK) {
        cluster_count(&ends->post.counts->malformed, 1);
        if (result == WIRE_OTHER_VERSION) {
            log_version(ends, mail, now);
        }
        return;
    }
    if (message->head.incarnation == ends->post.incarnation) {
        return; /* its own */
    }
    switch (message->head.kind) {
    case WIRE_ITEMS:
    case WIRE_PROBE:
        near_end_take(ends->near, message, now);
        break;
    case WIRE_TAKEN:
        near_end_take(ends->near, message, now);
        far_end_take(ends->far, message, now);
        break;
    default:
        far_end_take(ends->far, message, now);
        break;
    }
}

static void take_mail(struct ends *ends, const struct mail *mail, uint64_t now)
{
    switch (mail->type) {
    case MAIL_MESSAGE:
        take_message(ends, mail, now);
        break;
    case MAIL_TAKEN:
        (void)near_end_own(ends->near, mail->code, mail->epoch, now);
        break;
    case MAIL_READY:
        near_end_announce(ends->near, mail->code, now);
        far_end_moved(ends->far, mail->code, mail->epoch, true, now);
        break;
    case MAIL_LOST:
        near_end_disown(ends->near, mail->code, mail->epoch, now);
        break;
    case MAIL_MOVED:
        far_end_moved(ends->far, mail->code, mail->epoch, false, now);
        break;
    case MAIL_ENDED:
        far_end_ended(ends->far, mail->code, now);
        break;
    case MAIL_BACK:
        far_end_reconnected(ends->far, now);
        break;
    }
}

/* Removes and returns the oldest mail, or NULL. */
static struct mail *next_mail(struct ends *ends)
{
    struct mail *mail;

    uv_mutex_lock(&ends->lock);
    mail = ends->first;
    if (mail != NULL) {
        ends->first = mail->next;
        ends->last = ends->first != NULL ? ends->last : &ends->first;
        ends->bytes -= sizeof *mail + mail->size;
    }
    uv_mutex_unlock(&ends->lock);
    return mail;
}

/* Returns whether there may be more. */
static bool take_all_mail(struct ends *ends)
{
    for (uint32_t i = 0; i < MAIL_IN_TURN; i++) {
        struct mail *mail = next_mail(ends);
        if (mail == NULL) {
            return false;
        }
        take_mail(ends, mail, hub_now(ends->hub));
        free(mail);
    }
    return true;
}

/* Waits until that time (µs), or for an event, but at least GATHER, so that many rooms share a turn
 * and a write to NATS. If the time is long over, this process stood still. */
static void wait_until(struct ends *ends, uint64_t next)
{
    const uint64_t before = hub_now(ends->hub);
    const uint64_t end = uv_hrtime() + (next > before ? next - before : 0) * 1000;
    uint64_t now;

    uv_sleep(GATHER);
    mailbox_wait(&ends->events, end);
    now = hub_now(ends->hub);
    if (now > next + STILL_TIME && now > before + STILL_TIME) {
        near_end_skip(ends->near, now - before);
        far_end_skip(ends->far, now - before);
    }
}

static void run_thread(void *argument)
{
    struct ends *ends = argument;

    name_thread("links");
    while (!atomic_load(&ends->stopping)) {
        const bool more = take_all_mail(ends);
        const uint64_t now = hub_now(ends->hub);
        const uint64_t near = near_end_turn(ends->near, now);
        const uint64_t far = far_end_turn(ends->far, now);
        if (!more) {
            wait_until(ends, near < far ? near : far);
        }
    }
}

/* ---- life ---- */

static bool create_parts(struct ends *ends)
{
    const size_t events = (size_t)EVENTS_SESSION * ends->definition.sessions_max + EVENTS_MORE;

    ends->has_events = mailbox_create(&ends->events, sizeof(struct event), events);
    if (!ends->has_events) {
        return false;
    }
    ends->far_rooms = (struct hub_far){.find = ends->definition.find,
                                       .argument = ends->definition.argument,
                                       .events = &ends->events,
                                       .rooms = ENDS_FAR_ROOMS,
                                       .sessions = ENDS_FAR_SESSIONS};
    ends->far = far_end_create(&ends->post, &ends->far_rooms, ends->definition.want,
                               ends->definition.argument);
    ends->near = near_end_create(&ends->post, ENDS_FAR_SESSIONS);
    ends->decoder = wire_decoder_create();
    return ends->far != NULL && ends->near != NULL && ends->decoder != NULL;
}

struct ends *ends_create(const struct ends_definition *definition)
{
    struct ends *ends = calloc(1, sizeof *ends);

    if (ends == NULL) {
        return NULL;
    }
    ends->definition = *definition;
    ends->last = &ends->first;
    ends->post = (struct post){.broker = definition->broker,
                               .counts = definition->counts,
                               .deliver = on_message,
                               .silent = definition->silent > 0 ? definition->silent : ENDS_SILENT,
                               .argument = ends};
    (void)snprintf(ends->post.node, sizeof ends->post.node, "%s", definition->node);
    if (getrandom(&ends->post.incarnation, sizeof ends->post.incarnation, 0) !=
            sizeof ends->post.incarnation ||
        uv_mutex_init(&ends->lock) != 0) {
        free(ends);
        return NULL;
    }
    if (!create_parts(ends)) {
        ends_destroy(ends);
        return NULL;
    }
    return ends;
}

const struct hub_far *ends_far(struct ends *ends)
{
    return &ends->far_rooms;
}

bool ends_start(struct ends *ends, struct hub *hub)
{
    ends->hub = hub;
    ends->started = near_end_start(ends->near, hub) &&
                    far_end_start(ends->far, hub, hub_far_shard(hub)) &&
                    uv_thread_create(&ends->thread, run_thread, ends) == 0;
    return ends->started;
}

void ends_stop(struct ends *ends)
{
    if (ends != NULL && ends->started) {
        atomic_store(&ends->stopping, true);
        mailbox_wake(&ends->events);
        uv_thread_join(&ends->thread);
        ends->started = false;
    }
}

void ends_leave(struct ends *ends)
{
    if (ends != NULL && ends->hub != NULL) {
        near_end_leave(ends->near);
        far_end_leave(ends->far);
    }
}

void ends_destroy(struct ends *ends)
{
    struct mail *mail;

    if (ends == NULL) {
        return;
    }
    far_end_destroy(ends->far);
    near_end_destroy(ends->near);
    wire_decoder_destroy(ends->decoder);
    while ((mail = next_mail(ends)) != NULL) {
        free(mail);
    }
    if (ends->has_events) {
        mailbox_destroy(&ends->events);
    }
    wire_writer_finish(&ends->post.writer);
    uv_mutex_destroy(&ends->lock);
    free(ends);
}
