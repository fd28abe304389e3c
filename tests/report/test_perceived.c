/* What a report tells about machines that look at digits: images with ink, what a sense sees, graphs, and the
 * page, with images of files, with drawn ones, and without any. */
#include "facts/files.h"
#include <math.h>
#include "learn/world_source.h"
#include "machine/machine.h"
#include "machine/pass.h"
#include "nlm/report.h"
#include "nlm/run.h"
#include "perception/idx_files.h"
#include "report/digit_graph.h"
#include "report/evaluate.h"
#include "report/pages.h"
#include "report/pixels.h"
#include "report/report.h"

static nlm_error error;

/* A machine of the task as training begins, its sense with weights that tell images apart. */
static nlm_machine *new_machine(const char *task)
{
    nlm_settings training;
    nlm_machine *machine;
    nlm_head_spec head = {.name = "head", .arity = 1, .outputs = 1};
    CHECK(nlm_settings_of_task(nlm_task_find(task), NLM_PROTOCOL_PAPER, &training, &check_error));
    training.spec.outputs = 1u << 1;
    CHECK(nlm_machine_new(&training.spec, &head, 1, &machine, &check_error));
    nlm_machine_initialise(machine, 5);
    return machine;
}

static nlm_task task_with(const nlm_gallery *gallery)
{
    nlm_task task = *nlm_task_find("adjacent-to-zero");
    task.gallery = gallery;
    return task;
}

/* ---- images ---- */

static void shades_are_runs_of_pixels(void **state)
{
    (void)state;
    page p = {0};
    float pixels[NLM_IMAGE_PIXELS] = {0};
    pixels[2] = pixels[3] = pixels[5] = 1;
    pixels[4] = 0.5f;
    pixels[27] = pixels[28] = 0.3f; /* the end of a row, and the beginning of the next */
    pixels[60] = 0.1f;              /* as good as paper */
    pixels[61] = NAN;
    pixels[62] = -3;
    pixels[783] = 7;
    pixels_put(&p, pixels, 10, 20, 56);
    assert_page(&p, "<g class=\"pixels\" transform=\"translate(10.00 21.00) scale(2.0000)\">\n"
                    "<path class=\"shade-1\" d=\"M27 0h1M0 1h1\"/>\n"
                    "<path class=\"shade-2\" d=\"M4 0h1\"/>\n"
                    "<path class=\"shade-4\" d=\"M2 0h2M5 0h1M27 27h1\"/>\n</g>\n");
}

static void a_picture_has_a_name(void **state)
{
    (void)state;
    page p = {0};
    const float pixels[NLM_IMAGE_PIXELS] = {0};
    pixels_picture(&p, pixels, "a <3>");
    assert_page(&p, "<svg class=\"pixels\" viewBox=\"0 -0.5 28 28\" role=\"img\" aria-label=\"a &lt;3&gt;\">"
                    "<title>a &lt;3&gt;</title>\n</svg>");
}

/* ---- what a sense sees ---- */

/* Means and the best predicate by their definitions; values by way of a world. */
static void a_sense_is_asked_about_images(void **state)
{
    (void)state;
    nlm_machine *machine = new_machine("adjacent-to-zero");
    nlm_gallery *gallery;
    sense_outputs outputs;
    double best = 0;
    CHECK(nlm_gallery_draw(1, 130, &gallery, &check_error));
    CHECK(sense_outputs_find(&outputs, machine, gallery, &check_error));
    assert_int_equal(outputs.images, 130);
    assert_int_equal(outputs.predicates, 10);
    for (int k = 0; k < 10; k++)
        for (int digit = 0; digit < 10; digit++) {
            double on = 0, off = 0;
            int count = 0, hits = 0, refused = 0;
            for (int i = 0; i < 130; i++) {
                const double value = (double)outputs.values[i * 10 + k];
                *(outputs.digits[i] == digit ? &on : &off) += value;
                count += outputs.digits[i] == digit;
            }
            assert_int_equal(outputs.count[digit], count);
            assert_true(count > 0);
            assert_true(fabs(outputs.mean[k][digit] - on / count) < 1e-9);
            on /= count;
            off /= 130 - count;
            for (int i = 0; i < 130; i++) {
                const bool above = outputs.values[i * 10 + k] > (float)((on + off) / 2);
                hits += outputs.digits[i] == digit && above == (on >= off);
                refused += outputs.digits[i] != digit && above != (on >= off);
            }
            best = fmax(best, (hits / (double)count + refused / (130.0 - count)) / 2);
        }
    assert_true(fabs(outputs.best.right - best) < 1e-9);
    assert_int_equal(sense_outputs_reliable(&outputs), best >= 0.9);
    sense_outputs_release(&outputs);
    nlm_gallery_free(gallery);
    nlm_machine_free(machine);
}

