/* Model files of other models: they come back bit by bit, programs included; broken ones are refused in one
 * line that names the file and the cause. */
#include <sys/resource.h>
#include "machine/models.h"

#define LATIN "gr\u00f6\u00dfer"

static const nlm_given given[] = {
    {"it 'rains', \"hard\"", 0, false}, {LATIN, 1, false}, {"edge", 2, false}, {LATIN, 1, true}};
static const nlm_definition defined[] = {
    {"\u043f\u0443\u0442\u044c", 2, 2, {{0, NLM_BODY_GIVEN}, {1, NLM_BODY_HELPERS}}}, /* a path */
    {"edge", 1, 1, {{1, NLM_BODY_MIXED}}}, /* of another arity than the given one */
    {"a.b", 1, 1, {{0, NLM_BODY_DEFINED}}},
};
static const nlm_program_template program = {(int)COUNT(given), (int)COUNT(defined), given, defined, false};

enum { MEMNN, TWO_WAYS, DILP, OTHERS };
static const model others[OTHERS] = {
    {"memnn",
     {.model = "memnn",
      .depth = 3,
      .breadth = 2,
      .inputs = {0, 2, 1},
      .width = 5,
      .hidden_layers = 2,
      .hidden = {7, 3},
      .outputs = 6},
     2,
     {{"head", 1, 1, false}, {"h\u00e9ad \"3\"", 2, 2, false}}},
    {"memnn with twins",
     {.model = "memnn", .depth = 1, .breadth = 2, .inputs = {0, 0, 3}, .width = 6, .outputs = 2},
     1,
     {{"head", 2, 1, true}}},
    {"dilp",
     {.model = "dilp",
      .program = &program,
      .depth = 3,
      .breadth = 2,
      .inputs = {1, 1, 1},
      .width = 1,
      .outputs = 4},
     1,
     {{"head", 2, 1, false}}},
};

static void assert_same_program(const nlm_program_template *a, const nlm_program_template *b)
{
    assert_int_equal(a->givens, b->givens);
    assert_int_equal(a->definitions, b->definitions);
    for (int g = 0; g < a->givens; g++) {
        assert_string_equal(a->given[g].name, b->given[g].name);
        assert_int_equal(a->given[g].arity, b->given[g].arity);
        assert_int_equal(a->given[g].negated, b->given[g].negated);
    }
    for (int d = 0; d < a->definitions; d++) {
        const nlm_definition *left = &a->definition[d], *right = &b->definition[d];
        assert_string_equal(left->name, right->name);
        assert_int_equal(left->arity, right->arity);
        assert_int_equal(left->templates, right->templates);
        for (int t = 0; t < left->templates; t++) {
            assert_int_equal(left->form[t].variables, right->form[t].variables);
            assert_int_equal(left->form[t].body, right->form[t].body);
        }
    }
}

/* ---- there and back ---- */

static void other_models_come_back_bit_by_bit(void **state)
{
    folder *made = *state;
    static const char *const pairs[] = {"note", "a b"};
    for (int m = 0; m < OTHERS; m++) {
        nlm_machine *machine = make(&others[m]);
        save(machine, made->file, pairs, 1);
        nlm_machine *back = load(made->file);
        assert_same_machine(machine, back);
        assert_string_equal(nlm_machine_spec(back)->model, others[m].spec.model);
        assert_string_equal(nlm_machine_metadata(back, "model"), others[m].spec.model);
        assert_string_equal(nlm_machine_metadata(back, "note"), "a b");
        assert_true((nlm_machine_metadata(back, "program") != NULL) == (m == DILP));
        if (m == DILP)
            assert_same_program(nlm_machine_spec(back)->program, &program);
        else
            assert_null(nlm_machine_spec(back)->program);
        nlm_machine_free(machine);
        save(back, made->other, NULL, 0);
        assert_same_files(made->file, made->other);
        nlm_machine_free(back);
    }
}

/* Names tell tensors apart that clauses tell apart. */
static void the_file_holds_the_tensors_of_the_model(void **state)
{
    folder *made = *state;
    static const char *const names[] = {"dilp.\u043f\u0443\u0442\u044c", "dilp.edge", "dilp.a.b.1"};
    save_model(&others[DILP], made->file);
    safetensors *file;
    assert_int_equal(safetensors_read(made->file, &file, NULL), NLM_OK);
    assert_int_equal(safetensors_count(file), COUNT(names));
    for (size_t i = 0; i < COUNT(names); i++)
        assert_non_null(safetensors_find(file, names[i]));
    safetensors_free(file);
}

