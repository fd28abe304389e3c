/* Reading problems: (define (problem NAME) (:domain NAME) (:objects ...) (:init ...) (:goal ...)), and where
 * their domain is. */
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include "base/error.h"
#include "base/file.h"
#include "nlm/pddl.h"
#include "pddl/known_domains.h"
#include "pddl/strips.h"
#include "syntax/reading_message.h"

#define PDDL_MOST_BYTES ((size_t)16 << 20)

/* Domains of blocks are known by names that begin like this, if no file has them. */
#define KNOWN_NAME "blocks"

/* ---- sections ---- */

/* Facts are ground and positive; (= ...) sets a number. */
static nlm_status read_init(struct nlm_pddl *of, int from, nlm_error *error)
{
    const struct pddl_tree *tree = &of->problem_text;
    for (int node = from; node != PDDL_NONE; node = pddl_node_at(tree, node)->next) {
        if (!pddl_node_at(tree, node)->word && !strcmp(pddl_head(tree, node), "="))
            return pddl_refuse(tree, node, error, "(= ...) sets a number, which is not supported");
        struct strips_literal literal;
        nlm_status status = strips_read_literal(of, tree, node, NULL, &literal, error);
        if (!status && literal.negative)
            status = pddl_refuse(tree, node, error, "(not ...) among the facts: what is not listed is false");
        struct strips_literal *added = status ? NULL : strips_add(&of->facts, sizeof literal);
        if (!status && !added)
            status = error_no_memory(error);
        if (status)
            return status;
        *added = literal;
    }
    return NLM_OK;
}

static nlm_status read_goal(struct nlm_pddl *of, int section, int from, nlm_error *error)
{
    const struct pddl_tree *tree = &of->problem_text;
    if (from == PDDL_NONE || pddl_node_at(tree, from)->next != PDDL_NONE)
        return pddl_refuse(tree, section, error, "(:goal CONDITION) with one condition is expected");
    return strips_read_condition(of, tree, from, NULL, &of->goal, error);
}

/* The section of that name, PDDL_NONE if there is none; refused if there are two. */
static nlm_status find_section(const struct pddl_tree *tree, int define, const char *name, int *section,
                               nlm_error *error)
{
    *section = PDDL_NONE;
    for (int node = pddl_node_at(tree, define)->first; node != PDDL_NONE;
         node = pddl_node_at(tree, node)->next)
        if (!pddl_node_at(tree, node)->word && !strcmp(pddl_head(tree, node), name)) {
            if (*section != PDDL_NONE)
                return pddl_refuse(tree, node, error, "%s is there twice", name);
            *section = node;
        }
    return NLM_OK;
}

/* What follows the keyword of a section that must be there. */
static nlm_status need_section(const struct pddl_tree *tree, int define, const char *name, int *section,
                               int *from, nlm_error *error)
{
    nlm_status status = find_section(tree, define, name, section, error);
    if (!status && *section == PDDL_NONE)
        status = pddl_refuse(tree, define, error, "the problem has no section (%s ...)", name);
    *from = status ? PDDL_NONE : pddl_node_at(tree, pddl_node_at(tree, *section)->first)->next;
    return status;
}

static nlm_status check_sections(const struct pddl_tree *tree, int define, nlm_error *error)
{
    static const char *const known[] = {":domain", ":requirements", ":objects", ":init", ":goal", NULL};
    const int head = pddl_node_at(tree, pddl_node_at(tree, define)->first)->next;
    for (int node = pddl_node_at(tree, head)->next; node != PDDL_NONE;
         node = pddl_node_at(tree, node)->next) {
        int k = 0;
        if (pddl_node_at(tree, node)->word)
            return pddl_refuse(tree, node, error, "a section, such as (:init ...), is expected");
        while (known[k] && strcmp(known[k], pddl_head(tree, node)) != 0)
            k++;
        if (!known[k])
            return pddl_refuse(tree, node, error,
                               "the section %s is not supported: a problem has :domain, :objects, :init and "
                               ":goal",
                               pddl_head(tree, node));
    }
    return NLM_OK;
}

/* The name after (:domain. */
static nlm_status read_domain_name(const struct pddl_tree *tree, const char **name, nlm_error *error)
{
    int define, section, from;
    const char *problem;
    nlm_status status = strips_find_define(tree, "problem", &define, &problem, error);
    if (!status)
        status = check_sections(tree, define, error);
    if (!status)
        status = need_section(tree, define, ":domain", &section, &from, error);
    if (!status && (!pddl_is_name(tree, from) || pddl_node_at(tree, from)->next != PDDL_NONE))
        status = pddl_refuse(tree, section, error, "(:domain NAME) with one name is expected");
    if (!status)
        *name = pddl_node_at(tree, from)->word;
    return status;
}

nlm_status strips_read_problem(struct nlm_pddl *of, nlm_error *error)
{
    const struct pddl_tree *tree = &of->problem_text;
    const char *domain;
    int define, section, from;
    nlm_status status = read_domain_name(tree, &domain, error);
    if (status)
        return status;
    define = pddl_node_at(tree, 0)->first;
    if (strcmp(domain, of->domain) != 0) {
        status = need_section(tree, define, ":domain", &section, &from, error);
        return status ? status
                      : pddl_refuse(tree, section, error, "a problem of domain %s, but %s has the domain %s",
                                    domain, of->domain_text.file, of->domain);
    }
    status = find_section(tree, define, ":objects", &section, error);
    if (!status && section != PDDL_NONE)
        status = strips_read_objects(of, tree, pddl_node_at(tree, pddl_node_at(tree, section)->first)->next,
                                     error);
    if (!status)
        status = need_section(tree, define, ":init", &section, &from, error);
    if (!status)
        status = read_init(of, from, error);
    if (!status)
        status = need_section(tree, define, ":goal", &section, &from, error);
    return status ? status : read_goal(of, section, from, error);
}

