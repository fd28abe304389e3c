/* bias.pl, as Popper has it:
 *
 *     head_pred(uncle,2).   body_pred(father,2).   type(father,(person,person)).   type(male,(person,)).
 *
 * and, for arguments that hold constants (facts/constants.h), constants(department,2,2): of department/2 the
 * second.
 * non_datalog is refused.  Every other clause, and one of these that is a rule or has variables, is skipped
 * and told in a note. */
#include "facts/bias.h"

#include <stdio.h>
#include <string.h>
#include "base/error.h"
#include "syntax/atom.h"
#include "base/line.h"

enum { SHOWN_NAMES = 6 };

struct bias {
    draft *draft;
    prolog in;
    size_t ignored; /* clauses */
    int names;      /* different ones at their beginning, of which the first are: */
    message_name name[SHOWN_NAMES];
    nlm_error *error;
};

/* A clause of one of the forms above, as far as it was read. */
struct declaration {
    prolog_name subject;
    size_t line;
    int arity;
    int type[NLM_MAX_FACT_ARITY];
    int place;    /* of constants */
    bool ignored; /* it is a rule, or has variables */
};

/* ---- clauses of these forms ---- */

/* Rules and clauses with variables are not for us, whatever else is wrong with them. */
static nlm_status refuse(struct bias *bias, struct declaration *read, const char *expected)
{
    read->ignored = bias->in.token.kind == PROLOG_VARIABLE || prolog_is(&bias->in, ":-");
    return read->ignored ? NLM_BAD_FILE : prolog_refuse(&bias->in, expected, bias->error);
}

static nlm_status expect(struct bias *bias, struct declaration *read, const char *mark)
{
    const char quoted[] = {'\'', mark[0], '\'', '\0'};
    return prolog_is(&bias->in, mark) ? prolog_advance(&bias->in, bias->error) : refuse(bias, read, quoted);
}

/* "name(subject,": the first half of all three forms. */
static nlm_status read_subject(struct bias *bias, struct declaration *read)
{
    nlm_status status = prolog_advance(&bias->in, bias->error);
    if (!status)
        status = prolog_advance(&bias->in, bias->error);
    if (status)
        return status;
    const prolog_token *token = &bias->in.token;
    if (token->kind != PROLOG_ATOM || token->opens)
        return refuse(bias, read, "the name of a predicate");
    if (!atom_is_predicate(token->text, token->length))
        return message_refuse(bias->error, bias->in.file, token->line,
                              "'%s' cannot be the name of a predicate here: it is empty, or has '(', '/' or "
                              "a control character",
                              message_cut(token->text, token->length).text);
    read->subject = (prolog_name){token->text, token->length};
    status = prolog_advance(&bias->in, bias->error);
    return status ? status : expect(bias, read, ",");
}

static nlm_status read_arity(struct bias *bias, struct declaration *read)
{
    const prolog_token *token = &bias->in.token;
    if (token->kind != PROLOG_NUMBER)
        return refuse(bias, read, "an arity");
    if (token->length != 1 || token->text[0] > '0' + NLM_MAX_FACT_ARITY)
        return message_refuse(bias->error, bias->in.file, token->line,
                              "%s with arity %s: arities of 0 to %d are supported",
                              message_cut(read->subject.text, read->subject.length).text,
                              message_cut(token->text, token->length).text, NLM_MAX_FACT_ARITY);
    read->arity = token->text[0] - '0';
    return prolog_advance(&bias->in, bias->error);
}

static nlm_status read_type_name(struct bias *bias, struct declaration *read)
{
    const prolog_token *token = &bias->in.token;
    if (token->kind != PROLOG_ATOM || token->opens)
        return refuse(bias, read, "the name of a type");
    int number = names_intern(&bias->draft->types, &bias->draft->texts, token->text, token->length, 0);
    if (number < 0)
        return error_no_memory(bias->error);
    const char *name = names_at(&bias->draft->types, number)->text;
    if (!atom_is_plain(name))
        return message_refuse(bias->error, bias->in.file, token->line,
                              "type '%s': the name of a type must be a plain one, such as person",
                              message_cut_text(name).text);
    if (read->arity >= NLM_MAX_FACT_ARITY)
        return message_refuse(bias->error, bias->in.file, read->line,
                              "%s has more than %d types: predicates of at most %d arguments are supported",
                              message_cut(read->subject.text, read->subject.length).text, NLM_MAX_FACT_ARITY,
                              NLM_MAX_FACT_ARITY);
    read->type[read->arity++] = number;
    return prolog_advance(&bias->in, bias->error);
}

/* (person,person), with or without a comma behind the last; or person. */
static nlm_status read_types(struct bias *bias, struct declaration *read)
{
    if (!prolog_is(&bias->in, "("))
        return read_type_name(bias, read);
    nlm_status status;
    do {
        status = prolog_advance(&bias->in, bias->error);
        if (!status && prolog_is(&bias->in, ")") && read->arity >= 1)
            break;
        if (!status)
            status = read_type_name(bias, read);
    } while (!status && prolog_is(&bias->in, ","));
    return status ? status : expect(bias, read, ")");
}

