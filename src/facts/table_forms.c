/* How the fields of a column are written: what is missing, and which marks numbers have.
 *
 *     1.500,25      decimal commas, where commas do not separate the fields    1500.25
 *     1,500.25      commas between thousands                                   1500.25
 *     2021-03-05    dates                                                      20210305
 *     00421         codes, which are names though they look like numbers       00421
 */
#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include "facts/table_columns.h"

/* ---- what is missing ---- */

/* Words without quotes by which other programs say that a value is not known. */
static bool is_missing(const table_field *field, prolog_name cell)
{
    static const char *const words[] = {"NA", "N/A", "n/a", "#N/A", "NULL", "null", "?", "-"};
    for (size_t w = 0; w < sizeof words / sizeof *words && !field->quoted; w++)
        if (cell.length == strlen(words[w]) && !memcmp(cell.text, words[w], cell.length))
            return true;
    return false;
}

/* ---- numbers with marks ---- */

/* Groups of three digits with a mark between them, then perhaps another mark and more digits. */
typedef struct numeral {
    size_t groups;    /* marks between groups */
    bool has_decimal; /* the other mark */
} numeral;

static bool read_numeral(prolog_name cell, char between, char decimal, numeral *of)
{
    size_t at = cell.length > 0 && (*cell.text == '-' || *cell.text == '+'), group = 0;
    *of = (numeral){0};
    if (cell.length >= COLUMNS_CELL || at == cell.length)
        return false;
    for (; at < cell.length && cell.text[at] != decimal; at++) {
        if (isdigit((unsigned char)cell.text[at])) {
            group++;
            continue;
        }
        if (cell.text[at] != between || group == 0 || group > 3 || (of->groups > 0 && group != 3))
            return false;
        of->groups++;
        group = 0;
    }
    if (group == 0 || (of->groups > 0 && group != 3))
        return false;
    of->has_decimal = at < cell.length;
    for (size_t digits = 0; of->has_decimal; digits++) {
        if (++at == cell.length)
            return digits > 0;
        if (!isdigit((unsigned char)cell.text[at]))
            return false;
    }
    return true;
}

/* What the filled fields of a column have. */
struct counts {
    size_t filled, plain;     /* numbers without marks, or with a point alone */
    size_t points;            /* those with a point that is none between thousands */
    size_t commas, thousands; /* as of COLUMN_COMMAS: with a comma; with points alone, 1.500 */
    size_t grouped, sure;     /* as of COLUMN_THOUSANDS; those that are surely of this form */
    size_t codes;             /* with a zero before other digits */
};

static void count_field(struct counts *to, prolog_name cell)
{
    numeral of;
    const number_kind kind = columns_number(cell);
    const bool german = read_numeral(cell, '.', ',', &of);
    to->filled++;
    to->plain += kind != NUMBER_NONE;
    to->commas += german && of.has_decimal;
    to->thousands += german && !of.has_decimal && of.groups > 0;
    to->points += kind == NUMBER_REAL && !german;
    to->codes += kind == NUMBER_INTEGER && cell.length > 1 && *cell.text == '0';
    if (read_numeral(cell, ',', '.', &of) && of.groups > 0 && *cell.text != '0') {
        to->grouped++;
        to->sure += of.groups > 1 || of.has_decimal;
    }
}

/* ---- dates ---- */

/* Three numbers with one mark between them: 2021-03-05, perhaps with a time behind it, 5.3.2021, 5/3/2021. */
typedef struct date {
    int part[3], digits[3];
    char mark;
} date;

static bool read_date(prolog_name cell, date *of)
{
    size_t at = 0;
    *of = (date){0};
    for (int p = 0; p < 3; p++) {
        for (; at < cell.length && isdigit((unsigned char)cell.text[at]) && of->digits[p] < 5; at++) {
            of->part[p] = 10 * of->part[p] + (cell.text[at] - '0');
            of->digits[p]++;
        }
        if (p == 2 || at == cell.length)
            break;
        if (p == 1 && cell.text[at] != of->mark)
            return false;
        of->mark = cell.text[at++];
    }
    const bool year_first = of->digits[0] == 4 && (of->mark == '-' || of->mark == '/');
    const bool year_last = of->digits[2] == 4 && of->digits[0] <= 2 && (of->mark == '.' || of->mark == '/');
    const bool ends = at == cell.length || (year_first && (cell.text[at] == 'T' || cell.text[at] == ' '));
    return ends && cell.length < COLUMNS_CELL && (year_first || year_last) && of->digits[1] > 0 &&
           of->digits[1] <= 2 && (year_last || (of->digits[2] > 0 && of->digits[2] <= 2)) &&
           of->part[1] >= 1 && of->part[year_first ? 2 : 0] >= 1 && of->part[1] <= 31 &&
           of->part[year_first ? 2 : 0] <= 31;
}

