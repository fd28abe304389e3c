/* The digest of a problem.
 *
 * Objects, facts and labels are hashed by name and added up, so that their order in the files does not
 * matter; predicates count in the order of the signature, worlds in theirs. */
#include <string.h>
#include "facts/problem.h"
#include "world/tuples.h"

/* A bijection that mixes all bits (the end of splitmix64). */
static uint64_t mix(uint64_t x)
{
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9u;
    x = (x ^ x >> 27) * 0x94D049BB133111EBu;
    return x ^ x >> 31;
}

static uint64_t then(uint64_t before, uint64_t more)
{
    return mix(before * 0x9E3779B97F4A7C15u + more + 1);
}

/* FNV-1a, mixed. */
static uint64_t hash_text(const char *text)
{
    uint64_t hash = 0xCBF29CE484222325u;
    for (const unsigned char *c = (const unsigned char *)text; *c; c++)
        hash = (hash ^ *c) * 0x100000001B3u;
    return mix(hash);
}

static uint64_t hash_tuple(uint64_t start, const nlm_world *world, const int *tuple, int arity)
{
    for (int k = 0; k < arity; k++)
        start = then(start, hash_text(nlm_world_object_name(world, tuple[k])));
    return start;
}

static uint64_t hash_facts(const nlm_world *world, int predicate)
{
    const int *tuples;
    const float *values;
    int arity = nlm_world_predicate_arity(world, predicate);
    size_t count = nlm_world_facts(world, predicate, &tuples, &values);
    uint64_t sum = 0;
    for (size_t i = 0; i < count; i++) {
        uint32_t bits;
        memcpy(&bits, &values[i], sizeof bits);
        sum += hash_tuple(bits, world, tuple_listed(tuples, i, arity), arity);
    }
    return sum;
}

static uint64_t hash_numbers(const nlm_world *world, int attribute)
{
    const int *tuples;
    const double *numbers;
    int arity = nlm_world_attribute_arity(world, attribute);
    size_t count = nlm_world_numbers(world, attribute, &tuples, &numbers);
    uint64_t sum = 0;
    for (size_t i = 0; i < count; i++) {
        uint64_t bits;
        memcpy(&bits, &numbers[i], sizeof bits);
        sum += hash_tuple(bits, world, tuple_listed(tuples, i, arity), arity);
    }
    return sum;
}

/* Labels that say no more than the default does not count. */
static uint64_t hash_labels(const nlm_world *world, int target)
{
    const int *tuples;
    const signed char *labels;
    nlm_label by_default;
    int arity = nlm_world_target_arity(world, target);
    size_t count = nlm_world_labels(world, target, &tuples, &labels, &by_default);
    uint64_t sum = then(0, (uint64_t)(by_default + 1));
    for (size_t i = 0; i < count; i++)
        if (labels[i] != by_default)
            sum += hash_tuple((uint64_t)(labels[i] + 1), world, tuple_listed(tuples, i, arity), arity);
    return sum;
}

static uint64_t hash_world(const nlm_world *world)
{
    uint64_t objects = 0;
    for (int object = 0; object < nlm_world_objects(world); object++)
        objects += hash_text(nlm_world_object_name(world, object));
    uint64_t digest = then(0, objects);
    for (int p = 0; p < nlm_world_predicates(world); p++)
        digest = then(digest, hash_facts(world, p));
    for (int a = 0; a < nlm_world_attributes(world); a++)
        digest = then(digest, hash_numbers(world, a));
    for (int t = 0; t < nlm_world_targets(world); t++)
        digest = then(digest, hash_labels(world, t));
    return digest;
}

uint64_t nlm_problem_digest(const nlm_problem *problem)
{
    uint64_t digest = hash_text(problem->signature->text);
    for (int w = 0; w < problem->world_count; w++)
        digest = then(digest, hash_world(nlm_problem_world(problem, w)));
    return digest;
}
