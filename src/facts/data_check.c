/* A look at data: how many facts and labels there are, what looks wrong, and what a form of files could not
 * represent.
 *
 * A warning is a guess, and nothing is changed because of it.  Each is one line, told to a listener in a
 * fixed order: labels, inputs without facts, names of predicates, names of objects, objects without facts,
 * contradictions.  Losses are found by reading what was written, not foreseen. */
#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include "base/error.h"
#include "nlm/tools.h"
#include "base/memory.h"
#include "facts/problem.h"
#include "world/world.h"

enum {
    NAMED_MOST = 5,       /* examples in a line */
    COMPARED_MOST = 5000, /* objects whose names are compared with each other */
    SLIPS_MOST = 3,       /* pairs of names that may be slips, in a small world */
    LETTERS_LEAST = 5,    /* of names that differ in one letter by mistake */
    TEXT_SIZE = 200,      /* of a fact or predicate; longer ones are cut */
    LINE_SIZE = 1024,
};

/* ---- counts ---- */

/* How many objects of the world have a type; all, if it is "". */
static double objects_of_type(const nlm_signature *signature, const nlm_world *world, const char *type)
{
    char own[TEXT_SIZE];
    int count = 0;
    for (int o = 0; o < nlm_world_objects(world) && *type != '\0'; o++) {
        nlm_signature_type(signature, world, o, own, sizeof own);
        count += strcmp(own, type) == 0;
    }
    return *type != '\0' ? count : nlm_world_objects(world);
}

/* How many tuples have the types of a predicate: an object with a type has one; those of any type come last.
 * Of worlds of one file, the object that tells them apart can be one only. */
static double tuples_that_fit(const nlm_signature *signature, const nlm_predicate *predicate,
                              const nlm_world *world)
{
    const bool named = world_named(world) >= 0;
    double count = 1;
    for (int pass = 0; pass < 2; pass++) {
        for (int k = 0; k < predicate->objects; k++) {
            const char *type = signature_object_type(predicate, k);
            if ((*type == '\0') != (pass == 1) || (named && signature_tells_world(predicate, k)))
                continue;
            int taken = 0; /* by the objects before, of this type or, if it is any, of all */
            for (int other = 0; other < predicate->objects; other++) {
                const char *before = signature_object_type(predicate, other);
                const bool earlier = other < k || (pass == 1 && *before != '\0') ||
                                     (named && signature_tells_world(predicate, other));
                taken += earlier && (pass == 1 || strcmp(before, type) == 0);
            }
            count *= fmax(objects_of_type(signature, world, type) - taken, 0);
        }
    }
    return count;
}

/* Tuples that do not have the target's types do not count. */
nlm_label_count nlm_problem_count_labels(const nlm_problem *problem, int target)
{
    nlm_label_count sum = {0};
    const nlm_predicate *predicate = nlm_signature_target(problem->signature, target);
    for (int w = 0; w < problem->world_count; w++) {
        const nlm_world *world = nlm_problem_world(problem, w);
        const signed char *labels;
        nlm_label by_default;
        const size_t listed = nlm_world_labels(world, target, NULL, &labels, &by_default);
        double count[2] = {0, 0}, unlabelled = 0;
        for (size_t l = 0; l < listed; l++)
            *(labels[l] == NLM_UNLABELLED ? &unlabelled : &count[labels[l]]) += 1;
        const double all = tuples_that_fit(problem->signature, predicate, world);
        if (by_default != NLM_UNLABELLED)
            count[by_default] += fmax(all - count[0] - count[1] - unlabelled, 0);
        sum.positive += count[NLM_TRUE];
        sum.negative += count[NLM_FALSE];
        sum.unlabelled += fmax(all - count[0] - count[1], 0);
    }
    return sum;
}

size_t nlm_problem_count_facts(const nlm_problem *problem, int input)
{
    size_t facts = 0;
    for (int w = 0; w < problem->world_count; w++)
        facts += nlm_world_facts(nlm_problem_world(problem, w), input, NULL, NULL);
    return facts;
}

