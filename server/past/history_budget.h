/* The bytes that the pasts of all rooms may take together. Any thread. */
#ifndef HISTORY_BUDGET_H
#define HISTORY_BUDGET_H

#include <stdbool.h>
#include <stddef.h>

#include "room/room.h"

/* Takes so many of them; budget NULL: any number. False: there are not so many left. */
bool history_budget_take(struct history_budget *budget, size_t bytes);
void history_budget_give(struct history_budget *budget, size_t bytes);

#endif
