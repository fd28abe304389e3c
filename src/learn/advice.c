/* Advice: why a run did not graduate, and what to try.
 *
 * Reasons come from the labels of facts, as far as they tell (contradictions, needs), and from the errors of
 * the last epoch; what to try also from the course of the loss.
 *
 * The order of the items is the order in which they are worth trying.  A reason that is certain (labels that
 * no machine of this size can tell apart) suppresses trials that could not help, such as other seeds.
 * Settings are given in the form "name=value", as nlm_settings_set takes them; texts are parts of sentences,
 * which the command completes:
 *
 *     the loss has had too few epochs to tell much; in the last epoch 0 of 20,000 answers were wrong
 *     what to try:
 *       - more epochs, going on from here: the same command with --resume --epochs 4
 *       - another seed: --seed 2, or several at once: --seeds 10 */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include "base/error.h"
#include "learn/run.h"

/* True labels below which there are too few to generalise from; labels named in a message; bytes of one. */
enum { FEW_POSITIVES = 10, MOST_NAMED = 3, FACT_SIZE = 200 };
enum { DEPTH_TO_SPARE = 1 }; /* more than the labels need, as nlm_settings_of_problem takes by itself */

/* The caller's array, as it is filled. */
struct advice_list {
    nlm_advice *items;
    int count;
};

/* Room for one more; the last is overwritten where there is none. */
static nlm_advice *next(struct advice_list *to)
{
    nlm_advice *item = &to->items[to->count < NLM_MOST_ADVICE ? to->count++ : NLM_MOST_ADVICE - 1];
    *item = (nlm_advice){0};
    return item;
}

__attribute__((format(printf, 2, 3))) static void add_reason(struct advice_list *to, const char *format, ...)
{
    nlm_advice *item = next(to);
    va_list arguments;
    item->is_reason = true;
    va_start(arguments, format);
    vsnprintf(item->text, sizeof item->text, format, arguments);
    va_end(arguments);
}

/* Something to try by settings, "depth=5 ...", or without any. */
__attribute__((format(printf, 3, 4))) static nlm_advice *add_trial(struct advice_list *to, const char *text,
                                                                   const char *format, ...)
{
    nlm_advice *item = next(to);
    va_list arguments;
    snprintf(item->text, sizeof item->text, "%s", text);
    va_start(arguments, format);
    vsnprintf(item->settings, sizeof item->settings, format, arguments);
    va_end(arguments);
    return item;
}

/* ---- the course of the loss ---- */

/* The epoch that ends with new weights already counts the restart, so the curve is emptied after it. */
void loss_curve_add(struct loss_curve *curve, const nlm_epoch *epoch)
{
    if (curve->epochs == 0 || epoch->loss < curve->least)
        curve->least = epoch->loss;
    if (curve->epochs == 0)
        curve->first = epoch->loss;
    curve->recent[curve->epochs++ % LOSS_CURVE_RECENT] = epoch->loss;
    if (epoch->restarts != curve->restarts) /* new weights, new curve */
        *curve = (struct loss_curve){.restarts = epoch->restarts};
}

/* Thresholds are rules of thumb: ten times the least loss is a jump, a fifth less than ten epochs ago is
 * falling, less than a fifth below the first is flat.  `before` is the oldest of the ring. */
enum loss_shape loss_shape_of(const struct loss_curve *curve)
{
    if (curve->epochs < LOSS_CURVE_RECENT)
        return LOSS_SHORT;
    const double last = curve->recent[(curve->epochs - 1) % LOSS_CURVE_RECENT];
    const double before = curve->recent[curve->epochs % LOSS_CURVE_RECENT];
    if (last > 10 * curve->least)
        return LOSS_JUMPED;
    if (last < 0.8 * before)
        return LOSS_FALLING;
    return last > 0.8 * curve->first ? LOSS_FLAT : LOSS_STUCK;
}

/* Parts of sentences: "the loss is still falling". */
const char *loss_shape_text(enum loss_shape shape)
{
    static const char *const texts[] = {
        [LOSS_SHORT] = "has had too few epochs to tell much",
        [LOSS_FLAT] = "has hardly moved from where it began",
        [LOSS_JUMPED] = "was much lower before and jumped up",
        [LOSS_FALLING] = "is still falling",
        [LOSS_STUCK] = "came down and has not moved lately",
    };
    return texts[shape];
}

const char *nlm_run_loss_text(const nlm_run *run)
{
    return loss_shape_text(loss_shape_of(&run->curve));
}

/* ---- from examples ---- */

/* Weights and worlds both follow from the seed, so another one is a new chance. */
static void try_other_seeds(struct advice_list *to, const nlm_settings *settings)
{
    add_trial(to, "another seed", "seed=%llu", (unsigned long long)settings->seed + 1);
}

/* Trials for tasks and facts by the course of the loss.  `larger`: a larger machine might help too.  A budget
 * that is too small can be extended: the run goes on from its checkpoint. */
