/* What the tables of topologies compared, conjectures and bisections are made from. */
#ifndef ANAX_API_TABLES_ANALYSIS_H
#define ANAX_API_TABLES_ANALYSIS_H

#include "api/table/tables.h"
#include "network/analysis/components_conjecture.h"
#include "network/analysis/rival_networks.h"

struct tables_rival {
    const struct rival_kind *kind;
    struct rival_network network;
};

struct tables_verdict {
    const struct components_conjecture *conjecture;
    uint32_t globals; /* h */
    struct components_verdict verdict;
};

/* Returns the least a of a conjecture for its h. */
static inline uint32_t tables_min_routers(const struct tables_verdict *row) {
    return row->conjecture->min_routers +
           (row->conjecture->has_more_routers_than_globals ? row->globals : 0);
}

enum { TABLES_FRACTION_BYTES = 48 };
/* Writes a fraction in lowest terms: "5/4", "2", or "inf" for denominator 0. */
void tables_fraction(uint64_t numerator, uint64_t denominator, char text[TABLES_FRACTION_BYTES]);

struct bisection_point;
/* Writes the alpha of a point; "inf" at the end of the curve. */
void tables_alpha(const struct bisection_point *point, char text[TABLES_FRACTION_BYTES]);
/* Writes a value at a point, in the unit of docs/bisection.md. At the end of the curve, where
 * alpha is infinite, it is a number of global links. */
void tables_alpha_value(const struct bisection_point *point, uint64_t value,
                        char text[TABLES_FRACTION_BYTES]);

/* Returns the machine's bisection bandwidth in one direction: the least bandwidth over all lines
 * with the machine's own link bandwidths. */
int64_t tables_bisection_bytes_per_s(const anax_bisection *bisection);

#endif
