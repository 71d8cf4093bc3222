#include "accept.h"

#include "fuzz.h"

#include "config/config.h"
#include "net/server.h"
#include "net/start.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <openssl/crypto.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

enum { END_TIME = 120000 /* ms; on a busy machine */, START_TIME = 20000 /* ms */ };

static char folder[] = "/tmp/flockd-fuzz-XXXXXX";
static struct config config;
static struct room_definition lobby;
static pthread_t thread;
static uint16_t port;

static void put_file(const char *name, bool there)
{
    char path[64];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    if (!there) {
        unlink(path);
        return;
    }
    FILE *file = fopen(path, "w");
    FUZZ_REQUIRE(file != NULL);
    for (int i = 0; i < 200; i++) {
        fputs("a page of some length\n", file);
    }
    fclose(file);
}

static void put_files(bool there)
{
    static const char *const names[] = {"index.html", "start.html", "app-12345678.js"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        put_file(names[i], there);
    }
}

static struct sockaddr_in address_of(uint32_t address)
{
    return (struct sockaddr_in){.sin_family = AF_INET,
                                .sin_port = htons(port),
                                .sin_addr.s_addr = htonl(INADDR_LOOPBACK + address)};
}

/* Chooses a port that is free now. */
static void choose_port(void)
{
    struct sockaddr_in address = address_of(0);
    socklen_t size = sizeof address;
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    FUZZ_REQUIRE(fd >= 0 && bind(fd, (struct sockaddr *)&address, sizeof address) == 0);
    FUZZ_REQUIRE(getsockname(fd, (struct sockaddr *)&address, &size) == 0);
    port = ntohs(address.sin_port);
    close(fd);
}

static void *serve(void *nothing)
{
    FUZZ_REQUIRE(server_run(&config, &lobby, NULL) == 0);
    return nothing;
}

static void stop(void)
{
    kill(getpid(), SIGTERM);
    pthread_join(thread, NULL);
    put_files(false);
    rmdir(folder);
}

static int try_open(void)
{
    static uint32_t client;
    struct sockaddr_in from = address_of(1 + client++ % 60000);
    struct sockaddr_in to = address_of(0);
    int yes = 1;
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    from.sin_port = 0;
    FUZZ_REQUIRE(fd >= 0);
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    if (bind(fd, (struct sockaddr *)&from, sizeof from) == 0 &&
        connect(fd, (struct sockaddr *)&to, sizeof to) == 0) {
        return fd;
    }
    close(fd);
    return -1;
}

/* Retries if the kernel has no ports or no memory for sockets. */
static int open_soon(void)
{
    int fd = try_open();
    for (int i = 0; i < START_TIME / 10 && fd < 0; i++) {
        usleep(10000);
        fd = try_open();
    }
    FUZZ_REQUIRE(fd >= 0);
    return fd;
}

static void start(void)
{
    char number[8];
    char *words[] = {"flockd",
                     "--port",
                     number,
                     "--web",
                     folder,
                     "--presenter-key",
                     ACCEPT_KEY,
                     "--net-threads",
                     "1",
                     "--sim-threads",
                     "1",
                     "--threads",
                     "1",
                     "--tick-rate",
                     "60",
                     "--room-idle",
                     "1",
                     "--max-clients",
                     "500",
                     "--boids",
                     "20",
                     "--max-boids",
                     "2000",
                     "--log-format",
                     "json", /* the runner uses standard output */
                     "--rooms-per-hour",
                     "100000"};
    signal(SIGPIPE, SIG_IGN);
    FUZZ_REQUIRE(mkdtemp(folder) != NULL);
    put_files(true);
    choose_port();
    snprintf(number, sizeof number, "%u", port);
    FUZZ_REQUIRE(config_parse(&config, (int)(sizeof words / sizeof words[0]), words, stdout,
                              stderr) == OPTIONS_RUN);
    FUZZ_REQUIRE(start_room(&config, &lobby, stderr));
    /* OpenSSL must start first and on this thread, so that its clean-up runs after stop(). */
    FUZZ_REQUIRE(OPENSSL_init_crypto(OPENSSL_INIT_LOAD_CONFIG, NULL) == 1);
    FUZZ_REQUIRE(pthread_create(&thread, NULL, serve, NULL) == 0);
    close(open_soon());
    atexit(stop);
}

int accept_open(void)
{
    if (port == 0) {
        start();
    }
    return open_soon();
}

bool accept_send(int fd, const void *bytes, size_t size)
{
    const uint8_t *at = bytes;
    while (size > 0) {
        ssize_t sent = send(fd, at, size, MSG_NOSIGNAL);
        if (sent <= 0) {
            return false;
        }
        at += sent;
        size -= (size_t)sent;
    }
    return true;
}

size_t accept_read(int fd, void *bytes, size_t size, int ms)
{
    struct pollfd ready = {.fd = fd, .events = POLLIN};
    if (poll(&ready, 1, ms) != 1) {
        return 0;
    }
    ssize_t got = recv(fd, bytes, size, 0);
    return got > 0 ? (size_t)got : 0;
}

void accept_close(int fd)
{
    static char bytes[1 << 16];
    struct pollfd ready = {.fd = fd, .events = POLLIN};
    shutdown(fd, SHUT_WR);
    do {
        FUZZ_REQUIRE(poll(&ready, 1, END_TIME) == 1);
    } while (recv(fd, bytes, sizeof bytes, 0) > 0);
    close(fd);
}
