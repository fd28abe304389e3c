/* The domains of blocks that problems may name without a file: src/pddl/domains, the first that fits counts.
 */
#ifndef PDDL_KNOWN_DOMAINS_H
#define PDDL_KNOWN_DOMAINS_H

struct known_domain {
    const char *name, *text;
};

/* A row without a text ends it. */
extern const struct known_domain known_domains[];

#endif
