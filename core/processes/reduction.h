/*
 * The reduction with which more than some 32 processes begin each exchange. It adds up over all
 * processes: the purpose of each (processes_purpose), the summary of the caller, and how many
 * blocks come to each process. So a process knows how many blocks it waits for, and whether another
 * one has gone a different way.
 *
 * Does not know what the blocks hold.
 */
#ifndef ANAX_CORE_REDUCTION_H
#define ANAX_CORE_REDUCTION_H

#include "core/processes/processes.h"

struct reduction;

/* Reads from ANAX_TEST_DIRECT_PROCESSES, which is for tests, how many processes at most send
 * messages to all others; 32 without it. STATUS_USAGE: it is no number from 0 to 1000000. */
status_code reduction_limit(unsigned *limit, struct status *status);

/* Makes the reduction of `count` processes, for reduction_free. NULL: out of memory. */
struct reduction *reduction_new(unsigned count);
/* Frees a reduction, which may be NULL. */
void reduction_free(struct reduction *reduction);

/* Begins a reduction, which exchange_some of the plug-in ends. has_block[count]: to which processes
 * this one, `number`, will send a block. */
void reduction_begin(struct reduction *reduction, const struct processes_plugin *plugin,
                     unsigned number, processes_purpose purpose,
                     const struct processes_summary *summary, const bool *has_block);

/* Returns the place where the number of blocks that come to a process is after the reduction. */
const uint32_t *reduction_expected(const struct reduction *reduction, unsigned number);

/* After the reduction: returns whether all processes have the same purpose, and then sets the sum
 * of the summary. */
bool reduction_take(const struct reduction *reduction, const struct processes_summary *summary);

#endif
