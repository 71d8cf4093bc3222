/* flock-load's command line: the server, the number of clients of each kind, and the duration.
 *
 * Reads the file of --paths, and has no other effects. For one thread. */
#ifndef LOAD_OPTIONS_H
#define LOAD_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

#include "websocket.h"

#define OPTIONS_PATH_MAX 256u
#define OPTIONS_SAY_MAX  64u

struct load_options {
    struct websocket_target target;
    char path[OPTIONS_PATH_MAX];
    double seconds, warm_up;
    double cursor_rate; /* Hz, of each moving client */
    uint32_t clients;   /* all clients, including the kinds below; the others are steady */
    uint32_t cursors, slow, never, churn;
    uint32_t slow_rate,
        slow_buffer;   /* bytes: read per second; buffered by the kernel (0: its default) */
    uint32_t rooms;    /* to make; 0: use the rooms of `codes` */
    const char *codes; /* of rooms, separated by commas */
    uint32_t code_count;
    const char *room_json; /* JSON for the creation of each room */
    uint32_t rate;         /* snapshots per second to ask for; 0: all */
    uint32_t raw;          /* bytes of a payload, if the server is not flockd; 0: flockd */
    uint8_t say[OPTIONS_SAY_MAX];
    size_t say_size;
    char **paths;    /* one for each client; NULL: all clients use path */
    pid_t pid;       /* 0: none */
    uint32_t decode; /* clients that decode packed boids */
    bool packed, topics, spin, json, help;
    char error[256];
};

/* Returns false, with a text in options->error, if an argument is invalid. load_options_free() must
 * be called in both cases. */
bool load_options_parse(struct load_options *options, int argc, char *argv[]);
void load_options_free(struct load_options *options);
void load_options_help(FILE *out);

#endif
