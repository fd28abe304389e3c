/* What the readers of files, tables and folders of a problem share. */
#ifndef FACTS_FACT_SOURCE_H
#define FACTS_FACT_SOURCE_H

#include "facts/table_columns.h"

/* A table whose first row may be titles, until the tables of all worlds are there. */
typedef struct waiting_sheet {
    sheet sheet;
    int world;
    sheet_start starts;
    bool has_titles;
} waiting_sheet;

typedef struct fact_source {
    draft *draft;
    buffer content; /* of the file that is being read */
    bool for_model; /* not to learn from */
    columns sheets; /* with titles, of all worlds */
    buffer waiting; /* waiting_sheet */
    int waiting_count, written_count;
    name_table declared; /* predicates of bias.pl, whose tables have no titles */
    bool in_folder;
    nlm_error *error;
} fact_source;

/* ---- files: fact_files.c ---- */

/* What reads the text of a file of one form into the last world. */
typedef nlm_status (*fact_reader)(draft *to, char *text, size_t size, const char *file, nlm_error *error);

/* That of JSON Lines and graphs, by the ending of the file's name; NULL for other names. */
fact_reader fact_reader_of(const char *name);
/* The whole file into `content`, ended by 0. */
nlm_status fact_source_content(fact_source *in, const char *file, bool in_folder, size_t *size);
/* Whether the first `*length` bytes of a name end so, and are more than that; then they get fewer. */
bool fact_name_strip(const char *name, size_t *length, const char *ending);
/* The last world has a table of a predicate, if perhaps an empty one. */
nlm_status fact_source_begin_table(fact_source *in, const char *predicate, size_t length, const char *file);
/* A table of facts of a predicate, without titles, in `content`. */
nlm_status fact_source_table(fact_source *in, const char *predicate, size_t length, draft_kind kind,
                             bool tabs, size_t size, const char *file);

/* ---- tables whose first row may be titles: fact_sheets.c ---- */

/* Keep the table in `content`. */
nlm_status fact_sheets_add(fact_source *in, const char *name, size_t length, bool tabs, size_t size,
                           const char *file, int world);
/* Once those of all worlds are there: decide which have titles, and what their columns are.  `others`: some
 * world has other facts; `examples`: some has an exs.pl. */
nlm_status fact_sheets_find(fact_source *in, bool others, bool examples);
/* The facts of the next table that was kept, into the last world of the draft, unless it has titles. */
nlm_status fact_sheets_write_next(fact_source *in);
/* Those of a world's tables with titles. */
nlm_status fact_sheets_write_titled(fact_source *in, int world);
void fact_sheets_free(fact_source *in);

/* ---- folders: fact_folders.c ---- */

nlm_status fact_folder_read(fact_source *in, const char *path);

#endif
