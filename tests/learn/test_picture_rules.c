/* Rules over what a network sees: what model files say of its outputs, and searches that are refused.  That
 * rules are found is a test of the command (tests/cli/picture_rules.sh). */
#include <string.h>
#include <unistd.h>
#include "learn/picture_rules.h"
#include "nlm/gallery.h"
#include "nlm/machine.h"
#include "nlm/rules.h"
#include "test.h"

static nlm_machine *make_machine(const nlm_settings *settings)
{
    const nlm_head_spec head = {.name = "head", .arity = 1, .outputs = 1};
    nlm_machine *machine;
    CHECK(nlm_machine_new(&settings->spec, &head, 1, &machine, &check_error));
    nlm_machine_initialise(machine, 1);
    return machine;
}

static nlm_machine *with_sights(nlm_machine *machine, const char *text)
{
    char path[] = "/tmp/nlm-sights-XXXXXX";
    nlm_machine *loaded;
    close(mkstemp(path));
    CHECK(nlm_machine_save(machine, path, (const char *const[]){SIGHTS_KEY, text}, 1, &check_error));
    CHECK(nlm_machine_load(path, &loaded, &check_error));
    unlink(path);
    return loaded;
}

static void sights_are_read(void **state)
{
    (void)state;
    static const char *const broken[] = {"",
                                         "3",
                                         "3 0.5",
                                         "x",
                                         "3 1 1 1 1 1 1 1 1 1",
                                         "3 2 0 0 0 0 0 0 0 0 0",
                                         "3 1 0 0 0 0 0 0 0 0 0 0",
                                         "3 1 0 0 nan 0 0 0 0 0 0"};
    nlm_settings settings;
    double share[NLM_DIGITS];
    CHECK(
        nlm_settings_of_task(nlm_task_find("adjacent-to-zero"), NLM_PROTOCOL_BEST, &settings, &check_error));
    nlm_machine *machine = make_machine(&settings);
    nlm_machine *loaded = with_sights(machine, "2 0 0 0 0 0 0 0 0 0 0.25\n3 1 0.5 0 0 0 0 0 0 0 0");
    assert_true(nlm_machine_sight(loaded, 2, share));
    assert_true(share[9] == 0.25 && share[0] == 0);
    assert_true(nlm_machine_sight(loaded, 3, share));
    assert_true(share[0] == 1 && share[1] == 0.5);
    assert_false(nlm_machine_sight(loaded, 1, share));
    assert_false(nlm_machine_sight(machine, 2, share));
    assert_false(nlm_machine_sight(NULL, 2, share));
    nlm_machine_free(loaded);
    for (size_t i = 0; i < COUNT(broken); i++) {
        loaded = with_sights(machine, broken[i]);
        assert_false(nlm_machine_sight(loaded, 3, share));
        nlm_machine_free(loaded);
    }
    nlm_machine_free(machine);
}

/* A network that has learned nothing: no rules, and the reason.  One that learned from other images is not
 * asked. */
static void nothing_found(void **state)
{
    (void)state;
    nlm_task task = *nlm_task_find("adjacent-to-zero");
    nlm_gallery *gallery;
    nlm_settings settings;
    nlm_rule_search *search;
    nlm_error error;
    CHECK(nlm_gallery_draw(50, 50, &gallery, &check_error));
    task.gallery = gallery;
    CHECK(nlm_settings_of_task(&task, NLM_PROTOCOL_BEST, &settings, &check_error));
    settings.task = &task;
    settings.objects = 4;
    nlm_machine *machine = make_machine(&settings);
    CHECK(nlm_rule_search_new(machine, &settings, NULL, &search, &check_error));
    while (nlm_rule_search_stage(search) < NLM_RULES_FOUND)
        CHECK(nlm_rule_search_step(search, &check_error));
    assert_int_equal(nlm_rule_search_stage(search), NLM_RULES_NOT_FOUND);
    assert_non_null(strstr(nlm_rule_search_reason(search), "the machine itself has"));
    nlm_rule_search_free(search);
    settings.data++;
    assert_int_equal(nlm_rule_search_new(machine, &settings, NULL, &search, &error), NLM_BAD_ARGUMENT);
    assert_non_null(strstr(error.message, "images"));
    nlm_machine_free(machine);
    nlm_gallery_free(gallery);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(sights_are_read), cmocka_unit_test(nothing_found)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
