// In C++: learns a task of the library's, counts conclusions, and prints the rule with its proof.
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <nlm/nlm.h>

int main()
{
    nlm_model *model = nullptr;
    nlm_proof *proof = nullptr;
    char *rules = nullptr;
    nlm_error error = {};
    nlm_learning how = {};
    how.size = sizeof how;
    how.settings = "exam=200";
    how.watch = [](void *, const nlm_progress *progress, const char *line) {
        return progress->elapsed < 600 || std::puts(line) < 0; // false: stop
    };
    nlm_status status = nlm_learn_task(nlm_task_find("has-father"), &how, &model, &error);
    std::unique_ptr<nlm_model, void (*)(nlm_model *)> owned(model, nlm_model_free);
    if (status == NLM_OK)
        status = nlm_model_rules(model, NLM_CLAUSES, &rules, &error);
    if (status == NLM_OK)
        status = nlm_model_prove(model, &proof, &error);
    if (status == NLM_OK)
        std::printf("%s%s\n", rules, proof->verdict == NLM_PROVED ? "proved" : "not proved");
    else
        std::fprintf(stderr, "%s\n", error.message);
    std::free(rules);
    nlm_proof_free(proof);
    return status == NLM_OK ? EXIT_SUCCESS : EXIT_FAILURE;
}
