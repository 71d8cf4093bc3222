#include "net/gate/tls.h"

#include <errno.h>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <uv.h>

#define TIME_TEXT_MAX 32

/* The TLS 1.2 ciphers with authentication and forward secrecy. All ciphers of TLS 1.3 have both. */
#define CIPHERS "ECDHE+AESGCM:ECDHE+CHACHA20"

/* A client chooses among these. OpenSSL's own list has groups that cost the server 60 ms for each
 * handshake, and the client nothing. */
#define GROUPS "X25519:P-256:P-384"

/* Records of a connection that hold no data: a handshake has about five. */
#define OTHERS_MAX 64u

/* Bytes that a handshake may read, about: more than OpenSSL's memory for one. A client sends 2 KB.
 */
#define HANDSHAKE_MAX 32768u

struct pair {
    X509 *cert;
    STACK_OF(X509) * chain;
    EVP_PKEY *key;
};

struct tls {
    const char *cert_path, *key_path;
    SSL_CTX *unused; /* see tls_unused() */
    /* Indexes of OpenSSL's data of a connection: how many records held no data, and how many bytes
     * the others have. */
    int others, received;
    uv_mutex_t lock;
    struct pair pair; /* guarded by the lock */
};

/* Where an error line about a file is written. */
struct complaint {
    char *text;
    size_t size;
};

static void pair_finish(struct pair *pair)
{
    X509_free(pair->cert);
    sk_X509_pop_free(pair->chain, X509_free);
    EVP_PKEY_free(pair->key);
    *pair = (struct pair){0};
}

/* ---- reading ---- */

static int64_t seconds_of(const ASN1_TIME *time)
{
    struct tm parts;

    return ASN1_TIME_to_tm(time, &parts) == 1 ? (int64_t)timegm(&parts) : 0;
}

static void say_time(const ASN1_TIME *time, char out[TIME_TEXT_MAX])
{
    struct tm parts = {0};

    ASN1_TIME_to_tm(time, &parts);
    strftime(out, TIME_TEXT_MAX, "%Y-%m-%d %H:%M:%S UTC", &parts);
}

static FILE *open_file(const char *option, const char *path, const struct complaint *complaint)
{
    FILE *file = fopen(path, "re");

    if (file == NULL) {
        snprintf(complaint->text, complaint->size, "%s: cannot read %s: %s", option, path,
                 strerror(errno));
    }
    return file;
}

/* Reads the file's first certificate, then the chain that leads to an authority. */
static bool read_certificates(const char *path, struct pair *pair,
                              const struct complaint *complaint)
{
    FILE *file = open_file("--tls-cert", path, complaint);
    X509 *next;
    bool whole;

    if (file == NULL) {
        return false;
    }
    pair->cert = PEM_read_X509(file, NULL, NULL, NULL);
    pair->chain = sk_X509_new_null();
    while (pair->chain != NULL && (next = PEM_read_X509(file, NULL, NULL, NULL)) != NULL) {
        if (sk_X509_push(pair->chain, next) == 0) {
            X509_free(next);
        }
    }
    fclose(file);
    whole = ERR_GET_REASON(ERR_peek_last_error()) == PEM_R_NO_START_LINE; /* the end */
    ERR_clear_error();
    if (pair->cert != NULL && !whole) {
        snprintf(complaint->text, complaint->size,
                 "--tls-cert: %s: expected only certificates in PEM after the first", path);
        return false;
    }
    if (pair->cert == NULL || pair->chain == NULL) {
        snprintf(complaint->text, complaint->size,
                 "--tls-cert: %s: expected a certificate in PEM (-----BEGIN CERTIFICATE-----)",
                 path);
        return false;
    }
    return true;
}

/* Refuses a passphrase: a server cannot ask anyone for it. */
/* NOLINTNEXTLINE(readability-non-const-parameter): OpenSSL's type */
static int no_passphrase(char *out, int size, int writing, void *argument)
{
    (void)out;
    (void)size;
    (void)writing;
    (void)argument;
    return -1;
}

