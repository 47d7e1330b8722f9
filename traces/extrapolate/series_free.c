/* Frees a series, with everything that its extrapolation has found. */
#include "traces/extrapolate/grids/series_communicators.h"
#include "traces/extrapolate/laws/fits/series_fits.h"
#include "traces/extrapolate/laws/partners/law_peers.h"
#include "traces/extrapolate/laws/series_law.h"
#include "traces/extrapolate/laws/series_laws.h"
#include "traces/extrapolate/roles/series_roles.h"
#include "traces/extrapolate/series.h"
#include "traces/extrapolate/steps/series_steps.h"
#include "traces/extrapolate/symmetry/series_views.h"

#include <stdlib.h>

void series_free(struct series *series) {
    series_steps_forget(series);
    series_roles_forget(series);
    series_views_free(series);
    series_fits_forget(series);
    for (uint32_t k = 0; k < series->program_count; k++) {
        free(series->programs[k].families);
        free(series->programs[k].is_used);
        free(series->programs[k].is_idle);
    }
    free(series->programs);
    free(series->steps.words);
    free(series->steps.kinds);
    free(series->steps.symbols);
    free(series->steps.regions);
    free(series->steps.region_programs);
    for (size_t i = 0; i < series->families.count; i++)
        series_communicators_forget(&series->families.list[i]);
    free(series->families.list);
    free(series->roles.list);
    free(series->laws.fits);
    series_pooled_forget(series);
    law_known_free(series->laws.known);
    free(series->laws.pooled);
    free(series->laws.pools);
    free(series->laws.messages);
    free(series->laws.alternatives);
    key_table_free(&series->findings.index);
    free(series);
}
