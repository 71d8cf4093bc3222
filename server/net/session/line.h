/* A line: how much of what it is sent a client reads, and how late. Kernels and networks hold data
 * that the server cannot see. So the server puts WebSocket pings into the stream: a pong is as late
 * as the data in front of it.
 *
 * A line has two results. The window limits the unread bytes, so that the next snapshot is read
 * soon; a snapshot that does not fit is dropped, not queued. The level says how often the wanted
 * rate is halved, so that all snapshots fit into the line and into the session's share.
 *
 * A busy server reads pongs late, which says nothing of the line. So the caller passes `late`, in
 * ms: the server has read all that arrived earlier than that. A pong may have arrived so long
 * before it is read, and the line is judged as if it did.
 *
 * Pure: times are passed in, as ms on the server's clock, which may wrap. A shard's thread owns it.
 */
#ifndef SESSION_LINE_H
#define SESSION_LINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "net/gate/share.h"

#define LINE_LEVEL_MAX 8u

/* The window before the line is known, in bytes: about half of TCP's initial window. */
#define LINE_WINDOW_FIRST 8192u

struct line {
    uint32_t written;    /* bytes put into the stream so far; wraps */
    uint32_t marked;     /* `written` before the latest ping */
    uint32_t answered;   /* `written` before the latest answered ping: these bytes were read */
    uint32_t window;     /* limit of unread bytes */
    uint32_t number;     /* number of the latest ping; 0: none */
    uint32_t pinged_at;  /* time of the latest ping, or of the beginning */
    uint32_t least;      /* ms: the shortest delay of a pong so far */
    uint32_t busy_at;    /* beginning of the time that the next pong measures */
    uint32_t burst_at;   /* time of the latest burst: all that was sent in 1 ms, … */
    uint32_t burst;      /* … and its bytes */
    uint32_t calm_at;    /* end of the latest trouble */
    uint32_t judge_from; /* pings sent before this time are not counted */
    struct share share;
    uint16_t interval; /* ms between pings without another reason */
    uint8_t level;
    uint8_t bursts;   /* number of bursts for burst_rate */
    bool pinging : 1; /* the latest ping is unanswered */
    bool held : 1;    /* the latest snapshot did not fit */
    bool excused : 1; /* it says nothing of the line: the server could not yet have read the answer
                         to the ping, or fewer snapshots will be offered soon */
    bool backed : 1;  /* the socket was full, and no ping was sent since */
    bool filled : 1;  /* the latest ping was due to the unread bytes */
    bool steady : 1;  /* no trouble for a long time */
    bool spared : 1;  /* set by the caller: the server is overloaded, and pings cost it too much */
    bool suspect : 1; /* one trouble on a line that had none before */
    bool probing : 1; /* the level was lowered, and no trouble came since */
    bool known : 1;   /* it was proven or was raised */
    bool proven : 1;  /* it has carried all snapshots for a whole period */
    bool keyed : 1;   /* a keyframe was written since the latest ping … */
    bool tests_key : 1; /* … or between that ping and the one before */
    bool raised : 1;    /* it was raised, and the offered rate has not changed yet */
    uint16_t patience;  /* ms without trouble before the level is lowered */

    /* The current period: its beginning, and the data to judge the line by. */
    uint16_t offered;        /* snapshots that were due */
    uint16_t missed;         /* offered snapshots that did not fit */
    uint32_t period_offered; /* bytes of the offered snapshots */

    /* Sending a snapshot does not read the fields from here on: see SESSION_SENT. */
    uint32_t period_at;
    uint32_t period_read; /* bytes that the client has confirmed */
    uint32_t began_at;    /* when the connection was opened, or an hour ago if that is later */
    uint32_t widest;      /* the widest window so far */
    uint32_t waited;      /* ms: the latest delay minus `least` */
    uint32_t tested;      /* bytes of the burst just before the latest ping */
    uint32_t burst_rate;  /* bytes per second of the best burst */
    uint32_t taken_at;    /* latest time at which the client confirmed bytes */
    uint32_t queued;      /* bytes that its kernel had not acknowledged then */
};

/* Begins the line of a new connection. Its first ping, with no data in front, measures the delay of
 * the way alone. Sessions with different `spread` ping at different times. */
void line_init(struct line *line, uint32_t spread, uint32_t now);

/* Returns true if the session's share has that many bytes. A snapshot of far more than the share
 * waits for a coarser stream, unless the level is already the last. */
bool line_affords(struct line *line, size_t size, uint32_t now);

/* Returns true if the window has that many bytes left, or the client has read almost all. */
bool line_fits(const struct line *line, size_t size);

/* Returns true if the server is overloaded and the line has carried all snapshots. Such a line is
 * measured less often. */
bool line_is_spared(const struct line *line);

/* Returns true if that many more bytes would be read soon. */
bool line_takes(struct line *line, size_t size, uint32_t now, uint32_t late);

/* The same while the client's answers wait unread. queued: bytes that the client's kernel has not
 * acknowledged. */
bool line_takes_unread(struct line *line, size_t size, uint32_t queued, uint32_t now);

/* Notes that the socket is full. */
void line_hold(struct line *line);

/* Notes that `size` bytes were written to the stream. The second also charges the share. */
void line_written(struct line *line, size_t size, uint32_t now);
void line_sent(struct line *line, size_t size, uint32_t now);

/* Notes that the latest bytes were a keyframe, much larger than the deltas that follow. */
void line_keyed(struct line *line);

/* Returns true if a ping must follow what was sent. After line_pinged() its number is line->number.
 */
bool line_ping_due(const struct line *line, uint32_t now);
void line_pinged(struct line *line, uint32_t now);

/* Handles the pong to the ping of that number; ignores any other. Updates unread bytes, window and
 * level. */
void line_pong(struct line *line, uint32_t number, uint32_t now, uint32_t late);

/* Counts a snapshot that is due, with the deltas that it needs: `size` bytes in all. `missed`: the
 * snapshot before it did not fit. */
void line_offer(struct line *line, size_t size, bool missed);

/* Must be called when the offered data changes, for example after a change of the level. */
void line_changed(struct line *line, uint32_t now);

/* Returns true if a ping has been unanswered so long that line_stalled() should be called with the
 * kernel's count. */
bool line_waits(const struct line *line, uint32_t now);

/* Returns true if the client has read nothing for `timeout` ms. Must be called once a second while
 * line_waits(). queued: bytes that the client's kernel has not acknowledged. While it is 0, the
 * client may still be reading: it gets the time to read the data at 1 KB/s, up to 3 timeouts in
 * all. */
bool line_stalled(struct line *line, uint32_t queued, uint32_t timeout, uint32_t now);

/* Must be called after the server itself stood still for `time` ms, which says nothing of the line.
 */
void line_skip(struct line *line, uint32_t time);

#endif
