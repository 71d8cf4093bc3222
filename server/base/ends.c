#include "base/ends.h"

#include <assert.h>
#include <stddef.h>

struct row {
    unsigned code;
    const char *text;
};

static const struct row rows[] = {
#define END_ROW(reason, code, text) [reason] = {code, text},
    ENDS(END_ROW)
#undef END_ROW
};

static const struct row *row_of(enum end_reason reason)
{
    assert((size_t)reason < sizeof rows / sizeof rows[0]);
    return &rows[reason];
}

unsigned end_code(enum end_reason reason)
{
    return row_of(reason)->code;
}

const char *end_text(enum end_reason reason)
{
    return row_of(reason)->text;
}
