/* Texts that are no instance: refused with one line that names the file and the cause, and the position is
 * what it was. */
#include "positions.h"

#define NAME "some/file.json"

static const char *const names[] = {"sort", "path", "blocks"};
enum { GAMES = COUNT(names) };

/* Into a position in the middle of an episode, and into one that never had an instance. */
static void assert_bytes_refused(const char *game, const char *bytes, size_t length, const char *cause)
{
    nlm_position *position = new_position(game), *empty = new_position(game), *same = new_position(game);
    nlm_error error = {NLM_OK, ""};
    draw(position, 1, 4, 6, true); /* a path of 4 edges */
    move(position, 0, 1);
    CHECK(nlm_position_copy(same, position, &check_error));
    nlm_status status = nlm_position_read(position, bytes, length, NAME, &error);
    if (status != NLM_BAD_FILE)
        fail_msg("%s: status %d for %.300s", game, status, bytes);
    assert_said(&error, NLM_BAD_FILE, cause);
    assert_int_equal(strncmp(error.message, NAME ": ", strlen(NAME ": ")), 0);
    assert_string_equal(written(position), written(same));
    assert_int_equal(nlm_position_moves(position), 1);
    assert_int_equal(nlm_position_limit(position), nlm_position_limit(same));
    assert_int_equal(nlm_position_optimum(position), nlm_position_optimum(same));
    assert_int_equal(nlm_position_solved(position), nlm_position_solved(same));
    assert_int_equal(nlm_position_read(empty, bytes, length, NAME, NULL), NLM_BAD_FILE);
    assert_int_equal(nlm_position_objects(empty), 0);
    nlm_position_free(position);
    nlm_position_free(empty);
    nlm_position_free(same);
}

/* Also as the instance of an episode, where the text is JSON at all. */
static void assert_refused(const char *game, const char *text, const char *cause)
{
    char episode[1024];
    assert_bytes_refused(game, text, strlen(text), cause);
    assert_true(snprintf(episode, sizeof episode, "{\"instance\": %s}", text) < (int)sizeof episode);
    assert_bytes_refused(game, episode, strlen(episode), cause);
}

typedef struct broken {
    const char *text, *cause;
} broken;

static void assert_all_refused(const char *game, const broken *texts, size_t count)
{
    for (size_t i = 0; i < count; i++)
        assert_refused(game, texts[i].text, texts[i].cause);
}

/* ---- every game ---- */

static void texts_that_are_not_json_are_refused(void **state)
{
    (void)state;
    static const broken texts[] = {
        {"", "line 1: '[' or '{' expected near end of file"},
        {" \n\n ", "line 3: '[' or '{' expected near end of file"},
        {"\n{\"array\": [1, 0]", "line 2: "},
        {"{\"array\": [1, 0]} {}", "line 1: end of file expected"},
        {"{\"array\": [1, 0], \"array\": [1, 0]}", "duplicate object key"},
        {"{'array': [1, 0]}", "line 1: "},
        {"hello", "line 1: "},
        {"17", "line 1: "},
        {"null", "line 1: "},
        {"{\"array\": [1, 0]\n,\x01\x02\x7F}", "line 2: "},
        {"{\"array\x7F\x7F", "line 1: "},
        {"{\"\xC3\x28\": 1}", "line 1: "},
        {"{\"array\": [1, 0, 99999999999999999999999999999]}", "too big integer"},
        {"{\"array\": [1, 0, 1e999999]}", "real number overflow"},
    };
    for (int g = 0; g < GAMES; g++)
        for (size_t i = 0; i < COUNT(texts); i++)
            assert_bytes_refused(names[g], texts[i].text, strlen(texts[i].text), texts[i].cause);
}

static void texts_with_nul_bytes_are_refused(void **state)
{
    (void)state;
    static const char after[] = "{\"array\": [1, 0]}\0", before[] = "\0{\"array\": [1, 0]}",
                      inside[] = "{\"array\": [1,\0 0]}", key[] = "{\"ta\0sk\": 0, \"array\": [1, 0]}",
                      escaped[] = "{\"task\": \"so\\u0000rt\", \"array\": [1, 0]}";
    for (int g = 0; g < GAMES; g++) {
        assert_bytes_refused(names[g], after, sizeof after - 1, "line 1: ");
        assert_bytes_refused(names[g], before, sizeof before - 1, "line 1: ");
        assert_bytes_refused(names[g], inside, sizeof inside - 1, "line 1: ");
        assert_bytes_refused(names[g], key, sizeof key - 1, "line 1: ");
        assert_bytes_refused(names[g], escaped, sizeof escaped - 1, "line 1: ");
        for (size_t length = 1; length < 40; length++)
            assert_bytes_refused(names[g], (const char[40]){0}, length, "line 1: ");
    }
}

