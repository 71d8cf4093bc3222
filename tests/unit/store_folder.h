/* For tests of the store. Each test has its own folder, and a disk that the test can block. */
#ifndef STORE_FOLDER_H
#define STORE_FOLDER_H

#include <ftw.h>
#include <stdio.h>
#include <uv.h>

#include <sqlite3.h>

#include "store/store.h"
#include "test_folder.h"

static char folder[TEST_FOLDER_SIZE];

static int make_folder(void **state)
{
    (void)state;
    return test_folder_make(folder, "flockd-store") ? 0 : -1;
}

static int remove_one(const char *path, const struct stat *status, int type, struct FTW *where)
{
    (void)status;
    (void)type;
    (void)where;
    return remove(path);
}

static int remove_folder(void **state)
{
    (void)state;
    return nftw(folder, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

/* Runs SQL on the database while no store has it. */
static inline void run_sql(const char *sql)
{
    char path[128];
    sqlite3 *db;

    snprintf(path, sizeof path, "%s/" STORE_FILE, folder);
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_close(db), SQLITE_OK);
}

static uv_mutex_t gate; /* while it is locked, the disk is blocked */

static inline int wait_at_gate(void *argument)
{
    (void)argument;
    uv_mutex_lock(&gate);
    uv_mutex_unlock(&gate);
    return 0;
}

static inline int hook_commits(sqlite3 *db, const char **error,
                               const struct sqlite3_api_routines *api)
{
    (void)error;
    (void)api;
    sqlite3_commit_hook(db, wait_at_gate, NULL);
    return SQLITE_OK;
}

/* From now on, writes to databases that are opened later wait for the gate, until this is undone.
 */
static inline void gate_disk(void)
{
    uv_mutex_init(&gate);
    sqlite3_auto_extension((void (*)(void))hook_commits);
}

static inline void ungate_disk(void)
{
    sqlite3_reset_auto_extension();
    uv_mutex_destroy(&gate);
}

#endif
