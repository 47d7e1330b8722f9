/*
 * Runs the commands of figures.c several times each and prints the median and the spread of every
 * figure, with the command and with what kind of machine it was.
 *
 *   run_benches [--runs N] [--only TEXT] [--json] BUILD_FOLDER
 *
 * To be called in the project's folder. --only: benches whose name contains TEXT; those of large
 * runs only then.
 */
#define _GNU_SOURCE /* getloadavg */
#include "bench/speed/figures.h"
#include "bench/support/child.h"

#include <math.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#define RUNS_MAX 99

struct options {
    int runs;
    const char *only;
    bool json;
    const char *build;
};

/* The command with the build folder in place of @; to be freed. */
static char *spell(const char *command, const char *build) {
    size_t places = 0;
    for (const char *c = command; *c != '\0'; c++)
        places += *c == '@';
    char *text = malloc(strlen(command) + places * strlen(build) + 1);
    char *to = text;
    for (const char *c = command; text != NULL && *c != '\0'; c++)
        to = *c == '@' ? stpcpy(to, build) : (*to = *c, to + 1);
    if (text != NULL) *to = '\0';
    return text;
}

static bool run(const char *command, const char *build, struct child_measure *measure) {
    char *text = spell(command, build);
    bool good = text != NULL && child_run(text, measure);
    free(text);
    return good;
}

/* The number at a.b.c; not a number when there is none. */
static double number_at(struct json_object *json, const char *key) {
    char path[64];
    snprintf(path, sizeof path, "%s", key);
    char *rest = path;
    for (char *part; (part = strsep(&rest, ".")) != NULL;)
        if (!json_object_object_get_ex(json, part, &json)) return NAN;
    return json_object_get_double(json);
}

static double value_of(const struct figure *figure, const struct child_measure *whole,
                       const struct child_measure *base) {
    double cpu_s = whole->cpu_s - base->cpu_s;
    if (figure->kind == FIGURE_CPU_S) return cpu_s;
    if (figure->kind == FIGURE_PEAK_RSS) return whole->peak_rss_bytes;
    double number = number_at(whole->json, figure->key);
    switch (figure->kind) {
    case FIGURE_PER_CPU_S:
        return number / cpu_s;
    case FIGURE_PER_WALL_S:
        return number / (whole->wall_s - base->wall_s);
    case FIGURE_PER_NODE_RSS:
        return (whole->peak_rss_bytes - base->peak_rss_bytes) / number;
    default:
        return number;
    }
}

