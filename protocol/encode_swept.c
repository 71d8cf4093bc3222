/* The message swept of a server, from its struct to bytes. */
#include "put.h"

size_t proto_encode_swept(uint8_t *buffer, size_t capacity, const struct proto_swept *swept)
{
    struct writer w;

    if (swept->count > PROTO_SWEEP_STEPS_MAX) {
        return 0;
    }
    message_begin(&w, buffer, capacity, 11, PROTO_SWEPT);
    put_text(&w, swept->state);
    put_uint(&w, swept->by);
    put_text(&w, swept->who);
    put_text(&w, swept->name);
    put_number(&w, swept->from);
    put_number(&w, swept->to);
    put_uint(&w, swept->steps);
    put_uint(&w, swept->warm_up);
    put_uint(&w, swept->seconds);
    put_array(&w, swept->count);
    for (uint32_t i = 0; i < swept->count; i++) {
        const struct proto_swept_point *point = &swept->points[i];
        put_array(&w, 4);
        put_number(&w, point->value);
        put_uint(&w, point->samples);
        put_numbers(&w, point->means, PROTO_SWEEP_MEASURES);
        put_numbers(&w, point->errors, PROTO_SWEEP_MEASURES);
    }
    return message_end(&w);
}
