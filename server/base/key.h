/* Presenter keys: a member who sends a room's key becomes its presenter. */
#ifndef KEY_H
#define KEY_H

#include <stdbool.h>

#include "base/digest.h"
#include "protocol.h"

#define KEY_LENGTH 24u /* characters, each one of 32 letters and digits: 120 bits */

/* Makes a new random key. Returns false if the system has no random numbers. */
bool key_make(char key[KEY_LENGTH + 1]);

#define KEY_WEAK_LENGTH    16u /* a key with fewer characters, */
#define KEY_WEAK_DIFFERENT 8u  /* or fewer different characters, can be guessed */

/* Returns whether a key can be guessed: it is short, or repeats few characters. */
bool key_weak(const char *key);

/* Returns whether a key has the form of key_make(). A made key cannot be found by trying. A person
 * can choose a weaker key of this form. */
bool key_may_be_made(const char *key);

/* Replaces a key ("": none) by its concealed form: a text made from its digest, which is no valid
 * key. Returns false, with the key unchanged, when memory runs out. */
bool key_conceal(char key[PROTO_KEY_MAX + 1]);

/* Computes the digest of a key, which may be concealed. Returns false when memory runs out. */
bool key_digest(const char *key, uint8_t digest[DIGEST_SIZE]);

/* Stores the concealed form of the key that has this digest. */
void key_of_digest(const uint8_t digest[DIGEST_SIZE], char key[PROTO_KEY_MAX + 1]);

/* Compares a tried key with the room's, which may be concealed, in constant time. */
bool key_same(const char *kept, const char *tried);

#endif
