#include "term/config.h"

#include "base/log.h"
#include "term/ui/keys.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define BLANKS    " \t\r"
#define SHOWN_MAX 80 /* bytes of a wrong name that the error repeats, and a NUL */

/* The file being read. */
struct reading {
    struct term_config *config;
    const struct options_program *program;
    void *values;
    FILE *errors;
    const char *path;
    unsigned line;
};

/* The options that are worth remembering. Others are secrets, or for one time. */
static const char *const remembered[] = {
    "name",  "rate",       "encoding", "ca",       "no-history", "ascii",    "blocks",
    "theme", "background", "lang",     "no-color", "panels",     "sextants",
};

/* ---- the file ---- */

/* Writes the path of the user's file; "" if there is no home. */
static void find_file(char *path, size_t capacity)
{
    const char *folder = getenv("XDG_CONFIG_HOME");
    const char *home = getenv("HOME");
    int length = -1;
    if (folder != NULL && folder[0] == '/') {
        length = snprintf(path, capacity, "%s/flock-term/config", folder);
    } else if (home != NULL && home[0] == '/') {
        length = snprintf(path, capacity, "%s/.config/flock-term/config", home);
    }
    if (length < 0 || (size_t)length >= capacity) {
        path[0] = '\0';
    }
}

/* Prints an error about the whole file. Returns false. */
static bool refuse_file(const struct reading *reading, const char *fault)
{
    fprintf(reading->errors, "%s: %s: %s\n", reading->program->name, reading->path, fault);
    return false;
}

/* Reads all bytes of an open file into text; returns their number, or -1. */
static ssize_t read_bytes(int file, char text[TERM_CONFIG_BYTES_MAX + 2])
{
    size_t size = 0;
    ssize_t got = 0;
    while (size <= TERM_CONFIG_BYTES_MAX &&
           (got = read(file, text + size, TERM_CONFIG_BYTES_MAX + 1 - size)) > 0) {
        size += (size_t)got;
    }
    text[size] = '\0';
    return got < 0 ? -1 : (ssize_t)size;
}

/* Reads the text of a regular file. Does not wait for the other end of a pipe. */
static bool read_text(const struct reading *reading, int file, char *text)
{
    struct stat status;
    if (fstat(file, &status) != 0) {
        return refuse_file(reading, strerror(errno));
    }
    if (!S_ISREG(status.st_mode)) {
        return refuse_file(reading, "expected a regular file");
    }
    ssize_t size = read_bytes(file, text);
    if (size < 0) {
        return refuse_file(reading, strerror(errno));
    }
    if ((size_t)size > TERM_CONFIG_BYTES_MAX || strlen(text) != (size_t)size) {
        return refuse_file(reading, "expected at most 65536 bytes of text");
    }
    return true;
}

/* ---- its lines ---- */

/* Prints an error about a line: what was expected, and the name that was there, unless NULL.
 * Returns false. */
static bool refuse_line(const struct reading *reading, const char *name, const char *expected)
{
    char shown[SHOWN_MAX];
    log_escape(shown, sizeof shown, name != NULL ? name : "", false);
    fprintf(reading->errors, "%s: %s:%u: %s%sexpected %s\n", reading->program->name, reading->path,
            reading->line, shown, name != NULL ? ": " : "", expected);
    return false;
}

static bool is_remembered(const char *name)
{
    for (size_t i = 0; i < sizeof remembered / sizeof remembered[0]; i++) {
        if (strcmp(remembered[i], name) == 0) {
            return true;
        }
    }
    return strcmp(name, "server") == 0;
}

/* Returns the place of a value that is used after the file was read, or NULL. */
static struct term_config_value *find_value(struct term_config *config, const char *name)
{
    return strcmp(name, "theme") == 0    ? &config->theme
           : strcmp(name, "ca") == 0     ? &config->ca
           : strcmp(name, "server") == 0 ? &config->server
                                         : NULL;
}

/* Remembers a value that is used after the file was read. */
static void note_value(struct term_config *config, const char *name, const char *value,
                       const char *source)
{
    struct term_config_value *to = find_value(config, name);
    if (to != NULL) {
        snprintf(to->value, sizeof to->value, "%s", value);
        snprintf(to->source, sizeof to->source, "%s", source);
    }
}

/* Takes the value of an option, or a key. */
static bool take_value(struct reading *reading, const char *name, const char *value)
{
    char source[TERM_CONFIG_SOURCE_MAX + 1];
    if (strncmp(name, "key.", 4) == 0) {
        const char *expected = term_keys_bind(name + 4, value);
        return expected == NULL || refuse_line(reading, name, expected);
    }
    if (!is_remembered(name)) {
        return refuse_line(reading, name,
                           "an option that can be remembered, server, or key. and an action");
    }
    bool flag = options_is_flag(reading->program, name);
    bool yes = strcmp(value, "yes") == 0;
    if (flag && !yes && strcmp(value, "no") != 0) {
        return refuse_line(reading, name, "yes or no");
    }
    snprintf(source, sizeof source, "%s:%u: %s", reading->path, reading->line, name);
    note_value(reading->config, name, value, source);
    return options_take(reading->program, reading->values, name, source,
                        !flag ? value
                        : yes ? "1"
                              : "0",
                        reading->errors);
}

/* Cuts the blanks from both ends. */
static char *trim(char *text)
{
    text += strspn(text, BLANKS);
    for (size_t size = strlen(text); size > 0 && strchr(BLANKS, text[size - 1]) != NULL; size--) {
        text[size - 1] = '\0';
    }
    return text;
}

static bool read_line(struct reading *reading, char *line)
{
    line = trim(line);
    char *equals = strchr(line, '=');
    if (*line == '\0' || *line == '#') {
        return true;
    }
    if (strlen(line) > TERM_CONFIG_LINE_MAX) {
        return refuse_line(reading, NULL, "at most 1100 bytes");
    }
    if (equals == NULL || equals == line) {
        return refuse_line(reading, line, "name = value");
    }
    *equals = '\0';
    return take_value(reading, trim(line), trim(equals + 1));
}

static bool read_lines(struct reading *reading, char *text)
{
    bool more = true;
    while (more) {
        size_t length = strcspn(text, "\n");
        more = text[length] == '\n';
        text[length] = '\0';
        reading->line++;
        if (!read_line(reading, text)) {
            return false;
        }
        text += length + 1;
    }
    return true;
}

bool term_config_read(struct term_config *config, const char *path,
                      const struct options_program *program, void *values, FILE *errors)
{
    char found[TERM_CONFIG_LINE_MAX];
    struct reading reading = {config, program, values, errors, path, 0};
    if (path == NULL) {
        find_file(found, sizeof found);
        reading.path = found;
    }
    int file = open(reading.path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (file < 0) {
        return path == NULL && (errno == ENOENT || errno == ENOTDIR)
                   ? true
                   : refuse_file(&reading, strerror(errno));
    }
    char *text = malloc(TERM_CONFIG_BYTES_MAX + 2);
    bool taken = text != NULL ? read_text(&reading, file, text) && read_lines(&reading, text)
                              : refuse_file(&reading, "out of memory");
    free(text);
    close(file);
    return taken;
}

const char *term_config_source(struct term_config *config, const char *flag, const char *value)
{
    const struct term_config_value *from = find_value(config, flag);
    if (from != NULL && from->source[0] != '\0' && strcmp(from->value, value) == 0) {
        return from->source;
    }
    snprintf(config->name, sizeof config->name, "--%s", flag);
    return config->name;
}
