/* TLS: handshakes that ask before they read, and a client that sends records without data: OpenSSL
 * reads on until it has data. */
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

/* Connects a client and a server that have not begun their handshake. */
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
}

static void shake_hands(const struct line *line)
{
    for (int i = 0; i < 10; i++) {
        (void)SSL_do_handshake(line->client);
        (void)SSL_do_handshake(line->server);
    }
    assert_true(SSL_is_init_finished(line->server));
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
    shake_hands(&line);
    assert_int_equal(SSL_version(line.server), TLS1_3_VERSION);
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
    shake_hands(&line);
    send_keys(&line, FLOOD);
    assert_false(passes_byte(&line));
    assert_true(BIO_ctrl_pending(SSL_get_rbio(line.server)) > 0); /* it did not read all */
    close_line(&line);
}

/* ---- calls of a handshake ---- */

struct watched {
    bool may; /* it may read */
    int asked, worked, done;
};

static bool on_read(void *client)
{
    struct watched *watched = client;

    watched->asked++;
    return watched->may;
}

static void on_worked(void *client, bool done)
{
    struct watched *watched = client;

    watched->worked++;
    watched->done += done;
}

static const struct tls_calls calls = {on_read, on_worked};

/* Each of the client's flights waits until the server may read. */
static void pass_flights(struct line *line, int flights)
{
    struct watched watched = {0};

    tls_expect(&calls, &watched);
    for (int i = 1; i <= flights; i++) {
        (void)SSL_do_handshake(line->client);
        const size_t unread = BIO_ctrl_pending(SSL_get_rbio(line->server));
        watched = (struct watched){.worked = watched.worked};
        for (int j = 1; j <= 3; j++) {
            assert_int_equal(SSL_get_error(line->server, SSL_do_handshake(line->server)),
                             SSL_ERROR_WANT_READ);
            assert_int_equal(watched.asked, j);
            tls_expect(&calls, NULL);
        }
        assert_int_equal(watched.worked, i - 1);
        assert_int_equal(BIO_ctrl_pending(SSL_get_rbio(line->server)), unread);
        watched.may = true;
        (void)SSL_do_handshake(line->server);
        assert_int_equal(watched.asked, 4);
        assert_int_equal(watched.worked, i);
        assert_int_equal(BIO_ctrl_pending(SSL_get_rbio(line->server)), 0);
        assert_int_equal(watched.done, i == flights);
    }
    assert_true(SSL_is_init_finished(line->server));
    (void)SSL_do_handshake(line->client);
    watched.may = false;
    for (int i = 0; i < 3; i++) {
        assert_true(passes_byte(line)); /* no longer asked */
    }
    assert_int_equal(watched.worked, flights);
}

static void test_flights(void **state)
{
    /* A client whose first key is of a group that the server refuses sends a flight more. */
    static const struct {
        const char *groups;
        int version, flights;
    } kinds[] = {{"X25519", TLS1_3_VERSION, 2},
                 {"X448:P-384", TLS1_3_VERSION, 3},
                 {"P-256", TLS1_2_VERSION, 2}};

    (void)state;
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        struct line line = {0};
        connect_line(&line);
        assert_int_equal(SSL_set1_groups_list(line.client, kinds[i].groups), 1);
        assert_int_equal(SSL_set_max_proto_version(line.client, kinds[i].version), 1);
        pass_flights(&line, kinds[i].flights);
        assert_int_equal(SSL_version(line.server), kinds[i].version);
        close_line(&line);
    }
}

/* A handshake has an end in bytes: else each could take 128 KB of memory. */
static void test_long_hello(void **state)
{
    static const uint8_t start[] = {0x16, 3, 1, 0, 6, 1, 1, 0, 0, 3, 3};
    static const uint8_t header[] = {0x16, 3, 1, 0x3f, 0};
    static const uint8_t part[0x3f00];
    struct watched watched = {.may = true};
    struct line line = {0};
    BIO *bio;

    (void)state;
    connect_line(&line);
    tls_expect(&calls, &watched);
    bio = SSL_get_rbio(line.server);
    assert_int_equal(BIO_write(bio, start, sizeof start), sizeof start);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(SSL_get_error(line.server, SSL_do_handshake(line.server)),
                         SSL_ERROR_WANT_READ);
        assert_int_equal(BIO_write(bio, header, sizeof header), sizeof header);
        assert_int_equal(BIO_write(bio, part, sizeof part), sizeof part);
    }
    assert_int_not_equal(SSL_get_error(line.server, SSL_do_handshake(line.server)),
                         SSL_ERROR_WANT_READ);
    close_line(&line);
}

/* A handshake may fail, and its client may go, at any time. */
static void test_failures(void **state)
{
    static const char nonsense[] = "\x16\x03\x01\x00\x05nonsense";

    (void)state;
    for (int i = 0; i < 4; i++) {
        struct watched watched = {.may = i & 1};
        struct line line = {0};
        connect_line(&line);
        tls_expect(&calls, &watched);
        if (i & 2) {
            BIO_write(SSL_get_rbio(line.server), nonsense, sizeof nonsense);
        }
        assert_int_not_equal(SSL_do_handshake(line.server), 1);
        assert_int_equal(watched.worked, watched.may);
        close_line(&line);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_flights),          cmocka_unit_test(test_long_hello),
        cmocka_unit_test(test_failures),         cmocka_unit_test(test_some_keys),
        cmocka_unit_test(test_keys_without_end),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
