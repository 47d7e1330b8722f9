/*
 * A look at an anchor file before the OTF2 library sees it: the library trusts its chunk sizes and
 * its number of properties, and damaged ones make it write past its memory or ask for all there is.
 *
 * Must not know the library. Knows the layout of the file only as far as these figures.
 */
#ifndef ANAX_TRACES_OTF2_ANCHOR_H
#define ANAX_TRACES_OTF2_ANCHOR_H

#include "core/status.h"

/* STATUS_INPUT unless the file is there and those figures are possible. */
status_code otf2_anchor_check(const char *path, status *status);

#endif
