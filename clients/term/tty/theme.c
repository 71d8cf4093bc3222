#include "term/tty/theme.h"

#include "base/options.h"
#include "term/tty/themes.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    FILE_MAX = 65536, /* bytes */
    LINE_MAX_BYTES = 200,
    NAME_MAX_BYTES = 32,
    VALUES_MAX = 4,
};

#define BLANKS " \t\r"

/* The share of a boid's tone in the colours of trails; the rest is ground. */
static const float FADES[THEME_LEVEL_BOID] = {0.22F, 0.42F, 0.66F};
/* The change of lightness by a level of boids on a dark ground, and of the chroma. */
static const float LIGHTER[THEME_LEVELS - THEME_LEVEL_BOID] = {-0.1F, 0, 0.1F};
static const float FULLER[THEME_LEVELS - THEME_LEVEL_BOID] = {1, 1, 0.7F};

#define FLASH 0.05F /* how much lighter boids are that head right, if hues go to and fro */
#define TURN  6.283185307F

/* The kind of a key's values. */
enum kind { KIND_COLORS, KIND_NUMBERS, KIND_YES };

static const struct key {
    const char *name;
    enum kind kind;
    size_t offset;        /* of the value in struct theme_look */
    unsigned least, most; /* values */
    const char *expected;
} keys[] = {
    {"own", KIND_YES, offsetof(struct theme_look, own), 1, 1, "yes or no"},
    {"ground", KIND_COLORS, offsetof(struct theme_look, ground), 1, THEME_STOPS,
     "1 to 4 colours #rrggbb"},
    {"text", KIND_COLORS, offsetof(struct theme_look, text), 1, 1, "a colour #rrggbb"},
    {"quiet", KIND_COLORS, offsetof(struct theme_look, quiet), 1, 1, "a colour #rrggbb"},
    {"bar", KIND_COLORS, offsetof(struct theme_look, bar), 1, 1, "a colour #rrggbb"},
    {"frame", KIND_COLORS, offsetof(struct theme_look, frame), 1, 1, "a colour #rrggbb"},
    {"mark", KIND_COLORS, offsetof(struct theme_look, mark), 1, 1, "a colour #rrggbb"},
    {"status", KIND_COLORS, offsetof(struct theme_look, status), 2, 2, "2 colours #rrggbb"},
    {"boids", KIND_NUMBERS, offsetof(struct theme_look, boids), 4, 4,
     "lightness 0 to 1, chroma 0 to 0.4, hue 0 to 720 and sweep -360 to 360"},
};
enum { KEYS = sizeof keys / sizeof keys[0] };

static const double RANGES[VALUES_MAX][2] = {{0, 1}, {0, 0.4}, {0, 720}, {-360, 360}};

/* The section that a line is in. */
struct section {
    bool any; /* before the first section */
    bool light;
    char ground[NAME_MAX_BYTES];
};

/* The words of a line, which are cut out of a copy. */
struct words {
    char line[LINE_MAX_BYTES + 1];
    char *word[2 + THEME_STOPS];
    unsigned count;
};

/* Copies a line of `length` bytes and cuts it into words. Returns false if it has too many. */
static bool cut_words(struct words *words, const char *line, size_t length)
{
    char *rest = NULL;
    words->count = 0;
    if (length > LINE_MAX_BYTES) {
        return false;
    }
    snprintf(words->line, sizeof words->line, "%.*s", (int)length, line);
    for (char *word = strtok_r(words->line, BLANKS, &rest); word != NULL;
         word = strtok_r(NULL, BLANKS, &rest)) {
        if (word[0] == '#' && words->count == 0) {
            return true;
        }
        if (words->count == sizeof words->word / sizeof words->word[0]) {
            return false;
        }
        words->word[words->count++] = word;
    }
    return true;
}

static bool read_color(const char *text, uint32_t *rgb)
{
    char *end = NULL;
    if (text[0] != '#' || strlen(text) != 7 || strspn(text + 1, "0123456789abcdefABCDEF") != 6) {
        return false;
    }
    *rgb = (uint32_t)strtoul(text + 1, &end, 16);
    return *end == '\0';
}

static bool read_value(const struct key *key, unsigned index, const char *text, void *value)
{
    double number = 0;
    switch (key->kind) {
    case KIND_COLORS:
        return read_color(text, (uint32_t *)value + index);
    case KIND_NUMBERS:
        if (!options_numbers(text, ' ', RANGES[index][0], RANGES[index][1], &number, 1)) {
            return false;
        }
        ((float *)value)[index] = (float)number;
        return true;
    case KIND_YES:
        *(bool *)value = strcmp(text, "yes") == 0;
        return *(bool *)value || strcmp(text, "no") == 0;
    }
    return false;
}

