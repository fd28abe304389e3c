/* nlm check: what looks wrong in facts.  A warning is a guess, and nothing is changed because of it. */
#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "check.h"
#include "json_text.h"
#include "message.h"

enum {
    NAMED_MOST = 5,    /* examples in a line */
    NAMES_MOST = 5000, /* compared with each other */
    SLIPS_MOST = 3,    /* in a small world */
    LETTERS_LEAST = 5, /* of names of which one letter may be a slip */
    LINE_SIZE = 1024,
};

__attribute__((format(printf, 2, 3))) static void warn(check *of, const char *format, ...)
{
    char text[LINE_SIZE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (of->json) {
        fputs(of->warnings > 0 ? ", " : "", stdout);
        json_text(stdout, text);
    } else {
        printf("%swarning: %s\n", of->warnings == 0 ? "\n" : "", text);
    }
    of->warnings++;
}

/* ---- lists of examples ---- */

/* "a, b, c and 4 more" */
typedef struct examples {
    int count;
    char text[LINE_SIZE - 200];
} examples;

__attribute__((format(printf, 2, 3))) static void add_example(examples *to, const char *format, ...)
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

static const char *finish_examples(examples *of)
{
    const size_t used = strlen(of->text);
    if (of->count > NAMED_MOST)
        snprintf(of->text + used, sizeof of->text - used, " and %d more", of->count - NAMED_MOST);
    return of->text;
}

/* ---- predicates ---- */

static void warn_of_labels(check *of)
{
    char name[CHECK_TEXT];
    if (nlm_signature_targets(of->signature) == 0)
        warn(of, "nothing is to be concluded: name it with --target, as in --target uncle/2");
    else if (!nlm_problem_labelled(of->problem))
        warn(of, "there are no labels: nothing can be learned or tested");
    if (!nlm_problem_labelled(of->problem))
        return;
    for (int t = 0; t < nlm_signature_targets(of->signature); t++) {
        const target_count *count = &of->targets[t];
        check_predicate(nlm_signature_target(of->signature, t), name);
        if (count->positive == 0 && count->negative == 0)
            warn(of, "%s has no labels", name);
        else if (count->positive == 0)
            warn(of, "%s is never true: 'always false' is all that can be learned", name);
        else if (count->negative == 0)
            warn(of, "%s is never false: 'always true' is all that can be learned", name);
    }
}

/* Whether there are facts of a predicate, be it that all of them repeat an object. */
static bool has_facts(const check *of, const nlm_predicate *predicate)
{
    bool any = false;
    for (int p = 0; p < nlm_signature_inputs(of->signature); p++) {
        const nlm_predicate *input = nlm_signature_input(of->signature, p);
        any |= of->facts[p] > 0 && input->arity == predicate->arity && input->is_type == predicate->is_type &&
               strcmp(input->name, predicate->name) == 0;
    }
    return any;
}

static void warn_of_empty_inputs(check *of)
{
    examples found = {0};
    char name[CHECK_TEXT];
    if (nlm_signature_inputs(of->signature) == 0)
        warn(of, "there are no facts to conclude anything from");
    for (int p = 0; p < nlm_signature_inputs(of->signature); p++) {
        if (of->facts[p] == 0 && !has_facts(of, nlm_signature_input(of->signature, p)))
            add_example(&found, "%s", check_predicate(nlm_signature_input(of->signature, p), name));
    }
    if (found.count > 0)
        warn(of, "no facts of %s", finish_examples(&found));
}

/* Inputs, then targets; NULL after the last. */
static const nlm_predicate *predicate_at(const check *of, int index)
{
    const int inputs = nlm_signature_inputs(of->signature);
    if (index < inputs)
        return nlm_signature_input(of->signature, index);
    return index - inputs < nlm_signature_targets(of->signature)
               ? nlm_signature_target(of->signature, index - inputs)
               : NULL;
}

/* Each pair of predicates that differ and of which `is_suspect` is true, once. */
static void warn_of_pairs(check *of, bool (*is_suspect)(const nlm_predicate *, const nlm_predicate *),
                          const char *why)
{
    const nlm_predicate *one, *other;
    char names[2][CHECK_TEXT];
    for (int i = 0; (one = predicate_at(of, i)) != NULL; i++) {
        for (int j = 0; j < i; j++) {
            other = predicate_at(of, j);
            /* patterns go with their predicate */
            if (!one->is_type && !other->is_type && one->objects == one->arity &&
                other->objects == other->arity && is_suspect(other, one))
                warn(of, "%s and %s %s", check_predicate(other, names[0]), check_predicate(one, names[1]),
                     why);
        }
    }
}

static bool differ_in_arity(const nlm_predicate *one, const nlm_predicate *other)
{
    return one->arity != other->arity && strcmp(one->name, other->name) == 0;
}

/* ---- names that look alike ---- */

static bool is_separator(char letter)
{
    return letter == '_' || letter == '-' || letter == ' ';
}

/* Equal but for case and separators. */
static bool equal_loosely(const char *a, const char *b)
{
    if (strcmp(a, b) == 0)
        return false;
    for (;;) {
        while (is_separator(*a))
            a++;
        while (is_separator(*b))
            b++;
        if (tolower((unsigned char)*a) != tolower((unsigned char)*b))
            return false;
        if (*a == '\0')
            return true;
        a++;
        b++;
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

/* Of names of predicates, which are few. */
static bool look_alike(const char *a, const char *b)
{
    return equal_loosely(a, b) || differ_in_a_letter(a, b);
}

static bool have_similar_names(const nlm_predicate *one, const nlm_predicate *other)
{
    return one->arity == other->arity && look_alike(one->name, other->name);
}

/* Pairs of objects of one type that `is_suspect` says look alike: how many, and as examples unless NULL. */
static int find_pairs(const check *of, int w, bool (*is_suspect)(const char *, const char *), examples *found)
{
    const nlm_world *world = nlm_problem_world(of->problem, w);
    char where[CHECK_TEXT], names[2][CHECK_TEXT], types[2][CHECK_TEXT];
    int pairs = 0;
    check_world(of, " of ", w, where);
    for (int i = 0; i < nlm_world_objects(world); i++) {
        const char *one = nlm_signature_atom(of->signature, world, i);
        for (int j = 0; j < i; j++) {
            const char *other = nlm_signature_atom(of->signature, world, j);
            if (!is_suspect(one, other))
                continue;
            nlm_signature_type(of->signature, world, i, types[0], CHECK_TEXT);
            nlm_signature_type(of->signature, world, j, types[1], CHECK_TEXT);
            if (strcmp(types[0], types[1]) != 0)
                continue;
            pairs++;
            if (found != NULL)
                add_example(found, "%s and %s%s", check_object(of, world, j, names[0]),
                            check_object(of, world, i, names[1]), where);
        }
    }
    return pairs;
}

/* Slips are rare: where many names differ in a letter, they are meant to. */
static void find_similar_objects(const check *of, int w, examples *found)
{
    const int objects = nlm_world_objects(nlm_problem_world(of->problem, w));
    find_pairs(of, w, equal_loosely, found);
    if (find_pairs(of, w, differ_in_a_letter, NULL) <= SLIPS_MOST + objects / 50)
        find_pairs(of, w, differ_in_a_letter, found);
}

static void warn_of_similar_objects(check *of)
{
    examples found = {0}, skipped = {0};
    double pairs = 0; /* that may still be compared, in multiples of what is allowed */
    char name[CHECK_TEXT];
    for (int w = 0; w < nlm_problem_worlds(of->problem); w++) {
        const double share = (double)nlm_world_objects(nlm_problem_world(of->problem, w)) / NAMES_MOST;
        pairs += share * share;
        if (pairs <= 1)
            find_similar_objects(of, w, &found);
        else
            add_example(&skipped, "%s", check_world(of, " of ", w, name));
    }
    if (found.count > 0)
        warn(of, "objects look alike: %s", finish_examples(&found));
    if (skipped.count > 0)
        warn(of, "there are too many names of objects to compare all%s%s",
             skipped.text[0] != '\0' ? "; not compared: those" : "", finish_examples(&skipped));
}

/* ---- objects and labels ---- */

/* The objects of a world that no fact is about. */
static bool find_idle_objects(const check *of, int w, examples *found)
{
    const nlm_world *world = nlm_problem_world(of->problem, w);
    const int objects = nlm_world_objects(world);
    char name[CHECK_TEXT], where[CHECK_TEXT];
    bool *busy = calloc((size_t)objects + 1, sizeof *busy);
    if (busy == NULL)
        return false;
    for (int p = 0; p < nlm_signature_inputs(of->signature); p++) {
        const int *tuples;
        const size_t facts = nlm_world_facts(world, p, &tuples, NULL);
        const int arity = nlm_world_predicate_arity(world, p);
        for (size_t i = 0; i < facts * (size_t)arity && check_is_own(nlm_signature_input(of->signature, p));
             i++)
            busy[tuples[i]] = true;
    }
    check_world(of, " of ", w, where);
    for (int o = 0; o < objects; o++) {
        if (!busy[o])
            add_example(found, "%s%s", check_object(of, world, o, name), where);
    }
    free(busy);
    return true;
}

static bool warn_of_idle_objects(check *of)
{
    examples found = {0};
    for (int w = 0; w < nlm_problem_worlds(of->problem); w++) {
        if (nlm_signature_inputs(of->signature) > 0 && !find_idle_objects(of, w, &found)) {
            message_error("check: not enough memory");
            return false;
        }
    }
    if (found.count > 0)
        warn(of, "%d object%s in no fact: %s", found.count, found.count == 1 ? " is" : "s are",
             finish_examples(&found));
    return true;
}

static void warn_of_contradictions(check *of)
{
    examples found = {0};
    char text[CHECK_TEXT];
    for (int c = 0; c < nlm_problem_contradictions(of->problem); c++) {
        const nlm_contradiction one = nlm_problem_contradiction(of->problem, c);
        add_example(&found, "%s", check_fact(of, one.world, one.target, one.tuple, text));
    }
    if (found.count > 0)
        warn(of, "%d label%s listed as true and as false, and taken to be true: %s", found.count,
             found.count == 1 ? " is" : "s are", finish_examples(&found));
}

/* ---- all of them ---- */

static void print_notes(const check *of)
{
    const int notes = nlm_problem_notes(of->problem);
    if (of->json)
        fputs(", \"notes\": [", stdout);
    for (int n = 0; n < notes; n++) {
        const char *note = nlm_problem_note(of->problem, n);
        if (of->json) {
            fputs(n > 0 ? ", " : "", stdout);
            json_text(stdout, note);
        } else {
            printf("%snote: %s\n", n == 0 ? "\n" : "", note);
        }
    }
    if (of->json)
        putchar(']');
}

bool check_warnings(check *of)
{
    print_notes(of);
    if (of->json)
        fputs(", \"warnings\": [", stdout);
    warn_of_labels(of);
    warn_of_empty_inputs(of);
    warn_of_pairs(of, differ_in_arity, "are two predicates of one name: is that intended?");
    warn_of_pairs(of, have_similar_names, "look alike: are they the same predicate?");
    warn_of_similar_objects(of);
    const bool good = warn_of_idle_objects(of);
    warn_of_contradictions(of);
    if (of->json)
        putchar(']');
    return good;
}
