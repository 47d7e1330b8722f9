/*
 * The candidates of comparisons, searches and sweeps of synthetic traffic: all combinations of
 * machines and of the values of other factors. Must not know what is run for a candidate.
 *
 * Invariant: factor 0 is the machine. Candidates count the last factor fastest, so candidate 0, the
 * baseline, has the first value of each.
 */
#ifndef ANAX_API_CANDIDATE_SET_H
#define ANAX_API_CANDIDATE_SET_H

#include "api/api.h"

struct compare_factor {
    char *setting;
    char **values;
    size_t count;
};

struct candidate_set {
    anax_scope scope;       /* settings that have an effect in it can vary */
    anax_config **machines; /* copies */
    struct compare_factor *factors;
    size_t factor_count;
    size_t candidate_count;
};

/* Makes the set of all combinations of machines and factors, such as
 * "network.routing=minimal,par". Factors with one value apply to all candidates, and can make a
 * machine differ from the named one, whose name then ends with "changed". STATUS_USAGE: two
 * machines are the same, or a factor cannot vary in the scope or has a wrong value.
 * candidate_set_clear frees the memory, also after an error. */
status_code candidate_set_init(struct candidate_set *set, anax_scope scope,
                               const anax_config *const *machines, size_t machine_count,
                               const char *const *factors, size_t factor_count,
                               struct status *status);

/* Frees what candidate_set_init has made. */
void candidate_set_clear(struct candidate_set *set);

/* Returns a candidate's value of a factor. */
const char *candidate_set_value(const struct candidate_set *set, size_t candidate, size_t factor);

/* Returns the label of a candidate: its values of the factors that have several values. The caller
 * frees the label. */
char *candidate_set_label(const struct candidate_set *set, size_t candidate);

/* Creates the configuration of a candidate with a seed. If placements vary, those that read no file
 * leave out the placement.file of the others. STATUS_USAGE: the candidate's values do not fit
 * together. */
status_code candidate_set_config(anax_config **config, const struct candidate_set *set,
                                 size_t candidate, int64_t seed, struct status *status);

/* Returns whether the machines of all candidates have I/O nodes. */
bool candidate_set_has_storage(const struct candidate_set *set);

/* candidate_machines.c, for candidate_set_init: makes the machines factor 0. `factors` has room for
 * it. STATUS_USAGE: two of them are the same. */
status_code candidate_set_take_machines(struct candidate_set *set,
                                        const anax_config *const *machines, size_t count,
                                        struct status *status);

/* candidate_machines.c, for candidate_set_init: applies the factors with one value to the machines,
 * then names these. */
status_code candidate_set_name_machines(struct candidate_set *set, struct status *status);

#endif