static void the_spec_has_these_keys(void **state)
{
    folder *made = *state;
    static const char *const pairs[] = {"model", "x", "program", "y"};
    save_model(&models[FAMILY], made->file);
    nlm_machine *machine = load(made->file);
    nlm_error error;
    assert_null(nlm_machine_spec(machine)->model);
    assert_null(nlm_machine_metadata(machine, "model"));
    for (int i = 0; i < 2; i++) {
        assert_int_equal(nlm_machine_save(machine, made->file, pairs + 2 * i, 1, &error), NLM_BAD_ARGUMENT);
        assert_non_null(strstr(error.message, "the machine's spec has this key"));
    }
    nlm_machine_free(machine);
}

static nlm_status count_rule(void *context, const nlm_clause *rule, nlm_error *error)
{
    (void)error;
    char *text = context;
    snprintf(text + strlen(text), 4000 - strlen(text), "%s %.9g\n", rule->text, rule->probability);
    return NLM_OK;
}

static void rules_come_back_too(void **state)
{
    folder *made = *state;
    static char before[4000], after[4000];
    before[0] = after[0] = 0;
    nlm_machine *machine = make(&others[DILP]);
    save(machine, made->file, NULL, 0);
    assert_int_equal(nlm_machine_clauses(machine, 0.05, count_rule, before, NULL), NLM_OK);
    nlm_machine_free(machine);
    machine = load(made->file);
    assert_int_equal(nlm_machine_clauses(machine, 0.05, count_rule, after, NULL), NLM_OK);
    nlm_machine_free(machine);
    assert_true(strlen(before) > 20);
    assert_string_equal(before, after);
}

/* What cannot be read again is not written. */
static void names_that_are_no_utf8_are_not_saved(void **state)
{
    folder *made = *state;
    const nlm_given bad = {"caf\xe9", 2, false};
    const nlm_program_template of_bad = {1, (int)COUNT(defined), &bad, defined, false};
    model latin1 = others[DILP];
    latin1.spec.program = &of_bad;
    latin1.spec.inputs[0] = latin1.spec.inputs[1] = 0;
    nlm_machine *machine = make(&latin1);
    nlm_error error;
    assert_int_equal(nlm_machine_save(machine, made->file, NULL, 0, &error), NLM_BAD_ARGUMENT);
    assert_int_equal(strncmp(error.message, made->file, strlen(made->file)), 0);
    assert_non_null(strstr(error.message, "not valid UTF-8"));
    assert_int_not_equal(access(made->file, F_OK), 0);
    nlm_machine_free(machine);
}

/* ---- broken files ---- */

#define TARGET "{\"name\": \"t\", \"arity\": 2, \"templates\": [[0, \"given\"]]}"
#define EDGE "{\"name\": \"e\", \"arity\": 2, \"negated\": false}"
#define GIVENS                                                                                               \
    "{\"name\": \"r\", \"arity\": 0, \"negated\": false}, "                                                  \
    "{\"name\": \"u\", \"arity\": 1, \"negated\": false}, " EDGE
#define NO_PROGRAM "metadata 'program' is not {given: [...], defined: [...]}"

