#include "disk.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "store/database.h"
#include "store/endings.h"
#include "threads.h"

#define ROWS_MAX 64u
#define WRITES   16u

struct row {
    bool used;
    struct store_room room; /* the row owns its state */
    uint64_t saved_at;      /* ns */
    uint64_t signature;     /* of the room when it was saved */
    uint8_t *past;          /* the row owns it; NULL: none */
    size_t past_size;
};

struct rest {
    bool used;
    char code[PROTO_ROOM_MAX + 1];
    uint64_t until; /* s */
};

struct tables {
    struct row rooms[ROWS_MAX];
    struct rest codes[ROWS_MAX];
};

static struct tables committed, pending;
static struct ending endings_kept[ROWS_MAX];
static uint32_t endings_used;
static bool failing, dead, in_transaction;
static uint64_t slowness;
static uint64_t begun_at;       /* ns: when the transaction began */
static uint64_t writes[WRITES]; /* ns: when the last ones began that are committed, … */
static uint32_t write_next;     /* … and where the next goes */

/* ---- calls of the simulation ---- */

static uint8_t *copy_bytes(const uint8_t *bytes, size_t size)
{
    uint8_t *copy = malloc(size);

    check(copy != NULL, "out of memory");
    memcpy(copy, bytes, size);
    return copy;
}

static void clear(struct tables *tables)
{
    for (uint32_t i = 0; i < ROWS_MAX; i++) {
        free(tables->rooms[i].room.state);
        free(tables->rooms[i].past);
    }
    memset(tables, 0, sizeof *tables);
}

static void copy(struct tables *to, const struct tables *from)
{
    clear(to);
    *to = *from;
    for (uint32_t i = 0; i < ROWS_MAX; i++) {
        struct row *row = &to->rooms[i];
        if (row->room.state != NULL) {
            row->room.state = copy_bytes(row->room.state, row->room.size);
        }
        if (row->past != NULL) {
            row->past = copy_bytes(row->past, row->past_size);
        }
    }
}

void disk_begin(void)
{
    disk_end();
    endings_used = 0;
    failing = dead = in_transaction = false;
    slowness = 0;
    memset(writes, 0, sizeof writes);
}

void disk_end(void)
{
    clear(&committed);
    clear(&pending);
}

void disk_fail(bool fails)
{
    failing = fails;
}

void disk_slow(uint64_t time)
{
    slowness = time;
}

void disk_kill(void)
{
    dead = true;
}

void disk_next_process(void)
{
    dead = false;
    in_transaction = false;
    clear(&pending);
}

static struct row *row_of(struct tables *tables, const char *code)
{
    for (uint32_t i = 0; i < ROWS_MAX; i++) {
        if (tables->rooms[i].used && strcmp(tables->rooms[i].room.code, code) == 0) {
            return &tables->rooms[i];
        }
    }
    return NULL;
}

static bool has_ended(const struct store_room *room)
{
    for (uint32_t i = 0; i < endings_used; i++) {
        if (strcmp(endings_kept[i].code, room->code) == 0 &&
            endings_kept[i].saved_at == room->saved_at) {
            return true;
        }
    }
    return false;
}

bool disk_has(const char *code, uint64_t *saved_at)
{
    const struct row *row = row_of(&committed, code);

    if (row == NULL || has_ended(&row->room)) {
        return false;
    }
    *saved_at = row->saved_at;
    return true;
}

uint32_t disk_rooms(void)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < ROWS_MAX; i++) {
        count += committed.rooms[i].used;
    }
    return count;
}

bool disk_has_written(uint32_t times, uint64_t since)
{
    check(times <= WRITES, "%u writes are not remembered", times);
    return writes[(write_next + WRITES - times) % WRITES] > since;
}

/* ---- calls of the store ---- */

/* Returns whether the disk can be written. A slow disk takes simulated time. */
static bool writable(void)
{
    if (slowness > 0) {
        threads_sleep(chance_below(slowness));
    }
    return !failing && !dead;
}

enum store_result database_open(struct database *database, const char *folder, char *text)
{
    memset(database, 0, sizeof *database);
    snprintf(database->path, sizeof database->path, "%s/" STORE_FILE, folder);
    memset(database->secret, 1, sizeof database->secret);
    text[0] = '\0';
    return STORE_OK;
}

void database_close(struct database *database)
{
    (void)database;
}

void database_explain(const struct database *database, char *text)
{
    snprintf(text, STORE_REASON_MAX, "%s: the disk has failed", database->path);
}

bool database_run(struct database *database, const char *sql)
{
    const uint64_t now = threads_now();

    (void)database;
    if (strcmp(sql, "ROLLBACK") == 0) {
        in_transaction = false;
        return true;
    }
    if (!writable()) {
        return false;
    }
    if (strcmp(sql, "COMMIT") == 0) {
        check(in_transaction, "the store commits what it has not begun");
        copy(&committed, &pending);
        in_transaction = false;
        writes[write_next++ % WRITES] = begun_at;
    } else {
        begun_at = now;
        copy(&pending, &committed);
        in_transaction = true;
    }
    return true;
}

