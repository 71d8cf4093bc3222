/* The options of flock-term: reads the environment and the command line into a struct.
 *
 * Touches no terminal. Call it on the main thread before other threads start, because it reads the
 * environment. */
#ifndef TERM_OPTIONS_H
#define TERM_OPTIONS_H

#include "base/options.h"
#include "protocol.h"
#include "term/config.h"
#include "term/draw/canvas.h"
#include "term/net/target.h"
#include "term/tty/theme.h"

#define TERM_OPTIONS_URL        "ws://127.0.0.1:8080/ws"
#define TERM_OPTIONS_ROOM       "lobby"
#define TERM_OPTIONS_PATH_MAX   1000u
#define TERM_OPTIONS_PANELS_MAX 64u

struct term_options {
    struct term_url url;
    char url_text[TERM_TARGET_URL_MAX + 1]; /* as the user gave it, without keys */
    char name[PROTO_NAME_MAX + 1];          /* "": the server picks a name */
    char room[PROTO_ROOM_MAX + 1];          /* the code as the user gave it */
    char key[PROTO_KEY_MAX + 1];            /* the presenter key; "": none */
    char join_key[PROTO_KEY_MAX + 1];       /* "": none */
    uint32_t rate;                          /* snapshots per second; 0: all of them */
    unsigned encoding_index;
    const char *encoding;               /* the encoding's name */
    char ca[TERM_OPTIONS_PATH_MAX + 1]; /* a file; "": the system's authorities */
    bool insecure;
    bool no_history;
    bool demo;                              /* a room in this process instead of a server's */
    uint32_t attract;                       /* s for each preset; 0: not given */
    bool stats, snapshot, svg;              /* instead of the terminal's screen */
    char record[TERM_OPTIONS_PATH_MAX + 1]; /* a new file; "": none */
    bool ascii;
    bool blocks, sextants;
    unsigned background;                        /* enum term_background */
    char theme_name[TERM_OPTIONS_PATH_MAX + 1]; /* a name or a file */
    struct theme theme;                         /* must be freed */
    char panels[TERM_OPTIONS_PANELS_MAX + 1];   /* open at the start */
    char config[TERM_OPTIONS_PATH_MAX + 1]; /* a file; "": the user's file, which need not exist */
    bool no_config;
    struct term_config remembered;
    unsigned language; /* 0: auto; else 1 + enum texts_language */
    bool no_color;     /* the option was given */
    bool color;        /* neither the option nor NO_COLOR forbids it */
};

/* Fills *options. login: the default for the name. */
enum options_result term_options_parse(struct term_options *options, const char *login, int argc,
                                       char **argv, FILE *output, FILE *errors);

/* Returns the characters that the options choose. */
enum term_cells term_options_cells(const struct term_options *options);

/* Returns whether the options open a panel at the start: "measures", "controls" or "people". */
bool term_options_opens(const struct term_options *options, const char *panel);

/* Returns the room that the options name. */
struct term_target term_options_target(const struct term_options *options);

#endif
