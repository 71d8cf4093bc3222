/* Presenter keys: a member that says a room's key becomes a presenter in it. */
#ifndef KEY_H
#define KEY_H

#include <stdbool.h>

#include "base/digest.h"
#include "protocol.h"

#define KEY_LENGTH 24u /* of 32 letters and digits each: 120 bits */

/* Makes a new random key. False when no randomness can be had. */
bool key_make(char key[KEY_LENGTH + 1]);

#define KEY_WEAK_LENGTH    16u /* fewer characters, */
#define KEY_WEAK_DIFFERENT 8u  /* or fewer different ones, can be guessed */

/* Returns whether a key can be guessed: it is short, or repeats few characters. */
bool key_weak(const char *key);

/* Replaces a key ("": none) by its concealed form: text made of its digest, which is no key itself.
 * False, with the key unchanged, when memory runs out. */
bool key_conceal(char key[PROTO_KEY_MAX + 1]);

/* The digest of a key, which may be concealed. False when memory runs out. */
bool key_digest(const char *key, uint8_t digest[DIGEST_SIZE]);

/* The concealed form of the key that has this digest. */
void key_of_digest(const uint8_t digest[DIGEST_SIZE], char key[PROTO_KEY_MAX + 1]);

/* Compares a tried key with the room's, which may be concealed, in constant time. */
bool key_same(const char *kept, const char *tried);

#endif
