/*
 * Messages of the library in the command's words. The library names members of its structs,
 * functions and settings; the command has options for them.
 */
#ifndef ANAX_CLI_OPTION_ADVICE_H
#define ANAX_CLI_OPTION_ADVICE_H

struct option_row;

/* Sets the options of the command that runs, which messages may advise. */
void option_advice_begin(const struct option_row *rows);

/* Prints a message of the library and a newline on the standard error. Options stand in place of
 * the members and functions that it names. Behind it are the options that set the settings that it
 * names, except where it is about a file. */
void option_advice_print(const char *text);

#endif
