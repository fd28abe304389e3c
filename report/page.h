/* A page being written: markup, and texts that can do no harm in it.
 *
 * What fails, for want of memory, is remembered; what is written after that goes nowhere, and page_save
 * tells. */
#ifndef REPORT_PAGE_H
#define REPORT_PAGE_H

#include "report/storage.h"
#include "report/assets.h"

typedef struct page {
    storage text;
    size_t length;
    bool failed;
    const asset *const *scripts; /* of the document, up to a NULL */
} page;

void page_release(page *p);

/* Markup, as it is.  Arguments of page_print are numbers and words of our own, never a user's text. */
void page_put(page *p, const char *markup);
void page_print(page *p, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Any text, as content or within the quotes of an attribute: markup in it is shown, not obeyed.  Bytes that
 * are no UTF-8 and control characters become U+FFFD. */
void page_text(page *p, const char *text);
/* Any text between two pieces of markup. */
void page_wrap(page *p, const char *before, const char *text, const char *after);
/* The beginning of a table up to its first row: what screen readers call it, a class as an attribute or "",
 * a caption or NULL, and the titles of its columns up to a NULL: words of our own.  PAGE_TABLE_END ends it.
 */
void page_table(page *p, const char *label, const char *class, const char *caption,
                const char *const *columns);
#define PAGE_TABLE_END "</tbody></table></div>\n"
/* Any text in the quotes of JSON, fit to stand within <script>. */
void page_json(page *p, const char *text);
/* All of another page. */
void page_append(page *p, const page *other);

/* The beginning of a document: head with our style, the title as its first heading; and its end, with the
 * scripts, which are given up to a NULL and must last until then.  The browser runs these scripts and no
 * others, and takes this style and no other: the head has their hashes, and no element has a style of its
 * own. */
void page_begin(page *p, const char *title, const asset *const *scripts);
void page_end(page *p);
/* To a file, whole or not at all. */
nlm_status page_save(const page *p, const char *path, nlm_error *error);

#endif
