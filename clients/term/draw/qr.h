/* A QR code as cells of half blocks. libqrencode makes the code. Pure; the caller owns the struct;
 * all zero: none. */
#ifndef TERM_QR_H
#define TERM_QR_H

#include <stdbool.h>
#include <stdint.h>
#include <wchar.h>

#define QR_QUIET 4 /* modules around the code that stay light; scanners expect as many */

struct qr {
    int side;         /* modules in a row of the code */
    uint8_t *modules; /* side × side; 1: dark */
};

/* Makes the code of a text. Returns false if the text is too long or memory runs out; then there is
 * no code. */
bool qr_make(struct qr *qr, const char *text);
void qr_free(struct qr *qr);

/* Returns the columns and rows that the code takes with `quiet` modules around it. */
int qr_columns(const struct qr *qr, int quiet);
int qr_rows(const struct qr *qr, int quiet);

/* Returns the half block of a cell, which is dark on light. */
wchar_t qr_symbol(const struct qr *qr, int quiet, int column, int row);

#endif
