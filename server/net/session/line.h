/* A line: how much of what is sent to a client it reads, and how late. What kernels and networks
 * hold is out of the server's sight, so it puts WebSocket pings into the stream: a pong is as late
 * as what the client reads is old.
 *
 * Two answers come of that. The window bounds the bytes that may be on their way, so that what is
 * sent next is read soon: what does not fit is left out, and was not queued anywhere. The level
 * says how often what the client wants should be halved, so that it all fits. The level also sees
 * to it that what is offered fits into the session's share of what may be sent.
 *
 * Pure: times are handed in, as ms on the server's clock, which may wrap. A shard's thread owns it.
 */
#ifndef LINE_H
#define LINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "net/gate/share.h"

#define LINE_LEVEL_MAX 8u

/* Bytes on their way before anything is known of the line: about half of what TCP begins with. */
#define LINE_WINDOW_FIRST 8192u

struct line {
    uint32_t written;  /* bytes put into the stream so far; wraps */
    uint32_t marked;   /* as many as before the latest ping */
    uint32_t answered; /* as many as before the latest one that was answered: they have been read */
    uint32_t window;   /* bytes that may be on their way */
    uint32_t widest;   /* it has been */
    uint32_t number;   /* of the latest ping; 0: there was none */
    uint32_t began_at;
    uint32_t pinged_at;  /* the latest ping, or the beginning */
    uint32_t least;      /* ms: the shortest delay of a pong so far */
    uint32_t waited;     /* ms: how much longer the latest one took than that */
    uint32_t busy_at;    /* since when it has been carrying what the next pong tells of */
    uint32_t burst_at;   /* the latest time at which something was sent, … */
    uint32_t burst;      /* … and how many bytes */
    uint32_t tested;     /* as many of them as were just before the latest ping */
    uint64_t burst_rate; /* bytes a second that came through so, at the best … */
    uint32_t bursts;     /* … of so many times */
    uint16_t interval;   /* ms between pings when nothing else calls for one */
    uint8_t level;
    bool pinging : 1; /* the latest ping has not been answered */
    bool held : 1;    /* what there was to send did not fit */
    bool backed : 1;  /* the socket did not take it, and no ping was sent since */
    bool filled : 1;  /* the latest ping was sent because of the bytes on their way */
    bool steady : 1;  /* there has long been no trouble */
    bool suspect : 1; /* there was trouble once, on a line that had none */
    bool probing : 1; /* the level has been lowered, and there was no trouble since */
    bool known : 1;   /* it has carried all there was for a period, or could not */
    bool proven : 1;  /* it has carried all there was for a whole period */
    bool raised : 1;  /* it has been raised, and what there is to send is still what it was */

    /* Since when, and what there was in that time to judge the line by. */
    uint32_t period_at;
    uint32_t period_read;    /* bytes known to have been read */
    uint32_t period_offered; /* bytes of the snapshots that there were to send, … */
    uint16_t offered;        /* … how many these were … */
    uint16_t missed;         /* … and how many of them did not fit */
    uint32_t judge_from;     /* pings sent before do not tell of how things are now */
    uint32_t calm_at;        /* since when there has been no trouble */
    uint32_t patience;       /* ms without trouble after which the level is lowered */
    uint32_t taken_at;       /* when the client is known to have taken something */
    uint32_t queued;         /* bytes that its kernel had not acknowledged then */
    struct share share;
};

/* At the beginning of the connection: the first ping, with nothing in front of it, measures the
 * way's length. Sessions with different `spread` send their pings at different times. */
void line_init(struct line *line, uint32_t spread, uint32_t now);

/* Whether the session's share has that many bytes. What is far more than it waits for a coarser
 * stream, unless there is none. */
bool line_affords(struct line *line, size_t size, uint32_t now);

/* Whether that many bytes more would be read soon. */
bool line_takes(struct line *line, size_t size, uint32_t now);

/* The socket does not take at once what it is given. */
void line_hold(struct line *line);

/* So many bytes have been put into the stream. */
void line_sent(struct line *line, size_t size, uint32_t now);

/* Whether a ping is due, behind all that has been sent. It has line->number once sent. */
bool line_ping_due(const struct line *line, uint32_t now);
void line_pinged(struct line *line, uint32_t now);

/* The pong to the ping of that number; any other is ignored. What is on its way, the window and the
 * level are judged again. */
void line_pong(struct line *line, uint32_t number, uint32_t now);

/* There are `count` snapshots more to send, `size` bytes in all. `missed`: the one before could not
 * be sent. */
void line_offer(struct line *line, uint32_t count, size_t size, bool missed);

/* From now on there is something else to send, such as the level asked for. */
void line_changed(struct line *line, uint32_t now);

/* Whether something has been unanswered for so long that it is worth asking the kernel how much it
 * holds: see line_stalled(). */
bool line_waits(const struct line *line, uint32_t now);

/* Once a second while line_waits(): whether the client has taken nothing for `timeout` ms. queued:
 * bytes that its kernel has not acknowledged. While that is 0, the client may still be reading what
 * it was sent: it gets the time that this takes at 1 KB/s, but no more than three timeouts in all.
 */
bool line_stalled(struct line *line, uint32_t queued, uint32_t timeout, uint32_t now);

/* The server itself stood still for so long (ms): that says nothing of the line. */
void line_skip(struct line *line, uint32_t time);

#endif
