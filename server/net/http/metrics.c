#include "net/http/metrics.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "cluster/cluster.h"
#include "cluster/cluster_counts.h"
#include "cluster/routes.h"
#include "hub/hub.h"
#include "net/gate/tls.h"

#define ROOMS_READ 64u /* rooms read under one lock */
#define LABEL_MAX  64u

/* A counter, and the name of its metric. */
struct number {
    size_t offset; /* of the counter, in its struct */
    const char *name, *type, *help;
    bool seconds; /* counted in ns, printed in seconds */
};

#define COUNT(field, name, help)                                                                   \
    {                                                                                              \
        offsetof(struct counts, field), name, "counter", help, false                               \
    }

static const struct number totals[] = {
    COUNT(opened, "connections_total", "WebSocket connections since the start"),
    COUNT(received, "messages_received_total", "messages from clients"),
    COUNT(errors, "errors_answered_total", "errors sent to clients"),
    COUNT(bytes, "bytes_sent_total", "bytes of all messages sent to clients"),
    COUNT(offered, "snapshots_offered_total", "snapshots that became due for a client"),
    COUNT(sent, "snapshots_sent_total", "snapshots offered and sent"),
    COUNT(skipped, "snapshots_skipped_total",
          "snapshots offered but dropped for a newer one or a closed connection"),
    COUNT(keys, "keyframes_sent_total", "keyframes sent"),
    COUNT(snapshot_bytes, "snapshot_bytes_sent_total", "bytes of the snapshots sent"),
    COUNT(choked, "choked_total", "times a client was not ready for the next snapshot"),
    COUNT(withheld, "bandwidth_withheld_total",
          "of these, times --client-bandwidth or --total-bandwidth was used up"),
    COUNT(answered, "http_bytes_sent_total", "bytes of answers to HTTP requests"),
    COUNT(displaced, "guests_displaced_total", "guests closed to admit newer connections"),
    COUNT(clients_displaced, "clients_displaced_total",
          "clients closed to free a slot for a presenter's address"),
    COUNT(dawdled, "guests_dawdled_total",
          "connections closed because a request or the reading of its answer took too long"),
    {offsetof(struct counts, eased), "clients_eased", "gauge",
     "clients whose rate is lowered because their line is slow", false},
    {offsetof(struct counts, lowered), "clients_lowered", "gauge",
     "clients whose rate is lowered because the server is overloaded", false},
};

#define NODE(field, name, type, help)                                                              \
    {                                                                                              \
        offsetof(struct cluster_counts, field), name, type, help, false                            \
    }

static const struct number node_numbers[] = {
    NODE(connected, "cluster_connected", "gauge", "1 while NATS answers this node"),
    NODE(disconnects, "cluster_disconnects_total", "counter", "losses of the connection to NATS"),
    NODE(renewals, "cluster_renewals_total", "counter", "renewals of this node's lease"),
    NODE(renewals_failed, "cluster_renewals_failed_total", "counter",
         "renewals without an answer, or refused"),
    NODE(takeovers, "cluster_takeovers_total", "counter", "rooms taken over from dead nodes"),
    NODE(handovers, "cluster_handovers_total", "counter", "rooms handed over to other nodes"),
    NODE(rooms_lost, "cluster_rooms_lost_total", "counter",
         "rooms dropped because another node owns them"),
    NODE(gaps, "cluster_gaps_total", "counter", "gaps in the numbers of other nodes' messages"),
    NODE(epochs_dropped, "cluster_epochs_dropped_total", "counter",
         "messages dropped because their room's epoch has passed"),
    NODE(hellos_again, "cluster_hellos_again_total", "counter",
         "hellos repeated for sessions of this node"),
    NODE(far_links, "cluster_far_links", "gauge", "sessions of other nodes in rooms of this node"),
    NODE(far_rooms, "cluster_far_rooms", "gauge",
         "rooms of other nodes with sessions of this node"),
    NODE(messages_in, "cluster_messages_received_total", "counter", "messages from NATS"),
    NODE(messages_out, "cluster_messages_sent_total", "counter", "messages to NATS"),
    NODE(bytes_in, "cluster_bytes_received_total", "counter", "bytes of these messages"),
    NODE(bytes_out, "cluster_bytes_sent_total", "counter", "bytes of these messages"),
    NODE(publish_failed, "cluster_publish_failed_total", "counter",
         "messages that NATS did not take"),
    NODE(malformed, "cluster_malformed_total", "counter",
         "messages of other nodes that cannot be read"),
    NODE(checkpoints, "cluster_checkpoints_total", "counter", "checkpoints written to NATS"),
    NODE(checkpoint_bytes, "cluster_checkpoint_bytes_total", "counter", "bytes of checkpoints"),
    NODE(checkpoints_failed, "cluster_checkpoints_failed_total", "counter",
         "checkpoints that NATS did not take"),
};

