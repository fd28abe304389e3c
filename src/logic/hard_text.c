#include "logic/hard_text.h"
#include <stdlib.h>
#include <string.h>
#include "facts/comparison.h"
#include "syntax/atom.h"
#include "syntax/constant.h"

enum { MOST_LITERALS = 200 }; /* of a line */

static const char *const letters[] = {"X", "Y", "Z", "U", "V", "W"};

/* How many of the inputs of an arity a network makes of pictures; they come first.  None of these, if the
 * signature has names for them. */
static int seen_inputs(const hard_units *units, int arity)
{
    int numbers, predicates, named = 0;
    for (int i = 0; units->signature && i < nlm_signature_inputs(units->signature); i++)
        named += nlm_signature_input(units->signature, i)->objects == arity;
    if (named == nlm_machine_spec(units->machine)->inputs[arity])
        return 0;
    const char *sense = nlm_machine_spec(units->machine)->sense;
    return arity == 1 && sense && nlm_sense_find(sense, &numbers, &predicates) ? predicates : 0;
}

/* What the signature says of input (arity, number) of a machine, or NULL. */
static const nlm_predicate *declared(const hard_units *units, const unit_predicate *input)
{
    int number = input->number - seen_inputs(units, input->arity);
    for (int i = 0; units->signature && i < nlm_signature_inputs(units->signature); i++) {
        const nlm_predicate *predicate = nlm_signature_input(units->signature, i);
        if (predicate->objects == input->arity && number-- == 0)
            return predicate;
    }
    return NULL;
}

/* The name and the arguments of what a signature has, of which some may be constants. */
static void predicate_text_write(FILE *file, const nlm_predicate *of, const char *const *names)
{
    constant_parts parts;
    char name[256];
    const bool constants = constant_parts_read(of->name, &parts);
    if (constants)
        fwrite(parts.name.text, 1, parts.name.length, file);
    else
        atom_predicate_text(of->name, name, sizeof name);
    const int count = constants ? parts.arity : of->is_type ? 1 : of->arity;
    fputs(constants ? "" : name, file);
    for (int k = 0; k < count; k++) {
        const int place = constants ? parts.object[k] : k;
        fputs(k ? ", " : "(", file);
        if (place < 0)
            fwrite(parts.text[k].text, 1, parts.text[k].length, file);
        else
            fputs(names[of->is_type ? place : of->place[place]], file);
    }
    fputs(count ? ")" : "", file);
}

static void arguments_write(FILE *file, const char *const *names, int count)
{
    for (int k = 0; k < count; k++)
        fprintf(file, "%s%s", k ? ", " : "(", names[k]);
    if (count)
        fputc(')', file);
}

void hard_atom_write(FILE *file, const hard_units *units, int predicate, const char *const *names)
{
    const unit_predicate *p = unit_predicate_at(units, predicate);
    const nlm_predicate *input = declared(units, p);
    if (!input) {
        if (p->number < seen_inputs(units, p->arity))
            fprintf(file, "sees_%d", p->number + 1); /* as reports count outputs */
        else
            fprintf(file, "input%d_%d", p->arity, p->number);
        arguments_write(file, names, p->arity);
        return;
    }
    if (input->comparison.terms > 0) {
        char text[256];
        comparison_about(units->signature, input, names, text, sizeof text);
        fputs(text, file);
        return;
    }
    predicate_text_write(file, input, names);
}

/* The predicate that this one only repeats, with its arguments in their order; the same if it does more. */
static int origin(const hard_units *units, int predicate, const char **names)
{
    for (;;) {
        const unit_predicate *p = unit_predicate_at(units, predicate);
        if (p->layer == 0 || p->root <= UNITS_YES || p->layer > nlm_machine_spec(units->machine)->depth)
            return predicate;
        const unit_node *node = unit_node_at(units, p->root);
        const unit_input *input = unit_input_at(units, node->input);
        if (node->low != UNITS_NO || node->high != UNITS_YES || input->operation == NLM_EXISTS ||
            input->operation == NLM_FORALL)
            return predicate;
        const char *read[NLM_MAX_BREADTH];
        for (int k = 0; k < input->arity; k++)
            read[k] = names[input->place[k]];
        memcpy(names, read, (size_t)input->arity * sizeof *names);
        predicate = input->source;
    }
}

void hard_head_write(FILE *file, const hard_units *units, int head, const char *const *names)
{
    const bool known = units->signature && head < nlm_signature_targets(units->signature);
    const nlm_predicate *target = known ? nlm_signature_target(units->signature, head) : NULL;
    if (target) {
        predicate_text_write(file, target, names);
        return;
    }
    fputs(nlm_machine_head(units->machine, head)->name, file);
    arguments_write(file, names, unit_predicate_at(units, units->head[head])->arity);
}

static void predicate_write(FILE *file, const hard_units *units, int predicate, const char *const *names)
{
    const char *own[NLM_MAX_BREADTH + 1] = {0};
    memcpy(own, names, (size_t)unit_predicate_at(units, predicate)->arity * sizeof *own);
    predicate = origin(units, predicate, own);
    const unit_predicate *p = unit_predicate_at(units, predicate);
    if (p->layer == 0)
        hard_atom_write(file, units, predicate, own);
    else if (p->layer > nlm_machine_spec(units->machine)->depth)
        hard_head_write(file, units, p->number, own);
    else {
        fprintf(file, "p%d_%d_%d", p->layer, p->arity, p->number);
        arguments_write(file, own, p->arity);
    }
}

