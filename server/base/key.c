#include "base/key.h"

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>

static const char letters[] = "abcdefghijkmnpqrstuvwxyz23456789";

bool key_make(char key[KEY_LENGTH + 1])
{
    uint8_t bytes[KEY_LENGTH];

    if (getrandom(bytes, sizeof bytes, 0) != sizeof bytes) {
        return false;
    }
    for (size_t i = 0; i < KEY_LENGTH; i++) {
        key[i] = letters[bytes[i] % 32];
    }
    key[KEY_LENGTH] = '\0';
    return true;
}

bool key_weak(const char *key)
{
    size_t different = 0;

    for (const char *c = key; *c != '\0'; c++) {
        different += strchr(key, *c) == c;
    }
    return strlen(key) < KEY_WEAK_LENGTH || different < KEY_WEAK_DIFFERENT;
}

bool key_may_be_made(const char *key)
{
    return strlen(key) == KEY_LENGTH && strspn(key, letters) == KEY_LENGTH && !key_weak(key);
}

/* A concealed key: a character that no key has, and the digest in hexadecimal digits. */
#define CONCEALED '\x01'

_Static_assert(1 + 2 * DIGEST_SIZE <= PROTO_KEY_MAX, "a concealed key fits in place of the key");

bool key_digest(const char *key, uint8_t digest[DIGEST_SIZE])
{
    static const char digits[] = "0123456789abcdef";

    if (key[0] != CONCEALED) {
        return digest_of(key, strlen(key), digest);
    }
    for (size_t i = 0; i < DIGEST_SIZE; i++) {
        const char *high = strchr(digits, key[1 + 2 * i]);
        const char *low = strchr(digits, key[2 + 2 * i]);
        digest[i] = (uint8_t)((high - digits) << 4 | (low - digits));
    }
    return true;
}

void key_of_digest(const uint8_t digest[DIGEST_SIZE], char key[PROTO_KEY_MAX + 1])
{
    key[0] = CONCEALED;
    for (size_t i = 0; i < DIGEST_SIZE; i++) {
        snprintf(key + 1 + 2 * i, 3, "%02x", digest[i]);
    }
}

bool key_conceal(char key[PROTO_KEY_MAX + 1])
{
    uint8_t digest[DIGEST_SIZE];

    if (key[0] == '\0' || key[0] == CONCEALED) {
        return true;
    }
    if (!key_digest(key, digest)) {
        return false;
    }
    memset(key, 0, PROTO_KEY_MAX + 1);
    key_of_digest(digest, key);
    return true;
}

bool key_same(const char *kept, const char *tried)
{
    uint8_t one[DIGEST_SIZE];
    uint8_t other[DIGEST_SIZE];

    return tried[0] != CONCEALED && key_digest(kept, one) && key_digest(tried, other) &&
           digest_same(one, other);
}
