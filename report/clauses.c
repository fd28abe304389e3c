/* Clauses as rows of a table. */
#include "report/clauses.h"

#define LEAST 0.1 /* the probability of clauses that its authors read off */

typedef struct listing {
    page *page;
    int count;
} listing;

static nlm_status put_clause(void *context, const nlm_clause *rule, nlm_error *error)
{
    listing *list = context;
    (void)error;
    if (list->count++ == 0)
        page_put(list->page,
                 "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"clauses\"><table>\n"
                 "<thead><tr><th scope=\"col\">clause</th><th scope=\"col\">probability</th></tr></thead>\n"
                 "<tbody>\n");
    page_put(list->page, "<tr><td><code>");
    page_text(list->page, rule->text);
    page_print(list->page, "</code></td><td>%.4f</td></tr>\n", rule->probability);
    return NLM_OK;
}

nlm_status clauses_put(page *p, const nlm_machine *machine, const char *label, nlm_error *error)
{
    listing list = {.page = p};
    page_put(p, "<h3>The program of ");
    page_text(p, label);
    page_put(p, "</h3>\n");
    nlm_status status = nlm_machine_clauses(machine, LEAST, put_clause, &list, error);
    if (list.count > 0)
        page_put(p, "</tbody></table></div>\n");
    else
        page_print(p, "<p>No clause has a probability above %g.</p>\n", LEAST);
    return status;
}