static void a_machine_without_sense_sees_nothing(void **state)
{
    (void)state;
    nlm_machine *machine = new_machine("has-father");
    nlm_gallery *gallery;
    sense_outputs outputs;
    CHECK(nlm_gallery_draw(1, 1, &gallery, &check_error));
    assert_int_equal(sense_outputs_find(&outputs, machine, gallery, &error), NLM_BAD_SHAPE);
    sense_outputs_release(&outputs);
    nlm_gallery_free(gallery);
    nlm_machine_free(machine);
}

/* Predicate 1 is 1 for every 7 but the last, which is like the others; and one 3 looks like a 7. */
static sense_outputs crafted(const nlm_gallery *gallery, float *values, int *digits,
                             double (*mean)[SENSE_DIGITS])
{
    sense_outputs outputs = {
        .gallery = gallery, .images = 20, .predicates = 2, .values = values, .digits = digits};
    outputs.mean = mean;
    for (int i = 0; i < 20; i++) {
        digits[i] = i % 10;
        outputs.count[i % 10]++;
        values[2 * i] = 0.5f;
        values[2 * i + 1] = i == 7 || i == 13 ? 0.875f : 0.125f;
    }
    outputs.best =
        (digit_detector){.predicate = 1, .digit = 7, .bound = 0.5f, .on = 0.5, .off = 0.2, .right = 0.95};
    return outputs;
}

static void mistakes_of_a_sense_are_shown(void **state)
{
    (void)state;
    nlm_gallery *gallery;
    page p = {0};
    float values[40];
    int digits[20];
    double mean[2][SENSE_DIGITS] = {{0.5, 0.5, NAN}, {[7] = 0.5}};
    CHECK(nlm_gallery_draw(1, 20, &gallery, &check_error));
    const sense_outputs outputs = crafted(gallery, values, digits, mean);
    sense_outputs_put(&p, &outputs, "lenet", "<drawn>");
    const char *text = text_of(&p);
    assert_non_null(strstr(text, "Output 2 (\xe2\x96\xb8) separates 7 from the other digits"));
    assert_non_null(strstr(text, "over 20 &lt;drawn&gt;"));
    assert_non_null(strstr(text, "classifies 18 of 20 images correctly; wrong:"));
    assert_int_equal(count_of(text, "a 3, classified as 7</span>"), 1);
    assert_int_equal(count_of(text, "a 7, not recognised</span>"), 1);
    assert_int_equal(count_of(text, "</tr>"), 3);
    assert_int_equal(count_of(text, "the same for all"), 1);
    assert_int_equal(count_of(text, "<td>\xe2\x80\x93</td>"), 1); /* not a number */
    assert_int_equal(count_of(text, "aria-label=\"a 7: 0.88\""), 1);
    assert_non_null(strstr(text, "<td class=\"heat heat-5 high\">0.50</td>"));
    page_release(&p);
    nlm_gallery_free(gallery);
}

/* ---- graphs ---- */

static nlm_world *new_world(const nlm_task *task, uint64_t number)
{
    nlm_world *world;
    CHECK(nlm_world_new(&world, &check_error));
    CHECK(nlm_task_generate(task, NLM_WORLDS_PAPER, 1, number, 10, world, &check_error));
    return world;
}

/* Labels are set for what is true, one by one, and false by default. */
static void assert_truth(const digit_graph *graph, const nlm_world *world)
{
    const int *tuples;
    const signed char *labels;
    nlm_label by_default;
    const size_t set = nlm_world_labels(world, 0, &tuples, &labels, &by_default);
    assert_true(set > 0 && set < 10);
    assert_int_equal(by_default, NLM_FALSE);
    for (int node = 0; node < 10; node++) {
        signed char truth = NLM_FALSE;
        for (size_t i = 0; i < set; i++)
            truth = tuples[i] == node ? labels[i] : truth;
        assert_int_equal(graph->truth[node], truth);
    }
}

