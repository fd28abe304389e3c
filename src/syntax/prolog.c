/* Facts and examples in Prolog's syntax.  What else Prolog has is refused, each with its reason. */
#include "syntax/prolog.h"

#include <string.h>
#include "syntax/atom.h"
#include "syntax/reading_message.h"

enum { MOST_ARGUMENTS = 255 }; /* that are counted before too many are refused */

nlm_status prolog_start(prolog *in, char *text, size_t size, const char *file, nlm_error *error)
{
    *in = (prolog){.file = file, .at = text, .line = 1};
    nlm_status status = atom_check_text(text, size, file, error);
    if (!status && size >= 3 && !memcmp(text, "\xEF\xBB\xBF", 3))
        in->at += 3;
    return status;
}

/* The two marks and operators that are asked for differ from each other in every byte, so few are compared.
 */
bool prolog_is(const prolog *in, const char *text)
{
    const prolog_token *token = &in->token;
    return (token->kind == PROLOG_MARK || token->kind == PROLOG_OPERATOR) && token->text[0] == text[0] &&
           token->length == strlen(text) && !memcmp(token->text, text, token->length);
}

/* ---- what is refused ---- */

static nlm_status refuse(const prolog *in, size_t line, nlm_error *error, const char *reason)
{
    return message_refuse(error, in->file, line, "%s", reason);
}

static const char rules_refused[] = "rules are not supported here; `nlm compile` reads them";

/* Where a name in quotes, a comment or a single character that begins at `at` ends. */
static const char *after_piece(const char *at)
{
    if (*at == '\'' || *at == '"' || *at == '`') {
        const char quote = *at++;
        while (*at && *at != quote)
            at += at[0] == '\\' && at[1] ? 2 : 1;
        return *at ? at + 1 : at;
    }
    if (*at == '%')
        return at + strcspn(at, "\n");
    if (at[0] == '/' && at[1] == '*') {
        const char *end = strstr(at + 2, "*/");
        return end ? end + 2 : at + strlen(at);
    }
    return at + 1;
}

/* Whether the clause goes on to a :- or -->, after a token that no fact has, such as the X of
 * parent(X, Y) :- father(X, Y). */
static bool is_rule(const prolog *in)
{
    if (in->token.kind == PROLOG_STOP || in->token.kind == PROLOG_END || in->token.kind == PROLOG_BROKEN)
        return false;
    for (const char *at = in->at; *at; at = after_piece(at)) {
        if (!strncmp(at, ":-", 2) || !strncmp(at, "-->", 3))
            return true;
        if (*at == '.' && strchr(" \t\r\n%", at[1])) /* or the end of the text */
            return false;
    }
    return false;
}

/* Things that Prolog has and that are not supported here, wherever they stand; NLM_OK if it is none. */
static nlm_status refuse_unsupported(const prolog *in, nlm_error *error)
{
    const prolog_token *token = &in->token;
    message_name name = message_cut(token->text, token->length);
    if (token->kind == PROLOG_VARIABLE)
        return message_refuse(error, in->file, token->line,
                              "%s is a variable: facts are about named objects; a name that begins with a "
                              "capital or _ needs single quotes, '%s'",
                              name.text, name.text);
    if (token->kind == PROLOG_STRING)
        return refuse(in, token->line, error,
                      "a string in double quotes is not supported here: put the name in single quotes");
    if (prolog_is(in, "[") || prolog_is(in, "{"))
        return refuse(in, token->line, error,
                      "lists and terms in braces are not supported here: give the thing a name");
    if (prolog_is(in, ":-") || prolog_is(in, "-->"))
        return refuse(in, token->line, error, rules_refused);
    if (token->kind == PROLOG_OPERATOR)
        return message_refuse(error, in->file, token->line,
                              "operator %s is not supported here: put a name that holds it in single quotes",
                              name.text);
    return NLM_OK;
}

nlm_status prolog_refuse(const prolog *in, const char *expected, nlm_error *error)
{
    const prolog_token *token = &in->token;
    nlm_status status = refuse_unsupported(in, error);
    if (status)
        return status;
    if (token->kind == PROLOG_END)
        return message_refuse(error, in->file, token->line, "%s is expected, but the file ends here",
                              expected);
    return message_refuse(error, in->file, token->line, "%s is expected, not %s", expected,
                          message_cut(token->text, token->length).text);
}

