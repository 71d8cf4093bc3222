#include "net/gate/readers.h"

#include <assert.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#define LEAST         8u              /* of the slice, paused readers have one part or more */
#define BESIDES_PARTS 4u              /* of the slice, other work leaves one part */
#define SENT_PARTS    4u              /* of the time for sending, one part is for reading */
#define LATE_PARTS    8u              /* of the slice, one part is left when snapshots wait */
#define COST_FIRST    UINT64_C(50000) /* ns */
#define COST_PARTS    4u              /* of the average, one part is the newest */

static_assert(offsetof(struct reader_account, turn) == 0, "see readers_resume()");

void readers_init(struct readers *readers)
{
    memset(readers, 0, sizeof *readers);
    readers->classes[0].cost = readers->classes[1].cost = COST_FIRST;
    readers->slice = READERS_SLICE;
}

/* ---- accounts without readers ---- */

/* Frees the oldest ones, so that not more than `most` are left. */
static void free_vacant(struct readers *readers, struct readers_class *class, uint32_t most)
{
    while (class->vacant_count > most) {
        struct reader_account *account =
            list_entry(list_take(&class->vacant), struct reader_account, vacancy);
        assert(account != NULL && class->vacant.first != &account->vacancy);
        class->vacant_count--;
        list_remove(&readers->accounts[account->id % READERS_LISTS], &account->item);
        class->count--;
        free(account);
    }
}

static void make_vacant(struct readers *readers, struct reader_account *account)
{
    struct readers_class *class = &readers->classes[account->trusted];

    list_append(&class->vacant, &account->vacancy);
    class->vacant_count++;
    free_vacant(readers, class, READERS_VACANT);
}

void readers_finish(struct readers *readers)
{
    free_vacant(readers, &readers->classes[0], 0);
    free_vacant(readers, &readers->classes[1], 0);
    assert(readers->classes[0].count + readers->classes[1].count == 0);
    heap_destroy(&readers->classes[0].accounts);
    heap_destroy(&readers->classes[1].accounts);
}

