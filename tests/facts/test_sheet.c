/* Tables with a row of titles: what their columns mean, what is refused, and the same table with columns
 * added. */
#include "facts/files.h"
#include "nlm/machine.h"

/* "person:key manager:objects ..." of all columns; a target has a *. */
static const char *kinds(const nlm_problem *problem)
{
    static char text[1024];
    size_t used = 0;
    const nlm_table_column *column;
    text[0] = '\0';
    for (int c = 0; (column = nlm_problem_column(problem, c)) != NULL; c++)
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%s:%s%s", c ? " " : "", column->name,
                                 column->word, column->is_target ? "*" : "");
    return text;
}

/* Names of the inputs, then the targets. */
static const char *predicates(const nlm_problem *problem)
{
    static char text[1024];
    const nlm_signature *signature = nlm_problem_signature(problem);
    size_t used = 0;
    text[0] = '\0';
    for (int i = 0; i < nlm_signature_inputs(signature) + nlm_signature_targets(signature); i++) {
        const int target = i - nlm_signature_inputs(signature);
        used += (size_t)snprintf(text + used, sizeof text - used, target == 0 ? "%s=> " : "%s", i ? " " : "");
        used += nlm_predicate_text(target < 0 ? nlm_signature_input(signature, i)
                                              : nlm_signature_target(signature, target),
                                   text + used, sizeof text - used);
    }
    return text;
}

static void check_kinds(const char *path, const nlm_reading *reading, const char *expected)
{
    nlm_problem *problem = files_read(path, reading);
    assert_string_equal(kinds(problem), expected);
    nlm_problem_free(problem);
}

static const char people[] = "person,Line Manager,department,salary,senior,note,label\n"
                             "ann,,it,100.5,yes,likes tea,true\n"
                             "bob,ann,it,90,no,came late,false\n"
                             "cid,ann,hr,,no,,true\n"
                             "dan,bob,hr,80,yes,left,\n"
                             "eve,bob,\"r & d\",70,,x,false\n"
                             "fay,zoe,r & d,60,no,y,false\n";

static void columns_are_understood(void **state)
{
    (void)state;
    static const char *const target[] = {"label"};
    files_write("people.csv", people);
    const nlm_reading reading = {.targets = target, .target_count = 1};
    nlm_problem *problem = files_read("people.csv", &reading);
    assert_string_equal(kinds(problem), "person:key Line Manager:objects department:constants salary:number "
                                        "senior:truth note:ignore label:truth*");
    assert_string_equal(predicates(problem), "line_manager/2 senior/1 department(A,it) "
                                             "department(A,hr) department(A,'r & d') salary(A,V), V < 95 "
                                             "=> label/1");
    files_notes(
        problem,
        "people.csv: Line Manager names 1 that has no row, the first is zoe: nothing else is known of it",
        "numbers, not names of objects, end the facts of salary/2; a type of another name than real "
        "makes them names",
        NULL);
    const nlm_world *world = nlm_problem_world(problem, 0);
    assert_int_equal(nlm_world_objects(world), 7);
    assert_int_equal(nlm_problem_count_facts(problem, 0), 5);
    assert_int_equal(nlm_problem_count_facts(problem, 1), 2);
    assert_int_equal(nlm_problem_count_facts(problem, 3), 2);
    assert_int_equal(nlm_world_numbers(world, 0, NULL, NULL), 5);
    assert_false(nlm_problem_closed(problem)); /* an empty field is unknown, not false */
    const nlm_label_count labels = nlm_problem_count_labels(problem, 0);
    assert_true(labels.positive == 2 && labels.negative == 3 && labels.unlabelled == 2);
    nlm_problem_free(problem);
}

static void the_only_column_of_true_and_false_is_learned(void **state)
{
    (void)state;
    files_write("one.csv", "id,kind,good\na,x,1\nb,x,0\nc,y,1\nd,y,0\n");
    files_write("two.csv", "id,good,fine\na,yes,no\nb,no,no\nc,no,yes\n");
    check_kinds("one.csv", NULL, "id:key kind:constants good:truth*");
    check_kinds("two.csv", NULL, "id:key good:truth fine:truth");
    static const char *const fine[] = {"fine"}, *const kind[] = {"kind/2"}, *const id[] = {"id"};
    check_kinds("two.csv", &(nlm_reading){.targets = fine, .target_count = 1},
                "id:key good:truth fine:truth*");
    nlm_problem *problem = files_read("one.csv", &(nlm_reading){.targets = kind, .target_count = 1});
    assert_string_equal(predicates(problem), "good/1 => kind(A,x) kind(A,y)");
    const nlm_label_count labels = nlm_problem_count_labels(problem, 1);
    assert_true(labels.positive == 2 && labels.negative == 2);
    nlm_problem_free(problem);
    files_refused("one.csv", &(nlm_reading){.targets = id, .target_count = 1}, NLM_BAD_ARGUMENT,
                  "one.csv: id names the rows: a target is true or false, has few values, or names rows");
}

