/* Joins the names of the routing policies that a run uses, or of the misrouting policies that are
 * in force with them. */
#include "api/results/run_policies.h"
#include "api/text/text_buffer.h"
#include "network/network_choices.h"

static const char *misrouting_of(const struct api_run *run, int32_t routing) {
    struct network_config config = run->config->network;
    config.routing = routing;
    return network_misrouting_in_force(&config);
}

char *run_policies(const struct api_run *run, bool misrouting) {
    struct text_buffer text = TEXT_BUFFER_INIT;
    const size_t count = run->routing_count > 0 ? run->routing_count : 1;
    for (size_t i = 0; i < count; i++) {
        const int32_t routing =
            run->routing_count > 0 ? run->routings[i] : run->config->network.routing;
        text_add(&text, "%s%s", i > 0 ? "," : "",
                 misrouting ? misrouting_of(run, routing) : network_routing_names()[routing]);
    }
    return text_take(&text);
}
