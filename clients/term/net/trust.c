#include "term/net/trust.h"

#include "term/texts/texts.h"

#include <openssl/pem.h>
#include <openssl/x509_vfy.h>
#include <stdio.h>

bool term_trust_readable(const char *path)
{
    FILE *file = fopen(path, "re");
    if (file == NULL) {
        return false;
    }
    X509 *first = PEM_read_X509(file, NULL, NULL, NULL);
    bool readable = first != NULL;
    X509_free(first);
    fclose(file);
    return readable;
}

/* Returns why a certificate is not valid: in English in OpenSSL's words. */
static const char *describe_verdict(int error)
{
    static const struct {
        int error;
        enum text text;
    } verdicts[] = {
        {X509_V_ERR_CERT_HAS_EXPIRED, TEXT_CERTIFICATE_EXPIRED},
        {X509_V_ERR_CERT_NOT_YET_VALID, TEXT_CERTIFICATE_EARLY},
        {X509_V_ERR_CERT_REVOKED, TEXT_CERTIFICATE_REVOKED},
        {X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT, TEXT_CERTIFICATE_OWN},
        {X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN, TEXT_CERTIFICATE_ISSUER},
        {X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT, TEXT_CERTIFICATE_ISSUER},
        {X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY, TEXT_CERTIFICATE_ISSUER},
        {X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE, TEXT_CERTIFICATE_ISSUER},
        {X509_V_ERR_HOSTNAME_MISMATCH, TEXT_CERTIFICATE_HOST},
        {X509_V_ERR_IP_ADDRESS_MISMATCH, TEXT_CERTIFICATE_HOST},
    };
    for (size_t i = 0; i < sizeof verdicts / sizeof verdicts[0]; i++) {
        if (verdicts[i].error == error && texts_language() != TEXTS_EN) {
            return texts_get(verdicts[i].text);
        }
    }
    return X509_verify_cert_error_string(error);
}

const char *term_trust_verdict(const struct term_trust *trust, void *verification)
{
    X509_STORE_CTX *context = verification;
    int error = X509_STORE_CTX_get_error(context);
    if (error == X509_V_OK) {
        return NULL;
    }
    if (trust->insecure) {
        X509_STORE_CTX_set_error(context, X509_V_OK);
        return NULL;
    }
    return describe_verdict(error);
}
