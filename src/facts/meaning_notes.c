/* What a person is told about predicates: which do not count and why, which are missing, what a name that is
 * not there may have meant. */
#include "facts/problem.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include "base/error.h"
#include "base/nearest.h"

enum { PREDICATE_SIZE = 140, LISTED = 5, MOST_LETTERS = 60 };

typedef struct shown {
    char text[PREDICATE_SIZE];
} shown;

/* father/2, or 'Bart S.'/1 */
static shown show_name(const char *name, int arity)
{
    shown result;
    message_name cut = message_cut_text(name);
    nlm_predicate predicate = {.name = cut.text, .arity = arity, .objects = arity};
    nlm_predicate_text(&predicate, result.text, sizeof result.text);
    return result;
}

static shown show(const draft *in, int predicate)
{
    const name_entry *entry = names_at(&in->predicates, predicate);
    return show_name(entry->text, entry->arity);
}

/* A list of predicates, the first LISTED of them. */
typedef struct listing {
    int count;
    char text[(LISTED + 1) * (PREDICATE_SIZE + 2)];
} listing;

static void list_add(listing *to, shown predicate)
{
    size_t used = strlen(to->text);
    if (to->count <= LISTED)
        snprintf(to->text + used, sizeof to->text - used, "%s%s", to->count ? ", " : "",
                 to->count < LISTED ? predicate.text : "...");
    to->count++;
}

/* ---- targets by name ---- */

/* Long names are as far as can be from all others. */
static size_t distance(const char *a, const char *b)
{
    size_t lengths[2] = {strlen(a), strlen(b)};
    if (lengths[0] > MOST_LETTERS || lengths[1] > MOST_LETTERS)
        return MOST_LETTERS;
    return (size_t)nearest_distance(a, (int)lengths[0], b, (int)lengths[1]);
}

/* The predicates whose names are at most so far from `name`. */
static listing list_near(const draft *in, const char *name, size_t most)
{
    listing near = {0};
    for (int p = 0; p < in->predicates.count; p++)
        if (!meaning_declares(in, p) && distance(names_at(&in->predicates, p)->text, name) <= most)
            list_add(&near, show(in, p));
    return near;
}

/* Refuse a target that is asked for as `text`. */
static nlm_status refuse_unknown(const draft *in, const char *text, const char *name, const char *path,
                                 nlm_error *error)
{
    enum { SHORT = 3 };
    listing near = list_near(in, name, strlen(name) > SHORT ? 2 : 1), all = list_near(in, name, MOST_LETTERS);
    const listing *listed = near.count ? &near : &all;
    message_name asked = message_cut_text(text);
    if (names_find(&in->tables, name, strlen(name), 0) >= 0 && !strchr(text, '/'))
        return message_argument(error,
                                "%.150s: the table of %s has no rows, which leaves its arity open: name it "
                                "with its arity, such as %s/2",
                                path, asked.text, asked.text);
    if (all.count == 0)
        return message_argument(error, "%.150s has no predicate %s, nor any other", path, asked.text);
    return message_argument(error, "%.150s has no predicate %s%s %s%s", path, asked.text,
                            near.count ? "; did you mean" : "; it has", listed->text, near.count ? "?" : "");
}

/* A target as it is asked for: the length of its name, and its arity, -1 if that is open and -2 if there is
 * no such arity. */
typedef struct asked {
    size_t length;
    int arity;
} asked;

static asked read_asked(const char *text)
{
    const char *slash = strrchr(text, '/');
    if (!slash)
        return (asked){strlen(text), -1};
    bool has_arity = slash[1] >= '0' && slash[1] <= '0' + NLM_MAX_FACT_ARITY && !slash[2];
    return (asked){(size_t)(slash - text), has_arity ? slash[1] - '0' : -2};
}

