/*
 * Compares the computation of the ranks of a role. A role says which calls a rank makes, and
 * nothing about its computation. If one rank has additional work, no rule says which rank of the
 * new program has it. Exact laws may give each rank another value, so only computation that follows
 * a fit is compared.
 */
#include "core/memory/memory.h"
#include "traces/extrapolate/laws/series_law.h"
#include "traces/extrapolate/roles/series_samples.h"

#include <stdlib.h>

/* Differences of less than a tenth of the mean are scatter (1 / DIFFERENCE). Roles with less than a
 * hundredth of the measured computation are left out (1 / SMALL). */
enum { DIFFERENCE = 10, SMALL = 100 };

/* Returns the number of the largest program that has the role. */
static uint32_t largest_program(const struct series_role *role) {
    uint32_t largest = 0;
    for (size_t s = 0; s < role->step_count; s++)
        for (size_t i = 0; i < role->steps[s].sample_count; i++)
            if (role->steps[s].samples[i].program > largest)
                largest = role->steps[s].samples[i].program;
    return largest;
}

/* The computation of a rank. */
struct share {
    wide sum;       /* picoseconds */
    bool is_member; /* the rank has the role */
};

/* Adds the values of one step to the shares of their ranks. */
static void add_values(const struct series_role_step *step, uint32_t program, uint32_t field,
                       struct share *shares) {
    for (size_t i = 0; i < step->sample_count; i++) {
        const struct series_sample *sample = &step->samples[i];
        if (sample->program != program || sample->view != 0) continue;
        shares[sample->rank].is_member = true;
        if (sample->values[field] > 0) shares[sample->rank].sum += (uint64_t)sample->values[field];
    }
}

/* Adds the computation of all steps that follows a fit to the shares of the ranks. */
static void add_steps(const struct series_role *role, uint32_t program, struct share *shares) {
    for (size_t s = 0; s < role->step_count; s++)
        for (uint32_t v = 0; v < role->steps[s].law_count; v++) {
            const struct series_value_law *laws = &role->steps[s].laws[v];
            if (laws->what == SERIES_VALUE_COMPUTE && laws->law_count > 0 &&
                laws->laws[0].kind == SERIES_LAW_FIT)
                add_values(&role->steps[s], program, v, shares);
        }
}

static wide distance(wide left, wide right) {
    return left > right ? left - right : right - left;
}

status_code series_balance_find(const struct series *series, const struct series_role *role,
                                struct series_balance *balance, struct status *status) {
    const uint32_t program = largest_program(role);
    const uint32_t ranks = series->programs[program].program->rank_count;
    struct share *shares = memory_new(ranks, sizeof *shares);
    *balance = (struct series_balance){0};
    RETURN_ERROR_IF(shares == NULL, status, STATUS_MEMORY, "out of memory for a report");
    add_steps(role, program, shares);
    wide sum = 0;
    uint32_t count = 0, worst = 0;
    for (uint32_t r = 0; r < ranks; r++) {
        sum += shares[r].sum;
        count += shares[r].is_member;
    }
    const wide mean = count > 0 ? sum / count : 0;
    for (uint32_t r = 0; r < ranks; r++)
        if (shares[r].is_member &&
            (!shares[worst].is_member ||
             distance(shares[r].sum, mean) > distance(shares[worst].sum, mean)))
            worst = r;
    if (mean > 0 && sum * SMALL >= series->laws.fit_weight &&
        distance(shares[worst].sum, mean) * DIFFERENCE > mean)
        *balance = (struct series_balance){worst, ranks, shares[worst].sum, mean};
    free(shares);
    return STATUS_OK;
}
