/* Where a model file keeps its program. */
#ifndef INFER_MODEL_PROGRAM_H
#define INFER_MODEL_PROGRAM_H

#define RULES_KEY "rules"               /* metadata: the clauses, as Prolog */
#define CLAUSES_KEY "clauses"           /* "yes": they were found without the machine, and without errors */
#define CONTRADICTED_KEY "contradicted" /* labels that they contradict, of those learned from */

#endif
