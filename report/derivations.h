/* The program of a model, and how its conclusions follow from it. */
#ifndef REPORT_DERIVATIONS_H
#define REPORT_DERIVATIONS_H

#include "report/confusion.h"

/* The rules of a model that is a program, as Prolog and in English, and whether it is proved that the model
 * computes them.  `label` names the run. */
nlm_status program_put(page *p, nlm_machine *machine, const char *path, const char *label, nlm_error *error);

/* Marks the conclusions that get a derivation: errors first, then those that are drawn, as many as a page has
 * room for. */
nlm_status derivations_choose(confusion *of, nlm_error *error);
/* The beginning of the anchors of derivations; the number of the tuple follows. */
enum { DERIVATION_ANCHOR = 48 };
const char *derivation_anchor(const confusion *of, char text[DERIVATION_ANCHOR]);
/* All of them, folded up. */
nlm_status derivations_put(page *p, const confusion *of, nlm_error *error);

#endif
