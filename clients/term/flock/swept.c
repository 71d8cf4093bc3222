#include "term/flock/swept.h"

#include "term/texts/texts.h"

#include <stdio.h>
#include <string.h>

bool swept_runs(const struct proto_swept *swept)
{
    return strcmp(swept->state, "running") == 0;
}

bool swept_exists(const struct proto_swept *swept)
{
    return swept->state[0] != '\0' && strcmp(swept->state, "none") != 0;
}

void swept_place(char *out, size_t capacity, const struct proto_swept *swept)
{
    uint32_t step = swept->count < swept->steps ? swept->count + 1 : swept->steps;
    snprintf(out, capacity, "%s %u/%u", texts_param(swept->name), step, swept->steps);
}
