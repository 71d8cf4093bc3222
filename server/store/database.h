/* A store's database: its file (database_open.c) and its tables (database.c). For the store's own
 * files. */
#ifndef DATABASE_H
#define DATABASE_H

#include <sqlite3.h>

#include "store/store.h"

struct database {
    sqlite3 *db;
    sqlite3_stmt *put, *end, *rest, *forget, *put_recording, *drop_recording, *put_past, *drop_past,
        *put_creator, *drop_creator;
    uint8_t secret[STORE_SECRET_SIZE]; /* see store_secret() */
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
bool database_put_recording(struct database *database, const char *code,
                            const struct store_recording *recording);
bool database_put_past(struct database *database, const char *code, const uint8_t *bytes,
                       size_t size);
bool database_drop_past(struct database *database, const char *code);
bool database_end(struct database *database, const char *code, uint64_t until);
/* Gives unused pages back to the disk, about 4 MiB a call. Returns true if there may be more. A
 * database of an earlier flockd keeps its unused pages, and uses them again. */
bool database_shrink(struct database *database);

/* Allocates bytes of the disk in a file beside the database, if there are any, and gives them up.
 */
void database_reserve(const struct database *database);
void database_spend_reserve(const struct database *database);

bool database_set_aside(struct database *database, const char *code);

/* See store_recording(). */
uint8_t *database_recording(struct database *database, const char *code, size_t *size);

/* See store_past(). */
uint8_t *database_past(struct database *database, const char *code, size_t *size);

/* Stores how many rooms the database has. */
bool database_count(struct database *database, uint32_t *rooms);

/* Stores when the room of that code was saved. Returns false if there is none. */
bool database_saved_at(struct database *database, const char *code, uint64_t *saved_at);

/* See store_read(). */
bool database_rooms(struct database *database, const char *first,
                    void (*take)(void *argument, const struct store_room *room), void *argument);
bool database_codes(struct database *database,
                    void (*rest)(void *argument, const char *code, uint64_t until), void *argument);

#endif
