#include "offline/file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "offline/sim_options.h"
#include "scene/flock_state.h"

uint8_t *flock_file_read(const char *option, const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    size_t capacity = 1u << 16;
    uint8_t *bytes;

    if (file == NULL) {
        refuse("%s: %s: %s", option, path, strerror(errno));
    }
    bytes = malloc(capacity);
    *size = 0;
    while (bytes != NULL && !feof(file) && !ferror(file) && *size <= SAVED_MAX) {
        if (*size == capacity) {
            capacity *= 2;
            uint8_t *bigger = realloc(bytes, capacity);
            if (bigger == NULL) {
                free(bytes);
            }
            bytes = bigger;
        }
        *size += bytes != NULL ? fread(bytes + *size, 1, capacity - *size, file) : 0;
    }
    if (bytes == NULL) {
        refuse("%s: %s: out of memory", option, path);
    }
    if (ferror(file)) {
        free(bytes);
        refuse("%s: %s: %s", option, path, strerror(errno));
    }
    (void)fclose(file);
    return bytes;
}

struct flock *flock_file_load(const char *path, uint32_t lanes)
{
    static struct flock *flock; /* still known when refuse() ends the process */
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