nlm_content nlm_problem_content(const nlm_problem *problem, int world)
{
    nlm_content sum = {0};
    for (int w = world < 0 ? 0 : world; w < (world < 0 ? problem->world_count : world + 1); w++) {
        const nlm_world *one = nlm_problem_world(problem, w);
        sum.objects += (size_t)nlm_world_objects(one);
        for (int p = 0; p < nlm_signature_inputs(problem->signature); p++)
            if (!signature_is_derived(nlm_signature_input(problem->signature, p)))
                sum.facts += nlm_world_facts(one, p, NULL, NULL);
        for (int a = 0; a < problem->signature->attribute_count; a++)
            sum.facts += nlm_world_numbers(one, a, NULL, NULL);
        for (int t = 0; t < nlm_signature_targets(problem->signature); t++) {
            const signed char *labels;
            const size_t count = nlm_world_labels(one, t, NULL, &labels, NULL);
            for (size_t l = 0; l < count; l++)
                sum.labels += labels[l] == NLM_TRUE || (labels[l] == NLM_FALSE && !problem->closed);
        }
    }
    return sum;
}

/* ---- texts ---- */

void nlm_problem_object_text(const nlm_problem *problem, int world, int object, char *text, size_t size)
{
    snprintf(text, size, "%.80s",
             nlm_signature_atom(problem->signature, nlm_problem_world(problem, world), object));
    nlm_clean_text(text);
}

void nlm_problem_world_text(const nlm_problem *problem, const char *before, int world, char *text,
                            size_t size)
{
    const char *name = nlm_problem_world_name(problem, world);
    snprintf(text, size, "%s%.80s", *name != '\0' ? before : "", name);
    nlm_clean_text(text);
}

void nlm_problem_label_text(const nlm_problem *problem, int world, int target, const int *tuple, char *text,
                            size_t size)
{
    nlm_fact_text(problem->signature, nlm_signature_target(problem->signature, target),
                  nlm_problem_world(problem, world), tuple, text, size);
    const size_t used = strlen(text);
    nlm_problem_world_text(problem, " of ", world, text + used, size - used);
}

/* ---- warnings ---- */

struct warnings {
    const nlm_problem *problem;
    const nlm_signature *signature;
    nlm_text_listener listener;
    void *context;
    nlm_error *error;
    nlm_status status; /* the first failure; after it the listener is not called again */
    int count;
};