static void input_write(FILE *file, const hard_units *units, const unit_input *input)
{
    const int arity = unit_predicate_at(units, input->source)->arity;
    const char *names[NLM_MAX_BREADTH + 1];
    for (int k = 0; k < input->arity; k++)
        names[k] = letters[input->place[k]];
    if (arity > input->arity) {
        names[input->arity] = letters[input->arity];
        fprintf(file, "%s %s: ", input->operation == NLM_EXISTS ? "exists" : "for all",
                letters[input->arity]);
    }
    predicate_write(file, units, input->source, names);
}

/* A literal of a definition: in parentheses where it has a quantifier. */
static void literal_write(FILE *file, const hard_units *units, const unit_input *input)
{
    const bool quantified = input->operation == NLM_EXISTS || input->operation == NLM_FORALL;
    fputs(input->weight < 0 ? "not " : "", file);
    fputs(quantified ? "(" : "", file);
    input_write(file, units, input);
    fputs(quantified ? ")" : "", file);
}

/* A node is  rest or (literal and more):  with a positive weight low or (input and high), with a negative one
 * high or (not input and low).  `left` literals may still be written: parts that nodes share are written
 * again and again. */
static void node_write(FILE *file, const hard_units *units, int node, bool inside, int *left)
{
    if (node <= UNITS_YES || --*left < 0) {
        fputs(node == UNITS_YES ? "true" : node == UNITS_NO ? "false" : "...", file);
        return;
    }
    const unit_node of = *unit_node_at(units, node);
    const unit_input *input = unit_input_at(units, of.input);
    const int rest = input->weight > 0 ? of.low : of.high, more = input->weight > 0 ? of.high : of.low;
    const bool bracket = inside && rest != UNITS_NO;
    fputs(bracket ? "(" : "", file);
    literal_write(file, units, input);
    if (more != UNITS_YES) {
        fputs(" and ", file);
        node_write(file, units, more, true, left);
    }
    if (rest != UNITS_NO) {
        fputs(" or ", file);
        node_write(file, units, rest, false, left);
    }
    fputs(bracket ? ")" : "", file);
}

/* Marks the predicates that a function, not only a weight, depends on.  Its nodes stand below its root. */
static void mark_sources(const hard_units *units, const unit_predicate *p, bool *used)
{
    for (int node = p->root; node > UNITS_YES; node--) {
        const unit_input *input = unit_input_at(units, unit_node_at(units, node)->input);
        if (unit_node_at(units, node)->input < p->first ||
            unit_node_at(units, node)->input >= p->first + p->count)
            break;
        used[input->source] = true;
    }
}

void hard_definitions_write(FILE *file, const hard_units *units)
{
    bool *used = calloc((size_t)units->predicate_count, sizeof *used);
    const int depth = nlm_machine_spec(units->machine)->depth;
    for (int number = units->predicate_count - 1; number >= 0 && used; number--) {
        const unit_predicate *p = unit_predicate_at(units, number);
        used[number] |= p->reached && (p->layer > depth || !units->signature);
        if (used[number] && p->layer > 0)
            mark_sources(units, p, used);
    }
    for (int number = 0; number < units->predicate_count && used; number++) {
        const unit_predicate *p = unit_predicate_at(units, number);
        const char *names[NLM_MAX_BREADTH + 1];
        memcpy(names, letters, sizeof names);
        if (!used[number] || p->layer == 0 || origin(units, number, names) != number)
            continue;
        predicate_write(file, units, number, letters);
        fputs(" = ", file);
        int left = MOST_LITERALS;
        node_write(file, units, p->root, false, &left);
        fputc('\n', file);
    }
    free(used);
}

/* What a writer writes, cut to `size`. */
typedef struct short_text {
    FILE *file;
    char *text;
    size_t size;
} short_text;

static bool text_open(short_text *of, char *text, size_t size)
{
    *of = (short_text){fmemopen(text, size, "w"), text, size};
    if (size)
        text[0] = '\0';
    return of->file;
}

static size_t text_close(short_text *of)
{
    fclose(of->file);
    of->text[of->size - 1] = '\0';
    return strlen(of->text);
}

size_t hard_place_text(const hard_units *units, const unit_predicate *p, char *text, size_t size)
{
    short_text of;
    if (!text_open(&of, text, size))
        return 0;
    if (p->layer > nlm_machine_spec(units->machine)->depth) {
        fputs("the head for ", of.file);
        hard_head_write(of.file, units, p->number, letters);
    } else
        fprintf(of.file, "predicate %d of layer %d, arity %d,", p->number, p->layer, p->arity);
    return text_close(&of);
}

size_t hard_input_text(const hard_units *units, const unit_input *input, bool is_true, char *text,
                       size_t size)
{
    short_text of;
    if (!text_open(&of, text, size))
        return 0;
    input_write(of.file, units, input);
    fputs(is_true ? " is true" : " is false", of.file);
    return text_close(&of);
}
