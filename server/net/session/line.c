#include "net/session/line.h"

#include <assert.h>
#include <string.h>

#define S 1000u /* ms */

/* A ping and its pong cost as much as sending 2 KB twice, so clients that have long been quick are
 * pinged less often. The window still limits unread bytes, and a full socket still causes a ping.
 */
#define PING_TIME    (1 * S)
#define PING_SPREAD  250
#define BACKED_TIME  100          /* between pings that a full socket causes */
#define PING_STEADY  4u           /* factor on the interval while steady, … */
#define STEADY_BYTES (256u << 10) /* … unless this many bytes were sent since the last ping */
#define PING_SPARED  24u          /* the same while spared */
#define SPARED_BYTES (1u << 20)

/* A delay is counted beyond the shortest delay, which is the length of the way. */
#define LEAST_MAX   1000 /* a longer delay is waiting, not way */
#define HOLD_TIME   500  /* unanswered for longer: nothing is sent */
#define LATE_TIME   700  /* a pong later than this: too much is sent */
#define CALM_TIME   350
#define SLIP_TIME   120 /* on an unknown line, a growing delay beyond this is a sign of overload */
#define QUICK_TIME  200 /* the window's bytes should be read within these: … */
#define WINDOW_TIME 400 /* … it grows below the first and shrinks above the second */

#define WINDOW_MIN 1024u
#define WINDOW_MAX (64u << 20)

#define PERIOD         (2 * S)
#define PERIOD_FIRST   (1 * S) /* plus the way's length, while the line is unknown, … */
#define PERIOD_HASTY   (S / 2) /* … and after it was unknown for HASTY_TIME plus two ways */
#define HASTY_TIME     (5 * S / 2)
#define OFFERED_MIN    4u
#define SETTLE_TIME    (1 * S) /* until a new level takes effect */
#define TRY_TIME       (5 * S) /* a try without trouble for this time has succeeded */
#define STEADY_TIME    (10 * S)
#define PATIENCE_FIRST (5 * S)
#define PATIENCE_LAST  (60 * S) /* fits 16 bits */
#define PATIENCE_SURE  (1 * S)  /* when bursts show that far more would be read */
#define SURE_LEVELS    2u
#define SURE_TIME      5 /* added to a burst's delay: shorter delays cannot be measured */
#define LONG_AGO       (3600 * S)
#define BURSTS_SURE    4u
#define BURST_MIN      256u  /* bytes of the smallest burst that shows a line's rate */
#define SLOWEST_RATE   1024u /* bytes per second: a slower client is disconnected */
#define SHARE_TIME     2u    /* s of the share: a larger snapshot is far too large */

/* Returns true if `time` ms have passed since `then`, which may lie in the future. */
static bool has_passed(uint32_t then, uint32_t time, uint32_t now)
{
    return (int32_t)(now - then) >= (int32_t)time;
}

/* Moves a time in the far past forward, before wrapping makes it look like the future. */
static void keep_near(uint32_t *then, uint32_t now)
{
    if (has_passed(*then, LONG_AGO, now)) {
        *then = now - LONG_AGO;
    }
}

static uint32_t on_the_way(const struct line *line)
{
    return line->written - line->answered;
}

/* Returns true if the unread bytes are too few to matter. */
static bool is_idle(const struct line *line)
{
    return on_the_way(line) <= line->window / 8;
}

static uint32_t way_length(const struct line *line)
{
    return line->least < LEAST_MAX ? line->least : LEAST_MAX;
}