nlm_status meaning_use_table(draft *in, const char *text, nlm_error *error)
{
    asked target = text ? read_asked(text) : (asked){0, -1};
    if (target.arity <= 0 || names_find(&in->tables, text, target.length, 0) < 0)
        return NLM_OK;
    for (int arity = 0; arity <= NLM_MAX_FACT_ARITY; arity++)
        if (names_find(&in->predicates, text, target.length, arity) >= 0)
            return NLM_OK;
    return draft_number(in, text, target.length, target.arity) < 0 ? error_no_memory(error) : NLM_OK;
}

nlm_status meaning_target(const draft *in, const char *text, const char *path, int *predicate,
                          nlm_error *error)
{
    if (!text)
        return error_set(error, NLM_BAD_ARGUMENT, "a target without a name (NULL)");
    asked target = read_asked(text);
    int found[NLM_MAX_FACT_ARITY + 1], count = 0;
    for (int arity = 0; arity <= NLM_MAX_FACT_ARITY; arity++) {
        int number = names_find(&in->predicates, text, target.length, arity);
        if (number >= 0 && (target.arity == -1 || target.arity == arity))
            found[count++] = number;
    }
    char name[MOST_LETTERS + 1];
    snprintf(name, sizeof name, "%.*s", (int)(target.length < MOST_LETTERS ? target.length : MOST_LETTERS),
             text);
    if (count == 0)
        return refuse_unknown(in, text, name, path, error);
    if (count > 1)
        return message_argument(error, "%s can be %s or %s in %.200s: say which", name,
                                show(in, found[0]).text, show(in, found[1]).text, path);
    *predicate = found[0];
    return NLM_OK;
}

/* ---- what does not count ---- */

struct telling {
    const meaning *found;
    draft *draft;
    const char *path;
    nlm_error *error;
};

static nlm_status note_ignored(struct telling *in, int predicate, draft_kind kind, size_t count,
                               const char *why, const char *what)
{
    const char *file = draft_at(in->draft, predicate)->first_file[kind];
    return notes_add(&in->draft->notes, in->error, "%s %s: %zu %s%s ignored, the first in %.200s",
                     show(in->draft, predicate).text, why, count, what, count == 1 ? " is" : "s are", file);
}

static nlm_status note_facts(struct telling *in, int predicate)
{
    const meaning_role *role = meaning_at(in->found, predicate);
    const draft_predicate *about = draft_at(in->draft, predicate);
    size_t facts = about->count[DRAFT_FACT], examples = about->count[DRAFT_TRUE] + about->count[DRAFT_FALSE];
    nlm_status status = NLM_OK;
    if (facts > 0 && meaning_side(role, DRAFT_FACT) < 0 && !role->declares && role->attribute < 0)
        status = note_ignored(in, predicate, DRAFT_FACT, facts,
                              role->is_target       ? "is to be concluded, and exs.pl has the examples"
                              : in->found->is_model ? "is not read by the model"
                                                    : "is no body_pred of bias.pl",
                              "fact");
    if (examples > 0 && !role->is_target && !status)
        status = note_ignored(in, predicate, about->count[DRAFT_TRUE] ? DRAFT_TRUE : DRAFT_FALSE, examples,
                              "is not to be concluded", "example");
    return status;
}

/* Facts that repeat an object where the model knows no such facts. */
static nlm_status note_patterns(struct telling *in, int predicate)
{
    const meaning_role *role = meaning_at(in->found, predicate);
    const name_entry *entry = names_at(&in->draft->predicates, predicate);
    nlm_status status = NLM_OK;
    for (int side = 0; side < SIGNATURE_SIDES; side++)
        for (int code = 0; code < PATTERN_CODES && !status; code++) {
            if (!(role->seen[side] & 1u << code) || role->number[side][code] >= 0)
                continue;
            char text[PREDICATE_SIZE];
            message_name name = message_cut(entry->text, entry->length);
            nlm_predicate pattern = {.name = name.text, .arity = entry->arity};
            pattern.objects = pattern_places(code, entry->arity, pattern.place);
            nlm_predicate_text(&pattern, text, sizeof text);
            status = notes_add(&in->draft->notes, in->error,
                               "the model does not know %s: its facts in %.200s are ignored", text, in->path);
        }
    return status;
}

