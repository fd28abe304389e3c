/* adjacent-to-zero: labels follow from the edges and from what nodes show; worlds to learn from and worlds to
 * test with show images of their own; nothing but the image tells the digit. */
#include "worlds.h"

#include <stdio.h>

#include "nlm/gallery.h"
#include "perception/digits.h"
#include "task/graph.h"

enum { TRAIN = 40, TEST = 30, NODES = 12 };
#define NAME "adjacent-to-zero"

static nlm_gallery *gallery;
static nlm_task task; /* with the gallery */
static float shown[2][TRAIN][NLM_IMAGE_PIXELS];
static int digits[2][TRAIN];

static int draw_gallery(void **state)
{
    (void)state;
    if (nlm_gallery_draw(TRAIN, TEST, &gallery, NULL))
        return -1;
    task = *nlm_task_find(NAME);
    task.gallery = gallery;
    for (int test = 0; test < 2; test++)
        for (int i = 0; i < (test ? TEST : TRAIN); i++)
            digits[test][i] = nlm_gallery_image(gallery, test, i, shown[test][i]);
    return 0;
}

static int free_gallery(void **state)
{
    (void)state;
    nlm_gallery_free(gallery);
    return 0;
}

static void generate_with(const nlm_task *of, uint64_t seed, uint64_t index, int nodes, nlm_world *world)
{
    nlm_error error;
    if (nlm_task_generate(of, NLM_WORLDS_PAPER, seed, index, nodes, world, &error))
        fail_msg("%s", error.message);
}

/* Which image of the gallery a node shows; -1 if none of these. */
static int image_of(const nlm_world *world, int node, bool test)
{
    int count;
    const float *percept = nlm_world_percept(world, node, &count);
    assert_non_null(percept);
    assert_int_equal(count, NLM_IMAGE_PIXELS);
    for (int i = 0; i < (test ? TEST : TRAIN); i++)
        if (!memcmp(percept, shown[test][i], sizeof shown[test][i]))
            return i;
    return -1;
}

/* An edge leads to a node whose digit is 0. */
static void assert_labels_follow(const nlm_world *world, const int *digit)
{
    static table edges, labels, ought;
    const int nodes = nlm_world_objects(world);
    read_facts(world, "has_edge", 2, &edges);
    read_labels(world, NAME, &labels);
    memset(&ought, 0, sizeof ought);
    for (int x = 0; x < nodes; x++)
        for (int y = 0; y < nodes; y++)
            ought.at[x][0] |= edges.at[x][y] && digit[y] == 0;
    assert_same(NAME, nodes, 1, &labels, &ought);
}

/* ---- labels ---- */

static void labels_follow_from_edges_and_images(void **state)
{
    (void)state;
    nlm_world *world = new_world();
    int positives = 0, zeros = 0, lonely_zeros = 0;
    for (uint64_t index = 0; index < 300; index++) {
        const bool test = index % 2;
        const int nodes = 1 + (int)(index * 7 % (2 * NODES));
        int digit[2 * NODES];
        generate_with(&task, 3, test ? NLM_TEST_WORLDS + index : index, nodes, world);
        for (int x = 0; x < nodes; x++)
            digit[x] = digits[test][image_of(world, x, test)];
        assert_labels_follow(world, digit);
        static table labels;
        read_labels(world, NAME, &labels);
        for (int x = 0; x < nodes; x++) {
            positives += labels.at[x][0];
            zeros += digit[x] == 0;
            lonely_zeros += digit[x] == 0 && !labels.at[x][0]; /* a 0 need not be next to one */
        }
    }
    assert_true(positives > 100 && zeros > 100 && lonely_zeros > 50);
    nlm_world_free(world);
}

/* Without a gallery digits are drawn, each with a number of its own from the world's random numbers. */
static void labels_follow_from_edges_and_drawings(void **state)
{
    (void)state;
    nlm_world *world = new_world(), *same = new_world();
    for (uint64_t index = 0; index < 40; index++) {
        const uint64_t number = index % 2 ? NLM_TEST_WORLDS + index : index;
        int digit[NODES], predicate;
        generate(NAME, 5, number, NODES, world);
        random_stream random;
        random_start(&random, 5, 0x776f726c64000000u + number);
        nlm_world_clear(same);
        assert_int_equal(nlm_world_add_objects(same, "node", NODES, NULL), NLM_OK);
        assert_int_equal(nlm_world_add_predicate(same, "has_edge", 2, &predicate, NULL), NLM_OK);
        assert_int_equal(graph_generate_edge(same, &random, NULL), NLM_OK);
        for (int x = 0; x < NODES; x++) {
            uint8_t pixels[NLM_IMAGE_PIXELS];
            const float *percept = nlm_world_percept(world, x, NULL);
            digit[x] = digits_draw(1, random_u64(&random), pixels);
            for (int k = 0; k < NLM_IMAGE_PIXELS; k++)
                assert_true(percept[k] == (float)pixels[k] / 255.0f);
        }
        assert_labels_follow(world, digit);
    }
    nlm_world_free(world);
    nlm_world_free(same);
}

