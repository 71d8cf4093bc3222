/* Reads the vectors that all clients share (protocol/vectors) with cJSON (Debian: libcjson-dev).
 * Run from the repository's root. */
#ifndef TEST_VECTORS_H
#define TEST_VECTORS_H

#include <cjson/cJSON.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static inline char *read_file(const char *path)
{
    FILE *file = fopen(path, "rb");

    if (file == NULL || fseek(file, 0, SEEK_END) != 0) {
        fail_msg("cannot read %s: run the tests from the repository's root", path);
    }
    const size_t size = (size_t)ftell(file);
    char *text = malloc(size + 1);
    assert_non_null(text);
    rewind(file);
    assert_int_equal(fread(text, 1, size, file), size);
    text[size] = '\0';
    (void)fclose(file);
    return text;
}

/* Returns the contents of vectors.json, which the caller deletes, or NULL. */
static inline cJSON *read_vectors(void)
{
    char *text = read_file("protocol/vectors/vectors.json");
    cJSON *vectors = cJSON_Parse(text);

    free(text);
    return vectors;
}

static inline const char *text_of(const cJSON *object, const char *key)
{
    const char *text = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(object, key));

    if (text == NULL) {
        fail_msg("a vector without the str %s", key);
        abort(); /* for static analysis: fail_msg() does not return */
    }
    return text;
}

static inline cJSON *list_of(const cJSON *vectors, const char *key)
{
    cJSON *list = cJSON_GetObjectItemCaseSensitive(vectors, key);

    assert_true(cJSON_IsArray(list));
    assert_true(cJSON_GetArraySize(list) > 0);
    return list;
}

/* Returns the bytes of a hex string, in memory of exactly their size. */
static inline uint8_t *bytes_of(const char *hex, size_t *size)
{
    *size = strlen(hex) / 2;
    assert_int_equal(strlen(hex) % 2, 0);
    uint8_t *bytes = malloc(*size > 0 ? *size : 1);
    assert_non_null(bytes);
    for (size_t i = 0; i < *size; i++) {
        const char digits[3] = {hex[2 * i], hex[2 * i + 1], '\0'};
        char *end;
        bytes[i] = (uint8_t)strtoul(digits, &end, 16);
        assert_ptr_equal(end, digits + 2);
    }
    return bytes;
}

#endif
