#include "net/gate/admission.h"

#include <assert.h>
#include <stddef.h>
#include <string.h>

#define NEW_TIME    500u   /* ms: younger guests are spared */
#define CLASS_SIZE  64u    /* guests of an address, … */
#define CLASS_PARTS 8u     /* … or one part of all, if that is less; beyond it, extra guests go */
#define ANSWER_TIME 30000u /* ms for any answer, plus … */
#define ANSWER_RATE 50u    /* … 1 ms for each 50 bytes of it */

void admission_init(struct admission *admission, uint32_t max, uint32_t request_time, uint64_t seed)
{
    memset(admission, 0, sizeof *admission);
    assert(max >= 1);
    admission->max = max;
    admission->request_time = request_time;
    admission->seed = seed;
}

/* ---- the list of guests ---- */

struct admission_guest *admission_next(const struct admission *admission,
                                       const struct admission_guest *guest)
{
    return list_entry(guest != NULL ? guest->item.next : admission->guests.first,
                      struct admission_guest, item);
}

static uint16_t tally_of(const struct admission *admission, const struct ip *network)
{
    return (uint16_t)(ip_hash(network, admission->seed) % ADMISSION_TALLIES);
}

static bool is_extra(const struct admission_guest *guest)
{
    return guest->rank == ADMISSION_EXTRA;
}

static void append_guest(struct admission *admission, struct admission_guest *guest)
{
    guest->stage = ADMISSION_IDLE;
    list_append(&admission->guests, &guest->item);
    admission->count++;
    admission->extra += is_extra(guest);
    admission->tallies[guest->tally]++;
}

void admission_leave(struct admission *admission, struct admission_guest *guest)
{
    if (guest->stage == ADMISSION_OUT) {
        return;
    }
    assert(admission->count > 0 && admission->tallies[guest->tally] > 0);
    list_remove(&admission->guests, &guest->item);
    admission->count--;
    admission->tallies[guest->tally]--;
    if (guest->stage == ADMISSION_LINE) {
        admission->in_line[guest->tally]--;
    } else {
        admission->extra -= is_extra(guest);
    }
    guest->stage = ADMISSION_OUT;
}

void admission_recount(struct admission *admission, struct admission_guest *guest,
                       const struct ip *network)
{
    if (guest->stage != ADMISSION_OUT) {
        assert(admission->tallies[guest->tally] > 0 && guest->stage != ADMISSION_LINE);
        admission->tallies[guest->tally]--;
        guest->tally = tally_of(admission, network);
        admission->tallies[guest->tally]++;
    }
}

void admission_mark(struct admission *admission, struct admission_guest *guest,
                    enum admission_rank rank)
{
    const bool counts = guest->stage != ADMISSION_OUT && guest->stage != ADMISSION_LINE;

    admission->extra -= counts && is_extra(guest);
    guest->rank = (int8_t)rank;
    admission->extra += counts && is_extra(guest);
}

/* ---- choosing the guest to close ---- */

/* Returns the oldest guest of the address with the most guests, among guests before `end`. */
static struct admission_guest *find_most(const struct admission *admission,
                                         const struct admission_guest *end)
{
    struct admission_guest *found = admission_next(admission, NULL);

    for (struct admission_guest *guest = found; guest != end;
         guest = admission_next(admission, guest)) {
        if (admission->tallies[found->tally] > admission->count / 2) {
            break; /* no address has more */
        }
        if (admission->tallies[guest->tally] > admission->tallies[found->tally]) {
            found = guest;
        }
    }
    return found;
}

/* Returns the first guest of that tally, from `guest` to before `end`, in a stage of first to last;
 * NULL: none. */
static struct admission_guest *find_stage(const struct admission *admission,
                                          struct admission_guest *guest,
                                          const struct admission_guest *end, uint16_t tally,
                                          enum admission_stage first, enum admission_stage last)
{
    while (guest != end && (guest->tally != tally || guest->stage < first || guest->stage > last)) {
        guest = admission_next(admission, guest);
    }
    return guest != end ? guest : NULL;
}

/* Returns true if the address with the most guests has not more than a class. */
static bool is_scattered(const struct admission *admission, const struct admission_guest *most)
{
    const uint32_t part = admission->max / CLASS_PARTS;

    return admission->tallies[most->tally] <= (part < CLASS_SIZE ? part : CLASS_SIZE);
}

/* Returns the oldest guest before `end` that is idle or a WebSocket, or else busy; NULL: none.
 * Searches guests up to that rank. Trap: with idle ones before WebSockets, a few addresses could
 * hold all places with WebSockets, and each further one would displace a client on a slow line. */
static struct admission_guest *find_oldest(const struct admission *admission,
                                           const struct admission_guest *end,
                                           enum admission_rank rank)
{
    struct admission_guest *busy = NULL;

    for (struct admission_guest *guest = admission_next(admission, NULL); guest != end;
         guest = admission_next(admission, guest)) {
        if (guest->rank > (int)rank) {
            continue;
        }
        if (guest->stage == ADMISSION_IDLE || guest->stage == ADMISSION_OPEN) {
            return guest;
        }
        if (guest->stage == ADMISSION_BUSY && busy == NULL) {
            busy = guest;
        }
    }
    return busy;
}

