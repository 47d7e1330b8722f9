/* record_remote.c with the large counts of MPI 4. */
#include <mpi.h>

#if MPI_VERSION >= 4
#define RECORD_LARGE
#include "record_remote.c"
#else
typedef int record_remote_has_no_large_counts; /* a file must hold something */
#endif
