/*
 * The state of a domain, saved and restored between two windows. What follows from the
 * configuration is made anew by domain_new and not saved.
 */
#ifndef ANAX_NETWORK_SAVED_DOMAIN_H
#define ANAX_NETWORK_SAVED_DOMAIN_H

#include "core/checkpoint/saved_state.h"
#include "network/engine/state.h"

/* Saves a domain of this process that has received all its parcels, or restores it into a new one
 * of an equal network. */
void domain_saved(struct saved_state *state, struct network_domain *domain);

#endif