/* Returns by how much longer than the way the ping's answer took that arrived at that time. */
static uint32_t waited_beyond(const struct line *line, uint32_t arrived)
{
    uint32_t delay = arrived - line->pinged_at;

    return delay > way_length(line) ? delay - way_length(line) : 0;
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
    /* Fibonacci hashing: consecutive numbers get distant times. */
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

bool line_fits(const struct line *line, size_t size)
{
    return on_the_way(line) + size <= line->window || is_idle(line);
}

/* Returns true if the level was raised: fewer snapshots will be offered soon. */
static bool is_awaiting(const struct line *line, uint32_t now)
{
    return line->raised && !has_passed(line->judge_from, 0, now);
}

bool line_takes(struct line *line, size_t size, uint32_t now, uint32_t late)
{
    bool fresh =
        !line->pinging || !has_passed(line->pinged_at, HOLD_TIME + way_length(line), now - late);
    bool awaiting = is_awaiting(line, now);

    line->held = !fresh || !line_fits(line, size);
    line->excused = awaiting || (line->held && line->pinging && late > 0 &&
                                 !has_passed(line->pinged_at, way_length(line) + 1, now - late));
    return !line->held && !awaiting;
}

bool line_takes_unread(struct line *line, size_t size, uint32_t queued, uint32_t now)
{
    if (queued + size > line->window && queued > line->window / 8) {
        return false;
    }
    line->held = false;
    return !is_awaiting(line, now);
}

void line_written(struct line *line, size_t size, uint32_t now)
{
    if (is_idle(line)) {
        line->busy_at = now;
    }
    if (line->burst_at != now) {
        line->burst_at = now;
        line->burst = 0;
    }
    line->burst += (uint32_t)size;
    line->written += (uint32_t)size;
}

void line_sent(struct line *line, size_t size, uint32_t now)
{
    line_written(line, size, now);
    share_sent(&line->share, size);
}

void line_keyed(struct line *line)
{
    line->keyed = true;
}

void line_hold(struct line *line)
{
    line->backed = true;
}

/* Returns true while a higher rate is being tried. */
static bool is_trying(const struct line *line, uint32_t now)
{
    return line->probing && !has_passed(line->judge_from, TRY_TIME, now);
}

/* Returns true if the line has carried all snapshots quickly. Then one delay is excused: the client
 * or the server may have hung for a moment. */
static bool is_proven(const struct line *line)
{
    return line->level == 0 && line->proven;
}

bool line_is_spared(const struct line *line)
{
    return line->spared && is_proven(line);
}

/* Returns true if the sent data calls for a ping, regardless of the last ping's time. */
static bool is_full(const struct line *line, uint32_t now)
{
    uint32_t unmarked = line->written - line->marked;
    uint32_t most = line_is_spared(line) ? SPARED_BYTES : STEADY_BYTES;
    /* One ping, while nothing else is sent, measures the way alone. */
    bool measures = is_awaiting(line, now) && !has_passed(line->calm_at, 0, line->pinged_at);

    return line->number == 0 || line->held || measures || unmarked > line->window / 2 ||
           (line->backed && has_passed(line->pinged_at, BACKED_TIME, now)) ||
           (unmarked > most && has_passed(line->pinged_at, PING_TIME, now)) ||
           (unmarked > 0 && is_trying(line, now));
}

static uint32_t ping_interval(const struct line *line)
{
    if (line_is_spared(line)) {
        return line->interval * PING_SPARED;
    }
    return line->steady ? line->interval * PING_STEADY : line->interval;
}

bool line_ping_due(const struct line *line, uint32_t now)
{
    /* A ping right behind a snapshot measures how quickly the snapshot passed. */
    uint32_t wait = line->level > 0 && line->burst_at != now ? PING_TIME : 0;

    return !line->pinging &&
           (is_full(line, now) || has_passed(line->pinged_at, ping_interval(line) + wait, now));
}

void line_pinged(struct line *line, uint32_t now)
{
    line->filled = is_full(line, now);
    line->tests_key = line->keyed;
    line->keyed = false;
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

/* Returns the largest useful window at that rate: what the line carries until a pong comes back,
 * plus what may wait. */
static uint64_t fitting_bytes(const struct line *line, uint64_t rate)
{
    return rate * (WINDOW_TIME + way_length(line)) / S;
}

/* Updates the window. Returns true if it is wider than ever: then what did not fit proves nothing.
 */
static bool fit_window(struct line *line, uint32_t read, uint32_t waited, uint32_t now)
{
    uint32_t time = has_passed(line->busy_at, 0, now) ? now - line->busy_at : 0;
    uint64_t most = fitting_bytes(line, per_second(read, time));
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

/* Returns how often `more` must be halved to be at most `less`, rounded up. */
static unsigned count_halvings(uint64_t more, uint64_t less)
{
    unsigned count = 0;

    while (more > less << count && count < LINE_LEVEL_MAX) {
        count++;
    }
    return count;
}

/* Returns true if more is offered than the session's share. */
static bool is_overdrawn(const struct line *line, uint32_t now)
{
    return line->share.held &&
           per_second(line->period_offered, now - line->period_at) > line->share.rate;
}

/* Returns 3/4 of the bytes that the client can be sent in the period: of what it has read, or with
 * `share` of its share. */
static uint64_t bearable_bytes(const struct line *line, bool share, uint32_t now)
{
    uint64_t bytes =
        share ? (uint64_t)line->share.rate * (now - line->period_at) / S : line->period_read;

    return bytes * 3 / 4 > 0 ? bytes * 3 / 4 : 1;
}

/* Raises the level. A failed try is undone, and the next one waits twice as long. */
static void raise_by(struct line *line, unsigned steps, uint32_t now)
{
    if (is_trying(line, now)) {
        line->patience =
            (uint16_t)(line->patience < PATIENCE_LAST / 2 ? line->patience * 2u : PATIENCE_LAST);
        steps = 1;
    }
    line->probing = line->proven = false;
    set_level(line, line->level + (steps > 0 ? steps : 1), now);
}

/* Raises the level as far as the line needs, or excuses the first trouble of a good line. */
static void raise_level(struct line *line, bool late, uint32_t now)
{
    unsigned steps = count_halvings(line->period_offered, bearable_bytes(line, false, now));

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

/* Returns the rate, or the session's share if that is less. */
static uint64_t most_of(const struct line *line, uint64_t rate)
{
    return line->share.rate > 0 && line->share.rate < rate ? line->share.rate : rate;
}

/* Notes the best rate of several bursts: other delays than the line's make single bursts slower. */
static void note_burst(struct line *line, uint32_t waited)
{
    uint64_t rate = per_second(line->tested, waited + SURE_TIME);

    if (line->tested < BURST_MIN) {
        return;
    }
    if (line->bursts == BURSTS_SURE) {
        line->bursts = 0;
    }
    if (line->bursts++ == 0 || rate > line->burst_rate) {
        line->burst_rate = rate < UINT32_MAX ? (uint32_t)rate : UINT32_MAX;
    }
}

/* Returns by how many levels the client could certainly be lowered, judged by how quickly bursts
 * passed. After a failed try, several bursts are needed. */
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

/* Lowers the level. Only the rate carried so far is known, so the window is limited to that rate.
 */
static void try_more(struct line *line, unsigned levels, uint32_t now)
{
    uint64_t rate = per_second(line->period_read, now - line->period_at);
    uint64_t fits = fitting_bytes(line, rate);

    if (fits < line->window) {
        line->window = fits > WINDOW_MIN ? (uint32_t)fits : WINDOW_MIN;
    }
    line->probing = true;
    set_level(line, line->level - levels, now);
}

/* Returns true if twice the offered rate is within the session's share. */
static bool may_share_more(const struct line *line, bool whole, uint32_t now)
{
    uint64_t twice = 2 * per_second(line->period_offered, now - line->period_at);

    return line->share.rate == 0 || (whole && twice <= line->share.rate);
}

static void lower_level(struct line *line, uint32_t waited, bool whole, uint32_t now)
{
    unsigned sure = sure_levels(line, waited, now - line->period_at);
    bool plain = sure >= SURE_LEVELS || (sure > 0 && sure == line->level);

    if (line->probing && !is_trying(line, now)) {
        line->patience = PATIENCE_FIRST; /* the last try succeeded */
    }
    if (!may_share_more(line, whole, now) ||
        !has_passed(line->calm_at, plain ? PATIENCE_SURE : line->patience, now)) {
        return;
    }
    if (plain) {
        line->patience = PATIENCE_FIRST; /* this try will succeed */
    }
    try_more(line, plain ? sure : 1, now);
}

/* Returns true if the average snapshot alone would be on its way for too long. */
static bool is_heavy(const struct line *line)
{
    return line->offered > 0 && line->period_offered / line->offered > 2 * line->window;
}

/* Returns the time needed to see that too little is read. On a long way the window grows slowly,
 * and until then missed snapshots prove nothing. */
static uint32_t starving_time(const struct line *line, uint32_t now)
{
    return line->known ? PERIOD
           : has_passed(line->began_at, HASTY_TIME + 2 * way_length(line), now)
               ? PERIOD_HASTY + way_length(line)
               : PERIOD_FIRST + way_length(line);
}

/* Returns true if too little of the offered data is read. On an unknown line a growing delay is
 * enough: a small overload takes many seconds to show as missed snapshots. */
static bool is_starved(const struct line *line, uint32_t waited, uint32_t now)
{
    const uint32_t offered = line->period_offered;

    if (!has_passed(line->period_at, starving_time(line, now), now) ||
        line->offered < OFFERED_MIN) {
        return false;
    }
    if (line->known) {
        return line->missed * 3u > line->offered;
    }
    return line->missed * 8u > line->offered || (waited > SLIP_TIME && waited >= line->waited &&
                                                 line->period_read < offered - offered / 32);
}

/* Returns true if the answer came so late that too much is sent. A try begins with a keyframe: the
 * deltas after it may fit even if it took long. */
static bool is_late(const struct line *line, uint32_t waited, uint32_t now)
{
    bool heavy = waited > WINDOW_TIME && is_heavy(line);

    if (!is_trying(line, now)) {
        return waited > LATE_TIME || heavy;
    }
    return waited > (line->tests_key ? LATE_TIME : CALM_TIME);
}

/* longest: the same, if the answer came only when it was read. */
static void judge_line(struct line *line, uint32_t waited, uint32_t longest, bool grew,
                       uint32_t now)
{
    bool late = is_late(line, waited, now);
    bool whole = has_passed(line->period_at, PERIOD, now) && line->offered >= OFFERED_MIN;
    bool starved = !grew && is_starved(line, waited, now);

    if (!has_passed(line->judge_from, 0, line->pinged_at)) {
        begin_period(line, now);
        return;
    }
    if (whole && is_overdrawn(line, now)) {
        raise_by(line, count_halvings(line->period_offered, bearable_bytes(line, true, now)), now);
    } else if (late || starved) {
        raise_level(line, late, now);
    } else if (waited > CALM_TIME || line->missed * 8u > line->offered) {
        line->calm_at = now;
    } else {
        line->suspect = line->suspect && !whole;
        line->proven = line->proven || (whole && line->level == 0);
        line->known = line->known || line->proven;
        if (line->level > 0) {
            lower_level(line, longest, whole, now);
        }
    }
    if (whole || grew) {
        begin_period(line, now);
    }
}

void line_pong(struct line *line, uint32_t number, uint32_t now, uint32_t late)
{
    uint32_t delay = now - line->pinged_at;
    uint32_t arrived = late < delay ? now - late : line->pinged_at;
    uint32_t read = line->marked - line->answered;
    uint32_t waited, longest;
    bool grew;

    if (!line->pinging || number != line->number) {
        return;
    }
    line->pinging = line->held = false;
    line->answered = line->marked;
    line->taken_at = now;
    line->period_read += read;
    /* The server's own delay must not make the way look shorter, or a burst look quicker. */
    if (delay < line->least) {
        line->least = delay;
    }
    longest = delay - way_length(line);
    note_burst(line, longest);
    waited = waited_beyond(line, arrived);
    grew = fit_window(line, read, waited, arrived);
    line->busy_at = now;
    keep_near(&line->began_at, now);
    keep_near(&line->period_at, now);
    keep_near(&line->judge_from, now);
    keep_near(&line->calm_at, now);
    judge_line(line, waited, longest, grew, now);
    assert(line->window >= WINDOW_MIN && line->window <= WINDOW_MAX);
    assert(line->level <= LINE_LEVEL_MAX);
    line->waited = waited;
    line->steady = line->level == 0 && has_passed(line->calm_at, STEADY_TIME, now);
}

void line_offer(struct line *line, size_t size, bool missed)
{
    line->offered = (uint16_t)(line->offered + (line->offered < UINT16_MAX));
    line->period_offered =
        (uint32_t)(size < UINT32_MAX - line->period_offered ? line->period_offered + size
                                                            : UINT32_MAX);
    line->missed =
        (uint16_t)(line->missed + (missed && !line->excused && line->missed < UINT16_MAX));
    line->excused = false;
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
    return has_passed(line->pinged_at, (line->pinging ? 0 : ping_interval(line)) + PING_TIME, now);
}

/* Returns how long a client of SLOWEST_RATE needs to read what its kernel has received. The server
 * cannot see this reading until the pong comes. */
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
    return has_passed(line->taken_at, timeout + (queued == 0 ? reading_time(line, 2 * timeout) : 0),
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
