/*
 * The measurement of synthetic traffic: what each output of a rail group sends between two times.
 */
#ifndef ANAX_NETWORK_LINK_MEASUREMENT_H
#define ANAX_NETWORK_LINK_MEASUREMENT_H

#include "network/engine/state/state.h"

/* Reads the counts of an output at `place` in rail_group->counts.measured into link->measured and,
 * for channels from endpoints, link->injected. Returns the place of the next output's counts. The
 * counts of output 0 are at the beginning. */
const uint8_t *link_measurement_read(const struct rail_group *rail_group, uint32_t output,
                                     const uint8_t *place, struct network_link *link);

#endif
