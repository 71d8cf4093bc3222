#include "term/texts/texts.h"

#include "text.h"

#include <assert.h>
#include <langinfo.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The indexes of the arguments that choose the form of a text; -1: none. */
struct texts_places {
    signed char count, who;
};

/* A name of the server in the language. kind: "control", "param" or "unit"; for a choice "=" and
 * its control, such as "=model". */
struct texts_name {
    const char *kind, *key, *name, *about;
};

#include "texts_table.h"

static enum texts_language language = TEXTS_EN;

/* ---- the language ---- */

const char *texts_locale(const char *category)
{
    const char *const variables[] = {"LC_ALL", category, "LANG"};
    for (size_t i = 0; i < sizeof variables / sizeof variables[0]; i++) {
        const char *value = getenv(variables[i]);
        if (value != NULL && *value != '\0') {
            return value;
        }
    }
    return "";
}

/* Returns the language of a locale, such as "ja_JP.UTF-8". Linux's console has no Japanese or
 * Korean letters. */
static enum texts_language language_of(const char *locale)
{
    const char *term = getenv("TERM");
    bool console = term != NULL && strcmp(term, "linux") == 0;
    for (int i = 0; codes[i] != NULL; i++) {
        size_t length = strlen(codes[i]);
        bool asian = i == TEXTS_JA || i == TEXTS_KO;
        if (strncmp(locale, codes[i], length) == 0 && strchr("_.@", locale[length]) != NULL) {
            return console && asian ? TEXTS_EN : (enum texts_language)i;
        }
    }
    return TEXTS_EN;
}

enum texts_language texts_choose(const char *code)
{
    language = TEXTS_EN;
    enum texts_language wanted = code == NULL ? language_of(texts_locale("LC_MESSAGES")) : TEXTS_EN;
    for (int i = 0; code != NULL && codes[i] != NULL; i++) {
        wanted = strcmp(code, codes[i]) == 0 ? (enum texts_language)i : wanted;
    }
    if (strcmp(nl_langinfo(CODESET), "UTF-8") == 0) {
        language = wanted;
    }
    return language;
}

const char *const *texts_codes(void)
{
    return codes;
}

enum texts_language texts_language(void)
{
    return language;
}

/* ---- filling ---- */

const char *texts_get(enum text text)
{
    assert(text < TEXTS);
    return templates[language][text];
}

/* A text that is being written. */
struct draft {
    char *out;
    size_t capacity, used;
};

/* Adds `size` bytes, or as many whole characters as fit. */
static void add_bytes(struct draft *draft, const char *bytes, size_t size)
{
    size_t left = draft->capacity - draft->used - 1;
    if (size > left) {
        size = left;
        while (size > 0 && ((unsigned char)bytes[size] & 0xc0) == 0x80) {
            size--;
        }
        draft->capacity = draft->used + size + 1; /* nothing follows a cut */
    }
    memcpy(draft->out + draft->used, bytes, size);
    draft->used += size;
    draft->out[draft->used] = '\0';
}

/* Returns the index of the form that the arguments ask for. French treats 0 as 1. */
static int choose_form(enum text text, const char *const *args)
{
    const struct texts_places *at = &places[text];
    bool one = at->count >= 0 && strcmp(args[at->count], "1") == 0;
    bool none = at->count >= 0 && strcmp(args[at->count], "0") == 0;
    bool own = at->who >= 0 && strcmp(args[at->who], templates[language][TEXT_NEWS_YOU]) == 0;
    return (one || (none && language == TEXTS_FR) ? 1 : 0) + (own ? 2 : 0);
}

/* Returns a form of a template, or its first form if it has fewer. Stores the form's length. */
static const char *find_form(const char *template, int form, size_t *length)
{
    const char *start = template;
    for (; form > 0; form--) {
        const char *bar = strchr(start, '|');
        start = bar != NULL ? bar + 1 : template;
        if (bar == NULL) {
            break;
        }
    }
    *length = strcspn(start, "|");
    return start;
}