static void separators_and_marks_are_found(void **state)
{
    (void)state;
    files_write("semi.csv", "\xEF\xBB\xBFid;size;ok\r\na;1.5;yes\r\nb; 2 ;no\r\n;;\r\n");
    files_write("sep.csv", "sep=;\nid;name, first;ok\na;x;yes\nb;x;no\n");
    files_write("tabs.tsv", "id\tsay\tok\na\t\"x\tyes\nb\t\"x\tno\n");
    files_write("tabs.csv", "id\tsize\tok\na\t7\tyes\nb\t\t\n");
    files_write("quoted.csv", "\"id\",\"two\nlines\",ok\n\"a,b\",x,yes\n\"c \"\"d\"\"\",x,no\n");
    check_kinds("semi.csv", NULL, "id:key size:number ok:truth*");
    check_kinds("sep.csv", NULL, "id:key name, first:constants ok:truth*");
    check_kinds("tabs.tsv", NULL, "id:key say:constants ok:truth*");
    check_kinds("tabs.csv", NULL, "id:key size:number ok:truth*");
    check_kinds("quoted.csv", NULL, "id:key two\nlines:constants ok:truth*");
    nlm_problem *problem = files_read("quoted.csv", NULL);
    assert_string_equal(nlm_world_object_name(nlm_problem_world(problem, 0), 1), "c \"d\"");
    assert_string_equal(predicates(problem), "two_lines(A,x) => ok/1");
    nlm_problem_free(problem);
}

static void columns_are_what_is_asked_for(void **state)
{
    (void)state;
    files_write("t.csv", "nr,city,ok\n1,rome,yes\n2,rome,no\n3,oslo,no\n4,oslo,yes\n");
    static const char *const city[] = {"city=objects"}, *const all[] = {"t.city=ignore", "nr=number",
                                                                        "ok=key"};
    static const char *const no_kind[] = {"city=town"}, *const no_column[] = {"town=objects"};
    check_kinds("t.csv", NULL, "nr:key city:constants ok:truth*");
    check_kinds("t.csv", &(nlm_reading){.columns = city, .column_count = 1}, "nr:key city:objects ok:truth*");
    files_refused(
        "t.csv", &(nlm_reading){.columns = all, .column_count = 3}, NLM_BAD_FILE,
        "t.csv:4: no is the ok of line 3 already: a row for each ok, or --columns ok=objects if the "
        "rows are about several");
    files_refused(
        "t.csv", &(nlm_reading){.columns = no_kind, .column_count = 1}, NLM_BAD_ARGUMENT,
        "--columns city=town: a column is one of key, objects, constants, number, truth and ignore");
    files_refused("t.csv", &(nlm_reading){.columns = no_column, .column_count = 1}, NLM_BAD_ARGUMENT,
                  "--columns town=objects: no table has a column of that name");
}

static void titles_never_become_facts(void **state)
{
    (void)state;
    /* the first row has titles: */
    static const char *const titles[] = {
        "from,to\na,b\nb,c\n",                 /* by usual words */
        "one,size\na,1\nb,2\n",                /* by numbers below */
        "x1,y1\na,b\nb,a\na,c\nc,b\n",         /* by names that the others share */
        "x1,y1\na,\nb,c\n",                    /* by an empty field */
        "alpha,beta,gamma\na,b,yes\nc,d,no\n", /* by three columns */
    };
    /* or none: */
    static const char *const data[] = {"a,b\nb,c\nc,d\n", "1,2\n2,3\n", "a,a\nb,c\n"};
    for (size_t i = 0; i < sizeof titles / sizeof *titles; i++) {
        files_write("t.csv", titles[i]);
        nlm_problem *problem = files_read("t.csv", NULL);
        if (nlm_problem_columns(problem) == 0)
            fail_msg("text %zu: no titles", i);
        nlm_problem_free(problem);
    }
    for (size_t i = 0; i < sizeof data / sizeof *data; i++) {
        files_write("t.csv", data[i]);
        nlm_problem *problem = files_read("t.csv", NULL);
        if (nlm_problem_columns(problem) > 0)
            fail_msg("text %zu: titles", i);
        nlm_problem_free(problem);
    }
    files_write("w/open.csv", "p,q\na,b\nc,d\n"); /* and where that is open, a note tells */
    nlm_problem *problem = files_read("w", NULL);
    assert_int_equal(nlm_problem_count_facts(problem, 0), 3);
    files_notes(problem,
                "w/open.csv:1: the first row is read as a fact, like the others; if it is the titles of the "
                "columns, call the first of them id",
                NULL);
    nlm_problem_free(problem);
}

