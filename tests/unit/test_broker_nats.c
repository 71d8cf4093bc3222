/* The broker on NATS, with a real nats-server, which the test starts on loopback, kills and
 * freezes. Run it from the repository's root. */
#include <arpa/inet.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <netinet/in.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "cluster/broker.h"

#define NATS_SERVER "build/nats/nats-server"
#define PATIENCE    60000 /* ms until something that must happen has not happened */

static char folder[] = "/tmp/flockd-broker-XXXXXX";
static char url[64];
static char port[8];
static pid_t server;
static broker_open *open_nats;

static void sleep_ms(unsigned ms)
{
    const struct timespec time = {.tv_sec = ms / 1000, .tv_nsec = (long)(ms % 1000) * 1000000};

    nanosleep(&time, NULL);
}

static int64_t now_ms(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* ---- the server ---- */

static void choose_port(void)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof address;
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

    assert_int_equal(bind(fd, (struct sockaddr *)&address, size), 0);
    assert_int_equal(getsockname(fd, (struct sockaddr *)&address, &size), 0);
    close(fd);
    snprintf(port, sizeof port, "%u", ntohs(address.sin_port));
    snprintf(url, sizeof url, "nats://127.0.0.1:%s", port);
}

/* Starts it with these options, and a port, a store and a log of its own. */
static void start_server(const char *const *options)
{
    const char *arguments[24] = {NATS_SERVER, "-a", "127.0.0.1", "-p", port, "-l"};
    char log[PATH_MAX];
    size_t count = 6;

    snprintf(log, sizeof log, "%s/log", folder);
    arguments[count++] = log;
    while (*options != NULL) {
        assert_true(count < 23);
        arguments[count++] = *options++;
    }
    server = fork();
    assert_true(server >= 0);
    if (server == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL); /* it must not outlive a test that fails */
        setenv("NATS_STORE", folder, 1);  /* docker/nats.conf asks for it */
        execv(NATS_SERVER, (char *const *)(uintptr_t)arguments);
        fprintf(stderr, "%s: %s; make build/nats/nats-server brings it\n", NATS_SERVER,
                strerror(errno));
        _exit(127);
    }
}

/* As flockd ships it. */
static const char *const configured[] = {"-c", "docker/nats.conf", NULL};

static void end_server(void)
{
    if (server > 0) {
        kill(server, SIGKILL);
        waitpid(server, NULL, 0);
        server = 0;
    }
}

static int remove_entry(const char *path, const struct stat *about, int type, struct FTW *where)
{
    (void)about;
    (void)type;
    (void)where;
    return remove(path);
}

static int begin(void **state)
{
    char path[PATH_MAX - 32];
    char plugin[PATH_MAX];
    ssize_t size = readlink("/proc/self/exe", path, sizeof path - 1);

    (void)state;
    assert_true(size > 0);
    path[size] = '\0';
    *strrchr(path, '/') = '\0';
    snprintf(plugin, sizeof plugin, "%s/../flockd-nats.so", path);
    void *loaded = dlopen(plugin, RTLD_NOW | RTLD_LOCAL);
    if (loaded == NULL) {
        fail_msg("%s", dlerror());
    }
    *(void **)&open_nats = dlsym(loaded, BROKER_OPEN);
    assert_non_null(open_nats);
    assert_non_null(mkdtemp(folder));
    choose_port();
    start_server(configured);
    return 0;
}

static int end(void **state)
{
    (void)state;
    end_server();
    return nftw(folder, remove_entry, 8, FTW_DEPTH | FTW_PHYS);
}

/* ---- brokers ---- */

static _Atomic unsigned losses, returns;      /* of data lines */
static _Atomic int64_t lost_at[BROKER_LINES]; /* ms; 0: not lost */

static void on_line(void *argument, enum broker_line line, bool connected)
{
    (void)argument;
    if (!connected) {
        lost_at[line] = now_ms();
    }
    if (line == BROKER_DATA) {
        atomic_fetch_add(connected ? &returns : &losses, 1);
    }
}

static _Atomic unsigned refusals; /* of lines, by the server */

static void on_log(void *argument, bool is_error, const char *text)
{
    (void)argument;
    if (is_error) {
        fprintf(stderr, "%s\n", text);
    }
    refusals += strstr(text, "Authorization Violation") != NULL;
}

static const char *user, *authority; /* see struct broker_definition */

static struct broker *open_broker(const char *node, char *text)
{
    static struct broker_definition definition;

