/* What is measured: the table in figures.c, one row per command. */
#ifndef ANAX_BENCH_FIGURES_H
#define ANAX_BENCH_FIGURES_H

#define FIGURES_MAX 4

typedef enum figure_kind {
    FIGURE_NONE,         /* ends the figures of a bench */
    FIGURE_PER_CPU_S,    /* count / (CPU seconds of the command - those of its base) */
    FIGURE_PER_WALL_S,   /* the same with elapsed time */
    FIGURE_PER_NODE_RSS, /* (peak memory of the command - that of its base) / nodes */
    FIGURE_CPU_S,        /* CPU seconds of the command - those of its base */
    FIGURE_PEAK_RSS,     /* peak memory of the command */
    FIGURE_PRINTED       /* what the command itself found */
} figure_kind;

struct figure {
    figure_kind kind;
    const char *unit;
    const char *key; /* in the command's JSON, a dot before each inner key: of the count, the nodes,
                        or the figure; NULL: needs none */
};

/* In commands @ stands for the build folder; files that are made go to @/bench/out. */
struct bench {
    const char *name; /* "large: …": takes minutes and gigabytes, only when --only asks for it */
    const char *command;
    const char *base; /* what is not to be counted, as a command of its own; NULL: nothing */
    struct figure figures[FIGURES_MAX];
};

extern const char *const bench_preparations[]; /* commands, ending with NULL */
extern const struct bench benches[];           /* ending with a row without a name */

#endif