static void only_what_is_there_is_read(void **state)
{
    (void)state;
    static const char text[] = "{\"array\": [1, 0]} and what follows";
    nlm_position *position = new_position("sort");
    CHECK(nlm_position_read(position, text, 17, NAME, &check_error));
    for (size_t length = 0; length < 17; length++)
        assert_int_equal(nlm_position_read(position, text, length, NAME, NULL), NLM_BAD_FILE);
    assert_string_equal(written(position), "{\"task\": \"sort\", \"array\": [1, 0]}");
    nlm_position_free(position);
}

static void instances_that_are_no_objects_are_refused(void **state)
{
    (void)state;
    static const char *const values[] = {"null", "true", "7", "1.5", "\"sort\"", "[]", "[[1, 0]]", "{}"};
    static const char *const wants[] = {"\"array\"", "\"nodes\"", "\"start\" and \"target\""};
    for (int g = 0; g < GAMES; g++) {
        assert_bytes_refused(names[g], "[]", 2, "an instance is a JSON object");
        assert_bytes_refused(names[g], "[1, 0]", 6, "an instance is a JSON object");
        assert_bytes_refused(names[g], "{}", 2, wants[g]);
        for (size_t v = 0; v < COUNT(values); v++) {
            char episode[64];
            snprintf(episode, sizeof episode, "{\"instance\": %s}", values[v]);
            assert_bytes_refused(names[g], episode, strlen(episode), "");
        }
    }
}

static void deep_texts_are_refused(void **state)
{
    (void)state;
    enum { DEPTH = 100000 };
    static char text[DEPTH + 32];
    for (int g = 0; g < GAMES; g++)
        for (int closed = 0; closed < 2; closed++) {
            size_t used = (size_t)snprintf(text, sizeof text, "{\"start\": ");
            memset(text + used, '[', DEPTH);
            if (closed)
                memset(text + used + DEPTH / 2, ']', DEPTH / 2);
            assert_bytes_refused(names[g], text, used + DEPTH, "maximum parsing depth reached");
        }
    for (int g = 0; g < GAMES; g++) { /* an instance is not looked for in one */
        assert_bytes_refused(names[g], "{\"instance\": {\"instance\": {\"array\": [1, 0]}}}", 45, "");
        assert_refused(names[g], "{\"array\": [[[[1]]], [[0]]], \"nodes\": [[2]], \"start\": [[[[1]]]]}", "");
    }
}

static void other_tasks_are_refused(void **state)
{
    (void)state;
    for (int g = 0; g < GAMES; g++) {
        const char *other = names[(g + 1) % GAMES];
        nlm_position *position = new_position(other);
        char cause[64], text[1024];
        draw(position, 1, 1, 7, false);
        snprintf(cause, sizeof cause, "an instance of %s, not of %s", other, names[g]);
        snprintf(text, sizeof text, "%s", written(position));
        assert_refused(names[g], text, cause);
        nlm_position_free(position);
        snprintf(cause, sizeof cause, "not of %s", names[g]);
        assert_refused(names[g], "{\"task\": \"chess\"}", cause);
        assert_refused(names[g], "{\"task\": \"\"}", cause);
        assert_refused(names[g], "{\"task\": \"a\\nb\\u001b[1m\"}", cause);
        assert_refused(names[g], "{\"task\": 1}", "\"task\" is no text");
        assert_refused(names[g], "{\"task\": null}", "\"task\" is no text");
        assert_refused(names[g], "{\"task\": [\"sort\"]}", "\"task\" is no text");
    }
}

