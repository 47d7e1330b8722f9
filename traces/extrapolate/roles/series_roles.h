/*
 * Roles: which ranks have the same steps. Private to the extrapolation. See series_roles.c.
 *
 * Unless a comment says otherwise, functions with a status return STATUS_MEMORY, and no other
 * error. "The rule" is series->roles.rule. "For reports": the text has no more
 * bytes than its size, with the final zero.
 */
#ifndef ANAX_TRACES_SERIES_ROLES_H
#define ANAX_TRACES_SERIES_ROLES_H

#include "traces/extrapolate/series.h"

/* series_roles.c */
/* Sets the rule to the first one that fits, beginning with the rule itself (is_first) or with the
 * next one, and makes its roles. Sets *found to whether there is one. Free the roles with
 * series_roles_forget. */
status_code series_roles_next(struct series *series, bool is_first, bool *found,
                              struct status *status);
/* Writes, for reports, another rule with as many roles or fewer that fits, and by which a rank of
 * the new program has other steps; "": there is none. */
status_code series_roles_alternative(const struct series *series, char *text, size_t size,
                                     struct status *status);
/* Sets series->roles.number_rule to the first rule by the kind of the number of ranks which says
 * which calls ranks make: programs of one kind make the same calls, and programs of another kind
 * make others. Leaves it 0 if there is none, or if the steps of the series are not known. */
status_code series_roles_by_number(struct series *series, struct status *status);
/* Returns the role of a rank of the new program; NULL: the series has no such role. */
const struct series_role *series_role_of(const struct series *series, uint32_t rank);
/* Returns the role of a rank of a program of the series; NULL: there is none. */
struct series_role *series_role_in(struct series *series, uint32_t program, uint32_t rank);
/* Returns the text of the rule, for reports. */
const char *series_roles_rule(const struct series *series);
/* Writes a role, for reports. */
void series_role_text(const struct series *series, uint32_t key, char *text, size_t size);
/* Returns the key of a rank by the rule. program: number in the series; series->program_count: the
 * new program. */
uint32_t series_role_key(const struct series *series, uint32_t program, uint32_t rank);
/* Sets the rule to number n, from 0, of those whose keys have a class for each dimension, with this
 * grid. Returns false if there are fewer. */
bool series_roles_choose(struct series *series, uint32_t n, uint32_t grid);
/* Returns the class that a key has for one dimension, by the rule. */
uint32_t series_role_class(const struct series *series, uint32_t key, uint32_t dimension);
/* Counts the ranks of the new program in each role, and takes examples of them. STATUS_INPUT: some
 * ranks have a role that no program of the series has. */
status_code series_roles_count(struct series *series, struct status *status);
/* Frees the roles, with their samples and laws. */
void series_roles_forget(struct series *series);

/* Sets *rule to the next rule for roles, in the order of the table, of grids and of parameters.
 * Returns false after the last one. */
bool series_roles_next_rule(const struct series *series, struct series_role_rule *rule);
/* Returns whether the rule is that one rank differs, and this is not rank 0. */
bool series_roles_are_of_number(const struct series *series);
/* Returns whether, by a rule, ranks that make the same calls may give different sizes. */
bool series_roles_may_be_of_sizes(const struct series_role_rule *rule);

/* series_sizes.c */
/* Sets the size_hash of each rank: of the values that it has at series->outcome.sizes. */
void series_sizes_take(struct series *series);
/* Sets *fits to whether the ranks of each role by a rule have equal hashes in each program, and two
 * roles of some program have different ones. */
status_code series_sizes_fit(const struct series *series, const struct series_role_rule *rule,
                             bool *fits, struct status *status);
/* Writes, for reports, another rule with as many roles or fewer that fits, and by which a rank of
 * the new program gives other sizes; "": there is none. */
status_code series_sizes_alternative(const struct series *series, char *text, size_t size,
                                     struct status *status);

/* series_refuse.c */
/* STATUS_INPUT, always: no rule for roles fits the series. The text says which programs differ, and
 * where. */
status_code series_roles_refuse(const struct series *series, struct status *status);

#endif