static void tables_are_joined_by_their_names(void **state)
{
    (void)state;
    files_write("w/people.csv", "id,city,eu\np1,c1,yes\np2,c2,no\np3,c1,yes\np4,c9,no\n");
    files_write("w/cities.csv", "city,country\nc1,fr\nc2,us\nc3,fr\nc4,us\n");
    files_write("w/knows.csv", "from,to,since,well\np1,p2,1990,yes\np2,p3,2001,no\np3,,2002,yes\n");
    static const char *const eu[] = {"eu"};
    nlm_problem *problem = files_read("w", &(nlm_reading){.targets = eu, .target_count = 1});
    assert_string_equal(kinds(problem), "city:key country:constants from:objects to:objects since:number "
                                        "well:truth id:key city:objects eu:truth*");
    assert_string_equal(predicates(problem), "knows/2 well/2 city/2 country(A,fr) country(A,us) type(id) "
                                             "type(city) since(A,B,V), V < 1996 since(A,B,V), V >= 1996 "
                                             "=> eu/1");
    files_notes(problem, "w/knows.csv: 1 row, in which an object is missing, is ignored",
                "w/people.csv: city names 1 that has no row, the first is c9: nothing else is known of it",
                "numbers, not names of objects, end the facts of since/3; a type of another name than real "
                "makes them names",
                NULL);
    nlm_problem_free(problem);
}

/* In a table of another separator numbers may have decimal commas, and points between thousands. */
static void decimals_may_have_commas(void **state)
{
    (void)state;
    files_write("t.csv", "id;pay;size;ok\na;52.000,50;1.500;yes\nb;-948;900;no\nc;;2.250;no\n");
    static const char *const ok[] = {"ok"};
    nlm_problem *problem = files_read("t.csv", &(nlm_reading){.targets = ok, .target_count = 1});
    assert_string_equal(kinds(problem), "id:key pay:number size:number ok:truth*");
    assert_string_equal(nlm_problem_column(problem, 1)->facts, "pay(id,V), with decimal commas");
    const nlm_world *world = nlm_problem_world(problem, 0);
    const double *pay, *size;
    assert_int_equal(nlm_world_numbers(world, 0, NULL, &pay), 2);
    assert_true(pay[0] == 52000.5 && pay[1] == -948);
    assert_int_equal(nlm_world_numbers(world, 1, NULL, &size), 3);
    assert_true(size[0] == 1500 && size[1] == 900 && size[2] == 2250);
    nlm_problem_free(problem);
    files_write("t.csv", "id;size;ok\na;1.500;yes\nb;900;no\n"); /* no comma anywhere: decimal points */
    problem = files_read("t.csv", &(nlm_reading){.targets = ok, .target_count = 1});
    assert_int_equal(nlm_world_numbers(nlm_problem_world(problem, 0), 0, NULL, &size), 2);
    assert_true(size[0] == 1.5 && size[1] == 900);
    nlm_problem_free(problem);
}

