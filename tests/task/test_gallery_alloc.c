/* Memory of galleries: whichever allocation fails, there is no gallery, and the call says so; a world that
 * could not be given its pictures is empty; worlds of sizes that were seen allocate nothing. */
#include "worlds.h"
#include "failing_malloc.h"

#include <unistd.h>
#include "nlm/gallery.h"
#include "perception/idx_files.h"

static char folder[] = "/tmp/nlm-test-gallery-XXXXXX";
static const char *const names[] = {"train-images-idx3-ubyte", "train-labels-idx1-ubyte",
                                    "t10k-images-idx3-ubyte", "t10k-labels-idx1-ubyte"};

static nlm_status draw(nlm_gallery **gallery, nlm_error *error)
{
    return nlm_gallery_draw(4, 3, gallery, error);
}

static nlm_status read_files(nlm_gallery **gallery, nlm_error *error)
{
    return nlm_gallery_read(folder, gallery, error);
}

static void fail_each(nlm_status (*make)(nlm_gallery **, nlm_error *))
{
    nlm_gallery *gallery;
    int number = 0;
    for (nlm_status status = NLM_NO_MEMORY; status; number++) {
        nlm_error error = {NLM_OK, ""};
        gallery = (nlm_gallery *)&folder;
        fail_allocation(number);
        status = make(&gallery, &error);
        const bool failed = allocation_failed();
        fail_allocation(-1);
        assert_int_equal(status, failed ? NLM_NO_MEMORY : NLM_OK);
        assert_int_equal(error.status, status);
        assert_true(status ? gallery == NULL : gallery != NULL);
    }
    assert_true(number > 4); /* the gallery, and pixels and labels of both kinds */
    nlm_gallery_free(gallery);
}

static void a_gallery_may_not_be_had(void **state)
{
    (void)state;
    fail_each(draw);
    assert_non_null(mkdtemp(folder));
    idx_write(folder, names[0], idx_images(4));
    idx_write(folder, names[1], idx_labels(4));
    idx_write(folder, names[2], idx_images(3));
    idx_write(folder, names[3], idx_labels(3));
    fail_each(read_files);
    for (int f = 0; f < 4; f++) {
        char path[128];
        snprintf(path, sizeof path, "%s/%s", folder, names[f]);
        unlink(path);
    }
    assert_int_equal(rmdir(folder), 0);
}

static void a_world_without_its_pictures_is_empty(void **state)
{
    (void)state;
    nlm_gallery *gallery;
    nlm_task task = *task_called("adjacent-to-zero");
    assert_int_equal(nlm_gallery_draw(4, 3, &gallery, NULL), NLM_OK);
    task.gallery = gallery;
    int number = 0;
    for (nlm_status status = NLM_NO_MEMORY; status; number++) {
        nlm_world *world = new_world();
        fail_allocation(number);
        status = nlm_task_generate(&task, NLM_WORLDS_PAPER, 1, 1, 20, world, NULL);
        fail_allocation(-1);
        assert_true(status == NLM_OK || status == NLM_NO_MEMORY);
        assert_int_equal(nlm_world_objects(world), status ? 0 : 20);
        assert_int_equal(nlm_world_predicates(world), status ? 0 : 1);
        assert_true((nlm_world_percept(world, 19, NULL) == NULL) == (status != NLM_OK));
        for (int round = 0; round < 2; round++) {
            fail_allocation(-1);
            for (int nodes = 50; nodes > 0; nodes -= 7)
                assert_int_equal(
                    nlm_task_generate(&task, NLM_WORLDS_PAPER, 1, (uint64_t)nodes, nodes, world, NULL),
                    NLM_OK);
        }
        assert_int_equal(allocations, 0);
        nlm_world_free(world);
    }
    assert_true(number > 5);
    nlm_gallery_free(gallery);
}

int main(void)
{
    fail_allocation(-1);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_gallery_may_not_be_had),
        cmocka_unit_test(a_world_without_its_pictures_is_empty),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
