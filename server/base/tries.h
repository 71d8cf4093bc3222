/* Wrong keys: how many an address may try, and all together, so that a key that somebody chose is
 * not found by trying. A try is taken before the key is looked at, and given back when it was the
 * right one. One for the whole server; any thread.
 *
 * An address may try so many wrong keys at once, and then as many in a minute, one after another;
 * so may all together. When all have tried too many, an address that has hardly tried any
 * (TRIES_QUIET) still may. Beyond that a key is not looked at, however right it is; but one that
 * flockd made is: nobody finds it by trying, so whoever has it need not wait for those who try. */
#ifndef TRIES_H
#define TRIES_H

#include <stdbool.h>
#include <stdint.h>

#define TRIES_QUIET 3u

/* Each 1 to 1,000,000. */
struct tries_limits {
    uint32_t connection; /* wrong ones that end it */
    uint32_t address, all;
};

enum tries_limit { TRIES_CONNECTION, TRIES_ADDRESS, TRIES_ALL, TRIES_LIMITS };

/* What the key would have opened. */
enum tries_kind { TRIES_PRESENTER, TRIES_JOIN, TRIES_METRICS, TRIES_KINDS };

/* Its word: presenter, join or metrics. */
const char *tries_word(enum tries_kind kind);

enum tries_result {
    TRIES_RIGHT,
    TRIES_WRONG,
    TRIES_TOO_MANY, /* of that address, or of all */
};

struct tries;

/* NULL when memory or randomness runs out; destroy takes NULL. */
struct tries *tries_create(const struct tries_limits *limits);
void tries_destroy(struct tries *tries);

/* A number for whoever comes from that address, as text: the same for the same network. */
uint64_t tries_origin(const struct tries *tries, const char *address);

/* A key that somebody tries. */
struct tries_try {
    enum tries_kind kind;
    const char *key; /* the right one; "": there is none, and every key is wrong */
    bool made;       /* by flockd: too long to be guessed */
    const char *tried;
    uint64_t origin;
    uint64_t now; /* µs */
};

/* Compares the two. Wrong ones are counted. *wait: the seconds after which TRIES_TOO_MANY ends.
 * Without tries (NULL) there is no limit. */
enum tries_result tries_compare(struct tries *tries, const struct tries_try *try, uint32_t *wait);

/* How many wrong keys end a connection; one more was ended so. Without tries (NULL): any number. */
uint32_t tries_of_connection(const struct tries *tries);
void tries_end_connection(struct tries *tries);

/* Wrong keys of that kind so far; and how often a limit was reached. */
uint64_t tries_wrong(const struct tries *tries, enum tries_kind kind);
uint64_t tries_refused(const struct tries *tries, enum tries_limit limit);

#endif
