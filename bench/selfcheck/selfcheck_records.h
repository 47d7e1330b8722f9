/*
 * Reading the records of bench/selfcheck.sh: text files of lines of words, with faults that name
 * file and line. A fault ends the program with exit code 2.
 */
#ifndef ANAX_BENCH_SELFCHECK_RECORDS_H
#define ANAX_BENCH_SELFCHECK_RECORDS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct record {
    FILE *file;
    char path[4096];
    unsigned line_number;
    char *line;
    size_t room;
    char *rest; /* what of the line was not read yet */
};

/* Ends the program with a message that names file and line. */
void record_fault(const struct record *record, const char *what) __attribute__((noreturn));

/* Opens FOLDER/record.RANK and reads its first line. *ranks: the number of ranks, which must be the
 * same in all records; 0 before the first. */
void record_open(struct record *record, const char *folder, uint32_t rank, uint32_t *ranks);
/* Closes a record. */
void record_close(struct record *record);
/* Goes to the next line. Returns false at the end of the file. */
bool record_next(struct record *record);
/* Returns the next word of the line. */
const char *record_word(struct record *record);
/* Returns the next word of the line as a number from min to max. */
int64_t record_number(struct record *record, int64_t min, int64_t max);
/* Returns whether the line has more words. */
bool record_has_more(const struct record *record);

#endif
