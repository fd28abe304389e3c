/* What the sense of a machine came to see. */
#include "report/seen.h"

#include <math.h>
#include <string.h>
#include "report/storage.h"

enum { IMAGES_MOST = 1000, AT_A_TIME = 100 };
#define RIGHT_ENOUGH 0.9

const char *sense_title(const char *name)
{
    return strcmp(name, "lenet") ? name : "LeNet";
}

/* ---- asking ---- */

static nlm_status reserve(sightings *of, int predicates, const nlm_gallery *gallery, float **pixels,
                          nlm_error *error)
{
    const int images = nlm_gallery_images(gallery, true);
    of->gallery = gallery;
    of->images = images < IMAGES_MOST ? images : IMAGES_MOST;
    of->predicates = predicates;
    of->values = storage_new((size_t)of->images * (size_t)of->predicates + 1, sizeof *of->values);
    of->digits = storage_new((size_t)of->images + 1, sizeof *of->digits);
    of->mean = storage_new((size_t)of->predicates, sizeof *of->mean);
    *pixels = storage_new((size_t)AT_A_TIME * NLM_IMAGE_PIXELS, sizeof **pixels);
    return of->values && of->digits && of->mean && *pixels ? NLM_OK : report_no_memory(error);
}

static nlm_status ask(sightings *of, nlm_machine *machine, float *pixels, nlm_error *error)
{
    nlm_status status = NLM_OK;
    for (int first = 0; first < of->images && !status; first += AT_A_TIME) {
        const int rest = of->images - first, count = rest < AT_A_TIME ? rest : AT_A_TIME;
        for (int i = 0; i < count; i++)
            of->digits[first + i] =
                nlm_gallery_image(of->gallery, true, first + i, pixels + (size_t)i * NLM_IMAGE_PIXELS);
        status = nlm_machine_perceive(machine, pixels, count,
                                      of->values + (size_t)first * (size_t)of->predicates, error);
    }
    return status;
}

/* ---- the best predicate ---- */

static void find_means(sightings *of)
{
    for (int i = 0; i < of->images; i++) {
        of->count[of->digits[i]]++;
        for (int k = 0; k < of->predicates; k++)
            of->mean[k][of->digits[i]] += (double)of->values[i * of->predicates + k];
    }
    for (int k = 0; k < of->predicates; k++)
        for (int digit = 0; digit < SEEN_DIGITS; digit++)
            of->mean[k][digit] /= of->count[digit] ? of->count[digit] : 1;
}

static bool takes(const seen_best *best, const float *predicates)
{
    return (predicates[best->predicate] > best->bound) != best->below;
}

/* How well one predicate tells one digit from the others. */
static seen_best judge(const sightings *of, int predicate, int digit)
{
    seen_best made = {.predicate = predicate, .digit = digit, .on = of->mean[predicate][digit]};
    const int others = of->images - of->count[digit];
    int hits = 0, refused = 0;
    for (int other = 0; other < SEEN_DIGITS && others > 0; other++)
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

static void find_best(sightings *of)
{
    for (int k = 0; k < of->predicates; k++)
        for (int digit = 0; digit < SEEN_DIGITS; digit++) {
            const seen_best found = judge(of, k, digit), best = of->best;
            const bool further = fabs(found.on - found.off) > fabs(best.on - best.off);
            if (found.right > best.right || (found.right >= best.right && further))
                of->best = found;
        }
}

nlm_status seen_find(sightings *found, nlm_machine *machine, const nlm_gallery *gallery, nlm_error *error)
{
    int numbers, predicates;
    float *pixels = NULL;
    *found = (sightings){0};
    if (!nlm_sense_find(nlm_machine_spec(machine)->sense, &numbers, &predicates) ||
        numbers != NLM_IMAGE_PIXELS)
        return report_fail(error, NLM_BAD_SHAPE, "the machine does not look at images");
    nlm_status status = reserve(found, predicates, gallery, &pixels, error);
    if (!status)
        status = ask(found, machine, pixels, error);
    if (!status) {
        find_means(found);
        find_best(found);
    }
    free(pixels);
    return status;
}

void seen_release(sightings *of)
{
    free(of->values);
    free(of->digits);
    free(of->mean);
    *of = (sightings){0};
}

bool seen_tells(const sightings *of)
{
    return of->best.right >= RIGHT_ENOUGH;
}

bool seen_takes(const sightings *of, const float *predicates)
{
    return takes(&of->best, predicates);
}