    definition = (struct broker_definition){.urls = url,
                                            .prefix = "test",
                                            .node = node,
                                            .role = "sim",
                                            .user = user,
                                            .authority = authority,
                                            .patience = 10000,
                                            .makes_buckets = true,
                                            .changed = on_line,
                                            .log = on_log};
    text[0] = '\0';
    return open_nats(&definition, text);
}

static struct broker *must_open(const char *node)
{
    char text[BROKER_TEXT_MAX];
    struct broker *broker = open_broker(node, text);

    if (broker == NULL) {
        fail_msg("%s", text);
    }
    return broker;
}

/* The messages and changes that the tests' subscriptions and watches have heard. */
static struct {
    pthread_mutex_t lock;
    char text[4096];
} heard = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void note(const char *format, ...)
{
    va_list list;

    pthread_mutex_lock(&heard.lock);
    size_t used = strlen(heard.text);
    va_start(list, format);
    vsnprintf(heard.text + used, sizeof heard.text - used, format, list);
    va_end(list);
    pthread_mutex_unlock(&heard.lock);
}

static void hear(void *argument, const struct broker_message *message)
{
    (void)argument;
    note("%s:%.*s%s ", message->subject, (int)message->size, (const char *)message->bytes,
         message->nobody ? "nobody" : "");
}

static void take(void *argument, const struct broker_entry *entry)
{
    (void)argument;
    if (entry == NULL) {
        note("all ");
    } else {
        note("%s=%.*s%s ", entry->key, (int)entry->size, (const char *)entry->bytes,
             entry->deleted ? "deleted" : "");
    }
}

static bool has_heard(const char *text)
{
    pthread_mutex_lock(&heard.lock);
    bool found = strstr(heard.text, text) != NULL;
    pthread_mutex_unlock(&heard.lock);
    return found;
}

static void wait_to_hear(const char *text)
{
    for (unsigned waited = 0; !has_heard(text); waited += 10) {
        if (waited > PATIENCE) {
            fail_msg("not heard: \"%s\"; heard: \"%s\"", text, heard.text);
        }
        sleep_ms(10);
    }
}

static void forget(void)
{
    pthread_mutex_lock(&heard.lock);
    heard.text[0] = '\0';
    pthread_mutex_unlock(&heard.lock);
}

static bool say(struct broker *broker, const char *subject, const char *reply, const char *text)
{
    return broker_publish(broker, BROKER_DATA, subject, reply, (const uint8_t *)text, strlen(text));
}

static enum broker_result set_key(struct broker *broker, enum broker_line line, const char *key,
                                  const char *value, uint64_t *revision)
{
    return broker_set(broker, line, BROKER_ROOMS, key, (const uint8_t *)value, strlen(value),
                      revision);
}

/* ---- tests ---- */

static void messages_arrive_in_order(void **state)
{
    struct broker *one = must_open("one");
    struct broker *two = must_open("two");
    struct broker_subscription *all;

    (void)state;
    forget();
    all = broker_subscribe(two, BROKER_DATA, "f.>", hear, NULL);
    broker_subscribe(one, BROKER_DATA, "e.one.>", hear, NULL);
    while (!has_heard("f.0")) { /* until the server knows of the subscription */
        say(one, "f.0", NULL, "");
        sleep_ms(10);
    }
    forget();
    say(one, "f.ABC.1", NULL, "a");
    say(one, "f.ABC.2", NULL, "b");
    say(one, "f.ABC.1", NULL, "c");
    wait_to_hear("f.ABC.1:a f.ABC.2:b f.ABC.1:c ");
    say(one, "r.ABC", "e.one.ABC", "anybody?");
    wait_to_hear("e.one.ABC:nobody ");
    broker_unsubscribe(two, all);
    broker_close(one);
    broker_close(two);
}

