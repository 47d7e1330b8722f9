/*
 * A call of a collective as the trace records it, and the sizes that follow.
 * otf2_import.h lists the files of the importer.
 */
#ifndef ANAX_TRACES_OTF2_IMPORT_COLLECTIVE_H
#define ANAX_TRACES_OTF2_IMPORT_COLLECTIVE_H

#include "traces/otf2/otf2_reader.h"

struct import_collective_call {
    uint32_t kind; /* a program_collective_kind */
    uint32_t size; /* members of the communicator; intercommunicator: members of the other group */
    uint32_t me;   /* number in the communicator */
    bool is_root;
    bool is_intercommunicator;
    bool is_arguments; /* true if the sizes are arguments of the call */
    otf2_in_place in_place;
    uint64_t sent; /* bytes as recorded */
    uint64_t received;
};

/* Sets *send_bytes and *receive_bytes as program_collective_arguments defines them. Returns
 * OPERATION_FLAG_COLLECTIVE_IN_PLACE or 0. If the call alone does not tell, returns 0: sealing
 * decides from all calls. */
unsigned import_collective_sizes(const struct import_collective_call *call, uint64_t *send_bytes,
                                 uint64_t *receive_bytes);

#endif