/* Objects under a type of their own, because the predicate has none. */
static nlm_status note_untyped(struct telling *in, int predicate)
{
    const meaning_role *role = meaning_at(in->found, predicate);
    bool counts = in->found->signature->typed && (role->is_input || role->is_target || role->attribute >= 0);
    if (!counts || names_at(&in->draft->predicates, predicate)->arity == role->numbers || role->type[0] != 0)
        return NLM_OK;
    return notes_add(&in->draft->notes, in->error,
                     "%s has no types: its objects are not those of the same name that have a type",
                     show(in->draft, predicate).text);
}

/* An object that is declared under a type that nothing has, if there is one. */
static nlm_status note_unknown_type(struct telling *in, int predicate)
{
    for (int w = 0; w < in->draft->world_count; w++) {
        draft_statement statement;
        for (size_t at = 0; draft_next(in->draft, draft_world_at(in->draft, w), &at, &statement);) {
            if (statement.predicate != predicate)
                continue;
            const name_entry *type = names_at(&in->draft->atoms, statement.atoms[1]);
            const name_entry *object = names_at(&in->draft->atoms, statement.atoms[0]);
            if (names_find(&in->draft->types, type->text, type->length, 0) < 0)
                return notes_add(
                    &in->draft->notes, in->error,
                    "object(%s, %s) is ignored, and others of this kind: no predicate has the type",
                    message_cut(object->text, object->length).text,
                    message_cut(type->text, type->length).text);
        }
    }
    return NLM_OK;
}

static nlm_status note_declarations(struct telling *in, int predicate)
{
    const meaning_role *role = meaning_at(in->found, predicate);
    bool typed = in->found->signature->typed;
    int arity = names_at(&in->draft->predicates, predicate)->arity;
    if (!role->declares || draft_at(in->draft, predicate)->count[DRAFT_FACT] == 0)
        return NLM_OK;
    if (typed && arity == 2)
        return note_unknown_type(in, predicate);
    if (!typed && arity == 1)
        return NLM_OK;
    return notes_add(&in->draft->notes, in->error, "%s",
                     typed ? "object/1 declares objects without a type, while predicates have types: write "
                             "object(name, type)"
                           : "the types that object/2 declares are ignored: no predicate has types");
}

/* ---- what is missing ---- */

static bool has_name(const struct telling *in, const char *name)
{
    for (int arity = 0; arity <= NLM_MAX_FACT_ARITY; arity++)
        if (names_find(&in->draft->predicates, name, strlen(name), arity) >= 0)
            return true;
    const nlm_signature *signature = in->found->signature;
    for (int side = 0; side < SIGNATURE_SIDES; side++)
        for (int i = 0; i < signature->count[side]; i++)
            if (!strcmp(signature_at(signature, side, i)->name, name))
                return true;
    for (int a = 0; a < signature->attribute_count; a++)
        if (!strcmp(signature_attribute_at(signature, a)->name, name))
            return true;
    return false;
}

static nlm_status note_empty_tables(struct telling *in)
{
    nlm_status status = NLM_OK;
    for (int t = 0; t < in->draft->tables.count && !status; t++) {
        const char *name = names_at(&in->draft->tables, t)->text;
        if (!has_name(in, name))
            status = notes_add(&in->draft->notes, in->error,
                               "the table of %s has no rows, which leaves its arity open, and is ignored",
                               message_cut_text(name).text);
    }
    return status;
}

/* Small letters alone, without what separates words. */
static void fold(const char *name, char folded[MOST_LETTERS + 1])
{
    size_t length = 0;
    for (; *name && length < MOST_LETTERS; name++)
        if (!strchr("_- ", *name))
            folded[length++] = (char)tolower((unsigned char)*name);
    folded[length] = '\0';
}

/* Whether facts of a predicate that does not count may be meant as those of an input: the name is the same
 * but for capitals and separators, or but for a letter if it is not short. */
