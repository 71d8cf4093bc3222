#include "cluster/keeper.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "base/thread_name.h"
#include "cluster/keeper_parts.h"
#include "cluster/versions.h"
#include "hub/hub.h"

#define ROUTES_PATIENCE UINT64_C(10000000000) /* ns until a node starts without all routes */
#define JOIN_TIME       UINT64_C(10000000)    /* µs until a node must have its lease */
#define SAVE_GRACE      UINT64_C(10000000000) /* ns; NATS' servers take 4-9 s to agree on a leader */
#define JOIN_PAUSE      50u                   /* ms */
#define NAMESAKE_TIME   UINT64_C(1200000)     /* µs in which a node beats at least twice */
#define LOOK_TIME       UINT64_C(20000)       /* µs between two plans */
#define REFUSED_GAP     UINT64_C(60000000)    /* µs between two lines about a node */
#define CLOSE_TIME      10.0                  /* s for the last checkpoints */

#define NAMESAKE "another node has the name %s (--node): each node needs a name of its own"

static uint64_t random_number(void *argument)
{
    (void)argument;
    return keeper_random();
}

/* ---- what is heard ---- */

/* Whether the subject's last part is the name: each node speaks for itself. */
static bool is_from(const char *subject, const char *name)
{
    const char *dot = strrchr(subject, '.');

    return dot != NULL && strcmp(dot + 1, name) == 0;
}

/* Returns whether it is time for another line about the node, and notes that. Of many such nodes
 * some get more lines. */
static bool is_refused_anew(struct keeper *keeper, const char *node)
{
    const uint64_t now = keeper_now();
    struct keeper_refused *oldest = &keeper->refused[0];

    for (uint32_t i = 0; i < KEEPER_REFUSED; i++) {
        struct keeper_refused *refused = &keeper->refused[i];
        if (strcmp(refused->node, node) == 0 && now < refused->at + REFUSED_GAP) {
            return false;
        }
        oldest = refused->at < oldest->at ? refused : oldest;
    }
    snprintf(oldest->node, sizeof oldest->node, "%s", node);
    oldest->at = now;
    return true;
}

/* Logs, once a minute, which node speaks another version. */
static void check_version(struct keeper *keeper, const struct broker_message *message)
{
    const uint32_t version = values_beat_version(message->bytes, message->size);
    const char *dot = strrchr(message->subject, '.');
    char node[4 * NODE_NAME_MAX];

    log_escape(node, sizeof node, dot != NULL ? dot + 1 : "", false);
    if (version != 0 && version != version_of_messages() && is_refused_anew(keeper, node)) {
        log_warn("node %s speaks version %u of the messages between nodes, and this node speaks "
                 "version %u: upgrade the older one",
                 node, version, version_of_messages());
    }
}

static bool has_namesake(const struct keeper *keeper)
{
    return atomic_load(&keeper->strange_beats) > 1;
}

/* Takes a beat of a node with this node's name. It is this node's own, or that of another node, or
 * a late one of the process before this one, which beats no more. The lease keeps two nodes with
 * rooms apart, whose incarnations change. */
static void take_own_beat(struct keeper *keeper, const struct node_beat *beat)
{
    uint64_t own;

    uv_mutex_lock(&keeper->lock);
    own = keeper->lease.value.incarnation;
    uv_mutex_unlock(&keeper->lock);
    if (keeper_is_sim(keeper) ? beat->role != NODE_EDGE : beat->incarnation == own) {
        return;
    }
    atomic_fetch_add(&keeper->strange_beats, 1);
    if (has_namesake(keeper) && atomic_load(&keeper->named) &&
        is_refused_anew(keeper, beat->name)) {
        log_error("another node has the name %s (--node): clients of both lose their rooms again "
                  "and again; end one of them",
                  beat->name);
    }
}

static void on_beat(void *argument, const struct broker_message *message)
{
    struct keeper *keeper = argument;
    struct node_beat beat;
    const bool known = values_read_beat(message->bytes, message->size, &beat);

    check_version(keeper, message);
    if (!known || !is_from(message->subject, beat.name)) {
        cluster_count(&keeper->definition.counts->malformed, 1);
        return;
    }
    if (strcmp(beat.name, keeper->definition.node) == 0) {
        take_own_beat(keeper, &beat);
        return;
    }
    if (routes_take_beat(keeper->routes, &beat, keeper_now())) {
        atomic_store(&keeper->greets, true);
    }
    uv_mutex_lock(&keeper->lock);
    lease_take_beat(&keeper->lease, &beat);
    uv_mutex_unlock(&keeper->lock);
}

struct facts_taking {
    struct keeper *keeper;
    const char *node;
    uint64_t incarnation;
};

