/* Recipes: values of settings, by name, that suit a task, a game or a model. */
#ifndef NLM_RECIPE_H
#define NLM_RECIPE_H

/* A setting (nlm/settings_rows.h) and its value as a text.  Lists end with a preset without a name. */
typedef struct nlm_preset {
    const char *setting, *value;
} nlm_preset;

/* What a protocol, or a model other than the machine, changes.  Lists end with a recipe without presets. */
typedef struct nlm_recipe {
    const char *protocol; /* "paper", "best"; NULL for every one */
    const char *model;    /* NULL for the machine, and then for all models */
    const nlm_preset *presets;
} nlm_recipe;

#endif