/* The place of a constant. */
static nlm_status read_place(struct bias *bias, struct declaration *read)
{
    nlm_status status = expect(bias, read, ",");
    const prolog_token *token = &bias->in.token;
    if (status)
        return status;
    if (token->kind != PROLOG_NUMBER || token->length != 1 || token->text[0] < '1' ||
        token->text[0] > '0' + read->arity)
        return refuse(bias, read, "the number of an argument, from 1");
    read->place = token->text[0] - '1';
    return prolog_advance(&bias->in, bias->error);
}

/* All of a clause of one of the forms. */
static nlm_status read_declaration(struct bias *bias, struct declaration *read, bool type, bool constants)
{
    nlm_status status = read_subject(bias, read);
    if (!status)
        status = type ? read_types(bias, read) : read_arity(bias, read);
    if (!status && constants)
        status = read_place(bias, read);
    if (!status)
        status = expect(bias, read, ")");
    if (!status && bias->in.token.kind != PROLOG_STOP)
        status = refuse(bias, read, "'.'");
    return status;
}

/* ---- all clauses ---- */

/* The clause that began with this name is for others. */
static nlm_status ignore(struct bias *bias, message_name name, size_t line)
{
    bias->ignored++;
    bool known = false;
    for (int i = 0; i < bias->names && i < SHOWN_NAMES; i++)
        known = known || !strcmp(bias->name[i].text, name.text);
    if (!known && bias->names < SHOWN_NAMES)
        bias->name[bias->names] = name;
    bias->names += !known && bias->names <= SHOWN_NAMES;
    return prolog_skip(&bias->in, line, bias->error);
}

static bool is_named(const prolog_token *token, const char *name)
{
    return token->kind == PROLOG_ATOM && token->opens && token->length == strlen(name) &&
           !memcmp(token->text, name, token->length);
}

/* The clause that begins with the token. */
static nlm_status read_clause(struct bias *bias)
{
    const prolog_token first = bias->in.token;
    message_name name = message_cut(first.text, first.length);
    struct declaration read = {.line = first.line};
    bool head = is_named(&first, "head_pred"), type = is_named(&first, "type");
    bool constants = is_named(&first, "constants");
    nlm_status status = NLM_OK;
    if (first.kind == PROLOG_ATOM && !first.opens && first.length == strlen("non_datalog") &&
        !memcmp(first.text, "non_datalog", first.length))
        return message_refuse(
            bias->error, bias->in.file, first.line,
            "non_datalog: rules whose heads have variables that no literal binds are not learned "
            "here; without this line the folder is read, for rules that are Datalog");
    if (head || type || constants || is_named(&first, "body_pred"))
        status = read_declaration(bias, &read, type, constants);
    else
        read.ignored = true;
    if (read.ignored || status)
        return read.ignored ? ignore(bias, name, first.line) : status;
    draft *to = bias->draft;
    int number = draft_number(to, read.subject.text, read.subject.length, read.arity);
    if (number < 0)
        return error_no_memory(bias->error);
    draft_predicate *predicate = draft_at(to, number);
    if (type && predicate->typed && memcmp(predicate->type, read.type, sizeof read.type))
        return message_refuse(
            bias->error, bias->in.file, read.line,
            "%s/%d has other types in an earlier line: only one type per place is supported",
            message_cut(read.subject.text, read.subject.length).text, read.arity);
    if (type) {
        predicate->typed = true;
        memcpy(predicate->type, read.type, sizeof read.type);
        return NLM_OK;
    }
    if (constants) {
        predicate->constants |= 1u << read.place;
        return NLM_OK;
    }
    bool *declared = head ? &predicate->head : &predicate->body;
    if (*declared)
        return NLM_OK;
    *declared = true;
    return head ? draft_append(&to->heads, &to->head_count, number, bias->error)
                : draft_append(&to->bodies, &to->body_count, number, bias->error);
}

static nlm_status add_note(struct bias *bias)
{
    if (bias->ignored == 0)
        return NLM_OK;
    char list[SHOWN_NAMES * (sizeof(message_name) + 2)];
    line_space out = line_start(list, sizeof list);
    for (int i = 0; i < bias->names && i < SHOWN_NAMES; i++) {
        line_add_text(&out, i ? ", " : "");
        line_add_text(&out, bias->name[i].text);
    }
    line_end(&out);
    return notes_add(&bias->draft->notes, bias->error, "%.200s: %zu clause%s ignored: %s%s", bias->in.file,
                     bias->ignored, bias->ignored == 1 ? " is" : "s are", list,
                     bias->names > SHOWN_NAMES ? ", ..." : "");
}

nlm_status bias_read(draft *to, char *text, size_t size, const char *file, nlm_error *error)
{
    struct bias bias = {.draft = to, .error = error};
    nlm_status status = prolog_start(&bias.in, text, size, file, error);
    while (!status) {
        nlm_error broken; /* a token of a clause that may be skipped */
        if (prolog_advance(&bias.in, &broken))
            status = ignore(&bias, message_cut_text("?"), bias.in.token.line);
        else if (bias.in.token.kind == PROLOG_END)
            return add_note(&bias);
        else
            status = read_clause(&bias);
    }
    return status;
}