#define RUNNER(field, name, type, help, seconds)                                                   \
    {                                                                                              \
        offsetof(struct runner_stats, field), name, type, help, seconds                            \
    }

static const struct number runner_numbers[] = {
    RUNNER(rooms, "runner_rooms", "gauge", "rooms on a runner", false),
    RUNNER(running, "runner_rooms_running", "gauge", "of these, rooms with members", false),
    RUNNER(ticks, "runner_ticks_total", "counter", "ticks computed", false),
    RUNNER(dropped, "runner_ticks_dropped_total", "counter", "overdue ticks skipped", false),
    RUNNER(encoded, "runner_frames_encoded_total", "counter", "snapshots encoded", false),
    RUNNER(keys, "runner_keyframes_encoded_total", "counter", "of these, keyframes", false),
    RUNNER(busy, "runner_busy_seconds_total", "counter",
           "time spent on events, ticks and snapshots", true),
};

#define ROOM(field, name, type, help, seconds)                                                     \
    {                                                                                              \
        offsetof(struct room_stats, field), name, type, help, seconds                              \
    }

static const struct number room_numbers[] = {
    ROOM(people, "room_people", "gauge", "members of the room", false),
    ROOM(boids, "room_boids", "gauge", "boids of the flock", false),
    ROOM(ticks, "room_ticks_total", "counter", "ticks computed", false),
    ROOM(dropped, "room_ticks_dropped_total", "counter", "overdue ticks skipped", false),
    ROOM(encoded, "room_frames_encoded_total", "counter",
         "snapshots encoded, each once for all receivers", false),
    ROOM(keys, "room_keyframes_encoded_total", "counter", "of these, keyframes", false),
    ROOM(busy, "room_busy_seconds_total", "counter", "time spent on events, ticks and snapshots",
         true),
};

#define ROOM_NUMBERS (sizeof room_numbers / sizeof room_numbers[0])

static uint64_t read_at(const void *counts, size_t offset)
{
    return counter_read((const _Atomic uint64_t *)(const void *)((const char *)counts + offset));
}

/* Returns the sum of one counter over all shards. */
static uint64_t sum_at(const struct service *service, size_t offset)
{
    uint64_t sum = 0;

    for (uint32_t i = 0; i < service->shard_count; i++) {
        sum += read_at(&service->contexts[i].counts, offset);
    }
    return sum;
}

#define SUM(service, count) sum_at(service, offsetof(struct counts, count))

struct bandwidth_use metrics_use(const struct service *service)
{
    struct bandwidth_use use = {.sent = SUM(service, bytes),
                                .servers = SUM(service, servers_bytes)};

    for (int class = 0; class < BANDWIDTH_CLASSES; class ++) {
        use.weights[class] = (uint32_t)SUM(service, weights[class]);
    }
    return use;
}

static void print_head(FILE *out, const char *name, const char *type, const char *help)
{
    fprintf(out, "# HELP flockd_%s %s\n# TYPE flockd_%s %s\n", name, help, name, type);
}

static void print_value(FILE *out, const char *name, const char *labels, uint64_t value,
                        bool seconds)
{
    fprintf(out, labels[0] != '\0' ? "flockd_%s{%s} " : "flockd_%s%s ", name, labels);
    if (seconds) {
        fprintf(out, "%.9f\n", (double)value / 1e9);
    } else {
        fprintf(out, "%" PRIu64 "\n", value);
    }
}

/* ---- the network ---- */

static void print_totals(FILE *out, const struct service *service)
{
    for (size_t i = 0; i < sizeof totals / sizeof totals[0]; i++) {
        print_head(out, totals[i].name, totals[i].type, totals[i].help);
        print_value(out, totals[i].name, "", sum_at(service, totals[i].offset), false);
    }
}

