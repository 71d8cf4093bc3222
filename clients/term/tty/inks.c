#include "term/tty/inks.h"

#include <assert.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* INKS × INKS pairs fit a short. */
enum {
    INKS = 181,
    BOIDS_FIRST = 1,
    ROLES_FIRST = BOIDS_FIRST + THEME_LEVELS * PALETTE_HUES,
    STATUS_TEXT = ROLES_FIRST + INK_ROLES,
    STATUS_GROUND,
    PAPER_INK,
    PAPER_GROUND,
    TEXTS_FIRST,
    BANDS = 24, /* colours of a ground on a terminal that shows all colours */
    GROUND_MAX = 64,
};
_Static_assert(TEXTS_FIRST < INKS && INKS * INKS <= SHRT_MAX, "pairs fit a short");

static struct {
    const struct theme *theme;
    struct theme_terminal terminal;
    struct theme_look look;
    char ground[GROUND_MAX];
    bool saves;                         /* colours are the nearest of 256, which take fewer bytes */
    int numbers[INKS];                  /* colour numbers of inks */
    uint32_t texts[INKS - TEXTS_FIRST]; /* as asked for */
    int text_count;
} inks;

/* Returns whether the terminal shows about the colour that is asked for. */
static bool is_rich(void)
{
    return inks.terminal.colors >= 256;
}

static int number_of(uint32_t rgb)
{
    return palette_nearest(rgb, inks.terminal.colors, inks.terminal.light);
}

/* Returns a boid's colour number with 8 to 255 colours: trails are darker, if there are darker
 * colours. */
static int number_of_plain_boid(int hue, int level)
{
    int number = palette_hue(hue, inks.terminal.colors, inks.terminal.light);
    return number >= 8 && level < THEME_LEVEL_BOID ? number - 8 : number;
}

/* Returns a boid's colour number with 256 or more colours. */
static int number_of_rich_boid(int hue, int level)
{
    if (inks.saves && inks.terminal.colors > 256) {
        uint32_t rgb = theme_boid(&inks.look, hue, level, 256);
        return OUTPUT_INDEXED + palette_nearest(rgb, 256, inks.terminal.light);
    }
    return number_of(theme_boid(&inks.look, hue, level, inks.terminal.colors));
}

static void number_boids(void)
{
    for (int level = 0; level < THEME_LEVELS; level++) {
        for (int hue = 0; hue < PALETTE_HUES; hue++) {
            inks.numbers[inks_boid(hue, level)] =
                is_rich() ? number_of_rich_boid(hue, level) : number_of_plain_boid(hue, level);
        }
    }
}

/* Returns a colour like rgb that has this contrast with the ground. */
static uint32_t make_readable(uint32_t rgb, float contrast)
{
    const struct theme_look *look = &inks.look;
    return palette_readable(rgb, look->ground, (int)look->stops, contrast, inks.terminal.colors);
}

/* Returns the colour number of a text or a line, which must have this contrast. */
static int number_of_text(uint32_t rgb, float contrast)
{
    uint32_t nearest = palette_shown(rgb, 256);
    if (inks.saves && inks.terminal.colors > 256 && make_readable(nearest, contrast) == nearest) {
        return OUTPUT_INDEXED + palette_nearest(rgb, 256, inks.terminal.light);
    }
    return number_of(rgb);
}

static int number_of_role(enum ink_role role)
{
    const struct theme_look *look = &inks.look;
    const uint32_t roles[INK_ROLES] = {look->quiet, look->bar, look->frame, look->mark};
    return is_rich() ? number_of_text(roles[role], role == INK_FRAME ? PALETTE_BOID_CONTRAST
                                                                     : PALETTE_TEXT_CONTRAST)
                     : OUTPUT_OWN;
}

static int number_of_asked(uint32_t rgb)
{
    return number_of_text(make_readable(rgb, PALETTE_TEXT_CONTRAST), PALETTE_TEXT_CONTRAST);
}

static void number_texts(void)
{
    bool own = inks.look.own || !is_rich();
    inks.numbers[0] = own ? OUTPUT_OWN : number_of_text(inks.look.text, PALETTE_TEXT_CONTRAST);
    for (int i = 0; i < INK_ROLES; i++) {
        inks.numbers[ROLES_FIRST + i] = number_of_role((enum ink_role)i);
    }
    for (int i = 0; i < inks.text_count; i++) {
        inks.numbers[TEXTS_FIRST + i] = number_of_asked(inks.texts[i]);
    }
}

