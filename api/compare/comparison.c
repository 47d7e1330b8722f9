/* Frees comparisons. See comparison.h. */
#include "api/compare/comparison.h"

#include <stdlib.h>

static void free_factor(struct compare_factor *factor) {
    for (size_t i = 0; i < factor->count; i++)
        free(factor->values[i]);
    free(factor->values);
    free(factor->setting);
}

void anax_comparison_free(anax_comparison *comparison) {
    if (comparison == NULL) return;
    const size_t machines = comparison->factor_count > 0 ? comparison->factors[0].count : 0;
    for (size_t i = 0; comparison->machines != NULL && i < machines; i++)
        anax_config_free(comparison->machines[i]);
    for (size_t i = 0; i < comparison->factor_count; i++)
        free_factor(&comparison->factors[i]);
    for (size_t i = 0; comparison->names != NULL && i < comparison->trace_count; i++)
        free(comparison->names[i]);
    for (size_t i = 0; comparison->paths != NULL && i < comparison->trace_count; i++)
        free(comparison->paths[i]);
    for (size_t i = 0; comparison->points != NULL && i < comparison->point_count; i++)
        free(comparison->points[i].failure);
    free(comparison->machines);
    free(comparison->factors);
    free(comparison->names);
    free(comparison->paths);
    free(comparison->points);
    free(comparison->wanted);
    free(comparison->candidates);
    free(comparison->winners);
    free(comparison->prices);
    free(comparison);
}
