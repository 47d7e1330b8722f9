/*
 * Roles: which ranks have the same steps. Private to the traces room. See series_roles.c.
 */
#ifndef ANAX_TRACES_SERIES_ROLES_H
#define ANAX_TRACES_SERIES_ROLES_H

#include "traces/extrapolate/series.h"

/* series_roles.c */
/* Finds the first rule that fits, or the next one after series->roles.rule, and makes its roles. */
status_code series_roles_next(struct series *series, bool is_first, bool *found,
                              struct status *status);
/* Writes another rule with as many roles or fewer that fits and gives ranks of the new program
 * other roles; "": there is none. */
status_code series_roles_alternative(const struct series *series, char *text, size_t size,
                                     struct status *status);
/* Sets series->roles.number_rule. */
status_code series_roles_by_number(struct series *series, struct status *status);
/* Returns the role of a rank of the new program; NULL: the series has no such rank. */
const struct series_role *series_role_of(const struct series *series, uint32_t rank);
/* Returns the role of a rank of a program of the series. */
struct series_role *series_role_in(struct series *series, uint32_t program, uint32_t rank);
/* Returns the rule from ranks to roles, for reports. */
const char *series_roles_rule(const struct series *series);
/* Writes a role, for reports. */
void series_role_text(const struct series *series, uint32_t key, char *text, size_t size);
/* Returns the key of a rank's role. program: number in the series; its count: the new program. */
uint32_t series_role_key(const struct series *series, uint32_t program, uint32_t rank);
/* Chooses the n-th rule whose keys are classes in the dimensions of a grid. Returns false if there
 * are fewer. */
bool series_roles_choose(struct series *series, uint32_t n, uint32_t grid);
/* Returns the class that a key says of one dimension. */
uint32_t series_role_class(const struct series *series, uint32_t key, uint32_t dimension);
/* Counts the ranks of the new program in each role. STATUS_INPUT: some have a role that no program
 * of the series has. */
status_code series_roles_count(struct series *series, struct status *status);
/* Frees the roles. */
void series_roles_forget(struct series *series);

/* Goes to the next rule for roles. Returns false after the last one. */
bool series_roles_next_rule(const struct series *series, struct series_role_rule *rule);
/* Returns whether one rank beyond the first differs from the others. */
bool series_roles_are_of_number(const struct series *series);
/* Returns whether ranks that are alike otherwise may have other sizes by a rule. */
bool series_roles_may_be_of_sizes(const struct series_role_rule *rule);

/* series_sizes.c */
/* Records what each rank gives where a size has no law. */
void series_sizes_take(struct series *series);
/* Sets *fits to whether the ranks of each role of a rule give the same in each program. */
status_code series_sizes_fit(const struct series *series, const struct series_role_rule *rule,
                             bool *fits, struct status *status);
/* Writes another rule with as many roles or fewer that fits and gives ranks of the new program
 * other sizes; "": there is none. */
status_code series_sizes_alternative(const struct series *series, char *text, size_t size,
                                     struct status *status);

/* series_refuse.c */
/* Sets the error for a series without roles: which programs differ, and where. */
status_code series_roles_refuse(const struct series *series, struct status *status);

#endif
