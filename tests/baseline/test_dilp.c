/* Differentiable ILP: logits against a plain definition in double, gradients against its central differences,
 * worlds shared out over threads, a chain made by hand, and predecessor learned. */
#include <math.h>
#include "test.h"

#include "base/random.h"
#include "dilp_case.h"

static double normal(random_stream *random)
{
    double radius = sqrt(-2.0 * log(1.0 - random_unit(random)));
    return radius * cos(6.283185307179586 * random_unit(random));
}

/* ---- the definition ---- */

enum { MOST_OBJECTS = 4 };

struct plain {
    const struct dilp *dilp;
    int objects;
    const float *coefficient; /* of each logit */
    double *weight;
    double first[8][MOST_OBJECTS][MOST_OBJECTS], value[8][MOST_OBJECTS][MOST_OBJECTS];
};

static int extent(const struct plain *plain, int predicate, int place)
{
    return plain->dilp->predicates[predicate].arity > place ? plain->objects : 1;
}

static double plain_atom(const struct plain *plain, const struct dilp_atom *atom, const int *objects)
{
    int arity = plain->dilp->predicates[atom->predicate].arity;
    return plain->value[atom->predicate][arity > 0 ? objects[atom->variables[0]] : 0]
                       [arity > 1 ? objects[atom->variables[1]] : 0];
}

static double plain_clause(const struct plain *plain, const struct dilp_clause *clause, int *objects,
                           int bound)
{
    if (bound == plain->dilp->predicates[clause->head].arity + clause->existential)
        return plain_atom(plain, &clause->body[0], objects) * plain_atom(plain, &clause->body[1], objects);
    double largest = 0.0;
    for (objects[bound] = 0; objects[bound] < plain->objects; objects[bound]++)
        largest = fmax(largest, plain_clause(plain, clause, objects, bound + 1));
    return largest;
}

static double plain_sum(const struct plain *plain, const struct dilp_definition *definition, int x, int y)
{
    const double *weight = plain->weight + definition->offset;
    int arity = plain->dilp->predicates[definition->predicate].arity;
    double above = 0.0, below = 0.0;
    double *second = calloc(definition->columns, sizeof *second);
    for (size_t k = 0; k < definition->clauses[1].count; k++)
        second[k] = plain_clause(plain, &definition->clauses[1].items[k], (int[4]){x, y}, arity);
    for (size_t j = 0; j < definition->rows; j++) {
        double first = plain_clause(plain, &definition->clauses[0].items[j], (int[4]){x, y}, arity);
        for (size_t k = 0; k < definition->columns; k++) {
            double e = exp(weight[j * definition->columns + k]);
            above += e * fmax(first, second[k]);
            below += e;
        }
    }
    free(second);
    return above / below;
}

static void plain_negate(struct plain *plain, int stage)
{
    for (int p = 0; p < plain->dilp->givens; p++) {
        const struct dilp_predicate *predicate = &plain->dilp->predicates[p];
        if (predicate->negates < 0 || predicate->stage != stage)
            continue;
        for (int x = 0; x < extent(plain, p, 0); x++)
            for (int y = 0; y < extent(plain, p, 1); y++)
                plain->value[p][x][y] =
                    predicate->arity == 2 && x == y ? 0.0 : 1.0 - plain->value[predicate->negates][x][y];
    }
}

static void plain_step(struct plain *plain, int stage)
{
    const struct dilp *dilp = plain->dilp;
    double later[8][MOST_OBJECTS][MOST_OBJECTS];
    memcpy(later, plain->value, sizeof later);
    for (int d = 0; d < dilp->defined; d++) {
        int p = dilp->givens + d;
        if (dilp->predicates[p].stage != stage)
            continue;
        for (int x = 0; x < extent(plain, p, 0); x++)
            for (int y = 0; y < extent(plain, p, 1); y++) {
                double a = plain->value[p][x][y], b = plain_sum(plain, &dilp->definitions[d], x, y);
                later[p][x][y] = a + b - a * b;
            }
    }
    memcpy(plain->value, later, sizeof later);
}

static double plain_logit(const struct plain *plain, int x, int y)
{
    double a = plain->value[plain->dilp->givens][x][y];
    return log((a + 1e-6) / (1.0 - a + 1e-6));
}

