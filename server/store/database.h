/* A store's database: its file and its tables. For the store's own files. */
#ifndef DATABASE_H
#define DATABASE_H

#include <sqlite3.h>

#include "store/store.h"

struct database {
    sqlite3 *db;
    sqlite3_stmt *put, *end, *rest, *forget, *put_recording, *drop_recording;
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
bool database_run(struct database *database, const char *sql);
bool database_put(struct database *database, const struct store_room *room);
bool database_put_recording(struct database *database, const char *code,
                            const struct store_recording *recording);
bool database_end(struct database *database, const char *code, uint64_t until);
bool database_set_aside(struct database *database, const char *code);

/* See store_recording(). */
uint8_t *database_recording(struct database *database, const char *code, size_t *size);

/* See store_read(). */
bool database_rooms(struct database *database,
                    void (*take)(void *argument, const struct store_room *room), void *argument);
bool database_codes(struct database *database,
                    void (*rest)(void *argument, const char *code, uint64_t until), void *argument);

#endif
