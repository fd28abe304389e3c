/* The memory network against its definition in double: logits, and gradients against central differences of
 * the definition. */
#include "definition.h"

/* The same sum over logits as the real one has gradients of. */
struct sum {
    const struct fixture *fixture;
    int world;
    double total, largest_error;
};

static void add_up(void *context, int head, size_t place, const double *logits)
{
    struct sum *s = context;
    const struct baseline_world *world = &s->fixture->world[s->world];
    for (int k = 0; k < s->fixture->model->head[head].outputs; k++) {
        size_t at = place + (size_t)k;
        s->total += logits[k] * (double)world->dlogits[head][at];
        s->largest_error = fmax(s->largest_error, fabs(logits[k] - (double)world->logits[head][at]));
    }
}

static struct sum define_sum(const struct fixture *f, const double *values)
{
    struct sum sum = {.fixture = f};
    struct definition *d = malloc(sizeof *d);
    for (int w = 0; w < f->count; w++) {
        *d = (struct definition){.model = f->model, .values = values, .world = &f->world[w]};
        memnn_draw_names(f->world[w].names, d->names);
        sum.world = w;
        define_all(d, add_up, &sum);
    }
    free(d);
    return sum;
}

static double difference(const struct fixture *f, double *values, size_t i, double h)
{
    double before = values[i], above, below;
    values[i] = before + h;
    above = define_sum(f, values).total;
    values[i] = before - h;
    below = define_sum(f, values).total;
    values[i] = before;
    return (above - below) / (2.0 * h);
}

/* About `tries` numbers of each tensor; those next to a ReLU's corner get a second chance. */
static void check_gradients(struct fixture *f, double *values, size_t tries)
{
    size_t place = 0;
    for (int t = 0; t < f->model->tensors; t++) {
        const struct baseline_tensor *tensor = &f->model->tensor[t];
        size_t count = (size_t)(tensor->shape[0] * (tensor->dimensions == 2 ? tensor->shape[1] : 1));
        double largest = 2e-2; /* at least: the bias of keys, in theory, has gradient 0 */
        for (size_t i = place; i < place + count; i++)
            largest = fmax(largest, fabs((double)f->gradients[i]));
        for (size_t i = place; i < place + count; i += 1 + count / tries) {
            double wanted = difference(f, values, i, 1e-5), found = (double)f->gradients[i];
            if (fabs(wanted - found) > 2e-5 * largest)
                wanted = difference(f, values, i, 1e-7);
            if (!(fabs(wanted - found) <= 2e-5 * largest))
                fail_msg("%s, number %zu: gradient %g, difference %g, largest %g", tensor->name, i - place,
                         found, wanted, largest);
        }
        place += count;
    }
}

static void compare(struct fixture *f, size_t tries)
{
    double *values = malloc(f->model->parameters * sizeof *values);
    for (size_t i = 0; i < f->model->parameters; i++) {
        f->values[i] *= 2.0f; /* attention that is not nearly even */
        values[i] = (double)f->values[i];
    }
    fixture_step(f, NULL);
    double error = define_sum(f, values).largest_error;
    if (!(error < 2e-6))
        fail_msg("logits are off by %g", error);
    fixture_forward(f, NULL, false);
    assert_true(define_sum(f, values).largest_error < 2e-6);
    check_gradients(f, values, tries);
    free(values);
    fixture_free(f);
}

static void pairs_with_one_hidden_layer(void **state)
{
    (void)state;
    nlm_spec spec = small_spec(3, 9, 0, 3, 1);
    nlm_head_spec heads[] = {{.name = "pairs", .arity = 2, .outputs = 2}};
    struct fixture *f = fixture_new(&spec, heads, 1);
    fixture_add(f, 5, 1);
    fixture_add(f, 3, 2);
    compare(f, 25);
}

static void all_kinds_of_heads_and_slots(void **state)
{
    (void)state;
    nlm_spec spec = small_spec(2, 16, 2, 1, 0);
    nlm_head_spec heads[] = {{.name = "a", .arity = 1, .outputs = 1},
                             {.name = "b", .arity = 2, .outputs = 3},
                             {.name = "c", .arity = 1, .outputs = 2}};
    struct fixture *f = fixture_new(&spec, heads, 3);
    fixture_add(f, 4, 3);
    fixture_add(f, 1, 4);
    fixture_add(f, 6, 5);
    compare(f, 25);
}

static void twins(void **state)
{
    (void)state;
    nlm_spec spec = small_spec(2, 7, 1, 3, 2);
    nlm_head_spec heads[] = {{.name = "move", .arity = 2, .outputs = 1, .twins = true},
                             {.name = "pairs", .arity = 2, .outputs = 1}};
    struct fixture *f = fixture_new(&spec, heads, 2);
    fixture_add(f, 8, 6);
    compare(f, 25);
}

static void properties_alone_in_one_round(void **state)
{
    (void)state;
    nlm_spec spec = small_spec(1, 12, 3, 0, 1);
    nlm_head_spec heads[] = {{.name = "objects", .arity = 1, .outputs = 1}};
    struct fixture *f = fixture_new(&spec, heads, 1);
    fixture_add(f, 6, 7);
    compare(f, 25);
}

/* More questions than a block has, more slots than attention takes at a time. */
static void several_blocks(void **state)
{
    (void)state;
    nlm_spec spec = small_spec(2, 8, 1, 2, 1);
    nlm_head_spec heads[] = {{.name = "pairs", .arity = 2, .outputs = 1}};
    struct fixture *f = fixture_new(&spec, heads, 1);
    fixture_add(f, 15, 8);
    assert_true(memnn_slots(f->model, 15) > ATTENTION_SLOTS);
    compare(f, 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pairs_with_one_hidden_layer),
        cmocka_unit_test(all_kinds_of_heads_and_slots),
        cmocka_unit_test(twins),
        cmocka_unit_test(properties_alone_in_one_round),
        cmocka_unit_test(several_blocks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