/* ---- what is shown ---- */

static void worlds_show_images_of_their_own_kind_only(void **state)
{
    (void)state;
    static const uint64_t last = NLM_TEST_WORLDS - 1;
    nlm_world *world = new_world();
    bool met[2][TRAIN] = {0};
    for (uint64_t index = 0; index < 100; index++)
        for (int test = 0; test < 2; test++) {
            generate_with(&task, 1, test ? NLM_TEST_WORLDS + index : last - index, NODES, world);
            for (int x = 0; x < NODES; x++) {
                const int image = image_of(world, x, test);
                assert_true(image >= 0);
                assert_int_equal(image_of(world, x, !test), -1);
                met[test][image] = true;
            }
        }
    for (int test = 0; test < 2; test++)
        for (int i = 0; i < (test ? TEST : TRAIN); i++)
            assert_true(met[test][i]); /* and all of them */
    nlm_world_free(world);
}

/* Neither a predicate nor anything but the percept. */
static void nothing_else_tells_the_digit(void **state)
{
    (void)state;
    nlm_world *world = new_world();
    for (int with = 0; with < 2; with++) {
        generate_with(with ? &task : task_called(NAME), 1, 1, NODES, world);
        assert_int_equal(nlm_world_predicates(world), 1);
        assert_string_equal(nlm_world_predicate_name(world, 0), "has_edge");
        assert_int_equal(nlm_world_find_predicate(world, "zero", 1), -1);
        assert_int_equal(nlm_world_targets(world), 1);
        assert_string_equal(nlm_world_target_name(world, 0), "adjacent_to_zero");
        for (int x = 0; x < NODES; x++) {
            char name[16];
            snprintf(name, sizeof name, "node%d", x);
            assert_string_equal(nlm_world_object_name(world, x), name);
        }
    }
    nlm_world_free(world);
}

/* As `fingerprint`, of every bit of the pictures. */
static uint64_t exact_fingerprint(const nlm_world *world)
{
    uint64_t hash = 14695981039346656037u;
    const int *tuples;
    size_t count = nlm_world_facts(world, 0, &tuples, NULL);
    for (size_t i = 0; i < 2 * count; i++)
        hash = (hash ^ (uint64_t)tuples[i]) * 1099511628211u;
    for (int x = 0; x < nlm_world_objects(world); x++) {
        const unsigned char *bytes = (const unsigned char *)nlm_world_percept(world, x, NULL);
        for (size_t i = 0; i < NLM_IMAGE_PIXELS * sizeof(float); i++)
            hash = (hash ^ bytes[i]) * 1099511628211u;
    }
    return hash;
}

static void a_world_depends_on_seed_and_number_alone(void **state)
{
    (void)state;
    enum { WORLDS = 10 };
    nlm_world *world = new_world(), *other = new_world();
    for (int with = 0; with < 2; with++) {
        const nlm_task *of = with ? &task : task_called(NAME);
        for (uint64_t index = 0; index < WORLDS; index++) {
            const uint64_t number = index % 2 ? NLM_TEST_WORLDS + index : index;
            generate_with(of, 7, number, NODES, world);
            generate("has-father", 1, index, 30, other); /* what was there before does not matter */
            generate_with(of, 7, number, NODES, other);
            assert_true(exact_fingerprint(world) == exact_fingerprint(other));
            generate_with(of, 8, number, NODES, other);
            assert_true(exact_fingerprint(world) != exact_fingerprint(other));
            generate_with(of, 7, number + 2, NODES, other);
            assert_true(exact_fingerprint(world) != exact_fingerprint(other));
        }
    }
    nlm_world_free(world);
    nlm_world_free(other);
}

/* Whether a node shows an image moved by so many pixels; what came in is paper. */
static bool shows_moved(const float *percept, const float *image, int right, int down)
{
    for (int y = 0; y < NLM_IMAGE_SIDE; y++)
        for (int x = 0; x < NLM_IMAGE_SIDE; x++) {
            const int from_x = x - right, from_y = y - down;
            const bool inside =
                from_x >= 0 && from_x < NLM_IMAGE_SIDE && from_y >= 0 && from_y < NLM_IMAGE_SIDE;
            const float ought = inside ? image[from_y * NLM_IMAGE_SIDE + from_x] : 0.0f;
            if (percept[y * NLM_IMAGE_SIDE + x] != ought)
                return false;
        }
    return true;
}

