#include "options.h"

#include <arpa/inet.h>
#include <errno.h>
#include <getopt.h>
#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "protocol.h"
#include "term/net/url.h"

enum option_type {
    OPTION_UINT,     /* uint32_t */
    OPTION_NUMBER,   /* double */
    OPTION_PID,      /* pid_t */
    OPTION_FLAG,     /* bool */
    OPTION_ENCODING, /* bool: packed */
    OPTION_HEX,      /* say and say_size */
    OPTION_PATHS,    /* paths; the file is read after all options */
    OPTION_CODES,    /* codes and code_count */
    OPTION_JSON,     /* const char *: the text of an object */
};

struct option_entry {
    const char *name;
    const char *argument; /* NULL: the option has none */
    enum option_type type;
    size_t offset;
    double min, max;
    const char *text; /* lines */
};

#define FIELD(name) offsetof(struct load_options, name)

static const struct option_entry table[] = {
    {"clients", "N", OPTION_UINT, FIELD(clients), 1, 100000,
     "number of clients, of all kinds below together (default: 100)"},
    {"seconds", "S", OPTION_NUMBER, FIELD(seconds), 0.1, 86400,
     "time of the measurement; SIGINT ends it earlier (default: 10)"},
    {"warm-up", "S", OPTION_NUMBER, FIELD(warm_up), 0, 3600,
     "time between the last join and the measurement (default: 2)"},
    {"rooms", "N", OPTION_UINT, FIELD(rooms), 1, 100000,
     "create N rooms and spread the clients over them; the rooms end with the run\n"
     "(default: all clients join the lobby)"},
    {"room-json", "JSON", OPTION_JSON, FIELD(room_json), 0, 0,
     "with --rooms: the body of POST /api/rooms, such as '{\"boids\":100}'"},
    {"codes", "CODES", OPTION_CODES, FIELD(codes), 0, 0,
     "join existing rooms: their codes, separated by commas"},
    {"encoding", "NAME", OPTION_ENCODING, FIELD(packed), 0, 0,
     "encoding of snapshots: plain (default) or packed"},
    {"decode", "N", OPTION_UINT, FIELD(decode), 0, 100000,
     "number of clients that decode packed boids; the others check the header alone\n"
     "(default: all)"},
    {"rate", "HZ", OPTION_UINT, FIELD(rate), 0, PROTO_RATE_MAX,
     "snapshots per second that each client asks for; 0: all (default)"},
    {"topics", NULL, OPTION_FLAG, FIELD(topics), 0, 0, "each client subscribes to all topics"},
    {"cursors", "N", OPTION_UINT, FIELD(cursors), 0, 100000,
     "number of clients that move a cursor. If no other cursor moves, one such client\n"
     "measures the time from its cursor to the snapshot with that target"},
    {"cursor-rate", "HZ", OPTION_NUMBER, FIELD(cursor_rate), 0.1, 120,
     "moves of each cursor per second (default: 30)"},
    {"slow", "N", OPTION_UINT, FIELD(slow), 0, 100000, "number of clients that read slowly"},
    {"slow-rate", "BYTES", OPTION_UINT, FIELD(slow_rate), 256, 100000000,
     "bytes that each slow client reads per second (default: 4096)"},
    {"slow-buffer", "BYTES", OPTION_UINT, FIELD(slow_buffer), 0, 100000000,
     "size of each slow client's receive buffer in the kernel; 0: the usual (default)"},
    {"never", "N", OPTION_UINT, FIELD(never), 0, 100000,
     "number of clients that read nothing after they have joined"},
    {"churn", "N", OPTION_UINT, FIELD(churn), 0, 100000,
     "number of clients that leave and come back once a second"},
    {"raw", "BYTES", OPTION_UINT, FIELD(raw), 16, WEBSOCKET_FRAME_MAX,
     "measure another server. The last BYTES bytes of each frame begin with the time\n"
     "of sending (ns of CLOCK_MONOTONIC) and a running number, 8 bytes each,\n"
     "little-endian. Shorter frames are skipped"},
    {"say", "HEX", OPTION_HEX, FIELD(say), 0, 0, "with --raw: the answer to the first frame"},
    {"paths", "FILE", OPTION_PATHS, 0, 0, 0,
     "with --raw: a file with the path of each client, one a line"},
    {"pid", "PID", OPTION_PID, FIELD(pid), 1, 1 << 22,
     "measure the processor time and memory of this process"},
    {"spin", NULL, OPTION_FLAG, FIELD(spin), 0, 0,
     "never sleep: a server on the same machine spends time on waking its clients"},
    {"json", NULL, OPTION_FLAG, FIELD(json), 0, 0, "print one JSON object"},
    {"help", NULL, OPTION_FLAG, FIELD(help), 0, 0, "print this help"},
};