/* ---- facts ---- */

/* `variables` is NULL where there can be none. */
static nlm_status check_argument(const prolog *in, const unsigned *variables, nlm_error *error)
{
    const prolog_token *token = &in->token;
    if (variables && token->kind == PROLOG_VARIABLE)
        return NLM_OK;
    if (token->kind == PROLOG_ATOM && token->opens)
        return message_refuse(error, in->file, token->line,
                              "%s(...) as an argument: terms inside terms are not supported here; give the "
                              "thing a name",
                              message_cut(token->text, token->length).text);
    if (token->kind != PROLOG_ATOM && token->kind != PROLOG_NUMBER)
        return prolog_refuse(in, "a name", error);
    if (token->length == 0)
        return refuse(in, token->line, error, "an empty name, ''");
    return NLM_OK;
}

/* The arguments, the token being "(", up to their ")". */
static nlm_status read_arguments(prolog *in, prolog_fact *fact, unsigned *variables, nlm_error *error)
{
    nlm_status status = prolog_advance(in, error);
    if (!status && prolog_is(in, ")"))
        return message_refuse(error, in->file, in->token.line, "%s(): without arguments it is written %s",
                              message_cut(fact->name.text, fact->name.length).text,
                              message_cut(fact->name.text, fact->name.length).text);
    for (; !status; status = prolog_advance(in, error)) {
        status = check_argument(in, variables, error);
        if (!status && fact->arity < PROLOG_MOST_ARGUMENTS) {
            fact->argument[fact->arity] = (prolog_name){in->token.text, in->token.length};
            if (variables && in->token.kind == PROLOG_VARIABLE)
                *variables |= 1u << fact->arity;
        }
        if (!status && ++fact->arity > MOST_ARGUMENTS)
            break;
        if (!status)
            status = prolog_advance(in, error);
        if (!status && prolog_is(in, ")"))
            break;
        if (!status && !prolog_is(in, ","))
            status = prolog_refuse(in, "',' or ')'", error);
        if (status)
            return status;
    }
    if (!status && fact->arity > PROLOG_MOST_ARGUMENTS)
        return message_refuse(error, in->file, fact->line, "%s with %d arguments: at most %d are supported",
                              message_cut(fact->name.text, fact->name.length).text, fact->arity,
                              PROLOG_MOST_ARGUMENTS);
    return status;
}

/* A fact that begins with the token, and the token after it. */
static nlm_status read_fact(prolog *in, prolog_fact *fact, unsigned *variables, nlm_error *error)
{
    const prolog_token *token = &in->token;
    if (token->kind != PROLOG_ATOM)
        return prolog_refuse(in, "the name of a predicate", error);
    if (!atom_is_predicate(token->text, token->length))
        return message_refuse(error, in->file, token->line,
                              "'%s' cannot be the name of a predicate here: it is empty, or has '(', '/' or "
                              "a control character",
                              message_cut(token->text, token->length).text);
    fact->name = (prolog_name){token->text, token->length};
    fact->line = token->line;
    fact->arity = 0;
    bool opens = token->opens;
    nlm_status status = prolog_advance(in, error);
    if (status)
        return status;
    if (!opens && prolog_is(in, "("))
        return message_refuse(error, in->file, in->token.line, "there is a space between %s and its '('",
                              message_cut(fact->name.text, fact->name.length).text);
    if (!opens)
        return NLM_OK;
    status = read_arguments(in, fact, variables, error);
    return status ? status : prolog_advance(in, error);
}

/* The token must end the clause; `line` is where the clause's last token is. */
static nlm_status check_stop(const prolog *in, size_t line, nlm_error *error)
{
    const prolog_token *token = &in->token;
    if (token->kind == PROLOG_STOP)
        return NLM_OK;
    if (token->kind == PROLOG_OPERATOR && token->text[0] == '.')
        return refuse(in, token->line, error,
                      "the '.' after a fact must be followed by a space or a new line");
    if (token->kind == PROLOG_ATOM || token->kind == PROLOG_END || token->kind == PROLOG_VARIABLE)
        return refuse(in, line, error, "the '.' that ends this fact is missing");
    return prolog_refuse(in, "'.'", error);
}

