#include "decode_swept.h"

static void read_measures(struct reader *r, const msgpack_object *value,
                          float measures[PROTO_SWEEP_MEASURES])
{
    const msgpack_object_array *a = reader_array(r, value, PROTO_SWEEP_MEASURES);

    for (uint32_t i = 0; a != NULL && i < PROTO_SWEEP_MEASURES; i++) {
        measures[i] = reader_finite(r, &a->ptr[i]);
    }
}

static void read_point(struct reader *r, const msgpack_object *value,
                       struct proto_swept_point *point)
{
    const msgpack_object_array *a = reader_array(r, value, 4);

    if (a != NULL) {
        point->value = reader_finite(r, &a->ptr[0]);
        point->samples = reader_uint32(r, &a->ptr[1], UINT32_MAX);
        read_measures(r, &a->ptr[2], point->means);
        read_measures(r, &a->ptr[3], point->errors);
    }
}

void decode_swept(struct reader *r, const msgpack_object_array *a, struct proto_swept *swept)
{
    const msgpack_object_array *list;

    reader_text(r, reader_at(r, a, 1, "state"), swept->state, sizeof swept->state);
    swept->by = reader_uint32(r, reader_at(r, a, 2, "by"), UINT32_MAX);
    reader_text(r, reader_at(r, a, 3, "who"), swept->who, sizeof swept->who);
    reader_text(r, reader_at(r, a, 4, "name"), swept->name, sizeof swept->name);
    swept->from = reader_finite(r, reader_at(r, a, 5, "from"));
    swept->to = reader_finite(r, reader_at(r, a, 6, "to"));
    swept->steps = reader_uint32(r, reader_at(r, a, 7, "steps"), UINT32_MAX);
    swept->warm_up = reader_uint32(r, reader_at(r, a, 8, "warm_up"), UINT32_MAX);
    swept->seconds = reader_uint32(r, reader_at(r, a, 9, "seconds"), UINT32_MAX);
    list = reader_array(r, reader_at(r, a, 10, "points"), 0);
    for (uint32_t i = 0; list != NULL && i < list->size && i < PROTO_SWEEP_STEPS_MAX; i++) {
        read_point(r, &list->ptr[i], &swept->points[swept->count++]);
    }
}