__attribute__((format(printf, 2, 3))) static void warn(struct warnings *of, const char *format, ...)
{
    char text[LINE_SIZE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    of->count++;
    if (!of->status)
        of->status = of->listener(of->context, text, of->error);
}

/* "a, b, c and 4 more" */
struct examples {
    int count;
    char text[LINE_SIZE - 200];
};

__attribute__((format(printf, 2, 3))) static void add_example(struct examples *to, const char *format, ...)
{
    if (to->count++ >= NAMED_MOST)
        return;
    const size_t used = strlen(to->text);
    va_list arguments;
    if (to->count > 1)
        snprintf(to->text + used, sizeof to->text - used, ", ");
    const size_t begin = strlen(to->text);
    va_start(arguments, format);
    vsnprintf(to->text + begin, sizeof to->text - begin, format, arguments);
    va_end(arguments);
}

static const char *finish_examples(struct examples *of)
{
    const size_t used = strlen(of->text);
    if (of->count > NAMED_MOST)
        snprintf(of->text + used, sizeof of->text - used, " and %d more", of->count - NAMED_MOST);
    return of->text;
}

/* ---- predicates ---- */

static void warn_of_labels(struct warnings *of)
{
    char name[TEXT_SIZE];
    if (nlm_signature_targets(of->signature) == 0)
        warn(of, "nothing is to be concluded: name it with --target, as in --target uncle/2");
    else if (!nlm_problem_labelled(of->problem))
        warn(of, "there are no labels: nothing can be learned or tested");
    if (!nlm_problem_labelled(of->problem))
        return;
    for (int t = 0; t < nlm_signature_targets(of->signature); t++) {
        const nlm_label_count count = nlm_problem_count_labels(of->problem, t);
        nlm_predicate_text(nlm_signature_target(of->signature, t), name, sizeof name);
        if (count.positive == 0 && count.negative == 0)
            warn(of, "%s has no labels", name);
        else if (count.positive == 0)
            warn(of, "%s is never true: 'always false' is all that can be learned", name);
        else if (count.negative == 0)
            warn(of, "%s is never false: 'always true' is all that can be learned", name);
    }
}

/* Whether there are facts of a predicate, be it that all of them repeat an object. */
static bool has_facts(const struct warnings *of, const nlm_predicate *predicate)
{
    bool any = false;
    for (int p = 0; p < nlm_signature_inputs(of->signature); p++) {
        const nlm_predicate *input = nlm_signature_input(of->signature, p);
        any |= nlm_problem_count_facts(of->problem, p) > 0 && input->arity == predicate->arity &&
               input->is_type == predicate->is_type && strcmp(input->name, predicate->name) == 0;
    }
    return any;
}

static void warn_of_empty_inputs(struct warnings *of)
{
    struct examples found = {0};
    char name[TEXT_SIZE];
    if (nlm_signature_inputs(of->signature) == 0)
        warn(of, "there are no facts to conclude anything from");
    for (int p = 0; p < nlm_signature_inputs(of->signature); p++) {
        const nlm_predicate *input = nlm_signature_input(of->signature, p);
        if (input->comparison.terms > 0 || has_facts(of, input))
            continue;
        nlm_predicate_text(input, name, sizeof name);
        add_example(&found, "%s", name);
    }
    if (found.count > 0)
        warn(of, "no facts of %s", finish_examples(&found));
}

/* Inputs, then targets; NULL after the last. */
static const nlm_predicate *predicate_at(const struct warnings *of, int index)
{
    const int inputs = nlm_signature_inputs(of->signature);
    return index < inputs ? nlm_signature_input(of->signature, index)
                          : nlm_signature_target(of->signature, index - inputs);
}

/* Each pair of predicates that differ and of which `is_suspect` is true, once. */
static void warn_of_pairs(struct warnings *of,
                          bool (*is_suspect)(const nlm_predicate *, const nlm_predicate *), const char *why)
{
    const nlm_predicate *one, *other;
    char names[2][TEXT_SIZE];
    for (int i = 0; (one = predicate_at(of, i)) != NULL; i++) {
        for (int j = 0; j < i; j++) {
            other = predicate_at(of, j);
            /* patterns go with their predicate */
            if (!signature_is_derived(one) && !signature_is_derived(other) && one->objects == one->arity &&
                other->objects == other->arity && is_suspect(other, one)) {
                nlm_predicate_text(other, names[0], TEXT_SIZE);
                nlm_predicate_text(one, names[1], TEXT_SIZE);
                warn(of, "%s and %s %s", names[0], names[1], why);
            }
        }
    }
}

static bool differ_in_arity(const nlm_predicate *one, const nlm_predicate *other)
{
    return one->arity != other->arity && strcmp(one->name, other->name) == 0;
}

/* ---- names that look alike ---- */

/* Equal but for case and separators. */
static bool equal_loosely(const char *a, const char *b)
{
    if (strcmp(a, b) == 0)
        return false;
    for (;; a++, b++) {
        a += strspn(a, "_- ");
        b += strspn(b, "_- ");
        if (tolower((unsigned char)*a) != tolower((unsigned char)*b))
            return false;
        if (*a == '\0')
            return true;
    }
}

static bool is_letter(char c)
{
    return isalpha((unsigned char)c) || (unsigned char)c >= 0x80;
}

/* A letter that stands alone, as in block_a, or that is none, as in block1, tells names apart on purpose. */
static bool is_mark(const char *name, size_t at)
{
    return !is_letter(name[at]) || ((at == 0 || !is_letter(name[at - 1])) && !is_letter(name[at + 1]));
}

/* One letter is another, or is missing. */
static bool differ_in_a_letter(const char *a, const char *b)
{
    const size_t a_length = strlen(a), b_length = strlen(b);
    if (a_length > b_length)
        return differ_in_a_letter(b, a);
    if (a_length < LETTERS_LEAST || b_length - a_length > 1)
        return false;
    size_t at = 0;
    while (at < a_length && a[at] == b[at])
        at++;
    if (at == b_length || strcmp(a + at + (a_length == b_length), b + at + 1) != 0)
        return false;
    return !is_mark(b, at) && (a_length < b_length || !is_mark(a, at));
}

static bool have_similar_names(const nlm_predicate *one, const nlm_predicate *other)
{
    return one->arity == other->arity &&
           (equal_loosely(one->name, other->name) || differ_in_a_letter(one->name, other->name));
}

/* Pairs of objects of one type that `is_suspect` says look alike: how many, and as examples unless NULL. */
static int find_pairs(const struct warnings *of, int w, bool (*is_suspect)(const char *, const char *),
                      struct examples *found)
{
    const nlm_world *world = nlm_problem_world(of->problem, w);
    char where[TEXT_SIZE], names[2][TEXT_SIZE], types[2][TEXT_SIZE];
    int pairs = 0;
    nlm_problem_world_text(of->problem, " of ", w, where, sizeof where);
    for (int i = 0; i < nlm_world_objects(world); i++) {
        const char *one = nlm_signature_atom(of->signature, world, i);
        for (int j = 0; j < i; j++) {
            const char *other = nlm_signature_atom(of->signature, world, j);
            if (!is_suspect(one, other))
                continue;
            nlm_signature_type(of->signature, world, i, types[0], TEXT_SIZE);
            nlm_signature_type(of->signature, world, j, types[1], TEXT_SIZE);
            if (strcmp(types[0], types[1]) != 0)
                continue;
            pairs++;
            if (!found)
                continue;
            nlm_problem_object_text(of->problem, w, j, names[0], TEXT_SIZE);
            nlm_problem_object_text(of->problem, w, i, names[1], TEXT_SIZE);
            add_example(found, "%s and %s%s", names[0], names[1], where);
        }
    }
    return pairs;
}

static void warn_of_similar_objects(struct warnings *of)
{
    struct examples found = {0}, skipped = {0};
    double pairs = 0; /* that may still be compared, in multiples of what is allowed */
    char name[TEXT_SIZE];
    for (int w = 0; w < nlm_problem_worlds(of->problem); w++) {
        const int objects = nlm_world_objects(nlm_problem_world(of->problem, w));
        const double share = (double)objects / COMPARED_MOST;
        pairs += share * share;
        if (pairs > 1) {
            nlm_problem_world_text(of->problem, " of ", w, name, sizeof name);
            add_example(&skipped, "%s", name);
            continue;
        }
        find_pairs(of, w, equal_loosely, &found);
        /* slips are rare: where many names differ in a letter, they are meant to */
        if (find_pairs(of, w, differ_in_a_letter, NULL) <= SLIPS_MOST + objects / 50)
            find_pairs(of, w, differ_in_a_letter, &found);
    }
    if (found.count > 0)
        warn(of, "objects look alike: %s", finish_examples(&found));
    if (skipped.count > 0)
        warn(of, "there are too many names of objects to compare all%s%s",
             skipped.text[0] != '\0' ? "; not compared: those" : "", finish_examples(&skipped));
}

/* ---- objects and labels ---- */

/* Objects that no fact is about. */
static void warn_of_idle_objects(struct warnings *of)
{
    struct examples found = {0};
    char name[TEXT_SIZE], where[TEXT_SIZE];
    for (int w = 0; w < nlm_problem_worlds(of->problem) && nlm_signature_inputs(of->signature) > 0; w++) {
        const nlm_world *world = nlm_problem_world(of->problem, w);
        const int objects = nlm_world_objects(world);
        bool *busy = memory_new((size_t)objects + 1, sizeof *busy);
        if (!busy) {
            of->status = of->status ? of->status : error_no_memory(of->error);
            return;
        }
        for (int p = 0; p < nlm_signature_inputs(of->signature); p++) {
            const int *tuples;
            const size_t facts = nlm_world_facts(world, p, &tuples, NULL);
            const size_t places = facts * (size_t)nlm_world_predicate_arity(world, p);
            for (size_t i = 0; i < places && !signature_is_derived(nlm_signature_input(of->signature, p));
                 i++)
                busy[tuples[i]] = true;
        }
        nlm_problem_world_text(of->problem, " of ", w, where, sizeof where);
        for (int o = 0; o < objects; o++) {
            if (busy[o])
                continue;
            nlm_problem_object_text(of->problem, w, o, name, sizeof name);
            add_example(&found, "%s%s", name, where);
        }
        memory_free(busy);
    }
    if (found.count > 0)
        warn(of, "%d object%s in no fact: %s", found.count, found.count == 1 ? " is" : "s are",
             finish_examples(&found));
}

static void warn_of_contradictions(struct warnings *of)
{
    struct examples found = {0};
    char text[TEXT_SIZE];
    for (int c = 0; c < nlm_problem_contradictions(of->problem); c++) {
        const nlm_contradiction one = nlm_problem_contradiction(of->problem, c);
        nlm_problem_label_text(of->problem, one.world, one.target, one.tuple, text, sizeof text);
        add_example(&found, "%s", text);
    }
    if (found.count > 0)
        warn(of, "%d label%s listed as true and as false, and taken to be true: %s", found.count,
             found.count == 1 ? " is" : "s are", finish_examples(&found));
}

nlm_status nlm_problem_warnings(const nlm_problem *problem, nlm_text_listener listener, void *context,
                                nlm_error *error)
{
    REQUIRE(problem && listener, error);
    struct warnings all = {problem, problem->signature, listener, context, error, NLM_OK, 0};
    warn_of_labels(&all);
    warn_of_empty_inputs(&all);
    warn_of_pairs(&all, differ_in_arity, "are two predicates of one name: is that intended?");
    warn_of_pairs(&all, have_similar_names, "look alike: are they the same predicate?");
    warn_of_similar_objects(&all);
    warn_of_idle_objects(&all);
    warn_of_contradictions(&all);
    return all.status;
}

/* ---- losses ---- */

static void compare_counts(struct warnings *of, size_t before, size_t after, const char *things)
{
    if (after != before)
        warn(of, "%zu of %zu %s were carried over", after, before, things);
}

static void compare(struct warnings *of, const nlm_problem *problem, const nlm_problem *written,
                    const char *folder)
{
    const nlm_signature *from = problem->signature, *to = written->signature;
    const nlm_content before = nlm_problem_content(problem, -1), after = nlm_problem_content(written, -1);
    compare_counts(of, (size_t)problem->world_count, (size_t)written->world_count, "worlds");
    compare_counts(of, before.objects, after.objects, "objects");
    compare_counts(of, before.facts, after.facts, "facts");
    if (problem->closed == written->closed)
        compare_counts(of, before.labels, after.labels, "labels");
    else if (nlm_problem_labelled(problem))
        warn(of, "%s",
             problem->closed
                 ? "this format does not record that unlisted tuples are false: use --closed-world"
                 : "in this format unlisted tuples are false");
    if (problem->contradiction_count != written->contradiction_count)
        warn(of, "labels that are listed as true and as false were carried over as true");
    compare_counts(of, (size_t)nlm_signature_inputs(from), (size_t)nlm_signature_inputs(to), "predicates");
    compare_counts(of, (size_t)nlm_signature_targets(from), (size_t)nlm_signature_targets(to), "targets");
    if (from->typed && !to->typed)
        warn(of, "this format has no types");
    if (of->count == 0 && nlm_problem_digest(problem) != nlm_problem_digest(written))
        warn(of, "%.300s has the same content in another order", folder);
}

nlm_status nlm_problem_losses(const nlm_problem *problem, const char *folder, nlm_text_listener listener,
                              void *context, nlm_error *error)
{
    REQUIRE(problem && listener, error);
    nlm_problem *written;
    nlm_error cause;
    const nlm_status status = nlm_problem_read(folder, NULL, &written, &cause);
    if (status)
        return error_set(error, status, "the written files cannot be read: %.400s", cause.message);
    struct warnings losses = {problem, problem->signature, listener, context, error, NLM_OK, 0};
    compare(&losses, problem, written, folder);
    nlm_problem_free(written);
    return losses.status;
}
