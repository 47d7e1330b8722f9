/* A program that cannot go on above the eager threshold, for tests. */
#ifndef ANAX_TESTS_STALLING_PROGRAM_H
#define ANAX_TESTS_STALLING_PROGRAM_H

/* Writes the program file of two ranks that both send 1 MiB first: nobody receives. */
void write_stalling_program(const char *path);

#endif
