/* TLS: the certificate and key that flockd shows, and its TLS settings. The main thread creates and
 * reloads it; shards may use it at any time. Each handshake uses the newest certificate; open
 * connections keep the certificate of their handshake. */
#ifndef TLS_H
#define TLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TLS_LARGE (UINT64_C(17) << 10) /* bytes: see tls_take_large() */

struct tls;

/* Reads a certificate with its chain, and its private key, both in PEM. The paths must outlive the
 * result. Returns NULL with one line in error if a file is missing or unreadable, the key does not
 * belong to the certificate, or the certificate is not valid today. */
struct tls *tls_create(const char *cert_path, const char *key_path, char *error, size_t error_size);

/* Reads both files again. On failure returns false with one line in error and changes nothing. */
bool tls_reload(struct tls *tls, char *error, size_t error_size);

/* Must be called after the last use. Takes NULL. */
void tls_destroy(struct tls *tls);

/* The calls that each handshake makes until it is done, on the thread of its connection. Their
 * argument is the client of tls_expect(). */
struct tls_calls {
    /* Returns true if OpenSSL may read on. Else it does not read, as if nothing had arrived. Called
     * before the first read of each call of OpenSSL, and again while the result is false. */
    bool (*may_read)(void *client);
    /* OpenSSL has read what it may, and has done the work. Called if may_read() returned true. */
    void (*worked)(void *client, bool done);
};

/* Must be called before a handshake begins on this thread: it makes these calls for the client, or
 * none if the client is NULL. All handshakes of a thread must have the same calls. */
void tls_expect(const struct tls_calls *calls, void *client);

/* Sets up an OpenSSL SSL_CTX: TLS 1.2 and later, forward secrecy, and this certificate. `tls` must
 * outlive the context. */
bool tls_prepare(struct tls *tls, void *ssl_context);

/* Returns true if a connection has sent more than TLS_LARGE bytes of data, on this thread and since
 * the last call. */
bool tls_take_large(void);

/* Returns how many bytes of data the connection (an SSL) has sent, and what TLS adds to them: about
 * 20 bytes a record, and 60 for the handshake. */
uint64_t tls_received(const struct tls *tls, const void *ssl);

/* Sends the bytes to the client if its connection (an SSL) has room for them, and ends the stream.
 */
void tls_send_last(void *ssl, const char *bytes, size_t size);

/* Ends the stream of a connection (an SSL). */
void tls_end(void *ssl);

/* Returns an SSL_CTX for libwebsockets' outgoing connections, which flockd does not make. Without
 * it, each libwebsockets context creates its own and all but the last leak. */
void *tls_unused(const struct tls *tls);

/* Returns the end of the certificate's validity in seconds since 1970. */
int64_t tls_not_after(struct tls *tls);

/* Stores the same time as text, such as 2027-01-31 12:00:00 UTC. */
void tls_say_end(struct tls *tls, char *out, size_t size);

/* Stores a host name that the certificate is valid for: `host`, a name or address without brackets,
 * if the certificate covers it; else the certificate's first name, or `host` if it has none. */
void tls_say_host(struct tls *tls, const char *host, char *out, size_t size);

#endif