static void solved_instances_are_refused(void **state)
{
    (void)state;
    assert_refused("sort", "{\"array\": [0, 1, 2]}", "the instance is solved already");
    assert_refused("path", "{\"nodes\": 2, \"edges\": [[0, 1]], \"start\": 1, \"target\": 1}",
                   "the instance is solved already");
    assert_refused("path", "{\"nodes\": 2, \"edges\": [], \"start\": 0, \"target\": 0}",
                   "the instance is solved already");
    assert_refused("blocks", "{\"start\": [[1, 2], [3]], \"target\": [[3], [1, 2]]}",
                   "the instance is solved already");
}

static void long_names_are_cut(void **state)
{
    (void)state;
    char name[400];
    nlm_error error;
    nlm_position *position = new_position("sort");
    memset(name, 'x', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    assert_int_equal(nlm_position_read(position, "{", 1, name, &error), NLM_BAD_FILE);
    assert_said(&error, NLM_BAD_FILE, "xxx: line 1: ");
    assert_true(strlen(error.message) < sizeof error.message - 1);
    nlm_position_free(position);
}

/* ---- sort ---- */

static void broken_arrays_are_refused(void **state)
{
    (void)state;
    static const broken texts[] = {
        {"{\"array\": null}", "an instance of sort has an \"array\" of numbers"},
        {"{\"array\": {\"0\": 1}}", "an instance of sort has an \"array\" of numbers"},
        {"{\"array\": \"10\"}", "an instance of sort has an \"array\" of numbers"},
        {"{\"arrays\": [1, 0]}", "an instance of sort has an \"array\" of numbers"},
        {"{\"array\": []}", "an instance of sort has 2 to 2000 objects"},
        {"{\"array\": [0]}", "an instance of sort has 2 to 2000 objects"},
        {"{\"array\": [1, 1]}", "the array has 1 twice; it must hold each of 0..1 once"},
        {"{\"array\": [2, 0, 1, 0]}", "the array has 0 twice; it must hold each of 0..3 once"},
        {"{\"array\": [1, 2]}", "a number of the array is 2, not in 0..1"},
        {"{\"array\": [1, -1]}", "a number of the array is -1, not in 0..1"},
        {"{\"array\": [9223372036854775807, 0]}", "is 9223372036854775807, not in 0..1"},
        {"{\"array\": [-9223372036854775808, 0]}", "is -9223372036854775808, not in 0..1"},
        {"{\"array\": [4294967297, 0]}", "is 4294967297, not in 0..1"},
        {"{\"array\": [1, 0.0]}", "a number of the array is missing or no whole number"},
        {"{\"array\": [1, \"0\"]}", "a number of the array is missing or no whole number"},
        {"{\"array\": [1, null]}", "a number of the array is missing or no whole number"},
        {"{\"array\": [true, false]}", "a number of the array is missing or no whole number"},
        {"{\"array\": [[1], [0]]}", "a number of the array is missing or no whole number"},
        {"{\"array\": [1, {}]}", "a number of the array is missing or no whole number"},
    };
    assert_all_refused("sort", texts, COUNT(texts));
}

/* ---- path ---- */

#define PATH(nodes, edges, start, target)                                                                    \
    "{\"nodes\": " nodes ", \"edges\": " edges ", \"start\": " start ", \"target\": " target "}"

static void broken_graphs_are_refused(void **state)
{
    (void)state;
    static const broken texts[] = {
        {PATH("1", "[]", "0", "0"), "\"nodes\" is 1, not in 2..1000"},
        {PATH("0", "[]", "0", "0"), "\"nodes\" is 0, not in 2..1000"},
        {PATH("-3", "[]", "0", "0"), "\"nodes\" is -3, not in 2..1000"},
        {PATH("1001", "[[0, 1]]", "0", "1"), "\"nodes\" is 1001, not in 2..1000"},
        {PATH("4294967298", "[[0, 1]]", "0", "1"), "\"nodes\" is 4294967298, not in 2..1000"},
        {PATH("2.0", "[[0, 1]]", "0", "1"), "\"nodes\" is missing or no whole number"},
        {PATH("[2]", "[[0, 1]]", "0", "1"), "\"nodes\" is missing or no whole number"},
        {PATH("null", "[[0, 1]]", "0", "1"), "\"nodes\" is missing or no whole number"},
        {PATH("2", "[[0, 1]]", "\"0\"", "1"), "\"start\" is missing or no whole number"},
        {PATH("2", "[[0, 1]]", "0", "true"), "\"target\" is missing or no whole number"},
        {PATH("2", "[[0, 1]]", "2", "1"), "\"start\" is 2, not in 0..1"},
        {PATH("2", "[[0, 1]]", "-1", "1"), "\"start\" is -1, not in 0..1"},
        {PATH("2", "[[0, 1]]", "0", "2"), "\"target\" is 2, not in 0..1"},
        {PATH("2", "[[0, 1]]", "0", "4294967297"), "\"target\" is 4294967297, not in 0..1"},
        {PATH("2", "null", "0", "1"), "\"edges\", a list of pairs of nodes"},
        {PATH("2", "{}", "0", "1"), "\"edges\", a list of pairs of nodes"},
        {PATH("2", "\"01\"", "0", "1"), "\"edges\", a list of pairs of nodes"},
        {PATH("2", "[0, 1]", "0", "1"), "edge 1 is no pair of nodes"},
        {PATH("2", "[[0, 1], []]", "0", "1"), "edge 2 is no pair of nodes"},
        {PATH("2", "[[0, 1], [1]]", "0", "1"), "edge 2 is no pair of nodes"},
        {PATH("3", "[[0, 1, 2]]", "0", "1"), "edge 1 is no pair of nodes"},
        {PATH("2", "[{\"0\": 1, \"1\": 0}]", "0", "1"), "edge 1 is no pair of nodes"},
        {PATH("2", "[[0, \"1\"]]", "0", "1"), "a node of an edge is missing or no whole number"},
        {PATH("2", "[[null, 1]]", "0", "1"), "a node of an edge is missing or no whole number"},
        {PATH("2", "[[0, 1.0]]", "0", "1"), "a node of an edge is missing or no whole number"},
        {PATH("2", "[[[0], [1]]]", "0", "1"), "a node of an edge is missing or no whole number"},
        {PATH("2", "[[0, 1], [1, 2]]", "0", "1"), "a node of an edge is 2, not in 0..1"},
        {PATH("2", "[[-1, 1]]", "0", "1"), "a node of an edge is -1, not in 0..1"},
        {PATH("2", "[[0, 1], [1, 1]]", "0", "1"), "edge 2 leads from node 1 to itself"},
        {PATH("2", "[]", "0", "1"), "no path leads from node 0 to node 1"},
        {PATH("5", "[[0, 1], [1, 2], [3, 4]]", "4", "0"), "no path leads from node 4 to node 0"},
        {"{\"nodes\": 2, \"start\": 0, \"target\": 1}", "\"edges\", a list of pairs of nodes"},
        {"{\"nodes\": 2, \"edges\": [[0, 1]], \"target\": 1}", "\"start\" is missing"},
        {"{\"nodes\": 2, \"edges\": [[0, 1]], \"start\": 1}", "\"target\" is missing"},
        {"{\"edges\": [[0, 1]], \"start\": 1, \"target\": 0}", "\"nodes\" is missing"},
    };
    assert_all_refused("path", texts, COUNT(texts));
}

/* ---- blocks ---- */

#define TOWERS(start, target) "{\"start\": " start ", \"target\": " target "}"

static void broken_towers_are_refused(void **state)
{
    (void)state;
    static const broken texts[] = {
        {"{\"start\": [[1, 2]]}", "\"start\" and \"target\", lists of towers"},
        {"{\"target\": [[1, 2]]}", "\"start\" and \"target\", lists of towers"},
        {TOWERS("null", "[[1, 2]]"), "\"start\" and \"target\", lists of towers"},
        {TOWERS("[[1, 2]]", "{\"0\": [1, 2]}"), "\"start\" and \"target\", lists of towers"},
        {TOWERS("\"12\"", "7"), "\"start\" and \"target\", lists of towers"},
        {TOWERS("[]", "[]"), "an instance of blocks has 2 to 1000 objects"},
        {TOWERS("[[], []]", "[[]]"), "an instance of blocks has 2 to 1000 objects"},
        {TOWERS("[[1]]", "[[1]]"), "an instance of blocks has 2 to 1000 objects"},
        {TOWERS("[1, 2]", "[2, 1]"), "an instance of blocks has 2 to 1000 objects"},
        {TOWERS("[[1, 2], 3]", "[[1], [2]]"), "a tower in \"start\" is no list of blocks"},
        {TOWERS("[[1, 2]]", "[[1], [2], \"3\"]"), "a tower in \"target\" is no list of blocks"},
        {TOWERS("[[1, 2], null]", "[[1], [2]]"), "a tower in \"start\" is no list of blocks"},
        {TOWERS("[[1, 2], {\"3\": 3}]", "[[1], [2]]"), "a tower in \"start\" is no list of blocks"},
        {TOWERS("[[1, 2]]", "[[1], [2], [3]]"), "\"start\" has 2 blocks, \"target\" has 3"},
        {TOWERS("[[1, 2, 3]]", "[[2, 1]]"), "\"start\" has 3 blocks, \"target\" has 2"},
        {TOWERS("[[1, 2]]", "[[3, 4]]"), "a block is 3, not in 1..2"},
        {TOWERS("[[1, 2, 4]]", "[[1], [2], [3]]"), "a block is 4, not in 1..3"},
        {TOWERS("[[0, 1]]", "[[1, 0]]"), "a block is 0, not in 1..2"},
        {TOWERS("[[1, 2]]", "[[-1], [1]]"), "a block is -1, not in 1..2"},
        {TOWERS("[[1, 4294967298]]", "[[2], [1]]"), "a block is 4294967298, not in 1..2"},
        {TOWERS("[[1, 2], [2]]", "[[1, 2, 3]]"), "block 2 stands in two places of \"start\""},
        {TOWERS("[[1, 2], [3]]", "[[1, 2, 1]]"), "block 1 stands in two places of \"target\""},
        {TOWERS("[[1, 1]]", "[[1, 2]]"), "block 1 stands in two places of \"start\""},
        {TOWERS("[[1, 2.0]]", "[[2, 1]]"), "a block is missing or no whole number"},
        {TOWERS("[[1, \"2\"]]", "[[2, 1]]"), "a block is missing or no whole number"},
        {TOWERS("[[1, 2]]", "[[2, null]]"), "a block is missing or no whole number"},
        {TOWERS("[[1, [2]]]", "[[2, 1]]"), "a block is missing or no whole number"},
        {TOWERS("[[true, false]]", "[[2, 1]]"), "a block is missing or no whole number"},
    };
    assert_all_refused("blocks", texts, COUNT(texts));
}

/* ---- too many ---- */

/* 0, 1, 2, ... from `first` on, backwards, as a list. */
static size_t print_numbers(char *text, int first, int count)
{
    size_t used = 0;
    for (int i = first + count - 1; i >= first; i--)
        used += (size_t)sprintf(text + used, "%s%d", i == first + count - 1 ? "[" : ",", i);
    return used + (size_t)sprintf(text + used, "]");
}

static void instances_with_too_many_objects_are_refused(void **state)
{
    (void)state;
    enum { ROOM = 1 << 20 };
    char *text = malloc(ROOM);
    for (int count = 2001; count <= 100000; count += 97999) {
        size_t used = (size_t)sprintf(text, "{\"array\":");
        used += print_numbers(text + used, 0, count);
        used += (size_t)sprintf(text + used, "}");
        assert_true(used < ROOM);
        assert_bytes_refused("sort", text, used, "an instance of sort has 2 to 2000 objects");
    }
    for (int count = 1001; count <= 20000; count += 18999) {
        size_t used = (size_t)sprintf(text, "{\"start\":[");
        used += print_numbers(text + used, 1, count);
        used += (size_t)sprintf(text + used, "],\"target\":[[1],");
        used += print_numbers(text + used, 2, count - 1);
        used += (size_t)sprintf(text + used, "]}");
        assert_true(used < ROOM);
        assert_bytes_refused("blocks", text, used, "an instance of blocks has 2 to 1000 objects");
    }
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texts_that_are_not_json_are_refused),
        cmocka_unit_test(texts_with_nul_bytes_are_refused),
        cmocka_unit_test(only_what_is_there_is_read),
        cmocka_unit_test(instances_that_are_no_objects_are_refused),
        cmocka_unit_test(deep_texts_are_refused),
        cmocka_unit_test(other_tasks_are_refused),
        cmocka_unit_test(solved_instances_are_refused),
        cmocka_unit_test(long_names_are_cut),
        cmocka_unit_test(broken_arrays_are_refused),
        cmocka_unit_test(broken_graphs_are_refused),
        cmocka_unit_test(broken_towers_are_refused),
        cmocka_unit_test(instances_with_too_many_objects_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