static const struct {
    int of;
    const char *key, *text, *cause;
} bad_texts[] = {
    {MEMNN, "model", "nose", "there is no model 'nose'"},
    {MEMNN, "model", "", "there is no model ''"},
    {MEMNN, "model", "nlm", "there is no model 'nlm'"},
    {MEMNN, "model", "\"memnn\"", "there is no model '\"memnn\"'"},
    {MEMNN, "model", "\x1b[31mmemnn\n", "there is no model '?[31mmemnn?'"},
    {MEMNN, "model", "dilp", "differentiable ILP"},
    {MEMNN, "model", NULL, "tensor 'layer.0."},
    {MEMNN, "sense", "lenet", "the sense 'lenet' makes 10"},
    {MEMNN, "inputs", "[1, 2, 1]", "no place for predicates without arguments"},
    {MEMNN, "inputs", "[0, 3, 1]", "tensor 'memnn.key.0.weight' has shape"},
    {MEMNN, "width", "6", "tensor 'memnn.lstm.weight_input' has shape [20, 32], its machine needs [24, 32]"},
    {MEMNN, "width", "4096", "tensor 'memnn.lstm.weight_input' has shape"},
    {MEMNN, "depth", "65", "depth 65 is not in 1..64"},
    {MEMNN, "hidden", "[7]", "tensor 'memnn.key.1.weight' has shape"},
    {MEMNN, "widths", "[[1, 1, 1], [1, 1, 1], [1, 1, 1]]", "one width, not one per unit"},
    {MEMNN, "heads", "[{\"name\": \"other\", \"arity\": 1, \"outputs\": 1}]",
     "tensor 'other.weight' is missing"},
    {MEMNN, "heads", "[{\"name\": \"head\", \"arity\": 0, \"outputs\": 1}]", "answers about 0 objects"},
    {MEMNN, "heads", "[{\"name\": \"head\", \"arity\": 1, \"outputs\": 2}]",
     "tensor 'head.weight' has shape [1, 5], its machine needs [2, 5]"},
    {MEMNN, "heads", "[{\"name\": \"memnn.query\", \"arity\": 1, \"outputs\": 16}]", "no usable name"},
    {MEMNN, "outputs", "[2]", "head 'head' answers about 1 objects, which is not wanted"},
    {MEMNN, "program", "{\"given\": [" EDGE "], \"defined\": [" TARGET "]}",
     "a program is for the model 'dilp'"},
    {MEMNN, "program", "{}", NO_PROGRAM},
    {TWO_WAYS, "heads", "[{\"name\": \"head\", \"arity\": 1, \"outputs\": 1, \"twins\": true}]",
     "a twin head: its arity is 2, not 1"},
    {TWO_WAYS, "outputs", "[2]", "head 'head' answers about 2 objects, which is not wanted"},
    {DILP, "model", NULL, "a program is for the model 'dilp', not for 'nlm'"},
    {DILP, "model", "memnn", "a program is for the model 'dilp', not for 'memnn'"},
    {DILP, "heads", "[]", "one head, with one output"},
    {DILP, "heads", NULL, "one head, with one output"},
    {DILP, "heads", "[{\"name\": \"head\", \"arity\": 2, \"outputs\": 2}]", "one head, with one output"},
    {DILP, "inputs", "[1, 1, 2]",
     "the program is given 1 predicates of arity 2, but there are 2 inputs of it"},
    {DILP, "program", NULL, "differentiable ILP needs a program with a target"},
    {DILP, "program", "", "metadata 'program': "},
    {DILP, "program", "nonsense", "metadata 'program': "},
    {DILP, "program", "{\"given\": [], \"given\": []}", "metadata 'program': duplicate"},
    {DILP, "program", "null", NO_PROGRAM},
    {DILP, "program", "7", NO_PROGRAM},
    {DILP, "program", "[]", NO_PROGRAM},
    {DILP, "program", "{}", NO_PROGRAM},
    {DILP, "program", "{\"given\": [" EDGE "]}", NO_PROGRAM},
    {DILP, "program", "{\"defined\": [" TARGET "]}", NO_PROGRAM},
    {DILP, "program", "{\"given\": 1, \"defined\": 2}", NO_PROGRAM},
    {DILP, "program", "{\"given\": {}, \"defined\": [" TARGET "]}", NO_PROGRAM},
    {DILP, "program", "{\"given\": [1], \"defined\": [" TARGET "]}", NO_PROGRAM},
    {DILP, "program", "{\"given\": [{}], \"defined\": [" TARGET "]}", NO_PROGRAM},
    {DILP, "program",
     "{\"given\": [{\"name\": 5, \"arity\": 2, \"negated\": false}], \"defined\": [" TARGET "]}", NO_PROGRAM},
    {DILP, "program", "{\"given\": [{\"name\": \"e\", \"negated\": false}], \"defined\": [" TARGET "]}",
     NO_PROGRAM},
    {DILP, "program", "{\"given\": [{\"name\": \"e\", \"arity\": 2}], \"defined\": [" TARGET "]}",
     NO_PROGRAM},
    {DILP, "program",
     "{\"given\": [{\"name\": \"e\", \"arity\": 2, \"negated\": 0}], \"defined\": [" TARGET "]}", NO_PROGRAM},
    {DILP, "program",
     "{\"given\": [{\"name\": \"e\", \"arity\": -1, \"negated\": false}], \"defined\": [" TARGET "]}",
     NO_PROGRAM},
    {DILP, "program",
     "{\"given\": [{\"name\": \"e\", \"arity\": 1e9, \"negated\": false}], \"defined\": [" TARGET "]}",
     NO_PROGRAM},
    {DILP, "program",
     "{\"given\": [{\"name\": \"e\", \"arity\": 3, \"negated\": false}], \"defined\": [" TARGET "]}",
     "e/3: differentiable ILP has predicates of arity 0 to 2"},
    {DILP, "program",
     "{\"given\": [{\"name\": \"\", \"arity\": 2, \"negated\": false}], \"defined\": [" TARGET "]}",
     "has no name"},
    {DILP, "program", "{\"given\": [" EDGE "], \"defined\": []}", "needs a program with a target"},
    {DILP, "program", "{\"given\": [" EDGE "], \"defined\": [" TARGET "]}", "there are 1 inputs of it"},
    {DILP, "program", "{\"given\": [" GIVENS "], \"defined\": [{\"name\": \"t\", \"arity\": 2}]}",
     "0 templates"},
    {DILP, "program",
     "{\"given\": [" EDGE "], \"defined\": [{\"name\": \"t\", \"templates\": [[0, \"given\"]]}]}",
     NO_PROGRAM},
    {DILP, "program",
     "{\"given\": [" EDGE "], \"defined\": [{\"name\": \"t\", \"arity\": 2, \"templates\": [[0]]}]}",
     NO_PROGRAM},
    {DILP, "program",
     "{\"given\": [" EDGE "], \"defined\": [{\"name\": \"t\", \"arity\": 2, \"templates\": [[0, 1]]}]}",
     NO_PROGRAM},
    {DILP, "program",
     "{\"given\": [" EDGE
     "], \"defined\": [{\"name\": \"t\", \"arity\": 2, \"templates\": [[0, \"gift\"]]}]}",
     NO_PROGRAM},
    {DILP, "program",
     "{\"given\": [" EDGE
     "], \"defined\": [{\"name\": \"t\", \"arity\": 2, \"templates\": [[0, \"given\", 1]]}]}",
     NO_PROGRAM},
    {DILP, "program",
     "{\"given\": [" EDGE "], \"defined\": [{\"name\": \"t\", \"arity\": 2, \"templates\": [\"00\"]}]}",
     NO_PROGRAM},
    {DILP, "program",
     "{\"given\": [" EDGE "], \"defined\": [{\"name\": \"t\", \"arity\": 2, \"templates\": "
     "[[0, \"given\"], [0, \"given\"], [0, \"given\"]]}]}",
     NO_PROGRAM},
    {DILP, "program",
     "{\"given\": [" EDGE
     "], \"defined\": [{\"name\": \"t\", \"arity\": 2, \"templates\": [[-1, \"given\"]]}]}",
     NO_PROGRAM},
    {DILP, "program", "{\"given\": [" EDGE ", " EDGE "], \"defined\": [" TARGET "]}",
     "e/2 is the name of two inputs"},
};