static void a_graph_has_the_conclusions_of_a_pass(void **state)
{
    (void)state;
    nlm_machine *machine = new_machine("adjacent-to-zero");
    const nlm_task task = task_with(NULL);
    nlm_world *world = new_world(&task, NLM_TEST_WORLDS + 2);
    digit_graph graph;
    nlm_evaluator *asked;
    float logits[10];
    bool taken[10] = {false};
    int wrong = 0;
    CHECK(digit_graph_find(&graph, machine, world, &check_error));
    CHECK(evaluate_world(machine, world, &asked, &check_error));
    CHECK(nlm_pass_logits(nlm_evaluator_pass(asked), 0, 0, logits, &check_error));
    assert_int_equal(graph.nodes, 10);
    for (int node = 0; node < 10; node++) {
        assert_true(fabsf(graph.probability[node] - 1 / (1 + expf(-logits[node]))) < 1e-6f);
        wrong += (logits[node] > 0) != (graph.truth[node] == NLM_TRUE);
        assert_true(graph.place[node] >= 0 && graph.place[node] < 10 && !taken[graph.place[node]]);
        taken[graph.place[node]] = true;
    }
    assert_int_equal(graph.wrong, wrong);
    assert_truth(&graph, world);
    nlm_evaluator_free(asked);
    digit_graph_release(&graph);
    nlm_world_free(world);
    nlm_machine_free(machine);
}

/* What the graph says that the sense makes of a node is what the sense makes of the node's image. */
static void a_graph_knows_what_the_sense_makes(void **state)
{
    (void)state;
    nlm_machine *machine = new_machine("adjacent-to-zero");
    nlm_gallery *gallery;
    CHECK(nlm_gallery_draw(1, 1, &gallery, &check_error)); /* the same image everywhere */
    const nlm_task task = task_with(gallery);
    nlm_world *world = new_world(&task, NLM_TEST_WORLDS);
    digit_graph graph;
    sense_outputs outputs;
    CHECK(sense_outputs_find(&outputs, machine, gallery, &check_error));
    CHECK(digit_graph_find(&graph, machine, world, &check_error));
    for (int i = 0; i < 100; i++)
        assert_true(fabsf(graph.sensed[i] - outputs.values[i % 10]) < 1e-5f);
    assert_true(fabsf(outputs.values[0] - outputs.values[1]) > 1e-3f);
    digit_graph_release(&graph);
    sense_outputs_release(&outputs);
    nlm_world_free(world);
    nlm_gallery_free(gallery);
    nlm_machine_free(machine);
}

static void errors_of_a_graph_are_marked(void **state)
{
    (void)state;
    const nlm_task task = task_with(NULL);
    nlm_world *world = new_world(&task, NLM_TEST_WORLDS);
    float probability[10] = {1, 0.75f, 0.25f, 0, 0, 0, 0, 0, NAN, 0}, sensed[10] = {0.9f};
    signed char truth[10] = {NLM_TRUE, NLM_FALSE, NLM_TRUE, NLM_UNLABELLED};
    int place[10] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
    const digit_graph graph = {world, 10, 1, 2, probability, truth, sensed, place, .edges = 0};
    const sense_outputs outputs = {.best = {.bound = 0.5f, .digit = 4, .right = 1}};
    page p = {0};
    for (int node = 4; node < 10; node++)
        truth[node] = NLM_FALSE;
    digit_graph_put(&p, &graph, &outputs, "<one>");
    const char *text = text_of(&p);
    assert_non_null(strstr(text, "&lt;one&gt;: 2 errors \xe2\x9c\x97"));
    assert_int_equal(count_of(text, "<g class=\"node yes\"><title>node0: truth yes, concluded yes, 1.00"), 1);
    assert_int_equal(count_of(text, "<g class=\"node yes wrong\">"), 1);
    assert_int_equal(count_of(text, "<g class=\"node wrong\"><title>node2: truth yes, concluded no, 0.25"),
                     1);
    assert_int_equal(count_of(text, "\xe2\x9c\x97 yes 0.75</text>"), 1);
    assert_int_equal(count_of(text, "truth: no</text>"), 1);
    assert_int_equal(count_of(text, "truth: yes</text>"), 1);
    assert_int_equal(count_of(text, "node3: truth unknown"), 1);
    assert_int_equal(count_of(text, "<g class=\"tag\" transform"), 1); /* of node 0 */
    assert_null(strstr(text, "nan"));
    page_release(&p);
    nlm_world_free(world);
}

