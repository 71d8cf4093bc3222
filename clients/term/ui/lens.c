#include "term/ui/lens.h"

/* Moves the world with the mouse. */
static void drag_world(struct term_lens *lens, struct term_picture *picture,
                       struct term_input input)
{
    term_picture_pan(picture, input.x - lens->column, input.y - lens->row);
    lens->column = input.x;
    lens->row = input.y;
}

/* Handles the mouse over the picture. */
static bool act_on_mouse(struct term_lens *lens, struct term_picture *picture, int columns,
                         struct term_input input)
{
    bool over = input.x < columns;
    switch (input.action) {
    case TERM_WHEEL_UP:
    case TERM_WHEEL_DOWN:
        if (over) {
            term_picture_zoom(picture, input.action == TERM_WHEEL_UP ? 1 : -1, input.x, input.y);
        }
        return over;
    case TERM_GRAB:
        *lens = (struct term_lens){over, input.x, input.y};
        return over;
    case TERM_DROP:
        lens->holds = false;
        return true;
    case TERM_POINT:
        if (lens->holds) {
            drag_world(lens, picture, input);
        }
        return lens->holds;
    default:
        return false;
    }
}

bool term_lens_act(struct term_lens *lens, struct term_picture *picture,
                   const struct term_session *session, int columns, struct term_input *input)
{
    switch (input->action) {
    case TERM_ZOOM:
        term_picture_zoom(picture, input->x, -1, -1);
        return true;
    case TERM_FIT:
        term_picture_fit(picture);
        return true;
    case TERM_CELLS:
        term_picture_choose(picture, (enum term_cells)input->x);
        return true;
    case TERM_FOLLOW:
        if (session->past.shown) {
            *input = (struct term_input){TERM_PLAY, 1, 0};
            return false;
        }
        term_picture_follow(picture);
        return true;
    default:
        return act_on_mouse(lens, picture, columns, *input);
    }
}
