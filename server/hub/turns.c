#include "hub/turns.h"

#include <assert.h>
#include <stdlib.h>

/* ---- life ---- */

struct account *account_create(void)
{
    struct account *account = calloc(1, sizeof *account);

    if (account != NULL && !heap_create(&account->ready, 1)) {
        free(account);
        return NULL;
    }
    return account;
}

void account_destroy(struct account *account)
{
    if (account != NULL) {
        heap_destroy(&account->ready);
        free(account);
    }
}

bool turns_create(struct turns *turns, size_t rooms_max)
{
    *turns = (struct turns){0};
    return heap_create(&turns->waiting, rooms_max) &&
           heap_create(&turns->classes[0].accounts, rooms_max) &&
           heap_create(&turns->classes[1].accounts, rooms_max);
}

void turns_destroy(struct turns *turns)
{
    struct account *account;

    while ((account = list_entry(list_take(&turns->accounts), struct account, item)) != NULL) {
        assert(turns->accounts.first != &account->item);
        account_destroy(account);
    }
    heap_destroy(&turns->waiting);
    heap_destroy(&turns->classes[0].accounts);
    heap_destroy(&turns->classes[1].accounts);
}

static struct turns_class *class_of(struct turns *turns, const struct account *account)
{
    return &turns->classes[account->trusted];
}

static uint64_t later(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* ---- where a room stands ---- */

static void take_out(struct turns *turns, struct turn *turn)
{
    struct account *account = turn->account;

    if (turn->ready) {
        heap_remove(&account->ready, &turn->item);
        if (account->ready.count == 0) {
            heap_remove(&class_of(turns, account)->accounts, &account->turn);
        }
    } else if (turn->item.place > 0) {
        heap_remove(&turns->waiting, &turn->item);
    }
    turn->ready = false;
}

/* Charges an account that had no ready room up to the level of its class, and in the same way a
 * class that had no ready room. */
static void make_account_ready(struct turns *turns, struct account *account)
{
    struct turns_class *class = class_of(turns, account);

    if (class->accounts.count == 0) {
        class->used = later(class->used, turns->level);
    }
    account->used = later(account->used, class->level);
    heap_add(&class->accounts, &account->turn, account->used + account->cost);
}

static void make_ready(struct turns *turns, struct turn *turn)
{
    struct account *account = turn->account;

    take_out(turns, turn);
    if (account->ready.count == 0) {
        make_account_ready(turns, account);
    }
    turn->used = later(turn->used, account->level);
    turn->ready = true;
    heap_add(&account->ready, &turn->item, turn->used + turn->cost);
}

static void make_wait(struct turns *turns, struct turn *turn)
{
    take_out(turns, turn);
    if (turn->deadline != TURNS_NEVER) {
        heap_add(&turns->waiting, &turn->item, turn->deadline);
    }
}

void turns_tick_at(struct turns *turns, struct turn *turn, uint64_t deadline)
{
    uint32_t runs = deadline != TURNS_NEVER;
    uint32_t ran = turn->deadline != TURNS_NEVER;

    turn->account->running += runs - ran;
    turns->running += runs - ran;
    turn->deadline = deadline;
    if (!turn->waited_for) {
        make_wait(turns, turn);
    }
}

void turns_wait(struct turns *turns, struct turn *turn, bool waited_for)
{
    turn->waited_for = waited_for;
    if (waited_for && !turn->ready) {
        make_ready(turns, turn);
    } else if (!waited_for && turn->ready) {
        make_wait(turns, turn);
    }
}

/* ---- turns ---- */

/* Returns the class whose turn it is, or NULL if no room is ready. */
static struct turns_class *next_class(struct turns *turns)
{
    struct turns_class *others = &turns->classes[false];
    struct turns_class *trusted = &turns->classes[true];

    if (trusted->accounts.count > 0 &&
        (others->accounts.count == 0 || trusted->used <= others->used)) {
        return trusted;
    }
    return others->accounts.count > 0 ? others : NULL;
}

struct turn *turns_next(struct turns *turns, uint64_t now)
{
    struct turns_class *class;
    struct account *account;
    struct turn *next;

    while ((next = (struct turn *)heap_first(&turns->waiting)) != NULL && next->deadline <= now) {
        make_ready(turns, next);
    }
    class = next_class(turns);
    if (class == NULL) {
        return NULL;
    }
    account = (struct account *)heap_first(&class->accounts);
    assert(account != NULL);
    next = (struct turn *)heap_first(&account->ready);
    assert(next != NULL);
    account->level = later(account->level, next->used);
    class->level = later(class->level, account->used);
    turns->level = later(turns->level, class->used);
    return next;
}

void turns_charge(struct turns *turns, struct turn *turn, uint64_t time)
{
    struct account *account = turn->account;
    struct turns_class *class = class_of(turns, account);

    class->used += account->trusted ? time / TURNS_TRUSTED : time;
    account->used += time;
    account->cost = time;
    turn->used += time;
    turn->cost = time;
    if (account->turn.place > 0) {
        heap_change(&class->accounts, &account->turn, account->used + time);
    }
    if (turn->ready) {
        heap_change(&account->ready, &turn->item, turn->used + time);
    }
}

uint64_t turns_deadline(const struct turns *turns)
{
    const struct heap_item *first = heap_first(&turns->waiting);

    if (turns->classes[0].accounts.count + turns->classes[1].accounts.count > 0) {
        return 0;
    }
    return first != NULL ? first->key : TURNS_NEVER;
}

bool turns_are_shared(const struct turns *turns, const struct turn *turn)
{
    return turns->running > turn->account->running;
}

/* ---- rooms and accounts ---- */

static struct account *find_account(const struct turns *turns, const struct account *wanted)
{
    struct list_item *next = turns->accounts.first;

    while (next != NULL && wanted->id != 0) {
        struct account *account = list_entry(next, struct account, item);
        if (account->id == wanted->id && account->trusted == wanted->trusted) {
            return account;
        }
        next = next->next;
    }
    return NULL;
}

void turns_enter(struct turns *turns, struct turn *turn, struct account *account)
{
    struct account *known = find_account(turns, account);

    /* When memory runs out, the room keeps an account of its own. */
    if (known != NULL && heap_grow(&known->ready, known->rooms + 1)) {
        account_destroy(account);
        account = known;
    } else {
        list_append(&turns->accounts, &account->item);
    }
    account->rooms++;
    *turn = (struct turn){.account = account, .deadline = TURNS_NEVER};
}

void turns_leave(struct turns *turns, struct turn *turn)
{
    struct account *account = turn->account;

    assert(turn->deadline == TURNS_NEVER);
    take_out(turns, turn);
    turn->account = NULL;
    if (--account->rooms == 0) {
        list_remove(&turns->accounts, &account->item);
        account_destroy(account);
    }
}
