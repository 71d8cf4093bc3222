#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cluster/broker.h"

#define PLUGIN "flockd-nats.so"

/* Writes the folder of this program, without a slash at its end. Returns false if it is not known.
 */
static bool find_folder(char folder[PATH_MAX])
{
    ssize_t size = readlink("/proc/self/exe", folder, PATH_MAX - 1);
    char *slash;

    if (size <= 0) {
        return false;
    }
    folder[size] = '\0';
    slash = strrchr(folder, '/');
    if (slash != NULL) {
        *slash = '\0';
    }
    return slash != NULL;
}

/* Loads the plugin beside the program, as `make` builds it, or from where `make install` puts it.
 */
static void *load_plugin(void)
{
    char folder[PATH_MAX];
    char path[PATH_MAX + 32];

    if (find_folder(folder)) {
        snprintf(path, sizeof path, "%s/" PLUGIN, folder);
        if (access(path, F_OK) == 0) {
            return dlopen(path, RTLD_NOW | RTLD_LOCAL);
        }
    }
    return dlopen(FLOCKD_PREFIX "/lib/flockd/" PLUGIN, RTLD_NOW | RTLD_LOCAL);
}

struct broker *broker_load(const struct broker_definition *definition, char *text)
{
    void *plugin = load_plugin();
    broker_open *open = NULL;

    if (plugin != NULL) { /* POSIX's way to make a function of an object's address */
        *(void **)&open = dlsym(plugin, BROKER_OPEN);
    }
    if (open == NULL) {
        snprintf(text, BROKER_TEXT_MAX, "--nats: the plugin for NATS cannot be loaded: %s",
                 dlerror());
        return NULL;
    }
    return open(definition, text);
}
