/* Opens a store's database. A damaged file is renamed, and a copy is made of a damaged log of
 * changes. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include <uv.h>

#include "store/database.h"
#include "store/wal.h"

#define APPLICATION 0x464c4b44 /* "FLKD": marks a database of flockd */
#define VERSION     1          /* of the tables */

#define LOG_LEAST 256                 /* pages of the log on a slow disk: 1 MiB */
#define LOG_MOST  1000                /* … and on a fast one, */
#define LOG_TIME  UINT64_C(100000000) /* which copies the log in this time, in ns */

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
    "DELETE FROM creator WHERE code NOT IN (SELECT code FROM room)";

/* Exclusive: it locks out a second flockd, and the log of changes needs no shared memory. Some
 * builds of SQLite write zeros over all that is deleted, which takes as much of the log of changes:
 * FAST does so only where it writes anyway. */
static const char settings[] = "PRAGMA locking_mode = EXCLUSIVE;"
                               "PRAGMA secure_delete = FAST;"
                               "PRAGMA journal_mode = WAL;"
                               "PRAGMA synchronous = NORMAL;"
                               "PRAGMA journal_size_limit = 16777216;";

static bool is_damaged(const struct database *database)
{
    int code = sqlite3_errcode(database->db) & 0xff;

    return code == SQLITE_CORRUPT || code == SQLITE_NOTADB;
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

static int copy_file(const char *from, const char *to)
{
    uv_fs_t request;
    int result = uv_fs_copyfile(NULL, &request, from, to, 0, NULL);

    uv_fs_req_cleanup(&request);
    return result;
}

static int rename_file(const char *from, const char *to)
{
    return rename(from, to) == 0 ? 0 : -errno;
}

/* Copies or renames the file and its log, which may be missing, to names with the time `now`. On
 * failure, returns false and adds the reason to the text. */
static bool set_aside(int (*move)(const char *from, const char *to), const char *verb,
                      const char *path, long long now, char *text)
{
    static const char *const suffixes[] = {"", "-wal"};
    char from[1100];
    char to[1200];
    size_t used = strlen(text);

    for (size_t i = 0; i < sizeof suffixes / sizeof suffixes[0]; i++) {
        int result;
        snprintf(from, sizeof from, "%s%s", path, suffixes[i]);
        snprintf(to, sizeof to, "%s.damaged-%lld%s", path, now, suffixes[i]);
        result = move(from, to);
        if (result != 0 && (i == 0 || result != -ENOENT)) {
            snprintf(text + used, STORE_REASON_MAX - used, "; it cannot be %s to %s: %s", verb, to,
                     uv_strerror(result));
            return false;
        }
    }
    return true;
}

static bool copy_aside(const char *path, char *text)
{
    const long long now = (long long)time(NULL);
    const size_t used = strlen(text);

    if (!set_aside(copy_file, "copied", path, now, text)) {
        return false;
    }
    snprintf(text + used, STORE_REASON_MAX - used,
             "; rooms continue from the changes before it; both files remain as %s.damaged-%lld",
             path, now);
    return true;
}

static bool rename_aside(const char *path, char *text)
{
    const long long now = (long long)time(NULL);
    const size_t used = strlen(text);

    if (!set_aside(rename_file, "renamed", path, now, text)) {
        return false;
    }
    snprintf(text + used, STORE_REASON_MAX - used,
             "; it was renamed to %s.damaged-%lld, and flockd began a new one", path, now);
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

    if (!database_number(database, "SELECT count(*) FROM sqlite_schema", &tables) ||
        !database_number(database, "PRAGMA application_id", &application) ||
        !database_number(database, "PRAGMA user_version", &version)) {
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

/* SQLite calls this after each commit with the size of the log. Copies the log into the file, and
 * waits for the disk. The end of the process waits, too: so on a slow disk the log stays small. */
static int copy_log(void *argument, sqlite3 *db, const char *name, int pages)
{
    struct database *database = argument;
    const uint64_t begin = uv_hrtime();

    database->log_result = SQLITE_OK;
    if (pages >= database->log_pages) {
        database->log_result =
            sqlite3_wal_checkpoint_v2(db, name, SQLITE_CHECKPOINT_PASSIVE, NULL, NULL);
        database->log_pages = uv_hrtime() - begin < LOG_TIME ? LOG_MOST : LOG_LEAST;
    }
    return SQLITE_OK;
}

/* A full disk may have no space even for that. No value is read from what remains, and the next
 * start removes it. */
static bool clean_values(struct database *database)
{
    return database_clean_values(database) || (sqlite3_errcode(database->db) & 0xff) == SQLITE_FULL;
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
    database->log_pages = LOG_LEAST;
    sqlite3_wal_hook(database->db, copy_log, database);
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
        !database_prepare(database) || !clean_values(database) || !find_secret(database)) {
        database_explain(database, text);
        return is_damaged(database) ? DAMAGED : WRONG;
    }
    return sound ? state : LOST;
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
