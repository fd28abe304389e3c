/* Digits drawn with strokes.  A pixel's ink depends on how far it is from the nearest stroke; nothing but
 * sums, products and square roots is used, which are the same bits everywhere. */
#include "perception/digits.h"

#include <math.h>
#include "base/error.h"
#include "base/memory.h"
#include "base/random.h"

/* ---- labelled images ---- */

nlm_status images_new(int count, struct images *images, nlm_error *error)
{
    *images = (struct images){
        .count = count,
        .pixels = memory_new((size_t)count, IMAGES_PIXELS),
        .labels = memory_new((size_t)count, 1),
    };
    if (images->pixels && images->labels)
        return NLM_OK;
    images_free(images);
    return error_no_memory(error);
}

void images_free(struct images *images)
{
    memory_free(images->pixels);
    memory_free(images->labels);
    *images = (struct images){0};
}

void images_floats(const struct images *images, int number, float *pixels)
{
    const uint8_t *from = images->pixels + (size_t)number * IMAGES_PIXELS;
    for (int i = 0; i < IMAGES_PIXELS; i++)
        pixels[i] = (float)from[i] / 255.0f;
}

/* ---- strokes ---- */

/* Points of a digit, in a box 10 wide and 16 high whose origin is the upper left corner, joined by
 * strokes.  All are drawn without lifting the pen. */
enum { MOST_POINTS = 16 };

struct point {
    float x, y;
};

struct shape {
    int points;
    struct point point[MOST_POINTS];
};

static const struct shape shapes[IMAGES_LABELS] = {
    {9, {{5, 0}, {1, 3}, {0, 8}, {1, 13}, {5, 16}, {9, 13}, {10, 8}, {9, 3}, {5, 0}}},
    {3, {{2, 4}, {5, 0}, {5, 16}}},
    {8, {{0, 4}, {2, 1}, {5, 0}, {8, 1}, {9, 4}, {7, 8}, {0, 16}, {10, 16}}},
    {11, {{1, 1}, {5, 0}, {9, 2}, {9, 5}, {4, 7}, {9, 9}, {10, 12}, {8, 15}, {5, 16}, {2, 15}, {0, 13}}},
    {4, {{7, 16}, {7, 0}, {0, 11}, {10, 11}}},
    {9, {{9, 0}, {1, 0}, {1, 7}, {5, 6}, {9, 8}, {10, 11}, {8, 15}, {4, 16}, {0, 14}}},
    {11, {{8, 0}, {4, 2}, {1, 7}, {0, 12}, {3, 16}, {7, 16}, {10, 13}, {9, 10}, {6, 8}, {3, 9}, {0, 12}}},
    {3, {{0, 0}, {10, 0}, {4, 16}}},
    {15,
     {{5, 7},
      {1, 5},
      {1, 2},
      {5, 0},
      {9, 2},
      {9, 5},
      {5, 7},
      {1, 10},
      {0, 13},
      {2, 16},
      {5, 16},
      {8, 16},
      {10, 13},
      {9, 10},
      {5, 7}}},
    {10, {{9, 5}, {7, 8}, {3, 8}, {0, 5}, {2, 1}, {5, 0}, {8, 1}, {9, 5}, {9, 10}, {7, 16}}},
};

/* How one image is drawn. */
struct hand {
    float x, y;          /* of the box's middle, in pixels */
    float width, height; /* pixels per unit of the box */
    float slant;         /* pixels to the right per pixel upwards */
    float thickness;     /* half of the stroke's, in pixels */
};

static struct hand draw_hand(random_stream *random)
{
    return (struct hand){
        .x = 13.5f + random_uniform(random, -3.0f, 3.0f),
        .y = 13.5f + random_uniform(random, -3.0f, 3.0f),
        .width = random_uniform(random, 0.8f, 1.3f),
        .height = random_uniform(random, 0.95f, 1.25f),
        .slant = random_uniform(random, -0.15f, 0.4f),
        .thickness = random_uniform(random, 0.6f, 1.6f),
    };
}

static struct point to_pixels(const struct hand *hand, struct point p)
{
    float y = (p.y - 8.0f) * hand->height;
    return (struct point){hand->x + (p.x - 5.0f) * hand->width - hand->slant * y, hand->y + y};
}

/* Square of the distance from p to the line from a to b. */
static float distance_squared(struct point p, struct point a, struct point b)
{
    float dx = b.x - a.x, dy = b.y - a.y, length = dx * dx + dy * dy;
    float along = ((p.x - a.x) * dx + (p.y - a.y) * dy) / length;
    along = along < 0.0f ? 0.0f : along > 1.0f ? 1.0f : along;
    float x = p.x - a.x - along * dx, y = p.y - a.y - along * dy;
    return x * x + y * y;
}

/* Full ink within the thickness, none a pixel further. */
static float ink_at(const struct point *points, int count, struct point p, float thickness)
{
    float nearest = distance_squared(p, points[0], points[1]);
    for (int k = 1; k + 1 < count; k++) {
        float other = distance_squared(p, points[k], points[k + 1]);
        nearest = other < nearest ? other : nearest;
    }
    float ink = thickness + 1.0f - sqrtf(nearest);
    return ink < 0.0f ? 0.0f : ink > 1.0f ? 1.0f : ink;
}

uint8_t digits_draw(uint64_t seed, uint64_t number, uint8_t *pixels)
{
    random_stream random;
    random_start(&random, seed, number);
    uint8_t digit = (uint8_t)random_below(&random, IMAGES_LABELS);
    const struct shape *shape = &shapes[digit];
    struct hand hand = draw_hand(&random);
    struct point points[MOST_POINTS];
    for (int k = 0; k < shape->points; k++)
        points[k] = to_pixels(&hand, shape->point[k]);
    for (int i = 0; i < IMAGES_PIXELS; i++) {
        struct point p = {(float)(i % IMAGES_SIDE), (float)(i / IMAGES_SIDE)};
        float noise = random_uniform(&random, -40.0f, 40.0f);
        float grey = 235.0f * ink_at(points, shape->points, p, hand.thickness) + noise;
        pixels[i] = (uint8_t)(grey < 0.0f ? 0.0f : grey > 255.0f ? 255.0f : grey);
    }
    return digit;
}

nlm_status digits_make(uint64_t seed, uint64_t first, int count, struct images *images, nlm_error *error)
{
    nlm_status status = images_new(count, images, error);
    for (int i = 0; !status && i < count; i++)
        images->labels[i] =
            digits_draw(seed, first + (uint64_t)i, images->pixels + (size_t)i * IMAGES_PIXELS);
    return status;
}
