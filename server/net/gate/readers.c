#include "net/gate/readers.h"

#include <assert.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#define LEAST         8u /* of the slice, readers in line have one part or more */
#define BESIDES_PARTS 4u /* of the slice, other work leaves one part */
#define SENT_PARTS    4u /* of the time for sending, one part is for reading, … */
#define LATE_PARTS    8u /* … and of this time and of the slice, while snapshots wait */
#define COST_FIRST    UINT64_C(20000) /* ns */
#define COST_PARTS    4u              /* of the average, one part is the newest */
#define COST_READING  256u            /* the unit of class->recent_count, for the average */

static_assert(offsetof(struct reader_account, turn) == 0, "see readers_next()");

void readers_init(struct readers *readers)
{
    memset(readers, 0, sizeof *readers);
    for (int i = 0; i < READERS_CLASSES; i++) {
        readers->classes[i].cost = COST_FIRST;
    }
    readers->slice = READERS_SLICE;
    readers->reading = &readers->classes[READERS_OTHERS];
    readers->short_slice = READERS_SLICE / LATE_PARTS;
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
        class->size--;
        free(account);
    }
}

static void make_vacant(struct readers *readers, struct reader_account *account)
{
    struct readers_class *class = &readers->classes[account->class];

    list_append(&class->vacant, &account->vacancy);
    class->vacant_count++;
    free_vacant(readers, class, READERS_VACANT);
}

void readers_finish(struct readers *readers)
{
    for (int i = 0; i < READERS_CLASSES; i++) {
        free_vacant(readers, &readers->classes[i], 0);
        assert(readers->classes[i].size == 0);
        heap_destroy(&readers->classes[i].accounts);
    }
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
    return &readers->classes[reader->account->class];
}

/* ---- accounts ---- */

static struct reader_account *find_account(const struct list *list, uint64_t id,
                                           enum readers_class_name class)
{
    struct reader_account *account = list_entry(list->first, struct reader_account, item);

    while (account != NULL && (account->id != id || account->class != class)) {
        account = list_entry(account->item.next, struct reader_account, item);
    }
    return account;
}

/* Returns NULL when memory runs out. The heap has place for each account. */
static struct reader_account *make_account(struct readers *readers, struct list *list, uint64_t id,
                                           enum readers_class_name name)
{
    struct readers_class *class = &readers->classes[name];
    struct reader_account *account = calloc(1, sizeof *account);

    if (account == NULL || !heap_grow(&class->accounts, class->size + 1)) {
        free(account);
        return NULL;
    }
    account->id = id;
    account->class = (uint8_t)name;
    list_append(list, &account->item);
    class->size++;
    return account;
}

bool readers_join(struct readers *readers, struct reader *reader, uint64_t id,
                  enum readers_class_name class)
{
    struct list *list = &readers->accounts[id % READERS_LISTS];
    struct reader_account *account = find_account(list, id, class);

    assert(reader->account == NULL);
    if (account == NULL) {
        account = make_account(readers, list, id, class);
    }
    if (account == NULL) {
        return false;
    }
    if (account->readers == 0 && list_has(&readers->classes[class].vacant, &account->vacancy)) {
        list_remove(&readers->classes[class].vacant, &account->vacancy);
        readers->classes[class].vacant_count--;
    }
    account->readers++;
    reader->account = account;
    return true;
}

static void leave_line(struct readers *readers, struct reader *reader)
{
    struct readers_class *class = class_of(readers, reader);
    struct reader_account *account = reader->account;

    list_remove(&account->line, &reader->item);
    reader->in_line = false;
    class->waiting--;
    if (account->line.first == NULL) {
        heap_remove(&class->accounts, &account->turn);
    }
}

void readers_leave(struct readers *readers, struct reader *reader)
{
    struct reader_account *account = reader->account;

    if (account == NULL) {
        return;
    }
    if (reader->in_line) {
        leave_line(readers, reader);
    }
    if (reader->weighs) {
        class_of(readers, reader)->weight -= account->clients-- <= READERS_CROWD;
        reader->weighs = false;
    }
    reader->account = NULL;
    if (--account->readers == 0) {
        make_vacant(readers, account);
    }
}

void readers_weigh(struct readers *readers, struct reader *reader)
{
    assert(!reader->weighs && reader->account != NULL);
    class_of(readers, reader)->weight += ++reader->account->clients <= READERS_CROWD;
    reader->weighs = true;
}

/* ---- charges ---- */

/* Returns the most charges that an account may have: the others in line catch up with it within
 * READERS_DEBT. But less than two readings would not tell a client that sends little from others.
 */
static uint64_t most_of(const struct readers_class *class)
{
    return class->level + greater(READERS_DEBT / (class->accounts.count + 1), 2 * class->cost);
}

/* An account is first charged up to the level: time that it did not use is lost. of: the class
 * whose slice is used. */
static void charge(struct readers *readers, const struct reader *reader, struct readers_class *of,
                   struct meter_part part)
{
    struct reader_account *account = reader->account;
    struct readers_class *class = class_of(readers, reader);

    account->used = lesser(greater(account->used, class->level) + part.ran, most_of(class));
    class->most = greater(class->most, account->used);
    of->spent += part.took;
    of->ran += part.ran;
    if (account->turn.place > 0) {
        heap_change(&class->accounts, &account->turn, account->used);
    }
}

void readers_charge(struct readers *readers, const struct reader *reader, struct meter_part part)
{
    if (reader->account != NULL) {
        charge(readers, reader, class_of(readers, reader), part);
    }
}

