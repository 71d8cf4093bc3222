/* flock-term: options → run; nothing else. */
#include "term/app.h"
#include "term/headless.h"
#include "term/options.h"
#include "term/texts/texts.h"
#include "term/ui/keys.h"

#include <locale.h>
#include <pwd.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Takes the letters of the environment's locale; numbers keep their decimal point. If that locale
 * has UTF-8 and is not installed, C.UTF-8 shows the same characters. */
static void choose_locale(void)
{
    const char *wanted = texts_locale("LC_CTYPE");
    if (setlocale(LC_CTYPE, "") == NULL &&
        (strcasestr(wanted, "utf-8") != NULL || strcasestr(wanted, "utf8") != NULL)) {
        setlocale(LC_CTYPE, "C.UTF-8");
    }
}

int main(int argc, char *argv[])
{
    struct term_options options;
    choose_locale();
    term_keys_init(); /* the configuration file binds others */
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
    texts_choose(options.language > 0 ? texts_codes()[options.language - 1] : NULL);
    term_keys_name();
    int status = options.stats                     ? term_headless_stats(&options)
                 : options.snapshot || options.svg ? term_headless_snapshot(&options)
                                                   : term_app_run(&options);
    theme_free(&options.theme);
    return status;
}
