#include "logic/small_world.h"
#include <stdlib.h>
#include <string.h>

#define MOST_STEPS ((uint64_t)20 * 1000 * 1000)

static const unit_predicate *predicate_at(const small_world *world, int predicate)
{
    return unit_predicate_at(world->question->units, predicate);
}

static signed char *entry(const small_world *world, int predicate, const int *tuple)
{
    size_t number = 0;
    for (int i = 0; i < predicate_at(world, predicate)->arity; i++)
        number = number * (size_t)world->objects + (size_t)tuple[i];
    return world->table + world->first[predicate] + number;
}

bool small_world_fact(const small_world *world, int predicate, const int *tuple)
{
    return *entry(world, predicate, tuple) == 1;
}

/* The tuple of a number; false if it repeats an object. */
static bool tuple_at(const small_world *world, int predicate, size_t number, int *tuple)
{
    const int arity = predicate_at(world, predicate)->arity;
    for (int i = arity - 1; i >= 0; i--) {
        tuple[i] = (int)(number % (size_t)world->objects);
        number /= (size_t)world->objects;
        for (int k = i + 1; k < arity; k++)
            if (tuple[k] == tuple[i])
                return false;
    }
    return true;
}

/* Tuples of a predicate. */
static size_t entries(const small_world *world, int predicate)
{
    return (predicate + 1 < world->question->units->predicate_count ? world->first[predicate + 1]
                                                                    : world->size) -
           world->first[predicate];
}

bool small_world_take(small_world *world, const ground_question *question, const ground *answer)
{
    const hard_units *units = question->units;
    *world = (small_world){.question = question, .objects = ground_objects(answer)};
    world->first = malloc((size_t)units->predicate_count * sizeof *world->first);
    for (int p = 0; p < units->predicate_count && world->first; p++) {
        size_t count = 1;
        for (int i = 0; i < unit_predicate_at(units, p)->arity; i++)
            count *= (size_t)world->objects;
        world->first[p] = world->size;
        world->size += count;
    }
    world->table = world->first ? calloc(world->size, 1) : NULL;
    if (!world->table) {
        small_world_free(world);
        return false;
    }
    for (int p = 0; p < units->predicate_count; p++)
        for (size_t t = 0; t < entries(world, p) && predicate_at(world, p)->layer == 0; t++) {
            int tuple[NLM_MAX_BREADTH];
            world->table[world->first[p] + t] = tuple_at(world, p, t, tuple) && ground_fact(answer, p, tuple);
        }
    return true;
}

void small_world_free(small_world *world)
{
    free(world->first);
    free(world->table);
    *world = (small_world){0};
}

/* ---- the machine ---- */

static bool predicate_holds(small_world *world, int predicate, const int *tuple);

/* A reduction over no object: "exists" is false, "for all" true. */
static bool input_holds(small_world *world, const unit_input *input, const int *tuple)
{
    int read[NLM_MAX_BREADTH + 1];
    for (int k = 0; k < input->arity; k++)
        read[k] = tuple[input->place[k]];
    if (input->operation == NLM_OWN || input->operation == NLM_EXPAND)
        return predicate_holds(world, input->source, read);
    const bool exists = input->operation == NLM_EXISTS;
    for (int z = 0; z < world->objects; z++) {
        bool other = true;
        for (int k = 0; k < input->arity; k++)
            other &= read[k] != z;
        read[input->arity] = z;
        if (other && predicate_holds(world, input->source, read) == exists)
            return exists;
    }
    return !exists;
}

static bool predicate_holds(small_world *world, int predicate, const int *tuple)
{
    const unit_predicate *p = predicate_at(world, predicate);
    signed char *value = entry(world, predicate, tuple);
    if (*value < 0) {
        int node = p->root;
        while (node > UNITS_YES) {
            const unit_node *of = unit_node_at(world->question->units, node);
            node = input_holds(world, unit_input_at(world->question->units, of->input), tuple) ? of->high
                                                                                               : of->low;
        }
        *value = node == UNITS_YES;
    }
    return *value;
}

/* ---- the program ---- */

static bool formula_holds(small_world *world, formula f, const int *value);

static bool atom_holds(small_world *world, const formula_node *node, const int *value)
{
    const nlm_program *program = world->question->program;
    int arguments[FORMULA_VARIABLES] = {0};
    for (int i = 0; i < node->arity; i++) {
        arguments[i] = value[node->variable[i]];
        for (int k = 0; k < i && node->predicate < program->input_count; k++)
            if (arguments[k] == arguments[i])
                return false;
    }
    return node->predicate < program->input_count
               ? small_world_fact(world, world->question->input[node->predicate], arguments)
               : formula_holds(world, program_at(program, node->predicate)->body, arguments);
}

static bool formula_holds(small_world *world, formula f, const int *value)
{
    const formula_store *store = &world->question->program->store;
    const formula_node *node = formula_at(store, f);
    int inside[FORMULA_VARIABLES];
    if (++world->steps > MOST_STEPS)
        return false;
    switch ((formula_kind)node->kind) {
    case FORMULA_CONSTANT:
        return f == FORMULA_TRUE;
    case FORMULA_ATOM:
        return atom_holds(world, node, value);
    case FORMULA_EQUAL:
        return value[node->variable[0]] == value[node->variable[1]];
    case FORMULA_NOT:
        return !formula_holds(world, node->part, value);
    case FORMULA_EXISTS:
        memcpy(inside, value, sizeof inside);
        for (int z = 0; z < world->objects; z++) {
            inside[node->bound] = z;
            if (formula_holds(world, node->part, inside))
                return true;
        }
        return false;
    case FORMULA_AND:
    case FORMULA_OR:
        break;
    }
    for (uint32_t i = 0; i < node->count; i++)
        if (formula_holds(world, formula_parts(store, f)[i], value) == (node->kind == FORMULA_OR))
            return node->kind == FORMULA_OR;
    return node->kind == FORMULA_AND;
}

/* ---- differences ---- */

bool small_world_differs(small_world *world)
{
    const ground_question *question = world->question;
    int tuple[FORMULA_VARIABLES] = {0};
    for (int p = 0; p < question->units->predicate_count; p++)
        if (predicate_at(world, p)->layer > 0)
            memset(world->table + world->first[p], -1, entries(world, p));
    for (int i = 0; i < FORMULA_MOST_ARITY; i++)
        tuple[i] = i;
    world->steps = 0;
    const bool machine = predicate_holds(world, question->units->head[question->head], tuple);
    const bool program =
        formula_holds(world, program_at(question->program, question->definition)->body, tuple);
    return world->steps <= MOST_STEPS && machine == question->machine && program != machine;
}

void small_world_shrink(small_world *world)
{
    for (int p = 0; p < world->question->units->predicate_count; p++)
        for (size_t t = 0; t < entries(world, p) && predicate_at(world, p)->layer == 0; t++) {
            signed char *fact = world->table + world->first[p] + t;
            if (!*fact)
                continue;
            *fact = 0;
            if (!small_world_differs(world)) {
                *fact = 1;
                if (world->steps > MOST_STEPS / 100)
                    return; /* it takes too long */
            }
        }
}
