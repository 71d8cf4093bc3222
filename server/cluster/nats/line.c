/* Lines to NATS, their options and what becomes of them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cluster/nats/inside.h"

#define CONNECT_TIMEOUT  2000 /* ms; TCP, TLS and NATS take five round trips */
#define RECONNECT_WAIT   100  /* ms */
#define RECONNECT_JITTER 50   /* ms */
#define WRITE_DEADLINE   250  /* ms */
#define BUFFER           (128 * 1024)
#define BULK_PATIENCE    5000 /* ms that a call on a key of BROKER_BULK waits */
#define SIGN_TRIES       3
#define URLS_MAX         16u

static const char *const line_names[BROKER_LINES] = {"data", "control", "bulk"};

/* A line leaves a server that has not answered `most` pings when the next one is due. Viewers wait
 * for the data line. Without the control line, other nodes declare this node dead after 1.5-2.5 s.
 * So these lines leave the server after 0.4-0.5 s. If that were shorter, they would leave a server
 * that sends 8 MB at 160 Mbit/s. The bulk line has bigger values, and no deadline depends on it. */
static const struct {
    int64_t interval; /* ms */
    int most;
} pings[BROKER_LINES] = {
    [BROKER_DATA] = {100, 4}, [BROKER_CONTROL] = {100, 4}, [BROKER_BULK] = {500, 2}};

static void log_line(const struct broker_nats *nats, bool is_error, const char *text)
{
    nats->definition.log(nats->definition.argument, is_error, text);
}

void broker_set_connected(struct line *line, bool connected)
{
    struct broker_nats *nats = line->broker;

    if (atomic_exchange(&nats->broker.connected[line->which], connected) != connected) {
        broker_add(&nats->broker.stats.lost, connected ? 0 : 1);
        nats->definition.changed(nats->definition.argument, line->which, connected);
    }
}

static void on_lost(natsConnection *connection, void *closure)
{
    (void)connection;
    broker_set_connected(closure, false);
}

static void on_back(natsConnection *connection, void *closure)
{
    struct line *line = closure;

    (void)connection;
    atomic_fetch_add(&line->returns, 1);
    broker_set_connected(line, true);
}

/* The last callback of a connection, at the broker's end or because NATS has refused the node
 * twice. */
static void on_closed(natsConnection *connection, void *closure)
{
    struct line *line = closure;
    struct broker_nats *nats = line->broker;

    (void)connection;
    broker_set_connected(line, false);
    pthread_mutex_lock(&nats->lock);
    line->closed = true;
    pthread_cond_broadcast(&nats->ended);
    pthread_mutex_unlock(&nats->lock);
}

/* Reports errors that no call returns, such as a missing permission. Three of them are not for the
 * operator: receivers count the messages that a slow subscription has lost, and a watch that stands
 * still is begun again. */
static void on_error(natsConnection *connection, natsSubscription *subscription, natsStatus status,
                     void *closure)
{
    struct line *line = closure;
    const char *detail = nats_GetLastError(NULL);
    char text[BROKER_TEXT_MAX];

    (void)connection;
    (void)subscription;
    if (status == NATS_SLOW_CONSUMER || status == NATS_TIMEOUT || status == NATS_MISSED_HEARTBEAT) {
        return;
    }
    snprintf(text, sizeof text, "NATS, %s line: %s", line_names[line->which],
             detail != NULL && detail[0] != '\0' ? detail : natsStatus_GetText(status));
    log_line(line->broker, true, text);
}

/* Splits the list of URLs in `copy`. Returns their number. */
static int split_urls(char *copy, const char *urls[URLS_MAX])
{
    char *rest = NULL;
    int count = 0;

    for (char *url = strtok_r(copy, ",", &rest); url != NULL && count < (int)URLS_MAX;
         url = strtok_r(NULL, ",", &rest)) {
        urls[count++] = url;
    }
    return count;
}

static natsStatus set_servers(natsOptions *options, const struct broker_definition *definition)
{
    const char *urls[URLS_MAX];
    char *copy = strdup(definition->urls);
    natsStatus status = NATS_NO_MEMORY;

    if (copy != NULL) {
        status = natsOptions_SetServers(options, urls, split_urls(copy, urls));
        free(copy);
    }
    return status;
}

static natsStatus set_user(natsOptions *options, const char *user)
{
    char name[BROKER_TEXT_MAX];
    const char *colon = user != NULL ? strchr(user, ':') : NULL;

    if (colon == NULL) {
        return NATS_OK;
    }
    snprintf(name, sizeof name, "%.*s", (int)(colon - user), user);
    return natsOptions_SetUserInfo(options, name, colon + 1);
}

static natsStatus set_trust(natsOptions *options, const struct broker_definition *definition)
{
    natsStatus status = set_user(options, definition->user);

    if (status == NATS_OK && definition->credentials != NULL) {
        status = natsOptions_SetUserCredentialsFromFiles(options, definition->credentials, NULL);
    }
    if (status == NATS_OK &&
        (definition->authority != NULL || strstr(definition->urls, "tls://") != NULL)) {
        status = natsOptions_SetSecure(options, true);
    }
    if (status == NATS_OK && definition->authority != NULL) {
        status = natsOptions_LoadCATrustedCertificates(options, definition->authority);
    }
    return status;
}

