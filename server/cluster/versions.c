#include "cluster/versions.h"

uint8_t version_of_messages(void)
{
    return 1;
}

uint32_t version_of_release(void)
{
    return 2;
}
