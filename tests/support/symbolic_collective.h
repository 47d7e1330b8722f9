/*
 * A collective followed with symbolic data and without a simulator. The running test fails unless
 * everyone ends with the right data, both sides of every message agree, and no message is left
 * over.
 *
 * Each byte is the set of members whose contribution it holds. Combining must never count one
 * twice. In alltoall, where data are personal, it is followed by what happens to single blocks.
 *
 * Must not know ranks, networks or time.
 */
#ifndef ANAX_TESTS_SYMBOLIC_COLLECTIVE_H
#define ANAX_TESTS_SYMBOLIC_COLLECTIVE_H

#include "replay/collectives/collective_families.h"

enum { SYMBOLIC_MEMBERS = 33 }; /* at most, of all groups */

struct symbolic_cost {
    uint32_t messages;
    uint64_t bytes;
};

bool symbolic_is_rooted(uint32_t kind);

/* size members, and for an intercommunicator remote_size others; blocks of block_bytes in the forms
 * whose blocks are alike. Returns what was sent. */
struct symbolic_cost symbolic_run(uint32_t kind, const struct collective_algorithm *algorithm,
                                  uint32_t size, uint32_t remote_size, uint32_t root,
                                  const struct collective_choice *choice, uint32_t block_bytes);

#endif
