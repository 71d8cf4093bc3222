#include "store/database.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define RESERVE    262144 /* bytes of the disk, to be able to end rooms when it is full */
#define FREE_PAGES 256    /* unused pages that the file may keep */
#define STEP_PAGES "256"  /* pages that database_shrink() removes */

static const char put_sql[] = "INSERT OR REPLACE INTO room VALUES (?, ?, ?, ?, ?)";
static const char end_sql[] = "DELETE FROM room WHERE code = ?";
static const char rest_sql[] = "INSERT OR REPLACE INTO code VALUES (?, ?)";
static const char forget_sql[] = "DELETE FROM code WHERE until < ?";
static const char put_creator_sql[] =
    "INSERT INTO creator VALUES (?, ?, ?) ON CONFLICT (code) DO UPDATE"
    " SET number = excluded.number, trusted = excluded.trusted"
    " WHERE number != excluded.number OR trusted != excluded.trusted";
static const char drop_creator_sql[] = "DELETE FROM creator WHERE code = ?";

/* ---- errors ---- */

void database_explain(const struct database *database, char *text)
{
    int code = sqlite3_errcode(database->db);
    const char *error = sqlite3_errmsg(database->db);
    const char *advice = "check its folder and its disk";

    if (code == SQLITE_OK) { /* the change is in the log, which could not be copied */
        code = database->log_result;
        error = sqlite3_errstr(code);
    }

    switch (code & 0xff) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
        advice = "another flockd is using it: start each with its own folder (--data)";
        break;
    case SQLITE_FULL:
        advice = "free space on its disk";
        break;
    case SQLITE_READONLY:
    case SQLITE_CANTOPEN:
    case SQLITE_PERM:
        advice = "give flockd permission to write to it and to its folder";
        break;
    default:
        break;
    }
    snprintf(text, STORE_REASON_MAX, "%s: %s; %s", database->path, error, advice);
}

/* ---- statements ---- */

bool database_run(struct database *database, const char *sql)
{
    return sqlite3_exec(database->db, sql, NULL, NULL, NULL) == SQLITE_OK;
}

bool database_number(struct database *database, const char *sql, int64_t *number)
{
    sqlite3_stmt *statement = NULL;
    bool done = sqlite3_prepare_v2(database->db, sql, -1, &statement, NULL) == SQLITE_OK &&
                sqlite3_step(statement) == SQLITE_ROW;

    if (done) {
        *number = sqlite3_column_int64(statement, 0);
    }
    return sqlite3_finalize(statement) == SQLITE_OK && done;
}

bool database_prepare(struct database *database)
{
    const struct {
        sqlite3_stmt **statement;
        const char *sql;
    } statements[] = {{&database->put, put_sql},
                      {&database->end, end_sql},
                      {&database->rest, rest_sql},
                      {&database->forget, forget_sql},
                      {&database->put_creator, put_creator_sql},
                      {&database->drop_creator, drop_creator_sql}};

    for (size_t i = 0; i < sizeof statements / sizeof statements[0]; i++) {
        if (sqlite3_prepare_v2(database->db, statements[i].sql, -1, statements[i].statement,
                               NULL) != SQLITE_OK) {
            return false;
        }
    }
    return database_prepare_values(database);
}

void database_close(struct database *database)
{
    sqlite3_finalize(database->put);
    sqlite3_finalize(database->end);
    sqlite3_finalize(database->rest);
    sqlite3_finalize(database->forget);
    database_finish_values(database);
    sqlite3_finalize(database->put_creator);
    sqlite3_finalize(database->drop_creator);
    sqlite3_close(database->db);
    memset(database, 0, sizeof *database);
}

/* ---- space ---- */

static void path_of_reserve(const struct database *database, char *path, size_t size)
{
    snprintf(path, size, "%s-reserve", database->path);
}

