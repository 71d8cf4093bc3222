/* The main function of a fuzz target without libFuzzer. Runs the target once on each file of its
 * corpus, which is tests/fuzz/corpus/NAME for fuzz_NAME, or on the files of the given folders.
 * Prints TAP. */
#include "fuzz.h"

#include <dirent.h>

#define INPUT_MAX (1u << 20)

/* Runs the target on one file. Returns whether the file could be read. */
static int replay_file(const char *folder, const char *name)
{
    static uint8_t bytes[INPUT_MAX];
    char path[4096];

    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        perror(path);
        return 0;
    }
    const size_t size = fread(bytes, 1, sizeof bytes, file);
    const int whole = feof(file) && !ferror(file);
    (void)fclose(file);
    if (!whole) {
        (void)fprintf(stderr, "%s: cannot be read, or has more than %u bytes\n", path, INPUT_MAX);
        return 0;
    }
    (void)fprintf(stderr, "# %s\n", path); /* after a crash, the last line names the file */
    LLVMFuzzerTestOneInput(bytes, size);
    return 1;
}

static int visible(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

/* Returns whether all files of the folder were run. An empty folder is a mistake. */
static int replay_folder(const char *folder, int number)
{
    struct dirent **entries = NULL;
    const int count = scandir(folder, &entries, visible, alphasort);
    int good = count > 0;

    if (count < 0) {
        perror(folder);
    }
    for (int i = 0; i < count; i++) {
        good = replay_file(folder, entries[i]->d_name) && good;
        free(entries[i]);
    }
    free(entries);
    printf("%sok %d - %s: %d inputs\n", good ? "" : "not ", number, folder, count < 0 ? 0 : count);
    return good;
}

int main(int argc, char **argv)
{
    const char *slash = strrchr(argv[0], '/');
    const char *program = slash == NULL ? argv[0] : slash + 1;
    char corpus[4096];
    int good = 1;

    printf("1..%d\n", argc > 1 ? argc - 1 : 1);
    if (argc > 1) {
        for (int i = 1; i < argc; i++) {
            good = replay_folder(argv[i], i) && good;
        }
    } else {
        (void)snprintf(corpus, sizeof corpus, "tests/fuzz/corpus/%s",
                       program + (strncmp(program, "fuzz_", 5) == 0 ? 5 : 0));
        good = replay_folder(corpus, 1);
    }
    return good ? EXIT_SUCCESS : EXIT_FAILURE;
}