nlm_status prolog_next_clause(prolog *in, nlm_error *error)
{
    for (;;) {
        nlm_status status = prolog_advance(in, error);
        if (status || !(prolog_is(in, ":-") || prolog_is(in, "?-")))
            return status;
        size_t line = in->token.line;
        if (in->directives++ == 0)
            in->directive_line = line;
        status = prolog_skip(in, line, error);
        if (status)
            return status;
    }
}

/* pos(...) and neg(...) are examples, which only exs.pl has. */
static bool is_example(const prolog_fact *fact)
{
    return fact->name.length == 3 &&
           (!memcmp(fact->name.text, "pos", 3) || !memcmp(fact->name.text, "neg", 3));
}

static const char example_refused[] = "pos(...) and neg(...) are read from exs.pl, beside the facts in bk.pl";

nlm_status prolog_next_fact(prolog *in, prolog_fact *fact, bool *found, nlm_error *error)
{
    nlm_status status = prolog_next_clause(in, error);
    *found = !status && in->token.kind != PROLOG_END;
    if (!*found)
        return status;
    status = read_fact(in, fact, NULL, error);
    if (status == NLM_BAD_FILE && in->token.kind == PROLOG_ATOM && in->token.opens && is_example(fact))
        return refuse(in, fact->line, error, example_refused);
    if (status == NLM_BAD_FILE && is_rule(in))
        return refuse(in, fact->line, error, rules_refused);
    return status ? status : check_stop(in, fact->line, error);
}

nlm_status prolog_read_goal(prolog *in, prolog_fact *goal, unsigned *variables, nlm_error *error)
{
    *variables = 0;
    return read_fact(in, goal, variables, error);
}

/* A variable in what is no rule after all. */
static nlm_status refuse_variable(const prolog *in, const prolog_fact *fact, unsigned variables,
                                  nlm_error *error)
{
    const prolog_name name = fact->argument[__builtin_ctz(variables)];
    prolog at = *in;
    at.token =
        (prolog_token){.kind = PROLOG_VARIABLE, .text = name.text, .length = name.length, .line = fact->line};
    return refuse_unsupported(&at, error);
}

nlm_status prolog_next_head(prolog *in, prolog_fact *head, unsigned *variables, bool *found, nlm_error *error)
{
    nlm_status status = prolog_next_clause(in, error);
    *found = !status && in->token.kind != PROLOG_END;
    if (!*found)
        return status;
    status = prolog_read_goal(in, head, variables, error);
    if (status == NLM_BAD_FILE && in->token.kind == PROLOG_ATOM && in->token.opens && is_example(head))
        return refuse(in, head->line, error, example_refused);
    if (status || prolog_is(in, ":-"))
        return status;
    if (prolog_is(in, "-->"))
        return refuse(in, head->line, error, "grammar rules (-->) are not supported: write clauses with :-");
    return *variables ? refuse_variable(in, head, *variables, error) : check_stop(in, head->line, error);
}

nlm_status prolog_next_example(prolog *in, prolog_fact *fact, bool *is_true, bool *found, nlm_error *error)
{
    nlm_status status = prolog_next_clause(in, error);
    *found = !status && in->token.kind != PROLOG_END;
    if (!*found)
        return status;
    prolog_fact outer = {.name = {in->token.text, in->token.length}};
    size_t line = in->token.line;
    if (in->token.kind != PROLOG_ATOM || !in->token.opens || !is_example(&outer))
        return refuse(in, line, error,
                      is_rule(in) ? rules_refused
                                  : "only pos(...) and neg(...), with one fact each, are read here");
    *is_true = outer.name.text[0] == 'p';
    if (!(status = prolog_advance(in, error)) && !(status = prolog_advance(in, error)))
        status = read_fact(in, fact, NULL, error);
    if (!status && !prolog_is(in, ")"))
        status = prolog_refuse(in, "')'", error);
    if (!status)
        status = prolog_advance(in, error);
    if (!status)
        status = check_stop(in, line, error);
    return status == NLM_BAD_FILE && is_rule(in) ? refuse(in, line, error, rules_refused) : status;
}
