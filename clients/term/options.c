#include "term/options.h"

#include "term/net/trust.h"
#include "term/texts/texts.h"
#include "term/tty/themes.h"

#include <stdlib.h>
#include <string.h>

/* Reads the URL, host or code, with its room and keys. */
static const char *take_url(void *field, const char *text, const struct option *option)
{
    struct term_options *options = field;
    struct term_target target = {.url = options->url};
    (void)option;
    const char *expected = term_target_parse(&target, text);
    if (expected != NULL) {
        return expected;
    }
    options->url = target.url;
    if (target.url_text[0] != '\0') {
        memcpy(options->url_text, target.url_text, sizeof options->url_text);
    }
    if (target.room[0] != '\0') {
        memcpy(options->room, target.room, sizeof options->room);
    }
    if (target.key[0] != '\0') {
        memcpy(options->key, target.key, sizeof options->key);
    }
    if (target.join_key[0] != '\0') {
        memcpy(options->join_key, target.join_key, sizeof options->join_key);
    }
    return NULL;
}

static const struct option_rule name = {.valid = proto_name_valid,
                                        .values = "bytes of UTF-8 without control characters"};
static const struct option_rule room = {.valid = term_url_room_valid,
                                        .values = "letters, digits, spaces and hyphens"};
static const struct option_rule encodings = {.words =
                                                 (const char *const[]){"packed", "plain", NULL}};
/* In the order of enum term_background. */
static const struct option_rule backgrounds = {
    .words = (const char *const[]){"auto", "dark", "light", NULL}};
/* "auto", then the languages of the texts. */
static const char *language_word(size_t index)
{
    return index == 0 ? "auto" : texts_codes()[index - 1];
}

/* Returns whether a text names panels that can be open together, separated by spaces or commas. */
static bool names_panels(const char *text)
{
    unsigned beside = 0;
    for (text += strspn(text, " ,"); *text != '\0'; text += strspn(text, " ,")) {
        size_t length = strcspn(text, " ,");
        bool measures = length == 8 && strncmp(text, "measures", length) == 0;
        bool controls = length == 8 && strncmp(text, "controls", length) == 0;
        bool people = length == 6 && strncmp(text, "people", length) == 0;
        bool news = length == 4 && strncmp(text, "news", length) == 0;
        beside += controls || people;
        if ((!measures && !news && !controls && !people) || beside > 1) {
            return false;
        }
        text += length;
    }
    return true;
}

bool term_options_opens(const struct term_options *options, const char *panel)
{
    return strstr(options->panels, panel) != NULL;
}

static const struct option_rule panels = {
    .valid = names_panels, .values = "bytes: measures, news, and controls or people"};
static const struct option_rule languages = {.word = language_word};
static const struct option_rule url = {
    .take = take_url, .values = "a URL of fewer than 800 bytes", .secret = true};

#define FIELD(name) OPTIONS_FIELD(struct term_options, name)

