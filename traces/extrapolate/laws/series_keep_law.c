/* Notes in the series which grids a law uses, and which alternatives it has. */
#include "core/memory/memory.h"
#include "traces/extrapolate/laws/law_features.h"
#include "traces/extrapolate/laws/partners/law_peers.h"
#include "traces/extrapolate/laws/series_law.h"
#include "traces/extrapolate/laws/series_laws.h"

#include <string.h>

void series_law_mark_grid(struct series *series, const struct series_law *law) {
    if (law->kind == SERIES_LAW_PEER)
        law_peer_mark(series, law);
    else if (law->kind == SERIES_LAW_FACE)
        series->grids.used[law->grid] = true;
    else if (law->kind == SERIES_LAW_LINEAR && law_feature_needs_grid(law->feature.row))
        series->grids.used[law->feature.grid] = true;
}

status_code series_alternative_keep(struct series *series,
                                    const struct series_alternative *alternatives, uint32_t count,
                                    struct series_law *law, struct status *status) {
    if (count == 0) return STATUS_OK;
    FORWARD_IF_ERROR(
        memory_grow((void **)&series->laws.alternatives, &series->laws.alternative_capacity,
                    series->laws.alternative_count + count, sizeof *alternatives, status));
    memcpy(series->laws.alternatives + series->laws.alternative_count, alternatives,
           count * sizeof *alternatives);
    law->alternative = (uint32_t)series->laws.alternative_count + 1;
    law->alternative_count = count;
    series->laws.alternative_count += count;
    return STATUS_OK;
}
