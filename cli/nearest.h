/* Names that a mistyped one may have meant.
 *
 * Names are near when at most a third of the letters typed (rounded up, but not the only one) must be added,
 * dropped or changed to turn one into the other.  Parts of a listed name, cut at its dashes, count as well:
 * "uncel" is near to "mg-uncle". */
#ifndef CLI_NEAREST_H
#define CLI_NEAREST_H

/* A list of names: at(context, 0), at(context, 1), ..., NULL after the last. */
typedef struct name_list {
    const char *(*at)(const void *context, int index);
    const void *context;
} name_list;

/* The names nearest to `name`, at most `most` of them, the nearest first, none much farther than it.  Returns
 * how many there are. */
int nearest_names(const char *name, name_list list, const char **nearest, int most);

#endif
