#include "net/session/line.h"

#include <string.h>

#define S 1000u /* ms */

/* A ping and its pong cost as much as sending 2 KB twice: clients that have long been quick are
 * asked less often. What is on its way is bounded all the same, and a socket that does not take
 * everything at once calls for a ping. */
#define PING_TIME    (1 * S)
#define PING_SPREAD  250
#define BACKED_TIME  100          /* between pings that a full socket calls for */
#define PING_STEADY  4u           /* times as long, … */
#define STEADY_BYTES (256u << 10) /* … unless so much was sent meanwhile */

/* Delays are counted beyond the shortest one, which is the way's own length. */
#define LEAST_MAX   1000 /* no way is longer: what is beyond is waiting */
#define HOLD_TIME   500  /* a ping unanswered for longer: nothing is sent */
#define LATE_TIME   700  /* a pong later than that: too much is sent */
#define CALM_TIME   350
#define SLIP_TIME   120 /* on an unknown line: what is beyond, and grows, is a sign */
#define QUICK_TIME  200 /* within these times the window's bytes should be read: … */
#define WINDOW_TIME 400 /* … it grows below the one, and shrinks above the other */

#define WINDOW_MIN 1024u
#define WINDOW_MAX (64u << 20)

#define PERIOD         (2 * S)
#define PERIOD_FIRST   (1 * S) /* while the line is unknown, besides the length of its way, … */
#define PERIOD_HASTY   (S / 2) /* … and when it has been so for HASTY_TIME and two ways */
#define HASTY_TIME     (5 * S / 2)
#define OFFERED_MIN    4u
#define SETTLE_TIME    (1 * S) /* until what was asked for takes effect */
#define TRY_TIME       (5 * S) /* a try that has gone well for so long was no mistake */
#define STEADY_TIME    (10 * S)
#define PATIENCE_FIRST (5 * S)
#define PATIENCE_LAST  (60 * S)
#define PATIENCE_SURE  (1 * S) /* when it is plain that far more would be read */
#define SURE_LEVELS    2u
#define SURE_TIME      5 /* a delay that says nothing */
#define LONG_AGO       (3600 * S)
#define BURSTS_SURE    4u
#define BURST_MIN      256u  /* bytes that tell something of a line's rate */
#define SLOWEST_RATE   1024u /* bytes a second that a client reads to be kept */
#define SHARE_TIME     2u    /* s: what takes more of the share than that is far too much */

/* Whether so many ms have passed since then; it may lie ahead. */
static bool passed(uint32_t then, uint32_t time, uint32_t now)
{
    return (int32_t)(now - then) >= (int32_t)time;
}

/* Keeps a time that only the past needs from lying so far back that it would seem ahead. */
static void keep_near(uint32_t *then, uint32_t now)
{
    if (passed(*then, LONG_AGO, now)) {
        *then = now - LONG_AGO;
    }
}

static uint32_t on_the_way(const struct line *line)
{
    return line->written - line->answered;
}

/* So little that it does not count. */
static bool idle(const struct line *line)
{
    return on_the_way(line) <= line->window / 8;
}

static uint32_t way_length(const struct line *line)
{
    return line->least < LEAST_MAX ? line->least : LEAST_MAX;
}

static void begin_period(struct line *line, uint32_t now)
{
    line->period_at = now;
    line->period_read = line->period_offered = 0;
    line->offered = line->missed = 0;
    line->share.held = false;
}

void line_init(struct line *line, uint32_t spread, uint32_t now)
{
    memset(line, 0, sizeof *line);
    line->window = line->widest = LINE_WINDOW_FIRST;
    /* Fibonacci hashing: neighbours get times far apart. */
    line->interval = (uint16_t)(PING_TIME + ((uint64_t)(spread * 2654435769u) * PING_SPREAD >> 32));
    line->least = UINT32_MAX;
    line->patience = PATIENCE_FIRST;
    line->began_at = line->pinged_at = line->busy_at = line->calm_at = line->taken_at = now;
    begin_period(line, now);
}

/* ---- sending ---- */

bool line_affords(struct line *line, size_t size, uint32_t now)
{
    return share_takes(&line->share, line->level < LINE_LEVEL_MAX ? SHARE_TIME : 0, size, now);
}

bool line_takes(struct line *line, size_t size, uint32_t now)
{
    bool fresh = !line->pinging || !passed(line->pinged_at, HOLD_TIME + way_length(line), now);
    bool awaiting = line->raised && !passed(line->judge_from, 0, now); /* less, that will come */

    line->held = !fresh || awaiting || (on_the_way(line) + size > line->window && !idle(line));
    return !line->held;
}

