/*
 * Absolute (consecutive) arrangement: destination d of group i is group d, skipping i itself.
 * Source: Kim et al., "Technology-driven, highly-scalable dragonfly topology", ISCA 2008, Figure 5.
 */
#include "network/arrangement/arrangement.h"

struct arrangement_link arrangement_absolute_round(uint32_t groups, uint32_t group,
                                                   uint32_t destination) {
    (void)groups;
    uint32_t target = destination < group ? destination : destination + 1;
    return (struct arrangement_link){target, group < target ? group : group - 1};
}

status_code arrangement_absolute(const struct arrangement_input *input, uint32_t *other,
                                 struct status *status) {
    (void)status;
    arrangement_wire_rounds(&input->shape, arrangement_absolute_round, other);
    return STATUS_OK;
}
