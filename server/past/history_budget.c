#include "past/history_budget.h"

#include <stdatomic.h>

bool history_budget_take(struct history_budget *budget, size_t bytes)
{
    if (budget == NULL) {
        return true;
    }
    if (atomic_fetch_add(&budget->bytes, bytes) + bytes > budget->bytes_max) {
        atomic_fetch_sub(&budget->bytes, bytes);
        return false;
    }
    return true;
}

void history_budget_give(struct history_budget *budget, size_t bytes)
{
    if (budget != NULL) {
        atomic_fetch_sub(&budget->bytes, bytes);
    }
}