void line_sent(struct line *line, size_t size, uint32_t now)
{
    if (idle(line)) {
        line->busy_at = now;
    }
    if (line->burst_at != now) {
        line->burst_at = now;
        line->burst = 0;
    }
    line->burst += (uint32_t)size;
    line->written += (uint32_t)size;
    share_sent(&line->share, size);
}

void line_hold(struct line *line)
{
    line->backed = true;
}

/* More is offered than was, to see whether that is too much. */
static bool is_trying(const struct line *line, uint32_t now)
{
    return line->probing && !passed(line->judge_from, TRY_TIME, now);
}

/* Whether what has been sent calls for a ping, however long ago the last one was. */
static bool is_full(const struct line *line, uint32_t now)
{
    uint32_t unmarked = line->written - line->marked;

    return line->number == 0 || line->held || unmarked > line->window / 2 ||
           (line->backed && passed(line->pinged_at, BACKED_TIME, now)) ||
           (unmarked > STEADY_BYTES && passed(line->pinged_at, PING_TIME, now)) ||
           (unmarked > 0 && is_trying(line, now));
}

static uint32_t interval(const struct line *line)
{
    return line->steady ? line->interval * PING_STEADY : line->interval;
}

bool line_ping_due(const struct line *line, uint32_t now)
{
    /* Behind a snapshot, a ping tells how quickly that came through. */
    uint32_t wait = line->level > 0 && line->burst_at != now ? PING_TIME : 0;

    return !line->pinging &&
           (is_full(line, now) || passed(line->pinged_at, interval(line) + wait, now));
}

void line_pinged(struct line *line, uint32_t now)
{
    line->filled = is_full(line, now);
    line->backed = false;
    line->tested = line->burst_at == now ? line->burst : 0;
    line->number++;
    line->pinging = true;
    line->pinged_at = now;
    line->marked = line->written;
}

/* ---- judging ---- */

static uint64_t per_second(uint64_t bytes, uint64_t time)
{
    return bytes * S / (time > 0 ? time : 1);
}

/* What a line of that rate may have on its way: what it carries while it takes a pong to come, and
 * what may wait. */
static uint64_t fitting(const struct line *line, uint64_t rate)
{
    return rate * (WINDOW_TIME + way_length(line)) / S;
}

/* Returns whether the window is wider than ever: then what did not fit says nothing of the line. */
static bool fit_window(struct line *line, uint32_t read, uint32_t waited, uint32_t now)
{
    uint64_t most = fitting(line, per_second(read, now - line->busy_at));
    uint64_t fits;

    if (waited > WINDOW_TIME) {
        fits = most;
        line->window = fits < WINDOW_MIN     ? WINDOW_MIN
                       : fits < line->window ? (uint32_t)fits
                                             : line->window;
        return false;
    }
    if (!line->filled || waited > QUICK_TIME) {
        return false;
    }
    if (waited > QUICK_TIME / 2) {
        fits = 2 * (uint64_t)read < most ? 2 * (uint64_t)read : most;
    } else {
        fits = 4 * (uint64_t)read;
    }
    if (fits <= line->window || line->window == WINDOW_MAX) {
        return false;
    }
    line->window = fits < WINDOW_MAX ? (uint32_t)fits : WINDOW_MAX;
    if (line->window <= line->widest + line->widest / 4) {
        return false;
    }
    line->widest = line->window;
    return true;
}

static void set_level(struct line *line, unsigned level, uint32_t now)
{
    level = level < LINE_LEVEL_MAX ? level : LINE_LEVEL_MAX;
    line->raised = level > line->level;
    line->level = (uint8_t)level;
    line->known = true;
    line->suspect = false;
    line->calm_at = now;
    line->judge_from = now + SETTLE_TIME;
    line->bursts = 0;
    begin_period(line, now);
}

/* How often `more` has to be halved for `less` to be enough, rounded up. */
static unsigned halvings(uint64_t more, uint64_t less)
{
    unsigned count = 0;

    while (more > less << count && count < LINE_LEVEL_MAX) {
        count++;
    }
    return count;
}

/* It has carried all there was, quickly: then it may be late once, as when a client or the server
 * itself hangs for a moment. */
static bool is_proven(const struct line *line)
{
    return line->level == 0 && line->proven;
}

/* Whether more is offered than the session's share. */
static bool overdraws(const struct line *line, uint32_t now)
{
    return line->share.held &&
           per_second(line->period_offered, now - line->period_at) > line->share.rate;
}

/* Bytes of what is offered that the client can be sent: what it has read, or with `share` its
 * share; and a quarter to spare. */
