#include "store/database.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include <uv.h>

#include "store/wal.h"

#define APPLICATION 0x464c4b44 /* "FLKD": marks a database of flockd */
#define VERSION     1          /* of the tables */

#define RESERVE    262144 /* bytes of the disk, to be able to end rooms when it is full */
#define FREE_PAGES 256    /* unused pages that the file may keep */
#define STEP_PAGES 1024   /* pages that database_shrink() removes */

#define STRING_OF(x) #x
#define STRING(x)    STRING_OF(x)

static const char schema[] =
    "BEGIN IMMEDIATE;"
    "CREATE TABLE room (code TEXT PRIMARY KEY, listed INTEGER NOT NULL, saved_at INTEGER NOT NULL,"
    " fingerprint INTEGER NOT NULL, state BLOB NOT NULL) WITHOUT ROWID;"
    "CREATE TABLE code (code TEXT PRIMARY KEY, until INTEGER NOT NULL) WITHOUT ROWID;"
    "CREATE TABLE aside (code TEXT, saved_at INTEGER, state BLOB);"
    "PRAGMA application_id = " STRING(APPLICATION) ";"
                                                   "PRAGMA user_version = " STRING(
                                                       VERSION) ";"
                                                                "COMMIT;";

/* Recordings that rooms play, the pasts of rooms, who created rooms, and the secret of the numbers
 * of creators. An older flockd has no such tables, and leaves the rows of ended rooms. */
static const char more_tables[] =
    "CREATE TABLE IF NOT EXISTS recording (code TEXT PRIMARY KEY, bytes BLOB NOT NULL);"
    "CREATE TABLE IF NOT EXISTS past (code TEXT PRIMARY KEY, bytes BLOB NOT NULL);"
    "CREATE TABLE IF NOT EXISTS creator (code TEXT PRIMARY KEY, number INTEGER NOT NULL,"
    " trusted INTEGER NOT NULL) WITHOUT ROWID;"
    "CREATE TABLE IF NOT EXISTS secret (bytes BLOB NOT NULL);"
    "DELETE FROM recording WHERE code NOT IN (SELECT code FROM room);"
    "DELETE FROM past WHERE code NOT IN (SELECT code FROM room);"
    "DELETE FROM creator WHERE code NOT IN (SELECT code FROM room)";

/* Exclusive: it locks out a second flockd, and the log of changes needs no shared memory. Some
 * builds of SQLite write zeros over all that is deleted, which takes as much of the log of changes:
 * FAST does so only where it writes anyway. */
static const char settings[] = "PRAGMA locking_mode = EXCLUSIVE;"
                               "PRAGMA secure_delete = FAST;"
                               "PRAGMA journal_mode = WAL;"
                               "PRAGMA synchronous = NORMAL;"
                               "PRAGMA journal_size_limit = 16777216;";

static const char put_sql[] = "INSERT OR REPLACE INTO room VALUES (?, ?, ?, ?, ?)";
static const char end_sql[] = "DELETE FROM room WHERE code = ?";
static const char rest_sql[] = "INSERT OR REPLACE INTO code VALUES (?, ?)";
static const char forget_sql[] = "DELETE FROM code WHERE until < ?";
static const char put_recording_sql[] = "INSERT OR REPLACE INTO recording VALUES (?, ?)";
static const char drop_recording_sql[] = "DELETE FROM recording WHERE code = ?";
static const char put_past_sql[] = "INSERT OR REPLACE INTO past VALUES (?, ?)";
static const char drop_past_sql[] = "DELETE FROM past WHERE code = ?";
static const char put_creator_sql[] =
    "INSERT INTO creator VALUES (?, ?, ?) ON CONFLICT (code) DO UPDATE"
    " SET number = excluded.number, trusted = excluded.trusted"
    " WHERE number != excluded.number OR trusted != excluded.trusted";
static const char drop_creator_sql[] = "DELETE FROM creator WHERE code = ?";

/* ---- errors ---- */

