/* Facts of one's own: what they are about (signature), worlds from files (problem), and facts back.
 *
 *     signature   names, arities and types of the predicates that a machine reads and of those it concludes
 *     problem     one or several worlds with the same signature, read from files or generated
 *
 * Facts are written in Prolog's syntax, `father(homer, bart).`, or as rows of tables; docs/formats.md has all
 * forms.  A machine's predicates hold for different objects.  So the facts of likes/2 that repeat an object,
 * likes(a, a), are those of a predicate of their own, with one argument and the name likes(A,A); they are
 * read and written as likes(a, a). */
#ifndef NLM_FACTS_H
#define NLM_FACTS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include "nlm/machine.h"
#include "nlm/game.h"
#include "nlm/task.h"

#ifdef __cplusplus
extern "C" {
#endif

#define NLM_MAX_FACT_ARITY 4 /* as written */

/* ---- signature ---- */

typedef struct nlm_signature nlm_signature;

/* What the objects at a place are to worlds that were read from one file (see nlm_reading). */
typedef enum nlm_share {
    NLM_SHARE_NONE,  /* files are worlds */
    NLM_SHARE_WORLD, /* the object that tells worlds apart */
    NLM_SHARE_OWN,   /* objects of one world */
    NLM_SHARE_ALL    /* objects that several worlds may mention */
} nlm_share;

/* How a number is compared; NLM_KNOWN: there is one. */
typedef enum nlm_order { NLM_AT_LEAST, NLM_BELOW, NLM_ABOVE, NLM_AT_MOST, NLM_KNOWN } nlm_order;

/* What a machine reads of numbers: a comparison, which holds for objects or not, `size(A,V), V >= 3.76` or
 * `size(A,V), size(B,W), V >= W`.  Where a number is not known, none holds. */
typedef struct nlm_comparison {
    int terms;                         /* attributes: 1 or 2; 0 for a predicate that compares nothing */
    int attribute[2];                  /* of the signature */
    int object[2][NLM_MAX_FACT_ARITY]; /* which of the predicate's objects stands at each of its places */
    bool minus;                        /* the second is subtracted, not added */
    nlm_order order;
    double number;
} nlm_comparison;

typedef struct nlm_predicate {
    /* As written: "likes".  With a constant, "department(A,it)": its facts are department(ann, it), its arity
     * is 1, that of the letters.  Of a comparison its text. */
    const char *name;
    int arity;                     /* as written: 2 */
    int objects;                   /* different ones: the arity for the machine */
    int place[NLM_MAX_FACT_ARITY]; /* which of them stands at each place: {0, 1}, or {0, 0} for likes(A,A) */
    const char *type[NLM_MAX_FACT_ARITY]; /* of each place; "" where none was declared */
    bool is_type; /* holds for the objects of type `name`: not from facts, but from where atoms stand */
    nlm_share share[NLM_MAX_FACT_ARITY]; /* of each place */
    nlm_comparison comparison;           /* with terms: not from facts, but from the numbers of the world */
} nlm_predicate;

/* A number that facts say of objects: size(p1, 3.76).  position(p1, 2.5, 4.0) is two attributes. */
typedef struct nlm_attribute {
    const char *name; /* as written: "size" */
    int arity;        /* as written, with all numbers: 2 */
    int objects;      /* the first so many arguments are different objects, the others numbers */
    int place;        /* of this number among the arguments, from 0: objects .. arity - 1 */
    const char *type[NLM_MAX_FACT_ARITY]; /* of the objects; "" where none was declared */
} nlm_attribute;

void nlm_signature_free(nlm_signature *signature);
/* That of the worlds of a task. */
nlm_status nlm_signature_of_task(const nlm_task *task, nlm_signature **signature, nlm_error *error);
/* That of the positions of a game; its targets are the rules of an agent, move_1, ..., move_RULES
 * (nlm/rules.h). */
nlm_status nlm_signature_of_game(const nlm_game *game, int rules, nlm_signature **signature,
                                 nlm_error *error);
/* That of a model: what it records, or its task's.  NLM_BAD_FILE if there is neither, or it does not fit the
 * machine; `name` stands for the model in messages. */
nlm_status nlm_signature_of_model(const nlm_machine *machine, const char *name, nlm_signature **signature,
                                  nlm_error *error);
/* As one line of text for the metadata of a model, which holds until the signature is freed. */
nlm_status nlm_signature_text(const nlm_signature *signature, const char **text, nlm_error *error);

/* The predicates that the machine reads, and those that it concludes, each in the machine's order. */
int nlm_signature_inputs(const nlm_signature *signature);
int nlm_signature_targets(const nlm_signature *signature);
const nlm_predicate *nlm_signature_input(const nlm_signature *signature, int input);
const nlm_predicate *nlm_signature_target(const nlm_signature *signature, int target);
/* The attributes, which are those of the worlds in the same order. */
int nlm_signature_attributes(const nlm_signature *signature);
const nlm_attribute *nlm_signature_attribute(const nlm_signature *signature, int attribute);
/* Whether any predicate has types.  Then the same atom under two types is two objects. */
bool nlm_signature_typed(const nlm_signature *signature);

/* The object's atom as a file has it, without quotes, and its type ("" without types). */
const char *nlm_signature_atom(const nlm_signature *signature, const nlm_world *world, int object);
void nlm_signature_type(const nlm_signature *signature, const nlm_world *world, int object, char *type,
                        size_t size);
/* Whether the tuple (predicate->objects of them) has the types that the predicate asks for. */
bool nlm_signature_fits(const nlm_signature *signature, const nlm_predicate *predicate,
                        const nlm_world *world, const int *tuple);

/* "likes(a, 'Bart S.')" for such a tuple, and "likes/2" or "likes(A,A)" for the predicate; cut to `size`
 * bytes, always ended by 0.  The result is the length of the whole text. */
size_t nlm_fact_text(const nlm_signature *signature, const nlm_predicate *predicate, const nlm_world *world,
                     const int *tuple, char *text, size_t size);
size_t nlm_predicate_text(const nlm_predicate *predicate, char *text, size_t size);
/* Of a predicate with one constant, department(A,it), the name that facts have, "department", and the
 * constant, without quotes; false of others. */
bool nlm_predicate_constant(const nlm_predicate *predicate, char *name, size_t name_size, char *constant,
                            size_t constant_size);
/* "size(A,V)", "position(A,_,V)": V stands for the number. */
size_t nlm_attribute_text(const nlm_attribute *attribute, char *text, size_t size);

/* ---- problem ---- */

typedef struct nlm_problem nlm_problem;

typedef struct nlm_reading {
    /* What is to be concluded, each "uncle/2", or "uncle" where that is clear; without any, what bias.pl
     * says, or else what the examples are of. */
    const char *const *targets;
    int target_count;
    bool closed_world; /* every tuple of a target that is not listed is false */
    /* Predicates whose last arguments are numbers, each "size/2", or "size" where that is clear.  Facts of
     * other predicates end in numbers if their types say so (real), if some are written with a decimal point,
     * or if they are integers of at least 8 kinds that stand nowhere else and of which no object has two. */
    const char *const *numbers;
    int number_count;
    /* Arguments that hold constants rather than objects, each "department" for the last one of department,
     * "works/3:2", or a type of bias.pl.  Each value makes a predicate, department(A,it). */
    const char *const *constants;
    int constant_count;
    /* What columns of tables are, where that is not as it would be found: "department=constants", with the
     * table's name "people.department=constants"; the words of nlm_table_column.  Not for other files. */
    const char *const *columns;
    int column_count;
    /* Of a model that will be asked.  Then predicates are found by name and arity, the targets are the
     * model's, and the two above do not count.  NULL: the signature follows from the files. */
    const nlm_signature *signature;
    /* The argument that tells the worlds of one file apart: "has_car" for the first of has_car, "has_car/2:1"
     * for the same; "none": the file is one world.  NULL: as the model's were told apart, or found. */
    const char *worlds_by;
} nlm_reading;

/* Read a file of facts ("-": standard input), a folder with bk.pl (and exs.pl, bias.pl) or with tables
 * (NAME.csv, NAME.tsv, NAME.neg.csv for what is false), or a folder whose subfolders are such worlds.  The
 * labels of a target are its examples in exs.pl or, if that is about others or missing, its facts, which are
 * then no inputs.  `reading` may be NULL.  What was read but does not count is told by notes. */
nlm_status nlm_problem_read(const char *path, const nlm_reading *reading, nlm_problem **problem,
                            nlm_error *error);
/* The same of texts in memory, each as bk.pl and exs.pl of a world (NULL: none). */
typedef struct nlm_world_text {
    const char *name; /* NULL or "" for the only world */
    const char *facts, *examples;
} nlm_world_text;
nlm_status nlm_problem_parse(const nlm_world_text *worlds, int count, const nlm_reading *reading,
                             nlm_problem **problem, nlm_error *error);
/* The same of worlds in memory: their facts and the labels that were set one by one; a target that is false
 * by default is closed.  Facts are true (1) or left out (0). */
nlm_status nlm_problem_of_worlds(const nlm_world *const *worlds, int count, const nlm_reading *reading,
                                 nlm_problem **problem, nlm_error *error);
/* Worlds `first`, first + 1, ... of a kind and a seed of a task. */
nlm_status nlm_problem_generate(const nlm_task *task, nlm_world_kind kind, uint64_t seed, uint64_t first,
                                int objects, int worlds, nlm_problem **problem, nlm_error *error);
/* The same, each world being the deepest of `of` that are drawn: families of the most generations, graphs of
 * the longest ways, which are rare among small worlds and common among large ones. */
nlm_status nlm_problem_generate_deep(const nlm_task *task, nlm_world_kind kind, uint64_t seed, uint64_t first,
                                     int of, int objects, int worlds, nlm_problem **problem,
                                     nlm_error *error);
void nlm_problem_free(nlm_problem *problem);

const nlm_signature *nlm_problem_signature(const nlm_problem *problem);
int nlm_problem_worlds(const nlm_problem *problem);
/* Its predicates and targets are the signature's inputs and targets, in order.  A target is unlabelled where
 * a tuple does not have the types of the target. */
const nlm_world *nlm_problem_world(const nlm_problem *problem, int world);
/* "" for the only world of a file or folder, else the name of its subfolder. */
const char *nlm_problem_world_name(const nlm_problem *problem, int world);
/* Whether any target has labels: examples or facts, if perhaps an empty exs.pl or table.  All tuples of a
 * target without any are unlabelled. */
bool nlm_problem_labelled(const nlm_problem *problem);
/* Whether tuples that were not listed are false: that was asked for, or none is listed as false. */
bool nlm_problem_closed(const nlm_problem *problem);
/* Lines fit to be shown: what was ignored, what is missing. */
/* Whether its worlds were read from one file: then no two objects of a name differ. */
bool nlm_problem_split(const nlm_problem *problem);
int nlm_problem_notes(const nlm_problem *problem);
const char *nlm_problem_note(const nlm_problem *problem, int note);
/* A number that differs, in all likelihood, for any other signature, facts or labels. */
uint64_t nlm_problem_digest(const nlm_problem *problem);

/* ---- tables with a row of titles ---- */

typedef enum nlm_column_kind {
    NLM_COLUMN_KEY,       /* names the rows */
    NLM_COLUMN_OBJECTS,   /* names other rows, or objects: a relation */
    NLM_COLUMN_CONSTANTS, /* few values: a predicate for each */
    NLM_COLUMN_NUMBER,    /* an attribute */
    NLM_COLUMN_TRUTH,     /* true or false */
    NLM_COLUMN_IGNORED
} nlm_column_kind;

/* How a column was understood. */
typedef struct nlm_table_column {
    const char *table; /* its file */
    const char *name;  /* its title */
    nlm_column_kind kind;
    const char *word;  /* key, objects, constants, number, truth, ignore: as nlm_reading.columns has it */
    const char *facts; /* what it says: "department(person,it)"; or why it does not count */
    size_t rows, blanks, values; /* of the table; fields without a value; different values */
    bool is_target;
    bool may_be_target; /* true and false, or few values */
} nlm_table_column;

int nlm_problem_columns(const nlm_problem *problem);
/* NULL after the last. */
const nlm_table_column *nlm_problem_column(const nlm_problem *problem, int column);

/* Called for each row of a table with the name of its object, NULL for the row of titles: fills in texts for
 * the fields to be added, which are "" and have to hold until the next call. */
typedef nlm_status (*nlm_table_filler)(void *context, const char *object, const char **added,
                                       nlm_error *error);
/* Whether a problem was read from one table in which a column names the objects of the rows. */
bool nlm_problem_is_table(const nlm_problem *problem);
/* Write that table again, with `count` fields added to each row, in its own form: the same separator and ends
 * of lines. */
nlm_status nlm_table_extend(FILE *stream, const nlm_problem *problem, int count, nlm_table_filler fill,
                            void *context, nlm_error *error);

/* Tuples that were listed as true and as false; they are taken to be true. */
typedef struct nlm_contradiction {
    int world, target;
    int tuple[NLM_MAX_FACT_ARITY];
} nlm_contradiction;

int nlm_problem_contradictions(const nlm_problem *problem);
nlm_contradiction nlm_problem_contradiction(const nlm_problem *problem, int index);

/* ---- a look at the data ---- */

/* Facts of an input in all worlds. */
size_t nlm_problem_count_facts(const nlm_problem *problem, int input);
/* Labels of a target in all worlds; only tuples of the target's types count. */
typedef struct nlm_label_count {
    double positive, negative, unlabelled;
} nlm_label_count;
nlm_label_count nlm_problem_count_labels(const nlm_problem *problem, int target);

/* What one world has, or with `world` -1 all together: facts of types left out, and the labels that files
 * list, in a closed world the true ones. */
typedef struct nlm_content {
    size_t objects, facts, labels;
} nlm_content;
nlm_content nlm_problem_content(const nlm_problem *problem, int world);

/* Texts fit for a line, cut to `size` bytes: the name of an object, of a world with `before` in front of it
 * (nothing for a world without a name), and a label's tuple, "uncle(a, b) of w1". */
void nlm_problem_object_text(const nlm_problem *problem, int world, int object, char *text, size_t size);
void nlm_problem_world_text(const nlm_problem *problem, const char *before, int world, char *text,
                            size_t size);
void nlm_problem_label_text(const nlm_problem *problem, int world, int target, const int *tuple, char *text,
                            size_t size);

/* Called with one text after the other, until it fails. */
typedef nlm_status (*nlm_text_listener)(void *context, const char *text, nlm_error *error);
/* What looks wrong: targets that are never true, names that look alike, objects without facts, and so on. */
nlm_status nlm_problem_warnings(const nlm_problem *problem, nlm_text_listener listener, void *context,
                                nlm_error *error);

/* ---- writing ---- */

typedef enum nlm_form {
    NLM_FORM_FOLDER, /* bias.pl, and bk.pl and exs.pl of each world */
    NLM_FORM_CSV,    /* tables */
    NLM_FORM_TSV
} nlm_form;

/* Write a problem into a folder, which is made if it does not exist and must otherwise be empty, or with
 * `replace` may hold files of these names.  If it fails, nothing is left, or the earlier content; a process
 * that is killed leaves a folder that nlm_problem_read refuses, and the next call replaces.  Images that
 * objects show (nlm/gallery.h) go into a folder `images` beside the facts of their world, as OBJECT.pgm. */
nlm_status nlm_problem_write(const nlm_problem *problem, const char *folder, nlm_form form, bool replace,
                             nlm_error *error);
/* Read a folder that was written, and tell what the form of its files could not represent. */
nlm_status nlm_problem_losses(const nlm_problem *problem, const char *folder, nlm_text_listener listener,
                              void *context, nlm_error *error);

#ifdef __cplusplus
}
#endif
#endif
