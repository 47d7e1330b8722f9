/*
 * Relative (palm tree) arrangement: destination d of group i is group i + d + 1 modulo g.
 * Source: Camarero, Vallejo, Beivide, "Topological characterization of Hamming and dragonfly
 * networks", ACM TACO 2014; Belka et al. 2017, section 2.
 */
#include "network/arrangement/arrangement.h"

static struct arrangement_link relative_round(uint32_t groups, uint32_t group,
                                              uint32_t destination) {
    uint32_t target = group + destination + 1;
    return (struct arrangement_link){target < groups ? target : target - groups,
                                     groups - 2 - destination};
}

status_code arrangement_relative(const struct arrangement_input *input, uint32_t *other,
                                 struct status *status) {
    (void)status;
    arrangement_wire_rounds(&input->shape, relative_round, other);
    return STATUS_OK;
}
