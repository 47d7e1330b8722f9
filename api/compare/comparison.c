/* Frees a comparison with its candidates and points. */
#include "api/compare/comparison.h"

#include <stdlib.h>

void anax_comparison_free(anax_comparison *comparison) {
    if (comparison == NULL) return;
    candidate_set_clear(&comparison->set);
    for (size_t i = 0; comparison->names != NULL && i < comparison->trace_count; i++)
        free(comparison->names[i]);
    for (size_t i = 0; comparison->paths != NULL && i < comparison->trace_count; i++)
        free(comparison->paths[i]);
    for (size_t i = 0; comparison->points != NULL && i < comparison->point_count; i++)
        free(comparison->points[i].failure);
    free(comparison->names);
    free(comparison->paths);
    free(comparison->points);
    free(comparison->wanted);
    free(comparison->candidates);
    free(comparison->winners);
    free(comparison->prices);
    free(comparison);
}