static uint64_t greater(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

static uint64_t lesser(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static struct readers_class *class_of(struct readers *readers, const struct reader *reader)
{
    return &readers->classes[reader->account->trusted];
}

/* ---- accounts ---- */

static struct reader_account *find_account(const struct list *list, uint64_t id, bool trusted)
{
    struct reader_account *account = list_entry(list->first, struct reader_account, item);

    while (account != NULL && (account->id != id || account->trusted != trusted)) {
        account = list_entry(account->item.next, struct reader_account, item);
    }
    return account;
}

/* Returns NULL when memory runs out. The heap has place for each account. */
static struct reader_account *make_account(struct readers *readers, struct list *list, uint64_t id,
                                           bool trusted)
{
    struct readers_class *class = &readers->classes[trusted];
    struct reader_account *account = calloc(1, sizeof *account);

    if (account == NULL || !heap_grow(&class->accounts, class->count + 1)) {
        free(account);
        return NULL;
    }
    account->id = id;
    account->trusted = trusted;
    list_append(list, &account->item);
    class->count++;
    return account;
}

bool readers_join(struct readers *readers, struct reader *reader, uint64_t id, bool trusted)
{
    struct list *list = &readers->accounts[id % READERS_LISTS];
    struct reader_account *account = find_account(list, id, trusted);

    assert(reader->account == NULL);
    if (account == NULL) {
        account = make_account(readers, list, id, trusted);
    }
    if (account == NULL) {
        return false;
    }
    if (account->readers == 0 && list_has(&readers->classes[trusted].vacant, &account->vacancy)) {
        list_remove(&readers->classes[trusted].vacant, &account->vacancy);
        readers->classes[trusted].vacant_count--;
    }
    account->readers++;
    reader->account = account;
    return true;
}

/* Takes a paused reader out of its account's line. */
static void unpause(struct readers *readers, struct reader *reader)
{
    struct readers_class *class = class_of(readers, reader);
    struct reader_account *account = reader->account;

    list_remove(&account->paused, &reader->item);
    reader->paused = false;
    class->paused--;
    if (account->paused.first == NULL) {
        heap_remove(&class->accounts, &account->turn);
    }
}

void readers_leave(struct readers *readers, struct reader *reader)
{
    struct reader_account *account = reader->account;

    if (account == NULL) {
        return;
    }
    if (reader->paused) {
        unpause(readers, reader);
    }
    if (reader->heard) {
        list_remove(&readers->heard, &reader->item);
        reader->heard = false;
    }
    reader->account = NULL;
    if (--account->readers == 0) {
        make_vacant(readers, account);
    }
}

/* ---- charges ---- */

/* An account is first charged up to the level: time that it did not use is lost. */
void readers_charge(struct readers *readers, const struct reader *reader, struct meter_part part)
{
    struct readers_class *class;
    struct reader_account *account = reader->account;

    if (account == NULL) {
        return;
    }
    class = class_of(readers, reader);
    account->used = greater(account->used, class->level) + part.ran;
    class->most = greater(class->most, account->used);
    class->spent += part.took;
    if (account->turn.place > 0) {
        heap_change(&class->accounts, &account->turn, account->used);
    }
}

/* ---- turns ---- */

/* Returns what other work leaves of the slice. */
static uint64_t left_of(const struct readers *readers, uint64_t slice)
{
    return slice - lesser(readers->besides, slice / BESIDES_PARTS * (BESIDES_PARTS - 1));
}

static bool is_used_up(const struct readers *readers, const struct readers_class *class)
{
    return class->spent > left_of(readers, readers->slice);
}

static bool is_over(const struct readers *readers, const struct readers_class *class)
{
    return is_used_up(readers, class) || class->paused > 0;
}

/* Returns true if the account has had more time than the others. */
static bool is_ahead(const struct readers_class *class, const struct reader_account *account)
{
    return account->used > class->level + READERS_GRACE;
}

static void pause_reader(struct readers_class *class, struct reader *reader)
{
    struct reader_account *account = reader->account;

    if (account->paused.first == NULL) {
        heap_add(&class->accounts, &account->turn, account->used);
    }
    list_append(&account->paused, &reader->item);
    reader->paused = true;
    class->paused++;
}

static void note_heard(struct readers *readers, struct readers_class *class, struct reader *reader)
{
    if (!reader->heard) {
        reader->heard = true;
        class->heard++;
        list_append(&readers->heard, &reader->item);
    }
}

bool readers_hear(struct readers *readers, struct reader *reader)
{
    struct readers_class *class;

    if (reader->account == NULL || reader->paused) {
        return false;
    }
    class = class_of(readers, reader);
    note_heard(readers, class, reader);
    if (!is_used_up(readers, class) || !is_ahead(class, reader->account)) {
        return false;
    }
    list_remove(&readers->heard, &reader->item);
    reader->heard = false;
    pause_reader(class, reader);
    return true;
}

bool readers_must_wait(struct readers *readers, struct reader *reader)
{
    struct readers_class *class = class_of(readers, reader);
    const bool waits = is_over(readers, class) && is_ahead(class, reader->account);

    assert(!reader->heard && !reader->paused);
    if (waits) {
        pause_reader(class, reader);
    }
    return waits;
}

bool readers_must_queue(struct readers *readers, struct reader *reader)
{
    struct readers_class *class = class_of(readers, reader);
    const bool waits = is_over(readers, class);

    assert(!reader->heard && !reader->paused);
    if (waits) {
        pause_reader(class, reader);
    }
    return waits;
}

struct reader *readers_pause(struct readers *readers)
{
    struct reader *reader;

    while ((reader = list_entry(list_take(&readers->heard), struct reader, item)) != NULL) {
        reader->heard = false;
        if (readers_must_wait(readers, reader)) {
            return reader;
        }
    }
    return NULL;
}

/* Averages the cost of a reader, which is not more than the least that a turn has for them. */
static void learn_cost(struct readers_class *class)
{
    const uint64_t least = READERS_SLICE / LEAST;
    uint64_t cost;

    if (class->heard == 0) {
        return;
    }
    cost = (class->cost * (COST_PARTS - 1) + (class->spent - class->carried) / class->heard) /
           COST_PARTS;
    class->cost = cost < 1 ? 1 : cost < least ? cost : least;
}

/* slice: of the next turn. Answers may have taken far more time than the slice: then the next turn
 * begins without a slice, else the shard would read faster than it answers. */
static void begin_turn(struct readers *readers, struct readers_class *class, uint64_t slice)
{
    const uint64_t most = left_of(readers, slice);
    const uint64_t left = class->spent < most ? most - class->spent : 0;

    learn_cost(class);
    if (!is_over(readers, class)) {
        class->level = class->most;
        free_vacant(readers, class, 0);
    }
    class->left = greater(left, slice / LEAST);
    class->carried = lesser(class->spent - lesser(class->spent, slice), slice);
    class->spent = class->carried;
    class->heard = 0;
}

void readers_turn(struct readers *readers, uint64_t sent, bool late)
{
    const uint64_t slice =
        greater(late ? READERS_SLICE / LATE_PARTS : READERS_SLICE, sent / SENT_PARTS);

    assert(readers->heard.first == NULL);
    begin_turn(readers, &readers->classes[0], slice);
    begin_turn(readers, &readers->classes[1], slice);
    readers->slice = slice;
    readers->besides = 0;
}

/* Charges the expected cost now, so that the next one is of another account. */
static struct reader *resume_next(struct readers *readers, struct readers_class *class)
{
    struct reader_account *account = (struct reader_account *)heap_first(&class->accounts);
    struct reader *reader;

    if (account == NULL || class->left < class->cost) {
        return NULL;
    }
    class->left -= class->cost;
    class->level = greater(class->level, account->used);
    account->used += class->cost;
    class->most = greater(class->most, account->used);
    heap_change(&class->accounts, &account->turn, account->used);
    reader = list_entry(account->paused.first, struct reader, item);
    unpause(readers, reader);
    return reader;
}

struct reader *readers_resume(struct readers *readers)
{
    struct reader *reader = resume_next(readers, &readers->classes[1]);

    return reader != NULL ? reader : resume_next(readers, &readers->classes[0]);
}
