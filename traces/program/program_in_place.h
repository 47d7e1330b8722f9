/*
 * Which MPI_Allgatherv calls were made with MPI_IN_PLACE. Inside of the traces room, while sealing.
 */
#ifndef ANAX_TRACES_PROGRAM_IN_PLACE_H
#define ANAX_TRACES_PROGRAM_IN_PLACE_H

#include "traces/program/program_posted.h"

/* Makes the members of each MPI_Allgatherv agree, with sizes that fit together. Operations must
 * stand, their arguments be the program's. */
status_code program_in_place(program *program, const program_posted *posted, status *status);

#endif
