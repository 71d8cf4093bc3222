#include "past/film_index.h"

#include <stdlib.h>

#include "past/keyframes.h"
#include "past/replay.h"

struct film_index {
    struct film *film;
    struct replay *replay;
    size_t part;
    uint64_t round; /* to be reached next */
    uint64_t work;  /* boids times rounds since the last keyframe of the part */
};

struct film_index *film_index_begin(struct film *film)
{
    struct film_index *index = calloc(1, sizeof *index);

    if (index == NULL) {
        return NULL;
    }
    index->film = film;
    index->round = film->recording->parts[0].round;
    index->replay = replay_create(film->recording, 0);
    if (index->replay == NULL) {
        free(index);
        return NULL;
    }
    replay_seek(index->replay, index->round);
    return index;
}

void film_index_end(struct film_index *index)
{
    if (index != NULL) {
        replay_destroy(index->replay);
        free(index);
    }
}

/* Goes on to the next part if the round is after the present one. Returns false after the last. */
static bool enter_part(struct film_index *index)
{
    const struct recording *recording = index->film->recording;

    while (index->part < recording->count) {
        const struct recording_part *part = &recording->parts[index->part];
        if (index->round < part->round + part->rounds) {
            return true;
        }
        index->part++;
        index->work = 0;
        index->round = index->part < recording->count ? recording->parts[index->part].round : 0;
    }
    return false;
}

/* Notes the round that the replay has reached. Returns false if a keyframe does not fit. */
static bool note_round(struct film_index *index)
{
    index->work += flock_count(scene_flock(replay_scene(index->replay)));
    index->round++;
    if (index->work < KEYFRAME_WORK || replay_part(index->replay) != index->part) {
        return true;
    }
    index->work = 0;
    return replay_note(index->replay, index->film->keyframes);
}

bool film_index_work(struct film_index *index, struct flock_workspace *workspace,
                     bool (*may_go_on)(void *argument), void *argument)
{
    while (enter_part(index)) {
        enum replay_result result = REPLAY_MORE;
        replay_seek(index->replay, index->round);
        while (result == REPLAY_MORE) {
            if (!may_go_on(argument)) {
                return false;
            }
            result = replay_step(index->replay, workspace);
        }
        if (result != REPLAY_THERE || !note_round(index)) {
            return true;
        }
    }
    return true;
}