#define TABLE_SIZE (sizeof table / sizeof table[0])

__attribute__((format(printf, 2, 3))) static bool fail(struct load_options *options,
                                                       const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(options->error, sizeof options->error, format, arguments);
    va_end(arguments);
    return false;
}

static bool set_number(struct load_options *options, const struct option_entry *entry,
                       const char *value)
{
    void *field = (char *)options + entry->offset;
    bool whole = entry->type != OPTION_NUMBER;
    size_t form = strspn(value, whole ? "0123456789" : "0123456789.");
    char *end = NULL;
    double number = strtod(value, &end);

    if (form == 0 || value[form] != '\0' || *end != '\0' || number < entry->min ||
        number > entry->max) {
        return fail(options, "--%s %.40s: expected a %s from %g to %.9g", entry->name, value,
                    whole ? "whole number" : "number", entry->min, entry->max);
    }
    if (entry->type == OPTION_UINT) {
        *(uint32_t *)field = (uint32_t)number;
    } else if (entry->type == OPTION_PID) {
        *(pid_t *)field = (pid_t)number;
    } else {
        *(double *)field = number;
    }
    return true;
}

static bool set_encoding(struct load_options *options, const char *value)
{
    options->packed = strcmp(value, "packed") == 0;
    return options->packed || strcmp(value, "plain") == 0 ||
           fail(options, "--encoding %.40s: expected plain or packed", value);
}

static bool set_hex(struct load_options *options, const char *value)
{
    size_t length = strspn(value, "0123456789abcdefABCDEF");

    if (length == 0 || length % 2 != 0 || value[length] != '\0' || length > 2 * OPTIONS_SAY_MAX) {
        return fail(options, "--say: expected 1 to %u bytes as pairs of hexadecimal digits",
                    OPTIONS_SAY_MAX);
    }
    options->say_size = length / 2;
    for (size_t i = 0; i < options->say_size; i++) {
        const char pair[3] = {value[2 * i], value[2 * i + 1], '\0'};
        options->say[i] = (uint8_t)strtoul(pair, NULL, 16);
    }
    return true;
}

/* Whether a request line can contain the text. */
static bool path_valid(const char *text)
{
    for (const char *c = text; *c != '\0'; c++) {
        if (*c <= ' ' || *c > '~') {
            return false;
        }
    }
    return *text == '/' && strlen(text) < OPTIONS_PATH_MAX;
}

static bool read_paths(struct load_options *options, const char *name)
{
    FILE *file = fopen(name, "re");
    char line[OPTIONS_PATH_MAX + 2];
    uint32_t count = 0;

    if (file == NULL) {
        return fail(options, "--paths: cannot read %.80s: %s", name, strerror(errno));
    }
    options->paths = calloc(options->clients, sizeof *options->paths);
    while (options->paths != NULL && count < options->clients &&
           fgets(line, sizeof line, file) != NULL) {
        line[strcspn(line, "\n")] = '\0';
        if (!path_valid(line)) {
            break;
        }
        options->paths[count++] = strdup(line);
    }
    fclose(file);
    if (count < options->clients) {
        return fail(options, "--paths: line %u of %.80s is not a path; expected %u of them",
                    count + 1, name, options->clients);
    }
    return true;
}

static bool set_codes(struct load_options *options, const char *value)
{
    char code[PROTO_ROOM_MAX + 1];

    options->codes = value;
    options->code_count = 0;
    for (const char *at = value;; at++) {
        size_t length = strcspn(at, ",");
        snprintf(code, sizeof code, "%.*s", (int)length, at);
        if (length > PROTO_ROOM_MAX || !proto_room_valid(code)) {
            return fail(options, "--codes: '%.40s' is no room's code", code);
        }
        options->code_count++;
        at += length;
        if (*at == '\0') {
            return true;
        }
    }
}

static bool set_json(struct load_options *options, const char *value)
{
    options->room_json = value;
    return (value[0] == '{' && value[strlen(value) - 1] == '}') ||
           fail(options, "--room-json %.40s: expected an object in JSON", value);
}

static bool set_url(struct load_options *options, const char *text)
{
    struct sockaddr_in *address = &options->target.address;
    struct term_url url;
    char why[128];

    if (!term_url_parse(text, &url, why, sizeof why)) {
        return fail(options, "%.80s: %s", text, why);
    }
    if (url.tls || inet_pton(AF_INET, url.host, &address->sin_addr) != 1) {
        return fail(options, "%.80s: expected ws:// and an IPv4 address", text);
    }
    if (url.room[0] != '\0') {
        return fail(options, "%.80s: expected no room; --codes names rooms", text);
    }
    if (strlen(url.path) >= sizeof options->path) {
        return fail(options, "the URL's path is longer than %u bytes", OPTIONS_PATH_MAX - 1);
    }
    snprintf(options->path, sizeof options->path, "%.255s", url.path);
    address->sin_family = AF_INET;
    address->sin_port = htons(url.port);
    return term_url_authority(&url, options->target.host, sizeof options->target.host);
}

