/*
 * Circulant arrangement: the destinations of group i are i+1, i-1, i+2, i-2, … modulo g. If the
 * number of groups is even, the last destination is i + g/2, which both groups see in the same
 * slot. Source: Camarero, Vallejo, Beivide, "Topological characterization of Hamming and dragonfly
 * networks", ACM TACO 2014; Belka et al. 2017, section 2, which defines it for even h.
 */
#include "network/arrangement/arrangement.h"

static struct arrangement_link circulant_round(uint32_t groups, uint32_t group,
                                               uint32_t destination) {
    uint32_t distance = destination / 2 + 1;
    uint32_t target = destination % 2 == 0 ? group + distance : group + groups - distance;
    uint32_t back = 2 * distance == groups ? destination : destination ^ 1;
    return (struct arrangement_link){target % groups, back};
}

status_code arrangement_circulant(const struct arrangement_input *input, uint32_t *other,
                                  struct status *status) {
    (void)status;
    arrangement_wire_rounds(&input->shape, circulant_round, other);
    return STATUS_OK;
}
