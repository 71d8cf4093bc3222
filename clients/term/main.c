/* flock-term: options → run; nothing else. */
#include "term/app.h"
#include "term/options.h"

#include <locale.h>
#include <pwd.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Asks for the room's join key until the user types a valid one. Returns false if the user types
 * none. */
static bool ask_join_key(char key[PROTO_KEY_MAX + 1])
{
    char line[256];

    for (;;) {
        fputs("join key: ", stderr);
        if (fgets(line, sizeof line, stdin) == NULL) {
            fputc('\n', stderr);
            return false;
        }
        size_t size = strcspn(line, "\r\n");
        line[size] = '\0';
        if (size == 0) {
            return false;
        }
        if (size <= PROTO_KEY_MAX && options_key.valid(line)) {
            snprintf(key, PROTO_KEY_MAX + 1, "%.*s", (int)size, line);
            return true;
        }
        fprintf(stderr, "flock-term: a join key is 1-%u %s\n", PROTO_KEY_MAX, options_key.values);
    }
}

int main(int argc, char *argv[])
{
    struct term_options options;
    setlocale(LC_ALL, "");
    const struct passwd *user = getpwuid(getuid());
    const char *login = user != NULL && proto_name_valid(user->pw_name) ? user->pw_name : "";
    switch (term_options_parse(&options, login, argc, argv, stdout, stderr)) {
    case OPTIONS_DONE:
        return 0;
    case OPTIONS_ERROR:
        return 2;
    case OPTIONS_RUN:
        break;
    }
    int status = term_app_run(&options);
    while (status == TERM_APP_LOCKED && ask_join_key(options.join_key)) {
        status = term_app_run(&options);
    }
    theme_free(&options.theme);
    return status == TERM_APP_LOCKED ? 1 : status;
}
