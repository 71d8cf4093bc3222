#include "term/net/trust.h"

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
    return X509_verify_cert_error_string(error);
}