/* All steps; the sum of the logits, each times its coefficient. */
static double plain_run(struct plain *plain)
{
    int target = plain->dilp->givens;
    double total = 0.0;
    memcpy(plain->value, plain->first, sizeof plain->value);
    for (int stage = 0; stage < plain->dilp->stages; stage++) {
        plain_negate(plain, stage);
        for (int t = 0; t < plain->dilp->steps; t++)
            plain_step(plain, stage);
    }
    for (int x = 0, i = 0; x < extent(plain, target, 0); x++)
        for (int y = 0; y < extent(plain, target, 1); y++, i++)
            if (plain->dilp->predicates[target].arity < 2 || x != y)
                total += (double)plain->coefficient[i] * plain_logit(plain, x, y);
    return total;
}

/* ---- small worlds with uncertain facts ---- */

enum { OBJECTS = 3, STEPS = 3 };

static const nlm_given mixed_given[] = {
    {"wet", 0, false}, {"red", 1, false}, {"edge", 2, false}, {"edge", 2, true}, {"red", 1, true}};
static const nlm_definition mixed_definition[] = {
    {"t", 2, 2, {{0, NLM_BODY_GIVEN}, {1, NLM_BODY_DEFINED}}},
    {"p", 1, 1, {{2, NLM_BODY_GIVEN}}},
    {"q", 0, 2, {{1, NLM_BODY_DEFINED}, {1, NLM_BODY_DEFINED}}}};
static const nlm_given staged_given[] = {
    {"red", 1, false}, {"edge", 2, false}, {"edge", 2, true}, {"q", 2, true}, {"p", 1, true}};
static const nlm_definition staged_definition[] = {{"t", 1, 2, {{1, NLM_BODY_GIVEN}, {0, NLM_BODY_DEFINED}}},
                                                   {"q", 2, 2, {{1, NLM_BODY_GIVEN}, {0, NLM_BODY_GIVEN}}},
                                                   {"p", 1, 1, {{1, NLM_BODY_DEFINED}}}};
static const nlm_program_template programs[] = {
    {COUNT(mixed_given), COUNT(mixed_definition), mixed_given, mixed_definition, false},
    {COUNT(staged_given), COUNT(staged_definition), staged_given, staged_definition, false}};

struct fixture {
    void *model, *work;
    struct dilp_world world;
    float *weights, *gradients;
    struct plain plain;
};

static void fill_randomly(struct fixture *f, const int *inputs)
{
    random_stream random;
    int target = f->plain.dilp->predicates[f->plain.dilp->givens].arity;
    random_start(&random, 11, 0);
    for (int p = 0; p < f->plain.dilp->givens; p++) {
        const struct dilp_predicate *predicate = &f->plain.dilp->predicates[p];
        for (int x = 0; predicate->input >= 0 && x < extent(&f->plain, p, 0); x++)
            for (int y = 0; y < extent(&f->plain, p, 1); y++) {
                float value = predicate->arity == 2 && x == y ? 0.0f : random_uniform(&random, 0.05f, 0.95f);
                int cell = predicate->arity == 2 ? x * OBJECTS + y : x;
                f->world.inputs[predicate->arity][cell * inputs[predicate->arity] + predicate->input] = value;
                f->plain.first[p][x][y] = (double)value;
            }
    }
    for (size_t i = 0; i < case_cells(OBJECTS, target); i++)
        ((float *)f->world.world.dlogits[0])[i] = random_uniform(&random, -1.0f, 1.0f);
    for (size_t i = 0; i < f->plain.dilp->weights; i++)
        f->plain.weight[i] = (double)(f->weights[i] = (float)normal(&random));
}

static void start(struct fixture *f, const nlm_program_template *program)
{
    nlm_spec spec = dilp_spec(program, STEPS);
    *f = (struct fixture){0};
    assert_int_equal(dilp_model(program, STEPS, &f->model, NULL), NLM_OK);
    assert_int_equal(dilp_baseline.open(f->model, &f->work, NULL), NLM_OK);
    f->world = dilp_world_new(OBJECTS, spec.inputs, program->definition[0].arity);
    f->plain.dilp = f->model;
    f->plain.objects = OBJECTS;
    f->plain.coefficient = f->world.world.dlogits[0];
    f->weights = calloc(f->plain.dilp->weights, sizeof(float));
    f->gradients = calloc(f->plain.dilp->weights, sizeof(float));
    f->plain.weight = calloc(f->plain.dilp->weights, sizeof(double));
    fill_randomly(f, spec.inputs);
}