void readers_charge_reading(struct readers *readers, const struct reader *reader,
                            struct meter_part part)
{
    if (reader->account != NULL) {
        charge(readers, reader, readers->reading, part);
    }
}

void readers_charge_welcome(struct readers *readers, const struct reader *reader,
                            struct meter_part part)
{
    struct readers_class *class;

    if (reader->account != NULL) {
        class = class_of(readers, reader);
        charge(readers, reader,
               class == &readers->classes[READERS_TRUSTED] ? &readers->classes[READERS_OTHERS]
                                                           : class,
               part);
    }
}

/* ---- lines ---- */

void readers_ready(struct readers *readers, struct reader *reader)
{
    struct readers_class *class = class_of(readers, reader);
    struct reader_account *account = reader->account;

    assert(!reader->in_line);
    if (account->line.first == NULL) {
        account->used = lesser(account->used, most_of(class));
        heap_add(&class->accounts, &account->turn, account->used);
    }
    list_append(&account->line, &reader->item);
    reader->in_line = true;
    class->waiting++;
}

bool readers_move(struct readers *readers, struct reader *reader, uint64_t id,
                  enum readers_class_name class)
{
    const bool in_line = reader->in_line, weighs = reader->weighs;
    struct reader moved = {0};

    if (!readers_join(readers, &moved, id, class)) {
        return false;
    }
    readers_leave(readers, reader);
    reader->account = moved.account;
    if (weighs) {
        readers_weigh(readers, reader);
    }
    if (in_line) {
        readers_ready(readers, reader);
    }
    return true;
}

/* ---- turns ---- */

/* Returns what other work leaves of the slice. */
static uint64_t left_of(const struct readers *readers)
{
    return readers->slice -
           lesser(readers->besides, readers->slice / BESIDES_PARTS * (BESIDES_PARTS - 1));
}

static bool is_used_up(const struct readers *readers, const struct readers_class *class)
{
    return class->spent >= left_of(readers);
}

/* Returns true if the class has time for a reading and its answers, which follow later. Answers to
 * earlier readings leave a part of the slice, and time for one reading in any case. */
static bool has_time(const struct readers *readers, const struct readers_class *class)
{
    const uint64_t expected = greater(class->spent - class->carried, class->count * class->cost);

    return class->carried + expected < left_of(readers) || class->count == 0 ||
           expected < readers->slice / LEAST;
}

static struct reader *next_of(struct readers *readers, struct readers_class *class)
{
    struct reader_account *account = (struct reader_account *)heap_first(&class->accounts);
    struct reader *reader;

    if (account == NULL || !has_time(readers, class)) {
        return NULL;
    }
    class->level = greater(class->level, account->used);
    reader = list_entry(account->line.first, struct reader, item);
    leave_line(readers, reader);
    class->count++;
    readers->reading = class;
    return reader;
}

struct reader *readers_next(struct readers *readers)
{
    struct reader *reader = NULL;

    for (int i = READERS_CLASSES - 1; reader == NULL && i >= 0; i--) {
        reader = next_of(readers, &readers->classes[i]);
    }
    return reader;
}

static bool is_over(const struct readers *readers, const struct readers_class *class)
{
    return is_used_up(readers, class) || class->waiting > 0;
}

bool readers_must_wait(struct readers *readers, struct reader *reader)
{
    struct readers_class *class = class_of(readers, reader);
    const bool waits =
        is_over(readers, class) && (reader->account->used > class->level + READERS_GRACE ||
                                    class->spent - class->carried >= READERS_MOST);

    if (waits) {
        readers_ready(readers, reader);
    }
    return waits;
}

bool readers_must_queue(struct readers *readers, struct reader *reader)
{
    const bool waits = is_over(readers, class_of(readers, reader));

    if (waits) {
        readers_ready(readers, reader);
    }
    return waits;
}

/* Averages the cost of a reading with its answers, which is not more than the least that a turn has
 * for them. */
static void learn_cost(struct readers_class *class)
{
    const uint64_t least = READERS_SLICE / LEAST;
    const uint64_t time = class->spent - class->carried;
    uint64_t cost;

    if (class->count == 0 && time == 0) {
        return;
    }
    class->recent_time += time - class->recent_time / COST_PARTS;
    class->recent_count += COST_READING * class->count - class->recent_count / COST_PARTS;
    cost =
        class->recent_count > 0 ? COST_READING * class->recent_time / class->recent_count : least;
    class->cost = cost < 1 ? 1 : cost < least ? cost : least;
}

/* slice: of the next turn. Answers may have taken far more time than the slice: then the next turn
 * begins without a slice, else the shard would read faster than it answers. */
static void begin_turn(struct readers *readers, struct readers_class *class, uint64_t slice)
{
    if (!is_over(readers, class)) {
        class->level = class->most;
        free_vacant(readers, class, 0);
    }
    learn_cost(class);
    readers->spare += class->waiting > 0 ? class->ran : 0;
    class->ran = 0;
    class->carried = lesser(class->spent - lesser(class->spent, slice), slice);
    class->spent = class->carried;
    class->count = 0;
}

void readers_hurry(struct readers *readers)
{
    readers->slice = lesser(readers->slice, readers->short_slice);
}

void readers_turn(struct readers *readers, uint64_t sent, bool late)
{
    readers->short_slice = greater(READERS_SLICE, sent) / LATE_PARTS;
    readers->slice = late ? readers->short_slice : greater(READERS_SLICE, sent / SENT_PARTS);
    for (int i = 0; i < READERS_CLASSES; i++) {
        begin_turn(readers, &readers->classes[i], readers->slice);
    }
    readers->besides = 0;
}