void database_explain(const struct database *database, char *text)
{
    int code = sqlite3_errcode(database->db);
    const char *advice = "check its folder and its disk";

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
    snprintf(text, STORE_REASON_MAX, "%s: %s; %s", database->path, sqlite3_errmsg(database->db),
             advice);
}

static bool is_damaged(const struct database *database)
{
    int code = sqlite3_errcode(database->db) & 0xff;

    return code == SQLITE_CORRUPT || code == SQLITE_NOTADB;
}

/* ---- opening ---- */

bool database_run(struct database *database, const char *sql)
{
    return sqlite3_exec(database->db, sql, NULL, NULL, NULL) == SQLITE_OK;
}

/* Stores the number that a statement returns. */
static bool read_number(struct database *database, const char *sql, int64_t *number)
{
    sqlite3_stmt *statement = NULL;
    bool done = sqlite3_prepare_v2(database->db, sql, -1, &statement, NULL) == SQLITE_OK &&
                sqlite3_step(statement) == SQLITE_ROW;

    if (done) {
        *number = sqlite3_column_int64(statement, 0);
    }
    return sqlite3_finalize(statement) == SQLITE_OK && done;
}

/* Returns true if SQLite's own check finds no fault. */
static bool is_sound(struct database *database, const char *sql, char *text)
{
    sqlite3_stmt *statement = NULL;
    bool sound = sqlite3_prepare_v2(database->db, sql, -1, &statement, NULL) == SQLITE_OK &&
                 sqlite3_step(statement) == SQLITE_ROW;
    const char *said =
        sound ? (const char *)sqlite3_column_text(statement, 0) : "it is not a database";

    sound = sound && said != NULL && strcmp(said, "ok") == 0;
    if (!sound) {
        snprintf(text, STORE_REASON_MAX, "%s is damaged (%s)", database->path, said);
    }
    sqlite3_finalize(statement);
    return sound;
}

/* Copies the file and its log to new names. */
static bool copy_aside(const char *path, char *text)
{
    static const char *const suffixes[] = {"", "-wal"};
    char from[1100];
    char to[1200];
    size_t used = strlen(text);
    long long now = (long long)time(NULL);

    for (size_t i = 0; i < sizeof suffixes / sizeof suffixes[0]; i++) {
        uv_fs_t request;
        int result;
        snprintf(from, sizeof from, "%s%s", path, suffixes[i]);
        snprintf(to, sizeof to, "%s.damaged-%lld%s", path, now, suffixes[i]);
        result = uv_fs_copyfile(NULL, &request, from, to, 0, NULL);
        uv_fs_req_cleanup(&request);
        if (result != 0) {
            snprintf(text + used, STORE_REASON_MAX - used, "; it cannot be copied to %s: %s", to,
                     uv_strerror(result));
            return false;
        }
    }
    snprintf(text + used, STORE_REASON_MAX - used,
             "; rooms continue from the changes before it; both files remain as %s.damaged-%lld",
             path, now);
    return true;
}

/* Returns false, with a text, if the database's log of changes is damaged. */
static bool has_sound_log(const struct database *database, char *text)
{
    char path[1100];
    char what[64];

    snprintf(path, sizeof path, "%s-wal", database->path);
    if (wal_is_sound(path, what, sizeof what)) {
        return true;
    }
    snprintf(text, STORE_REASON_MAX, "%s is damaged (%s)", path, what);
    return false;
}

enum state { READY, NEW, LOST, DAMAGED, WRONG };

static enum state look_at(struct database *database, char *text)
{
    int64_t application = 0;
    int64_t version = 0;
    int64_t tables = 0;

