/* The themes that flock-term ships, as the text of theme files. Pure. */
#ifndef TERM_THEMES_H
#define TERM_THEMES_H

#include <stddef.h>

#define THEMES_DEFAULT "preset"

/* Returns the text of a theme, or NULL if no theme has that name. */
const char *themes_find(const char *name);

/* Returns the name of a theme; NULL after the last. */
const char *themes_name(size_t index);

/* Returns all names, for an error or a help. */
const char *themes_names(void);

#endif
