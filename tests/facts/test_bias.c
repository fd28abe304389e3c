/* bias.pl: declarations are taken, everything else is skipped and told. */
#include "facts/files.h"
#include "facts/bias.h"

/* What a text declares, or why it is refused: heads, bodies, types, notes. */
static const char *read_bias(const char *text)
{
    static char result[2048];
    char *copy = strdup(text);
    draft in;
    nlm_error error = {0};
    assert_int_equal(draft_start(&in, &error), NLM_OK);
    nlm_status status = bias_read(&in, copy, strlen(copy), "bias.pl", &error);
    FILE *out = fmemopen(result, sizeof result, "w");
    for (int i = 0; i < in.head_count; i++) {
        const name_entry *entry = names_at(&in.predicates, ((int *)in.heads.data)[i]);
        fprintf(out, "head %s/%d ", entry->text, entry->arity);
    }
    for (int i = 0; i < in.body_count; i++) {
        const name_entry *entry = names_at(&in.predicates, ((int *)in.bodies.data)[i]);
        fprintf(out, "body %s/%d ", entry->text, entry->arity);
    }
    for (int p = 0; p < in.predicates.count; p++) {
        const draft_predicate *about = draft_at(&in, p);
        if (about->typed)
            fprintf(out, "type %s", names_at(&in.predicates, p)->text);
        for (int k = 0; about->typed && k < names_at(&in.predicates, p)->arity; k++)
            fprintf(out, "%c%s", k ? ',' : ':', names_at(&in.types, about->type[k])->text);
        fprintf(out, "%s", about->typed ? " " : "");
    }
    for (int i = 0; i < in.notes.count; i++)
        fprintf(out, "note %s ", notes_at(&in.notes, i));
    fclose(out);
    if (status)
        snprintf(result, sizeof result, "%s", error.message);
    draft_free(&in);
    free(copy);
    return result;
}

struct text {
    const char *text, *result;
};

static void declarations_are_read(void **state)
{
    (void)state;
    static const struct text texts[] = {
        {"", ""},
        {"head_pred(uncle,2).\nbody_pred(father, 2). body_pred(raining,0).",
         "head uncle/2 body father/2 body raining/0 "},
        {"head_pred(p,1). head_pred(p,1). body_pred(p,1).", "head p/1 body p/1 "},
        {"type(father,(person,person)). type(male,(person,)). type(a,city).type(b,(city)).",
         "bias.pl:1: operator . is not supported here: put a name that holds it in single quotes"},
        {"type(father,(person,person)). type(male,(person,)). type(a,city). type(b,(city)).",
         "type father:person,person type male:person type a:city type b:city "},
        {"type(p,(a,b)). type(p,(a,b)). type(p,a).", "type p:a,b type p:a "},
        {"body_pred('My pred',1).", "body My pred/1 "},
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        assert_string_equal(read_bias(texts[i].text), texts[i].result);
}

static void all_else_is_skipped(void **state)
{
    (void)state;
    static const struct text texts[] = {
        {"max_vars(5).\nmax_body(5).\nhead_pred(p,1).",
         "head p/1 note bias.pl: 2 clauses are ignored: max_vars, "
         "max_body "},
        {"enable_recursion.", "note bias.pl: 1 clause is ignored: enable_recursion "},
        {"direction(f,(in,out)). direction(g,(in,)).", "note bias.pl: 2 clauses are ignored: direction "},
        {":- body_literal(_,p,1,(V,)), V > 1.\n", "note bias.pl: 1 clause is ignored: :- "},
        {"body_pred(P,1) :- constant(P,_). body_pred(q,1):-\n x.\nbody_pred(r,1).",
         "body r/1 note bias.pl: 2 clauses are ignored: body_pred "},
        {"type(X,Y) :- t(X,Y). type(f,(list,Y)). type(a,b) :- c.",
         "note bias.pl: 3 clauses are ignored: type "},
        {"prop(\"a. b\", [x|Y], 'it''s. ', 0'., {a}, -1). a(b).c. d =.. e.",
         "note bias.pl: 3 clauses are ignored: prop, a, d "},
        {"prop(0x1F, `a. `). head_pred(p,1).", "head p/1 note bias.pl: 1 clause is ignored: prop "},
        {"a. b. c. d. e. f.", "note bias.pl: 6 clauses are ignored: a, b, c, d, e, f "},
        {"a. b. c. d. e. f. g. h.", "note bias.pl: 8 clauses are ignored: a, b, c, d, e, f, ... "},
        {"'a''b'('c''d', X) :- y. head_pred(p,1).", "head p/1 note bias.pl: 1 clause is ignored: a'b "},
        {"'\\q'. head_pred(p,1).", "head p/1 note bias.pl: 1 clause is ignored: ? "},
        {"head_pred(p,1).\nfoo(",
         "bias.pl:2: the clause that begins here does not end: is its '.', a quote or "
         "the end of a comment missing?"},
        {"\n/* a", "bias.pl:2: the clause that begins here does not end: is its '.', a quote or the end of a "
                   "comment missing?"},
        {"\nhead_pred(P,", "bias.pl:2: the clause that begins here does not end: is its '.', a quote or the "
                           "end of a comment missing?"},
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        assert_string_equal(read_bias(texts[i].text), texts[i].result);
}

static void bad_declarations_are_refused(void **state)
{
    (void)state;
    static const struct text texts[] = {
        {"\nhead_pred(p).", "bias.pl:2: ',' is expected, not )"},
        {"head_pred(p,two).", "bias.pl:1: an arity is expected, not two"},
        {"head_pred(p,5).", "bias.pl:1: p with arity 5: arities of 0 to 4 are supported"},
        {"head_pred(p,-1).", "bias.pl:1: p with arity -1: arities of 0 to 4 are supported"},
        {"head_pred(p,1,2).", "bias.pl:1: ')' is expected, not ,"},
        {"head_pred(p,1)\nbody_pred(q,1).", "bias.pl:2: '.' is expected, not body_pred"},
        {"head_pred(\"p\",1).", "bias.pl:1: a string in double quotes is not supported here: put the name in "
                                "single quotes"},
        {"head_pred('a/b',1).",
         "bias.pl:1: 'a/b' cannot be the name of a predicate here: it is empty, or has "
         "'(', '/' or a control character"},
        {"type(p,(a,b,c,d,e)).", "bias.pl:1: p has more than 4 types: predicates of at most 4 arguments are "
                                 "supported"},
        {"type(p,'Person').",
         "bias.pl:1: type 'Person': the name of a type must be a plain one, such as person"},
        {"type(p,'a:b').", "bias.pl:1: type 'a:b': the name of a type must be a plain one, such as person"},
        {"type(p,'').", "bias.pl:1: type '': the name of a type must be a plain one, such as person"},
        {"type(p,(list(a),b)).", "bias.pl:1: the name of a type is expected, not list"},
        {"type(p,()).", "bias.pl:1: the name of a type is expected, not )"},
        {"type(p,(a,b)).\ntype(p,(b,a)).",
         "bias.pl:2: p/2 has other types in an earlier line: only one type per "
         "place is supported"},
        {"head_pred(p,1).\n\xFF", "bias.pl:2: byte 0xFF is not UTF-8: convert the file to UTF-8"},
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        assert_string_equal(read_bias(texts[i].text), texts[i].result);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(declarations_are_read),
        cmocka_unit_test(all_else_is_skipped),
        cmocka_unit_test(bad_declarations_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