    if (!read_number(database, "SELECT count(*) FROM sqlite_schema", &tables) ||
        !read_number(database, "PRAGMA application_id", &application) ||
        !read_number(database, "PRAGMA user_version", &version)) {
        database_explain(database, text);
        return is_damaged(database) ? DAMAGED : WRONG;
    }
    if (tables == 0 && application == 0) {
        return NEW;
    }
    if (application != APPLICATION) {
        snprintf(text, STORE_REASON_MAX, "%s is a database of another program; name another folder",
                 database->path);
        return WRONG;
    }
    if (version > VERSION) {
        snprintf(
            text, STORE_REASON_MAX,
            "%s was written by a newer flockd (version %lld of its tables, this one knows %d); "
            "use that flockd, or name another folder",
            database->path, (long long)version, VERSION);
        return WRONG;
    }
    return is_sound(database, "PRAGMA quick_check(1)", text) ? READY : DAMAGED;
}

static bool prepare_statements(struct database *database)
{
    const struct {
        sqlite3_stmt **statement;
        const char *sql;
    } statements[] = {{&database->put, put_sql},
                      {&database->end, end_sql},
                      {&database->rest, rest_sql},
                      {&database->forget, forget_sql},
                      {&database->put_recording, put_recording_sql},
                      {&database->drop_recording, drop_recording_sql},
                      {&database->put_past, put_past_sql},
                      {&database->drop_past, drop_past_sql},
                      {&database->put_creator, put_creator_sql},
                      {&database->drop_creator, drop_creator_sql}};

    for (size_t i = 0; i < sizeof statements / sizeof statements[0]; i++) {
        if (sqlite3_prepare_v2(database->db, statements[i].sql, -1, statements[i].statement,
                               NULL) != SQLITE_OK) {
            return false;
        }
    }
    return true;
}

void database_close(struct database *database)
{
    sqlite3_finalize(database->put);
    sqlite3_finalize(database->end);
    sqlite3_finalize(database->rest);
    sqlite3_finalize(database->forget);
    sqlite3_finalize(database->put_recording);
    sqlite3_finalize(database->drop_recording);
    sqlite3_finalize(database->put_past);
    sqlite3_finalize(database->drop_past);
    sqlite3_finalize(database->put_creator);
    sqlite3_finalize(database->drop_creator);
    sqlite3_close(database->db);
    memset(database, 0, sizeof *database);
}

static bool has_secret(struct database *database)
{
    sqlite3_stmt *statement = NULL;
    bool has = sqlite3_prepare_v2(database->db, "SELECT bytes FROM secret", -1, &statement, NULL) ==
                   SQLITE_OK &&
               sqlite3_step(statement) == SQLITE_ROW &&
               sqlite3_column_bytes(statement, 0) == (int)sizeof database->secret;

    if (has) {
        memcpy(database->secret, sqlite3_column_blob(statement, 0), sizeof database->secret);
    }
    sqlite3_finalize(statement);
    return has;
}

/* Reads the secret. Makes one if there is none or it is damaged. If that cannot be saved, this
 * process has a secret of its own. */
static bool find_secret(struct database *database)
{
    sqlite3_stmt *statement = NULL;

    if (has_secret(database)) {
        return true;
    }
    if (getrandom(database->secret, sizeof database->secret, 0) !=
        (ssize_t)sizeof database->secret) {
        return false;
    }
    if (database_run(database, "DELETE FROM secret") &&
        sqlite3_prepare_v2(database->db, "INSERT INTO secret VALUES (?)", -1, &statement, NULL) ==
            SQLITE_OK) {
        sqlite3_bind_blob(statement, 1, database->secret, (int)sizeof database->secret,
                          SQLITE_STATIC);
        (void)sqlite3_step(statement);
    }
    sqlite3_finalize(statement);
    return true;
}

/* Makes the file private: other users could guess keys from it. SQLite gives its other files the
 * same mode. */
static void make_private(const char *path)
{
    int fd = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);

    if (fd >= 0) {
        close(fd);
    }
}

/* SQLite sets this before the first table only. In an older file it would write over the log of
 * changes before that is checked. */
static bool set_vacuum(struct database *database)
{
    struct stat status;

    return stat(database->path, &status) != 0 || status.st_size > 0 ||
           database_run(database, "PRAGMA auto_vacuum = INCREMENTAL");
}

static enum state open_file(struct database *database, char *text)
{
    enum state state;
    bool sound;