static void end(struct fixture *f)
{
    dilp_world_free(&f->world);
    dilp_baseline.close(f->work);
    dilp_baseline.free(f->model);
    free(f->weights);
    free(f->gradients);
    free(f->plain.weight);
}

static void logits_are_as_defined(void **state)
{
    (void)state;
    for (int i = 0; i < (int)COUNT(programs); i++) {
        struct fixture f;
        start(&f, &programs[i]);
        plain_run(&f.plain);
        assert_int_equal(dilp_baseline.forward(f.work, NULL, f.weights, &f.world.world, 1, false, NULL),
                         NLM_OK);
        for (int x = 0, cell = 0; x < extent(&f.plain, f.plain.dilp->givens, 0); x++)
            for (int y = 0; y < extent(&f.plain, f.plain.dilp->givens, 1); y++, cell++)
                assert_true(fabs((double)f.world.world.logits[0][cell] - plain_logit(&f.plain, x, y)) < 1e-4);
        end(&f);
    }
}

/* Where nothing is learned, improbable clauses are passed over; the larger the weights, the more of them. */
static void values_do_not_depend_on_improbable_clauses(void **state)
{
    (void)state;
    for (int i = 0; i < (int)COUNT(programs); i++) {
        for (float scale = 1.0f; scale < 100.0f; scale *= 2.0f) {
            struct fixture f;
            float values[2][OBJECTS * OBJECTS];
            start(&f, &programs[i]);
            const struct dilp *dilp = f.plain.dilp;
            for (size_t w = 0; w < dilp->weights; w++)
                f.weights[w] *= scale;
            const size_t cells =
                (size_t)extent(&f.plain, dilp->givens, 0) * (size_t)extent(&f.plain, dilp->givens, 1);
            assert_true(cells <= OBJECTS * OBJECTS);
            for (int training = 0; training < 2; training++) {
                assert_int_equal(
                    dilp_baseline.forward(f.work, NULL, f.weights, &f.world.world, 1, training, NULL),
                    NLM_OK);
                for (size_t cell = 0; cell < cells; cell++)
                    values[training][cell] = 1.0f / (1.0f + expf(-f.world.world.logits[0][cell]));
            }
            for (size_t cell = 0; cell < cells; cell++)
                assert_true(fabsf(values[0][cell] - values[1][cell]) < 1e-5f);
            end(&f);
        }
    }
}

/* Some weights of one definition. */
static void check_gradients(struct fixture *f, const struct dilp_definition *definition)
{
    const double h = 1e-4;
    size_t offset = definition->offset, count = definition->rows * definition->columns;
    float largest = 0.0f;
    for (size_t i = 0; i < count; i++)
        largest = fmaxf(largest, fabsf(f->gradients[offset + i]));
    assert_true(largest > 0.0f);
    for (size_t i = 0; i < count; i += 1 + count / 25) {
        double *weight = &f->plain.weight[offset + i], before = *weight;
        *weight = before + h;
        double above = plain_run(&f->plain);
        *weight = before - h;
        double difference = (above - plain_run(&f->plain)) / (2.0 * h);
        *weight = before;
        assert_true(fabs(difference - (double)f->gradients[offset + i]) < 1e-3 * (double)largest);
    }
}

static void gradients_are_those_of_the_definition(void **state)
{
    (void)state;
    for (int i = 0; i < (int)COUNT(programs); i++) {
        struct fixture f;
        start(&f, &programs[i]);
        assert_int_equal(dilp_baseline.forward(f.work, NULL, f.weights, &f.world.world, 1, true, NULL),
                         NLM_OK);
        assert_int_equal(
            dilp_baseline.backward(f.work, NULL, f.weights, &f.world.world, 1, f.gradients, NULL), NLM_OK);
        for (int d = 0; d < f.plain.dilp->defined; d++)
            check_gradients(&f, &f.plain.dilp->definitions[d]);
        end(&f);
    }
}

