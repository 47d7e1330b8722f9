/* HAS_MPI_4: the MPI library has the functions of MPI 4, apart from those with large counts
 * (MPI_VERSION). Open MPI 5 has them, and says that it is MPI 3.1. */
#ifndef ANAX_TESTS_MPI_4_H
#define ANAX_TESTS_MPI_4_H

#include <mpi.h>

#if MPI_VERSION >= 4 || (defined OPEN_MPI && OMPI_MAJOR_VERSION >= 5)
#define HAS_MPI_4
#endif

#endif
