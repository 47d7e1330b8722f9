/*
 * Which thread works on which domain in a window. Each thread has a list of the domains that it
 * worked on last, those with the most work first. Their order by work is found anew every 16
 * windows. A thread that has come to the end of its list takes from the lists of others, and keeps
 * what it took.
 *
 * Does not know what domains are. No result depends on the dealing.
 */
#ifndef ANAX_CORE_DEALING_H
#define ANAX_CORE_DEALING_H

#include "core/base/status.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

typedef enum dealing_kind {
    DEALING_DYNAMIC,
    DEALING_STATIC, /* for tests: a domain is always worked on by the same thread */
    DEALING_RANDOM  /* for tests: in each window by another one, in another order */
} dealing_kind;

struct dealing_choice {
    dealing_kind kind;
    bool has_delays; /* for tests: threads pause now and then before they begin with a domain */
};

/* A thread's list in a window: places `next` … end-1 of dealing.list. */
struct dealing_list {
    _Alignas(64) atomic_uint next;
    uint32_t end;
    uint32_t count; /* of domains that the list has when the window begins */
};

struct dealing {
    struct dealing_choice choice;
    uint32_t domains;
    unsigned threads; /* at most */
    unsigned active;  /* threads that work in this window */
    uint64_t window;
    uint32_t *last_thread; /* [domain]: the thread that worked on it last */
    uint32_t *order;       /* all domains, by falling work when they were last sorted */
    uint64_t *work;        /* [domain]: in its last window */
    uint32_t *list;
    struct dealing_list *lists; /* [thread] */
};

/* Reads the choice from a text "static", "dynamic" or "random", or one of these with ",delays".
 * Returns false if it is none of them. */
bool dealing_choice_of_text(struct dealing_choice *choice, const char *text);

/* Prepares the dealing of domains to threads. STATUS_MEMORY. dealing_clear frees the memory, also
 * after an error. */
status_code dealing_init(struct dealing *dealing, struct dealing_choice choice, uint32_t domains,
                         unsigned threads, struct status *status);

/* Frees what dealing_init has made. */
void dealing_clear(struct dealing *dealing);

/* Deals the domains for which `has` is true among the first `active` threads. One thread calls it
 * while the others wait. */
void dealing_begin(struct dealing *dealing, uint64_t window, unsigned active, const bool *has);
/* Gives the thread its next domain in this window; false: none is left. */
bool dealing_take(struct dealing *dealing, unsigned thread, uint32_t *domain);
/* Gives the domain that stands `ahead` places after the next one in the thread's own list; false:
 * there is none. Another thread may take it first. */
bool dealing_peek(const struct dealing *dealing, unsigned thread, uint32_t ahead, uint32_t *domain);

#endif
