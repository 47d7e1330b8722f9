/* The type of counts, and the names of functions, of a file that is built twice: with int, and with
 * MPI_Count for the functions of MPI 4 whose names end with _c. */
#ifndef ANAX_PLUGINS_RECORD_COUNTS_H
#define ANAX_PLUGINS_RECORD_COUNTS_H

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

#endif
