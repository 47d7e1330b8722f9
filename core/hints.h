/* What is rarely run: kept out of the functions that call it, which then stay short. */
#ifndef ANAX_CORE_HINTS_H
#define ANAX_CORE_HINTS_H

#define RARE __attribute__((cold, noinline))

/* Run often enough to matter, but not where it would push more important things out of registers. */
#define APART __attribute__((noinline))

#endif