/* Several worlds add up, and give the same bits with two threads. */
static void worlds_are_shared_out(void **state)
{
    (void)state;
    enum { WORLDS = 5 };
    struct fixture f;
    struct team *team;
    start(&f, &programs[1]);
    size_t weights = f.plain.dilp->weights;
    struct baseline_world worlds[WORLDS];
    float logits[WORLDS][OBJECTS];
    assert_int_equal(team_new(2, &team), NLM_OK);
    assert_int_equal(dilp_baseline.forward(f.work, NULL, f.weights, &f.world.world, 1, true, NULL), NLM_OK);
    for (int threads = 1; threads <= 2; threads++) {
        float *gradients = calloc(weights, sizeof(float));
        for (int w = 0; w < WORLDS; w++) {
            worlds[w] = f.world.world;
            worlds[w].logits[0] = logits[w];
            worlds[w].objects = OBJECTS - w % 2;
        }
        struct team *used = threads == 1 ? NULL : team;
        assert_int_equal(dilp_baseline.forward(f.work, used, f.weights, worlds, WORLDS, true, NULL), NLM_OK);
        assert_int_equal(dilp_baseline.backward(f.work, used, f.weights, worlds, WORLDS, gradients, NULL),
                         NLM_OK);
        assert_memory_equal(logits[2], f.world.world.logits[0], OBJECTS * sizeof(float));
        assert_memory_equal(logits[1], logits[3], (OBJECTS - 1) * sizeof(float));
        if (threads == 1)
            memcpy(f.gradients, gradients, weights * sizeof(float));
        else
            assert_memory_equal(f.gradients, gradients, weights * sizeof(float));
        free(gradients);
    }
    team_free(team);
    end(&f);
}

/* ---- reading ---- */

struct reading {
    int count;
    char text[4][100];
    double probability[4];
};

static nlm_status hear(void *context, const nlm_clause *rule, nlm_error *error)
{
    (void)error;
    struct reading *reading = context;
    if (reading->count == 4)
        return NLM_BAD_ARGUMENT;
    snprintf(reading->text[reading->count], 100, "%s", rule->text);
    reading->probability[reading->count++] = rule->probability;
    return NLM_OK;
}

static size_t find_clause(const struct dilp *dilp, int definition, int template, const char *wanted)
{
    const struct dilp_clauses *clauses = &dilp->definitions[definition].clauses[template];
    char text[100];
    for (size_t i = 0; i < clauses->count; i++) {
        dilp_clause_text(&clauses->items[i], dilp->predicates, text, sizeof text);
        if (strcmp(text, wanted) == 0)
            return i;
    }
    fail_msg("no clause %s", wanted);
    return 0;
}

/* After s steps along o0 -> o1 -> ... a path of up to s edges is known, and no other. */
static void edges_are_chained(void **state)
{
    (void)state;
    enum { NODES = 6 };
    static const nlm_given given[] = {{"edge", 2, false}};
    static const nlm_definition definition[] = {{"t", 2, 2, {{0, NLM_BODY_GIVEN}, {1, NLM_BODY_DEFINED}}}};
    static const nlm_program_template program = {1, 1, given, definition, false};
    struct dilp_world world = dilp_world_new(NODES, (int[]){0, 0, 1}, 2);
    float weights[8 * 58] = {0};
    struct reading reading = {0};
    for (int i = 0; i + 1 < NODES; i++)
        world.inputs[2][i * NODES + i + 1] = 1.0f;
    for (int steps = 1; steps < NODES; steps++) {
        void *model, *work;
        assert_int_equal(dilp_model(&program, steps, &model, NULL), NLM_OK);
        assert_int_equal(dilp_baseline.open(model, &work, NULL), NLM_OK);
        size_t j = find_clause(model, 0, 0, "t(X,Y) :- edge(X,Y).");
        size_t k = find_clause(model, 0, 1, "t(X,Y) :- edge(X,Z), t(Z,Y).");
        weights[j * 58 + k] = 30.0f;
        assert_int_equal(dilp_baseline.forward(work, NULL, weights, &world.world, 1, false, NULL), NLM_OK);
        for (int x = 0; x < NODES; x++)
            for (int y = 0; y < NODES; y++)
                if (y > x && y - x <= steps)
                    assert_true(world.world.logits[0][x * NODES + y] > 10.0f);
                else if (x != y)
                    assert_true(world.world.logits[0][x * NODES + y] < -10.0f);
        reading.count = 0;
        assert_int_equal(dilp_read(model, weights, 0.1, hear, &reading, NULL), NLM_OK);
        dilp_baseline.close(work);
        dilp_baseline.free(model);
    }
    assert_int_equal(reading.count, 2);
    assert_string_equal(reading.text[0], "t(X,Y) :- edge(X,Y).");
    assert_string_equal(reading.text[1], "t(X,Y) :- edge(X,Z), t(Z,Y).");
    assert_true(reading.probability[0] > 0.999 && reading.probability[1] < 1.0 + 1e-9);
    dilp_world_free(&world);
}