static bool is_meant(const meaning *found, const draft *in, int predicate, const nlm_predicate *input)
{
    enum { SHORT = 4 };
    const name_entry *entry = names_at(&in->predicates, predicate);
    const meaning_role *role = meaning_at(found, predicate);
    if (draft_at(in, predicate)->count[DRAFT_FACT] == 0 || role->is_input || role->is_target ||
        role->attribute >= 0)
        return false;
    char names[2][MOST_LETTERS + 1];
    fold(entry->text, names[0]);
    fold(input->name, names[1]);
    size_t most = entry->arity == input->arity && strlen(names[1]) > SHORT;
    return distance(names[0], names[1]) <= most;
}

/* Whether an input is written in files under its own name: no type, no pattern. */
static bool is_plain(const nlm_predicate *input)
{
    return !signature_is_derived(input) && input->objects == input->arity;
}

static listing list_side(const nlm_signature *signature, int side)
{
    listing list = {0};
    for (int i = 0; i < signature->count[side]; i++) {
        const nlm_predicate *predicate = signature_at(signature, side, i);
        if (is_plain(predicate))
            list_add(&list, show_name(predicate->name, predicate->arity));
    }
    return list;
}

static bool has_facts(const draft *in, const nlm_predicate *input)
{
    int number = names_find(&in->predicates, input->name, strlen(input->name), input->arity);
    return number >= 0 && draft_at(in, number)->count[DRAFT_FACT] > 0;
}

static nlm_status note_missing(struct telling *in)
{
    const nlm_signature *signature = in->found->signature;
    nlm_status status = NLM_OK;
    for (int i = 0; i < signature->count[SIGNATURE_INPUTS] && !status; i++) {
        const nlm_predicate *input = signature_at(signature, SIGNATURE_INPUTS, i);
        if (!is_plain(input) || has_facts(in->draft, input) ||
            names_find(&in->draft->tables, input->name, strlen(input->name), 0) >= 0)
            continue;
        int p = 0;
        while (p < in->draft->predicates.count && !is_meant(in->found, in->draft, p, input))
            p++;
        bool meant = p < in->draft->predicates.count;
        status = notes_add(&in->draft->notes, in->error, "%s is not in %.200s: taken as empty%s%s%s",
                           show_name(input->name, input->arity).text, in->path, meant ? "; is " : "",
                           meant ? show(in->draft, p).text : "", meant ? " meant?" : "");
    }
    for (int a = 0; a < signature->attribute_count && !status; a++) {
        const nlm_attribute *attribute = signature_attribute_at(signature, a);
        const int p =
            names_find(&in->draft->predicates, attribute->name, strlen(attribute->name), attribute->arity);
        if (attribute->place == attribute->objects &&
            (p < 0 || draft_at(in->draft, p)->count[DRAFT_FACT] == 0))
            status = notes_add(&in->draft->notes, in->error, "%s is not in %.200s: its numbers are not known",
                               show_name(attribute->name, attribute->arity).text, in->path);
    }
    return status;
}

/* Whether it may be meant as any input. */
static bool is_meant_for_any(const meaning *found, const draft *in, int predicate)
{
    for (int i = 0; i < found->signature->count[SIGNATURE_INPUTS]; i++)
        if (is_meant(found, in, predicate, signature_at(found->signature, SIGNATURE_INPUTS, i)))
            return true;
    return false;
}

/* Facts, but none of what a model reads; those that may be meant come first. */
static nlm_status refuse_others(const meaning *found, const draft *in, const char *path, nlm_error *error)
{
    listing read = list_side(found->signature, SIGNATURE_INPUTS), there = {0};
    int meant = 0;
    for (int round = 0; round < 2; round++) {
        for (int p = 0; p < in->predicates.count; p++)
            if (draft_at(in, p)->count[DRAFT_FACT] > 0 && is_meant_for_any(found, in, p) == (round == 0))
                list_add(&there, show(in, p));
        meant = round == 0 ? there.count : meant;
    }
    return message_refuse(error, path, 0,
                          "no fact counts: the model reads %s, and none of these is there%s%s%s", read.text,
                          there.count ? ", but " : "", there.text,
                          meant ? ": names and numbers of arguments must be the same" : "");
}