/* Reads a line's values into the look. Returns NULL, or what was expected. */
static const char *read_key(const struct words *words, struct theme_look *look)
{
    unsigned values = words->count - 1;
    for (size_t i = 0; i < KEYS; i++) {
        const struct key *key = &keys[i];
        if (strcmp(words->word[0], key->name) != 0) {
            continue;
        }
        bool valid = values >= key->least && values <= key->most;
        for (unsigned at = 0; at < values && valid; at++) {
            valid = read_value(key, at, words->word[1 + at], (char *)look + key->offset);
        }
        if (key->offset == offsetof(struct theme_look, ground)) {
            look->stops = values;
        }
        return valid ? NULL : key->expected;
    }
    return "a key: own, ground, text, quiet, bar, frame, mark, status or boids";
}

/* Reads [dark], [light], [dark NAME] or [light NAME]. Returns NULL, or what was expected. */
static const char *read_section(const struct words *words, struct section *section)
{
    static const char expected[] = "[dark], [light], [dark NAME] or [light NAME]";
    char name[NAME_MAX_BYTES] = "";
    char *last = words->word[words->count - 1];
    size_t length = strlen(last);
    if (words->count > 2 || last[length - 1] != ']') {
        return expected;
    }
    last[length - 1] = '\0';
    if (words->count == 2 &&
        (last[0] == '\0' || snprintf(name, sizeof name, "%s", last) >= (int)sizeof name)) {
        return expected;
    }
    *section = (struct section){.light = strcmp(words->word[0] + 1, "light") == 0};
    memcpy(section->ground, name, sizeof name);
    return section->light || strcmp(words->word[0] + 1, "dark") == 0 ? NULL : expected;
}

/* Reads one line of `length` bytes. Keys of a section that applies go to `look`, others nowhere.
 * Returns NULL, or what was expected. */
static const char *read_line(const char *line, size_t length, struct section *section,
                             const struct section *wanted, struct theme_look *look)
{
    struct words words;
    struct theme_look ignored;
    if (!cut_words(&words, line, length)) {
        return "a key and its values";
    }
    if (words.count == 0) {
        return NULL;
    }
    if (words.word[0][0] == '[') {
        return read_section(&words, section);
    }
    bool applies = section->any ||
                   (section->light == wanted->light &&
                    (section->ground[0] == '\0' || strcmp(section->ground, wanted->ground) == 0));
    return read_key(&words, applies ? look : &ignored);
}

/* Reads all lines. Returns 0, or the number of the first wrong line and what was expected there. */
static unsigned read_lines(const char *text, const struct section *wanted, struct theme_look *look,
                           const char **expected)
{
    struct section section = {.any = true};
    for (unsigned number = 1; *text != '\0'; number++) {
        size_t length = strcspn(text, "\n");
        *expected = read_line(text, length, &section, wanted, look);
        if (*expected != NULL) {
            return number;
        }
        text += length + (text[length] == '\n');
    }
    return 0;
}

bool theme_check(const char *text, const char *source, char *error, size_t capacity)
{
    const struct section wanted = {.light = false};
    struct theme_look look;
    const char *expected = NULL;
    unsigned line = read_lines(text, &wanted, &look, &expected);
    if (line != 0) {
        snprintf(error, capacity, "%.100s:%u: expected %s", source, line, expected);
    }
    return line == 0;
}

/* Reads a whole file of text. Returns NULL with the reason in error. */
static char *read_file(const char *name, char *error, size_t capacity)
{
    FILE *file = fopen(name, "r");
    char *text = calloc(1, FILE_MAX + 1);
    size_t size = file != NULL && text != NULL ? fread(text, 1, FILE_MAX + 1, file) : 0;
    const char *fault = NULL;
    if (file == NULL || text == NULL || ferror(file) != 0) {
        fault = strerror(errno);
    } else if (size > FILE_MAX || strlen(text) != size) {
        fault = "expected at most 65536 bytes of text";
    }
    if (file != NULL) {
        fclose(file);
    }
    if (fault != NULL) {
        snprintf(error, capacity, "%.100s: %s", name, fault);
        free(text);
        return NULL;
    }
    return text;
}