static void worlds_that_do_not_fit_are_refused(void **state)
{
    (void)state;
    nlm_machine *machine = new_machine("adjacent-to-zero"), *other = new_machine("has-father");
    const nlm_task task = task_with(NULL);
    nlm_world *world = new_world(&task, NLM_TEST_WORLDS), *bare;
    digit_graph graph;
    CHECK(nlm_world_new(&bare, &check_error));
    assert_int_equal(digit_graph_find(&graph, machine, bare, &error), NLM_BAD_SHAPE);
    digit_graph_release(&graph);
    assert_int_equal(digit_graph_find(&graph, other, world, &error), NLM_BAD_SHAPE);
    digit_graph_release(&graph);
    CHECK(nlm_task_generate(&task, NLM_WORLDS_PAPER, 1, NLM_TEST_WORLDS, 100, world, &check_error));
    assert_int_equal(digit_graph_find(&graph, machine, world, &error), NLM_BAD_SHAPE);
    digit_graph_release(&graph);
    nlm_world_free(bare);
    nlm_world_free(world);
    nlm_machine_free(machine);
    nlm_machine_free(other);
}

/* ---- pages ---- */

static void write_model(const char *path, const nlm_gallery *gallery)
{
    const nlm_task task = task_with(gallery);
    nlm_settings training;
    nlm_run *trainer;
    CHECK(nlm_settings_of_task(&task, NLM_PROTOCOL_PAPER, &training, &check_error));
    CHECK(nlm_run_new(&training, NULL, &trainer, &check_error));
    CHECK(nlm_run_save_model(trainer, path, &check_error));
    nlm_run_free(trainer);
}

/* MNIST's files, far too few. */
static void write_images(const char *folder, uint32_t count)
{
    mkdir(folder, 0777);
    idx_write(folder, "train-images-idx3-ubyte", idx_images(count));
    idx_write(folder, "train-labels-idx1-ubyte", idx_labels(count));
    idx_write(folder, "t10k-images-idx3-ubyte", idx_images(count));
    idx_write(folder, "t10k-labels-idx1-ubyte", idx_labels(count));
}

/* The page about a.nlm; with `images`, those of the folder or, for "drawn", drawn ones. */
static char *report_with(const char *images, bool needed)
{
    nlm_report *report;
    CHECK(nlm_report_new(&report, &check_error));
    CHECK(nlm_report_add(report, "a.nlm", &check_error));
    assert_int_equal(nlm_report_needs_images(report), needed);
    if (images)
        CHECK(nlm_report_add_images(report, strcmp(images, "drawn") ? images : NULL, true, &check_error));
    assert_false(images && nlm_report_needs_images(report));
    CHECK(nlm_report_save(report, "r.html", &check_error));
    nlm_report_free(report);
    return take_file("r.html");
}

static void a_model_of_drawn_digits_needs_no_files(void **state)
{
    (void)state;
    write_model("a.nlm", NULL);
    char *text = report_with(NULL, false);
    assert_int_equal(count_of(text, "<section class=\"perceived\">"), 1);
    assert_true(count_of(text, "<figure class=\"digit-graph\">") >= 1);
    assert_int_equal(count_of(text, "<figure class=\"sense\">"), 1);
    assert_int_equal(count_of(text, "<figure class=\"machine\">"), 1);
    assert_int_equal(count_of(text, "<figure class=\"confusion\">"), 1);
    assert_non_null(strstr(text, "1,000 drawn digits"));
    assert_non_null(strstr(text, "LeNet: computes the first 10 unary inputs from the 784 pixels"));
    assert_non_null(strstr(text, "nlm train adjacent-to-zero --protocol paper --images drawn -o"));
    assert_non_null(strstr(text, "trained for the whole budget, 0 examples"));
    assert_null(strstr(text, "graduate ("));
    assert_null(strstr(text, "<h2>Notes</h2>"));
    assert_null(strstr(text, "src=\""));
    assert_int_equal(count_of(text, "<section"), count_of(text, "</section>"));
    assert_int_equal(count_of(text, "<figure"), count_of(text, "</figure>"));
    assert_int_equal(count_of(text, "<svg"), count_of(text, "</svg>"));
    free(text);
}

static void a_model_of_files_is_shown_with_them(void **state)
{
    (void)state;
    nlm_gallery *gallery;
    write_images("mnist", 12);
    CHECK(nlm_gallery_read("mnist", &gallery, &check_error));
    write_model("a.nlm", gallery);
    nlm_gallery_free(gallery);
    char *text = report_with("mnist", true);
    assert_non_null(strstr(text, "over 12 test images of MNIST"));
    assert_null(strstr(text, "<h2>Notes</h2>"));
    assert_null(strstr(text, "--images drawn"));
    free(text);
    text = report_with("drawn", true);
    assert_non_null(strstr(text, "1,000 drawn digits"));
    assert_non_null(strstr(text, "a.nlm: trained on other images than those it is tested on here"));
    free(text);
}