static void try_from_examples(struct advice_list *to, const nlm_run *run, int epochs, bool larger)
{
    const nlm_settings *settings = &run->settings;
    const nlm_spec *spec = &settings->spec;
    const enum loss_shape shape = loss_shape_of(&run->curve);
    /* twice the budget, or twice what was used of it if that was more */
    if (shape == LOSS_FALLING || shape == LOSS_SHORT)
        add_trial(to, "more epochs, going on from here", "epochs=%d",
                  2 * (epochs > settings->epochs ? epochs : settings->epochs))
            ->resume = true;
    if (shape == LOSS_JUMPED || shape == LOSS_FLAT)
        add_trial(to, "a lower learning rate", "lr=%g", settings->lr / 2);
    if (settings->protocol == NLM_PROTOCOL_PAPER && !spec->program)
        add_trial(to, "our own protocol, which begins again by itself when it gets stuck", "protocol=best");
    try_other_seeds(to, settings);
    /* templates decide what differentiable ILP can find */
    if (larger && spec->program) {
        add_trial(to, "other templates: more variables, helpers or steps, or other kinds of bodies", "%s",
                  "");
    } else if (larger) {
        add_trial(to, spec->model ? "a deeper memory network" : "a deeper machine", "depth=%d",
                  spec->depth + 1);
        add_trial(to, spec->model ? "a wider memory network" : "a wider machine", "width=%d",
                  2 * spec->width);
    }
}

/* ---- facts ---- */

/* Why a run on facts did not graduate, as far as the labels tell. */
struct label_reasons {
    bool contradictory;
    bool too_shallow;
    const nlm_need *alike; /* two tuples that no machine of this size can tell apart */
    bool few_positives;
};

/* Which of the reasons hold.  The needs of the labels are known for machines only: a memory network has names
 * of objects, and separates anything.  Two tuples are named only if it is certain for this size: inseparable
 * at any depth, or mixed up to a depth that this machine does not exceed. */
static struct label_reasons find_reasons(const nlm_settings *settings, const nlm_needs *needs)
{
    struct label_reasons found = {.contradictory = nlm_problem_contradictions(settings->problem) > 0,
                                  .few_positives = needs && needs->true_labels < FEW_POSITIVES};
    if (!needs || settings->spec.model)
        return found;
    const nlm_need *need = &needs->breadth[settings->spec.breadth];
    const bool too_small = settings->spec.depth <= need->depth; /* as far as was looked */
    found.too_shallow = need->separation == NLM_SEPARATED && settings->spec.depth < need->depth;
    if (need->mixed > 0 &&
        (need->separation == NLM_INSEPARABLE || (need->separation == NLM_UNSEPARATED && too_small)))
        found.alike = need;
    return found;
}

/* "uncle(bob,ann) of family3" */
static const char *label_text(const nlm_problem *problem, int world, int target, const int *tuple,
                              char text[FACT_SIZE])
{
    const nlm_signature *signature = nlm_problem_signature(problem);
    const char *name = nlm_problem_world_name(problem, world);
    nlm_fact_text(signature, nlm_signature_target(signature, target), nlm_problem_world(problem, world),
                  tuple, text, FACT_SIZE);
    const size_t length = strlen(text);
    if (*name)
        snprintf(text + length, FACT_SIZE - length, " of %s", name);
    return text;
}

/* Where the labels do not tell: by the errors of the last epoch. */
static const char *other_reason(const nlm_spec *spec, const nlm_epoch *epoch)
{
    if (epoch->failed > 0 && epoch->wrong == 0)
        return "the model makes errors on the held-out part";
    if (epoch->wrong == 0)
        return "the answers are right, but not yet sure enough";
    if (spec->program)
        return "the templates do not allow the program, or these weights did not find it";
    return spec->model ? "this memory network did not; whether a larger one could is not known beforehand"
                       : "a machine of this size could, but this one did not";
}

/* The reasons as sentences; at least one, if anything is known. */
static void explain(struct advice_list *to, const nlm_settings *settings, const nlm_needs *needs,
                    const nlm_epoch *epoch, const struct label_reasons *found)
{
    const int before = to->count, count = nlm_problem_contradictions(settings->problem);
    char names[MOST_NAMED * (FACT_SIZE + 2)] = "", depth[40] = "", yes[FACT_SIZE], no[FACT_SIZE];
    for (int c = 0; c < count && c < MOST_NAMED; c++) {
        const nlm_contradiction of = nlm_problem_contradiction(settings->problem, c);
        const size_t used = strlen(names);
        snprintf(names + used, sizeof names - used, "%s%s", c > 0 ? ", " : "",
                 label_text(settings->problem, of.world, of.target, of.tuple, yes));
    }
    if (found->contradictory)
        add_reason(to, "%d label%s listed as true and as false, and taken to be true: %.280s%s", count,
                   count == 1 ? " is" : "s are", names, count > MOST_NAMED ? ", ..." : "");
    if (found->too_shallow)
        add_reason(to, "with breadth %d the labels need depth %d at least; this machine has %d",
                   settings->spec.breadth, needs->breadth[settings->spec.breadth].depth,
                   settings->spec.depth);
    const nlm_need *need = found->alike;
    if (need && need->separation == NLM_UNSEPARATED)
        snprintf(depth, sizeof depth, " and a depth up to %d", need->depth);
    if (need)
        add_reason(
            to,
            "no machine of breadth %d%s can tell apart %.90s, which is true, and %.90s, which is false; "
            "'nlm check' shows the facts that they have in common",
            settings->spec.breadth, depth,
            label_text(settings->problem, need->yes.world, need->target, need->yes.tuple, yes),
            label_text(settings->problem, need->no.world, need->target, need->no.tuple, no));
    if (found->few_positives)
        add_reason(to, "there %s only %zu true label%s to learn from", needs->true_labels == 1 ? "is" : "are",
                   needs->true_labels, needs->true_labels == 1 ? "" : "s");
    /* nothing is known of a run that was taken up with nothing left to do */
    if (to->count == before && epoch->tuples > 0)
        add_reason(to, "%s", other_reason(&settings->spec, epoch));
}

