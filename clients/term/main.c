/* flock-term: options → run; nothing else. */
#include "app.h"
#include "options.h"

#include <locale.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* What the environment says about the options. Returns false with options->error when that cannot
 * be taken. */
static bool read_environment(struct term_options *options)
{
    const char *no_color = getenv("NO_COLOR");
    const char *key = getenv("FLOCK_KEY");
    const char *name = getenv("FLOCK_NAME");
    bool named = name != NULL && *name != '\0';
    const struct passwd *user = named ? NULL : getpwuid(getuid());
    options->color = no_color == NULL || *no_color == '\0';
    if (named && !proto_name_valid(name)) {
        snprintf(options->error, sizeof options->error,
                 "FLOCK_NAME: expected up to %u bytes of UTF-8 without control characters",
                 PROTO_NAME_MAX);
        return false;
    }
    if (user != NULL && proto_name_valid(user->pw_name)) {
        name = user->pw_name;
    }
    snprintf(options->name, sizeof options->name, "%s", name != NULL ? name : "");
    return key == NULL || *key == '\0' || term_options_set_key(options, "FLOCK_KEY", key);
}

int main(int argc, char *argv[])
{
    struct term_options options;
    setlocale(LC_ALL, "");
    term_options_init(&options);
    if (!read_environment(&options) || !term_options_parse(&options, argc, argv)) {
        fprintf(stderr, "flock-term: %s (--help lists the options)\n", options.error);
        return 2;
    }
    if (options.help) {
        term_options_help(stdout);
        return 0;
    }
    if (options.version) {
        puts("flock-term " FLOCKD_VERSION);
        return 0;
    }
    return term_app_run(&options);
}