static int compare(const void *left, const void *right) {
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

/* 6.42 M, 812 k, 41.3 */
static const char *scaled(double value, char text[32]) {
    const char *unit = value >= 1e6 ? " M" : value >= 1e4 ? " k" : "";
    double shown = value >= 1e6 ? value / 1e6 : value >= 1e4 ? value / 1e3 : value;
    snprintf(text, 32, "%.*f%s",
             shown < 10     ? 3
             : shown < 100  ? 2
             : shown < 1000 ? 1
                            : 0,
             shown, unit);
    return text;
}

static void print_figure(const struct options *options, const struct figure *figure, double *values,
                         struct json_object *list) {
    size_t runs = (size_t)options->runs;
    qsort(values, runs, sizeof *values, compare);
    double median =
        runs % 2 == 1 ? values[runs / 2] : (values[runs / 2 - 1] + values[runs / 2]) / 2;
    char shown[3][32];
    if (!options->json)
        printf("    %-28s %12s   (%s … %s)\n", figure->unit, scaled(median, shown[0]),
               scaled(values[0], shown[1]), scaled(values[runs - 1], shown[2]));
    struct json_object *object = json_object_new_object();
    json_object_object_add(object, "unit", json_object_new_string(figure->unit));
    json_object_object_add(object, "median", json_object_new_double(median));
    json_object_object_add(object, "least", json_object_new_double(values[0]));
    json_object_object_add(object, "most", json_object_new_double(values[runs - 1]));
    json_object_array_add(list, object);
}

/* One row of the table: all its runs, then its figures. */
static bool run_bench(const struct options *options, const struct bench *bench,
                      struct json_object *list) {
    double values[FIGURES_MAX][RUNS_MAX];
    double least_busy = 0;
    for (int i = 0; i < options->runs; i++) {
        struct child_measure whole, base = {0};
        if (bench->base != NULL && !run(bench->base, options->build, &base)) return false;
        if (!run(bench->command, options->build, &whole)) return false;
        for (int k = 0; k < FIGURES_MAX && bench->figures[k].kind != FIGURE_NONE; k++) {
            values[k][i] = value_of(&bench->figures[k], &whole, &base);
            if (!isnan(values[k][i])) continue;
            fprintf(stderr, "bench: %s: the command printed no number named %s\n", bench->name,
                    bench->figures[k].key);
            return false;
        }
        double busy = whole.cpu_s / whole.wall_s;
        if (i == 0 || busy < least_busy) least_busy = busy;
        child_clear(&whole);
        child_clear(&base);
    }
    char *command = spell(bench->command, options->build);
    struct json_object *object = json_object_new_object();
    struct json_object *figures = json_object_new_array();
    json_object_object_add(object, "name", json_object_new_string(bench->name));
    json_object_object_add(object, "command", json_object_new_string(command));
    json_object_object_add(object, "least_cpus_busy", json_object_new_double(least_busy));
    json_object_object_add(object, "figures", figures);
    if (!options->json)
        printf("%s   [%.2f CPUs busy or more]\n  $ %s\n", bench->name, least_busy, command);
    for (int k = 0; k < FIGURES_MAX && bench->figures[k].kind != FIGURE_NONE; k++)
        print_figure(options, &bench->figures[k], values[k], figures);
    fflush(stdout);
    json_object_array_add(list, object);
    free(command);
    return true;
}

static struct json_object *machine_facts(void) {
    struct json_object *facts = json_object_new_object();
    char line[256], model[256] = "unknown", date[32] = "";
    FILE *file = fopen("/proc/cpuinfo", "r");
    while (file != NULL && fgets(line, sizeof line, file) != NULL)
        if (sscanf(line, "model name : %255[^\n]", model) == 1) break;
    if (file != NULL) fclose(file);
    cpu_set_t set;
    int processors = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 0;
    double load = -1;
    getloadavg(&load, 1);
    time_t now = time(NULL);
    strftime(date, sizeof date, "%Y-%m-%d", localtime(&now));
    json_object_object_add(facts, "date", json_object_new_string(date));
    json_object_object_add(facts, "processor", json_object_new_string(model));
    json_object_object_add(facts, "processors", json_object_new_int(processors));
    json_object_object_add(facts, "load_before", json_object_new_double(load));
    json_object_object_add(facts, "compiler", json_object_new_string(BENCH_COMPILER));
    json_object_object_add(facts, "build", json_object_new_string(BENCH_BUILD));
    return facts;
}

static bool prepare(const struct options *options) {
    char folder[4096];
    snprintf(folder, sizeof folder, "%s/bench/out", options->build);
    if (mkdir(folder, 0777) != 0) {
        fprintf(stderr, "bench: cannot make %s; if it is left from an earlier run, remove it\n",
                folder);
        return false;
    }
    for (size_t i = 0; bench_preparations[i] != NULL; i++) {
        struct child_measure measure;
        if (!run(bench_preparations[i], options->build, &measure)) return false;
        child_clear(&measure);
        char *command = spell(bench_preparations[i], options->build);
        if (!options->json) printf("  $ %s\n", command);
        free(command);
    }
    return true;
}

static bool is_wanted(const struct options *options, const struct bench *bench) {
    bool is_large = strncmp(bench->name, "large: ", 7) == 0;
    return strstr(bench->name, options->only) != NULL && (!is_large || *options->only != '\0');
}

static bool parse(int argument_count, char **arguments, struct options *options) {
    *options = (struct options){.runs = 5, .only = ""};
    for (int i = 1; i < argument_count; i++) {
        bool more = i + 1 < argument_count;
        if (strcmp(arguments[i], "--json") == 0) {
            options->json = true;
        } else if (strcmp(arguments[i], "--runs") == 0 && more) {
            options->runs = atoi(arguments[++i]);
        } else if (strcmp(arguments[i], "--only") == 0 && more) {
            options->only = arguments[++i];
        } else if (arguments[i][0] != '-' && options->build == NULL) {
            options->build = arguments[i];
        } else {
            return false;
        }
    }
    return options->build != NULL && options->runs >= 1 && options->runs <= RUNS_MAX;
}

int main(int argument_count, char **arguments) {
    struct options options;
    if (!parse(argument_count, arguments, &options)) {
        fprintf(stderr, "usage: run_benches [--runs 1…%d] [--only TEXT] [--json] BUILD_FOLDER\n",
                RUNS_MAX);
        return 2;
    }
    struct json_object *all = json_object_new_object();
    struct json_object *facts = machine_facts();
    struct json_object *list = json_object_new_array();
    json_object_object_add(all, "machine", facts);
    json_object_object_add(all, "runs", json_object_new_int(options.runs));
    json_object_object_add(all, "benches", list);
    if (!options.json) {
        json_object_object_foreach(facts, key, value) {
            printf("%-12s %s\n", key, json_object_get_string(value));
        }
        printf("median of %d runs (least … most)\n", options.runs);
    }
    bool good = prepare(&options);
    for (const struct bench *bench = benches; good && bench->name != NULL; bench++)
        if (is_wanted(&options, bench)) good = run_bench(&options, bench, list);
    if (good && options.json)
        printf("%s\n", json_object_to_json_string_ext(all, JSON_C_TO_STRING_PRETTY |
                                                               JSON_C_TO_STRING_NOSLASHESCAPE));
    json_object_put(all);
    return good ? 0 : 1;
}
