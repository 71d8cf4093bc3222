/* A new folder for the files of a test, in TMPDIR. */
#ifndef TEST_FOLDER_H
#define TEST_FOLDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

enum { TEST_FOLDER_SIZE = 64 };

/* Makes the folder and stores its path. name: the begin of its name. */
static inline bool test_folder_make(char folder[TEST_FOLDER_SIZE], const char *name)
{
    const char *parent = getenv("TMPDIR");
    int length =
        snprintf(folder, TEST_FOLDER_SIZE, "%s/%s-XXXXXX", parent != NULL ? parent : "/tmp", name);

    return length > 0 && length < TEST_FOLDER_SIZE && mkdtemp(folder) != NULL;
}

#endif
