/* Templates of differentiable ILP for tasks: the file templates.pl of this folder, made into a text when the
 * library is configured. */
#ifndef BASELINE_TASK_TEMPLATES_H
#define BASELINE_TASK_TEMPLATES_H

extern const char baseline_templates[];

#endif