static void fields_are_read_as_they_are_meant(void **state)
{
    (void)state;
    files_write("t.csv", ",day,at,pay,zip,size,ok,\na,2021-03-05,13/2/2021,\"1,200\",00421,NA,1.0,\n"
                         "b,2020-12-31T10:00,1/3/2022,950,12345,\"NA\",0.0,\nc,?,,-,00001,x,,\n");
    static const char *const ok[] = {"ok"};
    nlm_problem *problem = files_read("t.csv", &(nlm_reading){.targets = ok, .target_count = 1});
    assert_string_equal(kinds(problem), "column_1:key day:number at:number pay:number zip:ignore size:ignore "
                                        "ok:truth*");
    assert_string_equal(nlm_problem_column(problem, 4)->facts,
                        "codes, such as 00421, and nearly every row has another");
    const double *day, *at, *pay;
    const nlm_world *world = nlm_problem_world(problem, 0);
    assert_int_equal(nlm_world_numbers(world, 0, NULL, &day), 2);
    assert_int_equal(nlm_world_numbers(world, 1, NULL, &at), 2);
    assert_int_equal(nlm_world_numbers(world, 2, NULL, &pay), 2);
    assert_true(day[0] == 20210305 && day[1] == 20201231);
    assert_true(at[0] == 20210213 && at[1] == 20220301);
    assert_true(pay[0] == 1200 && pay[1] == 950);
    assert_string_equal(nlm_problem_note(problem, 0),
                        "t.csv: 3 fields such as ? are read as empty: not known; "
                        "a word in double quotes is a value");
    nlm_problem_free(problem);
    files_write("t.csv", "id,day,share,ok\na,1/2/2021,5%,ja\nb,2/3/2021,7%,nein\n");
    problem = files_read("t.csv", NULL);
    assert_string_equal(kinds(problem), "id:key day:ignore share:ignore ok:truth*");
    assert_string_equal(nlm_problem_column(problem, 1)->facts,
                        "dates in which day and month cannot be told apart: write 2021-03-05");
    assert_string_equal(nlm_problem_column(problem, 2)->facts,
                        "numbers with a sign: write 1200 for $1,200, and 12 for 12%");
    nlm_problem_free(problem);
}

/* In UTF-16, as in UTF-8. */
static void tables_may_be_in_utf16(void **state)
{
    (void)state;
    static const char text[] = "\xFF\xFEi\0d\0\t\0o\0k\0\n\0\xE9\0\t\0y\0\n\0b\0\t\0n\0\n\0";
    files_write_bytes("t.csv", text, sizeof text - 1);
    nlm_problem *problem = files_read("t.csv", NULL);
    assert_string_equal(kinds(problem), "id:key ok:truth*");
    files_world(problem, 0, "é b; ok/1 ? ok('é')+ ok(b)-");
    nlm_problem_free(problem);
}

/* Columns mean the same in all worlds: here the second alone would have no constants. */
static void tables_of_several_worlds_are_understood_together(void **state)
{
    (void)state;
    files_write("v/1/people.csv", "id,team,boss,ok\na,x,,yes\nb,x,a,no\nc,y,a,no\nd,y,b,\n");
    files_write("v/2/people.csv", "ok,boss,team,id\nno,,y,a\nyes,a,x,e\n");
    files_write("v/3/people.csv", "id,team,boss,ok\n");
    files_write("v/3/bk.pl", "object(z).");
    nlm_problem *problem = files_read("v", NULL);
    assert_int_equal(nlm_problem_worlds(problem), 3);
    assert_string_equal(kinds(problem), "id:key team:constants boss:objects ok:truth*");
    files_world(problem, 0,
                "a b c d; boss/2: boss(b, a) boss(c, a) boss(d, b); team(A,x)/1: team(a, x) team(b, x); "
                "team(A,y)/1: team(c, y) team(d, y); ok/1 ? ok(a)+ ok(b)- ok(c)-");
    files_world(problem, 1,
                "a e; boss/2: boss(e, a); team(A,x)/1: team(e, x); team(A,y)/1: team(a, y); ok/1 ? ok(a)- "
                "ok(e)+");
    files_world(problem, 2, "z; boss/2:; team(A,x)/1:; team(A,y)/1:; ok/1 ?");
    nlm_problem_free(problem);
    files_write("v/2/people.csv", "id,team,ok\na,x,yes\n");
    files_refused("v", NULL, NLM_BAD_FILE,
                  "v/2/people.csv:1: no column is called boss: the tables of several worlds have the same "
                  "columns; those of v/1/people.csv are others");
    files_write("v/2/people.csv", "id,team,boss,more,ok\na,x,,1,yes\n");
    files_refused("v", NULL, NLM_BAD_FILE,
                  "v/2/people.csv:1: more columns than there: the tables of several worlds have the same "
                  "columns; those of v/1/people.csv are others");
    files_write("v/2/people.csv",
                "id,team,boss,ok\na,x,,yes\ne,x,,yes\na,y,,no\nf,x,,no\ng,x,,no\nh,x,,no\ni,x,,no\n");
    files_refused("v", NULL, NLM_BAD_FILE,
                  "v/2/people.csv:4: a is the id of line 2 already: a row for each id, or --columns "
                  "id=objects if the rows are about several");
    files_write("v/2/people.csv", "a,x,b,yes\n");
    files_refused("v", NULL, NLM_BAD_FILE,
                  "v/2/people.csv:1: the first row names no columns, as that of v/1/people.csv does: the "
                  "tables of several worlds have the same columns; add the row");
}

