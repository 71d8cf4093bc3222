/* Which servers flock-term trusts over TLS, in OpenSSL's terms. */
#ifndef TERM_TRUST_H
#define TERM_TRUST_H

#include <stdbool.h>

struct term_trust {
    const char *ca; /* a file of certificates in PEM; "" or NULL: the system's authorities */
    bool insecure;  /* accept any certificate */
};

/* Returns whether the file contains a certificate in PEM. */
bool term_trust_readable(const char *path);

/* Returns what is wrong with a server's certificate, in words, or NULL. With `insecure` it accepts
 * every certificate. verification: an X509_STORE_CTX of OpenSSL. */
const char *term_trust_verdict(const struct term_trust *trust, void *verification);

#endif