/* ---- Korean particles: see particles.ts ---- */

enum sound { SOUND_UNKNOWN, SOUND_VOWEL, SOUND_RIEUL, SOUND_CONSONANT };

static enum sound sound_of(uint32_t point)
{
    static const enum sound digits[] = {
        SOUND_CONSONANT, SOUND_RIEUL,     SOUND_VOWEL, SOUND_CONSONANT, SOUND_VOWEL,
        SOUND_VOWEL,     SOUND_CONSONANT, SOUND_RIEUL, SOUND_RIEUL,     SOUND_VOWEL};
    enum { FIRST = 0xac00, LAST = 0xd7a3, FINALS = 28, RIEUL = 8 };
    if (point >= '0' && point <= '9') {
        return digits[point - '0'];
    }
    if (point < FIRST || point > LAST) {
        return SOUND_UNKNOWN;
    }
    uint32_t final = (point - FIRST) % FINALS;
    return final == 0 ? SOUND_VOWEL : final == RIEUL ? SOUND_RIEUL : SOUND_CONSONANT;
}

static bool is_letter_or_digit(uint32_t point)
{
    return point >= 0x80
               ? point >= 0xc0 && !(point >= 0x2000 && point <= 0x303f)
               : (point >= '0' && point <= '9') || ((point | 0x20) >= 'a' && (point | 0x20) <= 'z');
}

/* Returns the last sound of a word, without marks behind it. */
static enum sound last_sound(const char *word)
{
    uint32_t last = 0;
    for (size_t left = strlen(word); left > 0;) {
        uint32_t point = 0;
        size_t length = text_next(word, left, &point);
        length = length > 0 ? length : 1;
        last = is_letter_or_digit(point) ? point : last;
        word += length;
        left -= length;
    }
    return sound_of(last);
}

static void add_particle(struct draft *draft, char kind, const char *word)
{
    static const char *const particles[][4] = {
        {"을(를)", "를", "을", "을"}, {"(으)로", "로", "로", "으로"}, {"이(가)", "가", "이", "이"}};
    const char *particle = particles[kind == 'O' ? 0 : kind == 'T' ? 1 : 2][last_sound(word)];
    add_bytes(draft, particle, strlen(particle));
}

/* Adds the argument, or the particle, that a placeholder names. Returns the text behind the
 * placeholder. */
static const char *add_argument(struct draft *draft, const char *placeholder,
                                const char *const *args, size_t count)
{
    enum { DIGIT = 1, KIND = 2 }; /* positions in "{0}" and "{0O}" */
    size_t index = (size_t)(placeholder[DIGIT] - '0');
    char kind = placeholder[KIND];
    assert(index < count);
    if (kind == '}') {
        add_bytes(draft, args[index], strlen(args[index]));
    } else {
        add_particle(draft, kind, args[index]);
    }
    return strchr(placeholder, '}') + 1;
}

void texts_fill_all(char *out, size_t capacity, enum text text, const char *const *args,
                    size_t count)
{
    size_t left = 0;
    assert(text < TEXTS && capacity > 0);
    struct draft draft = {.out = out, .capacity = capacity};
    const char *at = find_form(templates[language][text], choose_form(text, args), &left);
    const char *end = at + left;
    out[0] = '\0';
    while (at < end) {
        size_t plain = strcspn(at, "{");
        plain = plain < (size_t)(end - at) ? plain : (size_t)(end - at);
        add_bytes(&draft, at, plain);
        at += plain;
        if (at < end) {
            at = add_argument(&draft, at, args, count);
        }
    }
}

void texts_append(char *out, size_t capacity, enum text text, const char *more)
{
    char before[TEXTS_LINE];
    snprintf(before, sizeof before, "%s", out);
    texts_fill(out, capacity, text, before, more);
}

/* ---- numbers ---- */

struct texts_number texts_plain(long number)
{
    struct texts_number out;
    snprintf(out.digits, sizeof out.digits, "%ld", number);
    return out;
}