static void a_model_reads_what_it_knows(void **state)
{
    (void)state;
    static const char *const target[] = {"label"};
    files_write("people.csv", people);
    nlm_problem *problem = files_read("people.csv", &(nlm_reading){.targets = target, .target_count = 1});
    const nlm_signature *model = nlm_problem_signature(problem);
    files_write("new.csv", "shoe,person,department,Line Manager,senior\n41,gil,it,,1\n40,hal,law,gil,0\n");
    static const char *const key[] = {"person=key"};
    nlm_problem *fresh =
        files_read("new.csv", &(nlm_reading){.signature = model, .columns = key, .column_count = 1});
    assert_string_equal(kinds(fresh), "shoe:ignore person:key department:constants Line Manager:objects "
                                      "senior:truth");
    assert_int_equal(nlm_problem_count_facts(fresh, 0), 1);
    assert_int_equal(nlm_problem_count_facts(fresh, 1), 1);
    assert_int_equal(nlm_problem_count_facts(fresh, 2), 1);
    assert_int_equal(nlm_world_objects(nlm_problem_world(fresh, 0)), 2);
    nlm_problem_free(fresh);
    nlm_problem_free(problem);
}

struct refusal {
    const char *text, *message;
};

static void bad_tables_are_refused(void **state)
{
    (void)state;
    static const struct refusal refusals[] = {
        {"id,ok\na,yes,1\n",
         "t.csv:2: a row of 3 fields, the first row has 2: a field with the separator in it "
         "needs quotes, one that is not known stays empty"},
        {"id,ok,ok\na,yes,1\n", "t.csv:1: columns 2 and 3 are both called ok: give one another name"},
        {"id,v,ok\na,1,yes\nid,v,ok\nb,2,no\n", "t.csv:3: the titles of the columns again: remove this row"},
        {"id,v,ok\ntext,eur,bool\na,1,yes\nb,2,no\nc,3,no\n",
         "t.csv:2: v: eur is no number, and 3 other fields of the column are: leave the field empty if it is "
         "not "
         "known, remove the row if it is a second one of titles, or --columns v=constants"},
        {"id,v,ok\na,1,yes\nb,\"1,5\",no\nc,3,no\nd,4,no\n",
         "t.csv:3: v: 1,5 is no number: a decimal point is written 1.5, and thousands without a mark"},
        {"id;v;ok\na;1,5;yes\nb;2.25;no\n",
         "t.csv:2: v: 1,5 is no number: a decimal point is written 1.5, and thousands without a mark"},
        {"id,v,ok\na,\"1,234.5\",yes\nb,2.5,no\nc,\"1,2,3\",no\n",
         "t.csv:2: v: 1,234.5 is no number: thousands are written without a mark"},
        {"id,v,ok\na,1,yes\nb,nan,no\nc,3,no\nd,4,no\n",
         "t.csv:3: v: nan is no number, and 3 other fields of the column are: leave the field empty if it is "
         "not "
         "known, or --columns v=constants"},
        {"id,v,ok\na,1,yes\nb,1e999,no\n",
         "t.csv:3: v: 1e999 is beyond the numbers that can be read, at most 1.79e308: use another unit"},
        {"id,v,ok\na,x,yes\nb,x,no\nc,x,no\nd,x,no\ne,x,no\nd,x,no\nf,y,no\ng,x,no\nh,x,no\ni,x,no\nj,y,no\n",
         "t.csv:7: d is the id of line 5 already: a row for each id, or --columns id=objects if the rows are "
         "about several"},
        {"id,v,ok\na,x,yes\nb,x,no\n,x,no\nd,x,no\ne,x,no\nf,x,no\ng,x,no\nh,x,no\ni,y,no\nj,y,no\n",
         "t.csv:4: the row has no id, which names the rows: fill it in, or remove the row"},
        {"id,ok\na,yes\nb,no\nc,maybe\nd,no\ne,no\nf,no\ng,no\nh,no\ni,yes\nj,yes\nk,no\n",
         "t.csv:4: ok: maybe is neither true nor false: write true or false, yes or no, or 1 or 0, and leave "
         "the "
         "field empty if it is not known"},
        {"it,b,c\nd,e,f\nit,h,i\n", "t.csv:1: the first row has no titles: a name of it stands in its column "
                                    "again, is a number, or most are missing; add a row that names the "
                                    "columns, or remove what stands above it"},
        {"id,caf\xE9\na,1\n", "t.csv:1: byte 0xE9 is not UTF-8: convert the file to UTF-8"},
        {"\xFF\xFEi", "t.csv: a text in UTF-16 of an odd number of bytes: it was cut"},
        {"id,boss,ok\n", "t.csv: no row stands below the titles: add a row for each object"},
        {"\n", "t.csv: the table is empty: it has a row that names the columns, and a row for each object"},
        {"Report\n\nid,v,ok\na,1,yes\n", "t.csv:3: a row of 3 fields, the first row has 1: the first row "
                                         "names the columns; remove what stands "
                                         "above it"},
        {"size,ok\n1.5,yes\n1.5,no\n", "t.csv:1: no column names the rows, or objects: add one with a name "
                                       "for each row, or say which it is "
                                       "with --columns NAME=key"},
    };
    for (size_t i = 0; i < sizeof refusals / sizeof *refusals; i++) {
        files_write("t.csv", refusals[i].text);
        files_refused("t.csv", NULL, NLM_BAD_FILE, refusals[i].message);
    }
    FILE *wide = fopen("wide.csv", "w");
    for (int c = 0; c < 1000000; c++)
        fprintf(wide, "c%d,", c);
    fclose(wide);
    files_refused(
        "wide.csv", NULL, NLM_BAD_FILE,
        "wide.csv:1: a row of more than 1000 fields: that many are supported; leave out columns, or "
        "write a row for each object");
}

