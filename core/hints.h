/* What is rarely run: kept out of the functions that call it, which then stay short. */
#ifndef ANAX_CORE_HINTS_H
#define ANAX_CORE_HINTS_H

#define RARE __attribute__((cold, noinline))

/* Run often, but not where it would push what is run more often out of registers. */
#define APART __attribute__((noinline))

#endif
