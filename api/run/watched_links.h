/*
 * The links of the setting record.links: names such as 5-17 (two routers), n3-0 (from a node) and
 * 0-n3 (to a node), hottest:N, or victim:RANK.
 */
#ifndef ANAX_API_WATCHED_LINKS_H
#define ANAX_API_WATCHED_LINKS_H

#include "api/api.h"

struct watched_links {
    struct network_link_name *names;
    uint32_t count;
    uint32_t hottest; /* number of the links with the largest busy_ps that are wanted; 0: none */
    uint32_t victim;  /* rank; the links at which its messages wait longest are wanted */
    bool has_victim;
};

/* Reads the setting. STATUS_USAGE: it is wrong. The caller ends with watched_links_free. */
status_code watched_links_read(struct watched_links *links, const anax_config *config,
                               anax_scope scope, struct status *status);

/* Frees what watched_links_read has made. */
void watched_links_free(struct watched_links *links);

/* Checks that the victim is a rank. STATUS_USAGE. */
status_code watched_links_check(const struct watched_links *links, uint32_t rank_count,
                                struct status *status);

#define WATCHED_LINKS_BYTES 1024u

/* Writes the names of the `count` links with the largest busy_ps as a value of the setting; "" if
 * no link carried anything. */
void watched_links_write_hottest(char text[WATCHED_LINKS_BYTES], const struct network *network,
                                 uint32_t count);
/* Does the same for the LINK_NUMBERS_BUSIEST links at which the victim's messages waited longest.
 */
void watched_links_write_waits(char text[WATCHED_LINKS_BYTES], const struct network *network);

#endif
