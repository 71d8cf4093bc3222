#include "term/draw/viewport.h"

#include <math.h>

enum { FRAMED_COLUMNS_MIN = 16, FRAMED_ROWS_MIN = 6 };

bool viewport_fit(struct viewport *viewport, int columns, int rows, float width, float height)
{
    if (columns < 1 || rows < 1 || !(width > 0) || !(height > 0)) {
        return false;
    }
    bool framed = columns >= FRAMED_COLUMNS_MIN && rows >= FRAMED_ROWS_MIN;
    int margin = framed ? 1 : 0;
    float across = (float)((columns - 2 * margin) * VIEWPORT_DOTS_X);
    float down = (float)((rows - 2 * margin) * VIEWPORT_DOTS_Y);
    float scale = fminf(across / width, down / height);
    float left = (float)(columns * VIEWPORT_DOTS_X) / 2 - width * scale / 2;
    float top = (float)(rows * VIEWPORT_DOTS_Y) / 2 - height * scale / 2;
    *viewport = (struct viewport){
        .columns = columns,
        .rows = rows,
        .scale = scale,
        .left = left,
        .top = top,
        .width = width,
        .height = height,
        .framed = framed,
    };
    return true;
}

/* Returns the middle of a side that shows `shown` of `size` world units. */
static float limit_middle(float middle, float shown, float size)
{
    float least = shown / 2;
    return shown >= size ? size / 2 : fminf(fmaxf(middle, least), size - least);
}

void viewport_show(struct viewport *viewport, struct viewport_look *look)
{
    float across = (float)(viewport->columns * VIEWPORT_DOTS_X);
    float down = (float)(viewport->rows * VIEWPORT_DOTS_Y);
    look->zoom = look->zoom > 1 ? fminf(look->zoom, VIEWPORT_ZOOM_MAX) : 1;
    float scale = viewport->scale * look->zoom;
    look->x = limit_middle(look->x, across / scale, viewport->width);
    look->y = limit_middle(look->y, down / scale, viewport->height);
    if (look->zoom > 1) {
        viewport->scale = scale;
        viewport->left = across / 2 - look->x * scale;
        viewport->top = down / 2 - look->y * scale;
    }
}

void viewport_zoom(const struct viewport *viewport, struct viewport_look *look, float factor,
                   int column, int row)
{
    float x = 0;
    float y = 0;
    float before = look->zoom;
    viewport_world(viewport, column, row, &x, &y);
    look->zoom = fminf(fmaxf(before * factor, 1), VIEWPORT_ZOOM_MAX);
    look->x = x - (x - look->x) * before / look->zoom;
    look->y = y - (y - look->y) * before / look->zoom;
}

void viewport_world(const struct viewport *viewport, int column, int row, float *x, float *y)
{
    float across = ((float)column + 0.5F) * VIEWPORT_DOTS_X;
    float down = ((float)row + 0.5F) * VIEWPORT_DOTS_Y;
    *x = (across - viewport->left) / viewport->scale;
    *y = (down - viewport->top) / viewport->scale;
}

void viewport_frame(const struct viewport *viewport, int *left, int *top, int *right, int *bottom)
{
    float end_x = viewport->left + viewport->width * viewport->scale;
    float end_y = viewport->top + viewport->height * viewport->scale;
    *left = (int)floorf(viewport->left / VIEWPORT_DOTS_X + 0.01F) - 1;
    *top = (int)floorf(viewport->top / VIEWPORT_DOTS_Y + 0.01F) - 1;
    *right = (int)ceilf(end_x / VIEWPORT_DOTS_X - 0.01F);
    *bottom = (int)ceilf(end_y / VIEWPORT_DOTS_Y - 0.01F);
}
