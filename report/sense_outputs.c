/* What the sense of a machine came to see: found, and shown as a table with images. */
#include "report/sense_outputs.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include "report/liveness.h"
#include "report/pixels.h"
#include "report/storage.h"
#include "report/words.h"

enum { IMAGES_MOST = 1000, AT_A_TIME = 100, EXAMPLES = 6, WRONG_MOST = 16, LABEL_SIZE = 64 };
#define RIGHT_ENOUGH 0.9

const char *sense_title(const char *name)
{
    return strcmp(name, "lenet") ? name : "LeNet";
}

/* ---- perception ---- */

static nlm_status perceive(sense_outputs *of, nlm_machine *machine, nlm_error *error)
{
    float *pixels = storage_new((size_t)AT_A_TIME * NLM_IMAGE_PIXELS, sizeof *pixels);
    of->values = storage_new((size_t)of->images * (size_t)of->predicates + 1, sizeof *of->values);
    of->digits = storage_new((size_t)of->images + 1, sizeof *of->digits);
    of->mean = storage_new((size_t)of->predicates, sizeof *of->mean);
    nlm_status status = of->values && of->digits && of->mean && pixels ? NLM_OK : report_no_memory(error);
    for (int first = 0; first < of->images && !status; first += AT_A_TIME) {
        const int rest = of->images - first, count = rest < AT_A_TIME ? rest : AT_A_TIME;
        for (int i = 0; i < count; i++)
            of->digits[first + i] =
                nlm_gallery_image(of->gallery, true, first + i, pixels + (size_t)i * NLM_IMAGE_PIXELS);
        status = nlm_machine_perceive(machine, pixels, count,
                                      of->values + (size_t)first * (size_t)of->predicates, error);
    }
    free(pixels);
    return status;
}

/* ---- the best predicate ---- */

static void find_means(sense_outputs *of)
{
    for (int i = 0; i < of->images; i++) {
        of->count[of->digits[i]]++;
        for (int k = 0; k < of->predicates; k++)
            of->mean[k][of->digits[i]] += (double)of->values[i * of->predicates + k];
    }
    for (int k = 0; k < of->predicates; k++)
        for (int digit = 0; digit < SENSE_DIGITS; digit++)
            of->mean[k][digit] /= of->count[digit] ? of->count[digit] : 1;
}

static bool takes(const digit_detector *best, const float *predicates)
{
    return (predicates[best->predicate] > best->bound) != best->below;
}

/* How well one predicate tells one digit from the others. */
static digit_detector judge(const sense_outputs *of, int predicate, int digit)
{
    digit_detector made = {.predicate = predicate, .digit = digit, .on = of->mean[predicate][digit]};
    const int others = of->images - of->count[digit];
    int hits = 0, refused = 0;
    for (int other = 0; other < SENSE_DIGITS && others > 0; other++)
        if (other != digit)
            made.off += of->mean[predicate][other] * of->count[other] / others;
    made.below = made.on < made.off;
    made.bound = (float)((made.on + made.off) / 2);
    for (int i = 0; i < of->images; i++) {
        const bool taken = takes(&made, of->values + i * of->predicates);
        hits += taken && of->digits[i] == digit;
        refused += !taken && of->digits[i] != digit;
    }
    if (of->count[digit] > 0 && others > 0)
        made.right = ((double)hits / of->count[digit] + (double)refused / others) / 2;
    return made;
}

static void find_best(sense_outputs *of)
{
    for (int k = 0; k < of->predicates; k++)
        for (int digit = 0; digit < SENSE_DIGITS; digit++) {
            const digit_detector found = judge(of, k, digit), best = of->best;
            const bool further = fabs(found.on - found.off) > fabs(best.on - best.off);
            if (found.right > best.right || (found.right >= best.right && further))
                of->best = found;
        }
}

nlm_status sense_outputs_find(sense_outputs *found, nlm_machine *machine, const nlm_gallery *gallery,
                              nlm_error *error)
{
    const int images = nlm_gallery_images(gallery, true);
    int numbers;
    *found = (sense_outputs){.gallery = gallery, .images = images < IMAGES_MOST ? images : IMAGES_MOST};
    if (!nlm_sense_find(nlm_machine_spec(machine)->sense, &numbers, &found->predicates) ||
        numbers != NLM_IMAGE_PIXELS)
        return report_fail(error, NLM_BAD_SHAPE, "the machine has no image network");
    const nlm_status status = perceive(found, machine, error);
    if (!status) {
        find_means(found);
        find_best(found);
    }
    return status;
}

void sense_outputs_release(sense_outputs *of)
{
    free(of->values);
    free(of->digits);
    free(of->mean);
    *of = (sense_outputs){0};
}

bool sense_outputs_reliable(const sense_outputs *of)
{
    return of->best.right >= RIGHT_ENOUGH;
}

bool sense_outputs_accept(const sense_outputs *of, const float *predicates)
{
    return takes(&of->best, predicates);
}

static float value_of(const sense_outputs *of, int image, int predicate)
{
    return of->values[image * of->predicates + predicate];
}

/* With its digit, after that the value of a predicate, as its label. */
static void put_image(page *p, const sense_outputs *of, int image, int predicate, const char *before)
{
    float pixels[NLM_IMAGE_PIXELS];
    char label[LABEL_SIZE], value[WORD_SIZE];
    snprintf(label, sizeof label, "a %d%s: %s", of->digits[image], before,
             word_mean((double)value_of(of, image, predicate), value));
    if (nlm_gallery_image(of->gallery, true, image, pixels) >= 0)
        pixels_picture(p, pixels, label);
}

/* ---- the table ---- */

