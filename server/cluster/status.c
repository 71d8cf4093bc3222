#include "cluster/status.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <uv.h>

#include "base/grow.h"
#include "cluster/routes.h"
#include "cluster/values.h"

#define SAVED_MAX  1000u /* rooms whose checkpoints are looked at */
#define COLUMN_MAX 80u

/* A node, from its key and its beats. */
struct status_node {
    char name[NODE_NAME_MAX + 1];
    bool has_lease, dead;
    uint64_t revision;
    enum node_role role;
    bool beats;
    uint64_t heard_at; /* µs */
    struct node_beat beat;
};

/* A room, from its key. */
struct status_room {
    char code[PROTO_ROOM_MAX + 1];
};

struct status {
    struct broker *broker;
    struct broker_watch *nodes_watch, *rooms_watch;
    struct broker_subscription *beats, *facts;
    uv_mutex_t lock; /* guards what follows: the broker's threads write it */
    struct status_node nodes[NODES_MAX];
    uint32_t count;
    struct routes *routes;     /* has a lock of its own */
    struct status_room *rooms; /* only the watch of rooms uses them, until it has ended */
    size_t room_count, room_capacity;
};

/* ---- what is heard ---- */

/* Returns the node of that name, perhaps a new one; NULL: there are too many. */
static struct status_node *node_of(struct status *status, const char *name)
{
    for (uint32_t i = 0; i < status->count; i++) {
        if (strcmp(status->nodes[i].name, name) == 0) {
            return &status->nodes[i];
        }
    }
    if (status->count == NODES_MAX || !node_name_is_valid(name)) {
        return NULL;
    }
    struct status_node *node = &status->nodes[status->count++];
    snprintf(node->name, sizeof node->name, "%s", name);
    return node;
}

static void take_lease(void *argument, const struct broker_entry *entry)
{
    struct status *status = argument;
    struct node_lease lease;
    struct status_node *node;

    if (entry == NULL) {
        return;
    }
    uv_mutex_lock(&status->lock);
    node = node_of(status, entry->key);
    if (node != NULL) {
        node->has_lease = !entry->deleted && values_read_lease(entry->bytes, entry->size, &lease);
        node->dead = node->has_lease && lease.dead;
        node->role = node->has_lease ? lease.role : node->role;
        node->revision = entry->revision;
    }
    uv_mutex_unlock(&status->lock);
}

/* Remembers the code of a room that was not known. */
static void add_room(struct status *status, const char *code)
{
    struct status_room *rooms;
    struct route known;

    if (routes_find(status->routes, code, &known) || strlen(code) > PROTO_ROOM_MAX) {
        return;
    }
    rooms = grow_array(status->rooms, &status->room_capacity, status->room_count + 1,
                       ROUTES_ROOMS_MAX, sizeof *status->rooms);
    if (rooms != NULL) {
        status->rooms = rooms;
        snprintf(rooms[status->room_count++].code, sizeof rooms[0].code, "%s", code);
    }
}

static void take_room(void *argument, const struct broker_entry *entry)
{
    struct status *status = argument;
    struct route_value value;
    struct route route;

    if (entry == NULL) {
        return;
    }
    if (entry->deleted) {
        (void)routes_take_key(status->routes, entry->key, NULL, entry->revision, &route);
    } else if (values_read_route(entry->bytes, entry->size, &value)) {
        add_room(status, entry->key);
        (void)routes_take_key(status->routes, entry->key, &value, entry->revision, &route);
    }
}

static void take_beat(void *argument, const struct broker_message *message)
{
    struct status *status = argument;
    struct node_beat beat;
    struct status_node *node;

    if (!values_read_beat(message->bytes, message->size, &beat)) {
        return;
    }
    uv_mutex_lock(&status->lock);
    node = node_of(status, beat.name);
    if (node != NULL) {
        node->beats = true;
        node->heard_at = uv_hrtime() / 1000;
        node->role = beat.role;
        node->beat = beat;
    }
    uv_mutex_unlock(&status->lock);
    (void)routes_take_beat(status->routes, &beat, uv_hrtime() / 1000);
}

/* The facts of one message, and the node that sent it. */
struct hearing {
    struct status *status;
    const char *node;
    uint64_t incarnation;
};

static void take_entry(void *argument, const struct directory_entry *entry, uint64_t epoch)
{
    const struct hearing *hearing = argument;

    (void)epoch; /* the bucket is read */
    routes_take_facts(hearing->status->routes, hearing->node, hearing->incarnation, entry);
}

static void take_facts(void *argument, const struct broker_message *message)
{
    const char *dot = strchr(message->subject, '.');
    struct hearing hearing = {.status = argument, .node = dot != NULL ? dot + 1 : ""};

    (void)values_read_facts(message->bytes, message->size, &hearing.incarnation, take_entry,
                            &hearing);
}

/* ---- begin and end ---- */

struct status *status_begin(struct broker *broker)
{
    struct status *status = calloc(1, sizeof *status);

    if (status == NULL) {
        return NULL;
    }
    status->broker = broker;
    status->routes = routes_create("");
    if (status->routes == NULL || uv_mutex_init(&status->lock) != 0) {
        routes_destroy(status->routes);
        free(status);
        return NULL;
    }
    status->beats = broker_subscribe(broker, BROKER_CONTROL, "beat.*", take_beat, status);
    status->facts = broker_subscribe(broker, BROKER_CONTROL, "facts.*", take_facts, status);
    status->nodes_watch = broker_watch(broker, BROKER_NODES, take_lease, status);
    status->rooms_watch = broker_watch(broker, BROKER_ROOMS, take_room, status);
    (void)broker_publish(broker, BROKER_CONTROL, "greet", NULL, (const uint8_t *)"", 0);
    return status;
}

