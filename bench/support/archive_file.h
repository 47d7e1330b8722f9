/*
 * An OTF2 archive that a program of bench/ writes: opening and closing it, and the definitions that
 * do not depend on what it holds.
 *
 * Must not know which events there are. Invariant: a function returns only if libotf2 could do what
 * was asked; else the program ends with a message and exit code 2.
 */
#ifndef ANAX_BENCH_ARCHIVE_FILE_H
#define ANAX_BENCH_ARCHIVE_FILE_H

#include <otf2/otf2.h>
#include <stdint.h>

/* Ends the program with a message that begins with its name. */
_Noreturn void archive_fail(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Ends the program with a message if a call of libotf2 failed. */
void archive_check(OTF2_ErrorCode code);

/* Makes FOLDER with traces.otf2, open for events and definitions. */
OTF2_Archive *archive_create(const char *folder, const char *creator);
/* Returns the writer of a rank's events; a rank is the location of the same number. */
OTF2_EvtWriter *archive_events(OTF2_Archive *archive, uint32_t rank);
/* Returns the writer of definitions. */
OTF2_GlobalDefWriter *archive_definitions(OTF2_Archive *archive);

/* Defines one process with one thread for each rank. counts[rank]: the number of its events. */
void archive_define_ranks(OTF2_GlobalDefWriter *definitions, OTF2_StringRef empty, uint32_t ranks,
                          const uint64_t *counts);
/* Defines the group of all locations and, with the same ranks, the communicator 0. */
void archive_define_world(OTF2_GlobalDefWriter *definitions, uint32_t ranks,
                          OTF2_GroupRef locations, OTF2_GroupRef world, OTF2_StringRef name);
/* Defines a function, which is one of MPI if its name begins with MPI_, and its name as a string.
 */
void archive_define_function(OTF2_GlobalDefWriter *definitions, OTF2_RegionRef region,
                             OTF2_StringRef string, const char *name, OTF2_StringRef empty);
/* Closes the writers of all ranks and the archive. */
void archive_close(OTF2_Archive *archive, uint32_t ranks);

#endif
