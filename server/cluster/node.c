#include "cluster/node.h"

#include <string.h>

#include "text.h"

bool node_name_is_valid(const char *name)
{
    const size_t size = strnlen(name, NODE_NAME_MAX + 1);

    return size > 0 && size <= NODE_NAME_MAX && text_is_word(name, size, "-");
}