    make_private(database->path);
    if (sqlite3_open_v2(database->path, &database->db,
                        SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX |
                            SQLITE_OPEN_NOFOLLOW,
                        NULL) != SQLITE_OK ||
        !set_vacuum(database) || !database_run(database, settings)) {
        database_explain(database, text);
        return is_damaged(database) ? DAMAGED : WRONG;
    }
    state = look_at(database, text);
    if (state != NEW && state != READY) {
        return state;
    }
    /* SQLite has locked the files here, and has not written to them. */
    sound = has_sound_log(database, text);
    if (!sound && !copy_aside(database->path, text)) {
        return WRONG;
    }
    if ((state == NEW && !database_run(database, schema)) || !database_run(database, more_tables) ||
        !prepare_statements(database) || !find_secret(database)) {
        database_explain(database, text);
        return is_damaged(database) ? DAMAGED : WRONG;
    }
    return sound ? state : LOST;
}

/* Renames the file and its log. */
static bool rename_aside(const char *path, char *text)
{
    static const char *const suffixes[] = {"", "-wal"};
    char from[1100];
    char to[1200];
    size_t used = strlen(text);

    for (size_t i = 0; i < sizeof suffixes / sizeof suffixes[0]; i++) {
        snprintf(from, sizeof from, "%s%s", path, suffixes[i]);
        snprintf(to, sizeof to, "%s.damaged-%lld%s", path, (long long)time(NULL), suffixes[i]);
        if (rename(from, to) != 0 && (i == 0 || errno != ENOENT)) {
            snprintf(text + used, STORE_REASON_MAX - used, "; it cannot be renamed: %s",
                     strerror(errno));
            return false;
        }
    }
    snprintf(text + used, STORE_REASON_MAX - used,
             "; it was renamed to %s.damaged-%lld, and flockd began a new one", path,
             (long long)time(NULL));
    return true;
}

static bool make_path(struct database *database, const char *folder, char *text)
{
    struct stat status;
    int length = snprintf(database->path, sizeof database->path, "%s/" STORE_FILE, folder);

    if (length < 0 || (size_t)length >= sizeof database->path) {
        snprintf(text, STORE_REASON_MAX, "the folder's name is too long");
        return false;
    }
    if (mkdir(folder, 0700) != 0 && errno != EEXIST) {
        snprintf(text, STORE_REASON_MAX, "%.200s: the folder cannot be made: %s", folder,
                 strerror(errno));
        return false;
    }
    if (stat(folder, &status) != 0 || !S_ISDIR(status.st_mode)) {
        snprintf(text, STORE_REASON_MAX, "%.200s is not a folder", folder);
        return false;
    }
    return true;
}

enum store_result database_open(struct database *database, const char *folder, char *text)
{
    char path[sizeof database->path];
    char again[STORE_REASON_MAX];
    enum state state;

    memset(database, 0, sizeof *database);
    text[0] = '\0';
    if (!make_path(database, folder, text)) {
        return STORE_FAILED;
    }
    memcpy(path, database->path, sizeof path);
    state = open_file(database, text);
    if (state == NEW || state == READY || state == LOST) {
        return state == LOST ? STORE_LOST : STORE_OK;
    }
    database_close(database);
    if (state != DAMAGED || !rename_aside(path, text)) {
        return STORE_FAILED;
    }
    memcpy(database->path, path, sizeof path);
    state = open_file(database, again);
    if (state == NEW) {
        return STORE_SET_ASIDE;
    }
    database_close(database);
    memcpy(text, again, sizeof again);
    return STORE_FAILED;
}