static const struct option rows[] = {
    {"name", "FLOCK_NAME", OPTION_TEXT, FIELD(name), 0, PROTO_NAME_MAX, &name, "NAME", NULL,
     "what others see beside your cursor (default: the login name)"},
    {"room", NULL, OPTION_TEXT, FIELD(room), 1, PROTO_ROOM_MAX, &room, "CODE", TERM_OPTIONS_ROOM,
     "the code of the room to join"},
    {"rate", NULL, OPTION_UINT, FIELD(rate), 0, PROTO_RATE_MAX, NULL, "N", "30",
     "snapshots per second to ask for; 0: all of them"},
    {"encoding", NULL, OPTION_CHOICE, FIELD(encoding_index), 0, 0, &encodings, NULL, "packed",
     "the encoding of snapshots: packed, if the server has it, or plain"},
    {"key", "FLOCK_KEY", OPTION_TEXT, FIELD(key), 1, PROTO_KEY_MAX, &options_key, "KEY", NULL,
     "the room's presenter key, to change the flock (also: #key=KEY after the URL)"},
    {"join-key", "FLOCK_JOIN_KEY", OPTION_TEXT, FIELD(join_key), 1, PROTO_KEY_MAX, &options_key,
     "KEY", NULL, "the join key of a locked room (also: #join=KEY; without it flock-term asks)"},
    {"ca", NULL, OPTION_TEXT, FIELD(ca), 1, TERM_OPTIONS_PATH_MAX, NULL, "FILE", NULL,
     "over https or wss, trust the certificate authorities in this PEM file instead of the "
     "system's"},
    {"insecure", NULL, OPTION_FLAG, FIELD(insecure), 0, 0, NULL, NULL, NULL,
     "over https or wss, accept any certificate: attackers on the line can read and change all"},
    {"no-history", NULL, OPTION_FLAG, FIELD(no_history), 0, 0, NULL, NULL, NULL,
     "neither remember the rooms that you join, with their keys, nor list them"},
    {"demo", NULL, OPTION_FLAG, FIELD(demo), 0, 0, NULL, NULL, NULL,
     "show the presets without a server: the flock is computed here"},
    {"attract", NULL, OPTION_UINT, FIELD(attract), 1, 3600, NULL, "SECONDS", NULL,
     "with --demo: show presets from the start on, each for SECONDS (default: from 30 seconds "
     "without a key on, each for 20)"},
    {"stats", NULL, OPTION_FLAG, FIELD(stats), 0, 0, NULL, NULL, NULL,
     "without a terminal: print figures of the flock as JSON, a line a second"},
    {"snapshot", NULL, OPTION_FLAG, FIELD(snapshot), 0, 0, NULL, NULL, NULL,
     "without a terminal: print one frame as text"},
    {"svg", NULL, OPTION_FLAG, FIELD(svg), 0, 0, NULL, NULL, NULL,
     "without a terminal: print one frame as a picture, in SVG"},
    {"record", NULL, OPTION_TEXT, FIELD(record), 1, TERM_OPTIONS_PATH_MAX, NULL, "FILE", NULL,
     "record the screen in a new file, in asciicast's version 2"},
    {"ascii", NULL, OPTION_FLAG, FIELD(ascii), 0, 0, NULL, NULL, NULL,
     "draw with ASCII characters instead of braille"},
    {"blocks", NULL, OPTION_FLAG, FIELD(blocks), 0, 0, NULL, NULL, NULL,
     "draw half blocks with two colours a character instead of braille"},
    {"sextants", NULL, OPTION_FLAG, FIELD(sextants), 0, 0, NULL, NULL, NULL,
     "draw sextants, 2 by 3 blocks a character, if the terminal's font has them"},
    {"theme", "FLOCK_THEME", OPTION_TEXT, FIELD(theme_name), 1, TERM_OPTIONS_PATH_MAX, NULL, "NAME",
     THEMES_DEFAULT, "the colours: preset, night, day, phosphor or terminal, or a file"},
    {"background", NULL, OPTION_CHOICE, FIELD(background), 0, 0, &backgrounds, NULL, "auto",
     "the terminal's background: dark, light, or as the terminal says"},
    {"panels", NULL, OPTION_TEXT, FIELD(panels), 0, TERM_OPTIONS_PANELS_MAX, &panels, "NAMES", NULL,
     "the panels that are open at the start"},
    {"config", NULL, OPTION_TEXT, FIELD(config), 1, TERM_OPTIONS_PATH_MAX, NULL, "FILE", NULL,
     "read this configuration file (default: ~/.config/flock-term/config)"},
    {"no-config", NULL, OPTION_FLAG, FIELD(no_config), 0, 0, NULL, NULL, NULL,
     "read no configuration file"},
    {"lang", NULL, OPTION_CHOICE, FIELD(language), 0, 0, &languages, NULL, "auto",
     "the language: auto is that of LC_ALL, LC_MESSAGES or LANG, or English"},
    {"no-color", NULL, OPTION_FLAG, FIELD(no_color), 0, 0, NULL, NULL, NULL,
     "draw without colours (also: $NO_COLOR)"},
    {0},
};

static const struct options_group groups[] = {{"The options", rows, 0}, {0}};

static const struct option argument = {NULL, NULL,  OPTION_OTHER,     0,   0, 0, 0,
                                       &url, "URL", TERM_OPTIONS_URL, NULL};

