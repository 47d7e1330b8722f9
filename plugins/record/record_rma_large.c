/* record_rma.c with the large counts of MPI 4. */
#include <mpi.h>

#if MPI_VERSION >= 4
#define RECORD_LARGE
#include "record_rma.c"
#else
typedef int record_rma_has_no_large_counts; /* a file must hold something */
#endif