/* ---- known domains ---- */

static void release_domain(struct nlm_pddl *of)
{
    struct strips_list *lists[] = {&of->types,      &of->objects, &of->predicates, &of->actions,
                                   &of->conditions, &of->effects, &of->goal,       &of->facts};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        buffer_free(&lists[i]->items);
        lists[i]->count = 0;
    }
    pddl_tree_release(&of->domain_text);
}

/* The problem as one of a known domain, which takes the name that the problem says. */
static nlm_status read_as_known(struct nlm_pddl *of, const struct known_domain *known, const char *name,
                                nlm_error *error)
{
    nlm_status status =
        pddl_tree_read(&of->domain_text, known->text, strlen(known->text), known->name, error);
    if (!status)
        status = strips_read_domain(of, error);
    of->domain = name;
    if (!status)
        status = strips_read_problem(of, error);
    if (status)
        release_domain(of);
    return status;
}

/* The first of the known domains that the problem can be one of; if it cannot, what the first says. */
static nlm_status use_known_domain(struct nlm_pddl *of, nlm_error *error)
{
    const char *name = NULL;
    nlm_error first = {0}, other;
    nlm_status status = read_domain_name(&of->problem_text, &name, error);
    if (status)
        return status;
    if (strncmp(name, KNOWN_NAME, strlen(KNOWN_NAME)) != 0)
        return message_refuse(
            error, of->problem_text.file, 0,
            "the domain %s of the problem is not known; name its file with --domain, or put it "
            "beside the problem as domain.pddl",
            name);
    for (int i = 0; known_domains[i].text; i++) {
        status = read_as_known(of, &known_domains[i], name, i == 0 ? &first : &other);
        if (status != NLM_BAD_FILE)
            return status ? error_no_memory(error) : NLM_OK;
    }
    if (error)
        *error = first;
    return NLM_BAD_FILE;
}

/* ---- life ---- */

void nlm_pddl_free(nlm_pddl *pddl)
{
    if (!pddl)
        return;
    release_domain(pddl);
    pddl_tree_release(&pddl->problem_text);
    memory_free(pddl);
}

static nlm_status read_with_domain(struct nlm_pddl *of, const nlm_pddl_text *domain, nlm_error *error)
{
    nlm_status status = pddl_tree_read(&of->domain_text, domain->text, domain->length, domain->name, error);
    if (!status)
        status = strips_read_domain(of, error);
    return status ? status : strips_read_problem(of, error);
}

nlm_status nlm_pddl_read(const nlm_pddl_text *problem, const nlm_pddl_text *domain, nlm_pddl **pddl,
                         nlm_error *error)
{
    REQUIRE(pddl, error);
    *pddl = NULL;
    REQUIRE(problem && problem->text && problem->name, error);
    REQUIRE(!domain || (domain->text && domain->name), error);
    nlm_pddl *made = memory_new(1, sizeof *made);
    if (!made)
        return error_no_memory(error);
    nlm_status status =
        pddl_tree_read(&made->problem_text, problem->text, problem->length, problem->name, error);
    if (!status && !domain)
        status = use_known_domain(made, error);
    else if (!status)
        status = read_with_domain(made, domain, error);
    if (status)
        nlm_pddl_free(made);
    else
        *pddl = made;
    return status;
}

/* "FOLDER/domain.pddl" of the problem's folder, to be freed; NULL without memory. */
static char *domain_beside(const char *problem)
{
    static const char own[] = "domain.pddl";
    const char *slash = strrchr(problem, '/');
    const size_t folder = slash ? (size_t)(slash + 1 - problem) : 0;
    char *path = memory_new(folder + sizeof own, 1);
    if (path)
        snprintf(path, folder + sizeof own, "%.*s%s", (int)folder, problem, own);
    return path;
}

nlm_status nlm_pddl_read_file(const char *problem, const char *domain, nlm_pddl **pddl, nlm_error *error)
{
    REQUIRE(pddl, error);
    *pddl = NULL;
    REQUIRE(problem, error);
    struct stat about;
    buffer texts[2] = {{0}, {0}};
    char *beside = domain ? NULL : domain_beside(problem);
    if (!domain && !beside)
        return error_no_memory(error);
    const char *found = domain ? domain : stat(beside, &about) == 0 ? beside : NULL;
    nlm_pddl_text asked = {.name = problem}, own = {.name = found};
    nlm_status status = file_read_input(problem, PDDL_MOST_BYTES, &texts[0], &asked.length, error);
    if (!status && found)
        status = file_read_input(found, PDDL_MOST_BYTES, &texts[1], &own.length, error);
    asked.text = texts[0].data;
    own.text = texts[1].data;
    if (!status)
        status = nlm_pddl_read(&asked, found ? &own : NULL, pddl, error);
    buffer_free(&texts[0]);
    buffer_free(&texts[1]);
    memory_free(beside);
    return status;
}

bool nlm_pddl_is_problem(const char *path)
{
    buffer text = {0};
    size_t length;
    struct pddl_tree tree = {0};
    const char *name;
    int define;
    bool is = false;
    if (!file_read_all(path, PDDL_MOST_BYTES, &text, &length, NULL) &&
        !pddl_tree_read(&tree, text.data, length, path, NULL)) {
        is = strips_find_define(&tree, "domain", &define, &name, NULL) != NLM_OK;
        pddl_tree_release(&tree);
    } else {
        is = true; /* whoever reads it says what is wrong */
    }
    buffer_free(&text);
    return is;
}
