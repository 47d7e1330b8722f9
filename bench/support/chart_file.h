/* Writes a chart of the library as a file. */
#ifndef ANAX_BENCH_CHART_FILE_H
#define ANAX_BENCH_CHART_FILE_H

#include "api/chart/chart.h"

/* Returns false after a message. */
bool chart_file_write(const struct chart *chart, const char *path);

#endif
