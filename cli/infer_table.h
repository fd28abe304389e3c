/* Conclusions about the rows of a table, written as the same table with columns added. */
#ifndef CLI_INFER_TABLE_H
#define CLI_INFER_TABLE_H

#include "nlm/nlm.h"

/* Whether the facts are one table with a row of titles, and every target is about its rows. */
bool table_is_asked(const nlm_problem *problem, const nlm_signature *signature);
/* Print it with a column for each target (for targets such as role(A,lead) one together), and with
 * `probability` a second one; false after an error line. */
bool table_print(const nlm_problem *problem, nlm_inference *inference, double threshold, bool probability);

#endif
