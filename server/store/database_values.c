/* The tables of recordings and pasts.
 *
 * A value that is written at once has one row, whose code is the room's. Of other values each piece
 * has a row. The row's code consists of the room's code, a full stop, the name of the copy and
 * where the piece begins, as 8 hexadecimal digits: FK72MX.a00100000. The piece 00000000 is written
 * last, and replaces the earlier copy. No room's code contains a full stop. So an older flockd
 * deletes these rows when it starts: it has no room of such a code. */
#include <stdlib.h>
#include <string.h>

#include "store/database.h"

#define KEY_SIZE (PROTO_ROOM_MAX + sizeof ".a00000000" + 16)

#define VACUUM_PAGES "1280" /* the log has fewer: see LOG_MOST in database_open.c */

#define WHOLE  '\0'
#define COPY_A 'a'
#define COPY_B 'b'

static const struct {
    const char *put, *drop, *drop_copy, *find, *read;
} sql[DATABASE_TABLES] = {
#define SQL_OF(table)                                                                              \
    {                                                                                              \
        "INSERT OR REPLACE INTO " table " VALUES (?, ?)",                                          \
            "DELETE FROM " table " WHERE code = ?1 OR (code >= ?1 || '.' AND code < ?1 || '/')",   \
            "DELETE FROM " table " WHERE code >= ? AND code < ?",                                  \
            "SELECT 1 FROM " table " WHERE code = ?",                                              \
            "SELECT code, bytes FROM " table " WHERE code >= ? AND code < ? ORDER BY code"         \
    }
    [DATABASE_RECORDINGS] = SQL_OF("recording"),
    [DATABASE_PASTS] = SQL_OF("past"),
#undef SQL_OF
};

/* Deletes the pieces of values whose first piece is missing. */
#define UNFINISHED(table)                                                                          \
    "DELETE FROM " table " WHERE instr(code, '.') > 0 AND"                                         \
    " substr(code, 1, instr(code, '.') + 1) || '00000000' NOT IN (SELECT code FROM " table ");"
static const char unfinished[] = UNFINISHED("recording") UNFINISHED("past");

/* Deletes the values of rooms that are not in the database. */
#define ORPHANS(table)                                                                             \
    "DELETE FROM " table " WHERE substr(code, 1, instr(code || '.', '.') - 1)"                     \
    " NOT IN (SELECT code FROM room);"
static const char orphans[] = ORPHANS("recording") ORPHANS("past");

bool database_prepare_values(struct database *database)
{
    bool done = true;

    for (int i = 0; done && i < DATABASE_TABLES; i++) {
        const struct {
            sqlite3_stmt **statement;
            const char *sql;
        } statements[] = {{&database->values[i].put, sql[i].put},
                          {&database->values[i].drop, sql[i].drop},
                          {&database->values[i].drop_copy, sql[i].drop_copy},
                          {&database->values[i].find, sql[i].find}};
        for (size_t j = 0; done && j < sizeof statements / sizeof statements[0]; j++) {
            done = sqlite3_prepare_v2(database->db, statements[j].sql, -1, statements[j].statement,
                                      NULL) == SQLITE_OK;
        }
    }
    return done;
}

void database_finish_values(struct database *database)
{
    for (int i = 0; i < DATABASE_TABLES; i++) {
        sqlite3_finalize(database->values[i].put);
        sqlite3_finalize(database->values[i].drop);
        sqlite3_finalize(database->values[i].drop_copy);
        sqlite3_finalize(database->values[i].find);
    }
}

/* ---- keys ---- */

static void key_of_piece(char key[KEY_SIZE], const char *code, char copy, size_t begin)
{
    snprintf(key, KEY_SIZE, "%s.%c%08zx", code, copy, begin);
}

static void bind_text(sqlite3_stmt *statement, int index, const char *text)
{
    sqlite3_bind_text(statement, index, text, -1, SQLITE_TRANSIENT);
}

/* Binds the first code of a value's rows and the first code behind them. copy: WHOLE if the value
 * has one row. */
static void bind_rows(sqlite3_stmt *statement, const char *code, char copy)
{
    char key[KEY_SIZE];

    snprintf(key, sizeof key, copy == WHOLE ? "%s" : "%s.%c", code, copy);
    bind_text(statement, 1, key);
    snprintf(key, sizeof key, copy == WHOLE ? "%s." : "%s.%c", code, copy + 1);
    bind_text(statement, 2, key);
}

/* ---- writing ---- */

static bool run_sql(struct database *database, const char *text)
{
    return sqlite3_exec(database->db, text, NULL, NULL, NULL) == SQLITE_OK;
}

static bool finish_statement(sqlite3_stmt *statement)
{
    bool done = sqlite3_step(statement) == SQLITE_DONE;

    return sqlite3_reset(statement) == SQLITE_OK && done;
}

static bool put_bytes(sqlite3_stmt *statement, const char *key, const uint8_t *bytes, size_t size)
{
    bind_text(statement, 1, key);
    sqlite3_bind_blob64(statement, 2, bytes, size, SQLITE_STATIC);
    return finish_statement(statement);
}

