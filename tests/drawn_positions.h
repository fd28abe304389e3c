/* For tests of what positions look like: positions, and the text of a sheet. */
#ifndef TESTS_DRAWN_POSITIONS_H
#define TESTS_DRAWN_POSITIONS_H

#include "test.h"
#include "nlm/scene.h"

static inline nlm_position *read_position(const char *game, const char *text)
{
    nlm_position *position;
    CHECK(nlm_position_new(nlm_game_find(game), &position, &check_error));
    CHECK(nlm_position_read(position, text, strlen(text), "test", &check_error));
    return position;
}

static inline nlm_position *draw_position(const nlm_game *game, int objects)
{
    nlm_position *position;
    CHECK(nlm_position_new(game, &position, &check_error));
    CHECK(nlm_position_draw(position, 1, 0, objects, true, &check_error));
    return position;
}

/* All lines, each with its end, to be freed. */
static inline char *text_of(const nlm_sheet *paper)
{
    char *text = malloc((size_t)paper->rows * ((size_t)paper->width + 1) + 1), *end = text;
    assert_non_null(text);
    for (int row = 0; row < paper->rows; row++) {
        int length;
        const char *line = nlm_sheet_row(paper, row, &length);
        end = stpcpy(stpncpy(end, line, (size_t)length), "\n");
    }
    *end = '\0';
    return text;
}

#endif