struct texts_number texts_grouped(long number)
{
    static const char *const groups[TEXTS_LANGUAGES] = {",", ".", ".", "\u00a0", ",", ","};
    struct texts_number plain = texts_plain(number);
    struct texts_number out = {""};
    size_t count = strspn(plain.digits + (number < 0), "0123456789");
    struct draft draft = {.out = out.digits, .capacity = sizeof out.digits};
    bool grouped = count > (language == TEXTS_ES ? 4 : 3); /* Spanish writes 5000 */
    add_bytes(&draft, plain.digits, number < 0);
    for (size_t i = 0; i < count; i++) {
        if (grouped && i > 0 && (count - i) % 3 == 0) {
            add_bytes(&draft, groups[language], strlen(groups[language]));
        }
        add_bytes(&draft, &plain.digits[(number < 0) + i], 1);
    }
    return out;
}

void texts_point(char *number)
{
    char *point = strchr(number, '.');
    if (point != NULL && language != TEXTS_EN && language != TEXTS_JA && language != TEXTS_KO) {
        *point = ',';
    }
}

struct texts_number texts_decimal(double number, int decimals)
{
    struct texts_number out;
    snprintf(out.digits, sizeof out.digits, "%.*f", decimals, number);
    texts_point(out.digits);
    return out;
}

/* ---- keys ---- */

static const char *keys[TEXTS];

void texts_set_key(enum text action, const char *label)
{
    assert(action < TEXTS);
    keys[action] = label;
}

const char *texts_key(enum text action)
{
    return keys[action] != NULL ? keys[action] : "";
}

/* ---- names ---- */

/* Returns whether a name ends with a form of address, such as "さん". */
static bool is_honored(const char *name)
{
    const char *ending = honored[language];
    size_t size = strlen(name);
    while (*ending != '\0') {
        size_t length = strcspn(ending, " ");
        if (length <= size && strncmp(name + size - length, ending, length) == 0) {
            return true;
        }
        ending += length;
        ending += strspn(ending, " ");
    }
    return false;
}

void texts_person(char *out, size_t capacity, const char *name)
{
    if (is_honored(name)) {
        snprintf(out, capacity, "%s", name);
    } else {
        texts_fill(out, capacity, TEXT_NEWS_PERSON, name);
    }
}

/* Returns the row of a name of a kind, or of a choice of `control` unless that is NULL; NULL: there
 * is none. */
static const struct texts_name *find_name(const char *kind, const char *control, const char *key)
{
    for (const struct texts_name *row = names[language]; row->kind != NULL; row++) {
        bool same = control != NULL ? row->kind[0] == '=' && strcmp(row->kind + 1, control) == 0
                                    : strcmp(row->kind, kind) == 0;
        if (same && strcmp(row->key, key) == 0) {
            return row;
        }
    }
    return NULL;
}

static const char *name_of(const struct texts_name *row, const char *fallback)
{
    return row != NULL && row->name != NULL ? row->name : fallback;
}

static const char *about(const struct texts_name *row, const char *fallback)
{
    return row != NULL && row->about != NULL ? row->about : fallback;
}

const char *texts_control(const char *name)
{
    return name_of(find_name("control", NULL, name), name);
}

const char *texts_choice(const char *control, const char *value)
{
    return name_of(find_name("", control, value), value);
}

const char *texts_param(const char *name)
{
    return name_of(find_name("param", NULL, name), name);
}

const char *texts_unit(const char *name)
{
    return name_of(find_name("unit", NULL, name), name);
}

const char *texts_about_control(const char *name, const char *fallback)
{
    return about(find_name("control", NULL, name), fallback);
}

const char *texts_about_choice(const char *control, const char *value, const char *fallback)
{
    return about(find_name("", control, value), fallback);
}

const char *texts_about_param(const char *name, const char *fallback)
{
    return about(find_name("param", NULL, name), fallback);
}