/* Chooses among all addresses. Guests from `end` are new. */
static struct admission_guest *choose_scattered(const struct admission *admission,
                                                const struct admission_guest *end)
{
    struct admission_guest *found = NULL;
    struct admission_guest *trusted;

    if (admission->extra > admission->max / CLASS_PARTS) {
        found = find_oldest(admission, NULL, ADMISSION_EXTRA);
    }
    if (found == NULL) {
        found = find_oldest(admission, end, ADMISSION_USUAL);
    }
    if (found != NULL) {
        return found;
    }
    trusted = find_oldest(admission, end, ADMISSION_TRUSTED);
    if (trusted != NULL) { /* a new guest goes before it */
        found = find_oldest(admission, NULL, ADMISSION_USUAL);
    }
    return found != NULL ? found : trusted;
}

static struct admission_guest *choose_guest(const struct admission *admission, uint32_t now)
{
    struct admission_guest *const oldest = admission_next(admission, NULL);
    struct admission_guest *end = oldest;
    struct admission_guest *found = NULL;
    struct admission_guest *most;
    uint16_t tally;

    while (end != NULL && now - end->since >= NEW_TIME) {
        end = admission_next(admission, end);
    }
    if (end == oldest) {
        end = NULL; /* all guests are new */
    }
    most = find_most(admission, end);
    assert(most != NULL); /* the shard has guests */
    if (end != NULL && admission->tallies[most->tally] == 1) {
        struct admission_guest *crowd = find_most(admission, NULL);
        if (admission->tallies[crowd->tally] > admission->count / 2) {
            most = crowd;
            end = NULL;
        }
    }
    if (is_scattered(admission, most) && (found = choose_scattered(admission, end)) != NULL) {
        return found;
    }
    tally = most->tally;
    if (2u * admission->in_line[tally] > admission->tallies[tally]) {
        found = find_stage(admission, oldest, NULL, tally, ADMISSION_LINE, ADMISSION_LINE);
    }
    if (found == NULL) {
        found = find_stage(admission, most, end, tally, ADMISSION_IDLE, ADMISSION_IDLE);
    }
    if (found == NULL) {
        found = find_stage(admission, most, end, tally, ADMISSION_OPEN, ADMISSION_BUSY);
    }
    if (found == NULL) { /* only new guests, besides guests in line */
        found = find_stage(admission, most, NULL, tally, ADMISSION_IDLE, ADMISSION_BUSY);
    }
    return found != NULL ? found : most;
}

/* ---- guests ---- */

static void set_deadline(struct admission_guest *guest, uint32_t due)
{
    guest->limited = true;
    guest->due = due;
}

struct admission_guest *admission_enter(struct admission *admission, struct admission_guest *guest,
                                        const struct ip *network, uint32_t now)
{
    struct admission_guest *other = NULL;

    assert(guest->stage == ADMISSION_OUT);
    if (admission->count >= admission->max) {
        other = choose_guest(admission, now);
    }
    if (other != NULL) {
        admission_leave(admission, other);
    }
    guest->tally = tally_of(admission, network);
    guest->since = now;
    set_deadline(guest, now + admission->request_time / 2);
    append_guest(admission, guest);
    assert(admission->count <= admission->max);
    return other;
}

void admission_begin(const struct admission *admission, struct admission_guest *guest)
{
    set_deadline(guest, guest->since + admission->request_time);
}

void admission_ask(const struct admission *admission, struct admission_guest *guest)
{
    guest->stage = ADMISSION_BUSY;
    admission_begin(admission, guest);
}

void admission_line_up(struct admission *admission, struct admission_guest *guest)
{
    assert(guest->stage != ADMISSION_OUT && guest->stage != ADMISSION_LINE);
    guest->stage = ADMISSION_LINE;
    admission->in_line[guest->tally]++;
    admission->extra -= is_extra(guest); /* a guest in line stays */
}

void admission_leave_line(struct admission *admission, struct admission_guest *guest)
{
    assert(guest->stage == ADMISSION_LINE && admission->in_line[guest->tally] > 0);
    guest->stage = ADMISSION_BUSY;
    admission->in_line[guest->tally]--;
    admission->extra += is_extra(guest);
}

void admission_allow(struct admission_guest *guest, uint32_t time, uint32_t now)
{
    set_deadline(guest, now + time);
}

uint32_t admission_time(size_t size)
{
    size_t more = size / ANSWER_RATE;

    return ANSWER_TIME +
           (uint32_t)(more < INT32_MAX - ANSWER_TIME ? more : INT32_MAX - ANSWER_TIME);
}

void admission_open(struct admission_guest *guest)
{
    guest->limited = false;
    if (guest->stage != ADMISSION_OUT) {
        guest->stage = ADMISSION_OPEN;
    }
}

struct admission_guest *admission_overdue(struct admission *admission, uint32_t now)
{
    struct admission_guest *guest = NULL;

    while ((guest = admission_next(admission, guest)) != NULL) {
        if (guest->limited && (int32_t)(now - guest->due) >= 0) {
            admission_leave(admission, guest);
            return guest;
        }
    }
    return NULL;
}
