/* TLS with a client that sends records without data: OpenSSL reads on until it has data. */
#include "net/gate/tls.h"

#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

#define ALLOWED 40   /* more than enough for a client */
#define FLOOD   1000 /* far more than allowed */

/* A server and a client whose bytes are in memory. */
struct line {
    char cert_path[32], key_path[32];
    struct tls *tls;
    SSL_CTX *server_context, *client_context;
    SSL *server, *client;
};

static FILE *open_temporary(char path[32])
{
    int fd;

    snprintf(path, 32, "/tmp/test-tls-XXXXXX");
    fd = mkstemp(path);
    assert_true(fd >= 0);
    return fdopen(fd, "w");
}

/* Writes a key and its certificate, which is valid for an hour. */
static void write_pair(struct line *line)
{
    EVP_PKEY *key = EVP_EC_gen("P-256");
    X509 *cert = X509_new();
    FILE *key_file = open_temporary(line->key_path);
    FILE *cert_file = open_temporary(line->cert_path);

    assert_non_null(key);
    ASN1_INTEGER_set(X509_get_serialNumber(cert), 1);
    X509_gmtime_adj(X509_getm_notBefore(cert), -60);
    X509_gmtime_adj(X509_getm_notAfter(cert), 3600);
    X509_set_pubkey(cert, key);
    assert_true(X509_sign(cert, key, EVP_sha256()) > 0);
    assert_int_equal(PEM_write_PrivateKey(key_file, key, NULL, NULL, 0, NULL, NULL), 1);
    assert_int_equal(PEM_write_X509(cert_file, cert), 1);
    fclose(key_file);
    fclose(cert_file);
    X509_free(cert);
    EVP_PKEY_free(key);
}

static void connect_line(struct line *line)
{
    BIO *to_server = BIO_new(BIO_s_mem());
    BIO *to_client = BIO_new(BIO_s_mem());
    char error[200];

    write_pair(line);
    line->tls = tls_create(line->cert_path, line->key_path, error, sizeof error);
    assert_non_null(line->tls);
    line->server_context = SSL_CTX_new(TLS_server_method());
    line->client_context = SSL_CTX_new(TLS_client_method());
    assert_true(tls_prepare(line->tls, line->server_context));
    line->server = SSL_new(line->server_context);
    line->client = SSL_new(line->client_context);
    BIO_up_ref(to_server);
    BIO_up_ref(to_client);
    SSL_set_bio(line->server, to_server, to_client);
    SSL_set_bio(line->client, to_client, to_server);
    SSL_set_accept_state(line->server);
    SSL_set_connect_state(line->client);
    for (int i = 0; i < 10; i++) {
        (void)SSL_do_handshake(line->client);
        (void)SSL_do_handshake(line->server);
    }
    assert_true(SSL_is_init_finished(line->server));
    assert_int_equal(SSL_version(line->server), TLS1_3_VERSION);
}

static void close_line(struct line *line)
{
    SSL_free(line->server);
    SSL_free(line->client);
    SSL_CTX_free(line->server_context);
    SSL_CTX_free(line->client_context);
    tls_destroy(line->tls);
    unlink(line->cert_path);
    unlink(line->key_path);
}

static void send_keys(const struct line *line, int count)
{
    for (int i = 0; i < count; i++) {
        assert_int_equal(SSL_key_update(line->client, SSL_KEY_UPDATE_NOT_REQUESTED), 1);
        assert_int_equal(SSL_do_handshake(line->client), 1);
    }
}

/* Sends a byte. Returns true if the server reads it. */
static bool passes_byte(const struct line *line)
{
    char byte = 'x';

    assert_int_equal(SSL_write(line->client, &byte, 1), 1);
    byte = '\0';
    return SSL_read(line->server, &byte, 1) == 1 && byte == 'x';
}

static void test_some_keys(void **state)
{
    struct line line = {0};

    (void)state;
    connect_line(&line);
    send_keys(&line, ALLOWED);
    for (int i = 0; i < FLOOD; i++) {
        assert_true(passes_byte(&line));
    }
    close_line(&line);
}

static void test_keys_without_end(void **state)
{
    struct line line = {0};

    (void)state;
    connect_line(&line);
    send_keys(&line, FLOOD);
    assert_false(passes_byte(&line));
    assert_true(BIO_ctrl_pending(SSL_get_rbio(line.server)) > 0); /* it did not read all */
    close_line(&line);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_some_keys),
        cmocka_unit_test(test_keys_without_end),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
