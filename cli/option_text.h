/* Writes an option as users write it, for example "-m, --machine NAME". Help and manual pages use
 * it. */
#ifndef ANAX_CLI_OPTION_TEXT_H
#define ANAX_CLI_OPTION_TEXT_H

#include "cli/command.h"

/* Writes an option as help shows it: "-m, --machine NAME". */
void option_write_text(const struct option_row *row, char *text, size_t size);

#endif
