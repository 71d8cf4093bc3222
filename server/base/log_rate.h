/* Limits the log lines of one kind: it allows the first LOG_RATE_LINES of a window of
 * LOG_RATE_TIME. The last allowed line says so; the first line of the next window says how many
 * were left out. It has no clock and no lock. */
#ifndef LOG_RATE_H
#define LOG_RATE_H

#include <assert.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#define LOG_RATE_LINES    10
#define LOG_RATE_TIME     UINT64_C(60000) /* ms */
#define LOG_RATE_NOTE_MAX 64              /* bytes of a note, with its NUL */

/* All fields are 0 at first. */
struct log_rate {
    uint64_t since; /* ms: begin of the window, at its first line */
    uint64_t lines; /* lines in this window, written or not */
};

/* Counts a line at that time (ms; must not decrease). Returns whether to write the line, and stores
 * the note to append to it, usually an empty one. */
static inline bool log_rate_take(struct log_rate *rate, uint64_t now, char note[LOG_RATE_NOTE_MAX])
{
    uint64_t left_out = 0;

    assert(rate->lines == 0 || now >= rate->since);
    note[0] = '\0';
    if (rate->lines > 0 && now - rate->since >= LOG_RATE_TIME) {
        left_out = rate->lines > LOG_RATE_LINES ? rate->lines - LOG_RATE_LINES : 0;
        rate->lines = 0;
    }
    if (rate->lines == 0) {
        rate->since = now;
    }
    rate->lines++;
    if (left_out > 0) {
        snprintf(note, LOG_RATE_NOTE_MAX, " (%" PRIu64 " similar lines were left out)", left_out);
    } else if (rate->lines == LOG_RATE_LINES) {
        snprintf(note, LOG_RATE_NOTE_MAX, " (similar lines are left out for a minute)");
    }
    return rate->lines <= LOG_RATE_LINES;
}

#endif
