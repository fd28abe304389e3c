/* The command that makes the runs of a folder. */
#include <string.h>
#include "reproduce.h"

/* Of a subject: the largest seed (0: it has no runs), and whether its runs have the budget of --quick. */
typedef struct made {
    uint64_t seeds;
    bool quick;
} made;

static void look_at(const reproduction *of, made all[REPRODUCE_NAMES])
{
    memset(all, 0, REPRODUCE_NAMES * sizeof *all);
    for (int i = 0; i < of->count; i++) {
        const outcome *one = &of->runs[i];
        made *to = &all[one->subject];
        to->seeds = one->seed > to->seeds ? one->seed : to->seeds;
        to->quick = to->quick || reproduce_is_quick(of, one->subject, one->budget);
    }
}

/* ---- sets of subjects ---- */

/* What --models and --tasks say: of which models, and of which tasks, at least one is in the set. */
static bool has_model(const bool in[REPRODUCE_NAMES], reproduce_model model)
{
    for (int s = 0; s < reproduce_subjects(); s++) {
        if (in[s] && reproduce_model_of(s) == model)
            return true;
    }
    return false;
}

static bool has_task(const bool in[REPRODUCE_NAMES], int index)
{
    for (int s = 0; s < reproduce_subjects(); s++) {
        if (in[s] && strcmp(reproduce_task(s), reproduce_task(index)) == 0)
            return true;
    }
    return false;
}

/* Whether models and tasks tell the whole set and nothing else. */
static bool can_be_told(const bool in[REPRODUCE_NAMES])
{
    for (int s = 0; s < reproduce_subjects(); s++) {
        if (in[s] != (has_model(in, reproduce_model_of(s)) && has_task(in, s)))
            return false;
    }
    return true;
}

/* ---- texts ---- */

static void write_models(FILE *file, const bool in[REPRODUCE_NAMES])
{
    const char *parted = " --models ";
    int missing = 0;
    for (int m = 0; m < REPRODUCE_MODELS; m++)
        missing += !has_model(in, (reproduce_model)m);
    for (int m = 0; missing > 0 && m < REPRODUCE_MODELS; m++) {
        if (!has_model(in, (reproduce_model)m))
            continue;
        fprintf(file, "%s%s", parted, reproduce_model_name((reproduce_model)m));
        parted = ",";
    }
}

/* Each once, and "ilp" for all of these. */
static void write_tasks(FILE *file, const bool in[REPRODUCE_NAMES])
{
    const char *parted = " --tasks ";
    bool told[REPRODUCE_NAMES] = {false}, all = true, all_ilp = true;
    for (int s = 0; s < reproduce_subjects(); s++) {
        all = all && (in[s] || !has_model(in, reproduce_model_of(s)));
        all_ilp = all_ilp && (!reproduce_is_ilp(s) || has_task(in, s));
    }
    for (int s = 0; !all && s < reproduce_subjects(); s++) {
        if (!in[s] || has_task(told, s))
            continue;
        const bool family = all_ilp && reproduce_is_ilp(s);
        fprintf(file, "%s%s", parted, family ? "ilp" : reproduce_task(s));
        parted = ",";
        for (int other = 0; other < reproduce_subjects(); other++)
            told[other] = told[other] || other == s || (family && reproduce_is_ilp(other));
    }
}

/* Without seeds: as many as is usual. */
static void write_command(FILE *file, const reproduction *of, const bool in[REPRODUCE_NAMES], uint64_t seeds,
                          bool quick)
{
    fprintf(file, "%snlm reproduce%s", ftell(file) > 0 ? " && " : "", quick ? " --quick" : "");
    write_models(file, in);
    write_tasks(file, in);
    if (seeds > 0)
        fprintf(file, " --seeds %llu", (unsigned long long)seeds);
    fprintf(file, " --protocol %s --worlds %d", nlm_protocol_name(of->protocol), of->worlds);
}

/* ---- commands ---- */

/* Whether one command without --seeds makes all; with --quick or without. */
static bool is_usual(const made all[REPRODUCE_NAMES], bool quick)
{
    bool in[REPRODUCE_NAMES];
    for (int s = 0; s < reproduce_subjects(); s++) {
        in[s] = all[s].seeds > 0;
        if (in[s] && (all[s].seeds != (uint64_t)reproduce_seeds(s, quick) ||
                      (reproduce_model_of(s) == REPRODUCE_MEMNN && all[s].quick != quick)))
            return false;
    }
    return can_be_told(in);
}

/* Those with as many seeds and the same budget as a subject; returns whether it is the first of them. */
static bool group_of(const made all[REPRODUCE_NAMES], int index, bool in[REPRODUCE_NAMES])
{
    int first = -1;
    for (int s = 0; s < reproduce_subjects(); s++) {
        in[s] = all[s].seeds > 0 && all[s].seeds == all[index].seeds && all[s].quick == all[index].quick;
        first = in[s] && first < 0 ? s : first;
    }
    return first == index;
}

/* One command if it can be told so, else one for each model. */
static void write_group(FILE *file, const reproduction *of, const bool in[REPRODUCE_NAMES], made like)
{
    if (can_be_told(in)) {
        write_command(file, of, in, like.seeds, like.quick);
        return;
    }
    for (int m = 0; m < REPRODUCE_MODELS; m++) {
        bool part[REPRODUCE_NAMES];
        for (int s = 0; s < reproduce_subjects(); s++)
            part[s] = in[s] && reproduce_model_of(s) == (reproduce_model)m;
        if (has_model(part, (reproduce_model)m))
            write_command(file, of, part, like.seeds, like.quick);
    }
}

const char *reproduce_command(const reproduction *of, char text[REPRODUCE_COMMAND])
{
    made all[REPRODUCE_NAMES];
    bool in[REPRODUCE_NAMES];
    int groups = 0;
    look_at(of, all);
    memset(text, 0, REPRODUCE_COMMAND);
    FILE *file = fmemopen(text, REPRODUCE_COMMAND, "w");
    if (file == NULL)
        return text;
    for (int s = 0; s < reproduce_subjects(); s++)
        groups += group_of(all, s, in);
    const bool usual = groups > 1 && is_usual(all, false), quick = groups > 1 && is_usual(all, true);
    if (usual || quick) {
        for (int s = 0; s < reproduce_subjects(); s++)
            in[s] = all[s].seeds > 0;
        write_command(file, of, in, 0, !usual);
    }
    for (int s = 0; !usual && !quick && s < reproduce_subjects(); s++) {
        if (group_of(all, s, in))
            write_group(file, of, in, all[s]);
    }
    fclose(file);
    return text;
}
