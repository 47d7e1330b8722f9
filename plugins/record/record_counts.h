/* The type of counts, and the names of functions, of a file that is built twice: with int, and with
 * MPI_Count for the functions of MPI 4 whose names end with _c. */
#ifndef ANAX_PLUGINS_RECORD_COUNTS_H
#define ANAX_PLUGINS_RECORD_COUNTS_H

#include "recorder.h"

#ifdef RECORD_LARGE
#define COUNT        MPI_Count
#define DISPLACEMENT MPI_Aint
#define C(name)      MPI_##name##_c
#define REAL_C(name) REAL(name##_c)
#define ALSO(name)   ALSO_PMPI(name##_c)
#else
#define COUNT        int
#define DISPLACEMENT int
#define C(name)      MPI_##name
#define REAL_C(name) REAL(name)
#define ALSO(name)   ALSO_PMPI(name)
#endif

/* The names of functions that make persistent collectives: MPI 4 has them, and Open MPI 4 as an
 * extension. A library with neither has no PERSISTENT_COLLECTIVES. */
#ifdef RECORD_HAS_MPI_4
#define PERSISTENT_COLLECTIVES
#define INIT(name)      C(name##_init)
#define REAL_INIT(name) REAL_C(name##_init)
#define ALSO_INIT(name) ALSO(name##_init)
#elif defined OPEN_MPI && __has_include(<mpi-ext.h>)
#include <mpi-ext.h>
#ifdef OMPI_HAVE_MPI_EXT_PCOLLREQ
#define PERSISTENT_COLLECTIVES
#define INIT(name)      MPIX_##name##_init
#define REAL_INIT(name) REAL_OF(MPIX_, name##_init)
#define ALSO_INIT(name) ALSO_P(MPIX_, name##_init)
#endif
#endif

#endif
