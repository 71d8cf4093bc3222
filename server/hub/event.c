#include "hub/event.h"

#include <stdlib.h>

void request_event_free(struct request_event *event)
{
    free(event->request);
    hub_answer_finish(&event->answer);
    free(event);
}

void event_free(const struct event *event)
{
    switch (event->type) {
    case EVENT_JOIN:
        seat_destroy(event->joining->seat);
        free(event->joining);
        break;
    case EVENT_MESSAGE:
        free(event->message);
        break;
    case EVENT_ANSWER:
        frame_release(event->answer);
        break;
    case EVENT_RELEASE:
        free(event->release);
        break;
    case EVENT_PAST:
        free(event->past);
        break;
    case EVENT_REQUEST:
        mailbox_unreserve(event->request->replies, 1);
        request_event_free(event->request);
        break;
    default:
        break;
    }
}
