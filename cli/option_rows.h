/*
 * Rows of options, and groups of rows, that several commands share: for the tables of
 * command_options.c alone.
 */
#ifndef ANAX_CLI_OPTION_ROWS_H
#define ANAX_CLI_OPTION_ROWS_H

#endif