static void print_connections(FILE *out, const struct service *service)
{
    uint64_t opened = SUM(service, opened);
    uint64_t all = 0;
    char label[LABEL_MAX];

    print_head(out, "closes_total", "counter", "connections ended, by close code");
    for (size_t i = 0; i < COUNTS_CODES; i++) {
        uint64_t sum = SUM(service, closed[i]);
        all += sum;
        snprintf(label, sizeof label, counts_codes[i] != 0 ? "code=\"%u\"" : "code=\"other\"",
                 counts_codes[i]);
        print_value(out, "closes_total", label, sum, false);
    }
    print_head(out, "clients_connected", "gauge", "WebSocket connections that are open");
    /* The two sums are read one after the other: connections may open and close between them. */
    print_value(out, "clients_connected", "", opened > all ? opened - all : 0, false);
}

static void print_refusals(FILE *out, const struct service *service)
{
    static const char *const limits[COUNTS_LIMITS] = {
        [COUNTS_ROOMS] = "rooms",         [COUNTS_PEOPLE] = "people",
        [COUNTS_BOIDS] = "boids",         [COUNTS_RATE] = "rate",
        [COUNTS_CLIENTS] = "clients",     [COUNTS_ADDRESS] = "address",
        [COUNTS_BANDWIDTH] = "bandwidth", [COUNTS_TRANSFERS] = "transfers",
    };
    static const char *const keys[TRIES_LIMITS] = {
        [TRIES_CONNECTION] = "keys", [TRIES_ADDRESS] = "address-keys", [TRIES_ALL] = "total-keys"};
    char label[LABEL_MAX];

    print_head(out, "refused_total", "counter", "requests and connections refused, by limit");
    for (size_t i = 0; i < COUNTS_LIMITS; i++) {
        uint64_t by_rooms = i == COUNTS_BOIDS ? hub_boids_refused(service->hub) : 0;
        snprintf(label, sizeof label, "limit=\"%s\"", limits[i]);
        print_value(out, "refused_total", label, SUM(service, refused[i]) + by_rooms, false);
    }
    for (enum tries_limit limit = 0; limit < TRIES_LIMITS; limit++) {
        snprintf(label, sizeof label, "limit=\"%s\"", keys[limit]);
        print_value(out, "refused_total", label, tries_refused(hub_tries(service->hub), limit),
                    false);
    }
}

static void print_keys(FILE *out, const struct service *service)
{
    const struct tries *tries = hub_tries(service->hub);
    char label[LABEL_MAX];

    print_head(out, "key_failures_total", "counter", "wrong keys, by kind of key");
    for (enum tries_kind kind = 0; kind < TRIES_KINDS; kind++) {
        snprintf(label, sizeof label, "key=\"%s\"", tries_word(kind));
        print_value(out, "key_failures_total", label, tries_wrong(tries, kind), false);
    }
}

static void print_bandwidth(FILE *out, const struct service *service)
{
    print_head(out, "client_bandwidth_bytes", "gauge",
               "bytes per second that each client in the server's rooms and in others may be "
               "sent, unless it is of a crowd; 0: no limit");
    print_value(out, "client_bandwidth_bytes", "rooms=\"server\"",
                bandwidth_share(&service->bandwidth, BANDWIDTH_SERVERS, 1), false);
    print_value(out, "client_bandwidth_bytes", "rooms=\"others\"",
                bandwidth_share(&service->bandwidth, BANDWIDTH_OTHERS, 1), false);
}

/* ---- runners ---- */

static void print_histograms(FILE *out, const struct service *service, size_t offset,
                             const char *name, const char *help)
{
    print_head(out, name, "histogram", help);
    for (uint32_t runner = 0; runner < hub_runners(service->hub); runner++) {
        const struct runner_stats *stats = hub_runner_stats(service->hub, runner);
        const struct histogram *histogram =
            (const struct histogram *)(const void *)((const char *)stats + offset);
        uint64_t count = 0;
        for (size_t i = 0; i < HISTOGRAM_BOUNDS; i++) {
            count += counter_read(&histogram->buckets[i]);
            fprintf(out, "flockd_%s_bucket{runner=\"%u\",le=\"%g\"} %" PRIu64 "\n", name, runner,
                    (double)histogram_bounds[i] / 1e9, count);
        }
        count += counter_read(&histogram->buckets[HISTOGRAM_BOUNDS]);
        fprintf(out,
                "flockd_%s_bucket{runner=\"%u\",le=\"+Inf\"} %" PRIu64 "\n"
                "flockd_%s_sum{runner=\"%u\"} %.9f\nflockd_%s_count{runner=\"%u\"} %" PRIu64 "\n",
                name, runner, count, name, runner, (double)counter_read(&histogram->sum) / 1e9,
                name, runner, count);
    }
}