nlm_status meaning_refuse_empty(const meaning *found, const draft *in, const char *world, const char *path,
                                nlm_error *error)
{
    bool any = false;
    for (int i = 0; i < found->signature->count[SIGNATURE_INPUTS]; i++)
        any |= has_facts(in, signature_at(found->signature, SIGNATURE_INPUTS, i));
    for (int p = 0; p < in->predicates.count; p++)
        any |= meaning_at(found, p)->attribute >= 0 && draft_at(in, p)->count[DRAFT_FACT] > 0;
    if (found->is_model && !any)
        return refuse_others(found, in, path, error);
    return message_refuse(error, path, 0,
                          "%s%s no objects: no fact counts; objects without facts are declared by "
                          "object(name)",
                          message_cut_text(world).text, *world ? " has" : "there are");
}

/* A world without labels where others have some: true tuples would be taken to be false.  A model may be
 * asked about it all the same. */
static nlm_status check_labels(struct telling *in)
{
    int count = 0;
    message_name first = {""}, file = {"exs.pl"}; /* or NAME.csv, which others have */
    for (int w = 0; w < in->draft->world_count; w++) {
        const draft_world *world = draft_world_at(in->draft, w);
        unsigned missing = meaning_missing(in->found, in->draft, world);
        if (!missing || count++ > 0)
            continue;
        int target = __builtin_ctz(missing);
        first = message_cut_text(world->name);
        if (in->found->by_table >> target & 1)
            snprintf(file.text, sizeof file.text, "%.60s.csv",
                     signature_at(in->found->signature, SIGNATURE_TARGETS, target)->name);
    }
    if (count == 0)
        return NLM_OK;
    char others[32] = "";
    if (count > 1)
        snprintf(others, sizeof others, " and %d other world%s", count - 1, count == 2 ? "" : "s");
    const char *has = count == 1 ? "has" : "have";
    if (in->found->is_model)
        return notes_add(&in->draft->notes, in->error, "%.200s: %s%s %s no %s: no labels there", in->path,
                         first.text, others, has, file.text);
    return message_refuse(in->error, in->path, 0,
                          "%s%s %s no %s, where the other worlds have their labels: add it, empty if nothing "
                          "is true there",
                          first.text, others, has, file.text);
}

nlm_status meaning_notes(const meaning *found, draft *in, const char *path, nlm_error *error)
{
    static nlm_status (*const note[])(struct telling *, int) = {note_facts, note_patterns, note_untyped,
                                                                note_declarations};
    struct telling telling = {found, in, path, error};
    nlm_status status = NLM_OK;
    for (int p = 0; p < in->predicates.count; p++)
        for (size_t i = 0; i < sizeof note / sizeof *note && !status; i++)
            status = note[i](&telling, p);
    if (!status)
        status = note_empty_tables(&telling);
    if (!status)
        status = check_labels(&telling);
    return status || !found->is_model ? status : note_missing(&telling);
}

/* ---- learning ---- */

nlm_status problem_check_learnable(const nlm_problem *problem, nlm_error *error)
{
    const nlm_signature *signature = problem->signature;
    listing targets = list_side(signature, SIGNATURE_TARGETS);
    if (signature->count[SIGNATURE_TARGETS] == 0)
        return message_argument(error,
                                "nothing is to be learned: name it with --target NAME, in bias.pl "
                                "(head_pred), or by examples in exs.pl; there are facts of %s",
                                list_side(signature, SIGNATURE_INPUTS).text);
    if (!nlm_problem_labelled(problem))
        return message_argument(
            error, "nothing can be learned: there are no labels of %s, neither examples in exs.pl nor facts",
            targets.text);
    if (signature->count[SIGNATURE_INPUTS] == 0)
        return message_argument(
            error, "nothing can be learned: there are no facts but those of what is to be concluded, %s",
            targets.text);
    return NLM_OK;
}
