/* The bytes that the pasts of all scenes may take together. Any thread. */
#ifndef HISTORY_BUDGET_H
#define HISTORY_BUDGET_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct history_budget {
    _Atomic uint64_t bytes;
    uint64_t bytes_max;
};

/* Takes that many bytes; a NULL budget has any number. Returns false, with nothing taken, if fewer
 * are left. */
bool history_budget_take(struct history_budget *budget, size_t bytes);
void history_budget_give(struct history_budget *budget, size_t bytes);

#endif
