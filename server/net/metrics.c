#include "net/metrics.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>

#include "log.h"
#include "net/shard.h"
#include "room/room.h"

/* There is one room so far. */
#define ROOM_LABEL "room=\"" ROOM_LOBBY "\""

static const struct {
    size_t offset; /* in struct counts */
    bool of_room;  /* given for each room, too */
    const char *name, *help;
} sums[] = {
    {offsetof(struct counts, opened), false, "connections",
     "WebSocket connections since the start"},
    {offsetof(struct counts, received), false, "messages_received", "messages from clients"},
    {offsetof(struct counts, errors), false, "errors_answered",
     "mistakes that clients were told of"},
    {offsetof(struct counts, bytes), false, "bytes_sent", "bytes of all messages sent to clients"},
    {offsetof(struct counts, offered), true, "snapshots_offered",
     "snapshots that there were to send to a client"},
    {offsetof(struct counts, sent), true, "snapshots_sent", "snapshots offered and sent"},
    {offsetof(struct counts, skipped), true, "snapshots_skipped",
     "snapshots offered and not sent, because a newer one or the connection's end came first"},
    {offsetof(struct counts, keys), true, "keyframes_sent",
     "snapshots sent that need none before them"},
    {offsetof(struct counts, snapshot_bytes), true, "snapshot_bytes_sent",
     "bytes of the snapshots sent"},
    {offsetof(struct counts, choked), true, "choked",
     "times that a client could not take a snapshot"},
};

static const struct {
    size_t offset; /* in struct hub_stats */
    const char *name, *type, *help;
} room_numbers[] = {
    {offsetof(struct hub_stats, people), "people", "gauge", "people in the room"},
    {offsetof(struct hub_stats, boids), "boids", "gauge", "boids of the flock"},
    {offsetof(struct hub_stats, ticks), "ticks_total", "counter", "ticks made"},
    {offsetof(struct hub_stats, dropped), "ticks_dropped_total", "counter",
     "ticks left out because the ones before took too long"},
    {offsetof(struct hub_stats, encoded), "frames_encoded_total", "counter",
     "snapshots encoded, each for all who get it"},
    {offsetof(struct hub_stats, keys), "keyframes_encoded_total", "counter",
     "of these, those that need none before them"},
};

static uint64_t read_at(const void *counts, size_t offset)
{
    return counter_read((const _Atomic uint64_t *)(const void *)((const char *)counts + offset));
}

/* A number that all shards count, added up. */
static uint64_t sum_at(const struct server *server, size_t offset)
{
    uint64_t sum = 0;

    for (uint32_t i = 0; i < server->shard_count; i++) {
        sum += read_at(&server->shards[i].counts, offset);
    }
    return sum;
}

#define SUM(server, count) sum_at(server, offsetof(struct counts, count))

static void print_head(FILE *out, const char *name, const char *type, const char *help)
{
    fprintf(out, "# HELP flockd_%s %s\n# TYPE flockd_%s %s\n", name, help, name, type);
}

static void print_number(FILE *out, const char *name, const char *labels, uint64_t value)
{
    const char *open = labels[0] != '\0' ? "{" : "";
    const char *close = labels[0] != '\0' ? "}" : "";

    fprintf(out, "flockd_%s%s%s%s %" PRIu64 "\n", name, open, labels, close, value);
}

static void print_sums(FILE *out, const struct server *server)
{
    char name[64];

    for (size_t i = 0; i < sizeof sums / sizeof sums[0]; i++) {
        uint64_t sum = sum_at(server, sums[i].offset);
        snprintf(name, sizeof name, "%s_total", sums[i].name);
        print_head(out, name, "counter", sums[i].help);
        print_number(out, name, "", sum);
        if (sums[i].of_room) {
            snprintf(name, sizeof name, "room_%s_total", sums[i].name);
            print_head(out, name, "counter", sums[i].help);
            print_number(out, name, ROOM_LABEL, sum);
        }
    }
}

static void print_connections(FILE *out, const struct server *server)
{
    uint64_t opened = SUM(server, opened);
    uint64_t all = 0;
    char label[32];

    print_head(out, "closes_total", "counter", "connections ended, by close code");
    for (size_t i = 0; i < COUNTS_CODES; i++) {
        uint64_t sum = SUM(server, closed[i]);
        all += sum;
        snprintf(label, sizeof label, counts_codes[i] != 0 ? "code=\"%u\"" : "code=\"other\"",
                 counts_codes[i]);
        print_number(out, "closes_total", label, sum);
    }
    print_head(out, "clients_connected", "gauge", "WebSocket connections that are open");
    /* Some may have come and gone between the two sums. */
    print_number(out, "clients_connected", "", opened > all ? opened - all : 0);
}

static void print_histogram(FILE *out, const char *name, const char *help,
                            const struct histogram *histogram)
{
    uint64_t count = 0;

    print_head(out, name, "histogram", help);
    for (size_t i = 0; i < HISTOGRAM_BOUNDS; i++) {
        count += counter_read(&histogram->buckets[i]);
        fprintf(out, "flockd_%s_bucket{" ROOM_LABEL ",le=\"%g\"} %" PRIu64 "\n", name,
                (double)histogram_bounds[i] / 1e9, count);
    }
    count += counter_read(&histogram->buckets[HISTOGRAM_BOUNDS]);
    fprintf(out,
            "flockd_%s_bucket{" ROOM_LABEL ",le=\"+Inf\"} %" PRIu64 "\nflockd_%s_sum{" ROOM_LABEL
            "} %.9f\nflockd_%s_count{" ROOM_LABEL "} %" PRIu64 "\n",
            name, count, name, (double)counter_read(&histogram->sum) / 1e9, name, count);
}

static void print_room(FILE *out, const struct hub_stats *stats)
{
    char name[64];

    for (size_t i = 0; i < sizeof room_numbers / sizeof room_numbers[0]; i++) {
        snprintf(name, sizeof name, "room_%s", room_numbers[i].name);
        print_head(out, name, room_numbers[i].type, room_numbers[i].help);
        print_number(out, name, ROOM_LABEL, read_at(stats, room_numbers[i].offset));
    }
    print_histogram(out, "room_tick_lateness_seconds", "how late ticks began", &stats->lateness);
    print_histogram(out, "room_tick_duration_seconds",
                    "how long ticks took, with the encoding of their snapshots", &stats->duration);
}

void metrics_print(FILE *out, const struct server *server)
{
    print_connections(out, server);
    print_sums(out, server);
    print_room(out, hub_stats(server->hub));
}

void metrics_log(const struct server *server)
{
    log_info("%" PRIu64 " connections; of %" PRIu64 " snapshots offered %" PRIu64 " sent, %" PRIu64
             " skipped; %" PRIu64 " bytes sent",
             SUM(server, opened), SUM(server, offered), SUM(server, sent), SUM(server, skipped),
             SUM(server, bytes));
}
