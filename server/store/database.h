/* A store's database: its file (database_open.c), its tables (database.c), and the tables of large
 * values (database_values.c). For the store's own files. */
#ifndef DATABASE_H
#define DATABASE_H

#include <sqlite3.h>

#include "store/piece.h"
#include "store/store.h"

/* The tables of large values: for each room at most one recording and one past. */
enum database_table { DATABASE_RECORDINGS, DATABASE_PASTS, DATABASE_TABLES };

struct database {
    sqlite3 *db;
    sqlite3_stmt *put, *end, *rest, *forget, *put_creator, *drop_creator;
    struct {
        sqlite3_stmt *put, *drop, *drop_copy, *find;
    } values[DATABASE_TABLES];
    uint8_t secret[STORE_SECRET_SIZE]; /* see store_secret() */
    int log_pages;  /* the size of the log at which it is copied into the file; … */
    int log_result; /* … SQLite's result of that: SQLITE_FULL if the file cannot grow */
    char path[1024];
};

/* As store_open(). Zeroes *database on failure. */
enum store_result database_open(struct database *database, const char *folder, char *text);
void database_close(struct database *database);

/* Opens the database for --check-data, read-only. */
bool database_look(struct database *database, const char *folder, char *text);

/* Stores SQLite's latest error and advice for the user. */
void database_explain(const struct database *database, char *text);

/* These return false on failure. */
bool database_prepare(struct database *database);
bool database_run(struct database *database, const char *sql);
/* Stores the number that a statement returns. */
bool database_number(struct database *database, const char *sql, int64_t *number);
bool database_put(struct database *database, const struct store_room *room);
bool database_end(struct database *database, const char *code, uint64_t until);
/* Gives unused pages back to the disk, about 1 MiB a call. Returns true if there may be more. A
 * database of an earlier flockd keeps its unused pages, and uses them again. */
bool database_shrink(struct database *database);

/* Allocates bytes of the disk in a file beside the database, if there are any, and gives them up.
 */
void database_reserve(const struct database *database);
void database_spend_reserve(const struct database *database);

bool database_set_aside(struct database *database, const char *code);

/* Stores how many rooms the database has. */
bool database_count(struct database *database, uint32_t *rooms);

/* Stores when the room of that code was saved. Returns false if there is none. */
bool database_saved_at(struct database *database, const char *code, uint64_t *saved_at);

/* See store_read(). */
bool database_rooms(struct database *database, const char *first,
                    void (*take)(void *argument, const struct store_room *room), void *argument);
bool database_codes(struct database *database,
                    void (*rest)(void *argument, const char *code, uint64_t until), void *argument);

/* ---- recordings and pasts (database_values.c) ---- */

bool database_prepare_values(struct database *database);
void database_finish_values(struct database *database);

/* At a start: deletes values that are not complete, and the values of missing rooms. */
bool database_clean_values(struct database *database);

/* Writes a piece of the room's value, in the caller's transaction. An earlier value remains until
 * the last piece is written, and database_value() returns it until then. */
bool database_put_piece(struct database *database, enum database_table table, const char *code,
                        const struct piece *piece);
bool database_drop_value(struct database *database, enum database_table table, const char *code);

/* Deletes the pieces of unfinished values, and gives their space back, in a transaction of its own.
 */
bool database_drop_unfinished(struct database *database);

/* Returns the room's value, malloc'ed, and its size. Returns NULL if there is none or memory runs
 * out. */
uint8_t *database_value(struct database *database, enum database_table table, const char *code,
                        size_t *size);

#endif
