/* Limits wrong keys, for each address and for all addresses together, so that no one finds a chosen
 * key by trying. A try is counted before the key is compared, and not counted if the key is right.
 * One object for the whole server; any thread.
 *
 * HTTP requests with the server's key have a limit of their own. So a pupil who guesses the keys of
 * rooms does not delay a teacher with the server's key at the same address. A wrong key of the
 * server counts toward both limits, so a guesser has no more tries with both ways to the same key.
 *
 * The limit of an address is a number of wrong keys at once, and the same number per minute. All
 * addresses together have such a limit, too; beyond it, an address with few recent tries
 * (TRIES_QUIET) may still try. Beyond the limits no key is compared, except a key that flockd made:
 * it is too long to be found by trying.
 *
 * Hellos and requests beyond the limit of an address wait in line, in groups of the same keys (see
 * waiting.h). The first group has the next try of that address, before all tries that do not wait.
 * A group whose hellos have waited for TRIES_PRICE intervals of the address, all together, has paid
 * for its try: it needs no limit. So with the default limits a right key waits for two minutes at
 * most. A class of 24 with one key waits for 5 s at most. Other clients cannot lengthen these
 * times.
 *
 * The price is a compromise. A guesser with N connections in line has N / TRIES_PRICE more tries in
 * each interval: with 1,000 connections, 8 a second. But a guesser can imitate classes, with N / 24
 * groups of 24 hellos. Then no order lets a class of 24 in within T seconds, unless N / 24 groups
 * are compared in that time. */
#ifndef TRIES_H
#define TRIES_H

#include <stdbool.h>
#include <stdint.h>

#define TRIES_QUIET 3u

#define TRIES_LIMIT_MAX 1000000u

#define TRIES_PRICE      120u /* intervals that a hello waits in line for a try of its own */
#define TRIES_FIRST_WAIT UINT64_C(30000000) /* µs */

/* Each limit is 1 to TRIES_LIMIT_MAX. */
struct tries_limits {
    uint32_t connection; /* wrong keys that end a connection */
    uint32_t address, all;
};

enum tries_limit { TRIES_CONNECTION, TRIES_ADDRESS, TRIES_ALL, TRIES_LIMITS };

/* The right that the key gives. */
enum tries_kind { TRIES_PRESENTER, TRIES_JOIN, TRIES_METRICS, TRIES_KINDS };

/* Returns the kind's word: presenter, join or metrics. */
const char *tries_word(enum tries_kind kind);

enum tries_result {
    TRIES_RIGHT,
    TRIES_WRONG,
    TRIES_TOO_MANY, /* too many wrong keys from that address, or from all */
};

/* How a try may be made: the pass of a hello or request. */
struct tries_pass {
    enum {
        TRIES_NOW,     /* compared now, or refused */
        TRIES_OR_LINE, /* compared now, or the hello waits in line: a refusal is not counted */
        TRIES_WAITED,  /* the hello has waited: its try is counted already */
        TRIES_EARLY,   /* compared now, or not: another node judges the key, and counts it */
    } kind;
    /* With TRIES_WAITED: */
    bool of_all;   /* the try is counted for all addresses, too */
    bool spent;    /* another key of the hello was wrong */
    bool known;    /* the same keys of another hello were compared: this one is no try */
    bool paid;     /* the hellos with these keys have waited for their try: it is not counted */
    uint64_t keys; /* see tries_keys() */
};

struct tries;

/* Returns NULL when memory or random numbers run out; destroy takes NULL. */
struct tries *tries_create(const struct tries_limits *limits);
void tries_destroy(struct tries *tries);

/* Returns a number for an address given as text. All addresses of one network have the same
 * number. */
uint64_t tries_origin(const struct tries *tries, const char *address);

/* Returns the number for HTTP requests with the server's key from that address. */
uint64_t tries_origin_of_requests(const struct tries *tries, const char *address);

/* A tried key. */
struct tries_try {
    enum tries_kind kind;
    const char *key; /* the right key; "": there is none, and every key is wrong */
    bool made;       /* flockd made the key: too long to be guessed */
    const char *tried;
    uint64_t origin;
    uint64_t also; /* another origin toward which a wrong key counts; 0: none */
    uint64_t now;  /* µs */
    struct tries_pass pass;
};

/* Compares the two keys and counts a wrong one. *wait: the seconds until TRIES_TOO_MANY ends.
 * Without tries (NULL) there is no limit. */
enum tries_result tries_compare(struct tries *tries, const struct tries_try *try, uint32_t *wait);

/* Returns a number for a hello's keys for a room: its presenter key and its join key. */
uint64_t tries_keys(const struct tries *tries, const char *room, const char *key, const char *join);

/* Adds a hello with these keys to the line of its address. Returns false if its first hello would
 * wait longer than TRIES_FIRST_WAIT, which takes limits of less than two tries a minute, or when
 * memory runs out. now: µs. */
bool tries_line_up(struct tries *tries, uint64_t origin, uint64_t keys, uint64_t now);

/* Returns true if a hello in line with these keys may try now: it has left the line, and *pass is
 * for its keys. Else stores about how many seconds it must wait, unless wait is NULL; that takes
 * time in proportion to the line. now: µs. */
bool tries_pass_line(struct tries *tries, uint64_t origin, uint64_t keys, uint64_t now,
                     struct tries_pass *pass, uint32_t *wait);

/* Removes a hello that waits no longer. */
void tries_leave_line(struct tries *tries, uint64_t origin, uint64_t keys, uint64_t now);

/* Returns the µs for which a hello waits in line at most. */
uint64_t tries_longest(const struct tries *tries);

/* Returns how many wrong keys end a connection, and counts one more such end. Without tries (NULL):
 * any number. */
uint32_t tries_of_connection(const struct tries *tries);
void tries_end_connection(struct tries *tries);

/* Counts a key that was wrong with TRIES_EARLY, and that no other node judges. */
void tries_note_wrong(struct tries *tries, enum tries_kind kind);

/* Return the number of wrong keys of that kind, and how often a limit was reached. */
uint64_t tries_wrong(const struct tries *tries, enum tries_kind kind);
uint64_t tries_refused(const struct tries *tries, enum tries_limit limit);

#endif
