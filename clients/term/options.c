#include "options.h"

#include <getopt.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

struct option_entry {
    const char *name;
    const char *argument; /* NULL: takes none */
    const char *text;     /* may hold one line break */
    bool (*set)(struct term_options *options, const char *value);
};

static bool __attribute__((format(printf, 2, 3)))
fail(struct term_options *options, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(options->error, sizeof options->error, format, arguments);
    va_end(arguments);
    return false;
}

static bool set_name(struct term_options *options, const char *value)
{
    if (!proto_name_valid(value)) {
        return fail(options, "--name: expected up to %u bytes of UTF-8 without control characters",
                    PROTO_NAME_MAX);
    }
    snprintf(options->name, sizeof options->name, "%s", value);
    return true;
}

static bool set_room(struct term_options *options, const char *value)
{
    if (!proto_room_valid(value)) {
        return fail(options, "--room: expected 1 to %u characters of a-z, 0-9 and '-'",
                    PROTO_ROOM_MAX);
    }
    snprintf(options->room, sizeof options->room, "%s", value);
    return true;
}

static bool set_rate(struct term_options *options, const char *value)
{
    size_t digits = strspn(value, "0123456789");
    unsigned long rate = digits > 0 && digits < 6 ? strtoul(value, NULL, 10) : PROTO_RATE_MAX + 1;
    if (value[digits] != '\0' || rate > PROTO_RATE_MAX) {
        return fail(options, "--rate: expected a whole number from 0 to %u", PROTO_RATE_MAX);
    }
    options->rate = (uint32_t)rate;
    return true;
}

static bool set_encoding(struct term_options *options, const char *value)
{
    if (strcmp(value, "packed") != 0 && strcmp(value, "plain") != 0) {
        return fail(options, "--encoding: expected packed or plain");
    }
    snprintf(options->encoding, sizeof options->encoding, "%s", value);
    return true;
}

bool term_options_set_key(struct term_options *options, const char *source, const char *value)
{
    size_t length = strspn(value, "abcdefghijklmnopqrstuvwxyz0123456789-");
    if (length == 0 || length > PROTO_KEY_MAX || value[length] != '\0') {
        return fail(options, "%s: expected 1 to %u characters of a-z, 0-9 and '-'", source,
                    PROTO_KEY_MAX);
    }
    snprintf(options->key, sizeof options->key, "%s", value);
    return true;
}

static bool set_key(struct term_options *options, const char *value)
{
    options->key_given = term_options_set_key(options, "--key", value);
    return options->key_given;
}

static bool set_ascii(struct term_options *options, const char *value)
{
    (void)value;
    options->ascii = true;
    return true;
}

static bool set_no_color(struct term_options *options, const char *value)
{
    (void)value;
    options->color = false;
    return true;
}

static bool set_help(struct term_options *options, const char *value)
{
    (void)value;
    options->help = true;
    return true;
}

static bool set_version(struct term_options *options, const char *value)
{
    (void)value;
    options->version = true;
    return true;
}

static const struct option_entry table[] = {
    {"name", "NAME", "what others see beside your cursor\n(default: $FLOCK_NAME or the login name)",
     set_name},
    {"room", "ROOM", "the room to join (default: lobby)", set_room},
    {"rate", "N", "snapshots per second to ask for, 0 to 240; 0: all of them\n(default: 30)",
     set_rate},
    {"encoding", "NAME",
     "how snapshots travel: packed, where the server has it, or\nplain (default: packed)",
     set_encoding},
    {"key", "KEY",
     "the room's presenter key, with which to change the flock\n"
     "(also: $FLOCK_KEY, or #key=KEY after the URL)",
     set_key},
    {"ascii", NULL, "draw with ASCII characters instead of braille", set_ascii},
    {"no-color", NULL, "draw without colours (also: $NO_COLOR)", set_no_color},
    {"help", NULL, "print this and exit", set_help},
    {"version", NULL, "print the version and exit", set_version},
};

#define TABLE_SIZE (sizeof table / sizeof table[0])

void term_options_init(struct term_options *options)
{
    *options = (struct term_options){.rate = 30, .color = true};
    snprintf(options->room, sizeof options->room, "lobby");
    snprintf(options->encoding, sizeof options->encoding, "packed");
}

static bool set_url(struct term_options *options, const char *text)
{
    static const char mark[] = "#key=";
    char reason[128];
    const char *key = strstr(text, mark);
    size_t length = key != NULL ? (size_t)(key - text) : strlen(text);
    if (length >= sizeof options->url_text) {
        return fail(options, "the URL is too long");
    }
    snprintf(options->url_text, sizeof options->url_text, "%.*s", (int)length, text);
    if (!term_url_parse(options->url_text, &options->url, reason, sizeof reason)) {
        return fail(options, "bad URL: %s", reason);
    }
    return key == NULL || options->key_given ||
           term_options_set_key(options, "the URL's key", key + strlen(mark));
}

bool term_options_parse(struct term_options *options, int argc, char *argv[])
{
    struct option longs[TABLE_SIZE + 1] = {0};
    for (size_t i = 0; i < TABLE_SIZE; i++) {
        longs[i].name = table[i].name;
        longs[i].has_arg = table[i].argument != NULL ? required_argument : no_argument;
        longs[i].val = (int)i + 256; /* beyond any character that optopt can hold */
    }
    optind = 0;
    opterr = 0;
    int found = 0;
    while ((found = getopt_long(argc, argv, ":", longs, NULL)) != -1) {
        if (found == ':') {
            return fail(options, "--%s needs a value: %s", table[optopt - 256].name,
                        table[optopt - 256].argument);
        }
        if (found == '?' && optopt >= 256) {
            return fail(options, "--%s takes no value", table[optopt - 256].name);
        }
        if (found == '?' && optopt != 0) {
            return fail(options, "unknown option -%c", optopt);
        }
        if (found == '?') {
            return fail(options, "unknown or ambiguous option %.64s", argv[optind - 1]);
        }
        if (!table[found - 256].set(options, optarg)) {
            return false;
        }
    }
    if (argc - optind > 1) {
        return fail(options, "expected one URL, not %d", argc - optind);
    }
    return set_url(options, optind < argc ? argv[optind] : TERM_OPTIONS_URL);
}

void term_options_help(FILE *out)
{
    fputs("usage: flock-term [options] [URL]\n\n"
          "Shows a flock that flockd runs, and steers it with the mouse or the arrow keys.\n"
          "URL is ws:// or wss://HOST[:PORT][/PATH] (default: " TERM_OPTIONS_URL ").\n\n",
          out);
    for (size_t i = 0; i < TABLE_SIZE; i++) {
        char left[32];
        snprintf(left, sizeof left, "--%s%s%s", table[i].name, table[i].argument ? " " : "",
                 table[i].argument ? table[i].argument : "");
        const char *second = strchr(table[i].text, '\n');
        int first = (int)(second != NULL ? second - table[i].text : (long)strlen(table[i].text));
        fprintf(out, "  %-15s %.*s\n", left, first, table[i].text);
        if (second != NULL) {
            fprintf(out, "  %-15s %s\n", "", second + 1);
        }
    }
    fputs("\nWithin flock-term, ? lists the keys and q quits.\n", out);
}
