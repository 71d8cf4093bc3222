/* Messages: to NATS, and from NATS to subscriptions. */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cluster/nats/inside.h"

#define PENDING_BYTES (64 * 1024 * 1024) /* of one subscription that wait for their delivery */

/* The broker's lock guards next, subscription and ending. */
struct broker_subscription {
    struct broker_nats *broker;
    struct broker_subscription *next; /* in broker->subscriptions */
    natsSubscription *subscription;   /* NULL while its line is closed */
    broker_deliver *deliver;
    void *argument;
    enum broker_line which;
    bool ending;
    char subject[NAME_MAX_BYTES]; /* with the prefix */
};

/* Writes LEAD PREFIX SEPARATOR NAME without blanks. Returns false if that is too long. */
bool broker_write_name(const struct broker_nats *nats, char *out, const char *lead, char separator,
                       const char *name)
{
    const size_t before = strlen(lead);
    const size_t prefix = strlen(nats->definition.prefix);
    const size_t size = strlen(name) + 1;

    if (before + prefix + 1 + size > NAME_MAX_BYTES) {
        return false;
    }
    memcpy(out, lead, before);
    memcpy(out + before, nats->definition.prefix, prefix);
    out[before + prefix] = separator;
    memcpy(out + before + prefix + 1, name, size);
    return true;
}

/* Returns the subject without the prefix. */
static const char *plain_subject(const struct broker_nats *nats, const char *subject)
{
    size_t size = strlen(nats->definition.prefix);

    return strncmp(subject, nats->definition.prefix, size) == 0 && subject[size] == '.'
               ? subject + size + 1
               : subject;
}

bool broker_nats_publish(struct broker *broker, enum broker_line which, const char *subject,
                         const char *reply, const uint8_t *bytes, size_t size)
{
    struct broker_nats *nats = broker_as_nats(broker);
    char to[NAME_MAX_BYTES];
    char back[NAME_MAX_BYTES];
    natsStatus status = NATS_ERR;

    if (broker->connected[which] && size <= INT32_MAX &&
        broker_write_name(nats, to, "", '.', subject) &&
        (reply == NULL || broker_write_name(nats, back, "", '.', reply))) {
        natsConnection *connection = nats->lines[which].connection;
        status = reply == NULL
                     ? natsConnection_Publish(connection, to, bytes, (int)size)
                     : natsConnection_PublishRequest(connection, to, back, bytes, (int)size);
    }
    broker_add(status == NATS_OK ? &broker->stats.published : &broker->stats.failed, 1);
    broker_add(&broker->stats.bytes_out, status == NATS_OK ? size : 0);
    return status == NATS_OK;
}

static void on_message(natsConnection *connection, natsSubscription *from, natsMsg *message,
                       void *closure)
{
    struct broker_subscription *subscription = closure;
    struct broker_nats *nats = subscription->broker;
    const char *reply = natsMsg_GetReply(message);
    const struct broker_message delivered = {
        .subject = plain_subject(nats, natsMsg_GetSubject(message)),
        .reply = reply != NULL ? plain_subject(nats, reply) : NULL,
        .bytes = (const uint8_t *)natsMsg_GetData(message),
        .size = (size_t)natsMsg_GetDataLength(message),
        .nobody = natsMsg_IsNoResponders(message),
    };

    (void)connection;
    (void)from;
    broker_add(&nats->broker.stats.delivered, 1);
    broker_add(&nats->broker.stats.bytes_in, delivered.size);
    subscription->deliver(subscription->argument, &delivered);
    natsMsg_Destroy(message);
}

/* Needs the lock. */
static void free_subscription(struct broker_subscription *subscription)
{
    struct broker_subscription **at = &subscription->broker->subscriptions;

    while (*at != subscription) {
        at = &(*at)->next;
    }
    *at = subscription->next;
    free(subscription);
}

/* Called when the last message of an ended subscription, or of a closed connection, has been
 * delivered. Only now it may be destroyed: libnats 3.4.1 crashes if a message arrives during the
 * call. */
