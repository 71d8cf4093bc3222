/* flockd: reads the command line and runs the server. */
#include <fcntl.h>
#include <malloc.h>
#include <signal.h>
#include <unistd.h>

#include "base/audit.h"
#include "base/log.h"
#include "base/trim.h"
#include "cluster/broker.h"
#include "cluster/status.h"
#include "config/config.h"
#include "net/http/healthcheck.h"
#include "net/server.h"
#include "net/start.h"
#include "store/store.h"

/* Opens /dev/null for each of standard input, output and error that is closed. Otherwise the first
 * sockets would get these numbers, and log lines would go to clients. */
static bool open_standard_files(void)
{
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) {
        if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", O_RDWR) != fd) {
            return false;
        }
    }
    return true;
}

/* Other servers reload their configuration or reopen their log on SIGHUP, SIGUSR1 or SIGUSR2.
 * flockd has nothing to reload, and these signals must not end it. If standard input is a terminal,
 * SIGHUP means that the terminal has closed, and ends flockd; see net/server.c. */
static void ignore_signals(void)
{
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN); /* write() then returns an error for a file that may not grow */
    signal(SIGUSR1, SIG_IGN);
    signal(SIGUSR2, SIG_IGN);
    if (!isatty(STDIN_FILENO)) {
        signal(SIGHUP, SIG_IGN);
    }
}

/* Limits glibc's heaps to one per shard: runners allocate frames that shards free. With a heap for
 * each thread a crowd takes 0.2 KB more per client; with fewer heaps shards wait for each other.
 * Must be called before any thread starts. */
static void share_heaps(uint32_t shards)
{
#ifdef M_ARENA_MAX
    mallopt(M_ARENA_MAX, (int)shards);
#endif
    trim_begin();
}

static void print_line(void *argument, bool is_error, const char *text)
{
    (void)argument;
    if (is_error) {
        fprintf(stderr, "flockd: %s\n", text);
    }
}

static void ignore_change(void *argument, enum broker_line line, bool connected)
{
    (void)argument;
    (void)line;
    (void)connected;
}

/* Prints the nodes and rooms of the cluster. Returns the program's status. */
static int print_cluster(const struct config *config)
{
    const struct broker_definition definition = {
        .urls = config->nats,
        .prefix = config->nats_prefix,
        .node = "status",
        .role = "status",
        .user = config->nats_user[0] != '\0' ? config->nats_user : NULL,
        .credentials = config->nats_creds[0] != '\0' ? config->nats_creds : NULL,
        .authority = config->nats_ca[0] != '\0' ? config->nats_ca : NULL,
        .patience = STATUS_TIME,
        .changed = ignore_change,
        .log = print_line,
    };
    char text[BROKER_TEXT_MAX];
    struct broker *broker = broker_load(&definition, text);

    if (broker == NULL) {
        fprintf(stderr, "flockd: %s\n", text);
        return 1;
    }
    return status_run(broker, stdout);
}

int main(int argc, char **argv)
{
    struct config config;
    struct room_definition room;
    struct film *film;
    int status;

    ignore_signals();
    if (!open_standard_files()) {
        return 1;
    }
    switch (config_parse(&config, argc, argv, stdout, stderr)) {
    case OPTIONS_DONE:
        return 0;
    case OPTIONS_ERROR:
        return 2;
    case OPTIONS_RUN:
        break;
    }
    share_heaps(config.net_threads);
    log_set_format(config.log_format);
    if (config.healthcheck) {
        return healthcheck(config.bind, config.port, config.tls_cert[0] != '\0');
    }
    if (config.cluster_status) {
        return print_cluster(&config);
    }
    if (config.check_data[0] != '\0') {
        return store_check(config.check_data, start_sound, stdout, stderr) ? 0 : 1;
    }
    if (!start_room(&config, &room, stderr)) {
        return 2;
    }
    if (!start_replay(&config, &film, stderr)) {
        return 2;
    }
    status = server_run(&config, &room, film);
    audit_finish();
    log_finish();
    return status;
}
