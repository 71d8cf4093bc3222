/* What is kept of a secret in place of it: enough to know it again, and of no use to anybody who
 * reads it. */
#ifndef DIGEST_H
#define DIGEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define DIGEST_SIZE 16u

/* The first bytes of the SHA-256. False, with zeros, when memory runs out. */
bool digest_of(const void *bytes, size_t size, uint8_t digest[DIGEST_SIZE]);

/* Whether two are the same, in a time that does not tell how much of them is. */
bool digest_same(const uint8_t a[DIGEST_SIZE], const uint8_t b[DIGEST_SIZE]);

#endif
