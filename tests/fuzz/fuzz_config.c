/* The configuration of flockd. Each line of the input is a word of the command line, or a variable
 * of the environment if it begins with FLOCKD_. flockd must accept it, print what it asks for, or
 * refuse it in one line. */
#include "fuzz.h"

#include "config/config.h"
#include "net/start.h"

enum { WORDS_MAX = 40, NAME_MAX_BYTES = 64 };

struct run {
    char *words[WORDS_MAX];
    int word_count;
    char names[WORDS_MAX][NAME_MAX_BYTES]; /* of the set variables */
    int name_count;
};

/* Sets a variable. Returns false if the line has no name or no value. */
static bool set_variable(struct run *run, const char *line)
{
    const char *equals = strchr(line, '=');
    size_t length = equals == NULL ? 0 : (size_t)(equals - line);
    if (strncmp(line, "FLOCKD_", 7) != 0 || length == 0 || length >= NAME_MAX_BYTES) {
        return false;
    }
    memcpy(run->names[run->name_count], line, length);
    run->names[run->name_count][length] = '\0';
    setenv(run->names[run->name_count++], equals + 1, 1);
    return true;
}

static void split(struct run *run, char *text)
{
    char *rest = text;
    char *line;
    run->words[run->word_count++] = "flockd";
    while ((line = strsep(&rest, "\n")) != NULL && run->word_count < WORDS_MAX - 1 &&
           run->name_count < WORDS_MAX) {
        if (!set_variable(run, line)) {
            run->words[run->word_count++] = line;
        }
    }
}

/* Asserts one line that begins with the program's name and moves no cursor. */
static void check_refusal(const char *text, size_t size)
{
    FUZZ_REQUIRE(size > 10 && strncmp(text, "flockd: ", 8) == 0);
    FUZZ_REQUIRE(memchr(text, '\n', size) == text + size - 1);
    for (size_t i = 0; i + 1 < size; i++) {
        FUZZ_REQUIRE((unsigned char)text[i] >= 0x20 && text[i] != 0x7f);
    }
}

static void check_run(const struct config *config, FILE *errors)
{
    struct room_definition lobby;
    FUZZ_REQUIRE(config->port <= 65535 && config->tick_rate >= 1 && config->tick_rate <= 240);
    FUZZ_REQUIRE(config->snapshot_rate >= 1 && config->snapshot_rate <= config->tick_rate);
    FUZZ_REQUIRE(config->max_clients >= 1 && config->net_threads >= 1 && config->sim_threads >= 1);
    FUZZ_REQUIRE(config->cursor_timeout > 0 && config->stall_timeout > 0);
    if (start_room(config, &lobby, errors)) {
        FUZZ_REQUIRE(lobby.key[0] != '\0');
        FUZZ_REQUIRE(lobby.flock.boids <= config->max_boids);
    } else {
        FUZZ_REQUIRE(ftell(errors) > 0);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static char said[1 << 16];
    static struct config config;
    struct run run = {0};
    char *text = malloc(size + 1);
    FILE *errors = fmemopen(said, sizeof said, "w");
    FILE *output = fopen("/dev/null", "w");
    FUZZ_REQUIRE(text != NULL && errors != NULL && output != NULL);
    memcpy(text, data, size);
    text[size] = '\0';
    for (size_t i = 0; i < size; i++) {
        text[i] = text[i] == '\0' ? '\n' : text[i];
    }
    split(&run, text);
    enum options_result result = config_parse(&config, run.word_count, run.words, output, errors);
    if (result == OPTIONS_RUN) {
        check_run(&config, errors);
    }
    long length = ftell(errors);
    fclose(errors);
    fclose(output);
    FUZZ_REQUIRE(result == OPTIONS_ERROR ? length > 0 : result == OPTIONS_RUN || length == 0);
    if (length > 0) {
        check_refusal(said, (size_t)length);
    }
    for (int i = 0; i < run.name_count; i++) {
        unsetenv(run.names[i]);
    }
    free(text);
    return 0;
}
