/* flock-load's command line: what to connect to, how many clients of which kind, for how long.
 *
 * Pure, except that it reads the file of --paths; one thread. */
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
    uint32_t slow_rate, slow_buffer; /* bytes: read a second, and kept by the kernel (0: its own) */
    uint32_t rooms;                  /* to make; 0: use the rooms of `codes` */
    const char *codes;               /* of rooms, separated by commas */
    uint32_t code_count;
    const char *room_json; /* what to make each of */
    uint32_t rate;         /* snapshots per second to ask for; 0: all */
    uint32_t raw;          /* bytes of a payload that is not flockd's; 0: it is flockd */
    uint8_t say[OPTIONS_SAY_MAX];
    size_t say_size;
    char **paths;    /* one for each client, or NULL: all take path */
    pid_t pid;       /* 0: none */
    uint32_t decode; /* clients that decode packed boids */
    bool packed, json, help;
    char error[256];
};

/* Returns false with options->error when an argument cannot be taken. Undo with
 * load_options_free() either way. */
bool load_options_parse(struct load_options *options, int argc, char *argv[]);
void load_options_free(struct load_options *options);
void load_options_help(FILE *out);

#endif