static uint64_t bearable(const struct line *line, bool share, uint32_t now)
{
    uint64_t bytes =
        share ? (uint64_t)line->share.rate * (now - line->period_at) / S : line->period_read;

    return bytes * 3 / 4 > 0 ? bytes * 3 / 4 : 1;
}

/* A try to offer more that failed is taken back. */
static void raise_by(struct line *line, unsigned steps, uint32_t now)
{
    if (is_trying(line, now)) {
        line->patience =
            line->patience < PATIENCE_LAST / 2 ? line->patience * 2 : (uint32_t)PATIENCE_LAST;
        steps = 1;
    }
    line->probing = line->proven = false;
    set_level(line, line->level + (steps > 0 ? steps : 1), now);
}

/* Too much is offered: there is as much less as the line needs. */
static void raise(struct line *line, bool late, uint32_t now)
{
    unsigned steps = halvings(line->period_offered, bearable(line, false, now));

    if (line->period_offered == 0) {
        return;
    }
    if (!is_trying(line, now) && !line->suspect && (is_proven(line) || (late && steps < 2))) {
        line->suspect = true;
        begin_period(line, now);
        return;
    }
    raise_by(line, steps, now);
}

/* That rate, or the session's share if it is less. */
static uint64_t most_of(const struct line *line, uint64_t rate)
{
    return line->share.rate > 0 && line->share.rate < rate ? line->share.rate : rate;
}

/* The best rate of some bursts: what makes one later than another is not the line's rate. */
static void note_burst(struct line *line, uint32_t waited)
{
    uint64_t rate = per_second(line->tested, waited + SURE_TIME);

    if (line->tested < BURST_MIN) {
        return;
    }
    if (line->bursts == BURSTS_SURE) {
        line->bursts = 0;
    }
    line->burst_rate = line->bursts++ > 0 && line->burst_rate > rate ? line->burst_rate : rate;
}

/* How many levels less the client would surely read in time: what it was sent came through so
 * quickly. After a try that failed, it takes several bursts to say so. */
static unsigned sure_levels(const struct line *line, uint32_t waited, uint32_t span)
{
    bool tried = line->patience > PATIENCE_FIRST;
    uint64_t rate = tried ? line->burst_rate : per_second(line->tested, waited + SURE_TIME);
    uint64_t carried = most_of(line, rate / 2);
    uint64_t offered = per_second(line->period_offered, span);
    unsigned count = 0;

    if (line->tested < BURST_MIN || line->offered < 2 || (tried && line->bursts < BURSTS_SURE)) {
        return 0;
    }
    while (count < line->level && offered << (count + 1) <= carried) {
        count++;
    }
    return count;
}

/* What the line has carried so far is known; that it carries more is not, so little more than that
 * may be on its way. */
static void try_more(struct line *line, unsigned levels, uint32_t now)
{
    uint64_t rate = per_second(line->period_read, now - line->period_at);
    uint64_t fits = fitting(line, rate);

    if (fits < line->window) {
        line->window = fits > WINDOW_MIN ? (uint32_t)fits : WINDOW_MIN;
    }
    line->probing = true;
    set_level(line, line->level - levels, now);
}

/* Whether twice of what is offered is within the session's share. */
static bool shares_more(const struct line *line, bool whole, uint32_t now)
{
    uint64_t twice = 2 * per_second(line->period_offered, now - line->period_at);

    return line->share.rate == 0 || (whole && twice <= line->share.rate);
}

static void lower(struct line *line, uint32_t waited, bool whole, uint32_t now)
{
    unsigned sure = sure_levels(line, waited, now - line->period_at);
    bool plain = sure >= SURE_LEVELS || (sure > 0 && sure == line->level);

    if (!shares_more(line, whole, now) ||
        !passed(line->calm_at, plain ? PATIENCE_SURE : line->patience, now)) {
        return;
    }
    if (line->probing || plain) {
        line->patience = PATIENCE_FIRST; /* the last try went well, or this one will */
    }
    try_more(line, plain ? sure : 1, now);
}

/* Whether one of the snapshots alone would be on its way for too long. */
static bool is_heavy(const struct line *line)
{
    return line->offered > 0 && line->period_offered / line->offered > 2 * line->window;
}

/* How long it takes to see whether too little is read. On a long way the window grows slowly, and
 * until it has, what is missed says nothing. */
static uint32_t starving_time(const struct line *line, uint32_t now)
{
    return line->known ? PERIOD
           : passed(line->began_at, HASTY_TIME + 2 * way_length(line), now)
               ? PERIOD_HASTY + way_length(line)
               : PERIOD_FIRST + way_length(line);
}

