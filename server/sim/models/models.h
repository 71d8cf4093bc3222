/* The models. Each is a file in this folder and a row in MODELS, from which flock_models[] is made.
 *
 * A model's file has its table of parameters, its rules in double precision, and its loops, which
 * move WIDE boids at a time. The file is compiled once for each width, and its part under
 * MODEL_ONCE only for the first width. For the engine's own files. */
#ifndef MODELS_H
#define MODELS_H

#include "sim/rules.h"

/* In the order of the menus. */
#define MODELS(ROW) ROW(swarm) ROW(boids) ROW(vision) ROW(birds) ROW(steering)

#define MODEL_ONCE (WIDE == 4)

#define MODEL_DECLARED(name)                                                                       \
    extern const struct flock_model name##_model;                                                  \
    extern const struct flock_loops name##_loops_4, name##_loops_8, name##_loops_16;
MODELS(MODEL_DECLARED)

/* The loops of the compiled widths: WIDTHS in the Makefile. */
#if defined(__x86_64__)
#define MODEL_LOOPS(name)                                                                          \
    {                                                                                              \
        &name##_loops_4, &name##_loops_8, &name##_loops_16                                         \
    }
#else
#define MODEL_LOOPS(name)                                                                          \
    {                                                                                              \
        &name##_loops_4                                                                            \
    }
#endif

/* The common parameters in the enum of the indexes that begin with PREFIX. */
#define COMMON_PARAMS(PREFIX)                                                                      \
    PREFIX##_FLEE_WEIGHT, PREFIX##_FLEE_DISTANCE, PREFIX##_NOISE, PREFIX##_INFORMED

/* The rows of the common parameters in the table of the model whose indexes begin with PREFIX, and
 * the model's `common`. */
#define COMMON_ROWS(PREFIX)                                                                        \
    [PREFIX##_FLEE_WEIGHT] = {.name = "flee_weight",                                               \
                              .unit = "",                                                          \
                              .min = 0.0f,                                                         \
                              .max = 10.0f,                                                        \
                              .initial = 0.0f,                                                     \
                              .text = "how strongly boids flee from cursors that are predators",   \
                              .causes = 1u << CAUSE_FLEE},                                         \
    [PREFIX##_FLEE_DISTANCE] = {.name = "flee_distance",                                           \
                                .unit = "units",                                                   \
                                .min = 1.0f,                                                       \
                                .max = 1000.0f,                                                    \
                                .initial = 100.0f,                                                 \
                                .text = "distance at which boids notice a predator",               \
                                .causes = 1u << CAUSE_FLEE},                                       \
    [PREFIX##_NOISE] = {.name = "noise",                                                           \
                        .unit = "degrees",                                                         \
                        .min = 0.0f,                                                               \
                        .max = 360.0f,                                                             \
                        .initial = 0.0f,                                                           \
                        .text = "range of the random angle by which a boid turns in each tick",    \
                        .causes = 1u << CAUSE_NOISE},                                              \
    [PREFIX##_INFORMED] = {.name = "informed",                                                     \
                           .unit = "",                                                             \
                           .min = 0.0f,                                                            \
                           .max = 1.0f,                                                            \
                           .initial = 1.0f,                                                        \
                           .text = "share of the boids that follow the cursor",                    \
                           .causes = CAUSES_OF_TARGETS}
#define COMMON_INDEXES(PREFIX)                                                                     \
    {                                                                                              \
        [FLOCK_FLEE_WEIGHT] = PREFIX##_FLEE_WEIGHT,                                                \
        [FLOCK_FLEE_DISTANCE] = PREFIX##_FLEE_DISTANCE, [FLOCK_NOISE] = PREFIX##_NOISE,            \
        [FLOCK_INFORMED] = PREFIX##_INFORMED                                                       \
    }

#endif
