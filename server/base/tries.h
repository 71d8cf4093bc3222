/* Limits wrong keys, for each address and for all addresses together, so that no one finds a chosen
 * key by trying. A try is counted before the key is compared, and not counted if the key is right.
 * One object for the whole server; any thread.
 *
 * The limit of an address is a number of wrong keys at once, and the same number per minute. All
 * addresses together have such a limit, too; beyond it, an address with few recent tries
 * (TRIES_QUIET) may still try. Beyond the limits no key is compared, except a key that flockd made:
 * it is too long to be found by trying. */
#ifndef TRIES_H
#define TRIES_H

#include <stdbool.h>
#include <stdint.h>

#define TRIES_QUIET 3u

#define TRIES_LIMIT_MAX 1000000u

/* Each limit is 1 to TRIES_LIMIT_MAX. */
struct tries_limits {
    uint32_t connection; /* wrong keys that end a connection */
    uint32_t address, all;
};

enum tries_limit { TRIES_CONNECTION, TRIES_ADDRESS, TRIES_ALL, TRIES_LIMITS };

/* What the key opens. */
enum tries_kind { TRIES_PRESENTER, TRIES_JOIN, TRIES_METRICS, TRIES_KINDS };

/* Returns the kind's word: presenter, join or metrics. */
const char *tries_word(enum tries_kind kind);

enum tries_result {
    TRIES_RIGHT,
    TRIES_WRONG,
    TRIES_TOO_MANY, /* too many wrong keys from that address, or from all */
};

struct tries;

/* Returns NULL when memory or random numbers run out; destroy takes NULL. */
struct tries *tries_create(const struct tries_limits *limits);
void tries_destroy(struct tries *tries);

/* Returns a number for an address given as text. All addresses of one network have the same
 * number. */
uint64_t tries_origin(const struct tries *tries, const char *address);

/* A tried key. */
struct tries_try {
    enum tries_kind kind;
    const char *key; /* the right key; "": there is none, and every key is wrong */
    bool made;       /* flockd made the key: too long to be guessed */
    const char *tried;
    uint64_t origin;
    uint64_t now; /* µs */
};

/* Compares the two keys and counts a wrong one. *wait: the seconds until TRIES_TOO_MANY ends.
 * Without tries (NULL) there is no limit. */
enum tries_result tries_compare(struct tries *tries, const struct tries_try *try, uint32_t *wait);

/* Returns how many wrong keys end a connection, and counts one more such end. Without tries (NULL):
 * any number. */
uint32_t tries_of_connection(const struct tries *tries);
void tries_end_connection(struct tries *tries);

/* Return the number of wrong keys of that kind, and how often a limit was reached. */
uint64_t tries_wrong(const struct tries *tries, enum tries_kind kind);
uint64_t tries_refused(const struct tries *tries, enum tries_limit limit);

#endif
