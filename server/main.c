/* flockd: from the command line to a configuration to a run; nothing else. */
#include <signal.h>

#include "config.h"
#include "net/http.h"
#include "net/server.h"
#include "start.h"

int main(int argc, char **argv)
{
    struct config config;
    struct room_definition room;

    switch (config_parse(&config, argc, argv, stdout, stderr)) {
    case CONFIG_DONE:
        return 0;
    case CONFIG_ERROR:
        return 2;
    case CONFIG_RUN:
        break;
    }
    log_set_format(config.log_format);
    signal(SIGPIPE, SIG_IGN);
    if (config.healthcheck) {
        return http_healthcheck(config.bind, config.port);
    }
    if (!start_room(&config, &room, stderr)) {
        return 2;
    }
    return server_run(&config, &room);
}