/* The images on which a predicate is largest, the first of them first; returns how many there are. */
static int find_largest(const sense_outputs *of, int predicate, int images[EXAMPLES])
{
    int count = 0;
    for (int i = 0; i < of->images; i++) {
        int place = count;
        while (place > 0 && value_of(of, images[place - 1], predicate) < value_of(of, i, predicate))
            place--;
        if (place == EXAMPLES)
            continue;
        count += count < EXAMPLES;
        for (int k = count - 1; k > place; k--)
            images[k] = images[k - 1];
        images[place] = i;
    }
    return count;
}

/* Hardly different from image to image. */
static bool is_steady(const sense_outputs *of, int predicate)
{
    float least = INFINITY, most = -INFINITY;
    for (int i = 0; i < of->images; i++) {
        const float value = value_of(of, i, predicate);
        least = value < least ? value : least;
        most = value > most ? value : most;
    }
    return !(most - least >= LIVENESS_RANGE);
}

static void put_examples(page *p, const sense_outputs *of, int predicate)
{
    int images[EXAMPLES];
    const int count = find_largest(of, predicate, images);
    if (count == 0 || is_steady(of, predicate)) {
        page_put(p, "<td class=\"dim\">the same for all</td>");
        return;
    }
    page_put(p, "<td class=\"digits\">");
    for (int k = 0; k < count; k++)
        put_image(p, of, images[k], predicate, "");
    page_put(p, "</td>");
}

static void put_row(page *p, const sense_outputs *of, int predicate)
{
    const bool best = sense_outputs_reliable(of) && of->best.predicate == predicate;
    char text[WORD_SIZE];
    page_print(p, "<tr%s><th scope=\"row\">%s%d</th>", best ? " class=\"best\"" : "",
               best ? "\xe2\x96\xb8 " : "", predicate + 1);
    for (int digit = 0; digit < SENSE_DIGITS; digit++) {
        const double mean = of->mean[predicate][digit];
        if (of->count[digit] == 0 || !(mean >= 0 && mean <= 1))
            page_print(p, "<td>%s</td>", word_mean(NAN, text));
        else
            page_print(p, "<td class=\"heat heat-%.0f%s\">%.2f</td>", 10 * mean, mean >= 0.5 ? " high" : "",
                       mean);
    }
    put_examples(p, of, predicate);
    page_put(p, "</tr>\n");
}

static void put_table(page *p, const sense_outputs *of)
{
    static const char *const columns[] = {"output", "0", "1", "2", "3",           "4", "5",
                                          "6",      "7", "8", "9", "largest for", NULL};
    page_table(p, "outputs by digit", " class=\"seen\"", NULL, columns);
    for (int k = 0; k < of->predicates; k++)
        put_row(p, of, k);
    page_put(p, PAGE_TABLE_END);
}

/* ---- what the best predicate is wrong about ---- */

static bool is_wrong(const sense_outputs *of, int image)
{
    const float *predicates = of->values + image * of->predicates;
    return sense_outputs_accept(of, predicates) != (of->digits[image] == of->best.digit);
}

static void put_wrong(page *p, const sense_outputs *of)
{
    char all[WORD_SIZE], right[WORD_SIZE], output[LABEL_SIZE];
    int wrong = 0, shown = 0;
    for (int i = 0; i < of->images; i++)
        wrong += is_wrong(of, i);
    page_print(p, "<p>This output alone (%s %.2f: a %d) classifies %s of %s images correctly%s</p>\n",
               of->best.below ? "below" : "above", (double)of->best.bound, of->best.digit,
               word_count(of->images - wrong, right), word_count(of->images, all), wrong ? "; wrong:" : ".");
    if (wrong == 0)
        return;
    snprintf(output, sizeof output, ", output %d", of->best.predicate + 1);
    page_put(p, "<p class=\"wrong\">");
    for (int i = 0; i < of->images && shown < WRONG_MOST; i++)
        if (is_wrong(of, i)) {
            const int digit = of->digits[i];
            page_put(p, "<span>");
            put_image(p, of, i, of->best.predicate, output);
            if (digit == of->best.digit)
                page_print(p, "a %d, not recognised</span>\n", digit);
            else
                page_print(p, "a %d, classified as %d</span>\n", digit, of->best.digit);
            shown++;
        }
    page_put(p, "</p>\n");
    if (wrong > shown)
        page_print(p, "<p>and %d more.</p>\n", wrong - shown);
}

/* ---- the figure ---- */

void sense_outputs_put(page *p, const sense_outputs *of, const char *sense, const char *images)
{
    char count[WORD_SIZE];
    const digit_detector *best = &of->best;
    page_put(p, "<figure class=\"sense\"><figcaption>");
    page_text(p, sense_title(sense));
    page_print(
        p,
        " computes %d numbers from 0 to 1 from an image; they are input predicates of the machine. Training "
        "images had no labels: only the targets were labelled. A row is one output: its mean for each "
        "digit, over %s ",
        of->predicates, word_count(of->images, count));
    page_text(p, images);
    page_put(p, ", and the images for which it is largest.");
    if (sense_outputs_reliable(of))
        page_print(
            p,
            " <strong>Output %d (\xe2\x96\xb8) separates %d from the other digits</strong>: it is %.2f on "
            "average for a %d, %.2f for the others.",
            best->predicate + 1, best->digit, best->on, best->digit, best->off);
    else
        page_put(p, " No output separates one digit from all others.");
    page_put(p, "</figcaption>\n");
    put_table(p, of);
    if (sense_outputs_reliable(of))
        put_wrong(p, of);
    page_put(p, "</figure>\n");
}