bool database_put(struct database *database, const struct store_room *room)
{
    struct row *row = row_of(&pending, room->code);

    (void)database;
    check(in_transaction, "the store writes outside of a transaction");
    for (uint32_t i = 0; row == NULL && i < ROWS_MAX; i++) {
        row = pending.rooms[i].used ? NULL : &pending.rooms[i];
    }
    check(row != NULL, "the store keeps more rooms than there may be");
    if (!writable()) {
        return false;
    }
    free(row->room.state);
    row->used = true;
    row->room = *room;
    row->room.state = copy_bytes(room->state, room->size);
    check(check_saved(room->state, &row->signature, &row->saved_at),
          "the store writes what no room has saved");
    return true;
}

bool database_put_piece(struct database *database, enum database_table table, const char *code,
                        const struct piece *piece)
{
    struct row *row = row_of(&pending, code);

    (void)database;
    check(table == DATABASE_PASTS, "the room %s plays a recording, which no room of a life does",
          code);
    check(in_transaction, "the store writes outside of a transaction");
    check(row != NULL, "the store writes the past of a room that it does not have");
    if (!writable()) {
        return false;
    }
    if (piece->begin == 0) {
        free(row->past);
        row->past = copy_bytes(piece->bytes, piece->size);
        row->past_size = piece->size;
    }
    return true;
}

bool database_drop_value(struct database *database, enum database_table table, const char *code)
{
    (void)database;
    (void)table;
    check(false, "the past of the room %s is dropped, though the room continues", code);
    return false;
}

bool database_drop_unfinished(struct database *database)
{
    (void)database;
    return writable();
}

uint8_t *database_value(struct database *database, enum database_table table, const char *code,
                        size_t *size)
{
    const struct row *row = row_of(&committed, code);

    (void)database;
    *size = 0;
    if (table != DATABASE_PASTS || row == NULL || row->past == NULL) {
        return NULL;
    }
    *size = row->past_size;
    return copy_bytes(row->past, row->past_size);
}

bool database_end(struct database *database, const char *code, uint64_t until)
{
    struct row *row = row_of(&pending, code);
    struct rest *rest = NULL;

    (void)database;
    if (!writable()) {
        return false;
    }
    if (row != NULL) {
        free(row->room.state);
        free(row->past);
        memset(row, 0, sizeof *row);
    }
    for (uint32_t i = 0; rest == NULL && i < ROWS_MAX; i++) {
        rest = pending.codes[i].used ? NULL : &pending.codes[i];
    }
    check(rest != NULL, "more rooms have ended than there were");
    rest->used = true;
    rest->until = until;
    snprintf(rest->code, sizeof rest->code, "%s", code);
    return true;
}

bool database_set_aside(struct database *database, const char *code)
{
    (void)database;
    check(false, "the room %s was set aside, though its state is whole", code);
    return false;
}

static void take_rows(const char *first, bool is_first,
                      void (*take)(void *argument, const struct store_room *room), void *argument)
{
    for (uint32_t i = 0; i < ROWS_MAX; i++) {
        const struct row *row = &committed.rooms[i];
        if (row->used && (strcmp(row->room.code, first) == 0) == is_first) {
            check_loads(row->room.state, row->signature);
            take(argument, &row->room);
        }
    }
}

bool database_rooms(struct database *database, const char *first,
                    void (*take)(void *argument, const struct store_room *room), void *argument)
{
    (void)database;
    take_rows(first, true, take, argument);
    take_rows(first, false, take, argument);
    return true;
}

bool database_codes(struct database *database,
                    void (*rest)(void *argument, const char *code, uint64_t until), void *argument)
{
    (void)database;
    for (uint32_t i = 0; i < ROWS_MAX; i++) {
        if (committed.codes[i].used) {
            rest(argument, committed.codes[i].code, committed.codes[i].until);
        }
    }
    return true;
}

bool database_count(struct database *database, uint32_t *rooms)
{
    (void)database;
    *rooms = disk_rooms();
    return true;
}

bool database_saved_at(struct database *database, const char *code, uint64_t *saved_at)
{
    const struct row *row = row_of(&committed, code);

    (void)database;
    *saved_at = row != NULL ? row->room.saved_at : 0;
    return row != NULL;
}

/* The list of endings can be written while all else fails. */
void endings_open(struct endings *endings, const char *path,
                  void (*take)(void *argument, const struct ending *ending), void *argument)
{
    (void)path;
    *endings = (struct endings){.used = endings_used, .slots = ROWS_MAX};
    for (uint32_t i = 0; i < endings_used; i++) {
        take(argument, &endings_kept[i]);
    }
}

void endings_close(struct endings *endings)
{
    (void)endings;
}

void endings_reserve(struct endings *endings, uint32_t rooms)
{
    check(rooms <= endings->slots, "more rooms are stored than there may be");
}

bool endings_add(struct endings *endings, const struct ending *ending)
{
    check(endings->used < endings->slots, "the list of endings has an entry twice");
    if (dead) {
        return false;
    }
    endings_kept[endings->used] = *ending;
    endings_used = ++endings->used;
    return true;
}

void endings_sync(const struct endings *endings)
{
    (void)endings;
}

void endings_clear(struct endings *endings)
{
    if (!dead) {
        endings_used = endings->used = 0;
    }
}

/* The simulated disk has no space to give back. */
bool database_shrink(struct database *database)
{
    (void)database;
    return false;
}

void database_reserve(const struct database *database)
{
    (void)database;
}

void database_spend_reserve(const struct database *database)
{
    (void)database;
}
