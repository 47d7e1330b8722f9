/* Turns a plan of synthetic traffic into curves. */
#include "api/text/text_buffer.h"
#include "api/traffic/loads.h"
#include "api/traffic/sweep.h"
#include "core/memory/memory.h"
#include "core/settings/units.h"
#include "network/network_choices.h"

#include <stdlib.h>
#include <string.h>

#define DEFAULT_LOADS "0.1:0.9:0.2"

enum { POINTS_MAX = 4000, SEEDS_MAX = 1000, FULL_LOAD = 1000000, WIDTH_MIN = 100 };

struct policy_list {
    int32_t *routings;
    size_t count;
};

void sweep_free(struct traffic_sweep *sweep) {
    if (sweep == NULL) return;
    for (size_t i = 0; sweep->curves != NULL && i < sweep->curve_count; i++)
        anax_config_free(sweep->curves[i].config);
    for (size_t i = 0; sweep->points != NULL && i < sweep->points_wanted; i++)
        free(sweep->points[i].failure);
    candidate_set_clear(&sweep->candidates);
    free(sweep->factor_names);
    free(sweep->curves);
    free(sweep->loads);
    free(sweep->searches);
    free(sweep->points);
    free(sweep);
}

uint32_t sweep_search_steps(int64_t width_millionths) {
    uint32_t steps = 1;
    for (int64_t width = FULL_LOAD; width > width_millionths; width = (width + 1) / 2)
        steps++;
    return steps;
}

char *sweep_label(const struct traffic_sweep *sweep, size_t curve) {
    const struct sweep_curve *of = &sweep->curves[curve];
    struct text_buffer text = TEXT_BUFFER_INIT;
    char *label = NULL;
    if (sweep_has_candidates(sweep)) label = candidate_set_label(&sweep->candidates, of->candidate);
    text_add(&text, "%s%srouting %s", label != NULL ? label : "", label != NULL ? ", " : "",
             network_routing_names()[of->config->network.routing]);
    free(label);
    return text_take(&text);
}

/* Adds one policy of the list, which must not be in the list yet. */
static status_code add_policy(struct policy_list *list, const anax_config *config, const char *name,
                              struct status *status) {
    struct network_config network = config->network;
    struct setting_section section = {network_setting_rows, network_setting_count, &network};
    struct settings settings = {&section, 1};
    FORWARD_IF_ERROR(settings_set(&settings, "network.routing", name, status));
    for (size_t i = 0; i < list->count; i++)
        RETURN_ERROR_IF(list->routings[i] == network.routing, status, STATUS_USAGE,
                        "routing policy `%s` is given twice; remove one", name);
    list->routings[list->count++] = network.routing;
    return STATUS_OK;
}

/* Reads a list "a,b,c", which it cuts up in place. */
static status_code parse_policies(struct policy_list *list, const anax_config *config, char *names,
                                  struct status *status) {
    size_t max = 1;
    for (const char *comma = names; (comma = strchr(comma, ',')) != NULL; comma++)
        max++;
    list->routings = memory_new(max, sizeof *list->routings);
    RETURN_ERROR_IF(list->routings == NULL, status, STATUS_MEMORY,
                    "out of memory for %zu routing policies", max);
    for (char *name = names, *next; name != NULL; name = next) {
        next = strchr(name, ',');
        if (next != NULL) *next++ = '\0';
        FORWARD_IF_ERROR(add_policy(list, config, name, status));
    }
    return STATUS_OK;
}

static status_code take_policies(struct policy_list *list, const anax_traffic_plan *plan,
                                 struct status *status) {
    const anax_config *config = plan->machines[0];
    const char *names = plan->routings;
    char *copy = NULL;
    if (names == NULL) names = network_routing_names()[config->network.routing];
    FORWARD_IF_ERROR(memory_copy_text(&copy, names, status));
    status_code code = parse_policies(list, config, copy, status);
    free(copy);
    return code;
}

static status_code take_candidates(struct traffic_sweep *sweep, const anax_traffic_plan *plan,
                                   struct status *status) {
    struct candidate_set *candidates = &sweep->candidates;
    FORWARD_IF_ERROR(candidate_set_init(candidates, ANAX_SCOPE_TRAFFIC, plan->machines,
                                        plan->machine_count, plan->factors, plan->factor_count,
                                        status));
    sweep->factor_names = memory_new(candidates->factor_count, sizeof *sweep->factor_names);
    RETURN_ERROR_IF(sweep->factor_names == NULL, status, STATUS_MEMORY,
                    "out of memory for traffic");
    for (size_t i = 0; i < candidates->factor_count; i++)
        sweep->factor_names[i] = candidates->factors[i].setting;
    return STATUS_OK;
}

/* Makes the configuration of a curve, and checks it before anything runs. */
static status_code make_config(struct traffic_sweep *sweep, struct sweep_curve *curve,
                               const int32_t *routing, struct status *status) {
    status_code code = candidate_set_config(&curve->config, &sweep->candidates, curve->candidate,
                                            sweep->first_seed, status);
    if (code == STATUS_OK && routing != NULL) curve->config->network.routing = *routing;
    if (code == STATUS_OK) code = network_config_check(&curve->config->network, status);
    if (code == STATUS_OK)
        code = api_check_class(curve->config, "traffic.class", curve->config->traffic.traffic_class,
                               status);
    if (code == STATUS_OK)
        code = traffic_pattern_check(curve->config->traffic.pattern, "traffic.pattern", status);
    if (code == STATUS_OK || !sweep_has_candidates(sweep)) return code;
    char *label = candidate_set_label(&sweep->candidates, curve->candidate);
    status_prefix(status, "%s", label != NULL ? label : "");
    free(label);
    return code;
}

