/* The names of the routing and misrouting policies of a result. */
#include "api/report/report.h"
#include "api/report/text_buffer.h"
#include "network/network_choices.h"

const char *report_misrouting(const anax_result *result, int32_t routing) {
    struct network_config config = result->config->network;
    config.routing = routing;
    return network_misrouting_in_force(&config);
}

char *report_policies(const anax_result *result, bool misrouting) {
    struct text_buffer text = TEXT_BUFFER_INIT;
    const size_t count = result->routing_count > 0 ? result->routing_count : 1;
    for (size_t i = 0; i < count; i++) {
        int32_t routing =
            result->routing_count > 0 ? result->routings[i] : result->config->network.routing;
        text_add(&text, "%s%s", i > 0 ? "," : "",
                 misrouting ? report_misrouting(result, routing)
                            : network_routing_names()[routing]);
    }
    return text_take(&text);
}