static void broken_texts_are_refused(void **state)
{
    folder *made = *state;
    for (int m = 0; m < OTHERS; m++) {
        save_model(&others[m], made->file);
        for (size_t i = 0; i < COUNT(bad_texts); i++)
            if (bad_texts[i].of == m)
                assert_change_refused(made, (change){.key = bad_texts[i].key, .text = bad_texts[i].text},
                                      bad_texts[i].cause);
    }
}

static void broken_tensors_are_refused(void **state)
{
    folder *made = *state;
    static const struct {
        int of;
        const char *tensor;
        enum damage damage;
        const char *cause;
    } bad[] = {
        {MEMNN, "memnn.key.0.weight", DROPPED, "is missing"},
        {MEMNN, "memnn.lstm.bias", DROPPED, "is missing"},
        {MEMNN, "head.bias", DROPPED, "is missing"},
        {MEMNN, "memnn.query.weight", TRANSPOSED, "has shape [5, 16], its machine needs [16, 5]"},
        {MEMNN, "memnn.lstm.bias", LONGER, "has shape [21], its machine needs [20]"},
        {MEMNN, "memnn.value.2.weight", FLAT, "has shape [96], its machine needs [32, 3]"},
        {MEMNN, "memnn.question.0.bias", NOT_A_NUMBER, "holds NaN or infinity"},
        {MEMNN, "head.weight", INFINITE, "holds NaN or infinity"},
        {DILP, "dilp.edge", DROPPED, "is missing"},
        {DILP, "dilp.a.b.1", LONGER, "has shape ["},
        {DILP, "dilp.\u043f\u0443\u0442\u044c", TRANSPOSED, "has shape ["},
        {DILP, "dilp.edge", FLAT, "has shape ["},
        {DILP, "dilp.edge", NOT_A_NUMBER, "holds NaN or infinity"},
        {DILP, "dilp.\u043f\u0443\u0442\u044c", INFINITE, "holds NaN or infinity"},
    };
    for (size_t i = 0; i < COUNT(bad); i++) {
        char cause[200];
        snprintf(cause, sizeof cause, "tensor '%s' %s", bad[i].tensor, bad[i].cause);
        save_model(&others[bad[i].of], made->file);
        assert_change_refused(made, (change){.tensor = bad[i].tensor, .damage = bad[i].damage}, cause);
    }
}