/* The owner's facts tell its route, too: they come while a watch stands still. */
static void take_facts(void *argument, const struct directory_entry *entry, uint64_t epoch)
{
    const struct facts_taking *taking = argument;
    struct route_value value = {.incarnation = taking->incarnation};

    if (epoch != 0 && node_name_is_valid(taking->node)) {
        snprintf(value.owner, sizeof value.owner, "%s", taking->node);
        keeper_take_route(taking->keeper, entry->code, &value, epoch);
    }
    routes_take_facts(taking->keeper->routes, taking->node, taking->incarnation, entry);
}

static void on_facts(void *argument, const struct broker_message *message)
{
    struct keeper *keeper = argument;
    const char *dot = strrchr(message->subject, '.');
    struct facts_taking taking = {.keeper = keeper, .node = dot != NULL ? dot + 1 : ""};

    if (strcmp(taking.node, keeper->definition.node) != 0 &&
        !values_read_facts(message->bytes, message->size, &taking.incarnation, take_facts,
                           &taking)) {
        cluster_count(&keeper->definition.counts->malformed, 1);
    }
}

/* A program that only listens asks for all facts. */
static void on_greet(void *argument, const struct broker_message *message)
{
    (void)message;
    atomic_store(&((struct keeper *)argument)->greets, true);
}

static void on_take(void *argument, const struct broker_message *message)
{
    struct keeper *keeper = argument;
    struct room_take take;

    if (values_read_take(message->bytes, message->size, &take)) {
        keeper_take_route(keeper, take.code, &take.route, take.revision);
    } else if (!keeper_hear_parcel(keeper, message)) {
        cluster_count(&keeper->definition.counts->malformed, 1);
    }
}

static void on_node_key(void *argument, const struct broker_entry *entry)
{
    struct keeper *keeper = argument;
    struct node_lease value;

    if (entry != NULL && !entry->deleted && node_name_is_valid(entry->key) &&
        values_read_lease(entry->bytes, entry->size, &value)) {
        uv_mutex_lock(&keeper->lock);
        lease_take_key(&keeper->lease, entry->key, &value, entry->revision);
        keeper->dirty |= value.dead;
        uv_cond_broadcast(&keeper->changed);
        uv_mutex_unlock(&keeper->lock);
    }
}

static void on_room_key(void *argument, const struct broker_entry *entry)
{
    struct keeper *keeper = argument;
    struct route_value value;
    char canonical[PROTO_ROOM_MAX + 1];

    if (entry == NULL) {
        uv_mutex_lock(&keeper->lock);
        keeper->complete = keeper->dirty = true;
        uv_cond_broadcast(&keeper->changed);
        uv_mutex_unlock(&keeper->lock);
        return;
    }
    proto_room_canonical(entry->key, canonical);
    if (strcmp(entry->key, canonical) != 0) {
        return;
    }
    if (entry->deleted) {
        keeper_take_route(keeper, entry->key, NULL, entry->revision);
    } else if (values_read_route(entry->bytes, entry->size, &value)) {
        keeper_take_route(keeper, entry->key, &value, entry->revision);
    } else {
        cluster_count(&keeper->definition.counts->malformed, 1);
    }
}

static bool subscribe(struct keeper *keeper, const char *subject, broker_deliver *deliver)
{
    return broker_subscribe(keeper->definition.broker, BROKER_CONTROL, subject, deliver, keeper) !=
           NULL;
}

/* Subscribes to what other nodes with rooms send to this one. */
static bool subscribe_own(struct keeper *keeper)
{
    char take[BROKER_SUBJECT_MAX];
    char want[BROKER_SUBJECT_MAX];
    char part[BROKER_SUBJECT_MAX];

    snprintf(take, sizeof take, "take.%s", keeper->definition.node);
    snprintf(want, sizeof want, "want.%s", keeper->definition.node);
    snprintf(part, sizeof part, "part.%s", keeper->definition.node);
    return subscribe(keeper, take, on_take) && subscribe(keeper, want, keeper_take_want) &&
           broker_subscribe(keeper->definition.broker, BROKER_BULK, part, keeper_hear_part,
                            keeper) != NULL;
}

/* Begins to listen to other nodes and the buckets. */
static bool listen_to_all(struct keeper *keeper)
{
    keeper->nodes_watch =
        broker_watch(keeper->definition.broker, BROKER_NODES, on_node_key, keeper);
    keeper->rooms_watch =
        broker_watch(keeper->definition.broker, BROKER_ROOMS, on_room_key, keeper);
    return keeper->nodes_watch != NULL && keeper->rooms_watch != NULL &&
           subscribe(keeper, "beat.*", on_beat) && subscribe(keeper, "facts.*", on_facts) &&
           subscribe(keeper, "greet", on_greet) &&
           (!keeper_is_sim(keeper) || subscribe_own(keeper));
}