void database_reserve(const struct database *database)
{
    char path[1100];
    int fd;

    path_of_reserve(database, path, sizeof path);
    fd = open(path, O_WRONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (fd >= 0) {
        (void)posix_fallocate(fd, 0, RESERVE); /* a full disk gets it back in part */
        close(fd);
    }
}

void database_spend_reserve(const struct database *database)
{
    char path[1100];

    path_of_reserve(database, path, sizeof path);
    (void)unlink(path);
}

bool database_shrink(struct database *database)
{
    int64_t before = 0;
    int64_t after = 0;

    if (!database_number(database, "PRAGMA freelist_count", &before) || before <= FREE_PAGES ||
        !database_run(database, "PRAGMA incremental_vacuum(" STEP_PAGES ")")) {
        return false;
    }
    /* On a full disk this may fail until more pages are removed. */
    (void)database_run(database, "PRAGMA wal_checkpoint(TRUNCATE)");
    return database_number(database, "PRAGMA freelist_count", &after) && after < before;
}

/* ---- writing ---- */

/* Runs a statement without results and resets it for the next use. */
static bool finish_statement(sqlite3_stmt *statement)
{
    bool done = sqlite3_step(statement) == SQLITE_DONE;

    return sqlite3_reset(statement) == SQLITE_OK && done;
}

static void bind_text(sqlite3_stmt *statement, int index, const char *text)
{
    sqlite3_bind_text(statement, index, text, -1, SQLITE_STATIC);
}

/* Runs a statement about the row of that code. */
static bool finish_for(sqlite3_stmt *statement, const char *code)
{
    bind_text(statement, 1, code);
    return finish_statement(statement);
}

/* Stores who created the room. */
static bool put_creator(struct database *database, const struct store_room *room)
{
    sqlite3_bind_int64(database->put_creator, 2, (sqlite3_int64)room->creator);
    sqlite3_bind_int(database->put_creator, 3, room->trusted);
    return finish_for(database->put_creator, room->code);
}

bool database_put(struct database *database, const struct store_room *room)
{
    bind_text(database->put, 1, room->code);
    sqlite3_bind_int(database->put, 2, room->listed);
    sqlite3_bind_int64(database->put, 3, (sqlite3_int64)room->saved_at);
    sqlite3_bind_int64(database->put, 4, (sqlite3_int64)room->fingerprint);
    sqlite3_bind_blob64(database->put, 5, room->state, room->size, SQLITE_STATIC);
    return finish_statement(database->put) && put_creator(database, room) &&
           (room->plays || database_drop_value(database, DATABASE_RECORDINGS, room->code));
}

bool database_end(struct database *database, const char *code, uint64_t until)
{
    bind_text(database->rest, 1, code);
    sqlite3_bind_int64(database->rest, 2, (sqlite3_int64)until);
    sqlite3_bind_int64(database->forget, 1, (sqlite3_int64)time(NULL));
    return finish_for(database->end, code) && finish_statement(database->rest) &&
           finish_statement(database->forget) &&
           database_drop_value(database, DATABASE_RECORDINGS, code) &&
           database_drop_value(database, DATABASE_PASTS, code) &&
           finish_for(database->drop_creator, code);
}

bool database_set_aside(struct database *database, const char *code)
{
    sqlite3_stmt *statement = NULL;
    bool done = database_run(database, "BEGIN IMMEDIATE") &&
                sqlite3_prepare_v2(database->db,
                                   "INSERT INTO aside SELECT code, saved_at, state FROM room "
                                   "WHERE code = ?",
                                   -1, &statement, NULL) == SQLITE_OK;

    if (done) {
        bind_text(statement, 1, code);
        done = sqlite3_step(statement) == SQLITE_DONE && finish_for(database->end, code);
    }
    sqlite3_finalize(statement);
    done = done && database_run(database, "COMMIT");
    if (!done) {
        database_run(database, "ROLLBACK");
    }
    return done;
}

/* ---- reading ---- */

/* Reads a code that fits. Returns false if the table holds something else. */
static bool read_code(sqlite3_stmt *statement, char code[PROTO_ROOM_MAX + 1])
{
    const unsigned char *text = sqlite3_column_text(statement, 0);
    int size = sqlite3_column_bytes(statement, 0);

    if (text == NULL || size <= 0 || size > (int)PROTO_ROOM_MAX ||
        !proto_room_valid((const char *)text)) {
        return false;
    }
    memcpy(code, text, (size_t)size + 1);
    return true;
}

/* Reads who created the room, if the table says it. The statement may be NULL. */
static void read_creator(sqlite3_stmt *statement, struct store_room *room)
{
    int64_t number;
    int64_t trusted;

    if (statement == NULL) {
        return;
    }
    bind_text(statement, 1, room->code);
    if (sqlite3_step(statement) == SQLITE_ROW &&
        sqlite3_column_type(statement, 0) == SQLITE_INTEGER &&
        sqlite3_column_type(statement, 1) == SQLITE_INTEGER) {
        number = sqlite3_column_int64(statement, 0);
        trusted = sqlite3_column_int64(statement, 1);
        if (number >= 0 && (trusted == 0 || trusted == 1)) { /* else it is damaged */
            room->creator = (uint64_t)number;
            room->trusted = trusted == 1;
        }
    }
    sqlite3_reset(statement);
}

bool database_count(struct database *database, uint32_t *rooms)
{
    int64_t count = 0;
    bool done = database_number(database, "SELECT count(*) FROM room", &count);

    *rooms = count < UINT32_MAX ? (uint32_t)count : UINT32_MAX;
    return done;
}

bool database_saved_at(struct database *database, const char *code, uint64_t *saved_at)
{
    sqlite3_stmt *statement = NULL;
    bool found = sqlite3_prepare_v2(database->db, "SELECT saved_at FROM room WHERE code = ?", -1,
                                    &statement, NULL) == SQLITE_OK;

    if (found) {
        bind_text(statement, 1, code);
        found = sqlite3_step(statement) == SQLITE_ROW;
        *saved_at = found ? (uint64_t)sqlite3_column_int64(statement, 0) : 0;
    }
    sqlite3_finalize(statement);
    return found;
}

/* Prepares the query for all rooms. A database from an older flockd has no table of creators. */
static bool find_rooms(struct database *database, sqlite3_stmt **statement)
{
    static const char *const queries[] = {
        /* The ranks are found without the states, which are large. */
        "SELECT code, listed, saved_at, fingerprint, state FROM room JOIN "
        "(SELECT code, trusted IS NOT 1 AS later, "
        "row_number() OVER (PARTITION BY trusted, number ORDER BY saved_at DESC) AS turn "
        "FROM room LEFT JOIN creator USING (code)) USING (code) "
        "ORDER BY code != ?, later, turn, saved_at DESC",
        "SELECT code, listed, saved_at, fingerprint, state FROM room "
        "ORDER BY code != ?, saved_at DESC",
    };

    return sqlite3_prepare_v2(database->db, queries[0], -1, statement, NULL) == SQLITE_OK ||
           sqlite3_prepare_v2(database->db, queries[1], -1, statement, NULL) == SQLITE_OK;
}

bool database_rooms(struct database *database, const char *first,
                    void (*take)(void *argument, const struct store_room *room), void *argument)
{
    sqlite3_stmt *statement = NULL;
    sqlite3_stmt *creators = NULL;
    int result = SQLITE_DONE;

    if (!find_rooms(database, &statement)) {
        return false;
    }
    bind_text(statement, 1, first);
    /* A database from an older flockd has no such table. */
    (void)sqlite3_prepare_v2(database->db, "SELECT number, trusted FROM creator WHERE code = ?", -1,
                             &creators, NULL);
    while ((result = sqlite3_step(statement)) == SQLITE_ROW) {
        struct store_room room = {.listed = sqlite3_column_int(statement, 1) != 0,
                                  .saved_at = (uint64_t)sqlite3_column_int64(statement, 2),
                                  .fingerprint = (uint64_t)sqlite3_column_int64(statement, 3)};
        /* Readers must not change the store's bytes. */
        room.state = (uint8_t *)(uintptr_t)sqlite3_column_blob(statement, 4);
        room.size = (size_t)sqlite3_column_bytes(statement, 4);
        if (read_code(statement, room.code) && room.state != NULL) {
            read_creator(creators, &room);
            take(argument, &room);
        }
    }
    sqlite3_finalize(creators);
    return sqlite3_finalize(statement) == SQLITE_OK && result == SQLITE_DONE;
}

bool database_codes(struct database *database,
                    void (*rest)(void *argument, const char *code, uint64_t until), void *argument)
{
    sqlite3_stmt *statement = NULL;
    int result = sqlite3_prepare_v2(database->db, "SELECT code, until FROM code ORDER BY until", -1,
                                    &statement, NULL);

    if (result != SQLITE_OK) {
        return false;
    }
    while ((result = sqlite3_step(statement)) == SQLITE_ROW) {
        char code[PROTO_ROOM_MAX + 1];
        if (read_code(statement, code)) {
            rest(argument, code, (uint64_t)sqlite3_column_int64(statement, 1));
        }
    }
    return sqlite3_finalize(statement) == SQLITE_OK && result == SQLITE_DONE;
}