/* Numbers the colours of the theme. */
static void number_inks(void)
{
    const struct theme_look *look = &inks.look;
    inks.text_count = 0;
    number_boids();
    number_texts();
    inks.numbers[PAPER_INK] = is_rich() ? number_of(0) : 0;
    inks.numbers[PAPER_GROUND] =
        is_rich() ? number_of(0xffffff) : (inks.terminal.colors >= 16 ? 15 : 7);
    inks.numbers[STATUS_TEXT] = number_of(look->status[0]);
    inks.numbers[STATUS_GROUND] = number_of(look->status[1]);
}

void inks_start(const struct theme *theme, const struct theme_terminal *terminal)
{
    inks.theme = theme;
    inks.terminal = *terminal;
    inks.ground[0] = '\0';
    theme_resolve(theme, terminal, "", &inks.look);
    number_inks();
}

bool inks_follow(const char *ground)
{
    if (strncmp(inks.ground, ground, sizeof inks.ground - 1) == 0) {
        return false;
    }
    snprintf(inks.ground, sizeof inks.ground, "%s", ground);
    theme_resolve(inks.theme, &inks.terminal, ground, &inks.look);
    number_inks();
    return true;
}

/* Returns the text's ink whose colour is nearest to rgb. */
static int nearest_text(uint32_t rgb)
{
    int best = 0;
    int least = INT_MAX;
    for (int i = 0; i < inks.text_count; i++) {
        int away = 0;
        for (int shift = 0; shift <= 16; shift += 8) {
            away += abs((int)(rgb >> shift & 255) - (int)(inks.texts[i] >> shift & 255));
        }
        if (away < least) {
            least = away;
            best = i;
        }
    }
    return best;
}

/* Numbers a new text's colour. */
static int add_text(uint32_t rgb)
{
    inks.texts[inks.text_count] = rgb;
    inks.numbers[TEXTS_FIRST + inks.text_count] = number_of_asked(rgb);
    return inks.text_count++;
}

short inks_text(uint32_t rgb)
{
    if (inks.terminal.colors < 8) {
        return 0;
    }
    int nearest = nearest_text(rgb);
    bool known = inks.text_count > 0 && inks.texts[nearest] == rgb;
    if (!known && inks.text_count < INKS - TEXTS_FIRST) {
        nearest = add_text(rgb);
    }
    return (short)(TEXTS_FIRST + nearest);
}

short inks_role(enum ink_role role)
{
    return is_rich() ? (short)(ROLES_FIRST + (int)role) : 0;
}

short inks_status(void)
{
    return is_rich() ? inks_pair(STATUS_TEXT, STATUS_GROUND) : 0;
}

short inks_paper(void)
{
    return inks.terminal.colors >= 8 ? inks_pair(PAPER_INK, PAPER_GROUND) : (short)0;
}

short inks_boid(int hue, int level)
{
    assert(hue >= 0 && hue < PALETTE_HUES && level >= 0 && level < THEME_LEVELS);
    return (short)(BOIDS_FIRST + level * PALETTE_HUES + hue);
}

short inks_pair(short ink, short ground)
{
    assert(ink >= 0 && ink < INKS && ground >= 0 && ground < INKS);
    return (short)(ink + INKS * ground);
}

void inks_save(bool bytes)
{
    if (inks.saves != bytes) {
        inks.saves = bytes;
        number_boids();
        number_texts();
    }
}

bool inks_have_levels(void)
{
    return is_rich();
}

int inks_ground(int row, int rows)
{
    bool own = inks.look.own || !is_rich();
    int bands = inks.terminal.colors > 256 ? BANDS : 1;
    return own ? OUTPUT_OWN : number_of(theme_ground(&inks.look, row, rows, bands));
}

void inks_style(attr_t attributes, short pair, int row_ground, struct output_style *style)
{
    int ink = pair % INKS;
    int ground = pair / INKS;
    bool dim = (attributes & A_DIM) != 0;
    bool boid = ink >= BOIDS_FIRST && ink < ROLES_FIRST;
    if (dim && ink == 0 && is_rich()) {
        ink = ROLES_FIRST + INK_QUIET;
    }
    *style = (struct output_style){
        .ink = inks.numbers[ink],
        .ground = ground == 0 ? row_ground : inks.numbers[ground],
        /* The eight colours are dark. */
        .bold = (attributes & A_BOLD) != 0 ||
                (boid && inks.terminal.colors == 8 && !inks.terminal.light),
        .reverse = (attributes & A_REVERSE) != 0,
        .dim = dim && !is_rich(),
    };
}
