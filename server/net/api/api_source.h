/* The rooms that the API shows: the rooms of this server, or of all nodes of its cluster. Facts of
 * other nodes' rooms are up to a second old. Any thread. */
#ifndef API_SOURCE_H
#define API_SOURCE_H

#include <stdbool.h>
#include <stdint.h>

#include "cluster/cluster.h"
#include "cluster/routes.h"
#include "hub/directory.h"

struct api_source {
    struct directory *directory; /* of this server */
    struct routes *routes;       /* of the cluster; NULL: this server is alone */
};

/* Returns the routes of the cluster; NULL: there is none. */
static inline struct routes *api_source_routes(const struct cluster *cluster)
{
    return cluster != NULL ? cluster_routes(cluster) : NULL;
}

/* Returns a number that changes whenever the list of rooms does. */
static inline uint64_t api_source_version(const struct api_source *source)
{
    return source->routes != NULL ? routes_version(source->routes)
                                  : directory_version(source->directory);
}

/* See directory_read(): listed rooms only. */
static inline uint32_t api_source_read(const struct api_source *source, uint32_t *next,
                                       struct directory_entry *entries, uint32_t max)
{
    return source->routes != NULL ? routes_read(source->routes, true, next, entries, max)
                                  : directory_read(source->directory, true, next, entries, max);
}

#endif
