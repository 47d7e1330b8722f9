/* The candidates of a search before anything is replayed: their sizes, costs and limits. */
#include "api/search/search_state.h"

#include "api/compare/machine_numbers.h"
#include "core/memory/memory.h"
#include "core/settings/units.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const search_figure_names[SEARCH_FIGURES] = {"nodes", "radix", "cost"};

enum { MILLION = 1000000 };

/* Parses a number, of dollars for the cost, in the unit of the figure. */
static bool parse_number(int64_t *value, const char *text, size_t length, search_figure figure) {
    char copy[64], *end = NULL;
    if (length == 0 || length >= sizeof copy) return false;
    snprintf(copy, sizeof copy, "%.*s", (int)length, text);
    if (strspn(copy, "0123456789.eE+") != length) return false;
    const double number = strtod(copy, &end);
    const double max = figure == SEARCH_COST ? 9e12 : 1e12;
    if (*end != '\0' || !(number >= 0) || number > max) return false;
    *value = figure == SEARCH_COST ? (int64_t)llround(number * MILLION) : (int64_t)llround(number);
    return figure == SEARCH_COST || (double)*value == number;
}

static status_code parse_limit(struct search_limit limits[SEARCH_FIGURES], const char *text,
                               struct status *status) {
    const size_t length = strcspn(text, "=");
    search_figure figure = SEARCH_NODES;
    while (figure < SEARCH_FIGURES && (strlen(search_figure_names[figure]) != length ||
                                       memcmp(search_figure_names[figure], text, length) != 0))
        figure++;
    RETURN_ERROR_IF(figure == SEARCH_FIGURES || text[length] != '=', status, STATUS_USAGE,
                    "limit `%s`: write nodes=MOST, radix=MOST or cost=MOST, or LEAST:MOST", text);
    struct search_limit *limit = &limits[figure];
    RETURN_ERROR_IF(limit->is_given, status, STATUS_USAGE,
                    "limit `%s`: %s is limited twice; give one limit LEAST:MOST", text,
                    search_figure_names[figure]);
    const char *value = text + length + 1, *colon = strchr(value, ':');
    *limit = (struct search_limit){true, 0, INT64_MAX};
    bool good = true;
    if (colon != NULL && colon > value)
        good = parse_number(&limit->min, value, (size_t)(colon - value), figure);
    const char *max = colon != NULL ? colon + 1 : value;
    if (*max != '\0' || colon == NULL)
        good = good && parse_number(&limit->max, max, strlen(max), figure);
    RETURN_ERROR_IF(!good || limit->min > limit->max, status, STATUS_USAGE,
                    "limit `%s`: the limits of %s are %s, the least one first", text,
                    search_figure_names[figure],
                    figure == SEARCH_COST ? "dollars such as 250000 or 1e6" : "whole numbers");
    return STATUS_OK;
}

status_code search_limits_parse(struct search_limit limits[SEARCH_FIGURES],
                                const char *const *texts, size_t count, struct status *status) {
    for (size_t i = 0; i < count; i++)
        FORWARD_IF_ERROR(parse_limit(limits, texts[i], status));
    return STATUS_OK;
}

/* Finds the figures of a machine. */
static status_code measure_machine(int64_t figures[SEARCH_FIGURES], const anax_config *config,
                                   struct status *status) {
    struct machine_numbers machine;
    FORWARD_IF_ERROR(machine_numbers_find(&machine, config, status));
    figures[SEARCH_NODES] = machine.nodes;
    figures[SEARCH_RADIX] = machine.radix;
    figures[SEARCH_COST] = machine.price;
    return STATUS_OK;
}

/* Returns a text on the limit that the figures do not keep; NULL: they keep all. The caller frees
 * it. */
static char *beyond(const anax_search *search, const int64_t figures[SEARCH_FIGURES]) {
    char text[96];
    for (search_figure i = 0; i < SEARCH_FIGURES; i++) {
        const struct search_limit *limit = &search->limits[i];
        if (!limit->is_given || (figures[i] >= limit->min && figures[i] <= limit->max)) continue;
        const bool is_less = figures[i] < limit->min;
        const int64_t bound = is_less ? limit->min : limit->max;
        const char *what = is_less ? "less than" : "more than";
        if (i == SEARCH_COST)
            snprintf(text, sizeof text, "a cost of $%.0f, %s $%.0f", (double)figures[i] / MILLION,
                     what, (double)bound / MILLION);
        else
            snprintf(text, sizeof text, "%s %" PRId64 ", %s %" PRId64, search_figure_names[i],
                     figures[i], what, bound);
        return strdup(text);
    }
    return NULL;
}

/* Returns the number of ranks that fit a machine. */
static int64_t room(const anax_config *config) {
    return network_config_nodes(&config->network) * config->placement.ranks_per_node;
}

static status_code measure_candidate(anax_search *search, size_t index, struct status *status) {
    struct search_candidate *candidate = &search->candidates[index];
    const uint32_t ranks = search->trace->program->rank_count;
    struct status own = STATUS_INIT;
    anax_config *config = NULL;
    char text[96];
    status_code code = comparison_new_config(&config, search->on_whole, index, 0, &own);
    if (code == STATUS_OK) code = measure_machine(candidate->figures, config, &own);
    if (code == STATUS_MEMORY) {
        anax_config_free(config);
        return status_take(status, code, own.text);
    }
    if (code != STATUS_OK) {
        candidate->reason = strndup(own.text, strcspn(own.text, "\n"));
    } else if (room(config) < ranks) {
        snprintf(text, sizeof text, "%" PRIu32 " ranks, and room for %" PRId64, ranks,
                 room(config));
        candidate->reason = strdup(text);
    } else {
        candidate->reason = beyond(search, candidate->figures);
    }
    search->left_out += candidate->reason != NULL;
    candidate->stage = candidate->reason == NULL;
    status_clear(&own);
    anax_config_free(config);
    return STATUS_OK;
}

status_code search_prepare_candidates(anax_search *search, struct status *status) {
    search->candidate_count = search->on_whole->set.candidate_count;
    search->candidates = memory_new(search->candidate_count, sizeof *search->candidates);
    RETURN_ERROR_IF(search->candidates == NULL, status, STATUS_MEMORY,
                    "out of memory for %zu candidates", search->candidate_count);
    for (size_t i = 0; i < search->candidate_count; i++)
        FORWARD_IF_ERROR(measure_candidate(search, i, status));
    RETURN_ERROR_IF(
        search->left_out == search->candidate_count, status, STATUS_USAGE,
        "all %zu candidates are impossible or beyond the limits; vary other values, or widen the "
        "limits; the first: %s",
        search->candidate_count, search->candidates[0].reason);
    return STATUS_OK;
}
