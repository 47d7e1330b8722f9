/*
 * The report of packets that are stuck, and of NICs that wait.
 */
#ifndef ANAX_NETWORK_STUCK_REPORT_H
#define ANAX_NETWORK_STUCK_REPORT_H

#include "network/engine/state/state.h"

/* Sets *status to the report. what: the reason; packets: packets under way in all processes.
 * Returns STATUS_RUN, or the failure of another process. */
status_code stuck_report_write(const struct network *network, const char *what, uint64_t packets,
                               struct status *status);

#endif
