/* The command line of flock-term: one table drives parsing, --help and the messages.
 *
 * Touches no terminal. term_options_parse() uses getopt_long() and its globals: main thread only.
 */
#ifndef TERM_OPTIONS_H
#define TERM_OPTIONS_H

#include "protocol.h"
#include "url.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define TERM_OPTIONS_URL "ws://127.0.0.1:8080/ws"

struct term_options {
    struct term_url url;
    char url_text[TERM_URL_HOST_MAX + TERM_URL_PATH_MAX + 24]; /* for people; without the key */
    char name[PROTO_NAME_MAX + 1];                             /* "": the server picks one */
    char room[PROTO_ROOM_MAX + 1];
    char key[PROTO_KEY_MAX + 1]; /* a presenter's; "": none */
    bool key_given;              /* as an option, which goes before the URL's */
    uint32_t rate;               /* snapshots per second; 0: all of them */
    char encoding[PROTO_WORD_MAX + 1];
    bool ascii;
    bool color;
    bool help;
    bool version;
    char error[192]; /* why they could not be read */
};

/* Fills *options with the defaults; the name is empty. */
void term_options_init(struct term_options *options);

/* Takes a presenter's key that stands in `source`. Returns false with options->error, which does
 * not repeat the key, when it is none. */
bool term_options_set_key(struct term_options *options, const char *source, const char *value);

/* Reads argv into *options (initialised). Returns false with options->error saying which option was
 * wrong and what was expected. */
bool term_options_parse(struct term_options *options, int argc, char *argv[]);

/* Prints what --help prints. */
void term_options_help(FILE *out);

#endif
