/* A folder of files that a test makes, and problems read from it. */
#ifndef TESTS_FACTS_FILES_H
#define TESTS_FACTS_FILES_H

#define _GNU_SOURCE /* for nftw; this header comes first */
#include <ftw.h>
#include <sys/stat.h>
#include <unistd.h>
#include "test.h"

#include "nlm/facts.h"

static char files_folder[] = "/tmp/nlm-facts-XXXXXX";
static const char files_template[] = "/tmp/nlm-facts-XXXXXX";

static inline int files_remove_entry(const char *path, const struct stat *about, int kind, struct FTW *where)
{
    (void)about;
    (void)kind;
    (void)where;
    return remove(path);
}

/* An empty folder, in which the test then runs: names of files are short in messages. */
static inline int files_setup(void **state)
{
    (void)state;
    memcpy(files_folder, files_template, sizeof files_folder);
    return mkdtemp(files_folder) && !chdir(files_folder) ? 0 : -1;
}

static inline int files_teardown(void **state)
{
    (void)state;
    return chdir("/") || nftw(files_folder, files_remove_entry, 16, FTW_DEPTH | FTW_PHYS);
}

/* A file, and the folders that its name is in. */
static inline void files_write_bytes(const char *name, const char *text, size_t size)
{
    char path[256];
    snprintf(path, sizeof path, "%s", name);
    for (char *slash = strchr(path, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        mkdir(path, 0777);
        *slash = '/';
    }
    FILE *file = fopen(name, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

static inline void files_write(const char *name, const char *text)
{
    files_write_bytes(name, text, strlen(text));
}

static inline char *files_text(const char *name)
{
    static char text[1 << 16];
    FILE *file = fopen(name, "rb");
    assert_non_null(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    return text;
}

static inline nlm_problem *files_read(const char *path, const nlm_reading *reading)
{
    nlm_problem *problem;
    nlm_error error = {0};
    if (nlm_problem_read(path, reading, &problem, &error))
        fail_msg("%s", error.message);
    return problem;
}

/* Reading fails with this message. */
static inline void files_refused(const char *path, const nlm_reading *reading, nlm_status status,
                                 const char *message)
{
    nlm_problem *problem = (nlm_problem *)files_folder;
    nlm_error error = {0};
    assert_int_equal(nlm_problem_read(path, reading, &problem, &error), status);
    assert_string_equal(error.message, message);
    assert_int_equal(error.status, status);
    assert_null(problem);
}

/* The notes are these, up to NULL. */
static inline void files_notes(const nlm_problem *problem, ...)
{
    va_list notes;
    va_start(notes, problem);
    int count = 0;
    for (const char *note; (note = va_arg(notes, const char *)); count++) {
        assert_true(count < nlm_problem_notes(problem));
        assert_string_equal(nlm_problem_note(problem, count), note);
    }
    va_end(notes);
    if (count < nlm_problem_notes(problem))
        fail_msg("another note: %s", nlm_problem_note(problem, count));
    assert_null(nlm_problem_note(problem, count));
    assert_null(nlm_problem_note(problem, -1));
}

/* All of a world as one text: objects; facts; labels with their default, "?", "-" or "+", in order. */
static inline void files_describe(const nlm_problem *problem, int number, char *out, size_t size)
{
    const nlm_signature *signature = nlm_problem_signature(problem);
    const nlm_world *world = nlm_problem_world(problem, number);
    FILE *text = fmemopen(out, size, "w");
    char fact[256];
    for (int object = 0; object < nlm_world_objects(world); object++)
        fprintf(text, "%s%s", object ? " " : "", nlm_world_object_name(world, object));
    for (int p = 0; p < nlm_world_predicates(world); p++) {
        const int *tuples;
        const float *values;
        size_t arity = (size_t)nlm_world_predicate_arity(world, p);
        size_t count = nlm_world_facts(world, p, &tuples, &values);
        fprintf(text, "; %s/%zu:", nlm_world_predicate_name(world, p), arity);
        for (size_t i = 0; i < count; i++) {
            nlm_fact_text(signature, nlm_signature_input(signature, p), world,
                          arity ? tuples + i * arity : NULL, fact, sizeof fact);
            fprintf(text, " %s", fact);
            assert_true(values[i] == 1.0f);
        }
    }
    for (int t = 0; t < nlm_world_targets(world); t++) {
        const int *tuples;
        const signed char *labels;
        nlm_label by_default;
        size_t arity = (size_t)nlm_world_target_arity(world, t);
        size_t count = nlm_world_labels(world, t, &tuples, &labels, &by_default);
        fprintf(text, "; %s/%zu %c", nlm_world_target_name(world, t), arity, "?-+"[by_default + 1]);
        for (size_t i = 0; i < count; i++) {
            nlm_fact_text(signature, nlm_signature_target(signature, t), world,
                          arity ? tuples + i * arity : NULL, fact, sizeof fact);
            fprintf(text, " %s%c", fact, "?-+"[labels[i] + 1]);
        }
    }
    fclose(text);
}

static inline void files_world(const nlm_problem *problem, int number, const char *expected)
{
    char text[4096];
    files_describe(problem, number, text, sizeof text);
    assert_string_equal(text, expected);
}

/* Read a path whose only world is described so. */
static inline nlm_problem *files_expect(const char *path, const nlm_reading *reading, const char *expected)
{
    nlm_problem *problem = files_read(path, reading);
    assert_int_equal(nlm_problem_worlds(problem), 1);
    files_world(problem, 0, expected);
    return problem;
}

#define files_test(function) cmocka_unit_test_setup_teardown(function, files_setup, files_teardown)

#endif