/* Reasons, then what the user can do about the facts, then about the size, then about the run.  Advice that
 * would only hide the cause is left out: with few true labels, a larger machine learns them by heart.
 *
 *     found                                  advised
 *     labels both true and false             correct them
 *     few true labels                        more of them
 *     errors on the held-out part alone      more worlds or labels
 *     too shallow for the labels             the depth that they need, and one more
 *     inseparable at this breadth            a breadth that separates them; without one, other facts
 *     not separated up to the depth tried    the same, and a deeper machine, which may
 *     nothing certain                        by the course of the loss (try_from_examples) */
static void advise_on_facts(struct advice_list *to, const nlm_run *run, const nlm_needs *needs,
                            const nlm_epoch *epoch)
{
    const nlm_settings *settings = &run->settings;
    const struct label_reasons found = find_reasons(settings, needs);
    const bool hopeless = found.alike || found.too_shallow; /* no weights are right */
    int other = 0; /* the next larger breadth that separates the labels, or else a smaller one */
    for (int b = NLM_MAX_BREADTH; b > 0 && needs; b--)
        if (b != settings->spec.breadth && needs->breadth[b].separation == NLM_SEPARATED &&
            (b > settings->spec.breadth || other == 0))
            other = b;
    /* another breadth is worth naming only for machines, and where neither depth nor more labels would do */
    if (settings->spec.model || found.too_shallow || (found.few_positives && !hopeless))
        other = 0; /* there is something better to try */
    explain(to, settings, needs, epoch, &found);
    if (found.contradictory)
        add_trial(to, "correct the labels that are listed as true and as false", "%s", "");
    if (found.few_positives)
        add_trial(to, "more true labels", "%s", "");
    else if (epoch->failed > 0 && epoch->wrong == 0 && !hopeless)
        add_trial(to, "more worlds or labels to learn from", "%s", "");
    if (found.too_shallow)
        add_trial(to, "a deeper machine", "depth=%d",
                  needs->breadth[settings->spec.breadth].depth + DEPTH_TO_SPARE);
    if (other > 0)
        add_trial(to, "another breadth", "breadth=%d depth=%d", other,
                  needs->breadth[other].depth + DEPTH_TO_SPARE);
    if (found.alike && other == 0)
        add_trial(to, "facts or predicates that tell the two apart, or labels that are the same for both",
                  "%s", "");
    if (found.alike && found.alike->separation == NLM_UNSEPARATED)
        add_trial(to, "a deeper machine, which may", "depth=%d", found.alike->depth + 1);
    if (!hopeless)
        try_from_examples(to, run, epoch->epoch, !found.few_positives);
}

/* ---- games ---- */

/* A game ends without graduation for one of two reasons: the budget is used up, or patience is. */
static void advise_on_game(struct advice_list *to, const nlm_settings *settings, const nlm_exam *exam)
{
    if (exam->episodes >= settings->episodes)
        add_trial(to, "more episodes, going on from here", "episodes=%d", 2 * settings->episodes)->resume =
            true;
    else
        add_trial(to, "more patience, from the beginning (0 for no end of it)", "patience=%d",
                  2 * settings->patience);
    if (settings->protocol == NLM_PROTOCOL_PAPER)
        add_trial(to, "our own protocol", "protocol=best");
    try_other_seeds(to, settings);
}

/* By kind.  Of a task nothing is known about its labels but that a machine of the paper's size can learn it;
 * a larger one is worth trying only if the loss came down and stays. */
int nlm_run_advice(const nlm_run *run, const nlm_needs *needs, nlm_advice advice[NLM_MOST_ADVICE])
{
    struct advice_list list = {.items = advice};
    nlm_progress progress;
    nlm_run_progress(run, &progress);
    if (run->settings.game)
        advise_on_game(&list, &run->settings, &progress.exam);
    else if (run->settings.problem)
        advise_on_facts(&list, run, needs, &progress.epoch);
    else
        try_from_examples(&list, run, progress.epoch.epoch, loss_shape_of(&run->curve) == LOSS_STUCK);
    return list.count;
}
