/* Whom flock-term believes over TLS, in OpenSSL's terms. */
#ifndef TERM_TRUST_H
#define TERM_TRUST_H

#include <stdbool.h>

struct term_trust {
    const char *ca; /* a file of certificates in PEM; "" or NULL: the system's */
    bool insecure;  /* whoever answers */
};

/* Whether certificates can be read from that file. */
bool term_trust_readable(const char *path);

/* Within the verification of a server's certificate, a X509_STORE_CTX of OpenSSL's: what is wrong
 * with it, in words; NULL: nothing. With `insecure` nothing is. */
const char *term_trust_verdict(const struct term_trust *trust, void *verification);

#endif