static bool read_key(const char *path, struct pair *pair, const struct complaint *complaint)
{
    FILE *file = open_file("--tls-key", path, complaint);

    if (file == NULL) {
        return false;
    }
    pair->key = PEM_read_PrivateKey(file, NULL, no_passphrase, NULL);
    fclose(file);
    if (pair->key == NULL) {
        snprintf(complaint->text, complaint->size,
                 "--tls-key: %s: expected a private key in PEM, without a passphrase", path);
        return false;
    }
    return true;
}

static bool is_valid_today(const char *path, const X509 *cert, const struct complaint *complaint)
{
    const ASN1_TIME *first = X509_get0_notBefore(cert);
    const ASN1_TIME *last = X509_get0_notAfter(cert);
    bool early = X509_cmp_current_time(first) > 0;
    char when[TIME_TEXT_MAX];

    if (!early && X509_cmp_current_time(last) > 0) {
        return true;
    }
    say_time(early ? first : last, when);
    snprintf(complaint->text, complaint->size,
             early ? "--tls-cert: %s: the certificate is not valid before %s"
                   : "--tls-cert: %s: the certificate has expired on %s",
             path, when);
    return false;
}

/* Returns true if OpenSSL accepts the certificate: it refuses keys that are too short. */
static bool is_accepted(const char *path, const struct pair *pair,
                        const struct complaint *complaint)
{
    SSL_CTX *context = SSL_CTX_new(TLS_server_method());
    bool accepted = context != NULL &&
                    SSL_CTX_use_cert_and_key(context, pair->cert, pair->key, pair->chain, 1) == 1;

    if (!accepted) {
        const char *reason = ERR_reason_error_string(ERR_peek_error());
        snprintf(complaint->text, complaint->size, "--tls-cert: %s: OpenSSL refuses it: %s", path,
                 reason != NULL ? reason : "out of memory");
    }
    SSL_CTX_free(context);
    return accepted;
}

static bool read_pair(const struct tls *tls, struct pair *pair, const struct complaint *complaint)
{
    bool well = read_certificates(tls->cert_path, pair, complaint) &&
                read_key(tls->key_path, pair, complaint) &&
                is_valid_today(tls->cert_path, pair->cert, complaint);

    if (well && X509_check_private_key(pair->cert, pair->key) != 1) {
        snprintf(complaint->text, complaint->size,
                 "--tls-key: %s: expected the key that belongs to the certificate in %s",
                 tls->key_path, tls->cert_path);
        well = false;
    }
    well = well && is_accepted(tls->cert_path, pair, complaint);
    ERR_clear_error();
    if (!well) {
        pair_finish(pair);
    }
    return well;
}

/* ---- life ---- */

struct tls *tls_create(const char *cert_path, const char *key_path, char *error, size_t error_size)
{
    struct tls *tls = calloc(1, sizeof *tls);

    if (tls == NULL || uv_mutex_init(&tls->lock) != 0) {
        snprintf(error, error_size, "out of memory");
        free(tls);
        return NULL;
    }
    tls->others = SSL_get_ex_new_index(0, NULL, NULL, NULL, NULL);
    tls->received = SSL_get_ex_new_index(0, NULL, NULL, NULL, NULL);
    tls->cert_path = cert_path;
    tls->key_path = key_path;
    tls->unused = SSL_CTX_new(TLS_client_method());
    if (tls->unused == NULL || tls->others < 0 || tls->received < 0) {
        snprintf(error, error_size, "out of memory");
        tls_destroy(tls);
        return NULL;
    }
    if (!tls_reload(tls, error, error_size)) {
        tls_destroy(tls);
        return NULL;
    }
    return tls;
}

bool tls_reload(struct tls *tls, char *error, size_t error_size)
{
    struct pair pair = {0};
    struct pair old;

    if (!read_pair(tls, &pair, &(struct complaint){error, error_size})) {
        return false;
    }
    uv_mutex_lock(&tls->lock);
    old = tls->pair;
    tls->pair = pair;
    uv_mutex_unlock(&tls->lock);
    pair_finish(&old);
    return true;
}