/* Images that others need are not for them, unless that is said. */
static void models_of_drawn_digits_keep_these(void **state)
{
    (void)state;
    write_images("mnist", 12);
    write_model("a.nlm", NULL);
    for (int for_all = 0; for_all < 2; for_all++) {
        nlm_report *report;
        CHECK(nlm_report_new(&report, &check_error));
        CHECK(nlm_report_add(report, "a.nlm", &check_error));
        CHECK(nlm_report_add_images(report, "mnist", for_all, &check_error));
        CHECK(nlm_report_save(report, "r.html", &check_error));
        nlm_report_free(report);
        char *text = take_file("r.html");
        assert_int_equal(count_of(text, "over 12 test images of MNIST"), for_all);
        assert_int_equal(count_of(text, "trained on other images"), for_all);
        free(text);
    }
}

/* Then there is the machine, and a note. */
static void without_images_the_rest_is_there(void **state)
{
    (void)state;
    nlm_gallery *gallery;
    CHECK(nlm_gallery_draw(3, 3, &gallery, &check_error));
    write_model("a.nlm", gallery);
    nlm_gallery_free(gallery);
    char *text = report_with(NULL, true);
    assert_int_equal(count_of(text, "<figure class=\"machine\">"), 1);
    assert_int_equal(count_of(text, "<figure class=\"confusion\">"), 0);
    assert_int_equal(count_of(text, "<section class=\"perceived\">"), 0);
    assert_non_null(strstr(text, "Their values were not computed."));
    assert_int_equal(
        count_of(text, "a.nlm: conclusions are not shown, because adjacent-to-zero needs images"), 1);
    free(text);
}

/* Nobody graduates from the task: shares of all runs are told, and none of them is a failure. */
static void there_is_nothing_to_graduate_from(void **state)
{
    (void)state;
    static const char result[] =
        "{\"task\": \"adjacent-to-zero\", \"seed\": %d, \"graduated\": false, \"tests\": ["
        "{\"objects\": 10, \"share\": 0.%d, \"flawless\": false, \"first_failure\": 3},"
        "{\"objects\": 50, \"share\": 0.5, \"flawless\": false, \"first_failure\": 0}]}";
    for (int seed = 1; seed <= 2; seed++) {
        char path[32], text[sizeof result + 32];
        snprintf(path, sizeof path, "r/seed-%d.json", seed);
        snprintf(text, sizeof text, result, seed, 7 + seed);
        files_write(path, text);
    }
    nlm_report *report;
    CHECK(nlm_report_new(&report, &check_error));
    CHECK(nlm_report_add(report, "r", &check_error));
    CHECK(nlm_report_save(report, "r.html", &check_error));
    nlm_report_free(report);
    char *text = take_file("r.html");
    assert_non_null(strstr(text, "2 of 1 task, 2 trained for the whole budget</dd>"));
    assert_non_null(strstr(text, "2 of 2 runs trained for the whole budget."));
    assert_int_equal(count_of(text, "<td data-key=\"0\">trained for the whole budget</td>"), 2);
    assert_non_null(strstr(text, "<td>\xe2\x80\x93</td><td>\xe2\x80\x93</td><td>\xe2\x80\x93</td>"
                                 "<td>85.0 %</td><td>50.0 %</td>"));
    free(text);
}

static void images_are_given_once_and_must_be_there(void **state)
{
    (void)state;
    nlm_report *report;
    CHECK(nlm_report_new(&report, &check_error));
    assert_int_equal(nlm_report_add_images(report, "missing", true, &error), NLM_IO_ERROR);
    CHECK(nlm_report_add_images(report, NULL, true, &check_error));
    assert_int_equal(nlm_report_add_images(report, NULL, true, &error), NLM_BAD_ARGUMENT);
    nlm_report_free(report);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shades_are_runs_of_pixels),
        cmocka_unit_test(a_picture_has_a_name),
        cmocka_unit_test(a_sense_is_asked_about_images),
        cmocka_unit_test(a_machine_without_sense_sees_nothing),
        cmocka_unit_test(mistakes_of_a_sense_are_shown),
        cmocka_unit_test(a_graph_has_the_conclusions_of_a_pass),
        cmocka_unit_test(a_graph_knows_what_the_sense_makes),
        cmocka_unit_test(errors_of_a_graph_are_marked),
        cmocka_unit_test(worlds_that_do_not_fit_are_refused),
        files_test(a_model_of_drawn_digits_needs_no_files),
        files_test(a_model_of_files_is_shown_with_them),
        files_test(models_of_drawn_digits_keep_these),
        files_test(without_images_the_rest_is_there),
        files_test(there_is_nothing_to_graduate_from),
        files_test(images_are_given_once_and_must_be_there),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
