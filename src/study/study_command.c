/* The command that makes the runs of a folder: each set of subjects that --models and --tasks can name. */
#include <string.h>
#include "study/study.h"

/* Of a subject: the largest seed (0: it has no runs), and whether its runs have the budget of --quick. */
typedef struct made {
    uint64_t seeds;
    bool quick;
} made;

static void look_at(const nlm_study *of, made all[NLM_STUDY_SUBJECTS])
{
    memset(all, 0, NLM_STUDY_SUBJECTS * sizeof *all);
    for (int i = 0; i < of->count; i++) {
        const nlm_study_run *one = &of->runs[i];
        made *to = &all[one->subject - of->subjects];
        to->seeds = one->result.seed > to->seeds ? one->result.seed : to->seeds;
        to->quick = to->quick || subject_is_quick(of, one->subject, one->result.budget);
    }
}

/* ---- sets of subjects ---- */

/* What --models and --tasks say: of which models, and of which tasks, at least one is in the set. */
static bool has_model(const nlm_study *of, const bool in[NLM_STUDY_SUBJECTS], const char *model)
{
    for (int s = 0; s < of->subject_count; s++) {
        if (in[s] && subject_is(&of->subjects[s], model))
            return true;
    }
    return false;
}

static bool has_task(const nlm_study *of, const bool in[NLM_STUDY_SUBJECTS], int index)
{
    for (int s = 0; s < of->subject_count; s++) {
        if (in[s] && strcmp(of->subjects[s].what, of->subjects[index].what) == 0)
            return true;
    }
    return false;
}

/* Whether options for models and tasks select the whole set and nothing else. */
static bool is_one_command(const nlm_study *of, const bool in[NLM_STUDY_SUBJECTS])
{
    for (int s = 0; s < of->subject_count; s++) {
        if (in[s] != (has_model(of, in, of->subjects[s].model) && has_task(of, in, s)))
            return false;
    }
    return true;
}

/* ---- texts ---- */

static void write_models(FILE *file, const nlm_study *of, const bool in[NLM_STUDY_SUBJECTS])
{
    const char *parted = " --models ";
    int missing = 0;
    for (int m = 0; nlm_model_name(m) != NULL; m++)
        missing += !has_model(of, in, nlm_model_name(m));
    for (int m = 0; missing > 0 && nlm_model_name(m) != NULL; m++) {
        if (!has_model(of, in, nlm_model_name(m)))
            continue;
        fprintf(file, "%s%s", parted, nlm_model_name(m));
        parted = ",";
    }
}

/* Each once, and "ilp" for all of these. */
static void write_tasks(FILE *file, const nlm_study *of, const bool in[NLM_STUDY_SUBJECTS])
{
    const char *parted = " --tasks ";
    bool written[NLM_STUDY_SUBJECTS] = {false}, all = true, all_ilp = true;
    for (int s = 0; s < of->subject_count; s++) {
        all = all && (in[s] || !has_model(of, in, of->subjects[s].model));
        all_ilp = all_ilp && (!of->subjects[s].ilp || has_task(of, in, s));
    }
    for (int s = 0; !all && s < of->subject_count; s++) {
        if (!in[s] || has_task(of, written, s))
            continue;
        const bool family = all_ilp && of->subjects[s].ilp;
        fprintf(file, "%s%s", parted, family ? "ilp" : of->subjects[s].what);
        parted = ",";
        for (int other = 0; other < of->subject_count; other++)
            written[other] = written[other] || other == s || (family && of->subjects[other].ilp);
    }
}

/* Without seeds: as many as is usual. */
static void write_command(FILE *file, const nlm_study *of, const bool in[NLM_STUDY_SUBJECTS], uint64_t seeds,
                          bool quick)
{
    fprintf(file, "%snlm reproduce%s", ftell(file) > 0 ? " && " : "", quick ? " --quick" : "");
    write_models(file, of, in);
    write_tasks(file, of, in);
    if (seeds > 0)
        fprintf(file, " --seeds %llu", (unsigned long long)seeds);
    fprintf(file, " --protocol %s --worlds %d", nlm_protocol_name(of->plan.protocol), of->plan.worlds);
    if (!of->plan.rules && has_model(of, in, "nlm"))
        fputs(" --no-rules", file);
}

/* ---- commands ---- */

/* Whether one command without --seeds makes all; with --quick or without. */
static bool is_usual(const nlm_study *of, const made all[NLM_STUDY_SUBJECTS], bool quick)
{
    bool in[NLM_STUDY_SUBJECTS];
    for (int s = 0; s < of->subject_count; s++) {
        in[s] = all[s].seeds > 0;
        if (in[s] && (all[s].seeds != (uint64_t)subject_seeds(&of->subjects[s], quick) ||
                      (subject_is(&of->subjects[s], "memnn") && all[s].quick != quick)))
            return false;
    }
    return is_one_command(of, in);
}

/* Those with as many seeds and the same budget as a subject; returns whether it is the first of them. */
static bool group_of(const nlm_study *of, const made all[NLM_STUDY_SUBJECTS], int index,
                     bool in[NLM_STUDY_SUBJECTS])
{
    int first = -1;
    for (int s = 0; s < of->subject_count; s++) {
        in[s] = all[s].seeds > 0 && all[s].seeds == all[index].seeds && all[s].quick == all[index].quick;
        first = in[s] && first < 0 ? s : first;
    }
    return first == index;
}

/* One command if that is enough, else one for each model. */
static void write_group(FILE *file, const nlm_study *of, const bool in[NLM_STUDY_SUBJECTS], made like)
{
    if (is_one_command(of, in)) {
        write_command(file, of, in, like.seeds, like.quick);
        return;
    }
    for (int m = 0; nlm_model_name(m) != NULL; m++) {
        bool part[NLM_STUDY_SUBJECTS];
        for (int s = 0; s < of->subject_count; s++)
            part[s] = in[s] && subject_is(&of->subjects[s], nlm_model_name(m));
        if (has_model(of, part, nlm_model_name(m)))
            write_command(file, of, part, like.seeds, like.quick);
    }
}

const char *study_command(const nlm_study *of, char text[STUDY_COMMAND])
{
    made all[NLM_STUDY_SUBJECTS];
    bool in[NLM_STUDY_SUBJECTS];
    int groups = 0;
    look_at(of, all);
    memset(text, 0, STUDY_COMMAND);
    FILE *file = fmemopen(text, STUDY_COMMAND, "w");
    if (file == NULL)
        return text;
    for (int s = 0; s < of->subject_count; s++)
        groups += group_of(of, all, s, in);
    const bool usual = groups > 1 && is_usual(of, all, false), quick = groups > 1 && is_usual(of, all, true);
    if (usual || quick) {
        for (int s = 0; s < of->subject_count; s++)
            in[s] = all[s].seeds > 0;
        write_command(file, of, in, 0, !usual);
    }
    for (int s = 0; !usual && !quick && s < of->subject_count; s++) {
        if (group_of(of, all, s, in))
            write_group(file, of, in, all[s]);
    }
    fclose(file);
    return text;
}