bool database_look(struct database *database, const char *folder, char *text)
{
    memset(database, 0, sizeof *database);
    snprintf(database->path, sizeof database->path, "%s/" STORE_FILE, folder);
    if (access(database->path, F_OK) != 0) {
        snprintf(text, STORE_REASON_MAX, "%s: %s; expected a folder that was flockd's --data",
                 database->path, strerror(errno));
        return false;
    }
    if (sqlite3_open_v2(database->path, &database->db, SQLITE_OPEN_READONLY, NULL) != SQLITE_OK) {
        database_explain(database, text);
        return false;
    }
    switch (look_at(database, text)) {
    case READY:
        return has_sound_log(database, text) &&
               is_sound(database, "PRAGMA integrity_check(1)", text);
    case NEW:
        snprintf(text, STORE_REASON_MAX, "%s is empty", database->path);
        return false;
    default:
        return false;
    }
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

    return read_number(database, "PRAGMA freelist_count", &before) && before > FREE_PAGES &&
           database_run(database, "PRAGMA incremental_vacuum(" STRING(STEP_PAGES) ")") &&
           database_run(database, "PRAGMA wal_checkpoint(TRUNCATE)") &&
           read_number(database, "PRAGMA freelist_count", &after) && after < before;
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

/* Puts bytes into the row of that code. */
static bool put_bytes(sqlite3_stmt *statement, const char *code, const uint8_t *bytes, size_t size)
{
    sqlite3_bind_blob64(statement, 2, bytes, size, SQLITE_STATIC);
    return finish_for(statement, code);
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
           (room->plays || finish_for(database->drop_recording, room->code));
}

bool database_put_recording(struct database *database, const char *code,
                            const struct store_recording *recording)
{
    return put_bytes(database->put_recording, code, recording->bytes, recording->size);
}

bool database_put_past(struct database *database, const char *code, const uint8_t *bytes,
                       size_t size)
{
    return put_bytes(database->put_past, code, bytes, size);
}

bool database_drop_past(struct database *database, const char *code)
{
    return finish_for(database->drop_past, code);
}

bool database_end(struct database *database, const char *code, uint64_t until)
{
    bind_text(database->rest, 1, code);
    sqlite3_bind_int64(database->rest, 2, (sqlite3_int64)until);
    sqlite3_bind_int64(database->forget, 1, (sqlite3_int64)time(NULL));
    return finish_for(database->end, code) && finish_statement(database->rest) &&
           finish_statement(database->forget) && finish_for(database->drop_recording, code) &&
           finish_for(database->drop_past, code) && finish_for(database->drop_creator, code);
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
    bool done = read_number(database, "SELECT count(*) FROM room", &count);

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

bool database_rooms(struct database *database,
                    void (*take)(void *argument, const struct store_room *room), void *argument)
{
    sqlite3_stmt *statement = NULL;
    sqlite3_stmt *creators = NULL;
    int result = sqlite3_prepare_v2(database->db,
                                    "SELECT code, listed, saved_at, fingerprint, state FROM room "
                                    "ORDER BY saved_at DESC",
                                    -1, &statement, NULL);

    if (result != SQLITE_OK) {
        return false;
    }
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

/* Returns the bytes that the statement finds for the code, malloc'ed; NULL: none. */
static uint8_t *read_bytes(struct database *database, const char *sql, const char *code,
                           size_t *size)
{
    sqlite3_stmt *statement = NULL;
    uint8_t *bytes = NULL;

    /* A database from an older flockd has no such table. */
    if (sqlite3_prepare_v2(database->db, sql, -1, &statement, NULL) != SQLITE_OK) {
        return NULL;
    }
    bind_text(statement, 1, code);
    if (sqlite3_step(statement) == SQLITE_ROW && sqlite3_column_bytes(statement, 0) > 0) {
        *size = (size_t)sqlite3_column_bytes(statement, 0);
        bytes = malloc(*size);
    }
    if (bytes != NULL) {
        memcpy(bytes, sqlite3_column_blob(statement, 0), *size);
    }
    sqlite3_finalize(statement);
    return bytes;
}

uint8_t *database_recording(struct database *database, const char *code, size_t *size)
{
    return read_bytes(database, "SELECT bytes FROM recording WHERE code = ?", code, size);
}

uint8_t *database_past(struct database *database, const char *code, size_t *size)
{
    return read_bytes(database, "SELECT bytes FROM past WHERE code = ?", code, size);
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
