/* What the sense of a machine came to see, as a table with images. */
#include <math.h>
#include <stdio.h>
#include "report/liveness.h"
#include "report/pixels.h"
#include "report/seen.h"
#include "report/words.h"

enum { EXAMPLES = 6, WRONG_MOST = 16, LABEL_SIZE = 64 };

static float value_of(const sightings *of, int image, int predicate)
{
    return of->values[image * of->predicates + predicate];
}

static void put_image(page *p, const sightings *of, int image, const char *label)
{
    float pixels[NLM_IMAGE_PIXELS];
    if (nlm_gallery_image(of->gallery, true, image, pixels) >= 0)
        pixels_picture(p, pixels, label);
}

/* ---- the table ---- */

/* The images on which a predicate is largest, the first of them first; returns how many there are. */
static int find_largest(const sightings *of, int predicate, int images[EXAMPLES])
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
static bool is_steady(const sightings *of, int predicate)
{
    float least = INFINITY, most = -INFINITY;
    for (int i = 0; i < of->images; i++) {
        const float value = value_of(of, i, predicate);
        least = value < least ? value : least;
        most = value > most ? value : most;
    }
    return !(most - least >= LIVENESS_RANGE);
}

static void put_examples(page *p, const sightings *of, int predicate)
{
    int images[EXAMPLES];
    const int count = find_largest(of, predicate, images);
    if (count == 0 || is_steady(of, predicate)) {
        page_put(p, "<td class=\"dim\">the same for all</td>");
        return;
    }
    page_put(p, "<td class=\"digits\">");
    for (int k = 0; k < count; k++) {
        char label[LABEL_SIZE], value[WORD_SIZE];
        snprintf(label, sizeof label, "a %d: %s", of->digits[images[k]],
                 word_mean((double)value_of(of, images[k], predicate), value));
        put_image(p, of, images[k], label);
    }
    page_put(p, "</td>");
}

static void put_mean(page *p, const sightings *of, int predicate, int digit)
{
    char text[WORD_SIZE];
    const double mean = of->mean[predicate][digit];
    if (of->count[digit] == 0 || !(mean >= 0 && mean <= 1))
        page_print(p, "<td>%s</td>", word_mean(NAN, text));
    else
        page_print(p, "<td class=\"heat heat-%.0f%s\">%.2f</td>", 10 * mean, mean >= 0.5 ? " high" : "",
                   mean);
}

static void put_row(page *p, const sightings *of, int predicate)
{
    const bool best = seen_tells(of) && of->best.predicate == predicate;
    page_print(p, "<tr%s><th scope=\"row\">%s%d</th>", best ? " class=\"best\"" : "",
               best ? "\xe2\x96\xb8 " : "", predicate + 1);
    for (int digit = 0; digit < SEEN_DIGITS; digit++)
        put_mean(p, of, predicate, digit);
    put_examples(p, of, predicate);
    page_put(p, "</tr>\n");
}

static void put_table(page *p, const sightings *of)
{
    page_put(p, "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"outputs by digit\"><table "
                "class=\"seen\">\n<thead><tr><th scope=\"col\">output</th>");
    for (int digit = 0; digit < SEEN_DIGITS; digit++)
        page_print(p, "<th scope=\"col\">%d</th>", digit);
    page_put(p, "<th scope=\"col\">largest for</th></tr></thead>\n<tbody>\n");
    for (int k = 0; k < of->predicates; k++)
        put_row(p, of, k);
    page_put(p, "</tbody></table></div>\n");
}

/* ---- what the best predicate is wrong about ---- */

static bool is_wrong(const sightings *of, int image)
{
    const float *predicates = of->values + image * of->predicates;
    return seen_takes(of, predicates) != (of->digits[image] == of->best.digit);
}

static void put_wrong_image(page *p, const sightings *of, int image)
{
    char label[LABEL_SIZE], value[WORD_SIZE];
    const int digit = of->digits[image];
    snprintf(label, sizeof label, "a %d, output %d: %s", digit, of->best.predicate + 1,
             word_mean((double)value_of(of, image, of->best.predicate), value));
    page_put(p, "<span>");
    put_image(p, of, image, label);
    if (digit == of->best.digit)
        page_print(p, "a %d, not seen</span>\n", digit);
    else
        page_print(p, "a %d, taken for a %d</span>\n", digit, of->best.digit);
}

static void put_wrong(page *p, const sightings *of)
{
    char all[WORD_SIZE], right[WORD_SIZE];
    int wrong = 0, shown = 0;
    for (int i = 0; i < of->images; i++)
        wrong += is_wrong(of, i);
    page_print(p, "<p>By this output alone, %s %.2f for a %d, it is right about %s of %s images%s</p>\n",
               of->best.below ? "below" : "above", (double)of->best.bound, of->best.digit,
               word_count(of->images - wrong, right), word_count(of->images, all), wrong ? "; wrong:" : ".");
    if (wrong == 0)
        return;
    page_put(p, "<p class=\"wrong\">");
    for (int i = 0; i < of->images && shown < WRONG_MOST; i++)
        if (is_wrong(of, i)) {
            put_wrong_image(p, of, i);
            shown++;
        }
    page_put(p, "</p>\n");
    if (wrong > shown)
        page_print(p, "<p>and %d more.</p>\n", wrong - shown);
}

/* ---- the figure ---- */

void seen_put(page *p, const sightings *of, const char *sense, const char *images)
{
    char count[WORD_SIZE];
    const seen_best *best = &of->best;
    page_put(p, "<figure class=\"sense\"><figcaption>");
    page_text(p, sense_title(sense));
    page_print(p,
               " makes %d numbers from 0 to 1 of an image, predicates that the machine begins with. Which "
               "digit an image shows was never told in training, only what follows from it. A row is one "
               "output: its mean for each digit, over %s ",
               of->predicates, word_count(of->images, count));
    page_text(p, images);
    page_put(p, ", and the images for which it is largest.");
    if (seen_tells(of))
        page_print(p,
                   " <strong>Output %d (\xe2\x96\xb8) tells %d from the other digits</strong>: it is %.2f on "
                   "average for a %d, %.2f for the others.",
                   best->predicate + 1, best->digit, best->on, best->digit, best->off);
    else
        page_put(p, " No output tells one digit from all others.");
    page_put(p, "</figcaption>\n");
    put_table(p, of);
    if (seen_tells(of))
        put_wrong(p, of);
    page_put(p, "</figure>\n");
}
