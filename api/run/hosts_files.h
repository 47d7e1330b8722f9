/*
 * Reads files about hosts: factors on ranks and nodes, and recorded detours. Knows the rooms below;
 * must not know results.
 */
#ifndef ANAX_API_HOSTS_FILES_H
#define ANAX_API_HOSTS_FILES_H

#include "api/api.h"

/* Creates the hosts of a run from its configuration and the files that it names; hosts_free frees
 * them. placement: of all ranks. STATUS_INPUT: a file has faults; the text lists all of them with
 * their lines. */
status_code hosts_read(struct replay_hosts **hosts, const struct hosts_config *config,
                       const struct placement *placement, struct status *status);

#endif