static void print_runners(FILE *out, const struct service *service)
{
    char label[LABEL_MAX];

    for (size_t i = 0; i < sizeof runner_numbers / sizeof runner_numbers[0]; i++) {
        const struct number *number = &runner_numbers[i];
        print_head(out, number->name, number->type, number->help);
        for (uint32_t runner = 0; runner < hub_runners(service->hub); runner++) {
            snprintf(label, sizeof label, "runner=\"%u\"", runner);
            print_value(out, number->name, label,
                        read_at(hub_runner_stats(service->hub, runner), number->offset),
                        number->seconds);
        }
    }
    print_histograms(out, service, offsetof(struct runner_stats, lateness),
                     "runner_tick_lateness_seconds",
                     "time between a tick's deadline and its start");
    print_histograms(out, service, offsetof(struct runner_stats, duration),
                     "runner_tick_duration_seconds",
                     "time to compute a tick and encode its snapshots");
}

/* ---- rooms ---- */

struct sample {
    char name[PROTO_ROOM_MAX + 1];
    uint64_t busy;
    uint64_t values[ROOM_NUMBERS];
};

static int compare_busy(const void *a, const void *b)
{
    uint64_t busy_a = ((const struct sample *)a)->busy;
    uint64_t busy_b = ((const struct sample *)b)->busy;

    return (busy_a < busy_b) - (busy_a > busy_b);
}

/* A code is enough to join an unlisted room, so the metrics show a number in its place. */
static void name_room(struct sample *sample, const struct directory_entry *entry)
{
    if (entry->listed) {
        snprintf(sample->name, sizeof sample->name, "%s", entry->code);
    } else {
        snprintf(sample->name, sizeof sample->name, "unlisted-%u", room_slot(entry->number));
    }
}

static void take_sample(struct sample *sample, const struct directory_entry *entry,
                        const struct room_stats *stats)
{
    name_room(sample, entry);
    sample->busy = counter_read(&stats->busy);
    for (size_t i = 0; i < ROOM_NUMBERS; i++) {
        sample->values[i] = read_at(stats, room_numbers[i].offset);
    }
}

/* Returns all rooms, the busiest first; the caller frees them. Returns NULL if there are no rooms
 * or memory runs out. */
static struct sample *sample_rooms(struct directory *directory, size_t *count)
{
    struct directory_entry entries[ROOMS_READ];
    size_t capacity = (size_t)directory_count(directory) +
                      ROOMS_READ; /* rooms may be created during the reading */
    struct sample *samples = calloc(capacity, sizeof *samples);
    uint32_t next = 0;
    uint32_t read;

    *count = 0;
    while (samples != NULL &&
           (read = directory_read(directory, false, &next, entries, ROOMS_READ)) > 0) {
        for (uint32_t i = 0; i < read && *count < capacity; i++) {
            const struct room_stats *stats =
                directory_stats(directory, room_slot(entries[i].number));
            if (stats != NULL) {
                take_sample(&samples[(*count)++], &entries[i], stats);
            }
        }
    }
    if (samples != NULL) {
        qsort(samples, *count, sizeof *samples, compare_busy);
    }
    return samples;
}

