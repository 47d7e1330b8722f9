/* Numbers of a topology that follow from its facts: sums and shares. */
#include "api/results/topology_numbers.h"

struct floor_cable_bill topology_numbers_cables(const anax_topology *machine) {
    struct floor_cable_bill sum = {0};
    for (int level = 0; level < NETWORK_CHANNEL_KINDS; level++) {
        const struct floor_cable_bill *bill = &machine->bill.level[level];
        sum.cables += bill->cables;
        sum.optical += bill->optical;
        sum.length_mm += bill->length_mm;
        sum.price += bill->price;
        if (bill->longest_mm > sum.longest_mm) sum.longest_mm = bill->longest_mm;
    }
    return sum;
}

uint64_t topology_numbers_of_rails(const anax_topology *machine, uint64_t count) {
    return count * (uint64_t)machine->config->network.rails;
}

uint64_t topology_numbers_nodes(const anax_topology *machine) {
    return (uint64_t)network_config_nodes(&machine->config->network);
}

int64_t topology_numbers_global_share(const anax_topology *machine) {
    const struct network_channel_config *level = machine->config->network.channels;
    __int128 global =
        (__int128)2 * machine->counts.global_links * level[NETWORK_GLOBAL].bandwidth_bytes_per_s;
    __int128 injected = (__int128)topology_numbers_of_rails(machine, machine->facts.endpoints) *
                        level[NETWORK_TERMINAL].bandwidth_bytes_per_s;
    return (int64_t)(global * 1000000 / injected);
}
