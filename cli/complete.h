/* Completion of command lines for shells. */
#ifndef ANAX_CLI_COMPLETE_H
#define ANAX_CLI_COMPLETE_H

#include "cli/command.h"

/* Prints the words that can stand in place of the last of the words after `anax`. Returns the exit
 * code. */
int complete(int count, char **words);

#endif