static status_code make_curves(struct traffic_sweep *sweep, const struct policy_list *list,
                               bool is_given, struct status *status) {
    const size_t count = sweep->candidates.candidate_count * list->count;
    sweep->curves = memory_new(count, sizeof *sweep->curves);
    RETURN_ERROR_IF(sweep->curves == NULL, status, STATUS_MEMORY, "out of memory for %zu curves",
                    count);
    for (size_t i = 0; i < count; i++) {
        struct sweep_curve *curve = &sweep->curves[sweep->curve_count++];
        curve->candidate = i / list->count;
        FORWARD_IF_ERROR(
            make_config(sweep, curve, is_given ? &list->routings[i % list->count] : NULL, status));
    }
    return STATUS_OK;
}

static status_code take_width(struct traffic_sweep *sweep, const anax_traffic_plan *plan,
                              struct status *status) {
    RETURN_ERROR_IF(
        plan->loads != NULL, status, STATUS_USAGE,
        "plan.loads and plan.saturation_width exclude each other; a search for the saturation load "
        "chooses its loads itself, so remove plan.loads");
    status_code code = units_parse_ratio(plan->saturation_width, &sweep->width_millionths, status);
    if (code != STATUS_OK) return status_prefix(status, "plan.saturation_width");
    RETURN_ERROR_IF(sweep->width_millionths < WIDTH_MIN || sweep->width_millionths > FULL_LOAD / 2,
                    status, STATUS_USAGE,
                    "plan.saturation_width is %s; the width of the search is from 0.0001 to 0.5",
                    plan->saturation_width);
    sweep->searches = memory_new(sweep->curve_count * sweep->seed_count, sizeof *sweep->searches);
    RETURN_ERROR_IF(sweep->searches == NULL, status, STATUS_MEMORY, "out of memory for traffic");
    return STATUS_OK;
}

static status_code make_points(struct traffic_sweep *sweep, struct status *status) {
    const size_t loads =
        sweep->searches != NULL ? sweep_search_steps(sweep->width_millionths) : sweep->load_count;
    const size_t count = sweep->curve_count * loads * sweep->seed_count;
    RETURN_ERROR_IF(count > POINTS_MAX, status, STATUS_USAGE,
                    "%zu loads of %zu curves with %u seeds are %zu points, and at most %d in one "
                    "run; use a larger step, or vary less at once",
                    loads, sweep->curve_count, sweep->seed_count, count, POINTS_MAX);
    sweep->points = memory_new(count, sizeof *sweep->points);
    RETURN_ERROR_IF(sweep->points == NULL, status, STATUS_MEMORY, "out of memory for %zu points",
                    count);
    sweep->points_wanted = count;
    for (size_t i = 0; i < count; i++) {
        struct sweep_point *point = &sweep->points[i];
        point->curve = i / sweep->seed_count / loads;
        point->seed = (uint32_t)(i % sweep->seed_count);
        point->seconds = -1;
        if (sweep->loads != NULL)
            point->figures.offered_millionths = sweep->loads[i / sweep->seed_count % loads];
    }
    return STATUS_OK;
}

static status_code plan_sweep(struct traffic_sweep *sweep, const anax_traffic_plan *plan,
                              struct policy_list *list, struct status *status) {
    RETURN_ERROR_IF(plan->machine_count == 0, status, STATUS_USAGE, "traffic needs a machine");
    RETURN_ERROR_IF(plan->seeds < 1 || plan->seeds > SEEDS_MAX, status, STATUS_USAGE,
                    "traffic has 1 to %d seeds, not %llu", SEEDS_MAX,
                    (unsigned long long)plan->seeds);
    sweep->seed_count = (uint32_t)plan->seeds;
    sweep->first_seed = plan->machines[0]->run.seed;
    RETURN_ERROR_IF(sweep->first_seed > INT64_MAX - SEEDS_MAX, status, STATUS_USAGE,
                    "seed %lld has too few numbers after it", (long long)sweep->first_seed);
    FORWARD_IF_ERROR(take_policies(list, plan, status));
    FORWARD_IF_ERROR(take_candidates(sweep, plan, status));
    FORWARD_IF_ERROR(make_curves(sweep, list, plan->routings != NULL, status));
    if (plan->saturation_width != NULL)
        FORWARD_IF_ERROR(take_width(sweep, plan, status));
    else
        FORWARD_IF_ERROR(loads_parse(plan->loads != NULL ? plan->loads : DEFAULT_LOADS,
                                     &sweep->loads, &sweep->load_count, status));
    return make_points(sweep, status);
}

status_code sweep_new(struct traffic_sweep **sweep, const anax_traffic_plan *plan, int32_t **list,
                      size_t *list_count, struct status *status) {
    struct policy_list policies = {0};
    *sweep = memory_new(1, sizeof **sweep);
    *list = NULL;
    *list_count = 0;
    RETURN_ERROR_IF(*sweep == NULL, status, STATUS_MEMORY, "out of memory for traffic");
    status_code code = plan_sweep(*sweep, plan, &policies, status);
    if (code == STATUS_OK) {
        *list = policies.routings;
        *list_count = policies.count;
        return code;
    }
    free(policies.routings);
    sweep_free(*sweep);
    *sweep = NULL;
    return code;
}