static void print_notes(FILE *output)
{
    fputs("FLOCK_NAME, FLOCK_KEY and FLOCK_JOIN_KEY in the environment set the same as\n"
          "--name, --key and --join-key, and FLOCK_THEME sets --theme; an option goes before\n"
          "its variable, and both before the configuration file.\n"
          "Within flock-term, ? lists the keys and q quits.\n",
          output);
}

/* Reads the configuration file that the command line or the environment names. */
static bool remember(const struct options_program *program, void *values, int argc, char **argv,
                     FILE *errors)
{
    struct term_options *options = values;
    const char *given = options_given(program, "config", argc, argv);
    if (options_given(program, "no-config", argc, argv) != NULL) {
        return true;
    }
    if (!term_config_read(&options->remembered, given, program, values, errors)) {
        return false;
    }
    /* Its keys and room would go to any other server that the command line names. */
    if (options->key[0] != '\0' || options->join_key[0] != '\0' ||
        strcmp(options->room, TERM_OPTIONS_ROOM) != 0) {
        options_refuse(errors, program->name, options->remembered.server.source, NULL,
                       "an address without a room and keys");
        return false;
    }
    return true;
}

static const struct options_program program = {
    .name = "flock-term",
    .usage = "Usage: flock-term [OPTION]... [URL | HOST[:PORT] | CODE]\n\n"
             "Shows a flock that flockd runs, and steers it with the mouse or the arrow keys.\n"
             "URL is the address of the page, http://HOST[:PORT]/r/CODE for a room, or of the\n"
             "WebSocket, ws://HOST[:PORT]/ws[?room=CODE]; or the same with https and wss.\n"
             "HOST:PORT means http://HOST:PORT/, and CODE a room of the default server.\n"
             "The default is " TERM_OPTIONS_URL ".\n",
    .groups = groups,
    .environment = true,
    .argument = &argument,
    .notes = print_notes,
    .remember = remember,
};

enum term_cells term_options_cells(const struct term_options *options)
{
    if (options->sextants) {
        return TERM_CELLS_SEXTANTS;
    }
    return options->blocks ? TERM_CELLS_BLOCKS : TERM_CELLS_BRAILLE;
}

struct term_target term_options_target(const struct term_options *options)
{
    struct term_target target = {.url = options->url};
    memcpy(target.url_text, options->url_text, sizeof target.url_text);
    memcpy(target.room, options->room, sizeof target.room);
    memcpy(target.key, options->key, sizeof target.key);
    memcpy(target.join_key, options->join_key, sizeof target.join_key);
    return target;
}

enum options_result term_options_parse(struct term_options *options, const char *login, int argc,
                                       char **argv, FILE *output, FILE *errors)
{
    const char *no_color = getenv("NO_COLOR");
    char expected[256];
    *options = (struct term_options){0};
    snprintf(options->name, sizeof options->name, "%s", login);
    enum options_result result = options_parse(&program, options, argc, argv, output, errors);
    if (result == OPTIONS_RUN && options->ca[0] != '\0' && !term_trust_readable(options->ca)) {
        options_refuse(errors, program.name,
                       term_config_source(&options->remembered, "ca", options->ca), options->ca,
                       "a file that can be read, with certificates in PEM");
        return OPTIONS_ERROR;
    }
    if (result == OPTIONS_RUN && options->attract > 0 && !options->demo) {
        options_refuse(errors, program.name, "--attract", NULL, "--demo beside it");
        return OPTIONS_ERROR;
    }
    if (result == OPTIONS_RUN && options->stats + options->snapshot + options->svg > 1) {
        options_refuse(errors, program.name, options->stats ? "--stats" : "--snapshot", NULL,
                       options->stats && options->snapshot ? "no --snapshot beside it"
                                                           : "no --svg beside it");
        return OPTIONS_ERROR;
    }
    if (result == OPTIONS_RUN &&
        !theme_load(&options->theme, options->theme_name, expected, sizeof expected)) {
        fprintf(errors, "flock-term: %s: %s\n",
                term_config_source(&options->remembered, "theme", options->theme_name), expected);
        return OPTIONS_ERROR;
    }
    options->encoding = encodings.words[options->encoding_index];
    options->color = !options->no_color && (no_color == NULL || *no_color == '\0');
    return result;
}
