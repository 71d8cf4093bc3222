/* For brokers of tests: the rule of NATS for subjects. */
#ifndef SUBJECT_FITS_H
#define SUBJECT_FITS_H

#include <stdbool.h>
#include <string.h>

/* Whether a subject fits one with * and >. */
static inline bool subject_fits(const char *pattern, const char *subject)
{
    while (*pattern != '\0' && *subject != '\0') {
        const size_t part = strcspn(subject, ".");
        const size_t size = strcspn(pattern, ".");
        if (strcmp(pattern, ">") == 0) {
            return true;
        }
        if (!(size == 1 && *pattern == '*') &&
            (size != part || strncmp(pattern, subject, size) != 0)) {
            return false;
        }
        pattern += size + (pattern[size] == '.');
        subject += part + (subject[part] == '.');
    }
    return *pattern == *subject;
}

#endif
