/* The texts of flock-term in the chosen language, and the names of controls, choices and parameters
 * in it.
 *
 * texts.mjs lists them; texts_ids.h and texts_table.h are made from it and from the page's texts
 * when flock-term is built. Choose the language once, before other threads start; everything else
 * is pure. Texts are UTF-8; texts without placeholders may be shown as they are. */
#ifndef TERM_TEXTS_H
#define TERM_TEXTS_H

#include "texts_ids.h"

#include <stdbool.h>
#include <stddef.h>

/* Bytes of the longest text of a line, with its NUL: Japanese takes three a character. */
#define TEXTS_LINE 768u

/* Returns the name of the environment's locale in a category, such as "LC_CTYPE"; "": none. */
const char *texts_locale(const char *category);

/* Takes the language of that code, such as "de"; for NULL, of the environment (LC_ALL, LC_MESSAGES,
 * LANG), or English. The locale must be set: without UTF-8 all texts are English. Returns the
 * language. */
enum texts_language texts_choose(const char *code);

/* Returns the codes of the languages, ended by NULL. */
const char *const *texts_codes(void);

enum texts_language texts_language(void);

/* Returns a text that has no placeholders and no forms. */
const char *texts_get(enum text text);

/* Writes a text with its placeholders filled into out (capacity bytes, at least 1), and cuts what
 * does not fit between two characters. A count chooses the form by its digits, and a person who is
 * texts_get(TEXT_NEWS_YOU) the form for the reader. */
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

/* The key of an action, by the action's text in the help, for sentences that name keys. The label
 * must outlive its use. */
void texts_set_key(enum text action, const char *label);
const char *texts_key(enum text action);

/* Writes a person's name as sentences of the language call the person. */
void texts_person(char *out, size_t capacity, const char *name);

/* Return the language's name of a control, a choice, a parameter or a unit, or the server's. The
 * name `before` is a control; of choices only. */
const char *texts_control(const char *name);
const char *texts_choice(const char *control, const char *value);
const char *texts_param(const char *name);
const char *texts_unit(const char *name);

/* Return the language's sentence about them; `fallback`, the server's, if there is none. */
const char *texts_about_control(const char *name, const char *fallback);
const char *texts_about_choice(const char *control, const char *value, const char *fallback);
const char *texts_about_param(const char *name, const char *fallback);

#endif