/* ---- learning ---- */

enum { MOST_WEIGHTS = 100 };

/* zero/1 and succ/2; how far the logits are from those of predecessor becomes their gradients, of a random
 * part of the pairs. */
static struct dilp_world count_up_to(int numbers)
{
    struct dilp_world world = dilp_world_new(numbers, (int[]){0, 1, 1}, 2);
    world.inputs[1][0] = 1.0f;
    for (int i = 0; i + 1 < numbers; i++)
        world.inputs[2][i * numbers + i + 1] = 1.0f;
    return world;
}

static void judge(struct dilp_world *world, random_stream *random)
{
    int numbers = world->world.objects;
    for (int x = 0; x < numbers; x++)
        for (int y = 0; y < numbers; y++) {
            float p = 1.0f / (1.0f + expf(-world->world.logits[0][x * numbers + y]));
            ((float *)world->world.dlogits[0])[x * numbers + y] =
                x == y || random_unit(random) < 0.5 ? 0.0f : (p - (x == y + 1 ? 1.0f : 0.0f)) / 15.0f;
        }
}

/* RMSProp at the paper's rate. */
static void learn(void *work, struct dilp_world *world, float *weights, size_t count, uint64_t seed)
{
    float square[MOST_WEIGHTS] = {0};
    random_stream random;
    random_start(&random, seed, 1);
    for (size_t i = 0; i < count; i++)
        weights[i] = (float)normal(&random);
    for (int step = 0; step < 1000; step++) {
        float gradients[MOST_WEIGHTS] = {0};
        assert_int_equal(dilp_baseline.forward(work, NULL, weights, &world->world, 1, true, NULL), NLM_OK);
        judge(world, &random);
        assert_int_equal(dilp_baseline.backward(work, NULL, weights, &world->world, 1, gradients, NULL),
                         NLM_OK);
        for (size_t i = 0; i < count; i++) {
            square[i] = 0.9f * square[i] + 0.1f * gradients[i] * gradients[i];
            weights[i] -= 0.5f * gradients[i] / sqrtf(square[i] + 1e-10f);
        }
    }
}

static void predecessor_is_learned(void **state)
{
    (void)state;
    static const nlm_given given[] = {{"zero", 1, false}, {"succ", 2, false}};
    static const nlm_definition definition[] = {{"t", 2, 1, {{0, NLM_BODY_GIVEN}}}};
    static const nlm_program_template program = {2, 1, given, definition, false};
    struct dilp_world small = count_up_to(6), large = count_up_to(12);
    void *model, *work;
    assert_int_equal(dilp_model(&program, 1, &model, NULL), NLM_OK);
    assert_int_equal(dilp_baseline.open(model, &work, NULL), NLM_OK);
    size_t count = ((const struct dilp *)model)->weights;
    assert_true(count <= MOST_WEIGHTS);
    for (uint64_t seed = 1; seed <= 5; seed++) {
        float weights[MOST_WEIGHTS];
        struct reading reading = {0};
        learn(work, &small, weights, count, seed);
        assert_int_equal(dilp_baseline.forward(work, NULL, weights, &large.world, 1, false, NULL), NLM_OK);
        for (int x = 0; x < 12; x++)
            for (int y = 0; y < 12; y++)
                assert_true(x == y || (large.world.logits[0][x * 12 + y] > 4.0f) == (x == y + 1));
        assert_int_equal(dilp_read(model, weights, 0.1, hear, &reading, NULL), NLM_OK);
        assert_int_equal(reading.count, 1);
        assert_string_equal(reading.text[0], "t(X,Y) :- succ(Y,X).");
    }
    dilp_world_free(&small);
    dilp_world_free(&large);
    dilp_baseline.close(work);
    dilp_baseline.free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(logits_are_as_defined),
        cmocka_unit_test(values_do_not_depend_on_improbable_clauses),
        cmocka_unit_test(gradients_are_those_of_the_definition),
        cmocka_unit_test(worlds_are_shared_out),
        cmocka_unit_test(edges_are_chained),
        cmocka_unit_test(predecessor_is_learned),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