static void on_ended(void *closure)
{
    struct broker_subscription *subscription = closure;
    struct broker_nats *nats = subscription->broker;

    pthread_mutex_lock(&nats->lock);
    natsSubscription_Destroy(subscription->subscription);
    subscription->subscription = NULL;
    if (subscription->ending || nats->closing) {
        free_subscription(subscription);
    }
    pthread_cond_broadcast(&nats->ended);
    pthread_mutex_unlock(&nats->lock);
}

/* With the lock, so that on_ended() finds all of it filled in. */
static natsStatus begin_subscription(struct broker_subscription *subscription)
{
    struct line *line = &subscription->broker->lines[subscription->which];
    natsStatus status = natsConnection_Subscribe(&subscription->subscription, line->connection,
                                                 subscription->subject, on_message, subscription);

    if (status != NATS_OK) {
        subscription->subscription = NULL;
        return status;
    }
    status = natsSubscription_SetPendingLimits(subscription->subscription, -1, PENDING_BYTES);
    if (status == NATS_OK) {
        status =
            natsSubscription_SetOnCompleteCB(subscription->subscription, on_ended, subscription);
    }
    if (status != NATS_OK) {
        natsSubscription_Destroy(subscription->subscription);
        subscription->subscription = NULL;
    }
    return status;
}

struct broker_subscription *broker_nats_subscribe(struct broker *broker, enum broker_line which,
                                                  const char *subject, broker_deliver *deliver,
                                                  void *argument)
{
    struct broker_nats *nats = broker_as_nats(broker);
    struct broker_subscription *subscription = calloc(1, sizeof *subscription);
    natsStatus status;

    if (subscription == NULL || !broker_write_name(nats, subscription->subject, "", '.', subject)) {
        free(subscription);
        return NULL;
    }
    subscription->broker = nats;
    subscription->which = which;
    subscription->deliver = deliver;
    subscription->argument = argument;
    pthread_mutex_lock(&nats->lock);
    status = begin_subscription(subscription);
    if (status == NATS_OK || (status == NATS_CONNECTION_CLOSED && !nats->closing)) {
        subscription->next = nats->subscriptions;
        nats->subscriptions = subscription;
    } else {
        free(subscription);
        subscription = NULL;
    }
    pthread_mutex_unlock(&nats->lock);
    return subscription;
}

void broker_nats_unsubscribe(struct broker *broker, struct broker_subscription *subscription)
{
    struct broker_nats *nats = broker_as_nats(broker);

    pthread_mutex_lock(&nats->lock);
    assert(!subscription->ending);
    subscription->ending = true;
    if (subscription->subscription != NULL) {
        natsSubscription_Unsubscribe(subscription->subscription);
    } else {
        free_subscription(subscription);
    }
    pthread_mutex_unlock(&nats->lock);
}

/* ---- subscriptions of closed lines ---- */

bool broker_subscriptions_end(const struct line *line)
{
    const struct broker_subscription *at = line->broker->subscriptions;

    while (at != NULL && (at->which != line->which || at->subscription == NULL)) {
        at = at->next;
    }
    return at != NULL;
}

bool broker_subscribe_again(struct line *line)
{
    struct broker_nats *nats = line->broker;
    bool all = true;

    pthread_mutex_lock(&nats->lock);
    for (struct broker_subscription *at = nats->subscriptions; at != NULL && all; at = at->next) {
        if (at->which == line->which && at->subscription == NULL) {
            all = begin_subscription(at) == NATS_OK;
        }
    }
    pthread_mutex_unlock(&nats->lock);
    return all;
}

void broker_free_subscriptions(struct broker_nats *nats)
{
    struct broker_subscription *next;

    pthread_mutex_lock(&nats->lock);
    for (struct broker_subscription *at = nats->subscriptions; at != NULL; at = next) {
        next = at->next;
        if (at->subscription == NULL) {
            free_subscription(at);
        }
    }
    pthread_mutex_unlock(&nats->lock);
}
