/* The texts of events are the same as the page's. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "term/flock/news.h"
#include "vectors.h"

static void copy_text(char *out, size_t capacity, const char *text)
{
    assert_true(strlen(text) < capacity);
    strcpy(out, text);
}

static struct proto_room *read_room(const cJSON *controls)
{
    struct proto_room *room = calloc(1, sizeof *room);
    const cJSON *control;
    assert_non_null(room);
    cJSON_ArrayForEach(control, controls)
    {
        struct proto_control *to = &room->controls[room->control_count++];
        const cJSON *choice;
        copy_text(to->name, sizeof to->name, control->string);
        cJSON_ArrayForEach(choice, control)
        {
            struct proto_choice *value = &to->choices[to->choice_count++];
            copy_text(value->value, sizeof value->value, choice->string);
            copy_text(value->text, sizeof value->text, choice->valuestring);
        }
    }
    return room;
}

static struct proto_event read_event(const cJSON *vector)
{
    struct proto_event event = {
        .by = (uint32_t)cJSON_GetObjectItemCaseSensitive(vector, "by")->valueint};
    copy_text(event.who, sizeof event.who, text_of(vector, "who"));
    copy_text(event.name, sizeof event.name, text_of(vector, "name"));
    copy_text(event.what, sizeof event.what, text_of(vector, "what"));
    copy_text(event.from, sizeof event.from, text_of(vector, "from"));
    copy_text(event.to, sizeof event.to, text_of(vector, "to"));
    return event;
}

static void events_have_the_words_of_the_page(void **state)
{
    (void)state;
    char *text = read_file("clients/vectors/events.json");
    cJSON *vectors = cJSON_Parse(text);
    struct proto_room *room = read_room(cJSON_GetObjectItemCaseSensitive(vectors, "controls"));
    struct term_people *people = calloc(1, sizeof *people);
    const cJSON *vector;
    free(text);
    people->count = 1;
    people->list[0].id = (uint32_t)cJSON_GetObjectItemCaseSensitive(vectors, "self")->valueint;
    cJSON_ArrayForEach(vector, list_of(vectors, "events"))
    {
        char expected[512] = "";
        char news[512] = "";
        const struct proto_event event = read_event(vector);
        const cJSON *title = cJSON_GetObjectItemCaseSensitive(vector, "title");
        const char *more = text_of(vector, "text");
        bool told = news_of_event(news, sizeof news, &event, room, people);
        assert_int_equal(told, cJSON_IsString(title));
        if (told) {
            snprintf(expected, sizeof expected, "%s%s%s", title->valuestring,
                     *more != '\0' ? "; " : "", more);
            assert_string_equal(news, expected);
        }
    }
    free(people);
    free(room);
    cJSON_Delete(vectors);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(events_have_the_words_of_the_page),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
