/* Small OTF2 archives made by a test, event by event, in Score-P's conventions. */
#ifndef ANAX_TESTS_ARCHIVE_MAKER_H
#define ANAX_TESTS_ARCHIVE_MAKER_H

#include <otf2/otf2.h>

#include <stdbool.h>
#include <stdint.h>

struct archive_maker;

enum { MAKER_WORLD = 1, MAKER_SELF = 2 }; /* ids of communicators; 0 is none of MPI's */

/* A new temporary folder. has_mpi: define MPI's groups and communicators. */
struct archive_maker *maker_new(uint32_t ranks, uint32_t threads_per_rank,
                                uint64_t ticks_per_second, uint64_t offset_ticks, bool has_mpi);

/* Where a location's events go; its number of records is counted by the library. */
OTF2_EvtWriter *maker_events(struct archive_maker *maker, uint32_t rank, uint32_t thread);

void maker_enter(struct archive_maker *maker, OTF2_EvtWriter *events, uint64_t ticks,
                 const char *region);
void maker_leave(struct archive_maker *maker, OTF2_EvtWriter *events, uint64_t ticks,
                 const char *region);
void maker_call(struct archive_maker *maker, OTF2_EvtWriter *events, uint64_t from_ticks,
                uint64_t to_ticks, const char *region);

/* So many windows, with ids from 0, of all ranks. */
void maker_windows(struct archive_maker *maker, uint32_t count);

/* The definitions will announce no events, whatever there are. */
void maker_announce_none(struct archive_maker *maker);

/* All ranks are threads of one process (location group 0), as dumpi2otf2 writes them. */
void maker_one_process(struct archive_maker *maker);

/* How long the clock properties say that the trace is; 0, unless it is said: not stated. */
void maker_length(struct archive_maker *maker, uint64_t ticks);

/* A measured offset of the clock of a rank's first location. */
void maker_clock_offset(struct archive_maker *maker, uint32_t rank, uint64_t ticks,
                        int64_t offset_ticks);

/* What the archive says wrote it. */
void maker_creator(struct archive_maker *maker, const char *creator);

/* Writes MPI's groups and communicators, instead of the usual ones; strings of its own may have ids
 * from MAKER_STRING on. */
typedef void (*maker_definer)(OTF2_GlobalDefWriter *definitions, uint32_t ranks);
enum { MAKER_STRING = 1000 };
void maker_define(struct archive_maker *maker, maker_definer define);

/* Writes the definitions and closes the archive, the first time; returns the anchor's path, valid
 * until freed. */
const char *maker_finish(struct archive_maker *maker);

/* Removes the folder. */
void maker_free(struct archive_maker *maker);

#endif
