/* The digest of a secret (a key, a token), which is stored instead of the secret. Digests can be
 * compared, but do not disclose the secret. */
#ifndef DIGEST_H
#define DIGEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define DIGEST_SIZE 16u

/* Computes the first bytes of the SHA-256. Returns false and stores zeros when memory runs out. */
bool digest_of(const void *bytes, size_t size, uint8_t digest[DIGEST_SIZE]);

/* Compares two digests in constant time. */
bool digest_same(const uint8_t a[DIGEST_SIZE], const uint8_t b[DIGEST_SIZE]);

#endif
