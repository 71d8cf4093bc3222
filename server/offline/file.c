#include "offline/file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/grow.h"
#include "offline/sim_options.h"
#include "scene/flock_state.h"

#define CHUNK 65536u /* bytes per read */

uint8_t *flock_file_read(const char *option, const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    size_t capacity = 0, got;
    uint8_t *bytes = NULL, *grown;

    if (file == NULL) {
        refuse("%s: %s: %s", option, path, strerror(errno));
    }
    *size = 0;
    do {
        grown = grow_array(bytes, &capacity, *size + CHUNK, SAVED_MAX + CHUNK, 1);
        if (grown == NULL) {
            free(bytes);
            refuse("%s: %s: out of memory", option, path);
        }
        bytes = grown;
        got = fread(bytes + *size, 1, CHUNK, file);
        *size += got;
    } while (got == CHUNK && *size <= SAVED_MAX);
    if (ferror(file)) {
        free(bytes);
        refuse("%s: %s: %s", option, path, strerror(errno));
    }
    (void)fclose(file);
    return bytes;
}

struct flock *flock_file_load(const char *path, uint32_t lanes)
{
    static struct flock
        *flock; /* static, so that a leak check still sees it when refuse() ends the process */
    char problem[256];
    size_t size;
    uint8_t *bytes = flock_file_read("--load", path, &size);

    flock = flock_load(bytes, size, lanes, problem, sizeof problem);
    free(bytes);
    if (flock == NULL) {
        refuse("--load: %s: %s", path, problem);
    }
    return flock;
}

FILE *flock_file_open(const char *path)
{
    FILE *file = fopen(path, "ab");

    if (file == NULL) {
        refuse("--save: %s: %s", path, strerror(errno));
    }
    return file;
}

bool flock_file_save(FILE *file, const char *path, const struct flock *flock)
{
    size_t size = 0;
    uint8_t *bytes = flock_save(flock, &size);
    bool saved =
        bytes != NULL && ftruncate(fileno(file), 0) == 0 && fwrite(bytes, 1, size, file) == size;
    int problem = bytes != NULL ? errno : ENOMEM;

    free(bytes);
    if (fclose(file) != 0 && saved) {
        problem = errno;
        saved = false;
    }
    if (!saved) {
        fprintf(stderr, "flock-sim: --save: %s: %s\n", path, strerror(problem));
    }
    return saved;
}