/* Which part of all dates of a column is the month: the second, or the first where the second is a day; -1:
 * they are no dates of one form, or it cannot be told. */
static int month_of(const columned *of, int c, bool *open)
{
    bool day_first = false, day_second = false, slashes = false, any = false;
    char mark = 0;
    *open = false;
    for (size_t row = 1; row < of->sheet.rows; row++) {
        const prolog_name cell = sheet_cell(&of->sheet, row, c);
        date one;
        if (cell.length == 0 || is_missing(sheet_field(&of->sheet, row, c), cell))
            continue;
        if (!read_date(cell, &one) || (mark && one.mark != mark))
            return -1;
        mark = one.mark;
        any = true;
        const int first = one.digits[0] == 4 ? 2 : 0;
        slashes |= mark == '/' && first == 0;
        day_first |= one.part[first] > 12;
        day_second |= one.part[1] > 12;
    }
    *open = any && slashes && day_first == day_second;
    return !any || *open || (day_second && !slashes) ? -1 : day_second ? 0 : 1;
}

/* ---- forms ---- */

void columns_find_form(const columned *of, int c, bool german)
{
    column *at = columns_at(of, c);
    struct counts count = {0};
    bool open;
    for (size_t row = 1; row < of->sheet.rows; row++) {
        const prolog_name cell = sheet_cell(&of->sheet, row, c);
        if (cell.length > 0 && !is_missing(sheet_field(&of->sheet, row, c), cell))
            count_field(&count, cell);
    }
    const size_t grouped = count.grouped + count.plain, marked = count.commas + count.thousands;
    at->form = COLUMN_AS_IT_IS;
    at->month = month_of(of, c, &open);
    if (open)
        at->reason = "dates in which day and month cannot be told apart: write 2021-03-05";
    if (at->is_asked && at->kind != NLM_COLUMN_NUMBER)
        return;
    if (at->month >= 0)
        at->form = COLUMN_DATES;
    else if (count.codes > 0 && !at->is_asked)
        at->form = COLUMN_CODES;
    else if (count.grouped > 0 && grouped == count.filled && (of->sheet.separator == ',' || count.sure > 0))
        at->form = COLUMN_THOUSANDS;
    else if (of->sheet.separator != ',' && count.points == 0 && marked > 0 && (count.commas > 0 || german) &&
             2 * (marked + count.plain) >= count.filled)
        at->form = COLUMN_COMMAS;
}

/* ---- values ---- */

static prolog_name without_marks(prolog_name cell, char between, char decimal, char space[COLUMNS_CELL])
{
    numeral of;
    size_t length = 0;
    if (!read_numeral(cell, between, decimal, &of))
        return cell;
    for (size_t k = 0; k < cell.length; k++)
        if (cell.text[k] != between)
            space[length++] = cell.text[k] == decimal ? '.' : cell.text[k];
    return (prolog_name){space, length};
}

static prolog_name date_number(prolog_name cell, int month, char space[COLUMNS_CELL])
{
    date of;
    if (!read_date(cell, &of))
        return cell;
    const bool year_first = of.digits[0] == 4;
    const int year = of.part[year_first ? 0 : 2], day = of.part[year_first ? 2 : 1 - month];
    const int length =
        snprintf(space, COLUMNS_CELL, "%04d%02d%02d", year, of.part[year_first ? 1 : month], day);
    return (prolog_name){space, (size_t)length};
}

prolog_name columns_value(const columned *of, size_t row, int c, char space[COLUMNS_CELL])
{
    const prolog_name cell = sheet_cell(&of->sheet, row, c);
    const column *at = columns_at(of, c);
    if (is_missing(sheet_field(&of->sheet, row, c), cell))
        return (prolog_name){cell.text, 0};
    if (at->kind != NLM_COLUMN_NUMBER && at->kind != NLM_COLUMN_IGNORED)
        return cell; /* a name */
    switch (at->form) {
    case COLUMN_COMMAS:
        return without_marks(cell, '.', ',', space);
    case COLUMN_THOUSANDS:
        return without_marks(cell, ',', '.', space);
    case COLUMN_DATES:
        return date_number(cell, at->month, space);
    default:
        return cell;
    }
}

const char *columns_form_text(column_form form)
{
    static const char *const texts[] = {[COLUMN_AS_IT_IS] = "",
                                        [COLUMN_COMMAS] = ", with decimal commas",
                                        [COLUMN_THOUSANDS] = ", with commas between thousands",
                                        [COLUMN_DATES] = ", 2021-03-05 being 20210305",
                                        [COLUMN_CODES] = ""};
    return texts[form];
}
