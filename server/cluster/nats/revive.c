/* Connects lines again that libnats has closed. It closes a line when NATS has refused the node's
 * user twice in a row, such as while NATS runs with other passwords, and would never try again. */
#include <stdlib.h>

#include "cluster/nats/inside.h"

#define TRY_AGAIN 250 /* ms */

/* Returns a line that is closed and whose subscriptions have ended, or NULL. With the lock. */
static struct line *find_closed(struct broker_nats *nats)
{
    for (size_t i = 0; i < BROKER_LINES; i++) {
        struct line *line = &nats->lines[i];
        if (line->closed && !broker_subscriptions_end(line)) {
            return line;
        }
    }
    return NULL;
}

/* Keeps the line's closed connection until the broker closes. Returns false when memory runs out.
 */
static bool keep_closed(struct line *line)
{
    struct broker_nats *nats = line->broker;
    struct closed_line *kept = calloc(1, sizeof *kept);

    if (kept == NULL) {
        return false;
    }
    kept->connection = line->connection;
    kept->jetstream = line->jetstream;
    pthread_mutex_lock(&nats->lock);
    kept->next = nats->closed_lines;
    nats->closed_lines = kept;
    pthread_mutex_unlock(&nats->lock);
    return true;
}

/* Forgets the connection that keep_closed() kept last: the line still uses it. */
static void forget_closed(struct broker_nats *nats)
{
    struct closed_line *kept;

    pthread_mutex_lock(&nats->lock);
    kept = nats->closed_lines;
    nats->closed_lines = kept->next;
    pthread_mutex_unlock(&nats->lock);
    free(kept);
}

static void revive_line(struct line *line)
{
    const natsConnection *before = line->connection;

    /* libnats may have closed the connection before the line counted as connected. */
    broker_set_connected(line, false);
    if (keep_closed(line)) {
        if (broker_connect(line) == NATS_OK && broker_subscribe_again(line)) {
            atomic_fetch_add(&line->returns, 1);
            broker_set_connected(line, true);
            return;
        }
        if (line->connection == before) {
            forget_closed(line->broker);
        } else {
            /* Memory has run out, or NATS has closed the line again. */
            natsConnection_Close(line->connection);
        }
    }
    nats_Sleep(TRY_AGAIN);
}

static void *run_reviver(void *argument)
{
    struct broker_nats *nats = argument;

    pthread_mutex_lock(&nats->lock);
    while (!nats->closing) {
        struct line *line = find_closed(nats);
        if (line == NULL) {
            pthread_cond_wait(&nats->ended, &nats->lock);
            continue;
        }
        pthread_mutex_unlock(&nats->lock);
        revive_line(line);
        pthread_mutex_lock(&nats->lock);
    }
    pthread_mutex_unlock(&nats->lock);
    nats_ReleaseThreadMemory();
    return NULL;
}

bool broker_begin_reviving(struct broker_nats *nats)
{
    nats->revives = pthread_create(&nats->reviver, NULL, run_reviver, nats) == 0;
    return nats->revives;
}

void broker_end_reviving(struct broker_nats *nats)
{
    pthread_mutex_lock(&nats->lock);
    nats->closing = true;
    pthread_cond_broadcast(&nats->ended);
    pthread_mutex_unlock(&nats->lock);
    if (nats->revives) {
        pthread_join(nats->reviver, NULL);
    }
}
