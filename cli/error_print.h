/*
 * Messages on the standard error. Names and arguments in them may hold any bytes.
 *
 * Invariant: no control character but newlines and tabs reaches the terminal.
 */
#ifndef ANAX_CLI_ERROR_PRINT_H
#define ANAX_CLI_ERROR_PRINT_H

#include <stdarg.h>

/* Prints a text, with other control characters as \xNN. */
void error_print_text(const char *text);

/* Prints a text that is made as printf makes it, with other control characters as \xNN. */
void error_print(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Prints a text that is made as vprintf makes it, in the same way. */
void error_print_list(const char *format, va_list arguments) __attribute__((format(printf, 1, 0)));

#endif