void status_end(struct status *status)
{
    if (status != NULL) {
        broker_unwatch(status->broker, status->rooms_watch);
        broker_unwatch(status->broker, status->nodes_watch);
        broker_unsubscribe(status->broker, status->facts);
        broker_unsubscribe(status->broker, status->beats);
    }
}

void status_free(struct status *status)
{
    if (status != NULL) {
        routes_destroy(status->routes);
        free(status->rooms);
        uv_mutex_destroy(&status->lock);
        free(status);
    }
}

/* ---- print ---- */

static const char *role_word(enum node_role role)
{
    return role == NODE_EDGE ? "edge" : role == NODE_SIM ? "sim" : "both";
}

static const char *state_word(const struct status_node *node)
{
    if (node->beats) {
        return node->beat.draining ? "draining" : "alive";
    }
    return node->dead || !node->has_lease ? "dead" : "silent";
}

static int compare_nodes(const void *a, const void *b)
{
    return strcmp(((const struct status_node *)a)->name, ((const struct status_node *)b)->name);
}

static void print_node(FILE *out, const struct status_node *node, uint64_t now)
{
    const struct node_beat *beat = &node->beat;

    fprintf(out, "%-20s %-5s %-9s ", node->name, role_word(node->role), state_word(node));
    if (node->has_lease && !node->dead) {
        fprintf(out, "%10" PRIu64 " ", node->revision);
    } else {
        fprintf(out, "%10s ", "-");
    }
    if (!node->beats) {
        fputs("     -      -          -  -\n", out);
        return;
    }
    fprintf(out, "%4.1f s %4u %% %4u of %-4u %s\n", (double)(now - node->heard_at) / 1e6,
            beat->load / 10, beat->rooms, beat->rooms_max,
            beat->http[0] != '\0' ? beat->http : "-");
}

static void print_nodes(struct status *status, uint64_t now, FILE *out)
{
    uv_mutex_lock(&status->lock);
    qsort(status->nodes, status->count, sizeof status->nodes[0], compare_nodes);
    fprintf(out, "%u nodes\n", status->count);
    fprintf(out, "%-20s %-5s %-9s %10s %6s %6s %-12s %s\n", "NODE", "ROLE", "STATE", "LEASE",
            "BEAT", "LOAD", "ROOMS", "REQUESTS AT");
    for (uint32_t i = 0; i < status->count; i++) {
        print_node(out, &status->nodes[i], now);
    }
    uv_mutex_unlock(&status->lock);
}

/* Writes the age of the room's checkpoint, such as "0.8 s". */
static void write_saved(struct status *status, const char *code, uint64_t seconds, char *text)
{
    struct check_head head;
    uint8_t *bytes = NULL;
    uint64_t revision;
    size_t size;
    size_t used;

    snprintf(text, COLUMN_MAX, "-");
    if (broker_get(status->broker, BROKER_BULK, BROKER_CHECKS, code, &bytes, &size, &revision) !=
        BROKER_OK) {
        return;
    }
    if (values_read_head(bytes, size, &head, &used)) {
        uint64_t age = seconds > head.saved_at ? seconds - head.saved_at : 0;
        snprintf(text, COLUMN_MAX, "%" PRIu64 " s ago", age);
    }
    free(bytes);
}

static void print_room(struct status *status, const char *code, const char *saved, FILE *out)
{
    struct directory_entry entry;
    struct route route;

    if (!routes_find(status->routes, code, &route) || route.ended ||
        !routes_entry(status->routes, code, &entry)) {
        return;
    }
    fprintf(out, "%-8s %-20s %10" PRIu64 " %6u %8u  %s\n", code, route.owner, route.epoch,
            entry.people, entry.boids, saved);
}

static int compare_rooms(const void *a, const void *b)
{
    return strcmp(((const struct status_room *)a)->code, ((const struct status_room *)b)->code);
}

/* Must be called after the watch has ended: then the list is complete. */
static void print_rooms(struct status *status, uint64_t seconds, FILE *out)
{
    char saved[COLUMN_MAX];

    if (status->room_count > 0) {
        qsort(status->rooms, status->room_count, sizeof *status->rooms, compare_rooms);
    }
    fprintf(out, "\n%u rooms\n", routes_count(status->routes));
    fprintf(out, "%-8s %-20s %10s %6s %8s  %s\n", "ROOM", "OWNER", "EPOCH", "PEOPLE", "BOIDS",
            "SAVED");
    for (size_t i = 0; i < status->room_count; i++) {
        saved[0] = '\0';
        if (i < SAVED_MAX) {
            write_saved(status, status->rooms[i].code, seconds, saved);
        }
        print_room(status, status->rooms[i].code, saved, out);
    }
}

void status_print(struct status *status, uint64_t now, uint64_t seconds, FILE *out)
{
    print_nodes(status, now, out);
    print_rooms(status, seconds, out);
}

int status_run(struct broker *broker, FILE *out)
{
    struct status *status = status_begin(broker);

    if (status != NULL) {
        usleep(STATUS_TIME * 1000);
        status_end(status);
        status_print(status, uv_hrtime() / 1000, (uint64_t)time(NULL), out);
    }
    broker_close(broker);
    status_free(status);
    return status != NULL ? 0 : 1;
}