bool theme_load(struct theme *theme, const char *name, char *error, size_t capacity)
{
    *theme = (struct theme){.text = themes_find(name)};
    if (theme->text != NULL) {
        return true;
    }
    if (strpbrk(name, "./") == NULL) {
        snprintf(error, capacity,
                 "'%.40s' is no theme: expected %s, or a file with a dot or a slash in its name",
                 name, themes_names());
        return false;
    }
    theme->loaded = read_file(name, error, capacity);
    if (theme->loaded == NULL || !theme_check(theme->loaded, name, error, capacity)) {
        theme_free(theme);
        return false;
    }
    theme->text = theme->loaded;
    return true;
}

void theme_free(struct theme *theme)
{
    free(theme->loaded);
    *theme = (struct theme){0};
}

/* Gives the colours of text and lines their contrast. */
static void make_all_readable(struct theme_look *look, int colors)
{
    uint32_t *const texts[] = {&look->text, &look->quiet, &look->mark, &look->bar};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        *texts[i] = palette_readable(*texts[i], look->ground, (int)look->stops,
                                     PALETTE_TEXT_CONTRAST, colors);
    }
    look->frame = palette_readable(look->frame, look->ground, (int)look->stops,
                                   PALETTE_BOID_CONTRAST, colors);
    look->status[0] =
        palette_readable(look->status[0], &look->status[1], 1, PALETTE_TEXT_CONTRAST, colors);
}

void theme_resolve(const struct theme *theme, const struct theme_terminal *terminal,
                   const char *ground, struct theme_look *look)
{
    struct section wanted = {.light = terminal->light};
    const uint32_t own =
        terminal->known ? terminal->ground : (terminal->light ? 0xffffffU : 0x000000U);
    const char *expected = NULL;
    snprintf(wanted.ground, sizeof wanted.ground, "%s", ground);
    *look = (struct theme_look){
        .ground = {own},
        .stops = 1,
        .text = 0x808080,
        .quiet = 0x808080,
        .bar = 0x5fafff,
        .frame = 0x808080,
        .mark = terminal->light ? 0 : 0xffffff,
        .status = {0xd0d0d0, 0x303030},
        .boids = {terminal->light ? 0.5F : 0.8F, 0.13F, 250, 360},
    };
    read_lines(theme->text, &wanted, look, &expected);
    if (look->own) {
        look->ground[0] = own;
        look->stops = 1;
    }
    make_all_readable(look, terminal->colors);
}

/* Returns the tone of boids that head for a hue. A sweep of less than a whole turn goes to and fro,
 * so that neighbouring headings have neighbouring colours. */
static uint32_t tone_of(const struct theme_look *look, int hue, float lighter, float fuller)
{
    float share = (float)hue / PALETTE_HUES;
    float sweep = look->boids[3];
    bool whole = sweep >= 360 || sweep <= -360;
    float turn = whole ? sweep * share : sweep / 2 * sinf(TURN * share);
    float flash = whole ? 0 : FLASH * cosf(TURN * share);
    return palette_tone(look->boids[0] + lighter + flash, look->boids[1] * fuller,
                        look->boids[2] + turn);
}

uint32_t theme_boid(const struct theme_look *look, int hue, int level, int colors)
{
    const uint32_t ground = look->ground[look->stops / 2];
    int boid = level < THEME_LEVEL_BOID ? 1 : level - THEME_LEVEL_BOID;
    bool dark = palette_luminance(tone_of(look, hue, 0, 1)) < palette_luminance(ground);
    uint32_t tone = tone_of(look, hue, dark ? -LIGHTER[boid] : LIGHTER[boid], FULLER[boid]);
    tone = palette_readable(tone, look->ground, (int)look->stops, PALETTE_BOID_CONTRAST, colors);
    return level < THEME_LEVEL_BOID ? palette_mix(ground, tone, FADES[level]) : tone;
}

uint32_t theme_ground(const struct theme_look *look, int row, int rows, int steps)
{
    int last = (rows < steps ? rows : steps) - 1;
    if (last < 1 || look->stops == 1) {
        return look->ground[look->stops / 2];
    }
    int band = row * (last + 1) / rows;
    float at = (float)band / (float)last * (float)(look->stops - 1);
    uint32_t stop = (uint32_t)at < look->stops - 1 ? (uint32_t)at : look->stops - 2;
    return palette_mix(look->ground[stop], look->ground[stop + 1], at - (float)stop);
}