/* A node leaves a server that does not answer, and tries to connect again without end. The
 * library refuses messages until then, because queued frames would arrive late. If NATS' last
 * answer comes after CONNECT_TIMEOUT, libnats 3.4.1 takes a whole processor until it comes, and
 * then refuses it. */
static natsStatus set_patience(natsOptions *options, enum broker_line which)
{
    natsStatus status = natsOptions_SetTimeout(options, CONNECT_TIMEOUT);

    status =
        status != NATS_OK ? status : natsOptions_SetPingInterval(options, pings[which].interval);
    status = status != NATS_OK ? status : natsOptions_SetMaxPingsOut(options, pings[which].most);
    status = status != NATS_OK ? status : natsOptions_SetMaxReconnect(options, -1);
    status = status != NATS_OK ? status : natsOptions_SetReconnectWait(options, RECONNECT_WAIT);
    status = status != NATS_OK
                 ? status
                 : natsOptions_SetReconnectJitter(options, RECONNECT_JITTER, RECONNECT_JITTER);
    status = status != NATS_OK ? status : natsOptions_SetReconnectBufSize(options, 0);
    status = status != NATS_OK ? status : natsOptions_SetWriteDeadline(options, WRITE_DEADLINE);
    return status != NATS_OK ? status : natsOptions_SetFailRequestsOnDisconnect(options, true);
}

static natsStatus set_handlers(natsOptions *options, struct line *line)
{
    natsStatus status = natsOptions_SetDisconnectedCB(options, on_lost, line);

    status = status != NATS_OK ? status : natsOptions_SetReconnectedCB(options, on_back, line);
    status = status != NATS_OK ? status : natsOptions_SetClosedCB(options, on_closed, line);
    status = status != NATS_OK ? status : natsOptions_SetErrorHandler(options, on_error, line);
    return status != NATS_OK ? status : natsOptions_UseGlobalMessageDelivery(options, true);
}

/* Messages that come within a millisecond go to the server in one write, and are read as one: a
 * frame costs less than a write of its own. Leases do not wait for that. */
static natsStatus set_pace(natsOptions *options, const struct line *line)
{
    natsStatus status = natsOptions_SetSendAsap(options, line->which == BROKER_CONTROL);

    return status != NATS_OK ? status : natsOptions_SetIOBufSize(options, BUFFER);
}

static natsStatus set_names(natsOptions *options, const struct line *line)
{
    const struct broker_definition *definition = &line->broker->definition;
    char name[NAME_MAX_BYTES];
    natsStatus status;

    snprintf(name, sizeof name, "flockd %s %s", definition->node, line_names[line->which]);
    status = natsOptions_SetName(options, name);
    snprintf(name, sizeof name, "_INBOX.%s.%s", definition->role, definition->node);
    return status != NATS_OK ? status : natsOptions_SetCustomInboxPrefix(options, name);
}

static void set_closed(struct line *line, bool closed)
{
    pthread_mutex_lock(&line->broker->lock);
    line->closed = closed;
    pthread_mutex_unlock(&line->broker->lock);
}

/* Connects, at most SIGN_TRIES times if NATS refuses the node's credentials: libnats 3.4.1 leaves
 * out a signature whose first byte is 0. Each try signs another number. */
static natsStatus connect_signed(const struct line *line, natsConnection **connection,
                                 natsOptions *options)
{
    const bool signs = line->broker->definition.credentials != NULL;
    natsStatus status = natsConnection_Connect(connection, options);

    for (int i = 1; i < SIGN_TRIES && signs && status == NATS_CONNECTION_AUTH_FAILED; i++) {
        status = natsConnection_Connect(connection, options);
    }
    return status;
}

/* Connects with these options, which say what happens later. */
static natsStatus connect_with(struct line *line, natsOptions *options)
{
    natsConnection *connection = NULL;
    jsCtx *jetstream = NULL;
    jsOptions patience;
    natsStatus status;

    set_closed(line, false); /* before libnats can close it */
    status = connect_signed(line, &connection, options);
    if (status != NATS_OK) {
        set_closed(line, true);
        return status;
    }
    line->connection = connection;
    jsOptions_Init(&patience);
    patience.Wait =
        line->which == BROKER_CONTROL ? (int64_t)line->broker->definition.patience : BULK_PATIENCE;
    status = natsConnection_JetStream(&jetstream, connection, &patience);
    line->jetstream = jetstream;
    return status;
}

natsStatus broker_connect(struct line *line)
{
    natsOptions *options = NULL;
    natsStatus status = natsOptions_Create(&options);

    status = status != NATS_OK ? status : set_servers(options, &line->broker->definition);
    status = status != NATS_OK ? status : set_trust(options, &line->broker->definition);
    status = status != NATS_OK ? status : set_patience(options, line->which);
    status = status != NATS_OK ? status : set_handlers(options, line);
    status = status != NATS_OK ? status : set_pace(options, line);
    status = status != NATS_OK ? status : set_names(options, line);
    status = status != NATS_OK ? status : connect_with(line, options);
    natsOptions_Destroy(options);
    return status;
}
