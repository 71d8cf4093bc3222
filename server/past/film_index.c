#include "past/film_index.h"

#include "past/keyframes.h"
#include "past/replay.h"

void film_index(struct film *film, struct flock_workspace *workspace,
                bool (*may_go_on)(void *argument), void *argument)
{
    struct replay *replay = replay_create(film->recording, 0);
    enum replay_result result = REPLAY_MORE;
    uint64_t work = 0;

    if (replay == NULL) {
        return;
    }
    replay_seek(replay, recording_end(film->recording));
    for (size_t part = 0; part < film->recording->count; part++) {
        const struct recording_part *at = &film->recording->parts[part];
        work = 0;
        for (uint64_t round = at->round; round < at->round + at->rounds; round++) {
            if (!may_go_on(argument)) {
                goto end;
            }
            replay_seek(replay, round);
            while ((result = replay_step(replay, workspace)) == REPLAY_MORE) {
                if (!may_go_on(argument)) {
                    goto end;
                }
            }
            if (result != REPLAY_THERE) {
                goto end;
            }
            work += flock_count(scene_flock(replay_scene(replay)));
            if (work >= KEYFRAME_WORK && replay_part(replay) == part) {
                work = 0;
                if (!replay_note(replay, film->keyframes)) {
                    goto end;
                }
            }
        }
    }
end:
    replay_destroy(replay);
}
