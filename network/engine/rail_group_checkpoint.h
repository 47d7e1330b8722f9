/*
 * The state of a rail group, saved and restored between two windows. What follows from the
 * configuration is made anew by rail_group_new and not saved.
 */
#ifndef ANAX_NETWORK_RAIL_GROUP_CHECKPOINT_H
#define ANAX_NETWORK_RAIL_GROUP_CHECKPOINT_H

#include "core/checkpoint/saved_state.h"
#include "network/engine/state/state.h"

/* Saves a rail group of this process that has received all its crossing events, or restores it into
 * a new one of an equal network. */
void rail_group_save_or_restore(struct saved_state *state, struct rail_group *rail_group);

#endif