/* Whether too little of what is offered is read. On an unknown line it is enough that more and more
 * waits: where a little too much is offered, it takes many seconds until that is missed. */
static bool is_starved(const struct line *line, uint32_t waited, uint32_t now)
{
    const uint32_t offered = line->period_offered;

    if (!passed(line->period_at, starving_time(line, now), now) || line->offered < OFFERED_MIN) {
        return false;
    }
    if (line->known) {
        return line->missed * 3u > line->offered;
    }
    return line->missed * 8u > line->offered || (waited > SLIP_TIME && waited >= line->waited &&
                                                 line->period_read < offered - offered / 32);
}

static void judge(struct line *line, uint32_t waited, bool grew, uint32_t now)
{
    bool late = waited > (is_trying(line, now) ? CALM_TIME : LATE_TIME) ||
                (waited > WINDOW_TIME && is_heavy(line));
    bool whole = passed(line->period_at, PERIOD, now) && line->offered >= OFFERED_MIN;
    bool starved = !grew && is_starved(line, waited, now);

    if (!passed(line->judge_from, 0, line->pinged_at)) {
        begin_period(line, now);
        return;
    }
    if (whole && overdraws(line, now)) {
        raise_by(line, halvings(line->period_offered, bearable(line, true, now)), now);
    } else if (late || starved) {
        raise(line, late, now);
    } else if (waited > CALM_TIME || line->missed * 8u > line->offered) {
        line->calm_at = now;
    } else {
        line->suspect = line->suspect && !whole;
        line->proven = line->proven || (whole && line->level == 0);
        line->known = line->known || line->proven;
        if (line->level > 0) {
            lower(line, waited, whole, now);
        }
    }
    if (whole || grew) {
        begin_period(line, now);
    }
}

void line_pong(struct line *line, uint32_t number, uint32_t now)
{
    uint32_t delay = now - line->pinged_at;
    uint32_t read = line->marked - line->answered;
    uint32_t waited;
    bool grew;

    if (!line->pinging || number != line->number) {
        return;
    }
    line->pinging = line->held = false;
    line->answered = line->marked;
    line->taken_at = now;
    line->period_read += read;
    if (delay < line->least) {
        line->least = delay;
    }
    waited = delay - way_length(line);
    grew = fit_window(line, read, waited, now);
    note_burst(line, waited);
    line->busy_at = now;
    keep_near(&line->began_at, now);
    keep_near(&line->period_at, now);
    keep_near(&line->judge_from, now);
    keep_near(&line->calm_at, now);
    judge(line, waited, grew, now);
    line->waited = waited;
    line->steady = line->level == 0 && passed(line->calm_at, STEADY_TIME, now);
}

void line_offer(struct line *line, uint32_t count, size_t size, bool missed)
{
    line->offered =
        (uint16_t)(line->offered + count < UINT16_MAX ? line->offered + count : UINT16_MAX);
    line->period_offered =
        (uint32_t)(size < UINT32_MAX - line->period_offered ? line->period_offered + size
                                                            : UINT32_MAX);
    line->missed = (uint16_t)(line->missed + (missed && line->missed < UINT16_MAX));
}

void line_changed(struct line *line, uint32_t now)
{
    line->raised = false;
    line->judge_from = now;
    line->calm_at = now;
    begin_period(line, now);
}

/* ---- stalls ---- */

bool line_waits(const struct line *line, uint32_t now)
{
    return passed(line->pinged_at, (line->pinging ? 0 : interval(line)) + PING_TIME, now);
}

/* What the client's own kernel has taken the client may be reading, which is not seen from here
 * until the pong comes: so long a client of SLOWEST_RATE needs for it. */
static uint32_t reading_time(const struct line *line, uint32_t most)
{
    uint64_t time = (uint64_t)on_the_way(line) * S / SLOWEST_RATE;

    return time < most ? (uint32_t)time : most;
}

bool line_stalled(struct line *line, uint32_t queued, uint32_t timeout, uint32_t now)
{
    if (queued < line->queued) {
        line->taken_at = now;
    }
    line->queued = queued;
    return passed(line->taken_at, timeout + (queued == 0 ? reading_time(line, 2 * timeout) : 0),
                  now);
}

/* ---- standstills ---- */

void line_skip(struct line *line, uint32_t time)
{
    line->began_at += time;
    line->pinged_at += time;
    line->busy_at += time;
    line->burst_at += time;
    line->period_at += time;
    line->judge_from += time;
    line->calm_at += time;
    line->taken_at += time;
}
