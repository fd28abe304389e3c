/* Any bytes as a problem in PDDL, a domain and a plan, with lines "%%" between them; without a second part
 * the domain is one of the known ones.  Each is refused with a message of one line, or the problem can be
 * played: what comes of its moves is a plan that is valid, and the moves are those of the position. */
#include "fuzz.h"
#include "base/random.h"
#include "nlm/pddl.h"

static const char MARK[] = "\n%%\n";

enum { PARTS = 3, MOVES = 40 };

/* The parts of a text, NULL where there are no more. */
static void cut(char *text, size_t size, nlm_pddl_text parts[PARTS])
{
    static const char *const names[PARTS] = {"fuzz.pddl", "domain.pddl", "fuzz.plan"};
    for (int p = 0; p < PARTS; p++) {
        size_t length = 0;
        while (text && length < size &&
               (size - length < sizeof MARK - 1 || memcmp(text + length, MARK, sizeof MARK - 1) != 0))
            length++;
        parts[p] = (nlm_pddl_text){text, length, names[p]};
        const bool more = text && length < size;
        text = more ? text + length + sizeof MARK - 1 : NULL;
        size -= more ? length + sizeof MARK - 1 : size;
    }
}

/* The message begins with the name of one of the files. */
static void check_bad(const nlm_error *error)
{
    const char *name = !strncmp(error->message, "domain.", 7) ? "domain.pddl:" : "fuzz.p";
    check_refusal_or_memory(error, name);
}

static void play(const nlm_pddl *pddl, nlm_position *position, size_t seed)
{
    nlm_pddl_plan *plan;
    nlm_error error = {0};
    const char *text;
    random_stream random;
    random_start(&random, seed, 0);
    require(nlm_pddl_plan_new(pddl, &plan, NULL) == NLM_OK);
    nlm_status status = NLM_OK;
    for (int m = 0; m < MOVES && !status && !nlm_position_over(position); m++) {
        const uint32_t choices = (uint32_t)nlm_position_choices(position);
        const int move[2] = {(int)random_below(&random, choices), (int)random_below(&random, choices)};
        status = nlm_pddl_plan_move(plan, position, move, &error);
        require(nlm_position_move(position, move, NULL, NULL) == NLM_OK);
    }
    if (status)
        check_bad(&error);
    else
        require(!nlm_position_solved(position) || nlm_pddl_plan_done(plan));
    status = nlm_pddl_plan_text(plan, &text, &error);
    require((status == NLM_OK) == nlm_pddl_plan_done(plan));
    nlm_pddl_plan_free(plan);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    nlm_pddl_text parts[PARTS];
    nlm_pddl *pddl;
    nlm_position *position;
    nlm_error error = {0};
    char *text = copy_text(data, size);
    cut(text, size, parts);
    if (nlm_pddl_read(&parts[0], parts[1].text ? &parts[1] : NULL, &pddl, &error)) {
        require(pddl == NULL);
        check_bad(&error);
        free(text);
        return 0;
    }
    if (parts[2].text && nlm_pddl_validate(pddl, &parts[2], NULL, &error))
        check_bad(&error);
    require(nlm_position_new(nlm_pddl_game(), &position, NULL) == NLM_OK);
    if (nlm_pddl_position(pddl, position, &error))
        check_bad(&error);
    else
        play(pddl, position, size);
    nlm_position_free(position);
    nlm_pddl_free(pddl);
    free(text);
    return 0;
}
