/* Splits lines of records into words, and ends the program at the first fault. */
#include "bench/selfcheck/selfcheck_records.h"
#include "bench/support/archive_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define RANKS_MAX 1048576

void record_fault(const struct record *record, const char *what) {
    archive_fail("%s:%u: %s", record->path, record->line_number, what);
}

bool record_next(struct record *record) {
    ssize_t length = getline(&record->line, &record->room, record->file);
    if (length < 0) return false;
    record->line_number++;
    if (record->line[length - 1] != '\n') record_fault(record, "the line is cut short");
    record->line[length - 1] = '\0';
    record->rest = record->line;
    return true;
}

bool record_has_more(const struct record *record) {
    return record->rest != NULL && *record->rest != '\0';
}

const char *record_word(struct record *record) {
    if (!record_has_more(record)) record_fault(record, "a word is missing");
    return strsep(&record->rest, " ");
}

int64_t record_number(struct record *record, int64_t min, int64_t max) {
    const char *word = record_word(record);
    char *end;
    errno = 0;
    int64_t value = strtoll(word, &end, 10);
    if (end == word || *end != '\0' || errno != 0) record_fault(record, "no number");
    if (value < min || value > max) record_fault(record, "a number out of range");
    return value;
}

static void expect(struct record *record, const char *word) {
    if (strcmp(record_word(record), word) != 0)
        record_fault(record, "this is no record of selfcheck_recorder");
}

void record_open(struct record *record, const char *folder, uint32_t rank, uint32_t *ranks) {
    *record = (struct record){0};
    snprintf(record->path, sizeof record->path, "%s/record.%u", folder, rank);
    record->file = fopen(record->path, "r");
    if (record->file == NULL) archive_fail("%s: %s", record->path, strerror(errno));
    if (!record_next(record)) record_fault(record, "the file is empty");
    expect(record, "selfcheck-record");
    expect(record, "1");
    expect(record, "rank");
    if (record_number(record, 0, RANKS_MAX) != rank)
        record_fault(record, "this is the record of another rank");
    expect(record, "of");
    uint32_t count = (uint32_t)record_number(record, 1, RANKS_MAX);
    if (*ranks != 0 && *ranks != count)
        record_fault(record, "this is the record of another run: it has another number of ranks");
    *ranks = count;
}

void record_close(struct record *record) {
    fclose(record->file);
    free(record->line);
}
