/* An option as users write it: "-m, --machine NAME". For help, manual pages and completion. */
#ifndef ANAX_CLI_OPTION_TEXT_H
#define ANAX_CLI_OPTION_TEXT_H

#include "cli/command.h"

void option_text(const struct option_row *row, char *text, size_t size);

#endif
