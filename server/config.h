/* The server's configuration: one table of options (config.c) from which the command line, the
 * FLOCKD_… environment variables, validation, --help and the README's table are all made. */
#ifndef CONFIG_H
#define CONFIG_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "log.h"
#include "room/cursor.h"

#define CONFIG_TEXT_MAX 1024

#define CONFIG_NONE UINT32_MAX

struct config_world {
    float width, height; /* world units */
};

struct config {
    char folder[CONFIG_TEXT_MAX]; /* how flockd was called, up to the last slash, or "" */
    /* Of what the flock is made from, 0, CONFIG_NONE or "" is what was not said (start.h). */
    unsigned preset;   /* index into flock_presets */
    unsigned model;    /* index into flock_models */
    unsigned boundary; /* enum flock_boundary */
    struct config_world world;
    uint32_t boids;
    char set[CONFIG_TEXT_MAX]; /* KEY=VALUE,… */
    uint32_t threads;          /* that share a tick */
    uint32_t tick_rate;        /* Hz */
    uint32_t snapshot_rate;    /* Hz, 1 to tick_rate */
    enum cursor_policy policy;
    enum cursor_idle idle;
    double cursor_timeout; /* s */
    uint32_t seed;
    uint32_t port;
    bool open_controls;
    char key[CONFIG_TEXT_MAX];
    char bind[CONFIG_TEXT_MAX];
    char web[CONFIG_TEXT_MAX];
    char allow_origin[CONFIG_TEXT_MAX];
    uint32_t max_clients;
    uint32_t net_threads; /* that serve clients, each with a loop and listening socket of its own */
    double stall_timeout; /* s */
    enum log_format log_format;
    bool healthcheck;
};

enum config_result {
    CONFIG_RUN,   /* go on */
    CONFIG_DONE,  /* --help or --version has been answered: exit 0 */
    CONFIG_ERROR, /* one line on `errors` says what was wrong: exit 2 */
};

/* Fills *config from the defaults, then the environment, then the command line. */
enum config_result config_parse(struct config *config, int argc, char **argv, FILE *output,
                                FILE *errors);

/* A decimal number and nothing else: no space, no hexadecimal, neither infinite nor NaN. Returns
 * false if the text is none. */
bool config_number(const char *text, double *value);

#endif
