/*
 * What MPI calls mean to the importer of OTF2 archives. otf2_import.h lists the files of the
 * importer.
 */
#ifndef ANAX_TRACES_OTF2_IMPORT_REGIONS_H
#define ANAX_TRACES_OTF2_IMPORT_REGIONS_H

#include <stdbool.h>
#include <stdint.h>

typedef enum import_class {
    IMPORT_USER,      /* not an MPI call */
    IMPORT_PLAIN,     /* its records, if any, say everything */
    IMPORT_ISEND,     /* posts sends */
    IMPORT_START,     /* posts persistent sends and receives */
    IMPORT_SEND_INIT, /* makes a persistent send */
    IMPORT_RECEIVE_INIT,
    IMPORT_IRECV,           /* posts a receive */
    IMPORT_RECEIVE,         /* receives before it returns */
    IMPORT_MATCHED_PROBE,   /* finds a message for a later IMPORT_MATCHED_RECEIVE */
    IMPORT_MATCHED_RECEIVE, /* receives a message that a matched probe found */
    IMPORT_WAIT,            /* completes requests */
    IMPORT_TEST,            /* completes requests or fails */
    IMPORT_FREE,            /* frees a request without completing it */
    IMPORT_PROBE,           /* finds a message or fails; the trace does not say which */
    IMPORT_RMA_SYNC,        /* completes one-sided operations */
    IMPORT_RMA_POST,        /* MPI_Win_post; the next three: MPI_Win_start, _complete, _wait */
    IMPORT_RMA_START,
    IMPORT_RMA_COMPLETE,
    IMPORT_RMA_WAIT,
    IMPORT_RMA_TEST,        /* MPI_Win_test: like MPI_Win_wait, or fails */
    IMPORT_COLLECTIVE,      /* a collective; without a record it is noted and costs nothing */
    IMPORT_COLLECTIVE_INIT, /* makes a persistent collective; noted if its starts leave no record */
    IMPORT_NOTED,           /* noted and costs nothing */
    IMPORT_INIT,
    IMPORT_FINALIZE
} import_class;

struct import_region {
    uint32_t region; /* index in the program's regions */
    uint8_t class;   /* an import_class */
    uint8_t send_flags;
    uint8_t starts;  /* 0; or IMPORT_STARTS_OTHER: starts a request without a record; or
                        IMPORT_STARTS_COLLECTIVE plus the program_collective_kind of the collective
                        that it starts without a record */
    bool waits_all;  /* true if the call waits for all its requests */
    const char *why; /* reason to note for calls without a record; NULL: they are not noted */
};

enum { IMPORT_STARTS_OTHER = 1, IMPORT_STARTS_COLLECTIVE = 2 };

enum { IMPORT_NAME_SIZE = 64 };

/* Writes the MPI call that a region name stands for, spelled as in the standard. Returns false if
 * the name is no MPI call. Tools also write MPI_Send(), PMPI_Send, MPI_SEND or mpi_send_. */
bool import_call_name(char call[IMPORT_NAME_SIZE], const char *name);

/* Returns what an MPI call means to the importer, by its name in the standard; .region is 0. */
struct import_region import_region_of(const char *name);

#endif