static nlm_status fill(void *context, const char *object, const char **added, nlm_error *error)
{
    (void)error;
    ++*(int *)context;
    added[0] = object ? object : "again";
    added[1] = object ? "a \"b\"" : "quoted, too";
    return NLM_OK;
}

static void a_table_is_written_again(void **state)
{
    (void)state;
    static const struct refusal tables[] = {
        {"id,x\na,\"1,5\"\n\"b \",\n",
         "id,x,again,\"quoted, too\"\na,\"1,5\",a,\"a \"\"b\"\"\"\n\"b \",,\"b \",\"a "
         "\"\"b\"\"\"\n"},
        {"id;x\r\na;1,5\r\n", "id;x;again;quoted, too\r\na;1,5;a;\"a \"\"b\"\"\"\r\n"},
        {"x\tid\n\t'b\n", "x\tid\tagain\tquoted, too\n\t'b\t'b\t\"a \"\"b\"\"\"\n"},
    };
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
        files_write("t.csv", tables[i].text);
        static const char *const asked[] = {"id=key", "x=ignore"};
        FILE *out = fopen("out", "w");
        int calls = 0;
        nlm_error error;
        nlm_problem *problem = files_read("t.csv", &(nlm_reading){.columns = asked, .column_count = 2});
        assert_true(nlm_problem_is_table(problem));
        assert_int_equal(nlm_table_extend(out, problem, 2, fill, &calls, &error), NLM_OK);
        nlm_problem_free(problem);
        fclose(out);
        assert_true(calls >= 2);
        if (i < 2)
            assert_string_equal(files_text("out"), tables[i].message);
    }
    static const char *const others[] = {"from,to\na,b\nb,c\n", "a,b\n"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        files_write("t.csv", others[i]);
        nlm_problem *problem = files_read("t.csv", NULL);
        nlm_error error;
        int calls = 0;
        assert_false(nlm_problem_is_table(problem));
        assert_int_equal(nlm_table_extend(stdout, problem, 1, fill, &calls, &error), NLM_BAD_ARGUMENT);
        assert_string_equal(error.message,
                            "the facts are not those of one table with a column that names the rows");
        nlm_problem_free(problem);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        files_test(columns_are_understood),
        files_test(the_only_column_of_true_and_false_is_learned),
        files_test(separators_and_marks_are_found),
        files_test(columns_are_what_is_asked_for),
        files_test(titles_never_become_facts),
        files_test(tables_are_joined_by_their_names),
        files_test(tables_of_several_worlds_are_understood_together),
        files_test(decimals_may_have_commas),
        files_test(fields_are_read_as_they_are_meant),
        files_test(tables_may_be_in_utf16),
        files_test(a_model_reads_what_it_knows),
        files_test(bad_tables_are_refused),
        files_test(a_table_is_written_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