static void one_of_two_wins_a_key(void **state)
{
    struct broker *one = must_open("one");
    struct broker *two = must_open("two");
    uint64_t first = 0;
    uint64_t second = 0;
    uint8_t *bytes;
    size_t size;

    (void)state;
    assert_int_equal(set_key(one, BROKER_CONTROL, "WIN", "one", &first), BROKER_OK);
    assert_int_equal(set_key(two, BROKER_CONTROL, "WIN", "two", &second), BROKER_CONFLICT);
    assert_int_equal(broker_get(two, BROKER_BULK, BROKER_ROOMS, "WIN", &bytes, &size, &second),
                     BROKER_OK);
    assert_int_equal(second, first);
    assert_int_equal(size, 3);
    assert_memory_equal(bytes, "one", 3);
    free(bytes);
    assert_int_equal(set_key(two, BROKER_BULK, "WIN", "two", &second), BROKER_OK);
    assert_true(second > first);
    assert_int_equal(broker_drop(one, BROKER_CONTROL, BROKER_ROOMS, "WIN", &first),
                     BROKER_CONFLICT);
    assert_int_equal(broker_drop(two, BROKER_CONTROL, BROKER_ROOMS, "WIN", &second), BROKER_OK);
    assert_int_equal(broker_get(one, BROKER_CONTROL, BROKER_ROOMS, "WIN", &bytes, &size, &first),
                     BROKER_NONE);
    assert_int_equal(first, second);
    assert_int_equal(set_key(one, BROKER_CONTROL, "WIN", "again", &first), BROKER_OK);
    assert_int_equal(broker_get(one, BROKER_CONTROL, BROKER_ROOMS, "NEVER", &bytes, &size, &first),
                     BROKER_NONE);
    assert_int_equal(first, 0);
    assert_int_equal(broker_put(one, BROKER_BULK, BROKER_CHECKS, "WIN.1.a.0", NULL, 0, NULL),
                     BROKER_OK);
    assert_int_equal(one->stats.conflicts, 1);
    broker_close(one);
    broker_close(two);
}

/* Each of many changes has a result of its own, as if it were made alone. */
static void many_keys_change_at_once(void **state)
{
    enum { COUNT = 40 };
    struct broker *broker = must_open("one");
    struct broker_change changes[COUNT] = {0};
    char keys[COUNT][8];
    uint64_t other = 0;

    (void)state;
    assert_int_equal(set_key(broker, BROKER_BULK, "MANY7", "of another", &other), BROKER_OK);
    for (uint32_t i = 0; i < COUNT; i++) {
        snprintf(keys[i], sizeof keys[i], "MANY%u", (unsigned)i);
        changes[i] = (struct broker_change){.key = keys[i], .bytes = (uint8_t *)keys[i], .size = 4};
    }
    broker_set_all(broker, BROKER_BULK, BROKER_ROOMS, changes, COUNT);
    for (uint32_t i = 0; i < COUNT; i++) {
        assert_int_equal(changes[i].result, i == 7 ? BROKER_CONFLICT : BROKER_OK);
        assert_true(i == 7 || changes[i].revision > other);
    }
    changes[7].revision = other;
    broker_set_all(broker, BROKER_BULK, BROKER_ROOMS, changes, COUNT); /* of these revisions */
    for (uint32_t i = 0; i < COUNT; i++) {
        uint64_t revision;
        uint8_t *bytes;
        size_t size;
        assert_int_equal(changes[i].result, BROKER_OK);
        assert_int_equal(
            broker_get(broker, BROKER_BULK, BROKER_ROOMS, keys[i], &bytes, &size, &revision),
            BROKER_OK);
        assert_int_equal(revision, changes[i].revision);
        assert_int_equal(size, 4);
        free(bytes);
    }
    broker_close(broker);
}

static void a_big_value_comes_back_whole(void **state)
{
    struct broker *broker = must_open("one");
    const size_t whole = 900 * 1000;
    uint8_t *value = malloc(whole);
    uint64_t revision = 0;
    uint8_t *bytes;
    size_t size;

    (void)state;
    assert_non_null(value);
    for (size_t i = 0; i < whole; i++) {
        value[i] = (uint8_t)(i * 7 >> 3);
    }
    assert_int_equal(broker_set(broker, BROKER_BULK, BROKER_CHECKS, "BIG", value, whole, &revision),
                     BROKER_OK);
    assert_int_equal(
        broker_get(broker, BROKER_BULK, BROKER_CHECKS, "BIG", &bytes, &size, &revision), BROKER_OK);
    assert_int_equal(size, whole);
    assert_memory_equal(bytes, value, whole);
    free(bytes);
    free(value);
    broker_close(broker);
}

static void wait_for_line(const struct broker *broker, bool connected)
{
    for (unsigned waited = 0; broker_connected(broker, BROKER_DATA) != connected ||
                              broker_connected(broker, BROKER_BULK) != connected ||
                              broker_connected(broker, BROKER_CONTROL) != connected;
         waited += 10) {
        assert_true(waited < PATIENCE);
        sleep_ms(10);
    }
}

/* While the servers of NATS elect a leader, none of them takes changes. The checkpoints must not
 * wait for answers then. Here no server has JetStream. */