static void print_rooms(FILE *out, const struct service *service)
{
    size_t count;
    struct sample *samples = sample_rooms(hub_directory(service->hub), &count);
    size_t own = service->config->metrics_rooms;
    char label[LABEL_MAX];

    print_head(out, "rooms", "gauge", "rooms on this server");
    print_value(out, "rooms", "", directory_count(hub_directory(service->hub)), false);
    print_head(out, "boids", "gauge", "boids of all rooms");
    print_value(out, "boids", "", hub_boids(service->hub), false);
    print_head(out, "rooms_memory_bytes", "gauge",
               "memory of all rooms, which --rewind-memory limits");
    print_value(out, "rooms_memory_bytes", "", hub_rooms_memory(service->hub), false);
    for (size_t n = 0; n < ROOM_NUMBERS && samples != NULL; n++) {
        const struct number *number = &room_numbers[n];
        uint64_t rest = 0;
        print_head(out, number->name, number->type, number->help);
        for (size_t i = 0; i < count; i++) {
            if (i >= own) {
                rest += samples[i].values[n];
                continue;
            }
            snprintf(label, sizeof label, "room=\"%s\"", samples[i].name);
            print_value(out, number->name, label, samples[i].values[n], number->seconds);
        }
        print_value(out, number->name, "room=\"other\"", rest, number->seconds);
    }
    free(samples);
}

static void print_store(FILE *out, const struct service *service)
{
    struct store_status status;

    if (hub_store(service->hub) == NULL) {
        return;
    }
    store_status(hub_store(service->hub), &status);
    print_head(out, "store_failing", "gauge", "1 while rooms cannot be written to disk");
    print_value(out, "store_failing", "", status.failing, false);
    print_head(out, "store_writes_total", "counter", "transactions written");
    print_value(out, "store_writes_total", "", status.writes, false);
    print_head(out, "store_failures_total", "counter", "transactions that failed");
    print_value(out, "store_failures_total", "", status.failures, false);
    print_head(out, "store_pasts_total", "counter", "pasts of rooms written");
    print_value(out, "store_pasts_total", "", status.pasts, false);
    print_head(out, "store_bytes_total", "counter", "bytes of rooms, recordings and pasts written");
    print_value(out, "store_bytes_total", "", status.bytes, false);
    print_head(out, "store_waiting", "gauge", "rooms, recordings and pasts waiting to be written");
    print_value(out, "store_waiting", "", status.waiting, false);
    print_head(out, "store_late_seconds", "gauge", "wait of the oldest queued room");
    print_value(out, "store_late_seconds", "", (uint64_t)status.late, false);
}

static void print_forwards(FILE *out, const struct service *service, const char *label)
{
    print_head(out, "cluster_forwarded_total", "counter", "requests passed on to other nodes");
    print_value(out, "cluster_forwarded_total", label, SUM(service, forwarded), false);
    print_head(out, "cluster_forwards_failed_total", "counter", "of these, without an answer");
    print_value(out, "cluster_forwards_failed_total", label, SUM(service, forwards_failed), false);
}

static void print_cluster(FILE *out, const struct service *service)
{
    struct cluster *cluster = service->cluster;
    char label[LABEL_MAX];

    if (cluster == NULL) {
        return;
    }
    snprintf(label, sizeof label, "node=\"%s\"", cluster_node(cluster));
    for (size_t i = 0; i < sizeof node_numbers / sizeof node_numbers[0]; i++) {
        const struct number *number = &node_numbers[i];
        print_head(out, number->name, number->type, number->help);
        print_value(out, number->name, label, read_at(cluster_counts(cluster), number->offset),
                    false);
    }
    print_head(out, "cluster_rooms", "gauge", "rooms of all nodes");
    print_value(out, "cluster_rooms", label, routes_count(cluster_routes(cluster)), false);
    print_forwards(out, service, label);
}

static void print_certificate(FILE *out, const struct service *service)
{
    if (service->tls != NULL) {
        int64_t end = tls_not_after(service->tls);
        print_head(out, "certificate_end_seconds", "gauge",
                   "end of the certificate's validity, seconds since 1970");
        print_value(out, "certificate_end_seconds", "", end > 0 ? (uint64_t)end : 0, false);
    }
}

void metrics_print(FILE *out, const struct service *service)
{
    print_connections(out, service);
    print_certificate(out, service);
    print_totals(out, service);
    print_bandwidth(out, service);
    print_refusals(out, service);
    print_keys(out, service);
    print_runners(out, service);
    print_rooms(out, service);
    print_store(out, service);
    print_cluster(out, service);
}

void metrics_log(const struct service *service)
{
    log_info("%" PRIu64 " connections; of %" PRIu64 " snapshots offered %" PRIu64 " sent, %" PRIu64
             " skipped; %" PRIu64 " bytes sent",
             SUM(service, opened), SUM(service, offered), SUM(service, sent), SUM(service, skipped),
             SUM(service, bytes));
}
