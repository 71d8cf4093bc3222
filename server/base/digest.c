#include "base/digest.h"

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <string.h>

bool digest_of(const void *bytes, size_t size, uint8_t digest[DIGEST_SIZE])
{
    uint8_t whole[EVP_MAX_MD_SIZE] = {0};
    bool made = EVP_Digest(bytes, size, whole, NULL, EVP_sha256(), NULL) == 1;

    memcpy(digest, whole, DIGEST_SIZE);
    return made;
}

bool digest_same(const uint8_t a[DIGEST_SIZE], const uint8_t b[DIGEST_SIZE])
{
    return CRYPTO_memcmp(a, b, DIGEST_SIZE) == 0;
}
