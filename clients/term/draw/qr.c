#include "term/draw/qr.h"

#include <qrencode.h>
#include <stddef.h>
#include <stdlib.h>

bool qr_make(struct qr *qr, const char *text)
{
    qr_free(qr);
    QRcode *code = QRcode_encodeString(text, 0, QR_ECLEVEL_L, QR_MODE_8, 1);
    if (code == NULL) {
        return false;
    }
    size_t count = (size_t)code->width * (size_t)code->width;
    uint8_t *modules = malloc(count);
    if (modules != NULL) {
        for (size_t i = 0; i < count; i++) {
            modules[i] = code->data[i] & 1;
        }
        *qr = (struct qr){.side = code->width, .modules = modules};
    }
    QRcode_free(code);
    return modules != NULL;
}

void qr_free(struct qr *qr)
{
    free(qr->modules);
    *qr = (struct qr){0};
}

int qr_columns(const struct qr *qr, int quiet)
{
    return qr->side + 2 * quiet;
}

int qr_rows(const struct qr *qr, int quiet)
{
    return (qr_columns(qr, quiet) + 1) / 2;
}

static bool is_dark(const struct qr *qr, int x, int y)
{
    return x >= 0 && y >= 0 && x < qr->side && y < qr->side &&
           qr->modules[(size_t)y * (size_t)qr->side + (size_t)x] != 0;
}

wchar_t qr_symbol(const struct qr *qr, int quiet, int column, int row)
{
    static const wchar_t symbols[2][2] = {{L' ', L'▄'}, {L'▀', L'█'}};
    bool upper = is_dark(qr, column - quiet, 2 * row - quiet);
    bool lower = is_dark(qr, column - quiet, 2 * row + 1 - quiet);
    return symbols[upper][lower];
}
