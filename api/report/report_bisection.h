/* The object behind anax_bisection, and the writers of its texts. */
#ifndef ANAX_API_REPORT_BISECTION_H
#define ANAX_API_REPORT_BISECTION_H

#include "api/api.h"
#include "network/analysis/bisection/bisection.h"
#include "network/network_choices.h"

struct anax_bisection {
    anax_config *config; /* a copy */
    uint32_t routers;
    uint64_t local_links, global_links;
    struct bisection_result result;
    double wall_s;
};

/* Returns the name of the arrangement of the global links. */
static inline const char *bisection_arrangement(const anax_bisection *bisection) {
    return network_arrangement_names()[bisection->config->network.arrangement];
}

/* Returns several bisections as text, which the caller frees; NULL: out of memory. */
char *report_bisection_text(const anax_bisection *const *list, size_t count);

/* Returns several bisections as JSON, which the caller frees; NULL: out of memory. */
char *report_bisection_json(const anax_bisection *const *list, size_t count);

/* Returns several bisections as a picture, which the caller frees; NULL: out of memory. */
char *report_bisection_svg(const anax_bisection *const *list, size_t count);

#endif