void tls_destroy(struct tls *tls)
{
    if (tls != NULL) {
        pair_finish(&tls->pair);
        SSL_CTX_free(tls->unused);
        CRYPTO_free_ex_index(CRYPTO_EX_INDEX_SSL, tls->others);
        CRYPTO_free_ex_index(CRYPTO_EX_INDEX_SSL, tls->received);
        uv_mutex_destroy(&tls->lock);
        free(tls);
    }
}

/* ---- handshakes ---- */

/* OpenSSL calls this in each handshake and takes its own references to certificate and key. */
static int choose_certificate(SSL *ssl, void *argument)
{
    struct tls *tls = argument;
    int result;

    uv_mutex_lock(&tls->lock);
    result = SSL_use_cert_and_key(ssl, tls->pair.cert, tls->pair.key, tls->pair.chain, 1);
    uv_mutex_unlock(&tls->lock);
    return result;
}

static _Thread_local bool large_arrived;

/* Counts the bytes of a record of data, from its header. */
static void count_data(const struct tls *tls, SSL *ssl, const uint8_t *header)
{
    const uintptr_t before = (uintptr_t)SSL_get_ex_data(ssl, tls->received);
    const uintptr_t after = before + (uintptr_t)(header[3] << 8 | header[4]);

    if (SSL_set_ex_data(ssl, tls->received, (void *)after) == 1) {
        large_arrived |= before <= TLS_LARGE && after > TLS_LARGE;
    }
}

/* OpenSSL calls this for each record. SSL_read() does not return before it has data, or until
 * nothing has arrived: a client that sends new keys or requests for new handshakes without end
 * would keep a shard in it. After too many such records, OpenSSL ignores the client. */
static void count_record(int sent, int version, int type, const void *bytes, size_t size, SSL *ssl,
                         void *argument)
{
    const struct tls *tls = argument;
    uintptr_t others;

    (void)version;
    if (sent == 0 && type == SSL3_RT_HEADER && size == SSL3_RT_HEADER_LENGTH &&
        ((const uint8_t *)bytes)[0] == SSL3_RT_APPLICATION_DATA) {
        count_data(tls, ssl, bytes);
    }
    if (sent != 0 || (type != SSL3_RT_HEADER && type != SSL3_RT_INNER_CONTENT_TYPE) || size == 0 ||
        ((const uint8_t *)bytes)[0] == SSL3_RT_APPLICATION_DATA) {
        return;
    }
    others = (uintptr_t)SSL_get_ex_data(ssl, tls->others) + 1;
    if (others > OTHERS_MAX || SSL_set_ex_data(ssl, tls->others, (void *)others) != 1) {
        SSL_set_shutdown(ssl, SSL_get_shutdown(ssl) | SSL_RECEIVED_SHUTDOWN);
    }
}

/* ---- calls ---- */

/* Of the thread. */
static _Thread_local struct {
    const struct tls_calls *calls;
    void *client; /* of the handshake that begins next */
    bool works;   /* the handshake may read, and has not ended its work */
} expected;

void tls_expect(const struct tls_calls *calls, void *client)
{
    expected.calls = calls;
    expected.client = client;
}

/* OpenSSL calls this before and after each use of a connection's socket. Returns what OpenSSL
 * takes as the result. */
/* NOLINTBEGIN(readability-non-const-parameter): OpenSSL's type */
static long on_use(BIO *bio, int use, const char *bytes, size_t size, int option, long argument,
                   int result, size_t *processed)
/* NOLINTEND(readability-non-const-parameter) */
{
    (void)bytes;
    (void)size;
    (void)option;
    (void)argument;
    (void)processed;
    if (use != BIO_CB_READ) {
        return result;
    }
    BIO_clear_retry_flags(bio);
    if (BIO_number_read(bio) > HANDSHAKE_MAX) {
        return -1; /* the end of the connection */
    }
    if (expected.works) {
        return result;
    }
    expected.works = expected.calls->may_read(BIO_get_callback_arg(bio));
    if (!expected.works) {
        BIO_set_retry_read(bio);
    }
    return expected.works ? result : -1;
}

/* OpenSSL calls this at the beginning of a handshake, and when a call of its has done what it can.
 */
