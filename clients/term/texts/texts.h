/* The texts of flock-term in the chosen language, and the names of controls, choices and parameters
 * in it.
 *
 * texts.mjs lists the texts. The build makes texts_ids.h and texts_table.h from it and from the
 * page's texts. Texts are UTF-8. Main thread: the language and the keys belong to the process. */
#ifndef TERM_TEXTS_H
#define TERM_TEXTS_H

#include "texts_ids.h"

#include <stdbool.h>
#include <stddef.h>

/* Bytes of the longest text of a line, with its NUL: Japanese takes three a character. */
#define TEXTS_LINE 768u

/* Returns the name of the environment's locale in a category, such as "LC_CTYPE"; "": none. */
const char *texts_locale(const char *category);

/* Takes the language of that code, such as "de", and returns it. NULL: LC_ALL, LC_MESSAGES or LANG
 * chooses a language. Call setlocale() before: without UTF-8 the language is English. */
enum texts_language texts_choose(const char *code);

/* Returns the codes of the languages, ended by NULL. */
const char *const *texts_codes(void);

enum texts_language texts_language(void);

/* Returns a text that has no placeholders and no forms. */
const char *texts_get(enum text text);

/* Writes a text with the arguments in place of its placeholders into out (capacity bytes, at least
 * 1). A text that does not fit is cut between two characters. The count "1" chooses the form for
 * one, and the person texts_get(TEXT_NEWS_YOU) the form for the reader. */
void texts_fill_all(char *out, size_t capacity, enum text text, const char *const *args,
                    size_t count);
#define texts_fill(out, capacity, text, ...)                                                       \
    texts_fill_all(out, capacity, text, (const char *const[]){__VA_ARGS__},                        \
                   sizeof((const char *const[]){__VA_ARGS__}) / sizeof(const char *))

/* Adds to the string in out: writes the text whose {0} is that string and whose {1} is `more`, such
 * as TEXT_LIST, "{0}, {1}". */
void texts_append(char *out, size_t capacity, enum text text, const char *more);

/* A number in the language's digits, for texts_fill(). */
struct texts_number {
    char digits[32];
};
struct texts_number texts_plain(long number);   /* without groups of digits */
struct texts_number texts_grouped(long number); /* with them, as "12,000" */
struct texts_number texts_decimal(double number, int decimals);

/* Replaces the decimal point of a number by the language's. */
void texts_point(char *number);

/* Stores or returns the name of an action's key, for sentences that name keys. action: the action's
 * text in the help. The label must outlive its use. */
void texts_set_key(enum text action, const char *label);
const char *texts_key(enum text action);

/* Writes a person's name with the language's form of address, such as "Ada さん". */
void texts_person(char *out, size_t capacity, const char *name);

/* Return the language's name of a control, a choice, a parameter or a unit; the server's name if
 * the language has none. */
const char *texts_control(const char *name);
const char *texts_choice(const char *control, const char *value);
const char *texts_param(const char *name);
const char *texts_unit(const char *name);

/* Return the language's sentence about a control, a choice or a parameter. fallback: the server's
 * sentence, for a language that has none. */
const char *texts_about_control(const char *name, const char *fallback);
const char *texts_about_choice(const char *control, const char *value, const char *fallback);
const char *texts_about_param(const char *name, const char *fallback);

#endif