/* The image that a node of a training world shows, and how far it was moved. */
static int moved_image_of(const nlm_world *world, int node, int most, int *right, int *down)
{
    const float *percept = nlm_world_percept(world, node, NULL);
    for (int i = 0; i < TRAIN; i++)
        for (*down = -most; *down <= most; ++*down)
            for (*right = -most; *right <= most; ++*right)
                if (shows_moved(percept, shown[0][i], *right, *down))
                    return i;
    return -1;
}

/* By every distance that there may be, and no further; the labels are those of the images as they were. */
static void images_to_learn_from_may_be_moved(void **state)
{
    (void)state;
    enum { SHIFT = 2, WORLDS = 40 };
    nlm_task moving = task;
    moving.shift = SHIFT;
    nlm_world *world = new_world();
    bool met[2 * SHIFT + 1][2 * SHIFT + 1] = {{false}};
    for (uint64_t index = 0; index < WORLDS; index++) {
        int digit[NODES], right, down;
        generate_with(&moving, 3, index, NODES, world);
        for (int x = 0; x < NODES; x++) {
            const int image = moved_image_of(world, x, SHIFT, &right, &down);
            assert_in_range(image, 0, TRAIN - 1);
            digit[x] = digits[0][image];
            met[down + SHIFT][right + SHIFT] = true;
        }
        assert_labels_follow(world, digit);
        generate_with(&moving, 3, NLM_TEST_WORLDS + index, NODES, world);
        for (int x = 0; x < NODES; x++)
            assert_in_range(image_of(world, x, true), 0, TEST - 1);
    }
    for (int k = 0; k < (2 * SHIFT + 1) * (2 * SHIFT + 1); k++)
        assert_true(met[k / (2 * SHIFT + 1)][k % (2 * SHIFT + 1)]);
    nlm_world_free(world);
}

/* A world used again for a task without pictures shows none. */
static void other_tasks_show_nothing(void **state)
{
    (void)state;
    nlm_world *world = new_world();
    generate_with(&task, 1, 1, NODES, world);
    generate("adjacent-to-red", 1, 1, NODES, world);
    for (int x = 0; x < NODES; x++)
        assert_null(nlm_world_percept(world, x, NULL));
    nlm_task with_gallery = *task_called("1-outdegree");
    with_gallery.gallery = gallery; /* of no use */
    generate_with(&with_gallery, 1, 1, NODES, world);
    assert_null(nlm_world_percept(world, 0, NULL));
    nlm_world_free(world);
}

/* ---- worlds by hand ---- */

/* A 0 is not next to a 0 by being one; edges are followed in their direction. */
static void worlds_made_by_hand_are_labelled(void **state)
{
    (void)state;
    nlm_world *world = new_world();
    static table labels;
    add_fact(world, "zero", 1, "a", NULL, 1);
    add_fact(world, "zero", 1, "d", NULL, 1);
    add_fact(world, "zero", 1, "e", NULL, 0);
    add_fact(world, "has_edge", 2, "b", "a", 1);
    add_fact(world, "has_edge", 2, "a", "c", 1);
    add_fact(world, "has_edge", 2, "d", "a", 1);
    add_fact(world, "has_edge", 2, "c", "e", 1);
    assert_int_equal(nlm_task_label(task_called(NAME), world, NULL), NLM_OK);
    read_labels(world, NAME, &labels);
    static const struct {
        const char *node;
        bool is;
    } ought[] = {{"a", false}, {"b", true}, {"c", false}, {"d", true}, {"e", false}};
    for (size_t i = 0; i < sizeof ought / sizeof *ought; i++)
        assert_int_equal(labels.at[nlm_world_find_object(world, ought[i].node)][0], ought[i].is);
    assert_int_equal(nlm_world_predicates(world), 2); /* what was given stays */
    nlm_world_free(world);
}

/* Who wants labels must say which nodes are zeros: a percept does not tell the oracle. */
static void labels_need_to_know_the_zeros(void **state)
{
    (void)state;
    nlm_world *world = new_world();
    nlm_error error;
    generate_with(&task, 1, 1, NODES, world);
    assert_int_equal(nlm_task_label(&task, world, &error), NLM_BAD_ARGUMENT);
    assert_string_equal(error.message, NAME ": the world has no predicate zero/1");
    nlm_world_free(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(labels_follow_from_edges_and_images),
        cmocka_unit_test(labels_follow_from_edges_and_drawings),
        cmocka_unit_test(worlds_show_images_of_their_own_kind_only),
        cmocka_unit_test(nothing_else_tells_the_digit),
        cmocka_unit_test(a_world_depends_on_seed_and_number_alone),
        cmocka_unit_test(images_to_learn_from_may_be_moved),
        cmocka_unit_test(other_tasks_show_nothing),
        cmocka_unit_test(worlds_made_by_hand_are_labelled),
        cmocka_unit_test(labels_need_to_know_the_zeros),
    };
    return cmocka_run_group_tests(tests, draw_gallery, free_gallery);
}