/* Checks the rules between options. */
static bool check(struct load_options *options)
{
    uint64_t absent = (uint64_t)options->slow + options->never + options->churn;

    if (absent + (options->cursors > 0 ? options->cursors : 1) > options->clients) {
        return fail(options,
                    "--clients %u: expected at least one that is not --slow, --never or "
                    "--churn, and all of --cursors",
                    options->clients);
    }
    if (options->raw > 0 &&
        (options->cursors > 0 || options->rate > 0 || options->topics || options->packed)) {
        return fail(options, "--raw: --cursors, --rate, --topics and --encoding are for flockd");
    }
    if (options->rooms > 0 && options->code_count > 1) {
        return fail(options, "--rooms: --codes names rooms that are there");
    }
    if (options->raw > 0 && (options->rooms > 0 || options->code_count > 1)) {
        return fail(options, "--raw: --rooms and --codes are for flockd");
    }
    if (options->raw == 0 && (options->say_size > 0 || options->paths != NULL)) {
        return fail(options, "--say and --paths need --raw");
    }
    return true;
}

static bool set(struct load_options *options, const struct option_entry *entry, const char *value)
{
    switch (entry->type) {
    case OPTION_FLAG:
        *(bool *)((char *)options + entry->offset) = true;
        return true;
    case OPTION_ENCODING:
        return set_encoding(options, value);
    case OPTION_HEX:
        return set_hex(options, value);
    case OPTION_CODES:
        return set_codes(options, value);
    case OPTION_JSON:
        return set_json(options, value);
    default:
        return set_number(options, entry, value);
    }
}

bool load_options_parse(struct load_options *options, int argc, char *argv[])
{
    struct option longs[TABLE_SIZE + 1] = {0};
    const char *paths = NULL;
    int found;

    *options = (struct load_options){
        .clients = 100,
        .decode = UINT32_MAX,
        .seconds = 10,
        .warm_up = 2,
        .cursor_rate = 30,
        .slow_rate = 4096,
        .codes = "lobby",
        .code_count = 1,
        .room_json = "{}",
    };
    for (size_t i = 0; i < TABLE_SIZE; i++) {
        longs[i] =
            (struct option){.name = table[i].name,
                            .has_arg = table[i].argument != NULL ? required_argument : no_argument,
                            .val = (int)i + 256};
    }
    opterr = 0;
    while ((found = getopt_long(argc, argv, ":", longs, NULL)) != -1) {
        if (found == ':') {
            return fail(options, "--%s needs a value: %s", table[optopt - 256].name,
                        table[optopt - 256].argument);
        }
        if (found == '?') {
            return fail(options, "%.64s is no option, or takes no value", argv[optind - 1]);
        }
        if (table[found - 256].type == OPTION_PATHS) {
            paths = optarg;
        } else if (!set(options, &table[found - 256], optarg)) {
            return false;
        }
    }
    if (options->help) {
        return true;
    }
    if (argc - optind != 1) {
        return fail(options, "expected one URL, got %d", argc - optind);
    }
    return set_url(options, argv[optind]) && (paths == NULL || read_paths(options, paths)) &&
           check(options);
}

void load_options_free(struct load_options *options)
{
    for (uint32_t i = 0; options->paths != NULL && i < options->clients; i++) {
        free(options->paths[i]);
    }
    free(options->paths);
    options->paths = NULL;
}

void load_options_help(FILE *out)
{
    fputs(
        "usage: flock-load [options] ws://ADDRESS:PORT[/PATH]\n\n"
        "Joins rooms with many clients, checks each frame and measures its delay. Run it on the\n"
        "server's machine, because both need the same clock. The exit status is 0 if every frame\n"
        "was right and the server closed no client that reads.\n\n",
        out);
    for (size_t i = 0; i < TABLE_SIZE; i++) {
        const char *text = table[i].text;
        char left[32];
        snprintf(left, sizeof left, "--%s%s%s", table[i].name, table[i].argument ? " " : "",
                 table[i].argument ? table[i].argument : "");
        for (size_t line = 0; *text != '\0'; line++) {
            size_t length = strcspn(text, "\n");
            fprintf(out, "  %-18s %.*s\n", line == 0 ? left : "", (int)length, text);
            text += length + (text[length] == '\n' ? 1 : 0);
        }
    }
}