static bool drop_copy(struct database *database, enum database_table table, const char *code,
                      char copy)
{
    sqlite3_stmt *statement = database->values[table].drop_copy;

    bind_rows(statement, code, copy);
    return finish_statement(statement);
}

static bool has_copy(struct database *database, enum database_table table, const char *code,
                     char copy)
{
    sqlite3_stmt *statement = database->values[table].find;
    char key[KEY_SIZE];
    bool has;

    key_of_piece(key, code, copy, 0);
    bind_text(statement, 1, key);
    has = sqlite3_step(statement) == SQLITE_ROW;
    sqlite3_reset(statement);
    return has;
}

bool database_drop_value(struct database *database, enum database_table table, const char *code)
{
    bind_text(database->values[table].drop, 1, code);
    return finish_statement(database->values[table].drop);
}

bool database_put_piece(struct database *database, enum database_table table, const char *code,
                        const struct piece *piece)
{
    sqlite3_stmt *put = database->values[table].put;
    const char copy = has_copy(database, table, code, COPY_A) ? COPY_B : COPY_A;
    const bool first = piece->end == piece->size;
    const bool last = piece->begin == 0;
    char key[KEY_SIZE];

    if (first && last) {
        return database_drop_value(database, table, code) &&
               put_bytes(put, code, piece->bytes, piece->size);
    }
    if (first && !drop_copy(database, table, code, copy)) { /* of an attempt that failed */
        return false;
    }
    key_of_piece(key, code, copy, piece->begin);
    if (!put_bytes(put, key, piece->bytes + piece->begin, piece->end - piece->begin)) {
        return false;
    }
    if (!last) {
        return true;
    }
    return drop_copy(database, table, code, WHOLE) &&
           drop_copy(database, table, code, copy == COPY_A ? COPY_B : COPY_A);
}

bool database_clean_values(struct database *database)
{
    return run_sql(database, orphans) && run_sql(database, unfinished);
}

/* On a full disk the file has no space for pages that are only in the log, at most VACUUM_PAGES,
 * and the log has little: so one transaction removes both, and SQLite keeps it in memory until its
 * end. */
bool database_drop_unfinished(struct database *database)
{
    bool done = run_sql(database, "PRAGMA cache_spill = OFF") &&
                run_sql(database, "BEGIN IMMEDIATE") && run_sql(database, unfinished) &&
                run_sql(database, "PRAGMA incremental_vacuum(" VACUUM_PAGES ")") &&
                run_sql(database, "COMMIT");

    if (!done) {
        run_sql(database, "ROLLBACK");
    }
    run_sql(database, "PRAGMA cache_spill = ON");
    return done;
}

/* ---- reading ---- */

/* Whether the statement's row is the first one of the value. */
static bool is_first(sqlite3_stmt *statement, const char *code, char copy)
{
    const char *text = (const char *)sqlite3_column_text(statement, 0);
    char key[KEY_SIZE];

    key_of_piece(key, code, copy, 0);
    return text != NULL && strcmp(text, copy == WHOLE ? code : key) == 0;
}

/* Returns the value, malloc'ed, and its size; NULL: it has no rows, or its first one is missing. If
 * another row is missing, the checksum of the recording or past tells it. */
static uint8_t *read_rows(sqlite3_stmt *statement, const char *code, char copy, size_t *size)
{
    uint8_t *bytes = NULL;
    size_t all = 0;
    size_t used = 0;

    bind_rows(statement, code, copy);
    for (int row = 0; sqlite3_step(statement) == SQLITE_ROW; row++) {
        if (row == 0 && !is_first(statement, code, copy)) {
            break;
        }
        all += (size_t)sqlite3_column_bytes(statement, 1);
    }
    sqlite3_reset(statement);
    bytes = all > 0 ? malloc(all) : NULL;
    while (bytes != NULL && used < all && sqlite3_step(statement) == SQLITE_ROW) {
        size_t count = (size_t)sqlite3_column_bytes(statement, 1);
        if (count > 0) {
            memcpy(bytes + used, sqlite3_column_blob(statement, 1), count);
        }
        used += count;
    }
    sqlite3_reset(statement);
    *size = used;
    return bytes;
}

uint8_t *database_value(struct database *database, enum database_table table, const char *code,
                        size_t *size)
{
    static const char copies[] = {WHOLE, COPY_A, COPY_B};
    sqlite3_stmt *statement = NULL;
    uint8_t *bytes = NULL;

    /* A database from an older flockd has no such table. */
    if (sqlite3_prepare_v2(database->db, sql[table].read, -1, &statement, NULL) != SQLITE_OK) {
        return NULL;
    }
    for (size_t i = 0; bytes == NULL && i < sizeof copies; i++) {
        bytes = read_rows(statement, code, copies[i], size);
    }
    sqlite3_finalize(statement);
    return bytes;
}