static void changes_that_nobody_takes_are_refused_at_once(void **state)
{
    struct broker *broker = must_open("one");
    struct broker_change changes[] = {{.key = "NOBODY1"}, {.key = "NOBODY2"}};

    (void)state;
    end_server();
    wait_for_line(broker, false);
    start_server((const char *const[]){NULL});
    wait_for_line(broker, true);
    const int64_t begun = now_ms();
    broker_set_all(broker, BROKER_BULK, BROKER_ROOMS, changes, 2);
    assert_int_equal(changes[0].result, BROKER_AWAY);
    assert_int_equal(changes[1].result, BROKER_AWAY);
    assert_true(now_ms() < begun + 3000); /* 5 s without an answer */
    broker_close(broker);
    end_server();
    start_server(configured);
}

static void everything_goes_on_after_the_server_was_killed(void **state)
{
    struct broker *broker = must_open("one");
    struct broker_watch *watch;
    uint64_t revision = 0;

    (void)state;
    forget();
    broker_subscribe(broker, BROKER_DATA, "s.ABC", hear, NULL);
    assert_int_equal(set_key(broker, BROKER_CONTROL, "KEPT", "before", &revision), BROKER_OK);
    watch = broker_watch(broker, BROKER_ROOMS, take, NULL);
    wait_to_hear("KEPT=before ");
    wait_to_hear("all ");

    losses = 0;
    returns = 0;
    end_server();
    wait_for_line(broker, false);
    assert_false(say(broker, "s.ABC", NULL, "lost"));
    assert_int_equal(set_key(broker, BROKER_CONTROL, "KEPT", "lost", &revision), BROKER_AWAY);
    forget();
    start_server(configured);
    wait_for_line(broker, true);
    for (unsigned waited = 0; returns == 0;
         waited += 10) { /* on_line() is called after the line is back */
        assert_true(waited < PATIENCE);
        sleep_ms(10);
    }
    assert_int_equal(losses, 1);
    assert_int_equal(returns, 1);
    wait_to_hear("KEPT=before ");
    wait_to_hear("all ");
    while (set_key(broker, BROKER_CONTROL, "KEPT", "after", &revision) != BROKER_OK) {
        sleep_ms(10); /* JetStream needs a moment to begin */
    }
    wait_to_hear("KEPT=after ");
    assert_true(say(broker, "s.ABC", NULL, "here"));
    wait_to_hear("s.ABC:here ");
    assert_false(has_heard("lost"));
    broker_unwatch(broker, watch);
    broker_close(broker);
}

static void wait_for_losses(void)
{
    for (unsigned waited = 0;
         lost_at[BROKER_DATA] == 0 || lost_at[BROKER_CONTROL] == 0 || lost_at[BROKER_BULK] == 0;
         waited += 10) { /* on_line() is called after the line is lost */
        assert_true(waited < PATIENCE);
        sleep_ms(10);
    }
}

static void a_frozen_server_is_noticed(void **state)
{
    struct broker *broker = must_open("one");
    uint64_t revision = 0;
    enum broker_result result;

    (void)state;
    lost_at[BROKER_DATA] = 0;
    lost_at[BROKER_CONTROL] = 0;
    lost_at[BROKER_BULK] = 0;
    kill(server, SIGSTOP);
    waitpid(server, NULL, WUNTRACED); /* until it has stopped */
    result = set_key(broker, BROKER_CONTROL, "ICE", "one", &revision);
    assert_true(result == BROKER_UNKNOWN || result == BROKER_AWAY);
    wait_for_line(broker, false);
    wait_for_losses();
    /* These have the frames, and what tells the other nodes that this one lives. */
    assert_true(lost_at[BROKER_DATA] + 200 < lost_at[BROKER_BULK]);
    assert_true(lost_at[BROKER_CONTROL] + 200 < lost_at[BROKER_BULK]);
    assert_false(say(broker, "s.ABC", NULL, "lost"));
    kill(server, SIGCONT);
    wait_for_line(broker, true);
    broker_close(broker);
}

static void start_server_with(const char *password)
{
    start_server((const char *const[]){"-c", "docker/nats.conf", "--user", "flock", "--pass",
                                       password, NULL});
}

static void a_name_and_a_password_are_needed_where_the_server_asks_for_them(void **state)
{
    char text[BROKER_TEXT_MAX];

    (void)state;
    end_server();
    start_server_with("a:word");
    assert_null(open_broker("one", text));
    assert_non_null(strstr(text, "cannot connect to NATS"));
    user = "flock:another";
    assert_null(open_broker("one", text));
    assert_null(strstr(text, "another")); /* no secret goes into a log */
    user = "flock:a:word";
    broker_close(must_open("one"));
    user = NULL;
}