/* ---- the thread ---- */

/* Waits until that time (µs), or until there is something to plan. */
static void wait_until(struct keeper *keeper, uint64_t until)
{
    uint64_t now = keeper_now();

    uv_mutex_lock(&keeper->lock);
    while (!keeper->stopping && !keeper->dirty && now < until) {
        uv_cond_timedwait(&keeper->changed, &keeper->lock, (until - now) * 1000);
        now = keeper_now();
    }
    keeper->dirty = false;
    uv_mutex_unlock(&keeper->lock);
}

static void run_thread(void *argument)
{
    struct keeper *keeper = argument;
    uint64_t planned_at = 0;

    name_thread("keeper");
    while (!keeper_is_stopping(keeper)) {
        uint64_t until = keeper_renew(keeper);
        const uint64_t now = keeper_now();
        keeper_note_stand(keeper);
        keeper_beat(keeper, now);
        keeper_ask_for_facts(keeper);
        if (now - planned_at >= LOOK_TIME) {
            planned_at = now;
            keeper_ask_for_rooms(keeper);
            if (keeper_keep_rooms(keeper, now)) {
                until = now + LOOK_TIME;
            }
            keeper_tell_facts(keeper, now);
        } else {
            uv_sleep((unsigned)(LOOK_TIME / 1000));
            continue;
        }
        wait_until(keeper, until < keeper->beat_at ? until : keeper->beat_at);
    }
}

/* Loads and gives away the rooms that wait, until the keeper stops. */
static void run_loader(void *argument)
{
    struct keeper *keeper = argument;

    uv_mutex_lock(&keeper->lock);
    while (!keeper->stopping) {
        struct keeper_job *job = list_entry(list_take(&keeper->loads), struct keeper_job, item);
        if (job == NULL) {
            uv_cond_wait(&keeper->changed, &keeper->lock);
            continue;
        }
        uv_mutex_unlock(&keeper->lock);
        if (job->want.people > 0) {
            atomic_fetch_sub(&keeper->gives, 1);
            keeper_give_wanted(keeper, &job->want);
        } else {
            keeper_load_room(keeper, job->code);
        }
        free(job);
        uv_mutex_lock(&keeper->lock);
    }
    uv_mutex_unlock(&keeper->lock);
}

/* ---- life ---- */

struct routes *keeper_routes(struct keeper *keeper)
{
    return keeper->routes;
}

struct store *keeper_store(struct keeper *keeper)
{
    return keeper->checkpoints != NULL ? checkpoints_store(keeper->checkpoints) : NULL;
}

void keeper_set_http(struct keeper *keeper, const char *address, const char *key)
{
    snprintf(keeper->http, sizeof keeper->http, "%s", address);
    snprintf(keeper->http_key, sizeof keeper->http_key, "%s", key);
}

/* Takes the lease. Returns false with the reason in `text`. */
static bool take_lease(struct keeper *keeper, char *text)
{
    const uint64_t end = keeper_now() + JOIN_TIME;

    while (keeper_is_sim(keeper) && !keeper->lease.held && !keeper->lease.namesake &&
           keeper_now() < end) {
        (void)keeper_renew(keeper);
        if (!keeper->lease.held) {
            uv_sleep(JOIN_PAUSE);
        }
    }
    if (!keeper_is_sim(keeper) || keeper->lease.held) {
        return true;
    }
    snprintf(text, BROKER_TEXT_MAX,
             keeper->lease.namesake ? NAMESAKE : "NATS does not store the lease of node %s",
             keeper->definition.node);
    return false;
}

static bool create_checkpoints(struct keeper *keeper)
{
    const struct checkpoints_definition definition = {.broker = keeper->definition.broker,
                                                      .counts = keeper->definition.counts,
                                                      .grace = SAVE_GRACE,
                                                      .ended = keeper_room_ended,
                                                      .fenced = keeper_room_fenced,
                                                      .argument = keeper};

    if (!keeper_is_sim(keeper)) {
        return true;
    }
    keeper->checkpoints = checkpoints_create(&definition);
    return keeper->checkpoints != NULL;
}

static void unwatch(struct keeper *keeper)
{
    broker_unwatch(keeper->definition.broker, keeper->nodes_watch);
    broker_unwatch(keeper->definition.broker, keeper->rooms_watch);
    keeper->nodes_watch = keeper->rooms_watch = NULL;
}

struct keeper *keeper_create(const struct keeper_definition *definition, char *text)
{
    struct keeper *keeper = calloc(1, sizeof *keeper);

