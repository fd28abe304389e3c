#include "report/derivations.h"

#include <stdio.h>
#include <string.h>
#include "nlm/prove.h"
#include "nlm/rules.h"
#include "nlm/why.h"
#include "report/storage.h"

/* Derivations of a world; bytes of all their trees, and of one. */
enum { ERRORS_MOST = 40, DERIVATIONS_MOST = 160, BYTES_MOST = 200000, TREE_MOST = 10000 };

/* ---- the program ---- */

static void put_verdict(page *p, const nlm_proof *proof)
{
    if (proof->verdict == NLM_PROVED)
        page_print(p,
                   "<p class=\"proof\">\xe2\x9c\x93 proved: the model computes these rules in every world of "
                   "true and false facts, of any size. Each of its %d units is exactly 0 or 1 (smallest "
                   "margin %.4g).</p>\n",
                   proof->units, proof->margin);
    else if (proof->verdict == NLM_REFUTED)
        page_wrap(p,
                  "<p class=\"proof\">\xe2\x9c\x97 not proved: the model and its rules differ about "
                  "<code>",
                  proof->atom, "</code> in some world; <code>nlm prove</code> shows it.</p>\n");
    else if (proof->verdict == NLM_SOFT)
        page_wrap(p, "<p class=\"proof\">\xe2\x9c\x97 not proved: ", proof->reason, ".</p>\n");
    else
        page_put(p,
                 "<p class=\"proof\">\xe2\x9c\x97 not proved: no proof was found within the bounds, and no "
                 "world where the model and its rules differ.</p>\n");
}

/* The lines of a text, each between two pieces of markup. */
static void put_lines(page *p, const char *before, char *text, const char *after)
{
    for (char *line = text, *end; *line; line = end) {
        end = line + strcspn(line, "\n");
        if (*end)
            *end++ = '\0';
        page_wrap(p, before, line, after);
    }
}

nlm_status program_put(page *p, nlm_machine *machine, const char *path, const char *label, nlm_error *error)
{
    nlm_program *program = NULL;
    nlm_proof *proof = NULL;
    char *clauses = NULL, *sentences = NULL;
    nlm_status status = nlm_program_in(machine, path, &program, error);
    if (!status)
        status = nlm_prove_model(machine, path, &proof, error);
    if (!status)
        status = nlm_program_text(program, NLM_CLAUSES, &clauses, error);
    if (!status)
        status = nlm_program_text(program, NLM_ENGLISH, &sentences, error);
    if (!status) {
        page_wrap(p, "<h3>The program of ", label, "</h3>\n");
        page_put(p, "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"rules\"><pre "
                    "class=\"rules\">");
        put_lines(p, "", clauses, "\n");
        page_put(p, "</pre></div>\n<ul class=\"sentences\">\n");
        put_lines(p, "<li>", sentences, "</li>\n");
        page_put(p, "</ul>\n");
        put_verdict(p, proof);
    }
    free(clauses);
    free(sentences);
    nlm_proof_free(proof);
    nlm_program_free(program);
    return status;
}

/* ---- derivations ---- */

static bool is_error(char kind)
{
    return kind == CELL_MISSED || kind == CELL_INVENTED;
}

nlm_status derivations_choose(confusion *of, nlm_error *error)
{
    size_t errors = 0, all = 0;
    if (!of->program)
        return NLM_OK;
    of->explained = storage_new(of->count + 1, sizeof *of->explained);
    if (!of->explained)
        return report_no_memory(error);
    for (int round = 0; round < 2; round++)
        for (size_t i = 0; i < of->count && all < DERIVATIONS_MOST; i++) {
            const bool wrong = is_error(of->kind[i]);
            const bool wanted = round == 0 ? wrong && errors < ERRORS_MOST
                                           : of->kind[i] != CELL_NONE && of->probability[i] > 0.5f;
            if (!wanted || of->explained[i])
                continue;
            of->explained[i] = true;
            errors += wrong;
            all++;
        }
    return NLM_OK;
}

const char *derivation_anchor(const confusion *of, char text[DERIVATION_ANCHOR])
{
    snprintf(text, DERIVATION_ANCHOR, "why-%d-%d-", of->figure, of->target + 1);
    return text;
}

/* The tree of a tuple, to be freed. */
static nlm_status tree_of(nlm_why *why, const confusion *of, size_t number, char **text, nlm_error *error)
{
    int tuple[NLM_MAX_FACT_ARITY] = {0};
    size_t size;
    *text = NULL;
    FILE *stream = open_memstream(text, &size);
    if (!stream)
        return report_no_memory(error);
    nlm_tuple_at(of->objects, of->arity, number, tuple);
    nlm_status status = nlm_why_write(why, of->target, tuple, false, stream, NULL, error);
    if (fclose(stream) && !status)
        status = report_no_memory(error);
    if (!status && strlen(*text) > TREE_MOST)
        strcpy(*text + TREE_MOST - sizeof "...\n", "...\n");
    return status;
}

/* The anchor is within what is folded up, so that browsers unfold what a link leads to. */
static void put_tree(page *p, const confusion *of, size_t number, char *text)
{
    char said[CONCLUSION_SIZE], anchor[DERIVATION_ANCHOR];
    conclusion_text(of, number, said);
    page_wrap(p, "<details><summary>", said, "</summary>\n");
    page_print(p, "<pre id=\"%s%zu\">", derivation_anchor(of, anchor), number);
    put_lines(p, "", text, "\n");
    page_put(p, "</pre></details>\n");
}

/* Up to the first that takes too many steps, or that the page has no room for. */
static nlm_status put_trees(page *p, nlm_why *why, const confusion *of, int *count, nlm_error *error)
{
    nlm_status status = NLM_OK;
    for (int round = 0; round < 2; round++)
        for (size_t i = 0; i < of->count && !status && p->length < BYTES_MOST; i++) {
            char *text = NULL;
            if (!of->explained[i] || is_error(of->kind[i]) != (round == 0))
                continue;
            status = tree_of(why, of, i, &text, error);
            if (!status)
                put_tree(p, of, i, text);
            *count += !status;
            free(text);
        }
    return status == NLM_BAD_ARGUMENT ? NLM_OK : status;
}

nlm_status derivations_put(page *p, const confusion *of, nlm_error *error)
{
    nlm_why *why = NULL;
    page trees = {0};
    int count = 0;
    if (!of->program)
        return NLM_OK;
    nlm_status status = nlm_why_new(of->program, of->signature, of->world, &why, error);
    if (!status)
        status = put_trees(&trees, why, of, &count, error);
    if (!status && count > 0) {
        page_print(p,
                   "<details class=\"derivations\"><summary>How %d of these conclusion%s follow%s from the "
                   "rules, or what is missing</summary>\n",
                   count, count == 1 ? "" : "s", count == 1 ? "s" : "");
        page_append(p, &trees);
        page_put(p, "</details>\n");
    }
    page_release(&trees);
    nlm_why_free(why);
    return status;
}
