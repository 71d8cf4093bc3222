#include "scene/layers.h"

/* All sets of layers, by 1 + the sum of their bits, from `rules` (1) to `trails` (32). The name of
 * a set has its layers from the greatest bit on, with a + before each, of which the first is left
 * out. */
#define LAYERS(names)                                                                              \
    {                                                                                              \
        &(names)[1], "everyone sees these layers over the flock"                                   \
    }
#define LAYERS_1(names) LAYERS(names), LAYERS(names "+rules")
#define LAYERS_2(names) LAYERS_1(names), LAYERS_1(names "+centroid")
#define LAYERS_3(names) LAYERS_2(names), LAYERS_2(names "+links")
#define LAYERS_4(names) LAYERS_3(names), LAYERS_3(names "+density")
#define LAYERS_5(names) LAYERS_4(names), LAYERS_4(names "+target")
#define LAYERS_COUNT    6u

const struct flock_word layers_words[] = {{"free", "each person chooses"},
                                          {"none", "no layers over the flock"},
                                          LAYERS("+rules"),
                                          LAYERS_1("+centroid"),
                                          LAYERS_2("+links"),
                                          LAYERS_3("+density"),
                                          LAYERS_4("+target"),
                                          LAYERS_5("+trails"),
                                          {0}};

_Static_assert(sizeof layers_words / sizeof layers_words[0] == (1u << LAYERS_COUNT) + 2,
               "free, all sets, and the end");

bool layers_offered(size_t index)
{
    const size_t set = index - 1;

    return index < 2 || (set & (set - 1)) == 0;
}