    snprintf(text, BROKER_TEXT_MAX, "out of memory, or NATS does not answer");
    if (keeper == NULL) {
        return NULL;
    }
    keeper->definition = *definition;
    keeper->routes = routes_create(definition->node);
    if (keeper->routes == NULL || uv_mutex_init(&keeper->lock) != 0) {
        routes_destroy(keeper->routes);
        free(keeper);
        return NULL;
    }
    uv_mutex_init(&keeper->hub_lock);
    uv_cond_init(&keeper->changed);
    lease_init(&keeper->lease, definition->node, definition->role, definition->version,
               random_number, NULL);
    if (!create_checkpoints(keeper) || !take_lease(keeper, text)) {
        keeper_destroy(keeper);
        return NULL;
    }
    if (!listen_to_all(keeper)) {
        unwatch(keeper);
        return NULL; /* deliveries may still use the keeper, which stays until the process ends */
    }
    keeper_note_stand(keeper);
    return keeper;
}

bool keeper_has_name(struct keeper *keeper, char *text)
{
    const uint64_t end = keeper_now() + NAMESAKE_TIME;

    while (!keeper_is_sim(keeper) && !has_namesake(keeper) && keeper_now() < end) {
        uv_sleep(JOIN_PAUSE);
    }
    atomic_store(&keeper->named, true);
    if (has_namesake(keeper)) {
        snprintf(text, BROKER_TEXT_MAX, NAMESAKE, keeper->definition.node);
    }
    return !has_namesake(keeper);
}

/* Ends the first `count` threads of keeper_start(). */
static void stop_threads(struct keeper *keeper, unsigned count)
{
    uv_thread_t *const threads[] = {&keeper->thread, &keeper->loader, &keeper->porter};

    uv_mutex_lock(&keeper->lock);
    keeper->stopping = true;
    uv_cond_broadcast(&keeper->changed);
    uv_mutex_unlock(&keeper->lock);
    for (unsigned i = 0; i < count; i++) {
        uv_thread_join(threads[i]);
    }
}

bool keeper_start(struct keeper *keeper, struct hub *hub)
{
    keeper->hub = hub;
    if (uv_thread_create(&keeper->thread, run_thread, keeper) != 0) {
        return false;
    }
    if (uv_thread_create(&keeper->loader, run_loader, keeper) != 0) {
        stop_threads(keeper, 1);
        return false;
    }
    if (uv_thread_create(&keeper->porter, keeper_run_porter, keeper) != 0) {
        stop_threads(keeper, 2);
        return false;
    }
    keeper->started = true;
    return true;
}

void keeper_connected(struct keeper *keeper)
{
    atomic_store(&keeper->asks, true);
    keeper_wake(keeper);
}

void keeper_await_routes(struct keeper *keeper)
{
    const uint64_t end = uv_hrtime() + ROUTES_PATIENCE;
    uint64_t now;

    uv_mutex_lock(&keeper->lock);
    while (!keeper->complete && (now = uv_hrtime()) < end) {
        (void)uv_cond_timedwait(&keeper->changed, &keeper->lock, end - now);
    }
    uv_mutex_unlock(&keeper->lock);
}

/* Says that this node is dead, so that others take its rooms at once. */
static void give_up_lease(struct keeper *keeper)
{
    if (keeper_is_sim(keeper)) {
        uv_mutex_lock(&keeper->lock);
        lease_give_up(&keeper->lease);
        uv_mutex_unlock(&keeper->lock);
        (void)keeper_renew(keeper);
    }
}

void keeper_stop(struct keeper *keeper)
{
    if (keeper->started) {
        stop_threads(keeper, 3);
    }
    checkpoints_destroy(keeper->checkpoints, CLOSE_TIME);
    keeper->checkpoints = NULL;
    give_up_lease(keeper);
    unwatch(keeper);
}

static void free_jobs(struct list *jobs)
{
    while (jobs->first != NULL) {
        free(list_entry(list_take(jobs), struct keeper_job, item));
    }
}

void keeper_destroy(struct keeper *keeper)
{
    if (keeper == NULL) {
        return;
    }
    checkpoints_destroy(keeper->checkpoints, 0); /* of a node that has not started */
    free_jobs(&keeper->ends);
    free_jobs(&keeper->wants);
    free_jobs(&keeper->loads);
    keeper_free_parcels(keeper);
    lease_finish(&keeper->lease);
    routes_destroy(keeper->routes);
    uv_cond_destroy(&keeper->changed);
    uv_mutex_destroy(&keeper->hub_lock);
    uv_mutex_destroy(&keeper->lock);
    free(keeper);
}
