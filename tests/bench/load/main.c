/* flock-load: reads the options, runs the load and prints the report. */
#include <stdio.h>
#include <stdlib.h>

#include "load.h"

static int run(const struct load_options *options)
{
    struct load *load = calloc(1, sizeof *load);

    if (load == NULL) {
        fputs("flock-load: out of memory\n", stderr);
        return 1;
    }
    bool ended = load_run(load, options);
    if (ended) {
        report(load);
    }
    bool right = ended && load->wrong == 0 && load->lost == 0;
    load_finish(load);
    free(load);
    return right ? 0 : 1;
}

int main(int argc, char *argv[])
{
    struct load_options options;
    int code = 2;

    if (!load_options_parse(&options, argc, argv)) {
        fprintf(stderr, "flock-load: %s (--help lists the options)\n", options.error);
    } else if (options.help) {
        load_options_help(stdout);
        code = 0;
    } else {
        code = run(&options);
    }
    load_options_free(&options);
    return code;
}