/* libnats closes a line for ever when the server refuses it twice. */
static void a_node_comes_back_after_nats_has_refused_its_password(void **state)
{
    struct broker_subscription *one;
    struct broker_watch *watch;
    uint64_t revision = 0;

    (void)state;
    end_server();
    start_server_with("right");
    user = "flock:right";
    struct broker *broker = must_open("one");
    forget();
    watch = broker_watch(broker, BROKER_ROOMS, take, NULL);
    wait_to_hear("all ");
    one = broker_subscribe(broker, BROKER_DATA, "s.ONE", hear, NULL);
    broker_subscribe(broker, BROKER_DATA, "s.TWO", hear, NULL);

    refusals = 0;
    end_server();
    start_server_with("wrong");
    for (unsigned waited = 0; refusals < 2 * BROKER_LINES; waited += 10) {
        assert_true(waited < PATIENCE);
        sleep_ms(10);
    }
    broker_unsubscribe(broker, one);
    broker_subscribe(broker, BROKER_DATA, "s.NEW", hear, NULL);
    end_server();
    start_server_with("right");
    wait_for_line(broker, true);
    while (set_key(broker, BROKER_CONTROL, "BACK", "again", &revision) != BROKER_OK) {
        sleep_ms(10); /* JetStream needs a moment to begin */
    }
    wait_to_hear("BACK=again ");
    assert_true(say(broker, "s.ONE", NULL, "nobody hears"));
    assert_true(say(broker, "s.TWO", NULL, "two"));
    assert_true(say(broker, "s.NEW", NULL, "new"));
    wait_to_hear("s.TWO:two ");
    wait_to_hear("s.NEW:new ");
    assert_false(has_heard("nobody hears"));
    broker_unwatch(broker, watch);
    broker_close(broker);
    user = NULL;
}

/* Makes a certificate of 127.0.0.1 and its key. */
static void make_certificate(char *certificate, char *key)
{
    pid_t openssl;
    int status;

    snprintf(certificate, PATH_MAX, "%s/cert.pem", folder);
    snprintf(key, PATH_MAX, "%s/key.pem", folder);
    openssl = fork();
    if (openssl == 0) {
        if (freopen("/dev/null", "w", stderr) != NULL) {
            execlp("openssl", "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt",
                   "ec_paramgen_curve:P-256", "-nodes", "-subj", "/CN=127.0.0.1", "-addext",
                   "subjectAltName=IP:127.0.0.1", "-days", "2", "-keyout", key, "-out", certificate,
                   (char *)NULL);
        }
        _exit(127);
    }
    waitpid(openssl, &status, 0);
    assert_int_equal(status, 0);
}

static void with_tls_the_server_needs_a_certificate_that_the_node_trusts(void **state)
{
    char certificate[PATH_MAX];
    char key[PATH_MAX];
    char text[BROKER_TEXT_MAX];

    (void)state;
    end_server();
    make_certificate(certificate, key);
    start_server((const char *const[]){"-c", "docker/nats.conf", "--tls", "--tlscert", certificate,
                                       "--tlskey", key, NULL});
    assert_null(open_broker("one", text)); /* the system does not trust it */
    authority = certificate;
    broker_close(must_open("one"));
    authority = NULL;
}

static void a_server_without_the_configuration_is_refused(void **state)
{
    char text[BROKER_TEXT_MAX];

    (void)state;
    end_server();
    start_server((const char *const[]){"-js", "-sd", folder, NULL});
    assert_null(open_broker("one", text));
    assert_non_null(strstr(text, "docker/nats.conf"));
    end_server();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(messages_arrive_in_order),
        cmocka_unit_test(one_of_two_wins_a_key),
        cmocka_unit_test(many_keys_change_at_once),
        cmocka_unit_test(changes_that_nobody_takes_are_refused_at_once),
        cmocka_unit_test(a_big_value_comes_back_whole),
        cmocka_unit_test(everything_goes_on_after_the_server_was_killed),
        cmocka_unit_test(a_frozen_server_is_noticed),
        cmocka_unit_test(a_name_and_a_password_are_needed_where_the_server_asks_for_them),
        cmocka_unit_test(a_node_comes_back_after_nats_has_refused_its_password),
        cmocka_unit_test(with_tls_the_server_needs_a_certificate_that_the_node_trusts),
        cmocka_unit_test(a_server_without_the_configuration_is_refused),
    };

    return cmocka_run_group_tests(tests, begin, end);
}
