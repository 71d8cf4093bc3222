/* The options of flock-term: from the environment and the command line to a struct.
 *
 * Touches no terminal. Main thread only, before others start: reads the environment. */
#ifndef TERM_OPTIONS_H
#define TERM_OPTIONS_H

#include "base/options.h"
#include "protocol.h"
#include "term/net/url.h"

#define TERM_OPTIONS_URL      "ws://127.0.0.1:8080/ws"
#define TERM_OPTIONS_PATH_MAX 1000u

struct term_options {
    struct term_url url;
    char url_text[TERM_URL_HOST_MAX + TERM_URL_PATH_MAX + 24]; /* for people; without the key */
    char name[PROTO_NAME_MAX + 1];                             /* "": the server picks one */
    char room[PROTO_ROOM_MAX + 1];                             /* its code, as it was given */
    char key[PROTO_KEY_MAX + 1];                               /* a presenter's; "": none */
    char join_key[PROTO_KEY_MAX + 1];                          /* "": none */
    uint32_t rate; /* snapshots per second; 0: all of them */
    unsigned encoding_index;
    const char *encoding;               /* its word */
    char ca[TERM_OPTIONS_PATH_MAX + 1]; /* a file; "": the system's authorities */
    bool insecure;
    bool ascii;
    bool no_color; /* as an option */
    bool color;    /* after NO_COLOR, too */
};

/* Fills *options; `login` is the name of who gives none. */
enum options_result term_options_parse(struct term_options *options, const char *login, int argc,
                                       char **argv, FILE *output, FILE *errors);

#endif
