/* The processors that this process may use. */
#ifndef ANAX_CORE_PROCESSORS_H
#define ANAX_CORE_PROCESSORS_H

/* How many they are, at least 1: what taskset, a batch system or a container leaves it. */
unsigned processors_count(void);

#endif
