/* TLS: the certificate and key that flockd shows, and how its side of TLS is set up. Made and
 * reloaded by the main thread; shards may use it at any time, each handshake with whichever
 * certificate is the newest. Connections that stand keep theirs. */
#ifndef TLS_H
#define TLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct tls;

/* Reads a certificate, with its chain behind it, and its private key, both in PEM; the paths must
 * outlive it. NULL, and one line in error, if they cannot be used: missing, unreadable, not of each
 * other, not valid today. */
struct tls *tls_create(const char *cert_path, const char *key_path, char *error, size_t error_size);

/* Reads both files again. False, and one line in error, if they cannot be used: all stays as it
 * was. */
bool tls_reload(struct tls *tls, char *error, size_t error_size);

/* Takes NULL. When nobody uses it any more. */
void tls_destroy(struct tls *tls);

/* Sets up a SSL_CTX of OpenSSL's: TLS 1.2 and later, with forward secrecy, and these certificates.
 * The context must not outlive `tls`. */
bool tls_prepare(struct tls *tls, void *ssl_context);

/* A SSL_CTX for libwebsockets' connections to others, of which there are none. Else each of its
 * contexts would make one, and not free those of all but the last. */
void *tls_unused(const struct tls *tls);

/* When the certificate ends to be valid, seconds since 1970. */
int64_t tls_not_after(struct tls *tls);

/* The same for people, such as 2027-01-31 12:00:00 UTC. */
void tls_say_end(struct tls *tls, char *out, size_t size);

/* A host name that the certificate is valid for: `host`, a name or address without brackets, if it
 * is; else the first that it names, or `host` again if it names none. */
void tls_say_host(struct tls *tls, const char *host, char *out, size_t size);

#endif
