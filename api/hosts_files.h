/*
 * What files say of hosts: factors on ranks and nodes, recorded detours. Knows the rooms below;
 * must not know results.
 */
#ifndef ANAX_API_HOSTS_FILES_H
#define ANAX_API_HOSTS_FILES_H

#include "api/api.h"

/* The hosts of a run as its configuration has them, for hosts_free. placement: of all ranks.
 * STATUS_INPUT with all faults of a file, each with its line. */
status_code hosts_read(struct replay_hosts **hosts, const struct hosts_config *config,
                       const struct placement *placement, struct status *status);

#endif
