/* The object behind anax_bisection, and the writers of its texts. */
#ifndef ANAX_API_BISECTION_REPORT_H
#define ANAX_API_BISECTION_REPORT_H

#include "api/api.h"
#include "network/bisection/bisection.h"

struct anax_bisection {
    anax_config *config; /* a copy */
    uint32_t switches;
    uint64_t local_links, global_links;
    bisection_result result;
    double wall_s;
};

/* A fraction as "5/4", "2", or "inf" for denominator 0. */
enum { FRACTION_BYTES = 48 };
void bisection_fraction(uint64_t numerator, uint64_t denominator, char text[FRACTION_BYTES]);

/* The line that is lowest with the machine's own bandwidths, and what it carries in one direction.
 */
const bisection_cut *bisection_of_machine(const anax_bisection *bisection, int64_t *bytes_per_s);

/* "exact", "bounds" (stopped before the proof was complete) or "search" (no proof was tried). */
const char *bisection_method(const anax_bisection *bisection);

static inline const char *bisection_arrangement(const anax_bisection *bisection) {
    return network_arrangement_names()[bisection->config->network.arrangement];
}

/* NULL when out of memory. */
char *report_bisection_text(const anax_bisection *const *list, size_t count);
char *report_bisection_json(const anax_bisection *const *list, size_t count);
char *report_bisection_csv(const anax_bisection *const *list, size_t count);
char *report_bisection_svg(const anax_bisection *const *list, size_t count);

#endif
