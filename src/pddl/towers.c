/* From a PDDL problem to towers of blocks.  Facts must say of every block what it stands on, and that of
 * every block without another on it that it is clear.  Goals may leave blocks out; completing them:
 *
 *     Bottom up, as the blocks stand in the beginning: a free block stays on the table; it stays on a block
 * that stays itself if the goal puts no other block there and does not want it clear; else it goes onto the
 * table.
 *
 * The result has every block on one place and no circles, since a block that stays stands as in the beginning
 * down to the table, and the blocks of the goal were checked for circles. */
#include "pddl/towers.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include "base/error.h"
#include "syntax/reading_message.h"

/* ---- words ---- */

/* "file:line: cause"; without a line if it is 0. */
__attribute__((format(printf, 4, 5))) static nlm_status refuse_line(const struct nlm_pddl *of, size_t line,
                                                                    nlm_error *error, const char *format, ...)
{
    char cause[NLM_ERROR_SIZE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(cause, sizeof cause, format, arguments);
    va_end(arguments);
    return message_refuse(error, of->problem_text.file, line, "%s", cause);
}

/* Whether a name is "ontable", written with or without marks. */
static bool is_on_table(const char *name)
{
    const char *want = "ontable";
    for (; *name != '\0' && *want != '\0'; name++) {
        if (*name == *want)
            want++;
        else if (*name != '-' && *name != '_')
            return false;
    }
    return *name == '\0' && *want == '\0';
}

static nlm_status find_words(const struct nlm_pddl *of, struct tower_words *words, nlm_error *error)
{
    *words = (struct tower_words){-1, -1, -1, strips_find_object(of, "table")};
    for (int p = 0; p < of->predicates.count; p++) {
        const struct strips_predicate *predicate = STRIPS_ITEM(predicate, of->predicates, p);
        if (!strcmp(predicate->name, "on") && predicate->arity == 2)
            words->on = p;
        if (is_on_table(predicate->name) && predicate->arity == 1)
            words->on_table = p;
        if (!strcmp(predicate->name, "clear") && predicate->arity == 1)
            words->clear = p;
    }
    if (words->on < 0)
        return pddl_refuse(&of->domain_text, PDDL_NONE, error,
                           "the domain %s is no blocks world: it has no predicate (on ?x ?y)", of->domain);
    if (words->on_table < 0 && words->table < 0)
        return pddl_refuse(&of->domain_text, PDDL_NONE, error,
                           "the domain %s is no blocks world: it has neither a predicate (ontable ?x) nor an "
                           "object called table",
                           of->domain);
    return NLM_OK;
}

/* ---- what is said of a place ---- */

/* Whether a literal says what a block stands on: of which, and what it is; for (on table x) the block is 0.
 */
static bool says_place(const struct towers *towers, const struct strips_literal *literal, int *block,
                       int *below)
{
    const struct tower_words *words = &towers->words;
    if (literal->predicate == STRIPS_EQUAL ||
        (literal->predicate != words->on && literal->predicate != words->on_table))
        return false;
    *block = towers->block[literal->argument[0]];
    *below = literal->predicate == words->on ? towers->block[literal->argument[1]] : 0;
    return true;
}

static const char *name_of(const struct nlm_pddl *of, const struct towers *towers, int block)
{
    return block > 0 ? STRIPS_ITEM(object, of->objects, towers->object[block])->name : "the table";
}

/* Put a block where facts or the goal say, unless something contradicts it: the table is no block, a block
 * has one place, and one block at most stands on another.  above[b] is the block on b. */
static nlm_status place(const struct nlm_pddl *of, const struct towers *towers,
                        const struct strips_literal *literal, int *places, int *above, nlm_error *error)
{
    int block, below;
    char text[STRIPS_TEXT];
    if (!says_place(towers, literal, &block, &below))
        return NLM_OK;
    strips_literal_text(of, literal, NULL, text);
    if (block == 0 || block == below)
        return refuse_line(of, literal->line, error, "%.150s: %s cannot stand on %s", text,
                           name_of(of, towers, block), block == 0 ? "anything" : "itself");
    if (places[block] != TOWERS_FREE && places[block] != below)
        return refuse_line(of, literal->line, error, "%.150s: %s also stands on %s", text,
                           name_of(of, towers, block), name_of(of, towers, places[block]));
    if (below > 0 && above[below] > 0 && above[below] != block)
        return refuse_line(of, literal->line, error, "%.150s: %s also stands on %s", text,
                           name_of(of, towers, above[below]), name_of(of, towers, below));
    places[block] = below;
    if (below > 0)
        above[below] = block;
    return NLM_OK;
}

/* Whether going down from some block leads in a circle; *in is one of its blocks. */
static bool has_circle(const struct towers *towers, const int *places, int *in)
{
    for (*in = 1; *in <= towers->blocks; ++*in) {
        int block = places[*in];
        for (int steps = 0; block > 0 && block != *in && steps <= towers->blocks; steps++)
            block = places[block];
        if (block == *in)
            return true;
    }
    return false;
}

/* ---- the beginning ---- */

static nlm_status check_clear(const struct nlm_pddl *of, const struct towers *towers, const int *above,
                              bool *said_clear, nlm_error *error)
{
    for (int f = 0; f < of->facts.count && towers->words.clear >= 0; f++) {
        const struct strips_literal *fact = STRIPS_ITEM(literal, of->facts, f);
        const int block = fact->predicate == towers->words.clear ? towers->block[fact->argument[0]] : 0;
        if (block > 0 && above[block] > 0)
            return refuse_line(of, fact->line, error, "(clear %s), but %s stands on it",
                               name_of(of, towers, block), name_of(of, towers, above[block]));
        said_clear[block] = true;
    }
    for (int block = 1; block <= towers->blocks && towers->words.clear >= 0; block++)
        if (above[block] == 0 && !said_clear[block])
            return refuse_line(of, 0, error, "nothing stands on %s, but (clear %s) is not among the facts",
                               name_of(of, towers, block), name_of(of, towers, block));
    return NLM_OK;
}

static nlm_status read_start(const struct nlm_pddl *of, struct towers *towers, int *above, bool *said_clear,
                             nlm_error *error)
{
    nlm_status status = NLM_OK;
    int block;
    for (int f = 0; f < of->facts.count && !status; f++)
        status = place(of, towers, STRIPS_ITEM(literal, of->facts, f), towers->start, above, error);
    for (block = 1; block <= towers->blocks && !status; block++)
        if (towers->start[block] == TOWERS_FREE)
            status =
                refuse_line(of, 0, error,
                            "the facts do not say what %s stands on; every object is a block here, and none "
                            "may be held in the beginning",
                            name_of(of, towers, block));
    if (!status && has_circle(towers, towers->start, &block))
        status = refuse_line(of, 0, error, "the facts let %s stand on itself in a circle",
                             name_of(of, towers, block));
    return status ? status : check_clear(of, towers, above, said_clear, error);
}

/* ---- the end ---- */

/* A part of the goal that is not about places: (clear b) is noted, what no action of a blocks world could
 * spoil, such as (handempty), must hold already. */
static nlm_status read_other_goal(const struct nlm_pddl *of, const struct towers *towers,
                                  const struct strips_literal *literal, const struct atom_set *facts,
                                  bool *wants_clear, nlm_error *error)
{
    char text[STRIPS_TEXT];
    const bool clear = literal->predicate == towers->words.clear && !literal->negative;
    if (clear)
        wants_clear[towers->block[literal->argument[0]]] = true;
    else if (literal->negative || literal->predicate == STRIPS_EQUAL ||
             !strips_holds(of, facts, literal, NULL))
        return refuse_line(
            of, literal->line, error,
            "the goal %.150s is not supported: goals say where blocks stand (on, ontable, clear); "
            "anything else must hold in the beginning",
            strips_literal_text(of, literal, NULL, text));
    return NLM_OK;
}

static nlm_status read_goal(const struct nlm_pddl *of, struct towers *towers, int *above, bool *wants_clear,
                            nlm_error *error)
{
    struct atom_set facts;
    int block, below;
    nlm_status status = strips_begin(of, &facts, error);
    if (status)
        return status;
    for (int g = 0; g < of->goal.count && !status; g++) {
        const struct strips_literal *literal = STRIPS_ITEM(literal, of->goal, g);
        status = !literal->negative && says_place(towers, literal, &block, &below)
                     ? place(of, towers, literal, towers->target, above, error)
                     : read_other_goal(of, towers, literal, &facts, wants_clear, error);
    }
    atom_set_release(&facts);
    for (int g = 0; g < of->goal.count && !status; g++) {
        const struct strips_literal *literal = STRIPS_ITEM(literal, of->goal, g);
        block = literal->predicate == towers->words.clear && literal->predicate >= 0
                    ? towers->block[literal->argument[0]]
                    : 0;
        if (block > 0 && above[block] > 0)
            status = refuse_line(of, literal->line, error, "the goal wants %s clear, and %s on it",
                                 name_of(of, towers, block), name_of(of, towers, above[block]));
    }
    if (!status && has_circle(towers, towers->target, &block))
        status = refuse_line(of, 0, error, "the goal lets %s stand on itself in a circle",
                             name_of(of, towers, block));
    return status;
}

/* Blocks from the table up: `order` has those whose place is settled first. */
static void complete_goal(struct towers *towers, const int *above, const bool *wants_clear, int *order,
                          bool *stays)
{
    int count = 0;
    stays[0] = true;
    for (int block = 1; block <= towers->blocks; block++) /* lowest first */
        if (towers->start[block] == 0)
            order[count++] = block;
    for (int i = 0; i < count; i++) {
        for (int block = 1; block <= towers->blocks && count < towers->blocks; block++)
            if (towers->start[block] == order[i])
                order[count++] = block;
        const int block = order[i], below = towers->start[block];
        if (towers->target[block] == TOWERS_FREE) {
            const bool fits = below == 0 || (stays[below] && above[below] == 0 && !wants_clear[below]);
            towers->target[block] = fits ? below : 0;
            towers->free++;
        }
        stays[block] = stays[below] && towers->target[block] == below;
    }
}

/* ---- both ---- */

static nlm_status number_blocks(const struct nlm_pddl *of, struct towers *towers, nlm_error *error)
{
    for (int object = 0; object < of->objects.count; object++) {
        if (object == towers->words.table)
            continue;
        if (towers->blocks == TOWERS_MOST_BLOCKS)
            return refuse_line(of, 0, error, "more than %d blocks", TOWERS_MOST_BLOCKS);
        towers->block[object] = ++towers->blocks;
        towers->object[towers->blocks] = object;
    }
    return towers->blocks > 0 ? NLM_OK : refuse_line(of, 0, error, "the problem has no blocks");
}

nlm_status towers_read(const struct nlm_pddl *of, struct towers *towers, nlm_error *error)
{
    enum { ROWS = 7 };
    const size_t row = (size_t)of->objects.count + 1;
    *towers = (struct towers){0};
    bool *flags = memory_new(2 * row, sizeof *flags);
    nlm_status status = find_words(of, &towers->words, error);
    if (!status && (!flags || buffer_reserve(&towers->store, ROWS * row, sizeof(int), false)))
        status = error_no_memory(error);
    if (!status) {
        int *rows = towers->store.data;
        memset(rows, 0, ROWS * row * sizeof *rows);
        towers->block = rows;
        towers->object = rows + row;
        towers->start = rows + 2 * row;
        towers->target = rows + 3 * row;
        for (size_t i = 0; i < row; i++)
            towers->start[i] = towers->target[i] = TOWERS_FREE;
        status = number_blocks(of, towers, error);
        if (!status)
            status = read_start(of, towers, rows + 4 * row, flags, error);
        if (!status)
            memset(flags, 0, row * sizeof *flags);
        if (!status)
            status = read_goal(of, towers, rows + 5 * row, flags, error);
        if (!status)
            complete_goal(towers, rows + 5 * row, flags, rows + 6 * row, flags + row);
    }
    memory_free(flags);
    if (status)
        towers_release(towers);
    return status;
}

void towers_release(struct towers *towers)
{
    buffer_free(&towers->store);
    *towers = (struct towers){0};
}