static long most_memory(void)
{
    struct rusage usage;
    assert_int_equal(getrusage(RUSAGE_SELF, &usage), 0);
    return usage.ru_maxrss; /* kilobytes */
}

/* A program of so many predicates, each defined with templates of two variables more. */
static char *write_program(int givens, int definitions)
{
    const size_t size = 100 + 110 * (size_t)(givens + definitions);
    char *text = malloc(size);
    assert_non_null(text);
    size_t used = (size_t)snprintf(text, size, "{\"given\": [");
    for (int g = 0; g < givens; g++)
        used += (size_t)snprintf(text + used, size - used,
                                 "%s{\"name\": \"g%d\", \"arity\": 2, \"negated\": false}", g ? ", " : "", g);
    used += (size_t)snprintf(text + used, size - used, "], \"defined\": [");
    for (int d = 0; d < definitions; d++)
        used += (size_t)snprintf(
            text + used, size - used,
            "%s{\"name\": \"d%d\", \"arity\": 2, \"templates\": [[2, \"defined\"], [2, \"defined\"]]}",
            d ? ", " : "", d);
    snprintf(text + used, size - used, "]}");
    return text;
}

/* A few kilobytes that describe gigabytes of clauses. */
static void a_small_file_cannot_ask_for_a_huge_program(void **state)
{
    folder *made = *state;
    static const struct {
        int givens, definitions;
        const char *cause;
    } huge[] = {
        {1, 1, "tensor 'dilp.d0' is missing"},
        {3, 3, "pairs of clauses"},
        {100, 100, "clauses"},
        {200, 100, "differentiable ILP takes up to 256 predicates"},
        {4000, 1, "differentiable ILP takes up to 256 predicates"},
        {1, 40000, NO_PROGRAM},
    };
    const long before = most_memory();
    for (size_t i = 0; i < COUNT(huge); i++) {
        char inputs[40], *text = write_program(huge[i].givens, huge[i].definitions);
        snprintf(inputs, sizeof inputs, "[0, 0, %d]", huge[i].givens);
        const char *const pairs[] = {
            "depth", "64",       "breadth",
            "2",     "inputs",   inputs,
            "width", "1",        "hidden",
            "[]",    "residual", "0",
            "model", "dilp",     "program",
            text,    "heads",    "[{\"name\": \"head\", \"arity\": 2, \"outputs\": 1}]"};
        assert_int_equal(safetensors_write(made->file, NULL, 0, pairs, (int)COUNT(pairs) / 2, NULL), NLM_OK);
        assert_refused(made->file, NLM_BAD_FILE, huge[i].cause);
        free(text);
    }
    assert_true(most_memory() - before < 500000); /* sanitizers keep what was freed */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_FOLDER(other_models_come_back_bit_by_bit),
        IN_FOLDER(the_file_holds_the_tensors_of_the_model),
        IN_FOLDER(rules_come_back_too),
        IN_FOLDER(the_spec_has_these_keys),
        IN_FOLDER(names_that_are_no_utf8_are_not_saved),
        IN_FOLDER(broken_texts_are_refused),
        IN_FOLDER(broken_tensors_are_refused),
        IN_FOLDER(a_small_file_cannot_ask_for_a_huge_program),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
