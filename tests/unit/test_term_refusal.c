/* The terminal's words about what a server refuses: in English the server's words, else texts
 * by code. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "term/net/refusal.h"
#include "term/net/trust.h"
#include "term/texts/texts.h"

#include <locale.h>
#include <openssl/x509_vfy.h>
#include <string.h>

static int speak_german(void **state)
{
    (void)state;
    assert_non_null(setlocale(LC_CTYPE, "C.UTF-8"));
    return texts_choose("de") != TEXTS_DE;
}

static int speak_english(void **state)
{
    (void)state;
    return texts_choose("en") != TEXTS_EN;
}

static const char *refused(int status, long wait, const char *said)
{
    static char text[200];
    refusal_of_room(text, sizeof text, status, wait, said);
    return text;
}

static void a_room_that_is_not_made_says_why(void **state)
{
    (void)state;
    assert_non_null(strstr(refused(429, 0, "too many rooms"), "in 1 min"));
    assert_non_null(strstr(refused(429, 61, "too many rooms"), "in 2 min"));
    assert_non_null(strstr(refused(429, 3600, "too many rooms"), "in 60 min"));
    assert_string_not_equal(refused(409, 0, "full"), "full");
    assert_string_equal(refused(418, 0, "a teapot"), "a teapot");
    speak_english(NULL);
    assert_string_equal(refused(429, 60, "too many rooms"), "too many rooms");
    speak_german(NULL);
}

static void a_refused_pick_says_why(void **state)
{
    const struct proto_error error = {
        .code = PROTO_E_FULL, .type = PROTO_PICK, .name = "pick", .message = "pick: full"};
    char said[200];
    (void)state;
    refusal_text(said, sizeof said, &error);
    assert_non_null(strstr(said, "Zu viele sehen sich gerade einen Boid an"));
    speak_english(NULL);
    refusal_text(said, sizeof said, &error);
    assert_string_equal(said, "pick: full");
    speak_german(NULL);
}

static void each_code_of_a_close_has_a_text(void **state)
{
    static const int codes[] = {
        PROTO_CLOSE_SHUTDOWN, PROTO_CLOSE_FULL,     PROTO_CLOSE_STALLED, PROTO_CLOSE_PROTOCOL,
        PROTO_CLOSE_VERSION,  PROTO_CLOSE_REPLACED, PROTO_CLOSE_FLOOD,   PROTO_CLOSE_KEYS,
    };
    (void)state;
    for (size_t i = 0; i < sizeof codes / sizeof codes[0]; i++) {
        assert_string_not_equal(refusal_of_close(codes[i], "server"), "server");
    }
    assert_string_equal(refusal_of_close(4999, "server"), "server");
    speak_english(NULL);
    assert_string_equal(refusal_of_close(PROTO_CLOSE_FULL, "server"), "server");
    speak_german(NULL);
}

static const char *verdict_of(int error)
{
    X509_STORE_CTX *context = X509_STORE_CTX_new();
    assert_non_null(context);
    X509_STORE_CTX_set_error(context, error);
    const char *verdict = term_trust_verdict(&(struct term_trust){0}, context);
    X509_STORE_CTX_free(context);
    return verdict;
}

static void a_certificate_is_judged_in_the_language(void **state)
{
    (void)state;
    assert_null(verdict_of(X509_V_OK));
    assert_string_equal(verdict_of(X509_V_ERR_CERT_HAS_EXPIRED), "es ist abgelaufen");
    assert_string_equal(verdict_of(X509_V_ERR_HOSTNAME_MISMATCH),
                        "es gilt für einen anderen Rechner");
    assert_non_null(verdict_of(X509_V_ERR_CERT_CHAIN_TOO_LONG)); /* in OpenSSL's words */
    speak_english(NULL);
    assert_non_null(strstr(verdict_of(X509_V_ERR_CERT_HAS_EXPIRED), "expired"));
    speak_german(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_room_that_is_not_made_says_why),
        cmocka_unit_test(a_refused_pick_says_why),
        cmocka_unit_test(each_code_of_a_close_has_a_text),
        cmocka_unit_test(a_certificate_is_judged_in_the_language),
    };
    return cmocka_run_group_tests(tests, speak_german, speak_english);
}
