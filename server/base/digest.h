/* The digest of a secret (a key, a token) is stored instead of the secret. It can be compared, but
 * does not disclose the secret. */
#ifndef DIGEST_H
#define DIGEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define DIGEST_SIZE 16u

/* The first bytes of the SHA-256. False, with zeros, when memory runs out. */
bool digest_of(const void *bytes, size_t size, uint8_t digest[DIGEST_SIZE]);

/* Compares two in constant time. */
bool digest_same(const uint8_t a[DIGEST_SIZE], const uint8_t b[DIGEST_SIZE]);

#endif
