/* What the weights of a machine read: nlm_unit_column and nlm_head_column for all columns, as numbers.
 *
 * A predicate is read by several columns of a matrix (in each order of the variables, expanded, reduced by
 * both quantifiers) and by several matrices.  The map finds all of them by one comparison. */
#include "learn/weight_map.h"

#include <string.h>
#include "base/error.h"
#include "base/memory.h"

/* Numbers of the first predicates of all units; inputs have WEIGHT_READS_INPUT. */
struct numbering {
    int first[NLM_MAX_DEPTH + 1][NLM_MAX_BREADTH + 1];
};

/* Layers are visited from the first on, so what a column reads has its number already. */
static int number_of(const struct numbering *numbering, const nlm_column *column)
{
    return column->layer > 0 ? numbering->first[column->layer][column->arity] + column->predicate
                             : WEIGHT_READS_INPUT;
}

/* The matrix of a tensor, its biases being the next one; what it reads is filled in afterwards. */
static struct weight_matrix *add_matrix(struct weight_map *map, nlm_machine *machine, int tensor, int first,
                                        int **reads)
{
    /* the values are windows into the machine: nothing is copied */
    const nlm_tensor weights = nlm_machine_tensor(machine, tensor);
    struct weight_matrix *matrix = &map->matrix[map->count++];
    *matrix = (struct weight_matrix){
        .rows = weights.shape[0],
        .columns = weights.shape[1],
        .first = first,
        .weights = weights.values,
        .biases = nlm_machine_tensor(machine, tensor + 1).values,
        .reads = *reads,
    };
    *reads += matrix->columns;
    return matrix;
}

/* Units in the order of layers, then heads; each takes the next part of `reads`. */
static void fill(struct weight_map *map, nlm_machine *machine)
{
    const nlm_spec *spec = nlm_machine_spec(machine);
    struct numbering numbering;
    nlm_column column;
    int *reads = map->reads;
    for (int i = 1; i <= spec->depth; i++)
        for (int r = 0; r <= spec->breadth; r++) {
            if (nlm_unit_tensor(machine, i, r) < 0)
                continue;
            int *to = reads;
            numbering.first[i][r] = map->predicates;
            add_matrix(map, machine, nlm_unit_tensor(machine, i, r), map->predicates, &reads);
            map->predicates += nlm_unit_width(machine, i, r);
            for (int c = 0; nlm_unit_column(machine, i, r, c, &column); c++)
                to[c] = number_of(&numbering, &column);
        }
    for (int h = 0; h < nlm_machine_heads(machine); h++) {
        int *to = reads;
        add_matrix(map, machine, nlm_head_tensor(machine, h), -1, &reads);
        for (int c = 0; nlm_head_column(machine, h, c, &column); c++)
            to[c] = number_of(&numbering, &column);
    }
}

/* Sizes from the tensors first, so that nothing moves once matrices point to it. */
nlm_status weight_map_new(nlm_machine *machine, struct weight_map **map, nlm_error *error)
{
    struct weight_map *made = memory_new(1, sizeof *made);
    *map = NULL;
    if (!made)
        return error_no_memory(error);
    size_t columns = 0, matrices = 0;
    for (int t = 0; t < nlm_machine_tensors(machine); t++) {
        const nlm_tensor tensor = nlm_machine_tensor(machine, t);
        matrices += tensor.dimensions == 2;
        columns += tensor.dimensions == 2 ? (size_t)tensor.shape[1] : 0;
    }
    made->matrix = memory_new(matrices, sizeof *made->matrix);
    made->reads = memory_new(columns, sizeof *made->reads);
    if (!made->matrix || !made->reads) {
        weight_map_free(made);
        return error_no_memory(error);
    }
    fill(made, machine);
    *map = made;
    return NLM_OK;
}

void weight_map_free(struct weight_map *map)
{
    if (!map)
        return;
    memory_free(map->matrix);
    memory_free(map->reads);
    memory_free(map);
}

/* A pass over all weights: elimination calls it after each success, which is rare beside its tests. */
size_t weight_map_left(const struct weight_map *map)
{
    size_t left = 0;
    for (int m = 0; m < map->count; m++)
        for (int i = 0; i < map->matrix[m].rows * map->matrix[m].columns; i++)
            left += map->matrix[m].weights[i] != 0.0f;
    return left;
}

void weight_map_used(const struct weight_map *map, bool *used)
{
    memset(used, 0, (size_t)map->predicates * sizeof *used);
    for (int m = 0; m < map->count; m++) {
        const struct weight_matrix *matrix = &map->matrix[m];
        for (int i = 0; i < matrix->rows * matrix->columns; i++) {
            const int read = matrix->reads[i % matrix->columns];
            if (read != WEIGHT_READS_INPUT && matrix->weights[i] != 0.0f)
                used[read] = true;
        }
    }
}