static void on_progress(const SSL *ssl, int where, int result)
{
    BIO *bio = SSL_get_rbio(ssl);
    const bool done = SSL_is_init_finished(ssl);

    (void)result;
    if (where == SSL_CB_HANDSHAKE_START && expected.client != NULL) {
        BIO_set_callback_arg(bio, expected.client);
        BIO_set_callback_ex(bio, on_use);
        expected.client = NULL;
    }
    if (where != SSL_CB_ACCEPT_EXIT || BIO_get_callback_ex(bio) != on_use) {
        return;
    }
    if (expected.works) {
        expected.works = false;
        expected.calls->worked(BIO_get_callback_arg(bio), done);
    }
    if (done) {
        BIO_set_callback_ex(bio, NULL);
    }
}

bool tls_prepare(struct tls *tls, void *ssl_context)
{
    SSL_CTX *context = ssl_context;

    /* A resumed session skips the certificate. Without resumption, each connection uses the newest.
     */
    SSL_CTX_set_options(context, SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_TICKET);
    SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
    SSL_CTX_set_num_tickets(context, 0);
    SSL_CTX_set_cert_cb(context, choose_certificate, tls);
    SSL_CTX_set_msg_callback(context, count_record);
    SSL_CTX_set_msg_callback_arg(context, tls);
    SSL_CTX_set_info_callback(context, on_progress);
    return SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION) == 1 &&
           SSL_CTX_set1_groups_list(context, GROUPS) == 1 &&
           SSL_CTX_set_cipher_list(context, CIPHERS) == 1;
}

bool tls_take_large(void)
{
    const bool arrived = large_arrived;

    large_arrived = false;
    return arrived;
}

uint64_t tls_received(const struct tls *tls, const void *ssl)
{
    return (uintptr_t)SSL_get_ex_data(ssl, tls->received);
}

void tls_send_last(void *ssl, const char *bytes, size_t size)
{
    if (SSL_write(ssl, bytes, (int)size) > 0) {
        tls_end(ssl);
    }
    ERR_clear_error();
}

void tls_end(void *ssl)
{
    (void)SSL_shutdown(ssl);
    ERR_clear_error();
}

void *tls_unused(const struct tls *tls)
{
    return tls->unused;
}

/* ---- names and dates ---- */

int64_t tls_not_after(struct tls *tls)
{
    int64_t seconds;

    uv_mutex_lock(&tls->lock);
    seconds = seconds_of(X509_get0_notAfter(tls->pair.cert));
    uv_mutex_unlock(&tls->lock);
    return seconds;
}

void tls_say_end(struct tls *tls, char *out, size_t size)
{
    char when[TIME_TEXT_MAX];

    uv_mutex_lock(&tls->lock);
    say_time(X509_get0_notAfter(tls->pair.cert), when);
    uv_mutex_unlock(&tls->lock);
    snprintf(out, size, "%s", when);
}

/* Returns the certificate's first name that stands for one host, not a wildcard. */
static bool first_name(const X509 *cert, char *out, size_t size)
{
    GENERAL_NAMES *names = X509_get_ext_d2i(cert, NID_subject_alt_name, NULL, NULL);
    bool found = false;

    for (int i = 0; !found && i < sk_GENERAL_NAME_num(names); i++) {
        const GENERAL_NAME *name = sk_GENERAL_NAME_value(names, i);
        if (name->type == GEN_DNS) {
            const char *text = (const char *)ASN1_STRING_get0_data(name->d.dNSName);
            found = text[0] != '*' && snprintf(out, size, "%s", text) < (int)size;
        }
    }
    GENERAL_NAMES_free(names);
    return found;
}

void tls_say_host(struct tls *tls, const char *host, char *out, size_t size)
{
    X509 *cert;

    uv_mutex_lock(&tls->lock);
    cert = tls->pair.cert;
    if (X509_check_ip_asc(cert, host, 0) == 1 || X509_check_host(cert, host, 0, 0, NULL) == 1 ||
        !first_name(cert, out, size)) {
        snprintf(out, size, "%s", host);
    }
    uv_mutex_unlock(&tls->lock);
}
