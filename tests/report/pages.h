/* What the tests of pages share: the text of a page, what is in it, and files read back. */
#ifndef TESTS_REPORT_PAGES_H
#define TESTS_REPORT_PAGES_H

#include "task/positions.h"
#include <unistd.h>
#include "report/page.h"

/* The text of a page, which holds until more is written. */
static inline const char *text_of(page *p)
{
    assert_false(p->failed);
    page_put(p, ""); /* room for the end */
    ((char *)p->text.data)[p->length] = '\0';
    return p->text.data;
}

static inline void assert_page(page *p, const char *wanted)
{
    assert_string_equal(text_of(p), wanted);
    page_release(p);
}

static inline int count_of(const char *text, const char *part)
{
    int found = 0;
    for (; (text = strstr(text, part)); text += strlen(part))
        found++;
    return found;
}

/* A file, read whole and removed; to be freed. */
static inline char *take_file(const char *path)
{
    enum { MOST = 1 << 22 };
    char *text = calloc(1, MOST);
    FILE *file = fopen(path, "rb");
    assert_non_null(text);
    assert_non_null(file);
    assert_true(fread(text, 1, MOST - 1, file) < MOST - 1);
    fclose(file);
    assert_int_equal(unlink(path), 0);
    return text;
}

#endif
