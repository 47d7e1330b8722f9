/*
 * Claims on points, by which several processes share the work at one folder. A claim is the file
 * .KEY.claim, which names its host, its process and its time.
 *
 * Invariant: a claim is made by exclusive creation, so two processes never hold one. A claim whose
 * owner has died is taken over: one of this host whose process has ended, and one of any host that
 * its owner has not renewed for CLAIMS_STALE_S. Claims are renewed, taken over and removed under a
 * lock of the folder, so that a claim that is taken over has one new owner. A process that was
 * stopped for longer than CLAIMS_STALE_S can lose its claim; its point is then computed twice, with
 * equal results.
 */
#ifndef ANAX_API_CLAIMS_H
#define ANAX_API_CLAIMS_H

#include "api/points/kept_folder.h"

/* How often claims are renewed, and the age from which a claim that was not renewed is stale. */
enum { CLAIMS_RENEWED_S = 10, CLAIMS_STALE_S = 300 };

/* Tries to claim a point. *is_ours: whether this process has the claim now, else another one has.
 * STATUS_SYSTEM: the folder cannot be written. */
status_code claims_take(bool *is_ours, const char *folder, const struct kept_key *key,
                        struct status *status);

/* Describes a claim: its file and, if they can be read, the process and the host of its owner. */
void claims_describe(char *text, size_t text_bytes, const char *folder, const struct kept_key *key);

/* Tells others that the owner of a claim is alive. */
void claims_renew(const char *folder, const struct kept_key *key);

/* Removes a claim of this process. */
void claims_release(const char *folder, const struct kept_key *key);

/* Removes the claims of this process (own), or those that are stale. */
void claims_remove_all(const char *folder, bool own);

#endif
